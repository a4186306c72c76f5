/**
 * The picture at the top of the README, drawn by gallery.mjs: moments of the shipped templates, each where it stands.
 */

/** Pixels of the picture. */
export const overviewSize = { width: 1600, height: 900 };

/** Pixels of the three shapes of a narrow column, and of those in the middle. */
const tall = { width: 300, height: 533 };
const square = { width: 300, height: 319 };
const low = { width: 300, height: 151 };
const wide = { width: 302, height: 170 };
const box = { width: 302, height: 317 };

/**
 * @type {readonly { sample: string, time: number, x: number, y: number, width: number, height: number, ground?: string
 * }[]}
 */
export const overviewCells = [
  { sample: 'story-vertical', time: 2, x: 16, y: 16, ...tall },
  { sample: 'channel-intro', time: 3.5, x: 16, y: 565, ...low },
  { sample: 'year-in-numbers', time: 8, x: 16, y: 732, ...low },
  { sample: 'product-spotlight', time: 5, x: 332, y: 16, ...square },
  { sample: 'recipe-steps', time: 10, x: 332, y: 351, ...tall },
  { sample: 'title-film', time: 5, x: 648, y: 16, ...wide },
  { sample: 'apartment-tour', time: 6, x: 966, y: 16, ...wide },
  { sample: 'title-editorial', time: 4, x: 648, y: 202, width: 620, height: 349 },
  { sample: 'data-ring', time: 5, x: 648, y: 567, ...box },
  { sample: 'house-for-sale', time: 5, x: 966, y: 567, ...box },
  { sample: 'sale-bold', time: 4.5, x: 1284, y: 16, ...tall },
  { sample: 'end-screen', time: 6, x: 1284, y: 565, ...low },
  { sample: 'data-columns', time: 6, x: 1284, y: 732, ...low },
];
