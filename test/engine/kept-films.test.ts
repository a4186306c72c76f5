/**
 * Films made of pieces that are kept: where they are cut, that a print says what the pixels are, and that the file is
 * the same to the byte however many pieces were there.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plansOf } from '../../server/engine/motion.ts';
import { planOverlay } from '../../server/engine/overlay-plan.ts';
import { cutFilm } from '../../server/engine/pieces/cuts.ts';
import { renderKept } from '../../server/engine/pieces/kept-film.ts';
import { hashCode, openPrints } from '../../server/engine/pieces/prints.ts';
import { planFrames, type FrameRange } from '../../server/engine/plan.ts';
import type { RenderJob, RenderResult } from '../../server/engine/render-job.ts';
import { shrinkPieces } from '../../server/system/kept-pieces.ts';
import { openStage, type Stage } from '../../server/engine/stage.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { resolvePlaceholders } from '../../shared/renderscript/modifications.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { jobInto } from '../helpers/engine.ts';
import { generatedDocument } from '../helpers/generated.ts';
import { isLong } from '../helpers/long.ts';
import { diceOf, edited } from '../helpers/random-edits.ts';
import { samples } from '../helpers/sample-documents.ts';
import { clip, makeClips, plate, title } from './ground-films.ts';
import { maker } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kept-films-test-'));
const pieces = path.join(folder, 'cache/pieces');
const context = { signal: new AbortController().signal, onProgress: () => undefined };
beforeAll(() => {
  makeClips(folder);
  const sine = ['-f', 'lavfi', '-i', 'sine=f=440:d=3', path.join(folder, 'tone.wav')];
  execFileSync(maker.path, ['-v', 'error', '-y', ...sine]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(pieces, { recursive: true, force: true }));
afterEach(() => delete process.env['FRAMEWRIGHT_PAINTERS']);

const limit = 1e9;
const film = (elements: readonly JsonObject[], more: JsonObject = {}): Source => ({
  ...{ output_format: 'mp4', width: 320, height: 180, frame_rate: 24, duration: 3 },
  elements: [...elements],
  ...more,
});
/** A title of the second second, over what moves. */
const titled = (text: string, more: JsonObject = {}): JsonObject => ({
  ...title,
  ...{ text, time: 1, duration: 1 },
  ...more,
});
const turning: JsonObject = {
  ...{ type: 'shape', track: 1, width: 90, height: 90, x: 80, y: 90, fill_color: '#c04020' },
  path: 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z',
  animations: [{ type: 'spin', time: 0, duration: 3, easing: 'linear', rotation: '200°' }],
};
const tone: JsonObject = { type: 'audio', source: 'tone.wav', volume: '30%' };
const seconds: readonly FrameRange[] = [
  { first: 0, end: 24 },
  { first: 24, end: 48 },
  { first: 48, end: 72 },
];

async function onStage<Result>(
  source: Source,
  work: (stage: Stage, job: RenderJob) => Promise<Result>,
  largestSide = 320,
): Promise<Result> {
  const job = jobInto(folder, 'film.mp4', source, {
    workFolder: path.join(folder, 'work'),
    scaling: { largestSide },
  });
  await rm(job.workFolder, { recursive: true, force: true });
  await mkdir(job.workFolder, { recursive: true });
  const stage = await openStage(job, context);
  try {
    return await work(stage, job);
  } finally {
    await stage.close();
  }
}

/** Makes a film in pieces of a second. @returns the file's bytes, and what was there. */
async function make(
  source: Source,
  more: Pick<RenderJob, 'isShared'> = {},
): Promise<{ bytes: Buffer; result: RenderResult }> {
  const { outputPath, result } = await onStage(source, async (stage, usual) => {
    const job = { ...usual, ...more };
    const plans = plansOf(stage);
    const isOneProcess = (await planOverlay(plans, maker, context.signal)) !== null;
    const kept = { plans, ranges: seconds, isOneProcess, limit };
    return { outputPath: job.outputPath, result: await renderKept(job, stage, context, kept) };
  });
  return { bytes: readFileSync(outputPath), result };
}

