/**
 * The shipped templates as pictures, drawn by gallery.mjs: the help's sheets, one of each family, and
 * docs/templates.jpg with three moments of each, to look at all of them side by side.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Pixels of a cell of the help's sheets, and what is drawn in it. */
export const sampleCell = { width: 300, height: 300, scale: 0.8 };

/** Shares of a film at which the contact sheet looks, and the one at which a film is whole. */
const [moments, best] = [[0.15, 0.5, 0.85], 0.6];
/** Seconds of films that say no length, and where the middle is between two scenes. */
const lengths = {
  'lower-third': 6,
  'slideshow-music': 14,
  'story-vertical': 12,
  'text-animations': 10,
};
const times = { 'lower-third': 2.8, 'text-animations': 1.5, 'slideshow-music': 2.5, captions: 2.6 };

/** All of them by family, each in the order of its folder. */
export function readSamples(folder) {
  const all = readdirSync(folder, { withFileTypes: true }).flatMap(({ name: id }) => {
    if (!existsSync(path.join(folder, id, 'about.json'))) return [];
    const read = (file) => JSON.parse(readFileSync(path.join(folder, id, file), 'utf8'));
    const document = read('source.json');
    const length = document.output_format === 'png' ? 0 : (document.duration ?? lengths[id]);
    const time = times[id] ?? length * best;
    return [{ ...read('about.json'), id, document, length, time }];
  });
  return [...new Set(all.map(({ family }) => family))].sort().map((family) => ({
    family,
    samples: all.filter((one) => one.family === family).sort((a, b) => (a.id < b.id ? -1 : 1)),
  }));
}

/** Where each template stands on the contact sheet, and when it is looked at. */
export function contactCells(families) {
  const [columns, wide, high, gap] = [4, 480, 196, 16];
  const all = families.flatMap(({ samples }) => samples);
  const cells = all.map(({ id, name, document, length }, index) => ({
    ...{ id, name, document },
    // A still is the same at all of them.
    times:
      length === 0 ? [0, 0, 0] : moments.map((share) => Math.round(share * length * 100) / 100),
    x: gap + (index % columns) * (wide + gap),
    y: gap + Math.floor(index / columns) * (high + gap),
    width: wide,
  }));
  const rows = Math.ceil(all.length / columns);
  return { cells, width: gap + columns * (wide + gap), height: gap + rows * (high + gap) };
}
