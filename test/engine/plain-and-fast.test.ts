/**
 * Whole films made the fast way and the plain way (`FRAMEWRIGHT_PLAN=plain`): frame by frame what the encoder is given.
 * Equal to the byte, but where a video's own colours go to the encoder, over 45 dB.
 *
 *   LONG=1 npx vitest run test/engine/plain-and-fast.test.ts every film; many minutes. Says how much faster
 *   FRAMES_CORPUS=FOLDER …                                                    documents of one's own as well
 *   FRAMES_CORPUS=FOLDER PLAIN_AND_FAST=renders … these, as whole renders in their own size, of at most
 *                                                                             four seconds: how much computing and how
 *                                                                             long
 *                                                                             each way takes (time on a quiet computer
 *                                                                             only)
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { frameWriter, type FrameWriter } from '../../server/engine/frame-writer.ts';
import { plansOf } from '../../server/engine/motion.ts';
import { planFrames, type FramePlan } from '../../server/engine/plan.ts';
import { openStage, type Stage } from '../../server/engine/stage.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { computedBy } from '../../server/system/programs.ts';
import { jobInto, renderInto } from '../helpers/engine.ts';
import { localised, makePlaceholders, readJson } from '../helpers/foreign.ts';
import { isLong } from '../helpers/long.ts';
import { likeness, recorder } from '../helpers/frame-recorder.ts';

const samples = path.join(import.meta.dirname, '..', 'samples');
const corpus = process.env['FRAMES_CORPUS'] ?? '';
const isRenders = process.env['PLAIN_AND_FAST'] === 'renders';
const isAll = isLong && !isRenders;
/** Of a usual run: films, spread over all, and frames of each. */
const few = { films: 6, frames: 12 } as const;
/** Frames of each film where all are looked at, and the longest side at which they are drawn. */
const many = { frames: 60, side: 1280 } as const;
/** Films that the fast way makes slower by more than a twentieth are named. */
const slower = 0.95;

vi.setConfig({ testTimeout: 600_000 });

const folder = mkdtempSync(path.join(tmpdir(), 'plain-and-fast-'));
const placeholders = path.join(folder, 'placeholders');
beforeAll(async () => {
  if (corpus !== '') makePlaceholders(placeholders, (await findFfmpeg(undefined)).path);
});
/**
 * How much faster, by the film's name, in computing of this process: the clock would tell what else the computer does.
 */
const speedUps = new Map<string, number>();
/** The same of whole renders by the clock. */
const sooner = new Map<string, number>();
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  if ((!isAll && !isRenders) || speedUps.size === 0) return;
  const what = isRenders ? 'rendering, in computing,' : 'making the frames, without ffmpeg,';
  console.info(`${speedUps.size} films; ${what} is ${spread(speedUps)}`);
  if (isRenders) console.info(`by the clock it is ${spread(sooner)}`);
  for (const [name, speedUp] of speedUps)
    if (speedUp < slower) console.info(`slower the fast way: ${name}, ${speedUp.toFixed(2)} ×`);
});

/** The middle of values and both ends, in words. */
function spread(values: ReadonlyMap<string, number>): string {
  const sorted = [...values.values()].toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2);
  return `${at(0.5)} × faster (median; ${at(0)} to ${at(1)})`;
}

/** A clip whose coloured squares turn, without soft edges, in the encoder's colours. */
function makeEdges(ffmpeg: string, file: string): void {
  const squares =
    "nullsrc=s=160x90:r=30:d=2,geq=r='255*mod(floor((X*cos(T)+Y*sin(T))/11),2)':g='255*mod(floor((Y*cos(T)-X*sin(T))/7),2)':b='255*mod(floor((X+Y+N)/13),2)'";
  execFileSync(ffmpeg, [
    ...['-y', '-loglevel', 'error', '-f', 'lavfi', '-i', squares],
    ...['-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-pix_fmt', 'yuv420p'],
    ...['-c:v', 'libx264', '-qp', '4', '-colorspace', 'bt709', '-color_range', 'tv', file],
  ]);
}

