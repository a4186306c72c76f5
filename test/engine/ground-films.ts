/**
 * Films that stand on a video, and others, for tests that make them in several ways: clips of all kinds and graphics of
 * all edges. What the encoder is given of each.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { frameWriter } from '../../server/engine/frame-writer.ts';
import { plansOf } from '../../server/engine/motion.ts';
import { planFrames, type FramePlan } from '../../server/engine/plan.ts';
import { openStage, type Stage } from '../../server/engine/stage.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';
import { builds, usual } from '../helpers/ffmpeg-builds.ts';
import { recorder } from '../helpers/frame-recorder.ts';
import { madeOnce } from '../helpers/made-media.ts';

/**
 * The newest ffmpeg here: films that stand on a video go to it as they are, with filters that differ between versions.
 */
export const newest = builds.at(-1)?.[1] ?? usual;

/** Pixels of the films; clips are made for them. */
const [width, height] = [320, 180];
const frameRate = 24;

/** Moving pictures whose colours the screen can show: made as RGB, soft enough for half the colours of a block. */
function makeClip(folder: string, name: string, args: string, size = `${width}x${height}`): void {
  const picture = `gradients=s=${size}:c0=0xd04030:c1=0x2060c0:c2=0xe0d080:c3=0x308040:n=4:speed=0.05:seed=4:d=3:r=${frameRate}`;
  const moving = newest.major < 5 ? `testsrc=s=${size}:d=3:r=${frameRate},boxblur=6` : picture;
  const made = ['-f', 'lavfi', '-i', `${moving},format=rgb24`, ...args.split(' ')];
  madeOnce(path.join(folder, name), [newest, made], (file) =>
    execFileSync(newest.path, ['-v', 'error', '-y', ...made, file]),
  );
}

const marked = '-color_range tv -colorspace bt709 -color_primaries bt709 -color_trc bt709';
const x264 = '-c:v libx264 -qp 12 -bf 2 -g 20';
const as = (matrix: string, range = 'tv'): string =>
  `scale=out_color_matrix=${matrix}:out_range=${range}`;

/** Makes the clips in a folder. */
export function makeClips(folder: string): void {
  const make = (name: string, args: string, size?: string): void =>
    makeClip(folder, name, args, size);
  make('hd.mp4', `-vf ${as('bt709')},format=yuv420p ${x264} ${marked}`);
  make('sd.mp4', `-vf ${as('bt601')},format=yuv420p ${x264}`);
  make(
    'full.mp4',
    `-vf ${as('bt709', 'pc')},format=yuvj420p ${x264} -color_range pc -colorspace bt709`,
  );
  make('dense.mp4', `-vf ${as('bt709')},format=yuv444p ${x264} ${marked}`);
  make('large.mp4', `-vf ${as('bt709')},format=yuv420p ${x264} ${marked}`, '640x400');
  make('tall.mp4', `-vf ${as('bt709')},format=yuv420p ${x264} ${marked}`, '320x200');
  make('web.webm', `-vf ${as('bt709')},format=yuv420p -c:v libvpx -crf 4 -b:v 4M ${marked}`);
}

export const clip = (source: string, more: JsonObject = {}): JsonObject => ({
  type: 'video',
  source,
  track: 1,
  width: '100%',
  height: '100%',
  ...more,
});
const keys = (...list: [time: number, value: number | string][]): JsonObject[] =>
  list.map(([time, value]) => ({ time, value, easing: 'linear' }));

/** Graphics of all kinds of edges, standing and moving. */
export const plate: JsonObject = {
  type: 'shape',
  track: 2,
  path: 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z',
  width: 151,
  height: 41,
  x: 120,
  y: 140,
  fill_color: 'rgba(20, 30, 60, 0.6)',
};
export const title: JsonObject = {
  type: 'text',
  track: 3,
  text: 'Moving pictures',
  font_size: 22,
  fill_color: '#ffe9a8',
  x: 120,
  y: 140,
  shadow_color: 'rgba(0,0,0,0.5)',
  shadow_blur: 5,
  shadow_y: 2,
};
const gliding: JsonObject = {
  type: 'shape',
  track: 4,
  path: 'M 50% 0 L 100% 100% L 0 100% Z',
  width: 60,
  height: 50,
  y: 60,
  fill_color: '#7cf2c0',
  opacity: '80%',
  x: keys([0, 20], [2, 300]),
};
const coming: JsonObject = {
  type: 'image',
  track: 5,
  source: 'photo.jpg',
  time: 0.5,
  duration: 1,
  width: 70,
  height: 60,
  x: 270,
  y: 130,
  border_radius: 12,
  animations: [{ type: 'fade', time: 'start', duration: 0.3 }],
};
const graphics = [plate, title, gliding, coming];

/** A film of the tables. */
export interface GroundFilm {
  readonly source: Source;
  /** Frames that stand on a video. */
  readonly grounds: number;
  /** Of the output. */
  readonly scale?: number;
  /** True if all of it is one video in equal steps, which one process can make. */
  readonly whole?: boolean;
}

