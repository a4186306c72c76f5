/**
 * Films that one ffmpeg makes from a video and its graphics, against the same films made frame after frame: which they
 * are, their frames (coded without loss), and whole renders with all that can go wrong.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeTimes } from '../../server/engine/encode/arguments.ts';
import { readMp4 } from '../../server/engine/encode/mp4-facts.ts';
import type { Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { can } from '../../server/engine/ffmpeg-builds.ts';
import { plansOf } from '../../server/engine/motion.ts';
import { renderOverlay } from '../../server/engine/overlay-film.ts';
import { planOverlay, type OverlayPlan } from '../../server/engine/overlay-plan.ts';
import { keepsLastFrame } from '../../server/engine/overlay-plan.ts';
import { render } from '../../server/engine/render.ts';
import type { RenderProgress } from '../../server/engine/render-job.ts';
import type { Stage } from '../../server/engine/stage.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';
import { builds, rowsFor, usual } from '../helpers/ffmpeg-builds.ts';
import { likeness } from '../helpers/frame-recorder.ts';
import { named } from '../helpers/long.ts';
import {
  clip,
  film,
  files,
  framesOf,
  makeClips,
  newest,
  openFilm,
  others,
  plate,
  title,
  works,
  type GroundFilm,
} from './ground-films.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'overlay-test-'));
beforeAll(() => {
  makeClips(folder);
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=2', path.join(folder, 'tone.wav')];
  execFileSync(newest.path, ['-v', 'error', '-y', ...tone]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => delete process.env['FRAMEWRIGHT_PLAN']);
const signal = new AbortController().signal;

/** Does something with a film's stage and plan. */
async function during<T>(
  ground: Pick<GroundFilm, 'source' | 'scale'>,
  work: (stage: Stage, plan: OverlayPlan | null) => Promise<T>,
  build = newest,
): Promise<T> {
  const stage = await openFilm(folder, ground, build.path);
  try {
    return await work(stage, await planOverlay(plansOf(stage), build, signal));
  } finally {
    await stage.close();
  }
}

/** The frames that one process makes, in the encoder's format. */
function framesInOne(ground: GroundFilm): Promise<Uint8Array[]> {
  return during(ground, async (stage, plan) => {
    if (!plan) throw new Error('it is not planned for one process');
    const filePath = path.join(folder, 'lossless.mp4');
    const { output } = stage.timeline;
    await renderOverlay({
      ...{ stage, plan, frames: plansOf(stage), onFrames: () => Promise.resolve() },
      encoding: {
        ...{ ffmpeg: newest, sound: null, filePath, signal, workFolder: folder },
        // Without loss.
        output: { ...output, crf: 0 },
      },
    });
    return framesOfFile(filePath, output);
  });
}

