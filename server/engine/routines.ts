/**
 * The WebAssembly routines that work on pixels (encode/*.wasm.ts), each time with separate memory. Runs in the worker.
 */
import { existsSync, readFileSync } from 'node:fs';

/**
 * The part of the WebAssembly interface used here: Node has it, but its types come with the DOM's, which this process
 * doesn't have.
 */
interface WebAssemblyInterface {
  readonly Memory: new (size: { initial: number; maximum: number }) => {
    readonly buffer: ArrayBuffer;
  };
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}
// The declaration above is what the language's standard promises.
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyInterface };

/** Routines and the memory that they work in. */
export interface Routines {
  readonly bytes: Uint8Array;
  readonly routines: Readonly<Record<string, unknown>>;
}

/** Converts planes at `y`, `u`, `v` to RGBA, both in the memory of the routines; `rows` and `width` are even. */
export type ToRgba = (
  y: number,
  u: number,
  v: number,
  width: number,
  rows: number,
  rgba: number,
) => void;

/** Converts planes of 16 bits to RGBA by the tables at `tables`; see standard.wasm.ts. */
export type Standardize = (
  tables: number,
  planes: number,
  pixels: number,
  hasAlpha: number,
  rgba: number,
) => void;

/** Lays premultiplied bytes over others, by how much they cover; all three have one stride. */
export type LayRows = (
  plane: number,
  own: number,
  cover: number,
  width: number,
  rows: number,
  stride: number,
) => void;

const page = 65536;

let compiled: object | undefined;

/**
 * Opens the routines with so many bytes of memory, which cost nothing until used.
 *
 * @throws Error if they were not built.
 */
export function openRoutines(size: number): Routines {
  const pages = Math.ceil(size / page);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  compiled ??= new WebAssembly.Module(readRoutine());
  const instance = new WebAssembly.Instance(compiled, { env: { memory, abort } });
  return { bytes: new Uint8Array(memory.buffer), routines: instance.exports };
}

/** The routine is beside the bundle; when the sources run directly (tests), in dist/. */
function readRoutine(): Uint8Array<ArrayBuffer> {
  const places = [
    new URL('./pixels.wasm', import.meta.url),
    new URL('../../dist/server/pixels.wasm', import.meta.url),
  ];
  const place = places.find((url) => existsSync(url));
  if (!place) throw new Error('pixels.wasm was not built: run "npm run build" first');
  return new Uint8Array(readFileSync(place));
}

function abort(): never {
  throw new Error('pixels.wasm stopped: it was given memory it does not have');
}

/** Undoes the canvas's premultiplication, in place. @returns True when any pixel is not opaque. */
export function straightenAlpha(rgba: Uint8Array | Uint8ClampedArray): boolean {
  let transparent = false;
  for (let index = 3; index < rgba.length; index += 4) {
    const alpha = rgba[index] ?? 0;
    if (alpha === 255) continue;
    transparent = true;
    if (alpha === 0) continue;
    for (let channel = index - 3; channel < index; channel++) {
      rgba[channel] = Math.min(255, Math.round(((rgba[channel] ?? 0) * 255) / alpha));
    }
  }
  return transparent;
}
