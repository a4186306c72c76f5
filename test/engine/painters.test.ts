/**
 * Painting threads: a film's frames are the same to the byte for any number of them, its failures and warnings too, and
 * one that stands still does not hide.
 *
 *   LONG=1 npx vitest run test/engine/painters.test.ts    every sample that threads can paint
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { frameWriter } from '../../server/engine/frame-writer.ts';
import { canShare, Pace } from '../../server/engine/painters/crew.ts';
import { CurrentElement } from '../../server/engine/painters/painter-protocol.ts';
import { Painters, type PaintersOptions } from '../../server/engine/painters/painters.ts';
import { frameTimes } from '../../server/engine/plan.ts';
import type { RenderJob } from '../../server/engine/render-job.ts';
import { render } from '../../server/engine/render.ts';
import { openStage, type Stage } from '../../server/engine/stage.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { jobInto, renderInto } from '../helpers/engine.ts';
import { readJson } from '../helpers/foreign.ts';
import { recorder } from '../helpers/frame-recorder.ts';
import { someInQuick, someOf } from '../helpers/long.ts';

vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(path.join(os.tmpdir(), 'painters-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  delete process.env['FRAMEWRIGHT_PAINTERS'];
  vi.restoreAllMocks();
});

const samples = path.join(import.meta.dirname, '..', 'samples');

const signal = new AbortController().signal;
const open = (job: RenderJob): Promise<Stage> =>
  openStage(job, { signal, onProgress: () => undefined });
const bytesOf = ({ timeline: { output } }: Stage): number => (output.width * output.height * 3) / 2;

function painters(
  job: RenderJob,
  stage: Stage,
  count: number,
  context: PaintersOptions['context'] = { signal },
): Painters {
  const { materials } = stage;
  return new Painters({
    ...{ job, materials, count, context },
    ...{ frameBytes: bytesOf(stage), framesInUse: 3 },
  });
}

/** All frames as this thread paints them. */
async function paintedHere(stage: Stage): Promise<Uint8Array[]> {
  const { width, height } = stage.timeline.output;
  const { sink, frames } = recorder(width, height);
  const writer = frameWriter(stage, sink);
  for (const time of frameTimes(stage.timeline))
    await writer.write({ frame: stage.layout.frameAt(time), ground: null });
  return frames;
}

/** All frames as threads paint them. */
async function paintedByThreads(
  job: RenderJob,
  stage: Stage,
  count: number,
): Promise<Uint8Array[]> {
  const threads = painters(job, stage, count);
  const frames: Uint8Array[] = [];
  try {
    await threads.opened;
    for await (const { planes } of threads.frames(0, stage.timeline.output.frameCount))
      frames.push(planes ? Uint8Array.from(planes) : (frames.at(-1) ?? new Uint8Array()));
  } finally {
    await threads.close();
  }
  return frames;
}

/** Numbers of the frames that differ. */
const differences = (one: readonly Uint8Array[], other: readonly Uint8Array[]): number[] =>
  one.flatMap((frame, index) =>
    Buffer.compare(frame, other[index] ?? new Uint8Array()) === 0 ? [] : [index],
  );

const films = readdirSync(samples).filter((name) => {
  const file = path.join(samples, name, 'source.json');
  return existsSync(file) && readJson(file).output_format === 'mp4';
});

test.each(someInQuick(someOf(films, 4), 2))('%s is the same with three threads', async (name) => {
  const job = jobInto(folder, 'film.mp4', readJson(path.join(samples, name, 'source.json')));
  const stage = await open(job);
  try {
    if (!canShare(job, stage)) return;
    expect(differences(await paintedHere(stage), await paintedByThreads(job, stage, 3))).toEqual(
      [],
    );
  } finally {
    await stage.close();
  }
});

/**
 * Everything that threads keep for themselves or share: fonts of several scripts, photos, layers, things that stand
 * still.
 */
const busy: Source = {
  output_format: 'mp4',
  width: 320,
  height: 180,
  frame_rate: 24,
  duration: 2,
  fill_color: '#123',
  elements: [
    { type: 'image', source: 'photo.jpg', animations: [{ type: 'pan', scope: 'element' }] },
    ...['Źródło', 'Ελληνικά', '日本語', 'Текст', 'مرحبا'].map((text, index) => ({
      ...{ type: 'text', text, time: index * 0.3, duration: 0.6, font_family: 'Noto Sans' },
      ...{
        font_size: 40,
        fill_color: '#fff',
        font_weight: 300 + index * 100,
        y: `${10 + index * 20}%`,
      },
      animations: [{ type: 'text-slide', duration: 0.2 }],
    })),
    {
      ...{
        type: 'shape',
        width: 80,
        height: 80,
        fill_color: '#e64980',
        path: 'M 0% 0% L 100% 50% L 0% 100% Z',
      },
      ...{ shadow_color: '#000', shadow_blur: 8, animations: [{ type: 'spin', rotation: 180 }] },
    },
    { type: 'text', text: 'stands', x: '80%', y: '90%', font_size: 20, fill_color: '#fff' },
  ],
};

