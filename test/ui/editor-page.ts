/** The editor as its tests open it and find its parts. */
import type { Locator, Page } from '@playwright/test';
import { expect, openWindow, type Program } from './program.ts';

/** Opens a template's editor by its address. Errors of the page fail the test. */
export async function openTemplate(page: Page, program: Program, id: string): Promise<void> {
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`${program.windowUrl}&template=${id}`);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
}

/** The whole text of the source, also where it is not seen. */
export const codeOf = (page: Page): Promise<string> =>
  page.locator('.cm-content').evaluate((content) => {
    // What the source pane is made with keeps only the lines in sight in the page.
    const { cmTile } = content as unknown as {
      cmTile: { view: { state: { doc: { toString(): string } } } };
    };
    return cmTile.view.state.doc.toString();
  });

/** Stores a template and opens its editor with all three panes, once there is a picture. @returns its ID */
export async function openNewTemplate(
  page: Page,
  program: Program,
  source: object,
  name = 'Promo',
): Promise<string> {
  const { id } = await program.createTemplate({ name, source });
  await page.setViewportSize({ width: 1440, height: 900 });
  await openTemplate(page, program, id);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', 'ready');
  return id;
}

export const fieldsOf = (page: Page): Locator => page.getByRole('group', { name: 'Fields' });
export const sourceOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Source' });
/** The field of the text that the document of editor-sources.ts calls so. */
export const titleOf = (page: Page): Locator => fieldsOf(page).getByLabel('Title', { exact: true });

/** Opens a part of the render dialog that is folded. */
export async function unfold(
  dialog: Locator,
  part: 'Size and frame rate' | 'For developers',
): Promise<void> {
  await dialog.locator('summary').filter({ hasText: part }).click();
}

/** Opens the render dialog of a template on its page, where fields are offered. @returns it */
export async function openRenderOfCard(page: Page, program: Program, id: string): Promise<Locator> {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByTestId(`template-card-${id}`).focus();
  await page.keyboard.press('Control+Enter');
  return page.getByRole('dialog', { name: /^Render “/ });
}