/** The prints of a film's frames. */
function printsOf(source: Source): Promise<readonly string[]> {
  return onStage(source, async (stage, job) => {
    const prints = await openPrints(job, stage, maker, false);
    const frames = planFrames(plansOf(stage));
    const { frameCount } = stage.timeline.output;
    const alone = Array.from({ length: frameCount }, (_, first) => ({ first, end: first + 1 }));
    const found: string[] = [];
    for await (const print of prints.pieces(frames, alone, context.signal)) found.push(print);
    return found;
  });
}

const films: readonly (readonly [name: string, elements: readonly JsonObject[]])[] = [
  ['painted frames', [turning, titled('One'), tone]],
  ['a video under graphics, by one process', [clip('hd.mp4'), titled('One')]],
  [
    'a video on which some frames stand',
    [clip('hd.mp4', { time: 0.5, duration: 2 }), titled('One')],
  ],
  ['nothing but a colour', [titled('One')]],
];

describe.each(films)('%s', (_name, elements) => {
  test('are the same to the byte, cold, warm and half there, with any number of threads', async () => {
    const cold = await make(film(elements));
    expect(cold.result.reused).toBeUndefined();
    expect(cold.result.facts.duration).toBeCloseTo(3, 1);
    const warm = await make(film(elements));
    expect(warm.result.reused).toBe(3);
    expect(warm.bytes.equals(cold.bytes)).toBe(true);
    const names = readdirSync(pieces).toSorted();
    for (const [index, name] of names.entries())
      if (index % 2 === 0) rmSync(path.join(pieces, name));
    const half = await make(film(elements));
    expect(half.bytes.equals(cold.bytes)).toBe(true);
    expect(readdirSync(pieces).toSorted()).toEqual(names);
    rmSync(pieces, { recursive: true });
    process.env['FRAMEWRIGHT_PAINTERS'] = '2';
    const threaded = await make(film(elements));
    expect(threaded.bytes.equals(cold.bytes)).toBe(true);
  });

  test('of which a title changes: only its second is made', async () => {
    await make(film(elements));
    const changed = elements.map((one) => (one.type === 'text' ? { ...one, text: 'Two' } : one));
    const again = await make(film(changed));
    expect(again.result.reused).toBe(2);
    rmSync(pieces, { recursive: true });
    const fresh = await make(film(changed));
    expect(fresh.result.reused).toBeUndefined();
    expect(again.bytes.equals(fresh.bytes)).toBe(true);
  });
});

test('rows of a feed read the decoded video from the third on, and are the same to the byte', async () => {
  const row = (text: string): Source => film([clip('hd.mp4'), titled(text)]);
  const grounds = (): string[] => readdirSync(pieces).filter((name) => name.endsWith('.ground'));
  const rows: Buffer[] = [];
  const there: number[] = [];
  for (const text of ['One', 'Two', 'Three', 'Four']) {
    rows.push((await make(row(text), { isShared: true })).bytes);
    there.push(grounds().length);
    // Cut short, it is decoded and written again.
    if (text === 'Three')
      for (const name of grounds()) writeFileSync(path.join(pieces, name), 'broken');
  }
  expect(there).toEqual([0, 1, 1, 1]);
  // Frames that were read look like those that were decoded: other ones would make another film.
  const [ground = ''] = grounds();
  const bytes = readFileSync(path.join(pieces, ground));
  expect(bytes.length).toBe(24 * 320 * 180 * 1.5);
  writeFileSync(path.join(pieces, ground), Buffer.alloc(bytes.length, 90));
  const grey = await make(row('Five'), { isShared: true });
  rmSync(pieces, { recursive: true });
  for (const [index, text] of ['One', 'Two', 'Three', 'Four', 'Five'].entries()) {
    const { bytes: single } = await make(row(text));
    expect(single.equals(rows[index] ?? grey.bytes)).toBe(text !== 'Five');
  }
});

