/** The engine's drawing library under Node: Skia, by @napi-rs/canvas. */
import {
  createCanvas,
  ImageData,
  Path2D,
  SvgExportFlag,
  type SKRSContext2D,
} from '@napi-rs/canvas';
import { nearest } from '../../shared/engine/homography.ts';
import { setTextDefaults } from '../../shared/engine/paint/text-defaults.ts';
import type { Projection, Surface } from '../../shared/engine/surface.ts';
import { freeReadPixels, letGo } from './garbage.ts';
import { openRoutines, type Routines } from './routines.ts';

/** For `drawWith`. It only receives objects that it made. */
export const canvasSurface: Surface = {
  createCanvas,
  createPath: (from?: Path2D | string) => new Path2D(from),
  createPixels: (data, width, height) => new ImageData(data, width, height),
  createTiles: (ctx: SKRSContext2D, pixels: ImageData) => ctx.createPattern(pixels, 'repeat'),
  // `trim` and `simplify` modify their path.
  trimmed: (path: Path2D, start, end, isInverted) => new Path2D(path).trim(start, end, isInverted),
  united: (path: Path2D) => new Path2D(path).simplify(),
  boundsOf: (path: Path2D) => path.getBounds(),
  pathData: (path: Path2D) => path.toSVGString(),
  lettersAsPaths(text, { font, letterSpacing, direction, width, height, baseline }) {
    // Only the SVG export returns letters as paths. Such a canvas has no pixels, so its size costs nothing.
    const canvas = createCanvas(width, height, SvgExportFlag.ConvertTextToPaths);
    const ctx = canvas.getContext('2d');
    setTextDefaults(ctx);
    ctx.font = font;
    ctx.letterSpacing = `${letterSpacing}px`;
    ctx.direction = direction;
    ctx.fillText(text, 0, baseline);
    const svg = canvas.getContent().toString();
    return [...svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/g)].map(([, data = '']) => data);
  },
  settle(ctx: SKRSContext2D) {
    // The library keeps the pictures that were drawn on a canvas until it is read for the second time, with something
    // drawn between. Drawn on after that, it would take the memory of two; so it does after many drawings.
    for (let reading = 1; reading <= 2; reading++) {
      ctx.fillRect(-2, -2, 1, 1);
      ctx.getImageData(0, 0, 1, 1);
    }
  },
  project: projectPicture,
  freeUnused: freeReadPixels,
};

type Project = (
  rgba: number,
  width: number,
  height: number,
  map: number,
  furthest: number,
  samples: number,
  result: number,
  wide: number,
  high: number,
) => void;

/** The routine's memory is kept up to so many bytes: a picture and a result of 1080p. */
const keptBytes = 40 * 2 ** 20;

let kept: (Routines & { readonly size: number }) | null = null;

/** Draws pictures through projective maps with a WebAssembly routine (encode/project.wasm.ts). */
export function projectPicture(projection: Projection): void {
  const { from, width, height, onto, ontoWidth, ontoHeight, back, samples } = projection;
  const result = Math.ceil((width * height * 4) / 16) * 16 + 16;
  const map = result + ontoWidth * ontoHeight * 4;
  const { bytes, routines } = opened(map + back.length * 4);
  const pixels = from.getImageData(0, 0, width, height);
  bytes.set(pixels.data);
  letGo(pixels.data);
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  back.forEach((value, index) => numbers.setFloat32(map + index * 4, value, true));
  // The module is ours and has this export.
  const project = routines['project'] as Project;
  project(0, width, height, map, 1 / nearest, samples, result, ontoWidth, ontoHeight);
  const drawn = new Uint8ClampedArray(bytes.buffer, result, ontoWidth * ontoHeight * 4);
  onto.putImageData(new ImageData(drawn, ontoWidth, ontoHeight), 0, 0);
}

function opened(size: number): Routines {
  if (kept && kept.size >= size) return kept;
  const routines = { ...openRoutines(size), size };
  if (size <= keptBytes) kept = routines;
  return routines;
}
