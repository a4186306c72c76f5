/**
 * Captions beside the picture: every edit is one step in the document, shown at once, and taken back leaves the same
 * bytes.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { codeOf, openNewTemplate, openTemplate } from './editor-page.ts';
import { checkRules } from './look.ts';
import { expect, test } from './program.ts';
import { waveOf } from './wave.ts';

const document = {
  output_format: 'mp4',
  width: 1280,
  height: 720,
  duration: 8,
  frame_rate: 25,
  fill_color: '#24405c',
  elements: [
    {
      name: 'Speech',
      type: 'text',
      width: '90%',
      height: '30%',
      y: '75%',
      fill_color: '#ffffff',
      x_alignment: '50%',
      transcript_source:
        '1\n00:00:01,000 --> 00:00:03,000\nHello dear wrld\n\n2\n00:00:03,500 --> 00:00:05,000\nHow are you\n',
    },
  ],
};

const pane = (page: Page): Locator => page.getByTestId('captions');
const line = (page: Page, number: number): Locator =>
  pane(page).getByRole('textbox', { name: new RegExp(`^Line ${number},`) });
const linesOf = (page: Page): Promise<readonly string[]> =>
  pane(page)
    .locator('textarea')
    .evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).value));

/** What the source says, whichever tab is seen. */
async function textOf(page: Page): Promise<string> {
  await page.getByRole('tab', { name: 'Source' }).click();
  return codeOf(page);
}

const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ }).first().click();

test('captions are corrected, split, joined, shifted, added and deleted by keyboard, each one step', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, document, 'Spoken');
  await page.getByRole('tab', { name: 'Captions' }).click();
  await expect(line(page, 2)).toHaveValue('How are you');
  const before = await textOf(page);

  // Typing is one step, however many letters.
  await line(page, 1).fill('Hello dear world');
  await line(page, 1).press('End');
  await line(page, 1).pressSequentially('!?');
  await expect.poll(() => textOf(page)).toContain('"value": "world!?"');
  await undo(page);
  await expect.poll(() => textOf(page)).toBe(before);
  await line(page, 1).fill('Hello dear world');

  // Enter splits, Backspace at the start joins.
  await line(page, 1).press('Home');
  for (let letter = 0; letter < 6; letter++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => linesOf(page)).toEqual(['Hello', 'dear world', 'How are you']);
  await expect(line(page, 2)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect.poll(() => linesOf(page)).toEqual(['Hello dear world', 'How are you']);
  await expect(line(page, 1)).toBeFocused();
  await undo(page);
  await expect.poll(() => linesOf(page)).toEqual(['Hello', 'dear world', 'How are you']);
  await undo(page);
  await expect.poll(() => linesOf(page)).toEqual(['Hello dear world', 'How are you']);

  // A frame later, all others stay.
  await line(page, 2).focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(pane(page).getByRole('textbox', { name: 'Start of line 2' })).toHaveValue(
    '00:03.54',
  );
  await pane(page).getByRole('textbox', { name: 'End of line 2' }).fill('6.5');
  await page.keyboard.press('Enter');
  await expect(pane(page).getByRole('textbox', { name: 'End of line 2' })).toHaveValue('00:06.50');

  await line(page, 1).focus();
  await page.keyboard.press('Shift+Enter');
  await expect(line(page, 2)).toBeFocused();
  await page.keyboard.type('In between');
  await expect.poll(() => linesOf(page)).toEqual(['Hello dear world', 'In between', 'How are you']);
  await page.keyboard.press('Control+Shift+Delete');
  await expect.poll(() => linesOf(page)).toEqual(['Hello dear world', 'How are you']);
  // 36: behind the last letter, Enter begins the next line.
  await line(page, 1).press('End');
  await page.keyboard.press('Enter');
  await expect(line(page, 2)).toBeFocused();
  await page.keyboard.type('Next');
  await expect.poll(() => linesOf(page)).toEqual(['Hello dear world', 'Next', 'How are you']);
  await page.keyboard.press('Control+Shift+Delete');
  await expect.poll(() => linesOf(page)).toEqual(['Hello dear world', 'How are you']);

  // Clicking a word goes to its moment, and marks it: behind the last letter it is the last word.
  await line(page, 2).click();
  await expect(pane(page).getByTestId('caption-1')).toHaveAttribute('data-spoken', '2');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');

  await checkRules(page, 'captions');
});