test('a damaged piece is found, and made again', async () => {
  const source = film([turning, titled('One'), tone]);
  const { bytes } = await make(source);
  const names = readdirSync(pieces).toSorted();
  for (const name of names.slice(0, 2)) {
    const file = path.join(pieces, name);
    const damaged = readFileSync(file);
    damaged[damaged.length >> 1] = (damaged[damaged.length >> 1] ?? 0) ^ 255;
    rmSync(file);
    writeFileSync(file, damaged);
  }
  const again = await make(source);
  expect(again.bytes.equals(bytes)).toBe(true);
  expect(readdirSync(pieces).toSorted()).toEqual(names);
  expect((await make(source)).result.reused).toBe(3);
});

test('the cache keeps what was used last, within its limit', async () => {
  await make(film([titled('One')]));
  await make(film([titled('Two')]));
  const before = readdirSync(pieces);
  await shrinkPieces(pieces, 1e9);
  expect(readdirSync(pieces)).toEqual(before);
  await make(film([titled('One')]));
  const sizes = before.map((name) => readFileSync(path.join(pieces, name)).length);
  await shrinkPieces(pieces, sizes.reduce((sum, size) => sum + size, 0) - 1);
  expect((await make(film([titled('One')]))).result.reused).toBe(3);
  await shrinkPieces(pieces, 0);
  expect(readdirSync(pieces)).toEqual([]);
});

test('a moment drawn as a separate picture is there, though no frame is made', async () => {
  const source = film([turning, titled('One')], { snapshot_time: 1.5 });
  const snapshot = path.join(folder, 'film.mp4-snapshot.jpg');
  await make(source);
  const picture = readFileSync(snapshot);
  rmSync(snapshot);
  const again = await make(source);
  expect(again.result).toMatchObject({ reused: 3, snapshot: true });
  expect(readFileSync(snapshot).equals(picture)).toBe(true);
});

