/**
 * The window's drawing worker draws what the file will show: its frames beside the server's, of the samples. A dozen of
 * them here; `LONG=1 npx playwright test engine-parity` takes every one and prints a line for each, `PARITY=video`
 * those whose names begin so. `PARITY_FOLDER=FOLDER` takes the documents of a folder instead, at the size of a preview,
 * and `PARITY_SAVE=FOLDER` leaves the pictures of both there.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { previewSide } from '../../shared/preview.ts';
import { localised, makePlaceholders, readJson } from '../helpers/foreign.ts';
import { isLong } from '../helpers/long.ts';
import { exceptions, leastOf } from './engine/parity-bounds.ts';
import { openParity, sampleNamed, type Compared, type Measured } from './engine/parity.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** Trims, text, shadows, groups, masks, pictures, videos, emoji that are pictures, cuts between pixels. */
const few = [
  'animation-circular-wipe',
  'captions-karaoke',
  'composition-blend',
  'effect-key',
  'effect-look',
  'effect-shadow',
  'emoji-style-twitter',
  'font-keyframes',
  'image-animated-gif',
  'image-cover',
  'image-smart-crop',
  'keyframes-position',
  'layout-repeat-turned',
  'shape-border-radius',
  'text-gradient',
  'text-padding',
  'transition-circular-wipe',
  'video-trim',
];

test('the drawing worker’s frames are those of the samples', async ({ page }) => {
  const parity = await openParity(page);
  try {
    // An exception of a sample that is gone would be forgotten.
    for (const name of Object.keys(exceptions))
      expect(existsSync(path.join(root, 'test', 'samples', name)), name).toBe(true);
    for (const name of few) hold(name, await parity.measure(sampleNamed(name)));
  } finally {
    parity.close();
  }
});

/** Of the same families, of files that share letters, and of families that stand in for each other. */
const neighbours = [
  'font-script-chinese-simplified',
  'font-script-chinese-traditional',
  'font-script-japanese',
  'font-weights-poppins',
  'emoji-sequences-twitter',
  'emoji-sequences-google',
];

test('a document looks the same whatever was drawn before it', async ({ browser }) => {
  test.setTimeout(180_000);
  const alone = new Map<string, string>();
  for (const name of neighbours) {
    const page = await browser.newPage();
    const parity = await openParity(page);
    alone.set(name, await parity.draw(sampleNamed(name)));
    parity.close();
    await page.close();
  }
  const page = await browser.newPage();
  const parity = await openParity(page);
  try {
    for (const name of [...neighbours, ...neighbours.toReversed()]) {
      const drawn = await parity.draw(sampleNamed(name));
      expect(drawn, name).toMatch(/^data:image\/png/);
      expect(drawn === alone.get(name), `${name}, drawn after others`).toBe(true);
    }
  } finally {
    parity.close();
    await page.close();
  }
});

const saved = process.env['PARITY_SAVE'];
if (saved !== undefined) mkdirSync(saved, { recursive: true });

test('every sample, measured', async ({ page }) => {
  const wanted = process.env['PARITY'] ?? (isLong ? '' : undefined);
  test.skip(wanted === undefined, 'minutes of work: LONG=1');
  test.setTimeout(0);
  const parity = await openParity(page, [], saved);
  try {
    for (const entry of readdirSync(path.join(root, 'test', 'samples'), { withFileTypes: true })) {
      const isWanted = entry.name.startsWith(wanted ?? '');
      if (!entry.isDirectory() || !isWanted) continue;
      const measured = await parity.measure(sampleNamed(entry.name));
      show(measured);
      hold(entry.name, measured);
    }
  } finally {
    parity.close();
  }
});

test('documents of a folder at the size of a preview, measured', async ({ page }) => {
  const folder = process.env['PARITY_FOLDER'] ?? '';
  test.skip(folder === '', 'PARITY_FOLDER names no folder');
  test.setTimeout(0);
  const scratch = mkdtempSync(path.join(tmpdir(), 'framewright-frames-'));
  const placeholders = path.join(scratch, 'placeholders');
  makePlaceholders(placeholders, (await findFfmpeg(undefined)).path);
  const folders = [placeholders, path.join(root, 'resources', 'samples')];
  const parity = await openParity(page, folders, saved);
  try {
    for (const compared of documentsIn(folder)) {
      await parity.measure(compared).then(show, (error: unknown) => {
        console.log(`${compared.name}: ${String(error)}`);
      });
    }
  } finally {
    parity.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** Every moment of a sample is as near as the bound of it says. */
function hold(name: string, measured: readonly Measured[]): void {
  const least = leastOf(name, sampleNamed(name).source);
  for (const { moment, result } of measured) {
    const place = `${name} at ${moment} s: ${result}`;
    expect.soft(typeof result, place).toBe('number');
    if (typeof result === 'number') expect.soft(result, place).toBeGreaterThanOrEqual(least);
  }
}

function show(measured: readonly Measured[]): void {
  for (const { name, moment, result } of measured) {
    const shown = typeof result === 'number' ? `${result.toFixed(1)} dB` : result;
    console.log(`${name} at ${moment} s: ${shown}`);
  }
}

/** Documents that lie in a folder, or in folders of their own in it; those from elsewhere with media that lie here. */
function* documentsIn(folder: string): Generator<Compared> {
  for (const name of readdirSync(folder)) {
    const own = path.join(folder, name, 'source.json');
    const isOwn = existsSync(own);
    if (!isOwn && !name.endsWith('.json')) continue;
    const source = isOwn
      ? readJson(own)
      : { ...localised(readJson(path.join(folder, name))), fonts: [] };
    yield { name: name.replace('.json', ''), source, side: previewSide };
  }
}
