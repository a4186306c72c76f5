/** Speech and voices in the settings, as far as only a browser knows them: the way by keys, progress, files, sound. */
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { sharedMedia } from '../helpers/shared-media.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test } from './program.ts';

const finder = sharedMedia('whisper-vad-silero.bin');
const own = sharedMedia('whisper-test-random.bin');

test('a model is fetched, one is added and chosen, and a voice is heard', async ({
  page,
  program,
}) => {
  test.skip(finder === null || own === null, 'the models beside the repository are missing');
  const content = readFileSync(finder ?? '');
  let isSlow = true;
  // Models, and a voice that answers with silence.
  const standIn = createServer((request, response) => {
    if (request.method === 'POST') {
      response.end(silence());
      return;
    }
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    response.writeHead(start > 0 ? 206 : 200, start > 0 ? { 'content-range': range } : {});
    if (isSlow) response.write(content.subarray(start, content.length / 2));
    else response.end(content.subarray(start));
  });
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  await page.addInitScript(() => {
    const played: string[] = [];
    class Heard extends Audio {
      constructor(source?: string) {
        super(source);
        this.addEventListener('ended', () => played.push(source ?? ''));
      }
    }
    Object.assign(window, { Audio: Heard, played });
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Speech and voices', exact: true }).click();
  const section = page.getByRole('region', { name: 'Speech and voices' });
  await expect(section.getByTestId('speech-models')).toHaveAttribute('data-state', 'ready');
  await section.getByText('Files of your own, and another address').click();
  const mirror = section.getByLabel('Address of speech models');
  await mirror.fill(address);
  await mirror.press('Enter');
  await expect(section.getByText('Saved')).toBeVisible();

  // By keys alone, and the focus stays in the row.
  await section.getByRole('button', { name: 'Fetch Finder of speech' }).focus();
  await page.keyboard.press('Enter');
  const progress = section.getByRole('progressbar', { name: 'Fetching Finder of speech' });
  await expect(progress).toHaveAttribute('aria-valuenow', '50');
  await checkRules(page, 'speech, fetching', '#settings-speech');
  await section.getByRole('button', { name: 'Stop fetching Finder of speech' }).press('Enter');
  const goOn = section.getByRole('button', { name: 'Go on fetching Finder of speech' });
  await expect(goOn).toBeVisible();
  await expect(section.getByText(/44\d\skB of 885\skB/)).toBeVisible();
  isSlow = false;
  await goOn.click();
  await expect(section.getByRole('button', { name: 'Remove Finder of speech…' })).toBeVisible();

  const chooser = page.waitForEvent('filechooser');
  await section.getByRole('button', { name: 'Add a model…' }).click();
  await (
    await chooser
  ).setFiles([
    { name: 'mine.bin', mimeType: 'application/octet-stream', buffer: readFileSync(own ?? '') },
    { name: 'notes.bin', mimeType: 'text/plain', buffer: Buffer.from('Buy milk') },
  ]);
  await expect(section.getByRole('list', { name: 'Files being added' })).toContainText(
    'it is no model of whisper.cpp',
  );
  const mine = section.getByRole('radio', { name: 'mine' });
  await expect(section.getByText('In use')).toBeVisible();
  await section.getByRole('radio', { name: 'The best one that is there' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(mine).toBeChecked();

  await section.getByRole('button', { name: 'Add a voice' }).click();
  const voice = section.getByRole('list', { name: 'Voices' }).getByRole('listitem');
  await voice.getByRole('combobox', { name: 'Provider' }).selectOption('OpenAI');
  await voice.getByRole('combobox', { name: 'Who speaks' }).selectOption('A program or address');
  const hear = voice.getByRole('button', { name: 'Hear OpenAI' });
  await expect(hear).toHaveAttribute('aria-disabled', 'true');
  await voice.getByLabel('Address').fill(`${address}/v1`);
  await voice.getByLabel('Address').press('Enter');
  await hear.click();
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { played: string[] }).played))
    .toEqual([expect.stringMatching(/^blob:/)]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await checkRules(page, 'speech, dark', '#settings-speech');
  standIn.closeAllConnections();
  standIn.close();
});

/** A tenth of a second of nothing, as a wav. */
function silence(): Buffer {
  const samples = 800;
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 16_000],
    [40, samples * 2],
  ] as const)
    wav.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    wav.writeUInt16LE(value, at);
  wav.write('data', 36, 'latin1');
  return wav;
}
