/** Documents handed over to editing programs and players: the cut, and each form that it is written in. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { handOver } from '../../server/engine/handover.ts';
import { sampleFolder } from '../../server/system/paths.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { cutOf, type CutTrack } from '../../shared/engine/handover/cut.ts';
import { timecode, timecodeOf } from '../../shared/engine/handover/edl.ts';
import { handoverMakers } from '../../shared/engine/handover/makers.ts';
import { readSubtitles } from '../../shared/engine/subtitles.ts';
import { lossLines, type HandedOver, type HandoverForm } from '../../shared/handover.ts';
import { readWords } from '../../shared/engine/transcript.ts';
import type { Json, JsonObject, Source } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';
import { someInQuick } from '../helpers/long.ts';
import { samples } from '../helpers/sample-documents.ts';
import { mediaOf } from './compile-media.ts';
import { sine, writeWav } from './sound-signals.ts';

const film = { output_format: 'mp4', width: 1920, height: 1080, frame_rate: 25 };
const documentOf = (elements: readonly Json[], root: JsonObject = {}): Source => ({
  ...{ ...film, ...root },
  elements,
});
const clip = (rest: JsonObject = {}): JsonObject => ({
  ...{ type: 'video', source: 'video8', track: 1, ...rest },
});
const words = [
  { time: 0.5, duration: 0.5, value: 'Good' },
  { time: 1, duration: 0.5, value: 'morning.' },
  { time: 4, duration: 1, value: '<Bye>' },
];

/** What a document becomes. Its files are invented. */
function handed(
  source: Source,
  form: HandoverForm,
  markers: readonly JsonObject[] = [],
): HandedOver {
  const texts = Array.isArray(source.elements) ? source.elements : [];
  const transcripts = new Map(
    texts.flatMap((_, index) => {
      const at = `elements[${index}]`;
      return [[at, { clock: 'text' as const, words: readWords(words, at, at) }] as const];
    }),
  );
  const media = mediaOf();
  const timeline = compileTimeline(source, { media, scaling: {}, transcripts, asFilm: true });
  return handoverMakers[form]({
    ...{ timeline, media, name: 'Film', lost: [] },
    markers: markers as never,
    addressOf: (name) => (name.startsWith('data:') ? null : `file:///media/${name}.mp4`),
  });
}

function cut(elements: readonly Json[], root: JsonObject = {}): ReturnType<typeof cutOf> {
  const media = mediaOf();
  const timeline = compileTimeline(documentOf(elements, root), {
    media,
    scaling: {},
    asFilm: true,
  });
  return cutOf(timeline, media);
}

/** `5 video8@2` is 5 frames of the file from its frame 2 on; `x0.5` its speed, `~fade3+2` a transition, `-4` a gap. */
function told({ items }: CutTrack): string {
  return items
    .map((item) => {
      if (item.kind === 'gap') return `-${item.length}`;
      if (item.kind === 'transition') return `~${item.type}${item.before}+${item.after}`;
      const { content, length } = item;
      if (content.kind === 'inner')
        return `${length} [${content.tracks.map(told).join(' / ')}]@${content.from}`;
      if (content.kind !== 'file') return `${length} ${content.kind}`;
      const { source, from, speed } = content;
      return `${length} ${source}@${from}${speed === 1 ? '' : `x${Number(speed.toFixed(2))}`}`;
    })
    .join(', ');
}

