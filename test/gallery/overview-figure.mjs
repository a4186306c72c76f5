/**
 * The picture at the top of the README, drawn by gallery.mjs: moments of the sample templates, each where it stands.
 */

/** Pixels of the picture. */
export const overviewSize = { width: 1600, height: 900 };

/**
 * @type {readonly { sample: string, time: number, x: number, y: number, width: number, height: number, ground?: string
 * }[]}
 */
export const overviewCells = [
  { sample: 'story-vertical', time: 6.4, x: 20, y: 20, width: 484, height: 860 },
  { sample: 'slideshow-music', time: 2.5, x: 524, y: 20, width: 520, height: 292 },
  { sample: 'lower-third', time: 3, x: 1064, y: 20, width: 516, height: 292 },
  { sample: 'promo-square', time: 4, x: 524, y: 332, width: 338, height: 338 },
  { sample: 'quote-card', time: 0, x: 882, y: 332, width: 338, height: 338 },
  { sample: 'data-card', time: 4, x: 1240, y: 332, width: 340, height: 338 },
  { sample: 'text-animations', time: 1.5, x: 524, y: 690, width: 696, height: 190 },
  { sample: 'gif-sticker', time: 0.5, x: 1240, y: 690, width: 340, height: 190, ground: '#2a2d38' },
];
