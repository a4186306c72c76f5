/**
 * The editor in Chromium against the real server, worker and preview engine: from a template to a file, what is wrong
 * with a source, two windows, a crash while typing, and the same by keyboard.
 */
import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openTemplate, sourceOf, titleOf, unfold } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test, type Program } from './program.ts';

/** Opens a template's editor by its address and waits until there is a picture, or the reason why not. */
async function openEditor(page: Page, program: Program, id: string): Promise<void> {
  await openTemplate(page, program, id);
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  // The wait for quiet comes before a new picture is asked for.
  await page.waitForTimeout(350);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute(
    'data-state',
    /ready|stale|blank/,
  );
}

const picture = (page: Page): Promise<string | null> =>
  page.getByTestId('editor-preview').getByRole('img').getAttribute('src');

async function readTemplate(
  program: Program,
  id: string,
): Promise<{ name: string; source: typeof promo }> {
  const response = await fetch(`${program.apiUrl}/v2/templates/${id}`, {
    headers: { Authorization: `Bearer ${program.apiKey}` },
  });
  // The API's own form.
  return (await response.json()) as { name: string; source: typeof promo };
}

async function changeTemplate(program: Program, id: string, change: object): Promise<void> {
  await fetch(`${program.apiUrl}/v2/templates/${id}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${program.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  });
}

test('open, fill a field, see it, save, render with other values: the file plays', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({
    name: 'Main path',
    tags: ['promo'],
    source: promo,
  });
  await page.goto(program.windowUrl);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page
    .getByTestId(`template-card-${id}`)
    .getByRole('button', { name: 'Main path', exact: true })
    .click();
  const editor = page.getByTestId('page-editor');
  await expect(editor).toHaveAttribute('data-dirty', 'false');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  const before = await picture(page);

  await titleOf(page).fill('Autumn sale');
  await expect(editor).toHaveAttribute('data-dirty', 'true');
  await expect(sourceOf(page)).toContainText('"text": "Autumn sale"');
  await expect.poll(() => picture(page)).not.toBe(before);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(editor).toHaveAttribute('data-dirty', 'false');
  expect((await readTemplate(program, id)).source.elements[1]!.text).toBe('Autumn sale');

  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Render “Main path”' });
  await unfold(dialog, 'Size and frame rate');
  await dialog.getByLabel('Scale').fill('0.5');
  await unfold(dialog, 'For developers');
  await dialog.getByLabel('Other changes (JSON)').fill('{ "Title": "Only today" }');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await dialog.getByRole('button', { name: 'Copy as cURL' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const sent = page.waitForRequest((request) => {
    const body = request.postDataJSON() as { dry_run?: boolean } | null;
    return request.url().endsWith('/renders') && body?.dry_run !== true;
  });
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const request = await sent;
  expect(JSON.parse(/-d '([^]*)'$/.exec(copied)![1]!)).toEqual(request.postDataJSON());
  await expect(dialog).toBeHidden();
  const created = (await (await request.response())!.json()) as { id: string };
  const record = await program.finished(created.id);
  expect(record).toMatchObject({
    status: 'succeeded',
    modifications: { Title: 'Only today' },
    width: 320,
    height: 180,
    duration: 4,
  });
  await page.getByTestId('toasts').getByRole('button', { name: 'Watch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show in the queue' }).click();
  await expect(page.getByTestId('page-queue')).toBeVisible();
  const length = await page.evaluate(
    (address) =>
      new Promise<number>((resolve, reject) => {
        const video = document.createElement('video');
        video.onloadeddata = () => resolve(video.duration);
        video.onerror = () => reject(new Error(video.error?.message));
        video.src = address;
      }),
    `/renders/${created.id}.mp4`,
  );
  expect(length).toBeCloseTo(4, 1);
});

test('text that is no JSON is one error with its place; the rest keeps the last good state', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'No JSON', source: promo });
  await openEditor(page, program, id);
  await sourceOf(page).fill('{\n  "width": 640,\n  "elements": [],\n}');
  await page.getByRole('tab', { name: 'Problems' }).click();
  const item = page.getByRole('list', { name: 'Problems' }).getByRole('listitem');
  await expect(item).toHaveCount(1);
  await expect(item).toContainText('This is not JSON');
  await expect(item).toContainText(/line [34]/);
  await expect(titleOf(page)).toHaveValue('Hello there');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'stale');
  await expect(page.getByRole('button', { name: 'Render…' })).toBeDisabled();
  await item.getByRole('button', { name: 'Fix: Remove the trailing comma' }).click();
  await expect(item).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Problems' })).toBeFocused();
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'blank');
});

test('F120: two windows: the second to save is told, sees the difference, and chooses', async ({
  page,
  context,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Shared', source: promo });
  await openEditor(page, program, id);
  const other = await context.newPage();
  await openEditor(other, program, id);
  await titleOf(page).fill('From the first');
  await titleOf(other).fill('From the second');
  await other.keyboard.press('Control+s');
  await expect(other.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  const bar = page.getByTestId('editor-conflict');
  await expect(bar).toContainText('This template was changed at');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');
  expect((await readTemplate(program, id)).source.elements[1]!.text).toBe('From the second');
  await bar.getByRole('button', { name: 'Show difference' }).click();
  const dialog = page.getByRole('dialog', { name: 'Differences from the saved template' });
  await expect(dialog.locator('.out')).toHaveText(/From the second/);
  await expect(dialog.locator('.in')).toHaveText(/From the first/);
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Keep mine' }).click();
  // The bar went, the focus has a place.
  await expect(page.locator('#field-0')).toBeFocused();
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  expect((await readTemplate(program, id)).source.elements[1]!.text).toBe('From the first');

  // The other window has nothing unsaved: it shows the new version and says so.
  await expect(titleOf(other)).toHaveValue('From the first');
  await titleOf(other).fill('Mine again');
  await changeTemplate(program, id, { source: { ...promo, width: 320 } });
  await other.getByTestId('editor-conflict').getByRole('button', { name: 'Take theirs' }).click();
  await expect(sourceOf(other)).toContainText('"width": 320');
  await expect(other.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  await other.keyboard.press('Control+z');
  await expect(titleOf(other)).toHaveValue('Mine again');
});

test('F119: a crash of server and window while typing loses at most two seconds', async ({
  page,
  context,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Crash', source: promo });
  await openEditor(page, program, id);
  await titleOf(page).fill('Not saved yet');
  await pause(2_600);
  const runtime = path.join(program.dataFolder, 'runtime.json');
  const { pid } = JSON.parse(readFileSync(runtime, 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  await page.close();
  await pause(300);
  await program.start();

  const again = await context.newPage();
  await openEditor(again, program, id);
  const bar = again.getByTestId('editor-recovered');
  await expect(bar).toContainText('were recovered');
  await expect(titleOf(again)).toHaveValue('Not saved yet');
  await expect(again.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');
  expect((await readTemplate(program, id)).source.elements[1]!.text).toBe('Hello there');
  await bar.getByRole('button', { name: 'Discard' }).click();
  await expect(titleOf(again)).toHaveValue('Hello there');
  await expect(again.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  await again.reload();
  await expect(again.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await expect(again.getByTestId('editor-recovered')).toHaveCount(0);
});

test('one history for form, outline and source; the keys of the editor', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Keys', source: promo });
  await openEditor(page, program, id);
  const editor = page.getByTestId('page-editor');

  await titleOf(page).fill('First');
  await page.getByRole('tab', { name: 'Outline' }).click();
  const tree = page.getByRole('tree', { name: 'Outline' });
  await tree.getByRole('treeitem', { name: /^Badge/ }).click();
  await page.keyboard.press('Delete');
  await expect(tree.getByRole('treeitem')).toHaveCount(2);
  await page.keyboard.press('Alt+3');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\n"note": 1,');
  await expect(sourceOf(page)).toContainText('"note"');
  for (
    let tries = 0;
    tries < 12 && (await editor.getAttribute('data-dirty')) === 'true';
    tries += 1
  ) {
    await page.keyboard.press('Control+z');
  }
  await expect(editor).toHaveAttribute('data-dirty', 'false');
  await expect(tree.getByRole('treeitem')).toHaveCount(5);
  await page.keyboard.press('Control+Shift+z');
  await expect(editor).toHaveAttribute('data-dirty', 'true');
  await page.keyboard.press('Control+z');

  // Tab indents inside; Esc and Tab leave.
  await page.keyboard.press('Tab');
  await expect(editor).toHaveAttribute('data-dirty', 'true');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(sourceOf(page)).not.toBeFocused();

  // F8 goes from problem to problem.
  await page.keyboard.press('Alt+3');
  await sourceOf(page).fill(JSON.stringify({ ...promo, width: -4, fill_color: 'dirt' }, null, 2));
  await expect(editor).toHaveAttribute('data-valid', 'false');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await expect(page.getByText('Ln 3,')).toBeVisible();
  await page.keyboard.press('F8');
  await expect(page.getByText('Ln 7,')).toBeVisible();
  await page.keyboard.press('Shift+F8');
  await expect(page.getByText('Ln 3,')).toBeVisible();

  // The preview: frames, seconds, a typed time, play.
  await page.keyboard.press('Control+z');
  await settled(page);
  await page.keyboard.press('Alt+2');
  const preview = page.getByTestId('editor-preview');
  // The outline shows the moment at which a selected element is there.
  await page.keyboard.press('Home');
  await expect(preview).toHaveAttribute('data-frame', '0');
  await page.keyboard.press('ArrowRight');
  await expect(preview).toHaveAttribute('data-frame', '1');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(preview).toHaveAttribute('data-frame', '26');
  await page.keyboard.press('End');
  await expect(preview).toHaveAttribute('data-frame', '99');
  await page.keyboard.press('Control+g');
  await page.getByRole('textbox', { name: 'Go to time' }).fill('1.2');
  await page.keyboard.press('Enter');
  await expect(preview).toHaveAttribute('data-frame', '30');
  const slider = page.getByRole('slider', { name: 'Time', exact: true });
  await expect(slider).toHaveAttribute('aria-valuetext', '00:01.20 of 00:04.00');
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(preview).toHaveAttribute('data-frame', '0');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect
    .poll(async () => Number(await preview.getAttribute('data-frame')))
    .toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Pause' }).click();
});

test('the outline renames, moves, hides, adds and marks', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Outline', source: promo });
  await openEditor(page, program, id);
  await page.getByRole('tab', { name: 'Outline' }).click();
  const tree = page.getByRole('tree', { name: 'Outline' });
  const item = (name: RegExp): Locator => tree.getByRole('treeitem', { name });
  await item(/^Ground/).click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name of Ground' }).fill('Floor');
  await page.keyboard.press('Enter');
  await expect(item(/^Floor/)).toBeFocused();
  // The front first: up is over what was above it.
  await page.keyboard.press('Alt+ArrowUp');
  await expect(tree.getByRole('treeitem').last()).toHaveAccessibleName(/^Title/);
  await expect(item(/^Floor/)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(item(/^Disc/)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(item(/^Badge/)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(item(/^Price/)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(item(/^Badge/)).toBeFocused();

  await settled(page);
  const before = await picture(page);
  await page.getByRole('button', { name: 'Hide Title in the preview' }).click();
  await expect.poll(() => picture(page)).not.toBe(before);
  await expect(sourceOf(page)).not.toContainText('"visible"');
  // What is hidden stays hidden while its place changes, and Undo in the message is for the deletion only.
  await item(/^Floor/).click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(item(/hidden in the preview/)).toHaveAccessibleName(/^Title/);
  await page.keyboard.press('Delete');
  await expect(item(/hidden in the preview/)).toHaveAccessibleName(/^Title/);
  const undo = page.getByTestId('toasts').getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(item(/^Floor/)).toBeVisible();
  await expect(item(/hidden in the preview/)).toHaveAccessibleName(/^Title/);
  await item(/^Floor/).click();
  await page.keyboard.press('Delete');
  await item(/^Title/).click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Show in the preview' }).click();
  await expect(item(/hidden in the preview/)).toHaveCount(0);
  await expect(undo).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await expect(item(/^Floor/)).toBeVisible();
  await expect(undo).toHaveCount(0);
  await item(/^Floor/).click();
  await page.keyboard.press('Alt+ArrowUp');
  await settled(page);
  await expect.poll(() => picture(page)).toBe(before);

  await item(/^Title/).click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Unmark as field' }).click();
  await item(/^Title/).click();
  await page.getByRole('button', { name: 'Add element' }).click();
  await page.getByRole('menuitem', { name: 'Image' }).click();
  await expect(item(/^Image/)).toBeVisible();
  // Its file may be chosen at once, or later.
  await expect(page.getByRole('dialog', { name: 'Choose a file' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Fields' }).click();
  await expect(titleOf(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Add field…' }).click();
  await page.getByRole('menuitem', { name: 'Image' }).click();
  const address = page.getByRole('group', { name: 'Fields' }).getByLabel('Image', { exact: true });
  await address.fill('no-such-file.png');
  await page.getByRole('tab', { name: 'Problems' }).click();
  await expect(page.getByRole('list', { name: 'Problems' })).toContainText('Image.source');
  // What drawing notices is marked in the source as well.
  await page.getByTestId('problem-text').filter({ hasText: 'Image.source' }).click();
  await expect(page.locator('.cm-lintRange-warning').last()).toHaveText(/no-such-file/);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  const { elements } = (await readTemplate(program, id)).source;
  expect(elements.map(({ name }) => name)).toEqual(['Title', 'Floor', 'Badge', 'Image']);
});

test('completion and hover know the language; the copied code runs nothing but a request', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Words', source: promo });
  await openEditor(page, program, id);
  await sourceOf(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\n"snap');
  const options = page.getByRole('listbox').getByRole('option');
  await expect(options.first()).toContainText('snapshot');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  await page.getByText('"frame_rate"', { exact: true }).hover();
  await expect(page.locator('.cm-explain')).toContainText('Frames per second');

  for (const [language, words] of [
    ['cURL', 'curl -X POST'],
    ['Node', 'await fetch('],
    ['Python', 'urllib.request'],
    ['PHP', 'curl_init('],
  ] as const) {
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.getByRole('menuitem', { name: `Copy as ${language}` }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(words);
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toContain(id);
    expect(text).not.toContain(program.apiKey);
  }
});

test('is handed over to other programs as a file, and says what is not in it', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'For: others', source: promo });
  await openEditor(page, program, id);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Timeline for other programs (OTIO)' }).click();
  expect((await download).suggestedFilename()).toBe('For others.otio');
  const file = readFileSync(await (await download).path(), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ OTIO_SCHEMA: 'Timeline.1', name: 'For: others' });
  const toast = page.getByTestId('toasts');
  await expect(toast).toContainText('The file can’t say all about');
  await toast.getByRole('button', { name: 'Copy what is missing' }).click();
  const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('its lettering and place');
  // What can't be written says why.
  await page.getByRole('button', { name: 'Use', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Captions as SRT' }).click();
  await expect(toast).toContainText('found none. Give a text a transcript_source');
});

test('a template that is deleted while it is open says so', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Going', source: promo });
  await openEditor(page, program, id);
  await fetch(`${program.apiUrl}/v2/templates/${id}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${program.apiKey}` },
  });
  await expect(page.getByText('This template is in the Trash.')).toBeVisible();
  await page.getByRole('button', { name: 'Back to templates' }).click();
  await expect(page.getByTestId('page-templates')).toBeVisible();
});