describe('the cut', () => {
  const fade = { animations: [{ type: 'fade', transition: true, duration: 1 }] };
  // prettier-ignore
  test.each<[what: string, elements: readonly Json[], root: JsonObject, tracks: readonly string[]]>([
    ['one after the other', [clip({ duration: 2 }), clip({ duration: 1, trim_start: 3 })], {}, ['50 video8@0, 25 video8@75']],
    ['gaps between and after', [clip({ time: 1, duration: 1 })], { duration: 4 }, ['-25, 25 video8@0, -50']],
    ['a transition in the middle of its overlap', [clip({ duration: 3 }), clip({ duration: 3, trim_start: 1, ...fade })], {}, ['63 video8@0, ~fade13+12, 62 video8@38']],
    ['a transition of another type', [clip({ duration: 3 }), clip({ duration: 3, animations: [{ type: 'wipe', transition: true, duration: 0.4 }] })], {}, ['70 video8@0, ~wipe5+5, 70 video8@5']],
    ['a file that ends is held', [clip({ source: 'video3', duration: 4 })], {}, ['75 video3@0, 25 video3@74x0']],
    ['a loop begins again', [clip({ source: 'video3', duration: 7, loop: true })], {}, ['75 video3@0, 75 video3@0, 25 video3@0']],
    ['a loop of a part', [clip({ trim_start: 2, trim_duration: 1, duration: 2.5, loop: true })], {}, ['25 video8@50, 25 video8@50, 13 video8@50']],
    ['faster and slower', [clip({ speed: '200%' }), clip({ speed: '50%', trim_duration: 1 })], {}, ['100 video8@0x2, 50 video8@0x0.5']],
    ['begun before the film', [clip({ time: -2 })], { duration: 3 }, ['75 video8@50']],
    ['beyond the film', [clip({ duration: 8 })], { duration: 3 }, ['75 video8@0']],
    ['nothing to see', [clip({ duration: 1 }), clip({ time: 9, track: 2 })], { duration: 2 }, ['25 video8@0, -25']],
    ['words, shapes and colours', [{ type: 'text', text: '[size 50]A[/size] b', duration: 1, track: 1 }, { type: 'shape', track: 1, duration: 1 }, { type: 'shape', width: '100%', height: '100%', fill_color: '#f00', track: 1, duration: 1 }], {}, ['25 text, 25 shape, 25 color']],
    ['a picture and no file', [{ type: 'image', source: 'photo', track: 1, duration: 1 }, { type: 'image', source: 'gone', track: 1, duration: 1 }], {}, ['25 photo@0, 25 nothing']],
    ['tracks from the lowest', [clip({ track: 3, duration: 1 }), clip({ track: 1, duration: 2 })], {}, ['50 video8@0', '25 video8@0, -25']],
    ['a composition', [{ type: 'composition', time: 1, elements: [clip({ duration: 1 }), clip({ duration: 1 })] }], {}, ['-25, 50 [25 video8@0, 25 video8@0]@0']],
    ['a looped composition', [{ type: 'composition', duration: 2, loop: true, elements: [clip({ duration: 1 })] }], { duration: 5 }, ['50 [25 video8@0, -25]@0, 50 [25 video8@0, -25]@0, 25 [25 video8@0, -25]@0']],
    ['a composition that is played twice', [{ type: 'composition', duration: 1, loop: true, plays: 2, elements: [clip({ duration: 1 })] }], { duration: 3 }, ['25 [25 video8@0]@0, 25 [25 video8@0]@0, -25']],
  ])('%s', (_, elements, root, tracks) => {
    const { tracks: found } = cut(elements, root);
    expect(found.filter(({ kind }) => kind === 'picture').map(told)).toEqual(tracks);
  });

  test('sounds need as few tracks as do', () => {
    const music = { type: 'audio', source: 'music22' };
    const { tracks } = cut([
      clip({ duration: 4 }),
      { ...music, duration: 2 },
      { ...music, time: 2, duration: 1 },
    ]);
    expect(tracks.filter(({ kind }) => kind === 'sound').map(told)).toEqual([
      '100 video8@0',
      '50 music22@0, 25 music22@0, -25',
    ]);
  });

  test('loops within loops do not multiply', () => {
    const nested = (depth: number): JsonObject =>
      depth === 0
        ? clip({ duration: 0.04 })
        : {
            ...{ type: 'composition', loop: true, duration: 0.04 * 4 ** (depth - 1) },
            elements: [nested(depth - 1)],
          };
    const { tracks, lost } = cut([nested(8)], { duration: 0.04 * 4 ** 8 });
    const count = (items: CutTrack['items']): number =>
      items.reduce((sum, one) => {
        const isInner = one.kind === 'clip' && one.content.kind === 'inner';
        return (
          sum +
          (isInner ? one.content.tracks.reduce((all, { items: own }) => all + count(own), 1) : 1)
        );
      }, 0);
    expect(count(tracks[0]?.items ?? [])).toBeGreaterThan(1_000);
    expect(count(tracks[0]?.items ?? [])).toBeLessThanOrEqual(20_001);
    expect(lossLines(lost).join()).toContain('its repeats');
  });

  test('what repeats without end is played once, and that is told', () => {
    const { tracks, lost } = cut([clip({ trim_duration: 0.1, loop: true, duration: 60 })]);
    expect(tracks.map(told)).toContain('3 video8@0, 1497 video8@2x0');
    expect(lossLines(lost)).toContain('Video 1 (elements[0]): its repeats');
  });

  test('tells what it can not say', () => {
    const { lost } = cut(
      [
        { ...clip({ name: 'Sea', volume: '50%', audio_fade_in: 1, x: '20%', opacity: '50%' }) },
        { type: 'text', text: 'x', animations: [{ type: 'fade' }], z_index: 3 },
        clip({
          track: 5,
          source: 'video3',
          speed: [
            { time: 0, value: '50%' },
            { time: 2, value: '200%' },
          ],
        }),
        { type: 'shape', path: 'M 0 0 L 9 9' },
      ],
      { fill_color: '#fff' },
    );
    expect(lossLines(lost)).toEqual([
      'The film (fill_color): its background',
      'Sea (elements[0]): its place and size, its look, its volume, its fades',
      'Text 1 (elements[1]): its lettering and place, its movement, its order (z_index)',
      'Video 2 (elements[2]): how it fits the picture, its changing speed',
      'Shape 1 (elements[3]): its shape',
    ]);
  });
});