function some(names: readonly string[]): readonly string[] {
  if (isAll) return names;
  const step = names.length / few.films;
  return names.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

const films = readdirSync(samples)
  .filter((name) => existsSync(path.join(samples, name, 'source.json')))
  .map((name) => ({ name, source: readJson(path.join(samples, name, 'source.json')) }))
  .filter(({ source }) => source.output_format === 'mp4');
const byName = new Map(films.map(({ name, source }) => [name, source]));

if (!isRenders)
  test.each(some([...byName.keys()]))('sample %s', async (name) => {
    await compare(name, byName.get(name) ?? {}, []);
  });

/**
 * Grounds of all sizes, with their clip's hard coloured edges: frames of 320 × 180 and 180 × 320 from a clip of 160 ×
 * 90.
 */
const clip = { type: 'video', source: 'edges.mp4', time: 0 };
const portrait = { width: 180, height: 320 };
const grounds: readonly [what: string, document: Source][] = [
  ['twice as large', { elements: [clip] }],
  ['of another shape', { ...portrait, elements: [clip] }],
  ['as large, half a pixel aside', { width: 158, height: 88, elements: [{ ...clip, width: 160, height: 90, x: 79.5, y: 44.5 }] }],
  ['growing', { elements: [{ ...clip, x_scale: [{ time: 0, value: '100%' }, { time: 2, value: '173%' }], y_scale: [{ time: 0, value: '100%' }, { time: 2, value: '173%' }] }] }],
  ['drifting', { elements: [{ ...clip, width: '130%', height: '130%', x: [{ time: 0, value: '45%' }, { time: 2, value: '55%' }] }] }],
  ['jumping from larger to smaller than the clip', { width: 80, height: 44, elements: [{ ...clip, width: [{ time: 0, value: 320 }, { time: 0.9, value: 320 }, { time: 0.9, value: 80 }], height: [{ time: 0, value: 180 }, { time: 0.9, value: 180 }, { time: 0.9, value: 46 }] }] }],
  ['with colours over it, under a title', { ...portrait, elements: [{ ...clip, color_overlay: 'rgba(200,30,0,0.4)' }, { type: 'text', text: 'Over', fill_color: '#fff', opacity: '60%' }] }],
]; // prettier-ignore
if (!isRenders)
  test.each(grounds)('an enlarged video %s', async (_, document) => {
    const edges = path.join(folder, 'edges.mp4');
    if (!existsSync(edges)) makeEdges((await findFfmpeg(undefined)).path, edges);
    const size = { width: 320, height: 180, duration: 2, output_format: 'mp4' };
    expect(await compare('edges', { ...size, ...document }, [folder])).toBeGreaterThan(0);
  });

const foreign =
  corpus !== '' && existsSync(corpus)
    ? readdirSync(corpus).filter((name) => name.endsWith('.json'))
    : [];
if (foreign.length > 0 && !isRenders)
  test.each(some(foreign))('foreign %s', async (name) => {
    const source = { ...localised(readJson(path.join(corpus, name))), fonts: [] };
    await compare(name, { ...source, output_format: 'mp4' }, [placeholders]);
  });

/** Computing of this process and the programs that it has started and seen end, in seconds. */
function computedSoFar(): number {
  const computed = computedBy('self');
  return computed ? computed.own + computed.children : 0;
}

if (foreign.length > 0 && isRenders)
  test.each(foreign)('render of %s', async (name) => {
    const source = { ...localised(readJson(path.join(corpus, name))), fonts: [] };
    if (validate(source, {}).some(({ severity }) => severity === 'error')) return;
    const short = { ...source, output_format: 'mp4', duration: Math.min(4, lengthOf(source)) };
    // The less of two, forth and back: the first one also loads fonts and compiles code for the others.
    const taken = { plain: Infinity, fast: Infinity };
    const lasted = { plain: Infinity, fast: Infinity };
    for (const way of ['fast', 'plain', 'plain', 'fast'] as const) {
      const before = computedSoFar();
      const began = performance.now();
      await during(way, () =>
        renderInto(folder, `${way}.mp4`, short, { mediaFolders: [placeholders] }),
      );
      taken[way] = Math.min(taken[way], computedSoFar() - before);
      lasted[way] = Math.min(lasted[way], (performance.now() - began) / 1000);
    }
    speedUps.set(name, taken.plain / taken.fast);
    sooner.set(name, lasted.plain / lasted.fast);
    const told = (value: typeof taken): string =>
      `${value.plain.toFixed(1)} s plain, ${value.fast.toFixed(1)} s fast`;
    console.info(`${name}: computing ${told(taken)}; by the clock ${told(lasted)}`);
  });

function lengthOf({ duration }: Source): number {
  return typeof duration === 'number' ? duration : Infinity;
}

interface Way {
  readonly stage: Stage;
  readonly writer: FrameWriter;
  readonly plans: Generator<FramePlan, void>;
  readonly frames: Uint8Array[];
  /** Microseconds that its frames took this process. */
  computed: number;
}

/** Does something the plain way or the fast one: the switch is looked at again and again. */
async function during<T>(way: 'plain' | 'fast', work: () => T | Promise<T>): Promise<T> {
  process.env['FRAMEWRIGHT_PLAN'] = way;
  try {
    return await work();
  } finally {
    delete process.env['FRAMEWRIGHT_PLAN'];
  }
}

async function open(source: Source, mediaFolders: readonly string[]): Promise<Way> {
  const width = Number(source['width'] ?? 1280);
  const height = Number(source['height'] ?? 720);
  const renderScale = Math.min(1, many.side / Math.max(width, height)) || 1;
  const job = jobInto(folder, 'film.mp4', source, {
    scaling: isAll ? { renderScale } : {},
    ...(mediaFolders.length > 0 && { mediaFolders }),
  });
  const stage = await openStage(job, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const { output } = stage.timeline;
  const { sink, frames } = recorder(output.width, output.height);
  const plans = planFrames(plansOf(stage));
  return { stage, writer: frameWriter(stage, sink), plans, frames, computed: 0 };
}

/** The next frame and whether it stands on a video; null at the end. */
async function next(way: Way): Promise<{ bytes: Uint8Array; onGround: boolean } | null> {
  const begun = process.cpuUsage();
  const { value: plan } = way.plans.next();
  if (!plan) return null;
  await way.writer.write(plan);
  const { user, system } = process.cpuUsage(begun);
  way.computed += user + system;
  // Only the last one is needed again.
  const bytes = way.frames.at(-1) ?? new Uint8Array();
  way.frames.splice(0, way.frames.length - 1);
  return { bytes, onGround: plan.ground !== null };
}

/** @returns how many frames stood on a video. */
async function compare(
  name: string,
  source: Source,
  mediaFolders: readonly string[],
): Promise<number> {
  // A document that is refused has no frames.
  if (validate(source, {}).some(({ severity }) => severity === 'error')) return 0;
  let standing = 0;
  const plain = await during('plain', () => open(source, mediaFolders));
  const fast = await during('fast', () => open(source, mediaFolders));
  try {
    for (let index = 0; index < (isAll ? many.frames : few.frames); index++) {
      const one = await during('plain', () => next(plain));
      const two = await during('fast', () => next(fast));
      expect(one === null, `the end at frame ${index}`).toBe(two === null);
      if (!one || !two) break;
      expect(one.onGround).toBe(false);
      if (two.onGround) standing++;
      if (Buffer.compare(one.bytes, two.bytes) === 0) continue;
      expect(two.onGround, `frame ${index} differs and stands on no video`).toBe(true);
      expect(likeness(one.bytes, two.bytes), `frame ${index}`).toBeGreaterThan(45);
    }
    speedUps.set(name, plain.computed / fast.computed);
  } finally {
    await Promise.all([plain.stage.close(), fast.stage.close()]);
  }
  return standing;
}
