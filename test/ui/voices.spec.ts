/** A voice in the film: a text that the computer speaks, and one that is recorded with the browser's own microphone. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { findChromium } from '../chromium.mjs';
import { codeOf, openNewTemplate } from './editor-page.ts';
import { expect, test } from './program.ts';

const hasEspeak =
  process.platform === 'linux' && spawnSync('espeak-ng', ['--version']).status === 0;

test.use({
  launchOptions: {
    executablePath: findChromium() ?? '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run'],
      // A microphone that beeps, and a person who allows it.
      ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    ],
  },
});

const film = {
  ...{ output_format: 'mp4', width: 640, height: 360, duration: 8 },
  elements: [{ type: 'shape', name: 'Ground', track: 1, width: '100%', height: '100%' }],
};

/** Runs a command by its name. */
async function run(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(name);
  await page.keyboard.press('Enter');
}

const clip = (page: Page, name: string): Locator =>
  page.getByTestId('timeline').getByRole('gridcell', { name: new RegExp(`^\\w+ ${name},`) });

test('a voice is recorded while the film plays, and used where it began', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, film);
  await run(page, 'Record a voice');
  const panel = page.getByTestId('record-panel');
  await expect(panel).toHaveAttribute('data-state', 'ready');
  await expect(panel.getByRole('button', { name: 'Record', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel).toHaveAttribute('data-state', 'counting');
  await page.keyboard.press('Enter');
  await expect(panel).toHaveAttribute('data-state', 'recording');
  // The film plays along.
  await expect
    .poll(async () => Number(await page.getByTestId('editor-preview').getAttribute('data-frame')))
    .toBeGreaterThan(10);
  await expect(panel.getByTestId('record-time')).toContainText(/0:0[1-9]/);
  await panel.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(panel).toHaveAttribute('data-state', 'made');
  await panel.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(panel).toHaveCount(0);
  // `as`: the text of the source is a document.
  const { elements } = JSON.parse(await codeOf(page)) as { elements: { source?: string }[] };
  const added = elements.at(-1);
  expect(added).toMatchObject({ type: 'audio', name: 'Recording' });
  expect(added?.source).toMatch(/^media:/);
  // The library of this server has no other file.
  const content = path.join(program.dataFolder, 'media', 'content');
  const [file = ''] = readdirSync(content);
  const bytes = readFileSync(path.join(content, file));
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
  const loudest = Array.from({ length: (bytes.length - 44) / 2 }, (_, at) =>
    Math.abs(bytes.readInt16LE(44 + at * 2)),
  ).reduce((most, one) => Math.max(most, one), 0);
  expect(loudest).toBeGreaterThan(1_000);
  await expect(clip(page, 'Recording').getByTestId('footage')).toBeVisible();
});

test('without a microphone the panel says what to do', async ({ page, program }) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('refused', 'NotAllowedError'));
  });
  await openNewTemplate(page, program, film);
  await run(page, 'Record a voice');
  const panel = page.getByTestId('record-panel');
  await expect(panel).toHaveAttribute('data-state', 'off');
  await expect(panel).toContainText('The microphone is not allowed here: allow it in');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
});

test('a text is heard, added with its length, and changed in the inspector', async ({
  page,
  program,
}) => {
  test.skip(!hasEspeak, 'espeak-ng is not installed');
  await program.remember({ editorInspects: true });
  await openNewTemplate(page, program, film);
  await page.getByRole('tab', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Voice', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a voice' });
  await expect(dialog.getByLabel('Text')).toBeFocused();
  await page.keyboard.type('Good morning.');
  await expect(dialog.getByLabel('Voice')).toHaveValue('system voice=en-us');
  await dialog.getByRole('button', { name: 'Hear' }).click();
  await expect(dialog.getByTestId('voice-dialog')).toHaveAttribute('data-state', 'playing');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(clip(page, 'Voice').getByTestId('footage')).toBeVisible();
  const control = page.getByTestId('voice-control');
  await expect(control.getByLabel('Text')).toHaveValue('Good morning.');
  const first = (await clip(page, 'Voice').boundingBox())?.width ?? 0;
  // What is typed is spoken once it is left, and the clip is as long as it takes.
  await control.getByLabel('Text').fill('Good morning, and welcome to the city in summer.');
  await control.getByLabel('Text').blur();
  await expect
    .poll(async () => (await clip(page, 'Voice').boundingBox())?.width ?? 0)
    .toBeGreaterThan(first * 1.5);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
});