/** What ffmpeg's versions convert. */
export const files: Record<string, GroundFilm> = {
  'BT.709': { source: film([clip('hd.mp4'), ...graphics]), grounds: 48, whole: true },
  'BT.601, unmarked': { source: film([clip('sd.mp4'), ...graphics]), grounds: 48, whole: true },
  'the full range': { source: film([clip('full.mp4'), ...graphics]), grounds: 48, whole: true },
  'a colour for every pixel': {
    source: film([clip('dense.mp4'), ...graphics]),
    grounds: 48,
    whole: true,
  },
  VP8: { source: film([clip('web.webm'), ...graphics]), grounds: 48, whole: true },
  'made smaller': {
    source: film([clip('large.mp4', { fit: 'fill' }), title]),
    grounds: 48,
    whole: true,
  },
  'made larger': { source: film([clip('hd.mp4', { width: '150%' }), plate, title]), grounds: 48 },
  'growing, of another range': {
    source: film([
      clip('full.mp4', {
        width: keys([0, '101%'], [2, '160%']),
        height: keys([0, '101%'], [2, '160%']),
      }),
      title,
    ]),
    grounds: 48,
  },
  'large and of another matrix': {
    source: film([clip('sd.mp4', { x: '55%', width: '133%' }), title]),
    grounds: 48,
  },
  'jumping to a smaller size': {
    source: film([
      clip('large.mp4', {
        width: keys([0, 640], [1, 640], [1, 320]),
        height: keys([0, 400], [1, 400], [1, 200]),
      }),
      title,
    ]),
    grounds: 48,
  },
  'cut above and below': {
    source: film([clip('tall.mp4'), ...graphics]),
    grounds: 48,
    whole: true,
  },
  'a colour over it': {
    source: film([clip('hd.mp4', { color_overlay: 'rgba(200, 40, 10, 0.45)' }), ...graphics]),
    grounds: 48,
    whole: true,
  },
  'output at another scale': {
    source: film([clip('hd.mp4'), ...graphics]),
    grounds: 48,
    whole: true,
    scale: 0.5,
  },
};

/** What is done with a clip, and what stands above it. */
export const works: Record<string, GroundFilm> = {
  'trimmed, fast, looped': {
    source: film([
      clip('hd.mp4', { trim_start: 0.4, trim_duration: 1, speed: '150%', loop: true, duration: 2 }),
      title,
    ]),
    grounds: 48,
  },
  'longer than its file': {
    source: film([clip('hd.mp4', { trim_start: 2, duration: 2, time: 0 }), title]),
    grounds: 48,
  },
  'one after another': {
    source: film([
      clip('hd.mp4', { duration: 1 }),
      clip('sd.mp4', { duration: 1, time: 1 }),
      ...graphics,
    ]),
    grounds: 48,
  },
  'one darker than the other, from one file': {
    source: film([
      clip('hd.mp4', { duration: 1, color_overlay: 'rgba(0, 0, 0, 0.3)' }),
      clip('hd.mp4', { duration: 1, time: 1, color_overlay: 'rgba(0, 0, 0, 0.6)' }),
      clip('hd.mp4', { track: 2, width: 120, height: 90, x: 90, y: 70 }),
      title,
    ]),
    grounds: 48,
  },
  'a scene within a composition': {
    source: film([
      {
        type: 'composition',
        track: 1,
        width: '100%',
        height: '100%',
        duration: 2,
        fill_color: '#123',
        elements: [clip('hd.mp4'), plate, gliding],
      },
      title,
    ]),
    grounds: 48,
    whole: true,
  },
  'a fade at the beginning': {
    source: film([
      clip('hd.mp4', { animations: [{ type: 'fade', time: 'start', duration: 0.5 }] }),
      title,
    ]),
    grounds: 36,
  },
  'trimmed and fast': {
    source: film([clip('hd.mp4', { trim_start: 0.3, speed: '130%', duration: 2 }), ...graphics]),
    grounds: 48,
    whole: true,
  },
  slow: {
    source: film([clip('hd.mp4', { trim_start: 0.3, speed: '77%', duration: 2 }), ...graphics]),
    grounds: 48,
    whole: true,
  },
  'fast to its end': {
    source: film([clip('hd.mp4', { speed: '150%', duration: 2 }), ...graphics]),
    grounds: 48,
    whole: true,
  },
  'nothing above': { source: film([clip('hd.mp4')]), grounds: 48, whole: true },
  'graphics that come and go': {
    source: film([
      clip('hd.mp4'),
      { ...plate, time: 0.25, duration: 0.5 },
      { ...title, time: 0.5, duration: 0.5 },
      { ...plate, track: 4, y: 20, time: 1.25, duration: 0.25 },
    ]),
    grounds: 48,
    whole: true,
  },
  'a broadcast rate': {
    source: { ...film([clip('hd.mp4'), ...graphics]), frame_rate: 29.97 },
    grounds: 60,
    whole: true,
  },
  'a keyed clip over a clip': {
    source: film([
      clip('hd.mp4'),
      clip('sd.mp4', { track: 2, key_color: '#2060c0', key_tolerance: '60%', look_exposure: 0.5 }),
      title,
    ]),
    grounds: 48,
    whole: true,
  },
  'a clip over a clip': {
    source: film([
      clip('hd.mp4'),
      clip('large.mp4', { track: 2, width: 120, height: 90, x: 90, y: 70, border_radius: 8 }),
      title,
    ]),
    grounds: 48,
    whole: true,
  },
};

