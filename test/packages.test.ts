/**
 * The lock file must install everywhere: every platform of a package with prebuilt parts is in it, and no address is.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

interface Entry {
  readonly version?: string;
  readonly link?: boolean;
  readonly engines?: unknown;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
}

const root = path.join(import.meta.dirname, '..');
const file = path.join(root, 'package-lock.json');
/** `node_modules/a/node_modules/b` → `b` */
const nameOf = (place: string): string => place.replace(/^.*node_modules\//, '');
// npm wrote the file; only the members above are read.
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

test('every package with an install step is let run it, or is not', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const withSteps = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(Object.keys(allowScripts)).toEqual(withSteps.map(([place]) => nameOf(place)).sort());
});

test('every package is for Node 20.19, but for those that were tried', async () => {
  const { satisfies } = createRequire(import.meta.url)('semver') as {
    satisfies: (version: string, range: string) => boolean;
  };
  const demanding = Object.entries(packages)
    .filter(([, { engines }]) => {
      const range = (engines as { node?: unknown } | undefined)?.node;
      return typeof range === 'string' && !satisfies('20.19.0', range);
    })
    .map(([place]) => nameOf(place));
  expect(demanding).toEqual([
    ...['@electron-internal/extract-zip', '@electron/get', '@electron/rebuild'],
    ...['electron', 'node-abi', 'pg-boss'],
  ]);
  // pg-boss is not for the program as most have it; what is used of it is tested in test/jobs/farm.test.ts. What is
  // needed of the others: the download of Electron, and electron-builder, which loads the others.
  // (test/packages-app.test.ts packs with it.)
  for (const name of ['@electron/get', '@electron-internal/extract-zip', '@electron/rebuild']) {
    expect(Object.keys((await import(name)) as object)).not.toEqual([]);
  }
});

test('npm sbom --package-lock-only lists every locked package with its checksum', () => {
  const script = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: root, maxBuffer: 1 << 26, encoding: 'utf8' } as const;
  const format = ['--sbom-type', 'application', '--sbom-format', 'cyclonedx'];
  const { bomFormat, components } = JSON.parse(
    execFileSync(script, ['sbom', '--package-lock-only', ...format], options),
  ) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: unknown[] }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const locked = Object.entries(packages)
    .filter(([place, { link }]) => place.startsWith('node_modules/') && link !== true)
    .map(([place, { version }]) => `${nameOf(place)}@${version ?? ''}`);
  expect(locked.filter((one) => !listed.has(one))).toEqual([]);
  // SECURITY.md tells of these: the registry that the file was made with has no drawing library for other systems.
  const unchecked = components.filter(({ hashes = [] }) => hashes.length === 0);
  const others = unchecked.filter(({ name }) => !/^@napi-rs\/canvas-|^n8n-workflow$/.test(name));
  expect(others).toEqual([]);
});
