/** The inspector's page as tests use it: opening documents, selecting, reading what the source says. */
import type { Locator, Page } from '@playwright/test';
import { codeOf, openNewTemplate } from './editor-page.ts';
import { expect } from './program.ts';

type Element = Readonly<Record<string, unknown>>;

/** The inspector. */
export const pane = (page: Page): Locator => page.getByTestId('inspector');
/** A field of it, by its name. */
export const named = (page: Page, name: string): Locator =>
  pane(page).getByRole('textbox', { name, exact: true });
/** A list of it, by its name. */
export const choice = (page: Page, name: string): Locator =>
  pane(page).getByRole('combobox', { name, exact: true });

/** What the source says, whichever tab is seen: saved, it would be this. */
export async function textOf(page: Page): Promise<string> {
  await page.getByRole('tab', { name: 'Source' }).click();
  const text = await codeOf(page);
  await page.getByRole('tab', { name: 'Inspector' }).click();
  return text;
}

/** The document as the source says it. */
export const readOf = async (
  page: Page,
): Promise<{ readonly elements: readonly Element[] } & Element> =>
  JSON.parse(await textOf(page)) as { elements: readonly Element[] };

/** Puts a text in the place of the source. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').evaluate((content, written) => {
    const { cmTile } = content as unknown as {
      cmTile: { view: { state: { doc: { length: number } }; dispatch(spec: object): void } };
    };
    const { view } = cmTile;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: written } });
  }, text);
}

/** Selects an element by its name. */
export async function select(page: Page, name: string): Promise<void> {
  await page.getByRole('treeitem', { name: new RegExp(`^${name}`) }).click();
  await expect(pane(page).getByRole('heading', { name, level: 2 })).toBeVisible();
}

/** Opens a group of properties. */
export async function openGroup(page: Page, name: string): Promise<void> {
  const head = pane(page).getByRole('button', { name: new RegExp(`^${name}( \\d|$)`) });
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
}

/** Opens a document as its author formatted it, in place of the server's own layout. @returns the template's ID */
export async function openInspected(
  page: Page,
  program: Parameters<typeof openNewTemplate>[1],
  text: string,
): Promise<string> {
  const id = await openNewTemplate(page, program, JSON.parse(text) as object, 'Inspected');
  await page.getByRole('tab', { name: 'Source' }).click();
  await write(page, text);
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('tab', { name: 'Inspector' }).click();
  await expect(pane(page).getByRole('heading', { name: 'Document', level: 2 })).toBeVisible();
  return id;
}
