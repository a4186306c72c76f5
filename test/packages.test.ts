/** The lock file must install everywhere: every platform of a package with prebuilt parts is in it, and no address is. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
}

const file = path.join(import.meta.dirname, '..', 'package-lock.json');
// npm wrote the file; only the two members above are read.
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };

test('every optional package is locked, for other systems too', () => {
  // npm leaves out platforms that the registry at hand lacks, and `npm ci` then refuses the whole lock file.
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !(`node_modules/${name}` in packages) && !(`${place}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});

test('no entry names a registry', () => {
  const addresses = Object.values(packages).filter(({ resolved }) => resolved?.includes('://'));
  expect(addresses).toEqual([]);
});