test.each(someOf([5, 1, 2], 1))(
  'fonts, photos and layers are the same with %d threads',
  async (count) => {
    const job = jobInto(folder, 'film.mp4', busy);
    const stage = await open(job);
    // The threads first: they are the ones who need the fonts for the first time.
    const theirs = await paintedByThreads(job, stage, count);
    expect(differences(await paintedHere(stage), theirs)).toEqual([]);
    expect(
      new Set(theirs.map((frame) => Buffer.from(frame).toString('base64'))).size,
    ).toBeGreaterThan(30);
    await stage.close();
  },
);

test.each([1, 2])('changed animations are the same with %d threads', async (count) => {
  const looks = { texts: { Title: 'Ab Freitag' }, colors: { '#4f46e5': 'teal' } };
  const moves = { trim_start: 0.3, trim_duration: 1.1, loop: true, speed: '50%', duration: null };
  const job = jobInto(folder, 'film.mp4', {
    ...{ output_format: 'mp4', width: 320, height: 180, frame_rate: 24, duration: 3 },
    elements: [{ type: 'lottie', source: 'badge.json', ...looks, ...moves }],
  });
  const stage = await open(job);
  const theirs = await paintedByThreads(job, stage, count);
  expect(differences(await paintedHere(stage), theirs)).toEqual([]);
  expect(
    new Set(theirs.map((frame) => Buffer.from(frame).toString('base64'))).size,
  ).toBeGreaterThan(30);
  await stage.close();
});

describe('a whole film', () => {
  const framesOf = async (name: string): Promise<string> => {
    const { path: program } = await findFfmpeg(undefined);
    const film = path.join(folder, name);
    return execFileSync(program, ['-v', 'error', '-i', film, '-f', 'framemd5', '-'], {
      encoding: 'utf8',
    });
  };

  test('has the same frames, snapshot and sentences with threads', async () => {
    const source = { ...busy, snapshot_time: 1, font_family: 'Nowhere Sans' };
    const results = [];
    for (const count of ['0', '2']) {
      process.env['FRAMEWRIGHT_PAINTERS'] = count;
      const { warnings, snapshot } = await renderInto(folder, `${count}.mp4`, source);
      results.push({ warnings, snapshot });
    }
    expect(results[0]).toEqual(results[1]);
    expect(results[0]?.snapshot).toBe(true);
    expect(await framesOf('0.mp4')).toBe(await framesOf('2.mp4'));
    const pictures = ['0', '2'].map((count) => path.join(folder, `${count}.mp4-snapshot.jpg`));
    expect(readFileSync(pictures[0] ?? '').equals(readFileSync(pictures[1] ?? ''))).toBe(true);
  });

  test('paintingThreads: so many paint, from the first frame on', async () => {
    const started = async (paintingThreads: number): Promise<number> => {
      let count = 0;
      const note = (): void => {
        count += 1;
      };
      process.on('worker', note);
      try {
        const job = jobInto(folder, `threads-${paintingThreads}.mp4`, {
          ...{ ...busy, duration: 0.5 },
          // Without the fonts of five scripts, which each thread would load.
          elements: [{ type: 'shape', fill_color: '#fff', animations: [{ type: 'spin' }] }],
        });
        await render(
          { ...job, paintingThreads },
          { signal: AbortSignal.timeout(60_000), onProgress: () => undefined },
        );
      } finally {
        process.off('worker', note);
      }
      return count;
    };
    // The first render of a process may start threads of another kind.
    await started(1);
    const alone = await started(1);
    expect([await started(2), await started(3)]).toEqual([alone + 2, alone + 3]);
  });

  test('ends when it is cancelled, and nothing of it goes on', async () => {
    process.env['FRAMEWRIGHT_PAINTERS'] = '2';
    const ending = new AbortController();
    const long = { ...busy, duration: 60 };
    const rendering = render(jobInto(folder, 'ended.mp4', long), {
      signal: ending.signal,
      onProgress: ({ frame }) => {
        if (frame > 20) ending.abort(new Error('enough'));
      },
    });
    await expect(rendering).rejects.toThrow();
    expect(existsSync(path.join(folder, 'ended.mp4'))).toBe(false);
  });
});

/** A vector picture that appears after half a second, which is when a thread draws it. */
const late: Source = {
  ...busy,
  duration: 1,
  elements: [
    { type: 'shape', width: '50%', fill_color: '#fff', animations: [{ type: 'spin' }] },
    { type: 'image', source: 'logo.svg', time: 0.5, duration: 0.5, name: 'Logo' },
  ],
};
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>';

