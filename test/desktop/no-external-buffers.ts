/**
 * A copy of the drawing library that meets Electron's rule: no memory of a library may become a buffer of JavaScript.
 * There the two calls that would make one answer 22 (`napi_no_external_buffers_allowed`), and the library has to copy.
 * Linux with glibc.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const calls = ['napi_create_external_buffer', 'napi_create_external_arraybuffer'];
/**
 * A call of glibc's that answers 22 (EINVAL) unless its first value is 0 or 1, and touches nothing then. The first
 * value of the two is the address of the environment.
 */
const answering22 = 'pthread_setcancelstate';

/** The package of the drawing library for this machine; null where there is none of the kind. */
export function findLibrary(): string | null {
  const require = createRequire(createRequire(import.meta.url).resolve('@napi-rs/canvas'));
  try {
    return require.resolve(`@napi-rs/canvas-linux-${process.arch}-gnu`);
  } catch {
    return null;
  }
}

/** Writes the copy into a folder. @returns its path, for NAPI_RS_NATIVE_LIBRARY_PATH */
export function writeLibrary(library: string, folder: string): string {
  const bytes = readFileSync(library);
  for (const name of calls) {
    // In the table of what the library takes from elsewhere, where each name ends with a zero.
    const place = bytes.indexOf(`\0${name}\0`, 0, 'latin1');
    if (place < 0) throw new Error(`${library} does not call ${name} any more`);
    bytes.fill(0, place + 1, place + 1 + name.length);
    bytes.write(answering22, place + 1, 'latin1');
  }
  const copy = path.join(folder, 'drawing.node');
  writeFileSync(copy, bytes);
  return copy;
}
