/** Draws pictures through projective maps with a WebAssembly routine (encode/project.wasm.ts). Runs in the worker. */
import { ImageData } from '@napi-rs/canvas';
import { nearest } from '../../shared/engine/homography.ts';
import type { Projection } from '../../shared/engine/surface.ts';
import { letGo } from './garbage.ts';
import { openRoutines, type Routines } from './routines.ts';

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

/** Implements `Surface.project`. */
export function projectPicture(projection: Projection): void {
  const { from, width, height, onto, ontoWidth, ontoHeight, back, samples } = projection;
  const result = Math.ceil((width * height * 4) / 16) * 16 + 16;
  const map = result + ontoWidth * ontoHeight * 4;
  const { bytes, routines } = opened(map + back.length * 4);
  const pixels = from.getImageData(0, 0, width, height);
  bytes.set(pixels.data);
  letGo(pixels.data);
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  back.forEach((value, index) => {
    numbers.setFloat32(map + index * 4, value, true);
  });
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
