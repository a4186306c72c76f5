/**
 * The whole main path by keys: a new template, an edit, a render, and its file in the file manager. No pointer is used.
 */
import type { Page } from '@playwright/test';
import path from 'node:path';
import { desktopBridge, shownFiles } from './desktop-stand-in.ts';
import { codeOf, openNewTemplate } from './editor-page.ts';
import { differenceOf, pixelsOf } from './pixels.ts';
import { expect, openWindow, test } from './program.ts';

const picture = path.resolve(import.meta.dirname, '../../resources/samples/media/dawn.jpg');

/** Counts what a pointer does, so that the test can say that there was none. */
const countPointer = `
  window.pointer = 0;
  for (const type of ['pointerdown', 'mousedown', 'wheel', 'touchstart']) {
    addEventListener(type, () => { window.pointer += 1; }, { capture: true, passive: true });
  }
`;

/** Presses keys one after the other; after each the focus is on something that can be seen to have it. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await hasFocus(page, key);
  }
}

/** What is looked for after a page or a dialog has gone may come a moment later, but it comes. */
async function hasFocus(page: Page, after: string): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const { activeElement } = document;
          return activeElement !== null && activeElement !== document.body;
        }),
      { message: `the focus after ${after}`, timeout: 2000, intervals: [20, 60, 120] },
    )
    .toBe(true);
}

/** Presses a key until what has the focus is called so, as a screen reader says it. */
async function until(page: Page, key: string, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    await press(page, key);
    const said = await page.evaluate(() => {
      const { activeElement: element } = document;
      const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
      const labels = isField ? [...(element.labels ?? [])] : [];
      const label = labels.map(({ textContent }) => textContent).join(' ');
      const own = element?.getAttribute('aria-label') ?? '';
      const words = own || label || (element?.textContent ?? '');
      return words.replace(/\s+/g, ' ').trim();
    });
    if (typeof name === 'string' ? said === name : name.test(said)) return;
    seen.push(said.slice(0, 40));
  }
  throw new Error(`${key} never came to ${String(name)}, but to: ${seen.join(' | ')}`);
}

/** Goes down to a line of the menu that is open, and chooses it. */
async function choose(page: Page, line: string): Promise<void> {
  await page.waitForFunction(() => Boolean(document.activeElement?.closest('[role=menuitem]')));
  const item = page.getByRole('menuitem', { name: line });
  const has = (): Promise<boolean> => item.evaluate((element) => element.matches(':focus'));
  for (let down = 0; down < 30 && !(await has()); down += 1) await press(page, 'ArrowDown');
  await expect(item).toBeFocused();
  await press(page, 'Enter');
}

/** Types over what stands in the field that has the focus. */
async function typeOver(page: Page, text: string): Promise<void> {
  await press(page, 'Control+a');
  await page.keyboard.type(text);
  await hasFocus(page, text);
}

test('new template, edit, save, render, show in folder: by keys alone', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  await page.addInitScript(desktopBridge());
  await page.addInitScript(countPointer);
  await openWindow(page, program);

  await press(page, 'Control+3');
  await expect(page.getByTestId('page-templates')).toBeVisible();
  await until(page, 'Tab', 'New template');
  await press(page, 'Enter');
  await choose(page, 'Blank video');
  const editor = page.getByTestId('page-editor');
  await expect(editor).toHaveAttribute('data-state', 'ready');
  // A template without fields begins at its name.
  await expect(page.getByRole('textbox', { name: 'Template name' })).toBeFocused();
  await typeOver(page, 'By keys alone');

  await press(page, 'Alt+1');
  // An empty template begins with what can be added.
  await expect(page.getByRole('tab', { name: 'Add' })).toBeFocused();
  await press(page, 'ArrowRight');
  await expect(page.getByRole('tab', { name: 'Fields' })).toBeFocused();
  await press(page, 'ArrowRight');
  await until(page, 'Tab', 'Add element');
  await press(page, 'Enter');
  await choose(page, 'Text');
  await expect(page.getByRole('treeitem', { name: /^Text,/ })).toBeFocused();
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const image = preview.getByRole('img');
  const before = await pixelsOf(image);
  const address = (await image.getAttribute('src')) ?? '';

  await press(page, 'Shift+F10');
  await choose(page, 'Mark as field');
  await press(page, 'Alt+1', 'ArrowLeft');
  await until(page, 'Tab', 'Text');
  await typeOver(page, 'Without a mouse');
  await expect(image).not.toHaveAttribute('src', address);
  await expect(preview).toHaveAttribute('data-state', 'ready');
  expect(differenceOf(before, await pixelsOf(image)).count).toBeGreaterThan(500);
  await press(page, 'Control+s');
  await expect(editor).toHaveAttribute('data-dirty', 'false');

  await press(page, 'Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Render “By keys alone”' });
  await expect(dialog).toBeVisible();
  await until(page, 'Tab', /^Size and frame rate/);
  await press(page, 'Enter');
  await until(page, 'Tab', 'Scale');
  await typeOver(page, '0.25');
  const add = dialog.getByRole('button', { name: 'Add to queue' });
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await expect(add).toBeEnabled();
  await until(page, 'Tab', 'Add to queue');
  await press(page, 'Enter');
  await expect(dialog).toBeHidden();

  await press(page, 'Control+2');
  const row = page.locator('[data-row]').filter({ hasText: 'By keys alone' });
  await expect(row).toHaveAttribute('data-display', 'Done', { timeout: 60_000 });
  await until(page, 'F6', /By keys alone/);
  await expect(row).toBeFocused();
  await press(page, 'Control+Shift+e');
  const id = (await row.getAttribute('data-row')) ?? '';
  await expect.poll(() => shownFiles(page)).toEqual([{ id, format: 'mp4' }]);
  await press(page, 'Shift+F10');
  await choose(page, 'Show in folder');
  await expect(row).toBeFocused();
  expect(await shownFiles(page)).toHaveLength(2);
  expect(await page.evaluate('window.pointer')).toBe(0);
});