export function film(elements: JsonObject[]): Source {
  return {
    output_format: 'mp4',
    width,
    height,
    frame_rate: frameRate,
    duration: 2,
    fill_color: '#402010',
    elements,
  };
}

/** Documents whose video has to be painted, in all frames or in some. */
export const others: Record<string, GroundFilm> = {
  'something above mixes with it': {
    source: film([clip('hd.mp4'), { ...gliding, blend_mode: 'multiply' }]),
    grounds: 0,
  },
  'it has round corners': { source: film([clip('hd.mp4', { border_radius: 10 })]), grounds: 0 },
  'it lets through': { source: film([clip('hd.mp4', { opacity: '90%' })]), grounds: 0 },
  'it is turned': { source: film([clip('hd.mp4', { z_rotation: 180 })]), grounds: 0 },
  'it is mirrored': { source: film([clip('hd.mp4', { x_scale: '-100%' })]), grounds: 0 },
  'it is masked': { source: film([clip('hd.mp4'), { ...plate, mask_mode: 'alpha' }]), grounds: 0 },
  'its colours are filtered': {
    source: film([clip('hd.mp4', { color_filter: 'sepia', color_filter_value: '50%' })]),
    grounds: 0,
  },
  'a colour of it is keyed out': {
    source: film([clip('hd.mp4', { key_color: '#2060c0', look_contrast: '20%' }), title]),
    grounds: 0,
  },
  'its light changes': {
    source: film([
      clip('hd.mp4', { look_exposure: keys([0, 0.5], [2, 1.5]), look_saturation: '-40%' }),
    ]),
    grounds: 0,
  },
  'the colour over it changes': {
    source: film([
      clip('hd.mp4', { color_overlay: keys([0, 'rgba(0,0,0,0.2)'], [2, 'rgba(0,0,0,0.8)']) }),
    ]),
    grounds: 0,
  },
  'a colour covers its composition': {
    source: film([
      {
        type: 'composition',
        track: 1,
        color_overlay: 'rgba(0, 0, 0, 0.3)',
        elements: [clip('hd.mp4'), title],
      },
    ]),
    grounds: 0,
  },
  'it leaves an edge free': { source: film([clip('hd.mp4', { width: '99%' })]), grounds: 0 },
  'it lies between pixels': {
    source: film([clip('large.mp4', { y: '50.2%', height: '110%' })]),
    grounds: 0,
  },
  'it moves': { source: film([clip('large.mp4', { x: keys([0, 150], [2, 170]) })]), grounds: 0 },
  'nothing stands on it for long': {
    source: film([
      clip('hd.mp4'),
      ...[0, 1, 2, 3].map((step) => ({
        ...plate,
        track: 2,
        time: step * 0.5,
        duration: 0.25,
        blend_mode: 'screen',
      })),
    ]),
    grounds: 0,
  },
  'something mixes with it for a while': {
    source: film([clip('hd.mp4'), { ...plate, time: 0.5, duration: 0.5, blend_mode: 'screen' }]),
    grounds: 24,
  },
};

/** Opens a film's stage; the caller closes it. */
export function openFilm(
  folder: string,
  { source, scale = 1 }: Pick<GroundFilm, 'source' | 'scale'>,
  ffmpegPath: string,
): Promise<Stage> {
  const job = jobInto(folder, 'film.mp4', source, {
    scaling: { renderScale: scale },
    ffmpegPath,
  });
  return openStage(job, { signal: new AbortController().signal, onProgress: () => undefined });
}

/** Frames of a film. */
export interface Film {
  readonly frames: readonly Uint8Array[];
  /** Of which frames stand on a video. */
  readonly onGround: readonly boolean[];
}

/** Every frame as the encoder is given it. */
export async function framesOf(
  folder: string,
  { source, scale = 1 }: GroundFilm,
  ffmpegPath: string,
  way: string,
): Promise<Film> {
  process.env['FRAMEWRIGHT_PLAN'] = way;
  const stage = await openFilm(folder, { source, scale }, ffmpegPath);
  try {
    const { output } = stage.timeline;
    const plans: FramePlan[] = [];
    const { sink, frames } = recorder(output.width, output.height);
    const writer = frameWriter(stage, sink);
    for (const plan of planFrames(plansOf(stage))) {
      await writer.write(plan);
      plans.push(plan);
    }
    return { frames, onGround: plans.map(({ ground }) => ground !== null) };
  } finally {
    await stage.close();
    delete process.env['FRAMEWRIGHT_PLAN'];
  }
}
