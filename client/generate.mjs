/**
 * Makes the client's types in client/generated/, which is not kept: from the server's OpenAPI document and the JSON
 * Schema of the language. build.mjs and the check run it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = path.dirname(import.meta.dirname);

/** Writes the files. Dates don't count: what is in this folder is no source of the build. */
export async function generateTypes() {
  // Inside of the project, where Node finds the packages that stay outside. A build and a check may run at once.
  const bundle = path.join(root, `dist/client-types-${process.pid}.mjs`);
  const built = await rolldown({
    input: path.join(root, 'server/api/client-types.ts'),
    platform: 'node',
    external: /^[^./]/,
    transform: { target: 'node20.19' },
    logLevel: 'warn',
    checks: { bundlerTimings: false },
  });
  await built.write({ file: bundle, format: 'esm', codeSplitting: false });
  await built.close();
  const { files } = await import(pathToFileURL(bundle).href);
  rmSync(bundle);
  const folder = path.join(root, 'client/generated');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files())) writeFileSync(path.join(folder, name), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateTypes();
