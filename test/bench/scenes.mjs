/**
 * The benchmark's scenes S1 and S2, and what scenes have in common: the document that the product
 * renders, the media it needs, and the limit beside it, which is the best that ffmpeg can do with the same picture.
 *
 * A scene is `{ name, goal, frames, prepare(context) }`; `prepare` gives `{ source, limit }`, where `limit` is an
 * argument list of ffmpeg without the output file, or makes one from a film of the scene that lost next to nothing.
 * `context` is `{ folder, memory, ffmpeg(args) }`: a folder for media, a folder in memory, and a way to run ffmpeg.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { GlobalFonts, createCanvas } from '@napi-rs/canvas';
import { memoryEnvironment } from './measure.mjs';

export const [width, height] = [1920, 1080];
export const frameRate = 30;
const frames = 300;

const mp4 = ['-movflags', '+faststart', '-f', 'mp4', '-y'];

/** What the product asks of its encoder, on both sides. */
export const encoderSettings = [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-pix_fmt', 'yuv420p'],
  ...mp4,
];

export const fontFamily = 'Montserrat';
export const titleText = 'Moving pictures';

/** The font of the titles. */
export const fontPath = () =>
  createRequire(import.meta.url).resolve(
    '@fontsource-variable/montserrat/files/montserrat-latin-wght-normal.woff2',
  );

export function registerFont() {
  GlobalFonts.registerFromPath(fontPath(), fontFamily);
}

/** A picture with the smooth ground, edges and grain of a photograph; the same every time. */
export function drawPhoto(photoWidth, photoHeight) {
  const canvas = createCanvas(photoWidth, photoHeight);
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(photoWidth, photoHeight);
  let seed = 1;
  for (let y = 0; y < photoHeight; y++) {
    for (let x = 0; x < photoWidth; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      const grain = (seed >>> 28) - 8;
      const at = (y * photoWidth + x) * 4;
      pixels.data[at] = 128 + 90 * Math.sin(x / 40) + grain;
      pixels.data[at + 1] = 128 + 80 * Math.sin((x + y) / 60) + grain;
      pixels.data[at + 2] = 128 + 100 * Math.cos(y / 30) + grain;
      pixels.data[at + 3] = 255;
    }
  }
  context.putImageData(pixels, 0, 0);
  context.strokeStyle = '#ffffff';
  context.lineWidth = photoHeight / 60;
  for (let index = 1; index < 6; index++) {
    context.beginPath();
    context.arc(photoWidth / 2, photoHeight / 2, (photoHeight / 12) * index, 0, 2 * Math.PI);
    context.stroke();
  }
  return canvas;
}

/** Frames drawn by hand, once, to a file of raw pixels in memory: what an encoder alone is fed with. */
async function writeFrames(context, file, draw, pixels) {
  // prettier-ignore
  const args = [
    '-nostdin', '-hide_banner', '-loglevel', 'error',
    '-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', `${width}x${height}`, '-framerate', String(frameRate),
    '-i', 'pipe:0', '-vf', 'scale=out_color_matrix=bt709:out_range=tv', '-pix_fmt', pixels, '-f', 'rawvideo', '-y', file,
  ];
  const child = spawn(context.program, args, {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, ...memoryEnvironment },
  });
  const exit = once(child, 'exit');
  for (let frame = 0; frame < frames; frame++) {
    const drawn = draw(frame).data();
    await new Promise((resolve, reject) =>
      child.stdin.write(drawn, (error) => (error ? reject(error) : resolve())),
    );
  }
  child.stdin.end();
  const [code] = await exit;
  if (code !== 0)
    throw new Error(`ffmpeg ended with ${code} while the frames of the limit were made`);
}

const cubicOut = (progress) => 1 - (1 - progress) ** 3;

/**
 * A photo that moves under a title.
 *
 * @param output What the document says of its file.
 * @param pixels Those of the encoder.
 * @param encoder The encoder alone, with what the product asks of it.
 */
const moving = (name, goal, output, pixels, encoder) => ({
  name,
  goal,
  frames,
  async prepare(context) {
    registerFont();
    const photo = drawPhoto(960, 540);
    await writeFile(path.join(context.folder, 'photo.png'), await photo.encode('png'));

    const canvas = createCanvas(width, height);
    const pen = canvas.getContext('2d');
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.font = `bold 112px ${fontFamily}`;
    const draw = (frame) => {
      const time = frame / frameRate;
      const shown = cubicOut(Math.min(1, time));
      pen.globalAlpha = 1;
      pen.fillStyle = '#1b2a4a';
      pen.fillRect(0, 0, width, height);
      pen.drawImage(photo, -960 + 288 * time, 420);
      pen.globalAlpha = Math.min(shown, 1, 10 - time);
      pen.fillStyle = '#ffffff';
      pen.fillText(titleText, width / 2, height / 2 + 120 * (1 - shown));
      return canvas;
    };
    const raw = path.join(context.memory, 's1.raw');
    await writeFrames(context, raw, draw, pixels);

    const source = {
      ...output,
      width,
      height,
      frame_rate: frameRate,
      duration: 10,
      fill_color: '#1b2a4a',
      elements: [
        {
          type: 'image',
          track: 1,
          source: 'photo.png',
          width: 960,
          height: 540,
          x_anchor: '0%',
          y_anchor: '0%',
          x: [
            { time: 0, value: -960 },
            { time: 10, value: 1920, easing: 'linear' },
          ],
          y: 420,
        },
        {
          type: 'text',
          track: 2,
          text: titleText,
          font_family: fontFamily,
          font_weight: 700,
          font_size: 112,
          fill_color: '#ffffff',
          x: '50%',
          y: [
            { time: 0, value: 660 },
            { time: 1, value: 540, easing: 'cubic-out' },
          ],
          x_anchor: '50%',
          y_anchor: '50%',
          opacity: [
            { time: 0, value: '0%' },
            { time: 1, value: '100%', easing: 'cubic-out' },
            { time: 9, value: '100%' },
            { time: 10, value: '0%', easing: 'linear' },
          ],
        },
      ],
    };
    const limit = [
      ...['-f', 'rawvideo', '-pixel_format', pixels, '-video_size', `${width}x${height}`],
      ...['-framerate', String(frameRate), '-i', raw, ...encoder],
    ];
    return { source, limit, draw };
  },
});