/** The document as the source says it; the focus is in the source afterwards. */
async function written(page: Page): Promise<string> {
  await press(page, 'Alt+3');
  return codeOf(page);
}

test('a template made by hand, words and a picture, moved, sized, styled, timed, taken back and rendered: by keys alone', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await program.remember({});
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(countPointer);
  await openWindow(page, program);
  await press(page, 'Control+n');
  await expect(page.getByRole('radio', { name: /^Instagram Reel/ })).toBeFocused();
  await press(page, 'Enter');
  const editor = page.getByTestId('page-editor');
  await expect(editor).toHaveAttribute('data-state', 'ready');
  const empty = await written(page);
  const preview = page.getByTestId('editor-preview');
  const drawn = async (): Promise<void> => {
    await expect(preview).toHaveAttribute('data-state', 'ready');
    await expect(preview).toHaveAttribute('data-live', 'ready');
  };

  await test.step('words, and a picture from the media', async () => {
    await press(page, 'Alt+1');
    await until(page, 'Tab', 'Title');
    await press(page, 'Enter');
    await drawn();
    await until(page, 'Shift+Tab', 'Elements');
    // Past the ready-made pieces, to the media.
    await press(page, 'ArrowRight');
    await press(page, 'ArrowRight');
    const chooser = page.waitForEvent('filechooser');
    await until(page, 'Tab', 'Add files…');
    await press(page, 'Enter');
    await (await chooser).setFiles(picture);
    await expect(page.getByTestId('media-panel').getByRole('option')).toHaveCount(1);
    await until(page, 'Tab', /^dawn/);
    await press(page, 'Enter');
    await drawn();
  });

  await test.step('moved, sized and styled', async () => {
    await press(page, 'Alt+2', 'Shift+ArrowRight', 'Shift+ArrowDown');
    await press(page, 'Alt+4');
    await until(page, 'Tab', 'Width');
    await typeOver(page, '60%');
    await press(page, 'Enter');
    await until(page, 'Tab', 'Height');
    await typeOver(page, '30%');
    await press(page, 'Enter');
    await press(page, 'Alt+1');
    await until(page, 'ArrowRight', 'Outline');
    await until(page, 'Tab', /^(dawn|Title)/);
    await until(page, 'ArrowUp', /^Title/);
    await press(page, 'Alt+4');
    // The head of the group, and the box in it.
    await until(page, 'Tab', 'Text');
    await until(page, 'Tab', 'Text');
    await typeOver(page, 'By keys');
    await until(page, 'Tab', 'Font weight');
    await press(page, 'ArrowUp');
    await drawn();
  });

  await test.step('later', async () => {
    // What lies at the foot of the page, and back from there.
    await until(page, 'F6', /^API on/);
    await until(page, 'Shift+Tab', 'Elements over time');
    await press(page, 'Alt+1', 'Alt+5');
    await expect(page.getByRole('treegrid', { name: 'Elements over time' })).toBeFocused();
    await press(page, 'Shift+Alt+ArrowRight');
    await drawn();
  });

  const made = await written(page);
  const { elements } = JSON.parse(made) as { elements: Record<string, unknown>[] };
  expect(elements).toHaveLength(2);
  expect(elements[0]).toMatchObject({
    type: 'text',
    text: 'By keys',
    font_weight: '700',
    time: 0.333,
  });
  expect(elements[1]).toMatchObject({ type: 'image', x: '50.93%', width: '60%', height: '30%' });
  await test.step('all is taken back to the byte, and made again', async () => {
    for (let steps = 0; steps < 20 && (await codeOf(page)) !== empty; steps += 1)
      await press(page, 'Control+z');
    expect(await codeOf(page)).toBe(empty);
    for (let steps = 0; steps < 20 && (await codeOf(page)) !== made; steps += 1)
      await press(page, 'Control+y');
    expect(await codeOf(page)).toBe(made);
  });

  await press(page, 'Control+s');
  await expect(editor).toHaveAttribute('data-dirty', 'false');
  await press(page, 'Control+Enter');
  const dialog = page.getByRole('dialog', { name: /^Render “/ });
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await until(page, 'Tab', /^Size and frame rate/);
  await press(page, 'Enter');
  await until(page, 'Tab', 'Scale');
  await typeOver(page, '0.1');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await until(page, 'Tab', 'Add to queue');
  await press(page, 'Enter');
  const { id } = (await (await sent).json()) as { id: string };
  expect(await program.finished(id)).toMatchObject({ status: 'succeeded' });
  expect(await page.evaluate('window.pointer')).toBe(0);
});

