/**
 * A film shows what a single frame of it shows: frames that are drawn one after another equal, byte for byte, the same
 * frames each drawn by a layout and a painter that have drawn nothing before. At full size, where the short ways start
 * to act.
 *
 * The suite takes a few documents, the same ones every day: some of each kind, and those that once differed.
 *
 *   LONG=1 npx vitest run test/engine/frames-alone.test.ts                    every document; minutes
 *   FRAMES_ALONE='^text-' npx vitest run test/engine/frames-alone.test.ts     those whose names match
 *   FRAMES_CORPUS=FOLDER …                                                    documents of one's own as well
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFfmpeg, type Ffmpeg } from '../../server/engine/ffmpeg.ts';
import type { Frame } from '../../shared/engine/layout/box.ts';
import { changedPart } from '../../shared/engine/paint/changes.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { firstDifference, openDrawing, type OpenedDrawing } from '../helpers/drawing.ts';
import { localised, makePlaceholders, readJson } from '../helpers/foreign.ts';
import { generatedDocument } from '../helpers/generated.ts';
import { isLong } from '../helpers/long.ts';
import { takePart } from '../helpers/pixels.ts';

const samples = path.join(import.meta.dirname, '..', 'samples');
const fixtures = path.join(samples, '..', 'fixtures');
const corpus = process.env.FRAMES_CORPUS ?? '';
const wish = process.env.FRAMES_ALONE ?? (isLong ? '.' : '');
/** How many documents of each kind a usual run takes, and at how many places in them two frames are drawn. */
const share = { samples: 4, corpus: 4, generated: 2, places: 2 } as const;
/** Documents that once showed a film that differed from its frames; a usual run takes them too. */
const found: ReadonlySet<string> = new Set([
  'animation-text-scale',
  'composition-blend-grows',
  'effect-blur-keyframes',
  'generated-170',
]);
const morePlaces = 5;

// Documents are drawn at full size, fifteen and more times each.
vi.setConfig({ testTimeout: 600_000 });

const scratch = mkdtempSync(path.join(tmpdir(), 'frames-alone-'));
const placeholders = path.join(scratch, 'placeholders');
let ffmpeg: Ffmpeg | undefined;

beforeAll(async () => {
  ffmpeg = await findFfmpeg(undefined);
  if (corpus !== '') makePlaceholders(placeholders, ffmpeg.path);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/**
 * Those that a run looks at: all that the wish names, or a few spread evenly over them and those that once differed.
 */
function chosen(names: readonly string[], count: number): readonly string[] {
  if (wish !== '') return names.filter((name) => new RegExp(wish).test(name));
  const step = names.length / count;
  const spread = new Set(Array.from({ length: count }, (_, at) => Math.floor((at + 0.5) * step)));
  return names.filter((name, index) => spread.has(index) || found.has(name));
}

/** At how many places of a document frames are compared. */
function placesIn(name: string): number {
  return wish === '' && !found.has(name) ? share.places : morePlaces;
}

describe('frames one after another, and alone', () => {
  const sampleNames = readdirSync(samples).filter((name) =>
    existsSync(path.join(samples, name, 'source.json')),
  );
  // Pictures have one frame; they are looked at when everything is.
  const films = sampleNames.filter((name) => readSample(name).output_format === 'mp4');
  const looked = wish === '' ? films : sampleNames;

  test.each(chosen(looked, share.samples))('sample %s', async (name) => {
    const source = readSample(name);
    // Half of a full picture's side: samples are thumbnails.
    await check(source, { folders: [fixtures], longest: 1280, places: placesIn(name) });
  });

  const seeds = Array.from({ length: 200 }, (_, index) => `generated-${index}`);
  test.each(chosen(seeds, share.generated))('document %s', async (name) => {
    const source = generatedDocument(Number(name.split('-')[1]));
    await check(source, { folders: [fixtures], places: placesIn(name) });
  });

  const hasCorpus = corpus !== '' && existsSync(corpus);
  const others = hasCorpus ? readdirSync(corpus).filter((name) => name.endsWith('.json')) : [];
  test.each(chosen(others, share.corpus))('foreign %s', async (name) => {
    const source = { ...localised(readJson(path.join(corpus, name))), fonts: [] };
    await check(source, { folders: [placeholders], longest: 1280, places: placesIn(name) });
  });
  test.skipIf(hasCorpus)('foreign documents: FRAMES_CORPUS names no folder here', () => {
    expect(others).toEqual([]);
  });
});

interface CheckOptions {
  readonly folders: readonly string[];
  /** The longest side at which to draw, pixels; absent = the document's own size. */
  readonly longest?: number;
  readonly places: number;
}

async function check(source: Source, { folders, longest, places }: CheckOptions): Promise<void> {
  // A document that is refused has no frames.
  if (validate(source, {}).some(({ severity }) => severity === 'error')) return;
  const options = { scratch, mediaFolders: folders, renderScale: 1, ...(ffmpeg && { ffmpeg }) };
  let opened = await openDrawing(source, options);
  if (longest !== undefined) {
    const { width, height } = opened.timeline;
    opened.close();
    const renderScale = Math.min(10, Math.max(0.1, longest / Math.max(width, height)));
    opened = await openDrawing(source, { ...options, renderScale });
  }
  try {
    await compareFrames(opened, momentsOf(opened, places));
  } finally {
    opened.close();
  }
}

/** Two frames that follow each other, at several places of the film. */
function momentsOf({ timeline: { duration, output } }: OpenedDrawing, places: number): number[] {
  const step = 1 / output.frameRate;
  return Array.from({ length: places }, (_, index) => {
    const moment = Math.floor(((index + 0.4) / places) * duration * output.frameRate) * step;
    return [moment, moment + step];
  }).flat();
}

/**
 * Draws every moment three times: as a render does, only what changed; whole, but after the others; and alone.
 */
async function compareFrames(opened: OpenedDrawing, moments: readonly number[]): Promise<void> {
  const { width, height, scale } = opened;
  const film = { layout: opened.layout(), painter: opened.painter() };
  const whole = { layout: opened.layout(), painter: opened.painter() };
  const standing = Buffer.alloc(width * height * 4);
  let last: Frame | undefined;
  for (const moment of moments) {
    const layout = opened.layout();
    const painter = opened.painter();
    const frame = layout.frameAt(moment);
    opened.show(frame);
    await painter.paint(frame);
    const alone = painter.canvas.data();

    const next = film.layout.frameAt(moment);
    const part = last && changedPart(last, next, scale, { x: 0, y: 0, width, height });
    if (part !== null) {
      await film.painter.paint(next, part?.painted);
      const area = part?.changed ?? { x: 0, y: 0, width, height };
      takePart(standing, film.painter.canvas.data(), area, width);
    }
    last = next;
    await whole.painter.paint(whole.layout.frameAt(moment));

    const drawn = { film: standing, whole: whole.painter.canvas.data() };
    for (const [how, pixels] of Object.entries(drawn)) {
      const difference = firstDifference(pixels, alone, width);
      expect(difference, `${moment} s, drawn as ${how}: pixel ${difference}`).toBeNull();
    }
    painter.close();
  }
  film.painter.close();
  whole.painter.close();
}

function readSample(name: string): Source {
  return readJson(path.join(samples, name, 'source.json'));
}