describe('prints', () => {
  const base = [clip('hd.mp4'), plate, titled('One', { font_family: 'Open Sans' })];

  test('say nothing of names, ids and the order of the document', async () => {
    const named = base.map((one, index) => ({ ...one, name: `N${index}`, id: `i${index}` }));
    expect(await printsOf(film(named))).toEqual(await printsOf(film(base)));
    const moved = [named[2] ?? {}, named[0] ?? {}, named[1] ?? {}];
    expect(await printsOf(film(moved))).toEqual(await printsOf(film(base)));
  });

  test('follow from every file of the built program', async () => {
    const built = path.join(folder, 'built');
    mkdirSync(built);
    const put = (name: string, text: string): void => writeFileSync(path.join(built, name), text);
    const codes = new Set<string>();
    for (const [name, text] of [
      ['worker.mjs', 'one'],
      ['layout.mjs', 'two'],
      ['layout.mjs', 'three'],
      ['worker.mjs', 'two'],
    ] as const) {
      put(name, text);
      codes.add(await hashCode(built));
    }
    put('notes.txt', 'nothing that runs');
    codes.add(await hashCode(built));
    expect(codes.size).toBe(4);
  });

  const changes: readonly (readonly [what: string, index: number, change: JsonObject])[] = [
    ['a text', 2, { text: 'Other' }],
    ['a colour', 2, { fill_color: '#000001' }],
    ['a font', 2, { font_family: 'Montserrat' }],
    ['a weight', 2, { font_weight: 700 }],
    ['a place', 2, { x: 121 }],
    ['an opacity', 1, { opacity: '99%' }],
    ['a file', 0, { source: 'large.mp4' }],
    ['a moment of the file', 0, { trim_start: 0.2 }],
    ['a speed', 0, { speed: '90%' }],
    ['a mask', 1, { mask_mode: 'alpha' }],
    ['a blend', 1, { blend_mode: 'multiply' }],
    ['a shadow', 2, { shadow_blur: 6 }],
    ['an animation', 1, { animations: [{ type: 'fade', duration: 2.9 }] }],
  ];
  test.each(changes)('change with %s, where it shows', async (_what, index, change) => {
    const before = await printsOf(film(base));
    const after = await printsOf(
      film(base.map((one, at) => (at === index ? { ...one, ...change } : one))),
    );
    // The title is there in the second second only.
    const shown = index === 2 ? seconds[1] : { first: 0, end: 72 };
    const same = before.filter((print, frame) => print === after[frame]).length;
    if (index === 2) {
      for (const [frame, print] of before.entries()) {
        const isShown = frame >= (shown?.first ?? 0) && frame < (shown?.end ?? 0);
        expect(print === after[frame], `frame ${frame}`).toBe(!isShown);
      }
    } else expect(same).toBeLessThanOrEqual(4);
  });

  test('change with the words, colours and content of an animation, not with its address', async () => {
    const badge = readFileSync(
      path.join(import.meta.dirname, '..', 'fixtures', 'badge.json'),
      'utf8',
    );
    const write = (name: string, text = badge): void =>
      writeFileSync(path.join(folder, name), text);
    const shown = (source: string, more: JsonObject = {}): Promise<readonly string[]> =>
      printsOf(film([{ type: 'lottie', source, loop: true, duration: null, ...more }]));
    write('own-badge.json');
    write('twin-badge.json');
    const edits = { texts: { Title: 'Other' }, colors: { '#4f46e5': 'teal' } };
    const [plain, edited] = [await shown('own-badge.json'), await shown('own-badge.json', edits)];
    expect(await shown('twin-badge.json')).toEqual(plain);
    expect(await shown('twin-badge.json', edits)).toEqual(edited);
    const other = await shown('own-badge.json', { ...edits, texts: { Title: 'Others' } });
    const recolored = await shown('own-badge.json', { ...edits, colors: { '#4f46e5': 'navy' } });
    write('own-badge.json', badge.replace('Saturday', 'Sunday'));
    const rewritten = await shown('own-badge.json', edits);
    for (const changed of [plain, other, recolored, rewritten])
      expect(edited.filter((print, frame) => print === changed[frame])).toEqual([]);
  });

  test('change with the content of a table of colours, not with its address', async () => {
    const tables = { 'own.cube': '0 0 0\n1 1 1', 'twin.cube': '0 0 0\n1 1 1' };
    const write = (more: Partial<typeof tables>): void => {
      for (const [name, colors] of Object.entries({ ...tables, ...more }))
        writeFileSync(path.join(folder, name), `LUT_1D_SIZE 2\n${colors}\n`);
    };
    const graded = (look_lut: string): Source => film([{ ...plate, look_lut }]);
    write({});
    const before = await printsOf(graded('own.cube'));
    expect(await printsOf(graded('twin.cube'))).toEqual(before);
    write({ 'own.cube': '0 0 0\n1 1 0.9' });
    const after = await printsOf(graded('own.cube'));
    expect(before.filter((print, frame) => print === after[frame])).toEqual([]);
  });
});

