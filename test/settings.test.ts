/** Every setting has a test of its effect, and that test exists. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { defaultSettings } from '../server/store/settings.ts';
import { desktopSwitches } from '../shared/desktop.ts';
import { ownSettings, settingSections, shownSettings, type Setting } from '../shared/settings.ts';
import {
  desktopEffects,
  serverEffects,
  windowEffects,
  type EffectTest,
} from './helpers/setting-effects.ts';

const root = path.join(import.meta.dirname, '..');
const sourceOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Names of fields of an object in a source, by its beginning and end. */
function fieldsOf(file: string, from: string, to: string): string[] {
  const [, rest = ''] = sourceOf(file).split(from);
  const [body = ''] = rest.split(to);
  const found = [...body.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name);
  expect(found.length, file).toBeGreaterThan(4);
  return found;
}

test('each setting of the server has a row', () => {
  expect(Object.keys(serverEffects).sort()).toEqual(Object.keys(defaultSettings).sort());
});

test('each setting of the window has a row', () => {
  expect(Object.keys(windowEffects).sort()).toEqual([...ownSettings].sort());
});

test('each setting is in one section of the page', () => {
  const placed: readonly Setting[] = Object.values(settingSections).flat();
  const shown = [...shownSettings, ...ownSettings, ...desktopSwitches];
  expect([...placed].sort()).toEqual(shown.sort());
});

test('each setting of the desktop program has a row, but what it remembers for itself', () => {
  const remembered = ['places', 'lastDisplay', 'language', 'keepAwake'];
  const own = [...remembered, 'softwareDrawing', 'testedVersion'];
  const settings = fieldsOf('main/settings.ts', 'const settings = z.object({', '\n});');
  const asked = settings.filter((name) => !own.includes(name));
  expect(Object.keys(desktopEffects).sort()).toEqual([...asked, 'openAtLogin'].sort());
});

test.each<[string, EffectTest]>([
  ...Object.entries(serverEffects),
  ...Object.entries(windowEffects),
  ...Object.entries(desktopEffects),
])('the test of %s exists', (setting, [file, title]) => {
  expect(existsSync(path.join(root, 'test', file)), file).toBe(true);
  const source = sourceOf(`test/${file}`);
  const isThere = [`'${title}'`, `\`${title}\``].some((quoted) => source.includes(quoted));
  expect(isThere, `${setting}: no test '${title}' in test/${file}`).toBe(true);
});
