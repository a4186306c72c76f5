/** Making and reading media in tests with the real ffmpeg. */
import { execFileSync } from 'node:child_process';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';

const { path: ffmpeg } = await findFfmpeg(undefined);

/** Runs ffmpeg with arguments; returns what it writes to stdout. */
export function runFfmpegSync(...args: string[]): Buffer {
  return execFileSync(ffmpeg, ['-hide_banner', '-loglevel', 'error', '-y', ...args], {
    maxBuffer: 1 << 30,
  });
}

/** A 25 fps mp4 that is black and silent but for one white frame and a burst of tone, both at `at` seconds. */
export function makeFlashClip(file: string, seconds: number, at: number): void {
  const inside = `between(t,${at - 0.001},${at + 0.039})`;
  runFfmpegSync(
    ...['-f', 'lavfi', '-i', `color=c=black:s=160x90:r=25:d=${seconds}`],
    ...[
      '-f',
      'lavfi',
      '-i',
      `aevalsrc='if(${inside},0.8*sin(2*PI*1000*t),0)':s=48000:d=${seconds}`,
    ],
    ...['-vf', `drawbox=c=white:t=fill:enable='${inside}'`],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '12', '-c:a', 'aac', '-b:a', '128k', file],
  );
}

/** Mean brightness of every frame of a video, 0–255, in order. */
export function frameBrightness(file: string): number[] {
  const raw = runFfmpegSync(
    '-i',
    file,
    '-map',
    '0:v',
    '-vf',
    'scale=8:8,format=gray',
    '-f',
    'rawvideo',
    '-',
  );
  const frames: number[] = [];
  for (let start = 0; start + 64 <= raw.length; start += 64) {
    frames.push(raw.subarray(start, start + 64).reduce((sum, value) => sum + value, 0) / 64);
  }
  return frames;
}

/** Samples of one side each. */
export interface Sides {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** The sides of interleaved samples. */
export function sidesOf(both: Float32Array): Sides {
  const [left, right] = [new Float32Array(both.length / 2), new Float32Array(both.length / 2)];
  for (let index = 0; index < left.length; index++) {
    left[index] = both[index * 2]!;
    right[index] = both[index * 2 + 1]!;
  }
  return { left, right };
}

/** Samples at 48 kHz, −1 to 1, from presentation time zero; channels are interleaved. */
export function soundSamples(file: string, channels = 1): Float32Array {
  const raw = runFfmpegSync(
    '-i',
    file,
    '-map',
    '0:a',
    '-ac',
    String(channels),
    '-ar',
    '48000',
    '-f',
    'f32le',
    '-',
  );
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
}

/** Seconds at which the sound first exceeds `level`, or null. */
export function firstSound(file: string, level = 0.1): number | null {
  const index = soundSamples(file).findIndex((value) => Math.abs(value) > level);
  return index < 0 ? null : index / 48000;
}