describe('frames with the same print have the same pixels', () => {
  const documents = [
    ...samples().map(([name, text]) => [name, JSON.parse(text) as Source] as const),
    ...Array.from({ length: 20 }, (_, seed) => {
      const named = [`generated ${seed}`, generatedDocument(seed)] as const;
      return named;
    }),
  ];
  /** Random edits of each document; every so many documents. */
  const edits = 5;
  const every = isLong ? 1 : 16;

  /** Prints and pixels at some moments. */
  const drawn = (source: Source): Promise<readonly (readonly [print: string, pixels: string])[]> =>
    onStage({ ...source, output_format: 'mp4' }, async (stage, job) => {
      const prints = await openPrints(job, stage, maker, false);
      const { duration } = stage.timeline;
      const frames = [0, 0.35, 0.8].map((share) => stage.layout.frameAt(share * duration));
      const plans = frames.map((frame) => ({ frame, ground: null }));
      const alone = plans.map((_, first) => ({ first, end: first + 1 }));
      const found: [string, string][] = [];
      for await (const print of prints.pieces(plans, alone, context.signal)) {
        await stage.draw(frames[found.length] ?? stage.layout.frameAt(0));
        const pixels = createHash('sha256').update(stage.painter.canvas.data()).digest('hex');
        found.push([print, pixels]);
      }
      return found;
    });

  test('in random edits of samples and generated documents', async () => {
    const count = { same: 0, other: 0 };
    for (const [index, [name, given]] of documents.entries()) {
      if (index % every !== 0) continue;
      const roll = diceOf(index * 104_729 + 3);
      let source = resolvePlaceholders(given);
      if (validate(source).some(({ severity }) => severity === 'error')) continue;
      const pixelsOf = new Map(await drawn(source));
      for (let edit = 0; edit < edits; edit++) {
        source = edited(source, roll) ?? source;
        for (const [print, pixels] of await drawn(source)) {
          const known = pixelsOf.get(print);
          if (known === undefined) count.other++;
          else count.same++;
          expect(known ?? pixels, `${name}, edit ${edit}`).toBe(pixels);
          pixelsOf.set(print, pixels);
        }
      }
    }
    // Some edits show at some moments only.
    expect(count.same).toBeGreaterThan(20);
    expect(count.other).toBeGreaterThan(20);
  }, 600_000);
});

describe('cuts', () => {
  const cutsOf = (source: Source, kind = { isOneProcess: false, isShared: false }) =>
    onStage(source, (stage) => Promise.resolve(cutFilm(stage.timeline, kind)), 1920);
  const large = { width: 1920, height: 1080, frame_rate: 30 };
  const still: JsonObject = { type: 'shape', width: 100, height: 100, fill_color: '#fff' };

  test('are where contents change, and a fiftieth of the time at most', async () => {
    const source = film([still, { ...titled('One'), time: 20, duration: 5 }], {
      ...large,
      duration: 60,
    });
    const ranges = await cutsOf(source);
    expect(ranges.map(({ first }) => first)).toEqual([0, 600, 750]);
    const one = await cutsOf(source, { isOneProcess: true, isShared: false });
    expect(one).toEqual(ranges);
    // Where nothing changes, at every tenth second, as far as that costs little.
    const even = await cutsOf(film([still], { ...large, duration: 100 }));
    expect(even.map(({ first }) => first).filter((frame) => frame % 300 !== 0)).toEqual([]);
    expect(even.length).toBeGreaterThan(2);
  });

  test('leave short films whole, and those in which nothing begins', async () => {
    const short = film([still, titled('One')], { ...large, duration: 4.9 });
    expect(await cutsOf(short)).toEqual([{ first: 0, end: 147 }]);
    const even = film([turning], { ...large, duration: 10 });
    expect(await cutsOf(even)).toEqual([{ first: 0, end: 300 }]);
  });

  test('are more where many films share their pieces', async () => {
    const texts = [3, 13, 23].map((time) => titled('One', { time, duration: 4 }));
    const source = film([still, ...texts], { ...large, duration: 30 });
    const ranges = await cutsOf(source, { isOneProcess: true, isShared: true });
    expect(ranges.map(({ first }) => first)).toEqual([0, 90, 210, 390, 510, 690, 810]);
    expect(await cutsOf(source, { isOneProcess: true, isShared: false })).toHaveLength(1);
  });

  test('of a document with very many elements are found at once', async () => {
    const many = Array.from({ length: 9_000 }, (_, index) => ({
      ...still,
      time: index * 0.4,
      duration: 0.7,
    }));
    const source = film(many, { ...large, duration: 3600 });
    const ranges = await cutsOf(source);
    expect(ranges.length).toBeGreaterThan(20);
    expect(ranges.at(-1)?.end).toBe(108_000);
  });
});
