/**
 * What a new user does, who never sees JSON: from an empty start to a reel with photos, transitions, a moving title,
 * captions, music and a logo that is rendered and watched, a clip that is cut, a table that becomes films, each action
 * counted. `STEP_PICTURES=FOLDER` keeps a picture
 * of each step.
 */
import type { Locator, Page } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { archive, spreadsheet } from '../helpers/spreadsheet.ts';
import { codeOf, openTemplate } from './editor-page.ts';
import { checkRules } from './look.ts';
import { expect, openWindow, test } from './program.ts';

const folder = process.env['STEP_PICTURES'] ?? '';
const mediaFolder = path.resolve(import.meta.dirname, '../../resources/samples/media');
const inFolder = (names: readonly string[]): string[] =>
  names.map((name) => path.join(mediaFolder, name));

/** What ffmpeg says about a file, with its loudness. */
async function factsOf(file: string): Promise<string> {
  const { path: ffmpeg } = await findFfmpeg(undefined);
  const args = ['-hide_banner', '-i', file, '-af', 'volumedetect', '-f', 'null', '-'];
  return spawnSync(ffmpeg, args, { encoding: 'utf8' }).stderr;
}

/** Counts what a person does, and keeps a picture of each state. */
class Actions {
  readonly #page: Page;
  readonly #name: string;
  count = 0;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
  }

  /** One click, drag, choice of files, or text typed. */
  async do(what: string, act: () => Promise<unknown>): Promise<void> {
    await test.step(what, act);
    this.count += 1;
    if (folder === '') return;
    const file = `${this.#name}-${String(this.count).padStart(2, '0')}-${what.replace(/\W+/g, '-')}.png`;
    await this.#page.waitForTimeout(400);
    await this.#page.screenshot({ path: path.join(folder, file) });
  }
}

const headline = {
  ...{ type: 'text', text: 'Headline', y: '80%', width: '86%', height: '16%' },
  ...{ x_alignment: '50%', font_weight: '700', fill_color: '#ffffff' },
};
const captionTexts = ['Three days in the desert.', 'One lake.', 'And a long way home.'];

