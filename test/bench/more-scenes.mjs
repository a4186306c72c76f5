/** The benchmark's scenes S3, S4, S6, S7 and S8a; what a scene is stands in scenes.mjs. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import {
  drawPhoto,
  encoderSettings,
  fontFamily,
  frameRate,
  height,
  makeClip,
  overVideo,
  registerFont,
  width,
} from './scenes.mjs';

/** x264 alone, on the frames of a film, decoded into memory before. */
async function encoderAlone(context, film, [across, down]) {
  const raw = path.join(context.memory, 'film.yuv');
  await context.ffmpeg(['-i', film, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-y', raw]);
  return [
    ...['-f', 'rawvideo', '-pixel_format', 'yuv420p', '-video_size', `${across}x${down}`],
    ...['-framerate', String(frameRate), '-i', raw, ...encoderSettings],
  ];
}

const straight = (...list) => list.map(([time, value]) => ({ time, value, easing: 'linear' }));

/** Five photos of 12 megapixels, four seconds each, with a fade between them, a caption each, and music. */
const slideshow = {
  name: 'S3',
  goal: 1.5,
  frames: 600,
  async prepare(context) {
    const photo = drawPhoto(4000, 3000);
    const pen = photo.getContext('2d');
    const colours = ['#7048e8', '#0ca678', '#e8590c', '#1971c2', '#c2255c'];
    for (const [index, colour] of colours.entries()) {
      pen.fillStyle = colour;
      pen.fillRect(400 + index * 500, 2200, 400, 400);
      await writeFile(
        path.join(context.folder, `photo-${index}.jpg`),
        await photo.encode('jpeg', 90),
      );
    }
    const music = path.join(context.folder, 'music.m4a');
    await context.ffmpeg(['-f', 'lavfi', '-i', 'sine=f=220:d=24', '-c:a', 'aac', '-y', music]);
    const fade = { type: 'fade', time: 'start', duration: 1, transition: true };
    const photos = colours.map((_, index) => ({
      type: 'image',
      track: 1,
      source: `photo-${index}.jpg`,
      duration: 4.8,
      animations: [
        ...(index === 0 ? [] : [fade]),
        { type: 'scale', start_scale: '100%', end_scale: '115%', fade: false, easing: 'linear' },
      ],
    }));
    const captions = colours.map((_, index) => ({
      type: 'text',
      track: 2,
      time: index * 4,
      duration: 4,
      text: `Photo number ${index + 1}`,
      y: '85%',
      font_family: fontFamily,
      font_weight: 700,
      font_size: 64,
      fill_color: '#fff',
    }));
    const sound = { type: 'audio', track: 3, source: 'music.m4a', duration: 20, audio_fade_out: 2 };
    const source = {
      output_format: 'mp4',
      width,
      height,
      frame_rate: frameRate,
      duration: 20,
      elements: [...photos, ...captions, sound],
    };
    return { source, limit: (film) => encoderAlone(context, film, [width, height]) };
  },
};

/** A vertical video whose words are marked as they are spoken; its limit lays one still caption over it. */
const captions = {
  name: 'S4',
  goal: 1.4,
  frames: 450,
  async prepare(context) {
    registerFont();
    const [across, down] = [1080, 1920];
    const clip = await makeClip(context, { count: 450, size: `${across}x${down}` });
    const words = 'every word of this sentence is marked while somebody speaks it aloud'.split(' ');
    const transcript = Array.from({ length: 48 }, (_, index) => ({
      time: 0.2 + index * 0.3,
      duration: 0.28,
      value: words[index % words.length],
    }));
    const source = {
      output_format: 'mp4',
      width: across,
      height: down,
      frame_rate: frameRate,
      duration: 15,
      elements: [
        { type: 'video', track: 1, source: 'clip.mp4', width: '100%', height: '100%' },
        {
          type: 'text',
          track: 2,
          text: 'Captions',
          width: '80%',
          height: '20%',
          y: '75%',
          x_alignment: '50%',
          y_alignment: '50%',
          font_family: fontFamily,
          font_weight: 800,
          font_size: 72,
          fill_color: '#ffffff',
          stroke_color: '#000000',
          stroke_width: 8,
          transcript_source: transcript,
          transcript_effect: 'highlight',
          transcript_color: '#e03131',
          transcript_maximum_length: 24,
        },
      ],
    };
    const canvas = createCanvas(across, 400);
    const pen = canvas.getContext('2d');
    pen.font = `800 72px ${fontFamily}`;
    pen.textAlign = 'center';
    pen.lineWidth = 8;
    pen.fillStyle = '#ffffff';
    pen.strokeText('every word of this', across / 2, 200);
    pen.fillText('every word of this', across / 2, 200);
    const still = path.join(context.folder, 'caption.png');
    await writeFile(still, await canvas.encode('png'));
    const overlay = ['-filter_complex', '[0:v][1:v]overlay=0:1240'];
    return { source, limit: ['-i', clip, '-i', still, ...overlay, ...encoderSettings] };
  },
};

/** A small gif: moving text over a photo; its limit makes palette and file from the finished frames. */
const gif = {
  name: 'S6',
  goal: 1.5,
  frames: 45,
  async prepare(context) {
    await writeFile(
      path.join(context.folder, 'photo.jpg'),
      await drawPhoto(960, 960).encode('jpeg', 90),
    );
    const source = {
      output_format: 'gif',
      width: 480,
      height: 480,
      frame_rate: 15,
      duration: 3,
      elements: [
        { type: 'image', track: 1, source: 'photo.jpg' },
        {
          type: 'text',
          track: 2,
          text: 'Moving',
          font_family: fontFamily,
          font_weight: 800,
          font_size: 72,
          fill_color: '#fff',
          y: straight([0, 120], [3, 360]),
        },
      ],
    };
    const limit = async (film) => {
      const raw = path.join(context.memory, 'film.rgba');
      await context.ffmpeg(['-i', film, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-y', raw]);
      return [
        ...['-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', '480x480'],
        ...['-framerate', '15', '-i', raw],
        ...['-lavfi', 'split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer'],
        ...['-f', 'gif', '-y'],
      ];
    };
    return { source, limit };
  },
};

/** Forty moving things with everything that costs: shadows, blur, masks, mixing, turned text. */
const crowd = {
  name: 'S7',
  goal: 1.6,
  frames: 150,
  async prepare(context) {
    await writeFile(
      path.join(context.folder, 'photo.jpg'),
      await drawPhoto(800, 600).encode('jpeg', 90),
    );
    const glide = (index) => ({
      x: straight([0, 100 + ((index * 397) % 1700)], [5, 100 + ((index * 811) % 1700)]),
      y: straight([0, 80 + ((index * 251) % 900)], [5, 80 + ((index * 613) % 900)]),
    });
    const square = 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z';
    const round = 'M 50% 0 L 100% 50% L 50% 100% L 0 50% Z';
    const kinds = [
      {
        type: 'shape',
        path: square,
        fill_color: '#ff8787',
        shadow_color: '#000a',
        shadow_blur: 24,
      },
      { type: 'image', source: 'photo.jpg', border_radius: 24 },
      {
        type: 'text',
        text: 'Turning',
        font_size: 64,
        fill_color: '#fff',
        z_rotation: straight([0, 0], [5, 180]),
      },
      { type: 'shape', path: round, fill_color: '#74c0fc', blend_mode: 'screen' },
      { type: 'shape', path: square, fill_color: '#b2f2bb', blur_radius: 12 },
      { type: 'shape', path: round, fill_color: '#ffd43b', blend_mode: 'multiply' },
      { type: 'image', source: 'photo.jpg' },
      { type: 'shape', path: round, fill_color: '#fff', mask_mode: 'alpha' },
    ];
    const elements = Array.from({ length: 40 }, (_, index) => ({
      ...kinds[index % kinds.length],
      // A mask lies where the picture before it does.
      track: index + 1,
      width: 260,
      height: 180,
      ...glide(index % 8 === 7 ? index - 1 : index),
    }));
    const source = {
      output_format: 'mp4',
      width,
      height,
      frame_rate: frameRate,
      duration: 5,
      fill_color: '#1b2a4a',
      elements,
    };
    return { source, limit: (film) => encoderAlone(context, film, [width, height]) };
  },
};

export const moreScenes = [slideshow, captions, gif, crowd, overVideo('S8a', 1.1, 3600)];