function framesOfFile(
  file: string,
  { width, height }: { width: number; height: number },
): Uint8Array[] {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1'];
  const bytes = execFileSync(newest.path, ['-v', 'error', '-i', file, ...raw], { maxBuffer: 1e9 });
  const size = width * height * 1.5;
  return Array.from({ length: bytes.length / size }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const table = Object.entries({ ...files, ...works, ...others });

describe('the frames are those made one by one', () => {
  /** Conversions, cuts, times and layers, one of each. */
  const oneOfEach = [
    'BT.601, unmarked',
    'a colour for every pixel',
    'cut above and below',
    'output at another scale',
    'trimmed and fast',
    'slow',
    'fast to its end',
    'graphics that come and go',
    'a keyed clip over a clip',
    'a clip over a clip',
  ];
  const wholes = table.filter(([, { whole }]) => whole);
  test.each(named(wholes, oneOfEach))('%s', async (_, ground) => {
    const one = await framesInOne(ground);
    const { frames } = await framesOf(folder, ground, newest.path, 'frames');
    expect(one).toHaveLength(frames.length);
    const apart = one.map((frame, index) => likeness(frame, frames[index] ?? frame));
    expect(Math.min(...apart)).toBeGreaterThan(50);
  });

  test('without graphics, to the byte', async () => {
    const ground = { source: film([clip('hd.mp4')]), grounds: 48 };
    const { frames } = await framesOf(folder, ground, newest.path, 'frames');
    const one = await framesInOne(ground);
    expect(one.every((frame, index) => Buffer.compare(frame, frames[index] ?? frame) === 0)).toBe(
      true,
    );
  });
});

test.each(table.filter(([, { whole }]) => !whole))('%s: frame after frame', async (_, ground) => {
  expect(await during(ground, (_stage, plan) => Promise.resolve(plan))).toBeNull();
});

test.each(['plain', 'frames'])('FRAMEWRIGHT_PLAN=%s turns it off', async (way) => {
  process.env['FRAMEWRIGHT_PLAN'] = way;
  const source = film([clip('hd.mp4')]);
  expect(await during({ source }, (_stage, plan) => Promise.resolve(plan))).toBeNull();
});

test('graphics are painted once for each change, where they are', async () => {
  const source = film([
    clip('hd.mp4'),
    { ...plate, time: 0.5, duration: 0.5 },
    { ...plate, track: 4, y: 20, time: 1.5 },
  ]);
  const plan = await during({ source }, (_stage, found) => Promise.resolve(found));
  expect(plan?.changes).toEqual([12, 24, 36]);
  expect(plan?.parts).toHaveLength(2);
  expect(plan?.area).toMatchObject({ left: 42, width: 156 });
});

test.each([
  [[], 'N'],
  [[0, 1, 2], 'N'],
  [[5], 'N+gte(N,0)*5'],
  [[0, 1, 7, 8, 20], '(N+gte(N,2)*5)+(gte(N,4)*11)'],
])('pictures of the graphics appear at %j by %s', (changes, expression) => {
  expect(changeTimes(changes)).toBe(expression);
});

interface Rendered {
  readonly file: Buffer;
  readonly progress: readonly RenderProgress[];
  readonly pictures: readonly Buffer[];
  readonly warnings: readonly string[];
}

async function renderFilm(
  source: Source,
  name = 'film.mp4',
  ffmpegPath = newest.path,
): Promise<Rendered> {
  const progress: RenderProgress[] = [];
  const pictures: Buffer[] = [];
  const job = jobInto(folder, name, source, { ffmpegPath });
  const { warnings } = await render(job, {
    ...{ signal, wantsPicture: () => pictures.length === 0 },
    onProgress: (step) => progress.push(step),
    onPicture: (jpg) => pictures.push(jpg),
  });
  const file = readFileSync(job.outputPath);
  return { file, progress, pictures, warnings: warnings.map(({ message }) => message) };
}

describe('a whole render', () => {
  const source = film([
    clip('hd.mp4'),
    plate,
    title,
    { type: 'audio', source: 'tone.wav', duration: 2 },
  ]);

  test('gives the same bytes each time, tells its frames, and shows a picture', async () => {
    const one = await renderFilm(source);
    const two = await renderFilm(source);
    expect(one.file.equals(two.file)).toBe(true);
    expect(one.progress.at(-1)).toEqual({ phase: 'finishing', frame: 48, frames: 48 });
    expect(one.pictures[0]?.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  test('has the streams of a film made frame by frame', async () => {
    await renderFilm(source);
    const streams = (): unknown => readMp4(path.join(folder, 'film.mp4'));
    const one = await streams();
    process.env['FRAMEWRIGHT_PLAN'] = 'frames';
    await renderFilm(source);
    expect(one).toEqual(await streams());
  });

  test('takes its snapshot', async () => {
    await renderFilm({ ...source, snapshot_time: 1 }, 'snapshot.mp4');
    expect(statSync(path.join(folder, 'snapshot.mp4-snapshot.jpg')).size).toBeGreaterThan(1_000);
  });

  test('ends at once when it is cancelled, and leaves no file', async () => {
    const abort = new AbortController();
    const job = jobInto(
      folder,
      'cancelled.mp4',
      { ...source, duration: 2 },
      { ffmpegPath: newest.path },
    );
    const running = render(job, {
      signal: abort.signal,
      onProgress: ({ phase }) => phase === 'rendering' && abort.abort(new Error('called off')),
    });
    await expect(running).rejects.toThrow();
    expect(() => statSync(job.outputPath)).toThrow();
    expect(() => statSync(`${job.outputPath}.part`)).toThrow();
  });

  test('goes frame by frame when the file has fewer frames than it says', async () => {
    const cut = path.join(folder, 'cut.mp4');
    // With its index first, a file that was cut off still says its whole length.
    execFileSync(newest.path, [
      ...['-v', 'error', '-y', '-i', path.join(folder, 'hd.mp4'), '-c', 'copy'],
      ...['-movflags', '+faststart', cut],
    ]);
    truncateSync(cut, Math.round(statSync(cut).size / 2));
    const { progress } = await renderFilm(film([clip('cut.mp4'), title]), 'held.mp4');
    const frames = progress.filter(({ phase }) => phase === 'rendering').map(({ frame }) => frame);
    expect(frames).toContain(47);
    copyFileSync(path.join(folder, 'held.mp4'), path.join(folder, 'kept.mp4'));
    expect(framesOfFile(path.join(folder, 'kept.mp4'), { width: 320, height: 180 })).toHaveLength(
      48,
    );
  });
});

/** A program that stands before an ffmpeg, notes how it is started, and does something else when it is tried out. */
function noted(
  name: string,
  { path: program }: Ffmpeg,
  trial = '',
): { file: string; starts: () => string[] } {
  const file = path.join(folder, name);
  const notes = `${file}.txt`;
  const tried = trial === '' ? '' : `case "$*" in *"${trialMark}"*) ${trial} ;; esac\n`;
  writeFileSync(file, `#!/bin/sh\necho "$*" >> '${notes}'\n${tried}exec '${program}' "$@"\n`);
  chmodSync(file, 0o755);
  return { file, starts: () => readFileSync(notes, 'utf8').split('\n') };
}

/** Found in the arguments of a trial, and of a film in one process. */
const trialMark = '-s 16x16';
const oneMark = '-progress pipe:1';
const countOf = (starts: readonly string[], mark: string): number =>
  starts.filter((line) => line.includes(mark)).length;

/** Two seconds of film at half the speed: the last of the clip's three seconds. */
const slowToTheEnd = film([clip('hd.mp4', { trim_start: 2, speed: '50%', duration: 2 }), plate]);
const sounding = { type: 'audio', source: 'tone.wav', duration: 2 };
const atSpeeds: readonly (readonly [name: string, source: Source])[] = [
  ['its own', film([clip('hd.mp4'), title])],
  ['a quarter', film([clip('hd.mp4', { speed: '25%', duration: 2 }), title])],
  ['half, with sound', film([clip('hd.mp4', { speed: '50%', duration: 2 }), title, sounding])],
  ['half, to its end', slowToTheEnd],
  [
    'a little slow, of a broadcast rate',
    { ...film([clip('hd.mp4', { speed: '77%', duration: 2 })]), frame_rate: 29.97 },
  ],
  ['a little fast, with sound', film([clip('hd.mp4', { speed: '130%', duration: 2 }), sounding])],
  ['one and a half, to its end', film([clip('hd.mp4', { speed: '150%', duration: 2 }), plate])],
  [
    'four times, of VP8',
    { ...film([clip('web.webm', { speed: '400%', duration: 0.7 })]), duration: 0.7 },
  ],
];

/** Those whose frames ffmpeg 4.1 once counted otherwise. */
const differing = ['half, to its end', 'a little fast, with sound'];

describe.runIf(process.platform !== 'win32').each(builds)('with %s', (buildName, build) => {
  test.each(rowsFor(buildName, atSpeeds, differing))(
    'a clip at a speed, %s, has the frames and times of one made frame after frame',
    async (name, source) => {
      const { file, starts } = noted('noting', build);
      rmSync(`${file}.txt`, { force: true });
      const made = path.join(folder, 'speed.mp4');
      await renderFilm(source, 'speed.mp4', file);
      const one = [await readMp4(made), framesOfFile(made, { width: 320, height: 180 })] as const;
      // Only for the end of a slow clip may a build be unable.
      if (source === slowToTheEnd) expect(countOf(starts(), trialMark)).toBeLessThanOrEqual(1);
      else {
        expect(countOf(starts(), trialMark)).toBe(0);
        expect(countOf(starts(), oneMark)).toBe(1);
      }
      process.env['FRAMEWRIGHT_PLAN'] = 'frames';
      await renderFilm(source, 'speed.mp4', file);
      expect(one[0]).toEqual(await readMp4(made));
      const frames = framesOfFile(made, { width: 320, height: 180 });
      expect(one[1]).toHaveLength(frames.length);
      const apart = one[1].map((frame, index) => likeness(frame, frames[index] ?? frame));
      expect(Math.min(...apart), name).toBeGreaterThan(40);
    },
  );

  test('a try tells whether it keeps the last frame, and a film is planned by it', async () => {
    const plan = await during(
      { source: slowToTheEnd },
      (_stage, found) => Promise.resolve(found),
      build,
    );
    expect(plan !== null).toBe(await keepsLastFrame(build));
    // ffmpeg 4.1 is known to lose it, Debian's 5.1 to keep it.
    if (build.major === 4 && build.minor === 1) expect(plan).toBeNull();
    if (can(build, 'name frame timing by mode')) expect(plan).not.toBeNull();
  });
});

describe.runIf(process.platform !== 'win32')('a build that can not slow a clip to its end', () => {
  test.each([
    ['loses a frame', `'${usual.path}' "$@" | head -c 1920; exit 0`],
    ['fails', 'echo "no such filter" >&2; exit 1'],
    ['crashes', 'kill -SEGV $$'],
    ['says nothing', 'exit 0'],
    ['says something else', 'echo frames; exit 0'],
  ])('that %s when tried is given all frames, and tried once', async (name, trial) => {
    const { file, starts } = noted(name.replaceAll(' ', '-'), usual, trial);
    const made = path.join(folder, 'odd.mp4');
    for (let round = 0; round < 2; round++) {
      await renderFilm(slowToTheEnd, 'odd.mp4', file);
      expect(framesOfFile(made, { width: 320, height: 180 })).toHaveLength(48);
    }
    expect(countOf(starts(), trialMark)).toBe(1);
    expect(countOf(starts(), oneMark)).toBe(0);
  });
});