// ---- OTIO ----------------------------------------------------------------------------------------------------------

interface Node {
  readonly OTIO_SCHEMA: string;
  readonly [field: string]: unknown;
}

/** What each schema must have, as OpenTimelineIO 0.15 and later write it. */
const fields: Readonly<Record<string, readonly string[]>> = {
  'Timeline.1': ['metadata', 'name', 'global_start_time', 'tracks'],
  'Stack.1': ['metadata', 'name', 'source_range', 'effects', 'markers', 'enabled', 'children'],
  'Track.1': [
    'metadata',
    'name',
    'source_range',
    'effects',
    'markers',
    'enabled',
    'children',
    'kind',
  ],
  // prettier-ignore
  'Clip.2': ['metadata', 'name', 'source_range', 'effects', 'markers', 'enabled', 'media_references', 'active_media_reference_key'],
  'Gap.1': ['metadata', 'name', 'source_range', 'effects', 'markers', 'enabled'],
  'Transition.1': ['metadata', 'name', 'in_offset', 'out_offset', 'transition_type'],
  'RationalTime.1': ['rate', 'value'],
  'TimeRange.1': ['duration', 'start_time'],
  'ExternalReference.1': ['metadata', 'name', 'available_range', 'target_url'],
  'MissingReference.1': ['metadata', 'name', 'available_range'],
  'GeneratorReference.1': ['metadata', 'name', 'available_range', 'generator_kind', 'parameters'],
  'LinearTimeWarp.1': ['metadata', 'name', 'effect_name', 'time_scalar'],
  'FreezeFrame.1': ['metadata', 'name', 'effect_name', 'time_scalar'],
  'Marker.2': ['metadata', 'name', 'color', 'marked_range'],
};

const valueOf = (time: unknown): number => (time as { value: number }).value;
const rangeOf = (range: unknown): { start: number; length: number } => {
  const { start_time, duration } = range as { start_time: unknown; duration: unknown };
  return { start: valueOf(start_time), length: valueOf(duration) };
};