/** Title with its plate, and a logo with soft edges, as pictures for the filter graph. */
function drawPlate() {
  const canvas = createCanvas(1000, 180);
  const pen = canvas.getContext('2d');
  pen.fillStyle = 'rgba(0, 0, 0, 0.6)';
  pen.fillRect(0, 0, 1000, 180);
  pen.fillStyle = '#ffffff';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.font = `bold 80px ${fontFamily}`;
  pen.fillText(titleText, 500, 90);
  return canvas;
}

function drawLogo() {
  const canvas = createCanvas(240, 240);
  const pen = canvas.getContext('2d');
  const glow = pen.createRadialGradient(120, 120, 20, 120, 120, 120);
  glow.addColorStop(0, 'rgba(255, 160, 40, 1)');
  glow.addColorStop(1, 'rgba(255, 160, 40, 0)');
  pen.fillStyle = glow;
  pen.fillRect(0, 0, 240, 240);
  return canvas;
}

/** A video under a still title and a logo, so many frames long. */
export const overVideo = (name, goal, count) => ({
  name,
  goal,
  frames: count,
  async prepare(context) {
    registerFont();
    const clip = await makeClip(context, { count });
    const logo = path.join(context.folder, 'logo.png');
    const plate = path.join(context.folder, 'plate.png');
    await writeFile(logo, await drawLogo().encode('png'));
    await writeFile(plate, await drawPlate().encode('png'));

    const source = {
      output_format: 'mp4',
      width,
      height,
      frame_rate: frameRate,
      duration: count / frameRate,
      elements: [
        { type: 'video', track: 1, source: 'clip.mp4', width: '100%', height: '100%' },
        {
          type: 'shape',
          track: 2,
          path: 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z',
          width: 1000,
          height: 180,
          x: 960,
          y: 880,
          fill_color: 'rgba(0,0,0,0.6)',
        },
        {
          type: 'text',
          track: 3,
          text: titleText,
          font_family: fontFamily,
          font_weight: 700,
          font_size: 80,
          fill_color: '#ffffff',
          x: 960,
          y: 880,
        },
        { type: 'image', track: 4, source: 'logo.png', width: 240, height: 240, x: 1740, y: 180 },
      ],
    };
    const limit = [
      ...['-i', clip, '-i', plate, '-i', logo],
      ...['-filter_complex', '[0:v][1:v]overlay=460:790[titled];[titled][2:v]overlay=1620:60'],
      ...encoderSettings,
    ];
    return { source, limit };
  },
});

/** A film with grain, in the folder for media as clip.mp4; its path. */
export async function makeClip(context, { count, size = `${width}x${height}` }) {
  const clip = path.join(context.folder, 'clip.mp4');
  const colours = ['-color_range', 'tv', '-colorspace', 'bt709', '-color_primaries', 'bt709'];
  const picture = `testsrc2=s=${size}:r=${frameRate}:d=${count / frameRate}`;
  await context.ffmpeg([
    ...['-f', 'lavfi', '-i', picture, '-vf', 'noise=alls=6:allf=t'],
    ...[...colours, '-color_trc', 'bt709', ...encoderSettings, clip],
  ]);
  return clip;
}

// prettier-ignore
const vp9 = [
  '-c:v', 'libvpx-vp9', '-b:v', '0', '-crf', '31', '-deadline', 'good', '-cpu-used', '4', '-row-mt', '1', '-threads', '4',
  '-tile-columns', '2', '-g', '250', '-pix_fmt', 'yuv420p', '-f', 'webm', '-y',
];
// prettier-ignore
const prores = [
  '-c:v', 'prores_ks', '-profile:v', 'hq', '-vendor', 'apl0', '-pix_fmt', 'yuv422p10le', '-movflags', '+faststart',
  '-f', 'mov', '-y',
];
// prettier-ignore
const hevc = [
  '-c:v', 'libx265', '-preset', 'veryfast', '-crf', '26', '-tag:v', 'hvc1', '-pix_fmt', 'yuv420p', '-x265-params',
  'pools=4:frame-threads=2:keyint=250:info=0:log-level=error', ...mp4,
];

export const scenes = [
  moving('S1', 1.25, { output_format: 'mp4' }, 'yuv420p', encoderSettings),
  overVideo('S2', 1.2, frames),
  moving('S1-webm', 1.25, { output_format: 'webm' }, 'yuv420p', vp9),
  moving('S1-prores', 1.25, { output_format: 'mov' }, 'yuv422p10le', prores),
  moving('S1-hevc', 1.25, { output_format: 'mp4', video_codec: 'hevc' }, 'yuv420p', hevc),
];
