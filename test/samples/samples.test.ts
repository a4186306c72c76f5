/**
 * Picture samples: every folder here holds a document (`source.json`), what it shows (`sample.json`, with the moments
 * to look at for moving ones) and the accepted pictures. Each is drawn by the real engine and compared.
 *
 *   npm test -- test/samples -t text-wrap          one sample
 *   SAMPLES_EVERY=10 npm test -- test/samples      one in ten
 *   UPDATE_SAMPLES=1 npm test -- test/samples      accept what is drawn now; look at the pictures before committing
 *
 * `npm run generate -- samples` makes a page that shows all of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { render } from '../../server/engine/render.ts';
import { engineLimits } from '../../shared/limits.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { comparePicture } from '../helpers/pictures.ts';

const folder = import.meta.dirname;
const scratch = mkdtempSync(path.join(tmpdir(), 'samples-'));
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
const every = Number(process.env['SAMPLES_EVERY'] ?? 1);

describe('samples', () => {
  test.skipIf(process.env.UPDATE_SAMPLES === '1')('the page of all can be made', () => {
    const script = path.join(folder, 'index.mjs');
    const made = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect(made.status, made.stderr).toBe(0);
  });

  for (const name of names.filter((_name, index) => index % every === 0)) {
    const { moments } = settingsOf(name);
    for (const moment of moments ?? [undefined]) {
      const title = moment === undefined ? name : `${name} at ${moment} s`;
      test(title, async () => {
        const picture = moment === undefined ? 'expected.png' : `expected-${moment.toFixed(2)}.png`;
        const drawn = path.join(scratch, `${name}-${picture}`);
        await drawSample(name, moment, drawn);
        const difference = comparePicture(drawn, path.join(folder, name, picture));
        expect(difference, difference ?? '').toBeNull();
      });
    }
  }
});

function settingsOf(name: string): { moments: readonly number[] | undefined } {
  const settings = readJson(path.join(folder, name, 'sample.json'));
  const { moments } = settings;
  if (moments === undefined) return { moments: undefined };
  if (!Array.isArray(moments))
    throw new Error(`${name}/sample.json: moments should be a list of seconds`);
  return { moments: moments.map(Number) };
}

/** @param moment Undefined for a picture, which has no time. */
async function drawSample(
  name: string,
  moment: number | undefined,
  outputPath: string,
): Promise<void> {
  const fixtures = path.join(folder, '..', 'fixtures');
  await render(
    {
      source: readJson(path.join(folder, name, 'source.json')),
      scaling: {},
      ...(moment !== undefined && { moment }),
      outputPath,
      snapshotPath: `${outputPath}.jpg`,
      workFolder: scratch,
      cacheFolder: path.join(scratch, 'cache'),
      mediaFolders: [fixtures],
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
}

function readJson(file: string): Source {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${file} should hold an object`);
  return value;
}
