/**
 * Clips whose frames carry their number, and reading it back from decoded pixels: with them a test can tell which frame
 * of the file is shown, whatever was done to it on the way.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { frameTiming } from '../../server/engine/ffmpeg-builds.ts';
import { usual } from '../helpers/ffmpeg-builds.ts';
import { madeOnce } from '../helpers/made-media.ts';

/** Makes the clips. */
export const maker = usual;

/** Pixels of the clips. */
export const width = 192;
export const height = 48;
const bits = 12;

/** Gray frames whose number stands in them as black and white bars, least bit left. */
export function numberedFrames(count: number): Buffer {
  const frames = Buffer.alloc(count * width * height);
  for (let index = 0; index < count; index++) {
    for (let bit = 0; bit < bits; bit++) {
      if (((index >> bit) & 1) === 0) continue;
      for (let y = 0; y < height; y++) {
        frames.fill(
          255,
          (index * height + y) * width + bit * 16,
          (index * height + y) * width + bit * 16 + 16,
        );
      }
    }
  }
  return frames;
}

/** The number in a frame of any size, RGBA. */
export function numberIn({
  rgba,
  width: across,
  height: down,
}: {
  rgba: Uint8Array;
  width: number;
  height: number;
}): number {
  let number = 0;
  for (let bit = 0; bit < bits; bit++) {
    const x = Math.floor(((bit + 0.5) * across) / bits);
    if ((rgba[(Math.floor(down / 2) * across + x) * 4] ?? 0) > 127) number |= 1 << bit;
  }
  return number;
}

/** Clips by name: ffmpeg's output arguments, and the time stamp of each frame in seconds. */
export const clips: Record<
  string,
  { file: string; rate: string; args: string; count: number; times?: (index: number) => number }
> = {
  'mp4 30 with B-frames': {
    file: 'a.mp4',
    rate: '30',
    args: '-c:v libx264 -g 24 -bf 3 -pix_fmt yuv420p',
    count: 240,
  },
  'mp4 30 with sound': {
    file: 'sound.mp4',
    rate: '30',
    args: '-c:v libx264 -g 50 -pix_fmt yuv420p -c:a aac',
    count: 150,
  },
  'mov 23.976': {
    file: 'b.mov',
    rate: '24000/1001',
    args: '-c:v libx264 -g 48 -pix_fmt yuv420p',
    count: 200,
  },
  'mp4 60': { file: 'c.mp4', rate: '60', args: '-c:v libx264 -pix_fmt yuv420p', count: 200 },
  'webm 30, times in milliseconds, sound before 0': {
    file: 'd.webm',
    rate: '30',
    args: '-c:v libvpx -b:v 1M -g 40 -c:a libopus',
    count: 120,
    // Opus begins 7 ms before the first picture, and the file has no negative times.
    times: (index) => Math.round((index / 30 + 0.007) * 1000) / 1000,
  },
  'mkv 25': { file: 'e.mkv', rate: '25', args: '-c:v libx264 -g 30 -pix_fmt yuv420p', count: 150 },
  'ts 25, times from 1.4 s': {
    file: 'f.ts',
    rate: '25',
    args: '-c:v mpeg2video -q:v 2 -g 12',
    count: 120,
  },
  'avi 25': { file: 'g.avi', rate: '25', args: '-c:v mpeg4 -q:v 2 -bf 0 -g 25', count: 120 },
  // Frames of 1, 2, 3, … 10 hundredths of a second, in turn: nothing is regular.
  'uneven times': {
    // ffmpeg 4.1 writes mp4 tracks of uneven times too short, which cuts their last frames off.
    file: maker.major < 5 ? 'h.mkv' : 'h.mp4',
    rate: '25',
    count: 120,
    args: `-vf settb=1/1000,setpts=(floor(N/10)*55+mod(N\\,10)*(mod(N\\,10)+1)/2)*10 ${frameTiming(maker, 'vfr').join(' ')} -enc_time_base 1/1000 -c:v libx264 -g 30 -pix_fmt yuv420p -video_track_timescale 1000`,
    times: (index) => (Math.floor(index / 10) * 55 + ((index % 10) * ((index % 10) + 1)) / 2) / 100,
  },
};

/** Writes a file of the first `count` numbered frames; `outputs` is what follows the input on ffmpeg's command line. */
export function encodeNumbers(
  count: number,
  rate: string,
  outputs: readonly string[],
  binary = maker.path,
): void {
  const input = `-f rawvideo -pix_fmt gray -s ${width}x${height} -r ${rate} -i pipe:0`.split(' ');
  execFileSync(binary, ['-v', 'error', '-y', ...input, ...outputs], {
    input: numberedFrames(count),
  });
}

/** Makes a clip in a folder, once. */
export function makeClip(name: string, folder: string): string {
  const { file, rate, args, count } = clips[name]!;
  const target = path.join(folder, file);
  if (existsSync(target)) return target;
  const sound = args.includes('-c:a')
    ? ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=20', '-shortest']
    : [];
  const outputs = [...sound, ...args.split(' ')];
  madeOnce(target, [maker, rate, count, outputs], (made) =>
    encodeNumbers(count, rate, [...outputs, made]),
  );
  return target;
}

/** The time stamp of each frame, seconds. */
export function timesOf(name: string): number[] {
  const { rate, count, times } = clips[name]!;
  const [above = 1, below = 1] = rate.split('/').map(Number);
  return Array.from({ length: count }, (_, index) =>
    times ? times(index) : (index * below) / above,
  );
}

/** Number of the frame shown at a time, by the file's time stamps. */
export function shownAt(times: readonly number[], time: number): number {
  return Math.max(
    0,
    times.findLastIndex((stamp) => stamp <= time + 0.001),
  );
}
