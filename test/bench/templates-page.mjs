/**
 * How long the Templates page takes with the cards of many templates, in the system's Chromium:
 *
 *   npm run build && node test/bench/templates-page.mjs [cards, 45]
 *
 * Opens it five times by its address with a fresh browser context, and five times from Home, and tells the middle of
 * each in milliseconds: until the cards stand, and until those in sight have their pictures (drawn before). Asserts
 * nothing: times belong to the machine.
 */
/* global document, innerHeight, requestAnimationFrame -- inside of the page */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { findChromium } from '../chromium.mjs';

const cards = Number(process.argv[2] ?? 45);
const root = path.join(import.meta.dirname, '..', '..');
const samples = path.join(root, 'resources', 'samples');
const data = mkdtempSync(path.join(tmpdir(), 'framewright-bench-'));
const server = spawn(
  process.execPath,
  // prettier-ignore
  [
    path.join(root, 'dist', 'server', 'cli.mjs'), 'serve', '--data', data, '--port', '0', '--api-key', 'k', '--no-rate-limit',
    '--no-samples', '--media', samples,
  ],
  { stdio: 'ignore' },
);
let browser;
try {
  const runtime = path.join(data, 'runtime.json');
  while (!existsSync(runtime)) await pause(50);
  const { apiUrl, windowUrl } = JSON.parse(readFileSync(runtime, 'utf8'));
  const sources = readdirSync(samples)
    .filter((name) => existsSync(path.join(samples, name, 'about.json')))
    .map((name) => ({
      name,
      source: JSON.parse(readFileSync(path.join(samples, name, 'source.json'), 'utf8')),
    }));
  for (let index = 0; index < cards; index++) {
    const { name, source } = sources[index % sources.length];
    const answer = await fetch(`${apiUrl}/v2/templates`, {
      method: 'POST',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      body: JSON.stringify({ name: `${name} ${index}`, source, tags: ['bench', name] }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  browser = await chromium.launch({ executablePath: findChromium() });
  /** In the page, frame by frame: Playwright's own waiting would add to what is measured. */
  const watchCards = (from) =>
    new Promise((resolve) => {
      let stand;
      const look = () => {
        const all = [...document.querySelectorAll('[data-testid=page-templates] [data-template]')];
        const inSight = all.filter((card) => card.getBoundingClientRect().top < innerHeight);
        if (all.length > 0) stand ??= performance.now() - from;
        const isDrawn = inSight.every((card) => card.querySelector('img')?.complete === true);
        if (all.length > 0 && isDrawn) resolve([stand, performance.now() - from]);
        else requestAnimationFrame(look);
      };
      look();
    });
  const rows = { address: [], 'from Home': [] };
  const requests = [];
  for (let round = 0; round < 6; round++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await page.addInitScript(`window.watchCards = ${String(watchCards)};`);
    let count = 0;
    page.on('request', () => count++);
    await page.goto(`${windowUrl}&page=templates`);
    const byAddress = await page.evaluate(() => globalThis.watchCards(0));
    requests.push(count);
    await page.goto('about:blank');
    await page.goto(`${windowUrl}&page=home`);
    await page.waitForSelector('[data-testid=page-home][data-state=ready]');
    await pause(1_000);
    const fromHome = await page.evaluate(() => {
      const watched = globalThis.watchCards(performance.now());
      document.querySelector('a[href*="page=templates"]').click();
      return watched;
    });
    // The first round draws the pictures.
    if (round > 0) {
      rows.address.push(byAddress);
      rows['from Home'].push(fromHome);
    }
    await context.close();
  }
  const middle = (list) => Math.round([...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]);
  console.log(`${cards} templates, ms in the middle of five; ${middle(requests)} requests`);
  for (const [name, list] of Object.entries(rows)) {
    const [stand, shown] = [0, 1].map((at) => middle(list.map((one) => one[at])));
    console.log(`${name}: cards ${stand}, pictures ${shown}`);
  }
} finally {
  await browser?.close();
  server.kill();
  await pause(500);
  rmSync(data, { recursive: true, force: true });
}
