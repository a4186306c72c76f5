/** Compiles the four routines. Called by build.mjs; not part of the product. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes the WebAssembly module with the routines that work on pixels.
 *
 * @param {string} outFile Absolute path of the file, `dist/server/pixels.wasm`.
 */
export async function buildPixels(outFile) {
  const { default: asc } = await import('assemblyscript/asc');
  const sources = [
    new URL('./pixels.wasm.ts', import.meta.url),
    new URL('./enlarge.wasm.ts', import.meta.url),
    new URL('./project.wasm.ts', import.meta.url),
    new URL('./standard.wasm.ts', import.meta.url),
  ].map((url) => path.basename(fileURLToPath(url)));
  const folder = path.dirname(fileURLToPath(import.meta.url));
  await mkdir(path.dirname(outFile), { recursive: true });
  const { error, stderr } = await asc.main([
    ...sources,
    ...['--baseDir', folder],
    // The compiler knows forward slashes only.
    ...['--outFile', path.relative(folder, outFile).replaceAll(path.sep, '/')],
    ...['--enable', 'simd'],
    ...['--runtime', 'stub'],
    // The memory comes from pixels.ts, which knows the size of a frame.
    '--importMemory',
    '--noAssert',
    '-O3',
  ]);
  if (error) throw new Error(`${sources.join(', ')}: ${error.message}\n${stderr.toString()}`);
}