/** Looks at every node: its fields, and where times don't add up. @returns the timeline */
function checkOtio(text: string, frameCount: number): Node {
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('OTIO_SCHEMA' in value) {
      const node = value as Node;
      expect(fields).toHaveProperty([node.OTIO_SCHEMA]);
      expect(Object.keys(node)).toEqual(
        expect.arrayContaining([...(fields[node.OTIO_SCHEMA] ?? [])]),
      );
      if (node.OTIO_SCHEMA === 'Clip.2') checkClip(node);
    }
    Object.values(value).forEach(look);
  };
  const timeline = JSON.parse(text) as Node;
  look(timeline);
  checkStack(timeline.tracks as Node, frameCount);
  return timeline;
}

function checkStack({ children }: Node, frames: number): void {
  for (const track of children as Node[]) {
    const items = track.children as Node[];
    const own = items.filter(({ OTIO_SCHEMA }) => OTIO_SCHEMA !== 'Transition.1');
    const sum = own.reduce((total, item) => total + rangeOf(item.source_range).length, 0);
    expect(sum).toBe(frames);
    items.forEach((item, index) => {
      if (item.OTIO_SCHEMA === 'Stack.1') {
        const { start, length } = rangeOf(item.source_range);
        for (const inner of item.children as Node[]) {
          const all = (inner.children as Node[]).filter(
            (one) => one.OTIO_SCHEMA !== 'Transition.1',
          );
          const room = all.reduce((total, one) => total + rangeOf(one.source_range).length, 0);
          expect(start + length).toBeLessThanOrEqual(room);
          checkStack(item, room);
        }
      }
      if (item.OTIO_SCHEMA !== 'Transition.1') return;
      // It lies between two items, and not beyond them.
      const [before, after] = [items[index - 1]!, items[index + 1]!];
      expect(valueOf(item.in_offset)).toBeLessThanOrEqual(rangeOf(before.source_range).length);
      expect(valueOf(item.out_offset)).toBeLessThanOrEqual(rangeOf(after.source_range).length);
    });
  }
}

/** What a clip plays lies within its file. */
function checkClip({ source_range: range, media_references: references, effects }: Node): void {
  const { DEFAULT_MEDIA: media } = references as { DEFAULT_MEDIA: Node };
  const { start, length } = rangeOf(range);
  expect(length).toBeGreaterThan(0);
  expect(start).toBeGreaterThanOrEqual(0);
  if (media.available_range === null) return;
  const [effect] = effects as Node[];
  const speed = effect ? (effect.time_scalar as number) : 1;
  const { length: all } = rangeOf(media.available_range);
  // A part of a frame counts as one.
  expect(start + length * speed).toBeLessThan(all + Math.max(1e-6, speed === 1 ? 0 : speed));
}

describe('OTIO', () => {
  const scenes = [
    clip({ name: 'One', duration: 2 }),
    clip({
      name: 'Two',
      duration: 2,
      speed: '50%',
      animations: [{ type: 'fade', transition: true, duration: 1 }],
    }),
    { type: 'text', name: 'Title', text: 'Hi', duration: 1, track: 2 },
  ];

  test('has clips with their files, transitions, generators, speeds and markers', () => {
    const marker = { time: 1.5, name: 'Here', color: 'grey' };
    const { text } = handed(documentOf(scenes), 'otio', [marker]);
    const { tracks, name } = checkOtio(text, 75);
    expect(name).toBe('Film');
    const [pictures, titles, sound] = (tracks as Node).children as Node[];
    expect([pictures?.kind, titles?.kind, sound?.kind]).toEqual(['Video', 'Video', 'Audio']);
    expect(pictures?.children).toMatchObject([
      {
        name: 'One',
        media_references: { DEFAULT_MEDIA: { target_url: 'file:///media/video8.mp4' } },
      },
      {
        OTIO_SCHEMA: 'Transition.1',
        transition_type: 'SMPTE_Dissolve',
        in_offset: { value: 13, rate: 25 },
      },
      { name: 'Two', effects: [{ OTIO_SCHEMA: 'LinearTimeWarp.1', time_scalar: 0.5 }] },
    ]);
    const generator = { generator_kind: 'Text', parameters: { text: 'Hi' } };
    expect(titles?.children).toMatchObject([
      { media_references: { DEFAULT_MEDIA: generator } },
      { OTIO_SCHEMA: 'Gap.1' },
    ]);
    expect((tracks as Node).markers).toMatchObject([
      { name: 'Here', color: 'WHITE', marked_range: { start_time: { value: 38 } } },
    ]);
  });

  test('a file within the document has no address, which is told', () => {
    const picture = 'data:image/png;base64,AAAA';
    const media = new Map([...mediaOf(), [picture, mediaOf().get('photo')!]]);
    const source = documentOf([{ type: 'image', source: picture, duration: 1 }]);
    const timeline = compileTimeline(source, { media, scaling: {} });
    const facts = { timeline, media, name: '', markers: [], lost: [], addressOf: () => null };
    const { text, lost } = handoverMakers.otio(facts);
    expect(text).toContain('MissingReference.1');
    expect(text).not.toContain('AAAA');
    expect(lossLines(lost).join()).toContain('its file, which is part of the document or spoken');
  });
});