/** Its stage, and what threads are given: another picture in its place. */
async function openLate(svg: string): Promise<{ job: RenderJob; stage: Stage }> {
  const filePath = path.join(folder, 'other.svg');
  writeFileSync(filePath, svg);
  writeFileSync(path.join(folder, 'logo.svg'), logo);
  const job = jobInto(folder, 'late.mp4', late);
  const stage = await open(job);
  const { materials } = stage;
  const media = [...materials.assets.media].map(
    ([source, file]) => [source, { ...file, path: filePath }] as const,
  );
  const assets = { ...materials.assets, media: new Map(media) };
  return { job, stage: { ...stage, materials: { ...materials, assets } } };
}

describe('what can’t be painted', () => {
  test('fails when its turn has come, with its reason', async () => {
    const { job, stage } = await openLate(logo.slice(0, -9));
    const threads = painters(job, stage, 2);
    await threads.opened;
    let taken = 0;
    const take = async (): Promise<void> => {
      for await (const { planes } of threads.frames(0, 24)) taken += planes ? 1 : 0;
    };
    await expect(take()).rejects.toThrow(/Logo\.source: The file is not/);
    expect(taken).toBe(12);
    await threads.close();
    await stage.close();
  });

  test('ends with the threads, and at once when the render is cancelled', async () => {
    for (const end of ['close', 'cancel']) {
      const job = jobInto(folder, 'busy.mp4', busy);
      const stage = await open(job);
      const ending = new AbortController();
      const threads = painters(job, stage, 2, { signal: ending.signal });
      await threads.opened;
      const take = async (): Promise<void> => {
        let taken = 0;
        for await (const frame of threads.frames(0, 48)) {
          if (frame.planes) taken++;
          if (taken !== 5) continue;
          if (end === 'close') await threads.close();
          else ending.abort(new Error('enough'));
        }
      };
      await expect(take()).rejects.toThrow(end === 'close' ? /were ended/ : /enough/);
      await threads.close();
      await stage.close();
    }
  });

  test('keeps a film from its threads where they can’t build their stage', async () => {
    const job = jobInto(folder, 'bad.mp4', busy);
    const stage = await open(job);
    const broken = { ...job, fontFolder: path.join(folder, 'nowhere') };
    const threads = painters(broken, stage, 2);
    await expect(threads.opened).rejects.toThrow(/nowhere/);
    await threads.close();
    await stage.close();
  });

  test('and stands still is noticed, with its element', async () => {
    // Each layer takes the layers around it along: it would go on for hours.
    const layers = '<g opacity="0.9"><rect width="4000" height="4000"/>'.repeat(300);
    const endless = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">${layers}${'</g>'.repeat(300)}</svg>`;
    const { job, stage } = await openLate(endless);
    const seen: unknown[] = [];
    const threads = painters(job, stage, 2, {
      signal,
      onElement: (element) => seen.push(element),
      onQuiet: (isQuiet) => seen.push(isQuiet),
    });
    await threads.opened;
    const take = async (): Promise<void> => {
      for await (const { warnings } of threads.frames(0, 24)) seen.push(...warnings);
    };
    await expect(take()).rejects.toThrow(/Logo\.source: /);
    await threads.close();
    await stage.close();
    expect(JSON.stringify(seen)).toContain('"elements[1]",true');
  });
});

test('the current element passes between threads, however long its path is', () => {
  const mine = new CurrentElement();
  const theirs = new CurrentElement(mine.memory);
  for (const [set, read] of [
    ['elements[0]', 'elements[0]'],
    ['elements[0].elements[12]', 'elements[0].elements[12]'],
    ['e', 'e'],
    ['x'.repeat(512), 'x'.repeat(512)],
    ['x'.repeat(513), null],
    ['ü'.repeat(256), 'ü'.repeat(256)],
    [null, null],
  ] as const) {
    mine.set(set);
    expect(theirs.get()).toBe(read);
  }
});

describe('how many threads paint', () => {
  /**
   * What a film's pace says after a second of 100 frames, of which it waited so long for an encoder that computed so
   * much.
   */
  const counted = (waited: number, computed: number | null, painting = 1_000): number => {
    let now = 0;
    let used = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: used * 1_000, system: 0 }));
    const pace = new Pace(100_000);
    expect(pace.look(60, () => ({ waited: 0, computed: 0 }))).toBe(0);
    now = 1_000;
    used = painting;
    return pace.look(160, () => ({ waited, computed }));
  };

  test('none while the encoder is what one waits for', () => {
    expect(counted(500, 1_000)).toBe(0);
  });

  test('none where painting has no more to do than the encoder and there are two cores', () => {
    if (os.availableParallelism() > 2) return;
    expect(counted(0, 900)).toBe(0);
    expect(counted(0, 100)).toBe(2);
  });

  test('none in the first moments, in which an encoder only looks ahead', () => {
    const pace = new Pace(100_000);
    for (let index = 1; index < 40; index++)
      expect(pace.look(index, () => ({ waited: 0, computed: 0 }))).toBe(0);
  });
});