test('subtitle files come in and go out; what can’t be read names its line', async ({
  page,
  program,
}) => {
  await openNewTemplate(
    page,
    program,
    { ...document, elements: [{ type: 'shape', width: '10%', height: '10%' }] },
    'Empty',
  );
  await page.getByRole('tab', { name: 'Captions' }).click();
  await expect(pane(page)).toHaveAttribute('data-state', 'none');
  const choose = async (name: string, content: string): Promise<void> => {
    await pane(page)
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  };
  const opened = page.waitForEvent('filechooser');
  await pane(page).getByRole('button', { name: 'Import SRT or VTT…' }).click();
  await (
    await opened
  ).setFiles({
    name: 'spoken.vtt',
    mimeType: 'text/vtt',
    buffer: Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nOne <00:01.500>two\n'),
  });
  await expect.poll(() => linesOf(page)).toEqual(['One two']);

  await choose('broken.srt', '1\n00:00:01,000 --> 00:00:02,000\nFine\n\n2\nlater --> 3\nNot\n');
  await expect(page.getByTestId('toasts')).toContainText('line 6');
  await expect.poll(() => linesOf(page)).toEqual(['One two']);

  const download = page.waitForEvent('download');
  await pane(page).getByRole('button', { name: 'File' }).click();
  await page.getByRole('menuitem', { name: /Export as VTT/ }).click();
  const file = await (await download).path();
  expect(readFileSync(file, 'utf8')).toBe(
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne <00:00:01.500>two\n',
  );

  // A style is chosen by its picture, and is one step.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await pane(page).getByRole('button', { name: 'Style' }).click();
  const looks = page.getByTestId('caption-looks');
  await expect(looks).toHaveAttribute('data-playing', 'true');
  await looks.getByRole('button', { name: 'Karaoke' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => textOf(page)).toContain('"transcript_effect": "karaoke"');
  await undo(page);
  await expect.poll(() => textOf(page)).toContain('"transcript_effect": "color"');
});

test('subtitles dropped on the captions, or anywhere on the editor, are imported as one step', async ({
  page,
  program,
}) => {
  const elements = [{ type: 'shape', width: '20%', height: '20%', fill_color: '#fff' }];
  await openNewTemplate(page, program, { ...document, elements }, 'Silent');
  const before = await textOf(page);
  const drop = async (target: Locator, name: string, content: string): Promise<void> => {
    const data = await page.evaluateHandle(
      ([called, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], called));
        return transfer;
      },
      [name, content] as const,
    );
    await target.dispatchEvent('dragover', { dataTransfer: data });
    await target.dispatchEvent('drop', { dataTransfer: data });
  };
  const srt = '1\n00:00:01,000 --> 00:00:02,000\nFrom a file\n';
  // On the picture, of which it is no part: the captions show.
  await drop(page.getByTestId('editor-preview'), 'Film.srt', srt);
  await expect.poll(() => linesOf(page)).toEqual(['From a file']);
  await undo(page);
  await expect.poll(() => textOf(page)).toBe(before);
  await drop(pane(page), 'Film.vtt', 'WEBVTT\n\n00:00.500 --> 00:02.000\nOther words\n');
  await expect.poll(() => linesOf(page)).toEqual(['Other words']);
  await drop(pane(page), 'Broken.srt', '1\n00:00:01,000 --> never\nx\n');
  await expect(page.getByText(/“Broken.srt” could not be read/)).toBeVisible();
  await expect.poll(() => linesOf(page)).toEqual(['Other words']);
});

