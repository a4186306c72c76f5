/** The window's pure parts: values as words, a render as words, and reading events from a stream. */
import { describe, expect, test, vi } from 'vitest';
import type { RenderProgress, RenderRecord, WindowRender } from '../../shared/api.ts';
import {
  attemptWords,
  besideStatus,
  daysLeft,
  fileFacts,
  formatFacts,
  lookOf,
  nameOf,
  originOf,
  remainingLine,
  shortFacts,
  stageOf,
  statusLine,
  workLine,
} from '../../renderer/queue/display.ts';
import { createEventReader } from '../../renderer/frame/connection/event-reader.ts';
import { firstCommand } from '../../renderer/api/snippets.ts';
import {
  clockTime,
  dayTime,
  exactTime,
  fileSize,
  partOfSize,
  filmLength,
  nearTime,
  ordinal,
  percent,
  relativeTime,
  remainingTime,
  shortId,
  steadyRemaining,
} from '../../renderer/ui/format.ts';
import { say } from '../../renderer/ui/say.ts';

/** Non-breaking spaces read as plain ones here. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('values as words', () => {
  test.each([
    [0, '0:00'],
    [52.9, '0:52'],
    [724, '12:04'],
    [3800, '1:03:20'],
    [-1, '0:00'],
  ])('elapsed %s s → %s', (seconds, text) => {
    expect(clockTime(seconds)).toBe(text);
  });

  test.each([
    [2, 'almost done'],
    [4.9, 'almost done'],
    [7, 'less than 10 s'],
    [12, 'about 10 s'],
    [13, 'about 15 s'],
    [59, 'about 1 min'],
    [82, 'about 1 min 20 s'],
    [240, 'about 4 min'],
    [745, 'about 12 min'],
    [3599, 'about 1 h'],
    [4000, 'about 1 h 5 min'],
    [7300, 'about 2 h'],
  ])('remaining %s s → %s', (seconds, text) => {
    expect(plain(remainingTime(seconds))).toBe(text);
  });

  test.each([
    [0, '0 B'],
    [512, '512 B'],
    [1000, '1 kB'],
    [88_211, '88 kB'],
    [999_950, '1 MB'],
    [8_412_312, '8.4 MB'],
    [212e9, '212 GB'],
  ])('%s bytes → %s', (bytes, text) => {
    expect(plain(fileSize(bytes, 'en'))).toBe(text);
  });

  test.each([
    [0, 512, '0 of 512 B'],
    [400, 88_211, '0 of 88 kB'],
    [34_499_000, 120e6, '34 of 120 MB'],
    [120e6, 120e6, '120 of 120 MB'],
    [349e6, 2.1e9, '0.3 of 2.1 GB'],
    [500, 999_950, '0 of 1 MB'],
  ])('%s of %s bytes → %s', (part, whole, text) => {
    expect(plain(partOfSize(part, whole, 'en'))).toBe(text);
  });

  test.each([
    [0.5, '0.5 s'],
    [15, '15 s'],
    [90, '1 min 30 s'],
    [3720, '1 h 2 min'],
  ])('a film of %s s → %s', (seconds, text) => {
    expect(plain(filmLength(seconds, 'en'))).toBe(text);
  });

  const now = new Date(2026, 10, 21, 14, 0).getTime();
  const minute = 60_000;
  test.each([
    [now + minute, 'just now'],
    [now - 59_000, 'just now'],
    [now - 2 * minute, '2 min ago'],
    [now - 90 * minute, '1 h ago'],
    [now - 25 * 60 * minute, 'yesterday'],
    [now - 4 * 24 * 60 * minute, '4 days ago'],
    [new Date(2026, 9, 3).getTime(), 'Oct 3'],
    [new Date(2025, 9, 3).getTime(), 'Oct 3, 2025'],
  ])('a moment %s → %s', (moment, text) => {
    expect(relativeTime(moment, now, 'en-US')).toBe(text);
  });

  test('today and yesterday have names, and what is near needs no day', () => {
    const at = (moment: number): string[] => [
      plain(dayTime(moment, now, 'en-GB')),
      plain(nearTime(moment, now, 'en-GB')),
    ];
    expect(at(now)).toEqual(['today 14:00:00', '14:00:00']);
    expect(at(now - 15 * 60 * minute)).toEqual(['yesterday 23:00:00', '20 Nov 2026, 23:00:00']);
    expect(at(now - 48 * 60 * minute)[0]).toBe('19 Nov 2026, 14:00:00');
    expect(at(now + 24 * 60 * minute)[0]).toBe('22 Nov 2026, 14:00:00');
  });

  test('exact time, percent, ordinals, short IDs, plural forms', () => {
    expect(plain(exactTime(now, 'en-GB'))).toBe('21 Nov 2026, 14:00:00');
    expect([43.9, 0, 99].map((value) => plain(percent(value)))).toEqual(['43 %', '0 %', '99 %']);
    expect([1, 2, 3, 4, 11, 12, 21, 113].map(ordinal)).toEqual([
      ...['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '113th'],
    ]);
    expect(shortId('7f3a9c1e-52d1-4c1b-9a00-0242ac120002')).toBe('7f3a9c1e');
    expect(say('templates.count', { count: 1 })).toBe('1 template');
    expect(say('templates.count', { count: 1200 })).toBe('1,200 templates');
  });

  test('the remaining time falls at once and does not jump up within 3 s', () => {
    const first = steadyRemaining(undefined, 60, 0);
    const lower = steadyRemaining(first, 40, 500);
    expect(lower).toEqual({ seconds: 40, at: 500 });
    expect(steadyRemaining(lower, 47, 900).seconds).toBe(47); // under 20 % more
    expect(steadyRemaining(lower, 80, 3400)).toBe(lower);
    expect(steadyRemaining(lower, 80, 3500)).toEqual({ seconds: 80, at: 3500 });
    expect(steadyRemaining(lower, -3, 600).seconds).toBe(0);
  });
});

/** A render with what the case is about; the rest is as the server would send it. */
function render(
  record: Partial<RenderRecord>,
  rest: Partial<Omit<WindowRender, 'record'>> = {},
): WindowRender {
  const id = '7f3a9c1e-52d1-4c1b-9a00-0242ac120002';
  const url = `http://127.0.0.1:4820/renders/${id}.mp4`;
  return {
    id,
    project: 'default',
    createdAt: 0,
    expiresAt: 0,
    attempts: 1,
    cancelled: false,
    order: 0,
    ...rest,
    record: { id, url, status: 'planned', output_format: 'mp4', ...record },
  };
}

