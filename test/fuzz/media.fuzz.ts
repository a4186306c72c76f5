/**
 * Broken files of every container and picture format, examined as for the media library, or drawn in a small film. Each
 * is told of or refused with a sentence; the worker lives, and takes no more memory than a small file needs.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sampleFolder } from '../../server/system/paths.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { AttackedWorker, type Ending } from './attacked-worker.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { brokenFile } from './files.ts';

export const name = 'media';

/** Bytes of the worker with the programs it starts. */
const mostMemory = 700_000_000;

const fixtures = path.join(import.meta.dirname, '..', 'fixtures');
const found = [
  ...['numbers.mp4', 'spin.gif', 'spin.png', 'spin.webp', 'pattern.bmp', 'pattern.gif', 'mark.svg'],
  ...['photo.avif', 'pattern.webp', 'pattern.png', 'exif-6.jpg', 'portrait-top.jpg'],
].map((file) => path.join(fixtures, file));

const clip = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=12:d=0.5'];
const tone = ['-f', 'lavfi', '-i', 'sine=f=440:d=0.5'];
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];
/** Files that ffmpeg makes when they are first picked, by their ending. */
const made: Readonly<Record<string, readonly string[]>> = {
  mov: [...clip, ...tone, ...h264, '-c:a', 'aac'],
  webm: [...clip, '-c:v', 'libvpx', '-deadline', 'realtime'],
  mkv: [...clip, ...tone, ...h264, '-c:a', 'aac'],
  ts: [...clip, ...tone, ...h264, '-c:a', 'aac'],
  avi: [...clip, ...tone, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  mp3: [...tone, '-c:a', 'libmp3lame'],
  m4a: [...tone, '-c:a', 'aac'],
  wav: tone,
  ogg: [...tone, '-c:a', 'libvorbis'],
  flac: tone,
};

/** The kinds of files, each made or read once. */
const kinds: readonly (() => { ending: string; file: Buffer })[] = [
  ...found.map((file) => () => ({ ending: path.extname(file), file: readFileSync(file) })),
  ...Object.entries(made).map(([ending, args]) => () => {
    const format = { mkv: 'matroska', ts: 'mpegts', m4a: 'mp4' }[ending] ?? ending;
    const seekable = ['mov', 'm4a'].includes(ending)
      ? ['-movflags', 'frag_keyframe+empty_moov']
      : [];
    return {
      ending: `.${ending}`,
      file: runFfmpegSync(...args, ...seekable, '-f', format, 'pipe:1'),
    };
  }),
  () => ({ ending: '.m4a', file: readFileSync(path.join(sampleFolder(), 'media', 'tune.m4a')) }),
];
const ready = new Map<number, { ending: string; file: Buffer }>();

function pickFile(random: Random): { ending: string; file: Buffer } {
  const index = random.below(kinds.length);
  const picked = ready.get(index) ?? kinds[index]?.();
  if (!picked) throw new Error('there are no kinds of files');
  ready.set(index, picked);
  return picked;
}

function attack(worker: AttackedWorker, random: Random, file: string): Promise<Ending> {
  if (random.oneIn(2)) return worker.inspect(path.join(worker.media, file));
  const type = random.pick(['image', 'video', 'video', 'audio']);
  return worker.render({
    output_format: random.pick(['mp4', 'gif', 'png']),
    width: 32,
    height: 32,
    duration: 0.5,
    frame_rate: 10,
    elements: [
      { type, source: file, ...(type === 'audio' || random.oneIn(2) ? {} : { loop: true }) },
    ],
  });
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const worker = new AttackedWorker(mostMemory);
  try {
    return await runCases(options, async (random, seed) => {
      const { ending, file } = pickFile(random);
      const broken = brokenFile(random, file);
      // A name of its own: nothing that is remembered of one file answers for the next.
      const called = `${seed}${ending}`;
      writeFileSync(path.join(worker.media, called), broken);
      const { wrong } = await attack(worker, random, called);
      rmSync(path.join(worker.media, called), { force: true });
      return wrong === null ? null : `${called}: ${wrong}`;
    });
  } finally {
    worker.stop();
  }
}