test('the bar of the selection, letters, captions and markers: by keys alone', async ({
  page,
  program,
}) => {
  test.setTimeout(120_000);
  await page.addInitScript(countPointer);
  const spoken =
    '1\n00:00:00,000 --> 00:00:01,500\nHello wrld\n\n2\n00:00:02,000 --> 00:00:03,500\nHow are you\n';
  const text = { type: 'text', width: '60%', fill_color: '#ffffff', font_size: '10 vmin' };
  await program.remember({});
  await openNewTemplate(page, program, {
    ...{ output_format: 'mp4', width: 640, height: 360, duration: 4, frame_rate: 25 },
    elements: [
      { ...text, name: 'Title', y: '30%', height: '30%', text: 'Our new house' },
      { ...text, name: 'Speech', y: '80%', height: '20%', transcript_source: spoken },
    ],
  });
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const outline = async (name: RegExp): Promise<void> => {
    await press(page, 'Alt+1');
    await until(page, 'ArrowRight', 'Outline');
    await until(page, 'Tab', /^(Title|Speech),/);
    // The later one lies in front.
    await until(page, 'ArrowUp', /^Speech,/);
    if (!name.test('Speech,')) await until(page, 'ArrowDown', name);
  };
  const title = async (): Promise<Record<string, unknown>> => {
    const { elements } = JSON.parse(await written(page)) as { elements: Record<string, unknown>[] };
    return elements[0] ?? {};
  };

  await test.step('the bar of the selection', async () => {
    await outline(/^Title,/);
    await press(page, 'Alt+2');
    await until(page, 'Tab', 'Align left');
    await press(page, 'Enter');
    expect(await title()).toMatchObject({ x: '30%' });
    await press(page, 'Alt+2');
    await until(page, 'Tab', /^Lock/);
    await press(page, 'Enter');
    expect(await title()).toMatchObject({ locked: true });
    await press(page, 'Control+z');
    expect(await title()).not.toHaveProperty('locked');
  });

  await test.step('letters of a text', async () => {
    await outline(/^Title,/);
    await press(page, 'Alt+4');
    await until(page, 'Tab', 'Text');
    await until(page, 'Tab', 'Text');
    await press(page, 'Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
    await until(page, 'Tab', 'Selected letters bold');
    await press(page, 'Enter');
    expect(await title()).toMatchObject({ text: '[weight 700]Our[/weight] new house' });
  });

  await test.step('a line of captions', async () => {
    await outline(/^Speech,/);
    await press(page, 'Alt+1');
    await until(page, 'ArrowRight', 'Captions');
    await until(page, 'Tab', /^Line 1/);
    await typeOver(page, 'Hello world');
    const source = await written(page);
    expect(source).toContain('world');
    expect(source).not.toContain('wrld');
  });

  await test.step('a marker with a name', async () => {
    const grid = page.getByRole('treegrid', { name: 'Elements over time' });
    await press(page, 'Alt+5');
    await expect(grid).toBeFocused();
    await press(page, 'm', 'm');
    await expect(page.getByRole('textbox', { name: 'Name of the marker' })).toBeFocused();
    await page.keyboard.type('Drop');
    await press(page, 'Enter');
    await expect(grid).toBeFocused();
    await expect(page.getByTestId('markers').getByRole('gridcell')).toHaveCount(1);
    await expect(
      page.getByRole('gridcell', { name: /^Marker at 00:0\d\.\d\d: Drop, Blue$/ }),
    ).toHaveCount(1);
    await press(page, 'Delete');
    await expect(page.getByTestId('markers')).toHaveCount(0);
  });
  expect(await page.evaluate('window.pointer')).toBe(0);
});