/** Drawing: without a speed, with one, and with an estimate. */
const stuck: RenderProgress = { phase: 'rendering', frame: 194, frames: 450, percent: 43 };
const early: RenderProgress = { ...stuck, framesPerSecond: 31.2 };
const drawing: RenderProgress = { ...early, secondsLeft: 60 };

describe('a render in the words of the window', () => {
  test.each<[string, WindowRender, number | undefined]>([
    ['Queued', render({ status: 'planned' }), undefined],
    ['Queued · 2nd', render({ status: 'planned' }), 2],
    [
      'Fetching media 4 %',
      render({ status: 'waiting' }, { progress: { ...drawing, percent: 4 } }),
      undefined,
    ],
    ['Rendering 43 %', render({ status: 'rendering' }, { progress: drawing }), undefined],
    [
      'Rendering',
      render({ status: 'rendering', output_format: 'png' }, { progress: drawing }),
      undefined,
    ],
    [
      'Done in 0:41',
      render({ status: 'succeeded' }, { startedAt: 1000, finishedAt: 42_100 }),
      undefined,
    ],
    [
      'Done in less than 1 s',
      render({ status: 'succeeded' }, { startedAt: 1000, finishedAt: 1400 }),
      undefined,
    ],
    ['Failed', render({ status: 'failed' }), undefined],
    ['Cancelled', render({ status: 'failed' }, { cancelled: true }), undefined],
  ])('%s', (text, input, place) => {
    expect(plain(statusLine(input, place))).toBe(text);
  });

  test('a failed render that a person stopped is neither a failure nor red', () => {
    const stopped = render({ status: 'failed' }, { cancelled: true });
    expect(stageOf(stopped)).toBe('cancelled');
    expect(lookOf(stopped)).toMatchObject({ tone: 'neutral', icon: 'slashed' });
    expect(lookOf(render({ status: 'failed' }))).toMatchObject({ tone: 'danger', icon: 'alert' });
  });

  test('of a sound no frames are told', () => {
    const input = render({ status: 'rendering', output_format: 'mp3' }, { progress: stuck });
    expect([workLine(input), remainingLine(input, undefined)]).toEqual([
      'Mixing the sound',
      'Mixing the sound',
    ]);
  });

  const withSpeed = 'Drawing frames 194 of 450 · 31/s';
  const fetching: RenderProgress = { phase: 'waiting', frame: 2, frames: 5, percent: 4 };
  test.each<[string, RenderProgress, string, string]>([
    ['speed and estimate known', drawing, withSpeed, 'about 1 min'],
    ['nothing drawn for 10 s', stuck, 'Drawing frames 194 of 450', 'Waiting for the next frame…'],
    ['too early to tell', early, withSpeed, 'Estimating…'],
    ['not begun', { ...stuck, frame: 0 }, 'Drawing frames 0 of 450', 'Estimating…'],
    ['fetching', fetching, 'Fetching media 2 of 5', 'Fetching media 2 of 5'],
    [
      'fetching files of unknown size',
      { ...fetching, bytes: 34e6 },
      'Fetching media 2 of 5 · 34 MB',
      'Fetching media 2 of 5 · 34 MB',
    ],
    [
      'fetching files of known size',
      { ...fetching, bytes: 34e6, bytesTotal: 120e6 },
      'Fetching media 2 of 5 · 34 of 120 MB',
      'Fetching media 2 of 5 · 34 of 120 MB',
    ],
    [
      'transcribing, recordings counted',
      { ...fetching, phase: 'transcribing', frame: 1, frames: 2 },
      'Transcribing 1 of 2',
      'Transcribing 1 of 2',
    ],
    [
      'transcribing, nothing counted',
      { ...fetching, phase: 'transcribing', frame: 0, frames: 0 },
      'Transcribing',
      'Transcribing',
    ],
    ['finishing', { ...early, phase: 'finishing' }, 'Finishing file…', 'Finishing file…'],
  ])('work and time left: %s', (_case, progress, work, left) => {
    const input = render({ status: 'rendering' }, { progress });
    expect(plain(workLine(input))).toBe(work);
    expect(plain(remainingLine(input, progress.secondsLeft))).toBe(left);
  });

  test.each<[string, RenderProgress | undefined, string]>([
    ['begun, nothing told yet', undefined, 'Estimating…'],
    ['drawing', drawing, 'about 1 min'],
    ['nothing drawn for 10 s', stuck, 'Waiting for the next frame…'],
    ['fetching, files counted', fetching, '2 of 5'],
    ['fetching, bytes counted', { ...fetching, bytes: 34e6, bytesTotal: 120e6 }, '34 of 120 MB'],
    ['fetching, nothing counted', { ...fetching, frame: 0, frames: 0 }, ''],
    ['transcribing', { ...fetching, phase: 'transcribing', frame: 1, frames: 2 }, '1 of 2'],
  ])('beside the status of a row: %s', (_case, progress, text) => {
    const input = render({ status: 'rendering' }, progress ? { progress } : {});
    expect(plain(besideStatus(input, progress?.secondsLeft))).toBe(text);
  });

  test('a new attempt says so, until its time left is known', () => {
    const second = render({ status: 'rendering' }, { attempts: 2, progress: early });
    expect(remainingLine(second, undefined)).toBe('Second attempt');
    expect(plain(remainingLine({ ...second, progress: drawing }, 60))).toBe('about 1 min');
    expect([1, 2, 3, 4].map((attempts) => attemptWords(render({}, { attempts })))).toEqual([
      ...[null, 'Second attempt', 'Third attempt', '4th attempt'],
    ]);
  });

  test('thirty days are thirty, also by a clock that is a little behind', () => {
    const day = 86_400_000;
    const kept = render({ status: 'planned' }, { createdAt: day, expiresAt: 31 * day });
    expect(
      [day - 15_000, day, 1.5 * day, 30.5 * day, 40 * day].map((now) => daysLeft(kept, now)),
    ).toEqual([30, 30, 30, 1, 0]);
  });

  test('a paused queue keeps the places of what waits', () => {
    expect(statusLine(render({ status: 'planned' }), 2, true)).toBe('Queued – paused · 2nd');
    expect(statusLine(render({ status: 'planned' }), undefined, true)).toBe('Queued – paused');
    const waits = render({ status: 'planned' });
    expect(lookOf(waits, true)).toMatchObject({ word: 'Queued – paused', icon: 'pause' });
    expect(lookOf(waits)).toMatchObject({ word: 'Queued', icon: 'clock' });
    expect(lookOf(render({ status: 'rendering' }), true)).toMatchObject({ word: 'Rendering' });
  });

  test('name, origin and facts', () => {
    const direct = render({});
    expect([nameOf(direct), originOf(direct)]).toEqual(['Direct render', 'API · 7f3a9c1e']);
    const done = render(
      {
        template_id: 't',
        template_name: 'Promo',
        width: 1080,
        height: 1920,
        duration: 12,
        file_size: 8_412_312,
      },
      { name: 'Promo' },
    );
    expect([nameOf(done), originOf(done)]).toEqual(['Promo', 'Template · 7f3a9c1e']);
    expect(formatFacts(done)).toBe('mp4 · 1080×1920');
    expect(plain(fileFacts(done))).toBe('12 s · 8.4 MB');
    expect(fileFacts(direct)).toBe('');
    expect(plain(shortFacts(done))).toBe('mp4 · 8.4 MB');
    expect(shortFacts(direct)).toBe('mp4');
  });
});

