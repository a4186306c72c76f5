/** The benchmark's scenes that are rates: cards a second (S5), and time per frame with many elements (S8b). */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { median, renderInTurn, renderOnce } from './measure.mjs';
import { drawPhoto, fontFamily, frameRate, height, width } from './scenes.mjs';

/** Cards that are drawn one after the other; the first ones warm the worker up. */
const cards = { warm: 5, counted: 50 };

/**
 * Social cards from one worker: photo of 12 megapixels, gradient, three texts with shadow. `ratio` is cards a second.
 */
export async function measureCards({ folder, program }) {
  const media = path.join(folder, 'S5');
  await mkdir(media, { recursive: true });
  await writeFile(path.join(media, 'photo.jpg'), await drawPhoto(4000, 3000).encode('jpeg', 90));
  const text = (number, y) => ({
    type: 'text',
    track: y,
    text: `Card number ${number}`,
    y: `${y * 25}%`,
    width: '80%',
    font_family: fontFamily,
    font_weight: 700,
    font_size: 64,
    fill_color: '#fff',
    shadow_color: 'rgba(0,0,0,0.6)',
    shadow_blur: 12,
    shadow_y: 4,
  });
  const veil = {
    type: 'shape',
    track: 2,
    path: 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z',
    width: '100%',
    height: '100%',
    fill_mode: 'linear',
    fill_color: [
      { offset: '0%', color: 'rgba(0,0,0,0)' },
      { offset: '100%', color: 'rgba(0,0,0,0.8)' },
    ],
  };
  const sources = Array.from({ length: cards.warm + cards.counted }, (_, number) => ({
    output_format: 'jpg',
    width: 1080,
    height: 1080,
    elements: [
      { type: 'image', track: 1, source: 'photo.jpg' },
      veil,
      ...[1, 2, 3].map((line) => ({ ...text(number, line), track: 2 + line })),
    ],
  }));
  const options = { folder, mediaFolder: media, ffmpegPath: program };
  const all = await renderInTurn(sources, { ...options, outputPath: path.join(folder, 'S5.jpg') });
  const counted = all.slice(cards.warm);
  const seconds = counted.reduce((sum, card) => sum + card.seconds, 0);
  const perSecond = cards.counted / seconds;
  return {
    name: 'S5',
    perSecond: Math.round(perSecond * 10) / 10,
    goal: 12,
    seconds,
    peakMemoryMb: Math.max(...counted.map(({ peakMemoryMb }) => peakMemoryMb ?? 0)),
  };
}

/** Texts one after another, five at a time: time per frame of a minute, as a ratio to that of six seconds. */
export async function measureManyTexts({ folder, program, rounds }) {
  const film = (count) => ({
    output_format: 'mp4',
    width,
    height,
    frame_rate: frameRate,
    duration: count * 0.06,
    elements: Array.from({ length: count }, (_, index) => ({
      type: 'text',
      track: 1 + (index % 5),
      time: index * 0.06,
      duration: 0.3,
      text: `Text ${index}`,
      y: `${15 + (index % 5) * 17}%`,
      font_family: fontFamily,
      font_size: 80,
      fill_color: '#fff',
    })),
  });
  const options = { folder, mediaFolder: folder, ffmpegPath: program };
  const [short, long] = [[], []];
  let peakMemoryMb = 0;
  for (let round = 0; round < rounds; round++) {
    const six = await renderOnce({
      source: film(100),
      ...options,
      outputPath: path.join(folder, 'S8b-short.mp4'),
    });
    const sixty = await renderOnce({
      source: film(1000),
      ...options,
      outputPath: path.join(folder, 'S8b.mp4'),
    });
    short.push(six.seconds);
    long.push(sixty.seconds);
    peakMemoryMb = Math.max(peakMemoryMb, sixty.peakMemoryMb ?? 0);
  }
  const ratio = median(long) / (10 * median(short));
  return {
    name: 'S8b',
    ratio: Math.round(ratio * 1000) / 1000,
    goal: 1.1,
    seconds: median(long),
    peakMemoryMb,
  };
}