test('three photos, transitions, titles, captions, music and a logo become a reel in thirty actions, without JSON', async ({
  page,
  program,
}, info) => {
  test.setTimeout(300_000);
  page.setDefaultTimeout(30_000);
  await program.remember({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(program.windowUrl);
  const actions = new Actions(page, 'reel');
  const preview = page.getByTestId('editor-preview');
  const isDrawn = async (): Promise<void> =>
    expect(preview).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  const panel = page.getByTestId('add-panel');
  const piece = (name: string): Locator =>
    panel.getByTestId('piece-tiles').getByRole('button', { name, exact: true });
  const inspector = page.getByTestId('inspector');
  const library = panel.getByTestId('media-panel');
  const addFiles = async (names: readonly string[]): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await library.getByRole('button', { name: 'Add files…' }).last().click();
    await (await chooser).setFiles(inFolder(names));
    for (const name of names)
      await expect(library.getByRole('option', { name: new RegExp(`^${name},`) })).toBeVisible();
  };
  /** To a place of the picture, in shares of it. */
  const dragToPicture = async (from: Locator, x: number, y: number): Promise<void> => {
    const frame = page.locator('#editor-stage .frame');
    const box = (await frame.boundingBox())!;
    await from.dragTo(frame, { targetPosition: { x: box.width * x, y: box.height * y } });
  };

  await actions.do('reel', () => page.getByRole('button', { name: /^Reel,/ }).click());
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByRole('textbox', { name: 'Template name' })).toBeFocused();
  await actions.do('name', () => page.keyboard.type('Desert days'));
  await checkRules(page, 'add panel');

  await actions.do('media', () => panel.getByRole('radio', { name: 'Media' }).check());
  await actions.do('photos', () => addFiles(['dunes.jpg', 'lake.jpg', 'dawn.jpg']));
  await actions.do('all three', () =>
    library.getByRole('button', { name: 'Add 3 files to the film' }).click(),
  );
  await isDrawn();
  await checkRules(page, 'media panel');

  await actions.do('a cut', () =>
    page
      .getByRole('button', { name: /^Add a transition/ })
      .first()
      .click(),
  );
  const choices = page.getByTestId('transition-panel');
  await actions.do('push left', () => choices.getByRole('button', { name: 'Push left' }).click());
  await actions.do('to all cuts', () =>
    choices.getByRole('button', { name: 'To all 2 cuts' }).click(),
  );
  await actions.do('close', () => page.keyboard.press('Escape'));

  await actions.do('to the start', () =>
    preview.getByRole('button', { name: 'To the start' }).click(),
  );
  await actions.do('elements', () => panel.getByRole('radio', { name: 'Elements' }).check());
  await actions.do('title', () => piece('Title').click());
  await actions.do('words', () =>
    inspector.getByRole('textbox', { name: 'Text', exact: true }).fill('Above the dunes'),
  );
  await actions.do('animation', () =>
    inspector.getByRole('button', { name: /^Animation/ }).click(),
  );
  await actions.do('add', () => inspector.getByRole('button', { name: 'Add animation' }).click());
  await actions.do('text slide', () =>
    page.getByTestId('animation-tiles').getByRole('button', { name: 'Text slide' }).click(),
  );
  await actions.do('lower third', () => piece('Lower third').click());

  await actions.do('captions', () => page.getByRole('tab', { name: 'Captions' }).click());
  const captions = page.getByTestId('captions');
  await actions.do('type or paste', () =>
    captions.getByRole('button', { name: 'Type or paste them' }).click(),
  );
  await actions.do('paste', () => paste(page, captionTexts.join(' ')));
  for (const [index, text] of captionTexts.entries())
    await expect(
      captions.getByRole('textbox', { name: new RegExp(`^Line ${index + 1},`) }),
    ).toHaveValue(text);

  await actions.do('add again', () => page.getByRole('tab', { name: 'Add' }).click());
  await actions.do('media again', () => panel.getByRole('radio', { name: 'Media' }).check());
  await actions.do('music and logo', () => addFiles(['tune.m4a', 'logo.svg']));
  await actions.do('music', () => library.getByRole('option', { name: /^tune/ }).dblclick());
  await actions.do('logo', () =>
    dragToPicture(library.getByRole('option', { name: /^logo/ }), 0.85, 0.08),
  );
  await isDrawn();
  const tune = page.getByRole('gridcell', { name: /^Audio tune,/ });
  await tune.click({ position: { x: 60, y: 23 } });
  await actions.do('fade out', async () => {
    const { x, y } = (await page.getByTestId('fade-end').boundingBox())!;
    await page.mouse.move(x + 7, y + 6);
    await page.mouse.down();
    await page.mouse.move(x - 80, y + 6, { steps: 4 });
    await page.mouse.up();
  });

  await actions.do('render', () => page.getByRole('button', { name: 'Render…' }).click());
  const dialog = page.getByRole('dialog', { name: 'Render “Desert days”' });
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await actions.do('queue', () => dialog.getByRole('button', { name: 'Add to queue' }).click());
  const { id } = (await (await sent).json()) as { id: string };
  const toasts = page.getByTestId('toasts');
  await expect(toasts).toContainText('Desert days – Above the dunes is done', { timeout: 180_000 });
  await actions.do('watch', () => toasts.getByRole('button', { name: 'Watch' }).click());
  await expect(page.getByRole('dialog', { name: 'Desert days – Above the dunes' })).toBeVisible();

  const render = await program.readRender(id);
  const file = info.outputPath('desert-days.mp4');
  writeFileSync(file, Buffer.from(await (await fetch(render.url)).arrayBuffer()));
  const facts = await factsOf(file);
  expect(facts).toMatch(/Video: h264.* 1080x1920/);
  expect(facts).toMatch(/Audio: aac/);
  expect(facts).toMatch(/Duration: 00:00:12\.0/);
  expect(Number(/mean_volume: (-?[\d.]+) dB/.exec(facts)?.[1])).toBeGreaterThan(-50);
  // The source was there all the time, one tab away, and nobody looked.
  expect(await program.remembered()).not.toHaveProperty('editorInspects');
  expect(actions.count).toBeLessThanOrEqual(30);
  if (folder !== '') console.log(`reel: ${actions.count} actions, ${file}`);
});