describe('the first command', () => {
  const api = { url: 'http://127.0.0.1:4820', key: 'secret' };

  test('carries address, key and a document that is valid JSON', () => {
    const command = firstCommand(api, false);
    expect(command).toContain('http://127.0.0.1:4820/v2/renders');
    expect(command).toContain("'Authorization: Bearer secret'");
    const body = /-d '(.*)'$/s.exec(command)?.[1] ?? '';
    expect(JSON.parse(body)).toMatchObject({ output_format: 'mp4', elements: [{ type: 'text' }] });
    expect(Math.max(...command.split('\n').map((line) => line.length))).toBeLessThanOrEqual(74);
  });

  test('for Windows it is one line in double quotes with the same document', () => {
    const command = firstCommand(api, true);
    expect(command).not.toMatch(/['\n]/);
    const body = / -d "(.*)"$/.exec(command)?.[1]?.replaceAll('\\"', '"') ?? '';
    expect(JSON.parse(body)).toHaveProperty('elements');
  });
});

test('events are read from pieces of any size; comments are passed over', () => {
  const text =
    'data: {"type":"hello","number":7}\n\n: alive\n\n' +
    'id: 8\ndata: {"type":"render.removed","number":8,"id":"ä"}\n\n';
  for (const size of [1, 3, 1000]) {
    const read = createEventReader();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(pieces.flatMap((piece) => read(piece))).toEqual([
      { type: 'hello', number: 7 },
      { type: 'render.removed', number: 8, id: 'ä' },
    ]);
  }
});

test('an event of another form is left out, and the next ones are read', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const events = createEventReader()(
    'data: {"type":"render.turned","number":8}\n\ndata: {"type":"render.removed","number":9,"id":"a"}\n\n',
  );
  expect(events).toEqual([{ type: 'render.removed', number: 9, id: 'a' }]);
  expect(said).toHaveBeenCalledOnce();
  said.mockRestore();
});