test('speech is followed with one press, and styles show something while they are drawn', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  const elements: object[] = [];
  const { id } = await program.createTemplate({
    name: 'Spoken',
    source: { ...document, elements },
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  await page.getByRole('radio', { name: 'Media' }).check({ force: true });
  const panel = page.getByTestId('media-panel');
  const buffer = waveOf(Buffer.alloc(2 * 8_000 * 3, 9));
  await panel
    .locator('input[type="file"]')
    .setInputFiles({ name: 'speech.wav', mimeType: 'audio/wav', buffer });
  await panel.getByRole('option', { name: /^speech\.wav/ }).dblclick({ timeout: 60_000 });
  await page.getByRole('tab', { name: 'Captions' }).click();
  await pane(page).getByRole('button', { name: 'Follow speech' }).click();
  // There is no recogniser here: what is offered has its size.
  const told = page.getByTestId('transcribe');
  await expect(told).toHaveAttribute('data-state', 'none', { timeout: 60_000 });
  await expect(told).toContainText('190 MB');
  // Once it is there, the recording is heard without another press.
  const steps = ['{"state":"fetching","share":0.5}', '{"state":"ready"}', ''].join('\n');
  await page.route('**/api/preview/models/small-q5_1', (route) => route.fulfill({ body: steps }));
  const heardAgain = page.waitForRequest(/\/transcript$/);
  await told.getByRole('button', { name: 'Fetch the model' }).click();
  await heardAgain;
  await expect(told).toHaveAttribute('data-state', 'none', { timeout: 60_000 });

  await page.route('**/api/preview', () => undefined);
  await pane(page).getByRole('button', { name: 'Style' }).click();
  const tiles = page.getByTestId('caption-looks');
  await expect(tiles.locator('.stand')).toHaveCount(12);
  await expect(tiles.locator('.stand').first()).toBeVisible();
  const folder = process.env['LOOK_AT'];
  if (folder !== undefined) await page.screenshot({ path: path.join(folder, 'styles.png') });
});

test('C10: subtitles in a guessed encoding can be read in another one', async ({
  page,
  program,
}) => {
  const elements = [{ type: 'shape', width: '20%', height: '20%', fill_color: '#fff' }];
  await openNewTemplate(page, program, { ...document, elements }, 'Guessed');
  await page.getByRole('tab', { name: 'Captions' }).click();
  const times = '1\n00:00:01,000 --> 00:00:02,000\n';
  // "Ação" as older Macs write it; so short a text could as well be another.
  const buffer = Buffer.concat([Buffer.from(times), Buffer.from('418d8b6f0a', 'hex')]);
  await pane(page)
    .locator('input[type="file"]')
    .setInputFiles({ name: 'old.srt', mimeType: 'text/plain', buffer });
  await expect.poll(() => linesOf(page)).toEqual(['Ação']);
  await page.getByRole('button', { name: 'Other character set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Other character set' });
  const sample = dialog.getByTestId('encoding-sample');
  await expect(sample).toHaveText('Ação');
  await dialog.getByLabel('Character set').selectOption('DOS: Cyrillic');
  await expect(sample).toHaveText('AНЛo');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => linesOf(page)).toEqual(['AНЛo']);
});

test('a recording that the page does not know says so in the language of the window', async ({
  page,
  own,
}) => {
  await own.remember({ language: 'de' });
  const address = 'https://recordings.invalid/speech.wav';
  const [first] = document.elements;
  const elements = [{ ...first, transcript_source: address }];
  await openNewTemplate(page, own, { ...document, elements }, 'Fern');
  await page.getByRole('tab', { name: 'Untertitel' }).click();
  const reason = page.getByTestId('transcribe');
  await expect(reason).toContainText('Für diesen Text gibt es keine Wörter:');
  // What the program that draws says is quoted, and read out as English.
  await expect(reason.locator('[lang=en]')).not.toBeEmpty();
});