test('a clip is trimmed, split twice, one part removed, made faster and quieter in twelve actions', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  page.setDefaultTimeout(30_000);
  await program.remember({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${program.windowUrl}&page=home`);
  const actions = new Actions(page, 'cut');
  const clips = page.getByRole('gridcell', { name: /^Video/ });
  const ruler = page.getByTestId('timeline-ruler');
  const boxOf = async (of: Locator): Promise<{ x: number; y: number; width: number }> =>
    (await of.boundingBox())!;
  const pull = async (from: Locator, by: readonly [number, number]): Promise<void> => {
    const { x, y, width } = await boxOf(from);
    const { height } = (await from.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + by[0], y + height / 2 + by[1], { steps: 5 });
    await page.mouse.up();
  };
  /** A share of the film on the ruler. */
  const goTo = async (share: number): Promise<void> => {
    const [first, { y }] = [await boxOf(clips.first()), await boxOf(ruler)];
    const last = await boxOf(clips.last());
    await page.mouse.click(first.x + (last.x + last.width - first.x) * share, y + 12);
  };

  await actions.do('video', () => page.getByRole('button', { name: /^YouTube video/ }).click());
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await actions.do('drop a clip', () => dropFile(page, path.join(mediaFolder, 'sea.mp4')));
  await expect(clips).toHaveCount(1);
  await expect(page.getByTestId('footage')).toBeVisible();
  const whole = (await boxOf(clips.first())).width;
  await actions.do('trim', () => pull(clips.first().getByTestId('trim-end'), [-whole * 0.2, 0]));
  await expect(clips.first()).toHaveAccessibleName(/to 00:04\.8/);
  await actions.do('to the first cut', () => goTo(0.3));
  await actions.do('split', () => page.keyboard.press('s'));
  await expect(clips).toHaveCount(2);
  await actions.do('to the second cut', () => goTo(0.6));
  await actions.do('split again', () => page.keyboard.press('s'));
  await expect(clips).toHaveCount(3);
  await actions.do('the middle', () => clips.nth(1).click());
  await actions.do('remove', () => page.keyboard.press('Delete'));
  await expect(clips).toHaveCount(2);
  await actions.do('the last', () => clips.nth(1).click({ position: { x: 30, y: 24 } }));
  await actions.do('quieter', () => pull(page.getByTestId('loudness'), [0, 7]));
  const speed = page.getByTestId('inspector').getByRole('textbox', { name: 'Speed' });
  await actions.do('faster', () => speed.fill('200'));
  await page.keyboard.press('Tab');

  await page.getByRole('tab', { name: 'Source' }).click();
  await expect
    .poll(async () => {
      const { elements } = JSON.parse(await codeOf(page)) as {
        elements: readonly Record<string, unknown>[];
      };
      return elements.map(({ volume, speed: made }) => [volume, made]);
    })
    .toEqual([
      [undefined, undefined],
      ['50%', '200%'],
    ]);
  // Nothing is left between them.
  const [first, second] = [await boxOf(clips.first()), await boxOf(clips.nth(1))];
  expect(Math.abs(first.x + first.width - second.x)).toBeLessThan(3);
  expect(actions.count).toBeLessThanOrEqual(12);
});

/** As a file is dropped on the picture. */
async function dropFile(page: Page, file: string): Promise<void> {
  const content = readFileSync(file).toString('base64');
  const transfer = await page.evaluateHandle(
    ([data, name]) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const made = new DataTransfer();
      made.items.add(new File([bytes], name, { type: 'video/mp4' }));
      return made;
    },
    [content, path.basename(file)] as const,
  );
  for (const kind of ['dragover', 'drop'])
    await page.locator('#editor-stage').dispatchEvent(kind, { dataTransfer: transfer });
}

/** As Ctrl+V does, where the page may not read the clipboard. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

test('a table of twelve rows with pictures becomes twelve films in fifteen actions', async ({
  page,
  own,
}) => {
  test.setTimeout(240_000);
  await own.createTemplate({
    name: 'Offer',
    source: {
      ...{ output_format: 'mp4', width: 360, height: 640, duration: 1, frame_rate: 10 },
      elements: [
        { type: 'image', name: 'Photo', dynamic: true, source: 'media/lake.jpg' },
        { ...headline, name: 'Headline', dynamic: true },
      ],
    },
  });
  const pictures = path.join(own.dataFolder, 'Pictures of the autumn');
  mkdirSync(pictures);
  const rows = Array.from({ length: 12 }, (_, index) => {
    const picture = `IMG_${2041 + index}.jpg`;
    const photo = ['dunes.jpg', 'dawn.jpg', 'forest.jpg'][index % 3]!;
    copyFileSync(path.join(mediaFolder, photo), path.join(pictures, picture));
    return [`Offer ${index + 1}`, picture];
  });
  const table = path.join(pictures, 'Offers.xlsx');
  writeFileSync(table, archive(spreadsheet([['Headline', 'Bild'], ...rows])));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(own.windowUrl);
  const actions = new Actions(page, 'feed');
  const button = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  await actions.do('feeds', () => page.getByRole('link', { name: 'Feeds' }).click());
  await actions.do('import', () => button('Import…'));
  await actions.do('file', () =>
    page.getByRole('dialog').locator('input[type=file]').setInputFiles(table),
  );
  await actions.do('rows', () => button('Import 12 rows'));
  await actions.do('templates', () => button('Choose a template'));
  await actions.do('template', () => page.getByRole('menuitemradio', { name: 'Offer' }).click());
  const mapping = page.getByRole('dialog', { name: 'What fills the template' });
  await actions.do('column', () => mapping.getByLabel('Photo is filled with').selectOption('Bild'));
  await actions.do('save', () => mapping.getByRole('button', { name: 'Save' }).click());
  const files = page.getByTestId('feed-files');
  await expect(files).toContainText('12 files of this table are missing.');
  await actions.do('their folder', () =>
    files.getByRole('button', { name: 'Their folder…' }).click(),
  );
  await expect(page.getByLabel('Folder', { exact: true })).toBeFocused();
  await actions.do('its path', () => page.keyboard.type(pictures));
  await actions.do('enter', () => page.keyboard.press('Enter'));
  await expect(files).not.toContainText('missing');
  await actions.do('render', () => button('Render…'));
  await expect(page.getByText('All of these rows are fine.')).toBeVisible();
  await actions.do('all', () => button('Render 12 rows'));
  for (let row = 1; row <= 12; row++)
    await expect(page.getByTestId(`feed-row-${row}`)).toHaveAttribute('data-status', 'succeeded', {
      timeout: 120_000,
    });
  expect(actions.count).toBeLessThanOrEqual(15);
  if (folder !== '') console.log(`feed: ${actions.count} actions`);
});

test('the same way by keys alone; then another format, as one step and as a copy', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await program.remember({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await openWindow(page, program);
  await page.keyboard.press('Control+n');
  const sizes = page.getByRole('dialog', { name: 'New template' });
  await expect(sizes.getByRole('radio', { name: /^Instagram Reel/ })).toBeFocused();
  // The next group begins behind the four vertical ones.
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
  }
  await expect(sizes.getByRole('radio', { name: /^Full HD/ })).toBeFocused();
  await checkRules(page, 'new template', '[role=dialog]');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.keyboard.press('Alt+1');
  await expect(page.getByRole('tab', { name: 'Add' })).toBeFocused();
  const name = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent.trim() ?? '');
  for (let presses = 0; (await name()) !== 'Title' && presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
  }
  expect(await name()).toBe('Title');
  await page.keyboard.press('Enter');
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key);
  expect(await name()).toBe('Lower third');
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready', { timeout: 30_000 });
  await expect(page.getByRole('gridcell', { name: /^Composition Lower third,/ })).toHaveCount(1);
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  await test.step('another format', async () => {
    await page.keyboard.press('Alt+2');
    await page.keyboard.press('Escape');
    const open = page.getByRole('button', { name: 'Change the format…' });
    await open.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Change the format' });
    await expect(dialog.getByTestId('resized-picture').locator('img')).toBeVisible();
    await checkRules(page, 'another format', '[role=dialog]');
    if (folder !== '') await page.screenshot({ path: path.join(folder, '20-format.png') });
    await dialog.getByRole('button', { name: 'Save as a copy' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('toasts')).toContainText(
      /“Untitled( \d)? \(1080×1920\)” was created\./,
    );
    await expect(open).toBeFocused();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Change', exact: true }).focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(inspectedWidth(page)).toHaveValue('1080');
    await page.keyboard.press('Control+z');
    await expect(inspectedWidth(page)).toHaveValue('1920');
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  });
});

test('what a brand has comes first, and new elements use it', async ({ page, program }) => {
  await program.remember({});
  const source = { output_format: 'mp4', width: 640, height: 360, duration: 2, elements: [] };
  const { id } = await program.createTemplate({ name: 'Branded', source });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Brand…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Brand of/ });
  await dialog.getByRole('button', { name: 'Add a colour' }).click();
  await dialog.getByLabel('Colour 1', { exact: true }).fill('#c0267f');
  await dialog.getByLabel('Font of titles').selectOption('Lobster');
  await checkRules(page, 'brand', '[role=dialog]');
  if (folder !== '') await page.screenshot({ path: path.join(folder, '21-brand.png') });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByTestId('toasts')).toContainText('The brand is saved.');

  const piece = (name: string) =>
    page.getByTestId('piece-tiles').getByRole('button', { name, exact: true });
  await piece('Title').click();
  const inspector = page.getByTestId('inspector');
  await expect(inspector.getByRole('button', { name: 'Font: Lobster' })).toBeVisible();
  await piece('Star').click();
  await inspector
    .getByRole('button', { name: /colour picker/ })
    .first()
    .click();
  const known = page.getByRole('group', { name: 'Brand colours' }).getByRole('button');
  await expect(known.first()).toHaveAttribute('aria-label', '#c0267f');
  if (folder !== '') await page.screenshot({ path: path.join(folder, '22-branded.png') });
});

test('a template gets the brand as one step, with colours that go with it', async ({
  page,
  program,
}) => {
  await program.remember({});
  const source = {
    output_format: 'png',
    width: 640,
    height: 360,
    fill_color: '#ff4d2e',
    elements: [
      {
        type: 'text',
        name: 'Title',
        text: 'Sale',
        font_family: 'Anton',
        font_size: '20 vmin',
        fill_color: '#ffffff',
      },
    ],
  };
  const { id } = await program.createTemplate({ name: 'To brand', source });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  const run = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const [toasts, editor] = [page.getByTestId('toasts'), page.getByTestId('page-editor')];
  await run('Brand…');
  const dialog = page.getByRole('dialog', { name: /^Brand of/ });
  // Another test may have left something there. The dialog is loaded when its fonts are.
  for (const font of ['Font of titles', 'Font of texts'])
    await dialog.getByLabel(font).selectOption('');
  const remove = dialog.getByRole('button', { name: /^Remove (?:colour|logo)/ });
  while ((await remove.count()) > 0) await remove.first().click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toasts).toContainText('The brand is saved.');
  // Nothing is chosen: it is asked for, and used as soon as it is saved.
  await run('Use my brand');
  await dialog.getByRole('button', { name: 'Add a colour' }).click();
  await dialog.getByLabel('Colour 1', { exact: true }).fill('#14213d');
  await dialog.getByRole('button', { name: 'Opposite' }).click();
  await expect(dialog.getByLabel('Colour 2', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'For grounds' }).click();
  await expect(dialog.getByRole('button', { name: 'For grounds' })).toHaveCount(0);
  await dialog.getByLabel('Font of titles').selectOption('Lobster');
  if (folder !== '') await page.screenshot({ path: path.join(folder, '23-harmonies.png') });
  await dialog.getByRole('button', { name: 'Save and use' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(toasts).toContainText('Your brand is used: 2 colours, 1 font.');
  await expect(editor).toHaveAttribute('data-dirty', 'true');
  if (folder !== '') await page.screenshot({ path: path.join(folder, '24-brand-used.png') });
  await toasts.getByRole('button', { name: 'Undo' }).click();
  await expect(editor).toHaveAttribute('data-dirty', 'false');
});

const inspectedWidth = (page: Page) =>
  page.getByTestId('inspector').getByRole('group', { name: 'Size' }).getByRole('textbox').first();
