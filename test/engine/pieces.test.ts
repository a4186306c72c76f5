/**
 * Films made in pieces, as several workers do, against the same films made by one: their frames before coding, pieces
 * coded by different processes, the joined file with its frames, joins and sound, and inputs that are not the same.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pieceList } from '../../server/engine/encode/arguments.ts';
import { makeMotion, plansOf, rangeOf } from '../../server/engine/motion.ts';
import { planOverlay } from '../../server/engine/overlay-plan.ts';
import {
  joinPieces,
  makePiece,
  renderOrSplit,
  type Piece,
} from '../../server/engine/pieces/pieces.ts';
import { divideFilm, printOf, type Split } from '../../server/engine/pieces/split.ts';
import { planFrames, type FrameRange } from '../../server/engine/plan.ts';
import type { RenderJob } from '../../server/engine/render-job.ts';
import { render } from '../../server/engine/render.ts';
import { openStage } from '../../server/engine/stage.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';
import { likeness } from '../helpers/frame-recorder.ts';
import { clip, makeClips, openFilm, others, plate, title } from './ground-films.ts';
import { maker } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pieces-test-'));
beforeAll(() => {
  makeClips(folder);
  const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=4', path.join(folder, 'tone.wav')];
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=a=1:d=4:seed=3', path.join(folder, 'noise.wav')];
  for (const args of [tone, noise]) execFileSync(maker.path, ['-v', 'error', '-y', ...args]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => delete process.env['FRAMEWRIGHT_PAINTERS']);
const context = { signal: new AbortController().signal, onProgress: () => undefined };
const offer = { build: 'of this test' };

/** A title that turns over moving colours, with loud sound, at a rate whose frames are no whole microseconds. */
const turning = {
  ...{ output_format: 'mp4', width: 320, height: 180, duration: 4, h264_crf: 17 },
  frame_rate: 60_000 / 1001,
  elements: [
    { type: 'audio', source: 'tone.wav', volume: '40%' },
    { type: 'audio', source: 'noise.wav', volume: '80%' },
    {
      ...{ type: 'shape', track: 1, width: '100%', height: '100%' },
      fill_color: [
        { time: 0, value: '#204080', easing: 'linear' },
        { time: 4, value: '#c0a040', easing: 'linear' },
      ],
    },
    {
      ...{ ...title, x: '50%', y: '50%' },
      animations: [{ type: 'spin', time: 0, duration: 4, easing: 'linear', rotation: '144°' }],
    },
  ],
} satisfies JsonObject;

/** The frames of a film, in the encoder's format. */
function framesOf(file: string, size: number): Uint8Array[] {
  const raw = execFileSync(
    maker.path,
    ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'],
    { maxBuffer: 1 << 30 },
  );
  return Array.from({ length: raw.length / size }, (_, index) =>
    raw.subarray(index * size, (index + 1) * size),
  );
}

const size = (320 * 180 * 3) / 2;
const alike = (one: Uint8Array | undefined, other: Uint8Array): number =>
  likeness(one ?? new Uint8Array(1), other);

/** Frames of a film as its encoder is given them: coded without loss. */
async function uncoded(
  { source }: RenderJob,
  range: FrameRange,
  mayBeOneProcess: boolean,
): Promise<Uint8Array[]> {
  const job = jobInto(folder, 'uncoded.mp4', source);
  const stage = await openStage(job, context);
  const { output } = stage.timeline;
  const plans = plansOf(stage);
  const part = rangeOf(plans, range);
  const overlay = mayBeOneProcess ? await planOverlay(part, maker, context.signal) : null;
  try {
    await makeMotion({
      ...{ job, stage, context, plans, overlay, range, warnings: [], snapshotFrame: null },
      encoding: {
        ...{ ffmpeg: maker, sound: null, signal: context.signal, workFolder: folder },
        filePath: job.outputPath,
        output: { ...output, frameCount: range.end - range.first, crf: 0 },
        isPiece: true,
      },
    });
  } finally {
    await stage.close();
  }
  return framesOf(job.outputPath, size);
}