// ---- EDL -----------------------------------------------------------------------------------------------------------

describe('EDL', () => {
  test('has cuts, dissolves, speeds and markers of the first track with files', () => {
    const elements = [
      { type: 'shape', track: 1, duration: 6, fill_color: '#123456' },
      clip({ name: 'One', track: 2, duration: 2 }),
      clip({
        name: 'Two',
        track: 2,
        duration: 2,
        trim_start: 1,
        animations: [{ type: 'fade', transition: true, duration: 1 }],
      }),
      clip({ name: 'Slow', track: 2, source: 'video3', speed: '50%', duration: 1, time: 4 }),
    ];
    const { text, lost } = handed(documentOf(elements), 'edl', [
      { time: 4.2, name: 'Here', color: 'red' },
    ]);
    expect(text.split('\r\n').filter((line) => !line.startsWith('* NOT'))).toEqual([
      'TITLE: Film',
      'FCM: NON-DROP FRAME',
      '',
      '001  VIDEO8   V     C        00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00',
      '* FROM CLIP NAME: One',
      '* SOURCE FILE: file:///media/video8.mp4',
      '002  VIDEO8   V     C        00:00:01:00 00:00:01:00 01:00:01:00 01:00:01:00',
      '002  VIDEO8   V     D    025 00:00:01:00 00:00:03:00 01:00:01:00 01:00:03:00',
      '* FROM CLIP NAME: One',
      '* TO CLIP NAME: Two',
      '* SOURCE FILE: file:///media/video8.mp4',
      '003  VIDEO3   V     C        00:00:00:00 00:00:00:13 01:00:04:00 01:00:05:00',
      'M2   VIDEO3         012.5                00:00:00:00',
      '* FROM CLIP NAME: Slow',
      '* SOURCE FILE: file:///media/video3.mp4',
      '* LOC: 01:00:04:05 RED     Here',
      '* FRAME RATE: 25',
      '',
    ]);
    expect(lossLines(lost)).toContain(
      'Shape 1 (elements[0]): all of it, as the list has one track',
    );
    expect(lossLines(lost)).toContain('One (elements[1]): its sound');
    expect(text).toContain('* NOT IN THIS LIST: One (elements[1]): its sound');
  });

  // prettier-ignore
  test.each<[rate: number, frames: number, text: string]>([
    [25, 0, '00:00:00:00'], [25, 90_049, '01:00:01:24'], [24000 / 1001, 24, '00:00:01:00'],
    [30000 / 1001, 1799, '00:00:59;29'], [30000 / 1001, 1800, '00:01:00;02'], [29.97, 3598, '00:02:00;02'],
    [30000 / 1001, 17_981, '00:09:59;29'], [30000 / 1001, 17_982, '00:10:00;00'], [30000 / 1001, 107_892, '01:00:00;00'],
    [60000 / 1001, 3599, '00:00:59;59'], [60000 / 1001, 3600, '00:01:00;04'], [59.94, 215_784, '01:00:00;00'],
  ])('counts %d frames a second: frame %d is %s', (rate, frames, text) => {
    const counted = timecodeOf(rate);
    expect(counted && timecode(frames, counted)).toBe(text);
  });

  test('begins at an hour in drop-frame timecode, too', () => {
    const { text } = handed(documentOf([clip({ duration: 1 })], { frame_rate: 29.97 }), 'edl');
    expect(text).toContain('FCM: DROP FRAME');
    expect(text).toContain('00:00:00;00 00:00:01;00 01:00:00;00 01:00:01;00');
  });

  test('says so where a rate can not be counted', () => {
    expect([timecodeOf(12.5), timecodeOf(120), timecodeOf(0.5)]).toEqual([null, null, null]);
    const { text, lost } = handed(documentOf([clip({ duration: 2 })], { frame_rate: 12.5 }), 'edl');
    expect(text).toContain('00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00');
    expect(lossLines(lost)[0]).toMatch(
      /^The film \(frame_rate\): its 12\.5 frames a second.* rounded to 13/,
    );
  });

  test('holds 999 events, and names what is beyond', () => {
    const elements = Array.from({ length: 1001 }, () => clip({ duration: 0.04 }));
    const { text, lost } = handed(documentOf(elements), 'edl');
    expect(text.match(/^\d{3} {2}/gm)).toHaveLength(999);
    expect(lost.filter(({ what }) => what.includes('999'))).toHaveLength(2);
  });

  test('reels have eight letters, and a name of their own each', () => {
    const media = new Map([
      ...mediaOf(),
      ...['a/Sea of love.mp4', 'b/sea of love!.mp4', '…'].map(
        (name) => [name, mediaOf().get('video8')!] as const,
      ),
    ]);
    const elements = ['a/Sea of love.mp4', 'b/sea of love!.mp4', '…'].map((source) =>
      clip({ source, duration: 1 }),
    );
    const timeline = compileTimeline(documentOf(elements), { media, scaling: {} });
    const facts = { timeline, media, name: '', markers: [], lost: [], addressOf: () => null };
    const { text } = handoverMakers.edl(facts);
    expect([...text.matchAll(/^\d{3} {2}(\S+)/gm)].map(([, reel]) => reel)).toEqual([
      'SEAOFLOV',
      'SEAOFLO2',
      'FILE2',
    ]);
  });

  test('refuses a film without a picture', () => {
    const sound = documentOf([{ type: 'audio', source: 'music22' }], { output_format: 'mp3' });
    expect(() => handed(sound, 'edl')).toThrow('Expected a picture in the film, found none');
    checkOtio(handed(sound, 'otio').text, 550);
  });
});

