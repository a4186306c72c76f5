/**
 * The WebAssembly routines that work on pixels (encode/pixels.wasm.ts), each time with separate memory. Runs in the worker.
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
