/** An editor as the window makes it, over a document and without its page. */
import { afterAll, expect, vi } from 'vitest';
import { TemplateEditor } from '../../renderer/editor/template-editor.svelte.ts';
import { AppState } from '../../renderer/frame/app.svelte.ts';
import { call } from '../../renderer/frame/connection/call.ts';
import { templateRows } from '../../shared/api/templates.ts';
import type { Source } from '../../shared/renderscript/source.ts';

/** Values of an element; undefined ones are not there. */
type Values = Readonly<Record<string, unknown>>;

/** What each of some elements has to be, by its index; undefined: there is none. */
export type Given = Readonly<Record<number, Values | undefined>>;

export interface OpenEditor {
  readonly app: AppState;
  readonly editor: TemplateEditor;
}

/** Stores a template with this text as its author formatted it, and opens it, for the tests of a file. */
export async function openEditor(text: string): Promise<OpenEditor> {
  const app = new AppState();
  const source = JSON.parse(text) as Source;
  const { id } = await call(templateRows.create, {
    body: { name: 'Edited', tags: [], source, project: 'default' },
  });
  const editor = new TemplateEditor(id);
  afterAll(() => editor.close());
  await editor.stored.open();
  // In place of the server's own layout.
  editor.document.code.begin(text, []);
  editor.document.check();
  await vi.waitUntil(() => /ready|blank/.test(editor.preview.phase), { timeout: 60_000 });
  return { app, editor };
}

/** The elements as the text says them: saved, they would be these. */
export function elementsOf({ document }: TemplateEditor): readonly Values[] {
  const { elements } = JSON.parse(document.text) as { readonly elements: readonly Values[] };
  return elements;
}

/** Expects of some elements that they have these values. */
export function expectElements(elements: readonly Values[], given: Given): void {
  for (const [index, values] of Object.entries(given)) {
    const found = elements[Number(index)];
    if (values === undefined) expect(found).toBeUndefined();
    else expect({ ...missing(values), ...found }).toMatchObject(values);
  }
}

/** The values that must not be there. */
const missing = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value === undefined));

/** Keys by which a gesture is held to something. */
export type Held = 'Alt' | 'Control' | 'Shift';

/** The event of a pointer at a place. */
export const pointerAt = (x: number, y: number, held: readonly Held[] = []): PointerEvent =>
  new PointerEvent('pointermove', { clientX: x, clientY: y, ...keysHeld(held) });

/** The event of keys as Playwright writes them: `Alt+ArrowRight`. */
export function keysPressed(keys: string): KeyboardEvent {
  const parts = keys.split('+');
  const key = parts.pop() ?? '';
  const held = { ctrlKey: parts.includes('Control'), altKey: parts.includes('Alt') };
  return new KeyboardEvent('keydown', { key, ...held, shiftKey: parts.includes('Shift') });
}

const keysHeld = (held: readonly Held[]): EventModifierInit => ({
  shiftKey: held.includes('Shift'),
  ctrlKey: held.includes('Control'),
  altKey: held.includes('Alt'),
});