// ---- captions ------------------------------------------------------------------------------------------------------

describe('captions', () => {
  const spoken = documentOf(
    [{ type: 'text', text: 'x', time: 2, duration: 9, transcript_source: words }],
    { duration: 6.7 },
  );

  test('are pages as the film shows them, on its clock', () => {
    expect(handed(spoken, 'srt')).toEqual({
      text: '1\n00:00:02,500 --> 00:00:04,000\nGood morning.\n\n2\n00:00:06,000 --> 00:00:06,700\n<Bye>\n',
      lost: [],
    });
  });

  test('have the time of each word in VTT', () => {
    expect(handed(spoken, 'vtt').text).toBe(
      'WEBVTT\n\n00:00:02.500 --> 00:00:04.000\nGood <00:00:03.000>morning.\n\n00:00:06.000 --> 00:00:06.700\n&lt;Bye&gt;\n',
    );
  });

  test.each(['srt', 'vtt'] as const)('are read again from %s', (form) => {
    const read = readSubtitles(handed(spoken, form).text, 'x', 'x');
    expect(read.map(({ text }) => text).join(' ')).toContain('Good morning.');
  });

  test('a document without any is refused with a cure', () => {
    const silent = { ...film, elements: [clip({})] };
    const timeline = compileTimeline(silent, { media: mediaOf(), scaling: {} });
    const facts = {
      timeline,
      media: mediaOf(),
      name: '',
      markers: [],
      lost: [],
      addressOf: () => null,
    };
    expect(() => handoverMakers.srt(facts)).toThrow(/found none. Give a text a transcript_source/);
  });
});

// ---- whole documents -----------------------------------------------------------------------------------------------