/** What ffmpeg says of each packet of a stream, or of its decoded samples. */
function hashes(file: string, stream: string, ...more: string[]): string[] {
  const args = ['-v', 'error', '-i', file, '-map', stream, ...more, '-f', 'framemd5', '-'];
  const text = execFileSync(maker.path, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** A film in three pieces, which its length would not be worth. */
async function splitOf(job: RenderJob): Promise<Split> {
  const stage = await openStage(job, context);
  try {
    const { output } = stage.timeline;
    return {
      output,
      ...{ print: await printOf(job, stage, offer.build), hasSound: true, hasSnapshot: false },
      ranges: [
        { first: 0, end: 100 },
        { first: 100, end: 200 },
        { first: 200, end: output.frameCount },
      ],
      isOneProcess: false,
      kept: null,
    };
  } finally {
    await stage.close();
  }
}

/** Makes a piece in a folder of its own, as on another computer. */
async function pieceOf(job: RenderJob, split: Split, piece: Piece): Promise<string> {
  const workFolder = mkdtempSync(path.join(folder, 'piece-'));
  const outputPath = path.join(workFolder, 'piece.mp4');
  await makePiece({ ...job, outputPath, workFolder }, context, { basis: split, piece, ...offer });
  return outputPath;
}

describe('which frames a piece has', () => {
  test.each([
    [1920, 38, 30, 1],
    [64, 133, 30, 1],
    [1920, 40, 30, 2],
    [1920, 100.03, 30, 2],
    [1920, 147, 30, 3],
    [1920, 600, 30, 12],
    [1920, 1200.2, 30, 24],
    [3840, 3_600, 60, 597],
  ])(
    '%i wide, %d s, %i a second: %i, about even and without gaps',
    async (width, duration, rate, count) => {
      const height = (width / 16) * 9;
      const all = { ...turning, ...{ width, height, duration, frame_rate: rate } } as Source;
      const stage = await openStage(jobInto(folder, 'divided.mp4', all), context);
      const { frameCount } = stage.timeline.output;
      const ranges = divideFilm(stage.timeline);
      await stage.close();
      expect(ranges).toHaveLength(count);
      const lengths = ranges.map(({ first, end }, index) => {
        expect(first).toBe(ranges[index - 1]?.end ?? 0);
        return end - first;
      });
      expect(ranges.at(-1)?.end).toBe(frameCount);
      expect(Math.min(...lengths)).toBeGreaterThan(frameCount / count / 2);
      expect(Math.max(...lengths)).toBeLessThan((frameCount / count) * 1.5 + 1);
    },
  );

  test('it begins where contents change, if that is near', async () => {
    const second = { ...title, time: 57.4, duration: null };
    const all = { ...turning, duration: 120, frame_rate: 30, width: 1920, height: 1080 };
    const source = { ...all, elements: [...turning.elements, second] } as Source;
    const stage = await openStage(jobInto(folder, 'divided.mp4', source), context);
    expect(divideFilm(stage.timeline)).toEqual([
      { first: 0, end: 1_722 },
      { first: 1_722, end: 3_600 },
    ]);
    await stage.close();
  });

  test('times of a list follow the exact moments, however many there are', () => {
    const pieces = Array.from({ length: 400 }, (_, index) => ({
      filePath: `/it's/${index}`,
      first: index * 250,
      end: (index + 1) * 250,
    }));
    const list = pieceList(pieces, 29.97);
    const times = [...list.matchAll(/duration (\d+)us/g)].map(([, text]) => Number(text));
    const whole = times.reduce((sum, time) => sum + time, 0);
    expect(whole).toBe(Math.round((100_000 * 1001 * 1e6) / 30_000));
    expect(list).toContain(String.raw`file '/it'\''s/0'`);
  });

  // A clip that begins and ends in the middle, and graphics that come and go: some frames stand on the video.
  test.each([
    'something mixes with it for a while',
    'nothing stands on it for long',
    'it is turned',
  ])('they are planned as in the whole film: %s', async (name) => {
    const stage = await openFilm(folder, others[name] ?? { source: {} }, maker.path);
    try {
      const plans = plansOf(stage);
      const all = [...planFrames(plans)].map(({ ground }) => ground !== null);
      for (const first of [0, 1, 7, 19, 20, 21, 30]) {
        const range = { first, end: Math.min(all.length, first + 9) };
        const part = [...planFrames(plans, null, range)].map(({ ground }) => ground !== null);
        expect(part, `from ${first}`).toEqual(all.slice(range.first, range.end));
      }
    } finally {
      await stage.close();
    }
  });
});

describe('frames before coding', () => {
  const over: Source = {
    ...{ output_format: 'mp4', width: 320, height: 180, frame_rate: 24, duration: 1.25 },
    elements: [clip('hd.mp4'), plate, { ...title, time: 0.4, duration: 0.5 }],
  };
  const painted: Source = { ...turning, frame_rate: 24, duration: 1.25 };

  test.each([
    ['one ffmpeg', over, '0', true],
    ['frame after frame over a video', over, '0', false],
    ['painted', painted, '0', false],
    ['painted by threads', painted, '2', false],
  ])('are those of the whole film: %s', async (_name, source, threads, mayBeOneProcess) => {
    process.env['FRAMEWRIGHT_PAINTERS'] = threads;
    const job = jobInto(folder, 'lossless.mp4', source);
    const make = (range: FrameRange): Promise<Uint8Array[]> => uncoded(job, range, mayBeOneProcess);
    const whole = await make({ first: 0, end: 30 });
    expect(whole).toHaveLength(30);
    for (const range of [
      { first: 0, end: 9 },
      { first: 9, end: 21 },
      { first: 21, end: 30 },
    ]) {
      const part = await make(range);
      expect(part).toHaveLength(range.end - range.first);
      for (const [index, frame] of part.entries())
        expect(alike(whole[range.first + index], frame)).toBe(Infinity);
    }
  });
});

describe('a film of three pieces', () => {
  test('has every frame once, no seam, and the sound of a film that one worker made', async () => {
    const job = jobInto(folder, 'turning.mp4', turning);
    const split = await splitOf(job);
    const { frameCount } = split.output;
    const frames: string[] = [];
    for (const range of split.ranges) frames.push(await pieceOf(job, split, range));
    const sound = await pieceOf(job, split, 'sound');
    const { facts } = await joinPieces(job, context, {
      split,
      files: { frames, sound },
      reused: 0,
    });
    const file = job.outputPath;
    const one = path.join(folder, 'one.mp4');
    const wanted = await render(jobInto(folder, 'one.mp4', turning), context);
    expect(facts).toEqual({ ...wanted.facts, fileSize: facts.fileSize });

    // Joined without loss: the frames of the pieces, at even times.
    const contentOf = (line: string): string => line.split(',').at(-1)?.trim() ?? '';
    const apart = frames.flatMap((piece) => hashes(piece, '0:v'));
    expect(hashes(file, '0:v').map(contentOf)).toEqual(apart.map(contentOf));
    const shown = hashes(file, '0:v', '-c', 'copy')
      .map((line) => Number(line.split(',')[2]))
      .toSorted((a, b) => a - b);
    expect(shown).toHaveLength(frameCount);
    expect(new Set(shown.slice(1).map((time, index) => time - (shown[index] ?? 0))).size).toBe(1);
    // Sound is the same to the packet.
    expect(hashes(file, '0:a', '-c', 'copy')).toEqual(hashes(one, '0:a', '-c', 'copy'));

    const [here, there] = [framesOf(file, size), framesOf(one, size)];
    expect(there).toHaveLength(frameCount);
    // Near a join frames are about as near to the painted ones as one worker's. The first of a piece is coded with less
    // knowledge.
    for (const { first } of split.ranges.slice(1)) {
      const near = { first: first - 5, end: first + 5 };
      for (const [index, frame] of (await uncoded(job, near, false)).entries()) {
        const [ours = 0, usual = Infinity] = [here, there].map((all) =>
          alike(all[near.first + index], frame),
        );
        expect(ours, `frame ${near.first + index}`).toBeGreaterThan(usual - 3);
      }
    }
  });

  test('a piece made again is the same to the byte', async () => {
    const job = jobInto(folder, 'again.mp4', turning);
    const split = await splitOf(job);
    const [one, other] = [
      await pieceOf(job, split, split.ranges[2] ?? 'sound'),
      await pieceOf(job, split, split.ranges[2] ?? 'sound'),
    ];
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true);
  });

  test('other files, programs and encoders are refused', async () => {
    const job = jobInto(folder, 'refused.mp4', turning);
    const split = await splitOf(job);
    const last: Piece = split.ranges[2] ?? 'sound';
    const refused = { code: 'pieces_differ' };
    const making = { basis: split, piece: last, build: 'another one' };
    await expect(makePiece(job, context, making)).rejects.toMatchObject(refused);
    const elsewhere = mkdtempSync(path.join(folder, 'media-'));
    copyFileSync(path.join(folder, 'noise.wav'), path.join(elsewhere, 'tone.wav'));
    const replaced = { ...job, mediaFolders: [elsewhere, folder] };
    await expect(pieceOf(replaced, split, last)).rejects.toMatchObject(refused);

    const small = { ...job, source: { ...turning, width: 160 } as Source };
    const files = {
      frames: [
        await pieceOf(job, split, last),
        await pieceOf(small, { ...split, print: (await splitOf(small)).print }, last),
      ],
      sound: null,
    };
    await expect(joinPieces(job, context, { split, files, reused: 0 })).rejects.toMatchObject(
      refused,
    );
    expect(existsSync(job.outputPath)).toBe(false);
  });

  test('a short film is made at once; a long one is divided, with its separate picture', async () => {
    const short = { ...turning, duration: 0.2 } as Source;
    const made = await renderOrSplit(jobInto(folder, 'short.mp4', short), context, offer);
    expect(made).toMatchObject({ facts: { width: 320 } });
    const long = { ...turning, duration: 201, snapshot_time: 50 } as Source;
    const job = jobInto(folder, 'long.mp4', long);
    const split = await renderOrSplit(job, context, offer);
    expect(split).toMatchObject({ hasSound: true, hasSnapshot: true, isOneProcess: false });
    expect('ranges' in split && split.ranges).toHaveLength(2);
    expect(existsSync(job.snapshotPath)).toBe(true);
    expect(existsSync(job.outputPath)).toBe(false);
  });
});