const folder = mkdtempSync(path.join(tmpdir(), 'handover-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a document becomes, with its files. */
function made(
  source: Source,
  form: HandoverForm,
  mediaFolders: readonly string[],
): Promise<HandedOver> {
  const work = mkdtempSync(path.join(folder, 'work-'));
  const job = { ...jobInto(work, 'film.mp4', source), mediaFolders };
  const wanted = { ...job, form, name: 'Film', markers: [], transcribes: false };
  return handOver(wanted, new AbortController().signal);
}

describe('with their files', () => {
  const fixtures = path.join(import.meta.dirname, '../fixtures');

  test('local files get whole addresses, others stay, and lost ones are told', async () => {
    const source = documentOf([
      { type: 'image', source: 'pattern.png', duration: 1 },
      { type: 'image', name: 'Gone', source: 'gone.png', duration: 1 },
    ]);
    const { text, lost } = await made(source, 'otio', [fixtures]);
    expect(text).toContain(
      `"target_url": "${pathToFileURL(path.join(fixtures, 'pattern.png')).href}"`,
    );
    expect(text).not.toContain('gone.png');
    expect(lost).toContainEqual({
      ...{ path: 'elements[1]', element: 'Gone', what: 'its file (The file does not exist)' },
    });
  });

  test('captions whose words are not known are refused with a cure', async () => {
    writeWav(path.join(folder, 'tone.wav'), 1, [sine(440, 0.3)]);
    const source = documentOf([
      { type: 'audio', name: 'Voice', source: 'tone.wav' },
      { type: 'text', name: 'Lines', text: 'x', transcript_source: 'Voice' },
    ]);
    await expect(made(source, 'srt', [folder])).rejects.toThrow(
      'What is said for ‘Lines’ is not written down yet. Open its captions in the editor',
    );
    // A cut needs none.
    const { lost } = await made(source, 'otio', [folder]);
    expect(lossLines(lost).join()).toContain('its captions, which are exported as SRT or VTT');
  });

  const shipped = readdirSync(sampleFolder(), { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'source.json')
    .map((name): readonly [string, string, string] => {
      const text = readFileSync(path.join(sampleFolder(), name), 'utf8');
      return [path.dirname(name), text, sampleFolder()];
    });
  const drawn = samples().map(([name, text]) => [name, text, fixtures] as const);

  test.each([...shipped, ...someInQuick(drawn, 40)])('%s', async (_, text, media) => {
    const source = JSON.parse(text) as Source;
    const otio = await made(source, 'otio', [media]);
    const { tracks } = JSON.parse(otio.text) as { tracks: Node };
    const [first] = tracks.children as Node[];
    const frames = ((first?.children ?? []) as Node[]).reduce(
      (sum, { source_range: range }) => sum + (range === undefined ? 0 : rangeOf(range).length),
      0,
    );
    checkOtio(otio.text, frames);
    if (media === sampleFolder())
      expect(otio.lost.filter(({ what }) => what.startsWith('its file'))).toEqual([]);

    // Events follow each other on the record side.
    const edl = await made(source, 'edl', [media]).catch((error: unknown) => error as Error);
    if ('text' in edl) {
      const events = [...edl.text.matchAll(/^\d{3} .*? (\S+) (\S+)\r$/gm)];
      expect(events.length).toBeGreaterThan(0);
      events.forEach(([, start = '', end = ''], index) => {
        expect(end >= start).toBe(true);
        if (index > 0) expect(start >= (events[index - 1]?.[2] ?? '')).toBe(true);
      });
    } else expect([edl.message, frames]).toEqual([expect.stringContaining('found none'), 0]);

    const isSpoken = text.includes('"transcript_source"');
    for (const form of ['srt', 'vtt'] as const) {
      const captions = await made(source, form, [media]).catch((error: unknown) => error as Error);
      if ('text' in captions) expect(readSubtitles(captions.text, 'x', 'x')).not.toEqual([]);
      else
        expect([captions.message, isSpoken]).toEqual([
          expect.stringContaining('found none'),
          false,
        ]);
    }
  });
});
