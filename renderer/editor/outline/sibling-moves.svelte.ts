/** Moving an element among its siblings, from the outline and from the picture. Window only. */
import { moveItem, parsePath, swapItems } from '../source/json-text.ts';
import type { OutlineItem } from './elements.ts';
import { layerOf, layersOf, reordered } from './layer-order.ts';
import { moveOf, type SiblingMove } from './sibling-order.ts';
import { say } from '../../ui/say.ts';
import { differenceOf, type TextChange } from '../../engine/text-change.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** Why an element can't be moved, where that is not plain to see. */
export function whyNotMoved(
  outline: readonly OutlineItem[],
  { label, list }: OutlineItem,
  found: SiblingMove,
): string | undefined {
  if (found.kind === 'track') {
    return say('editor.outline.ownTrack', { name: label, track: String(found.track) });
  }
  if (found.kind !== 'time') return undefined;
  const path = `${list}[${found.index}]`;
  const timed = outline.find((item) => item.path === path)?.label ?? label;
  return say('editor.outline.ownTime', { name: timed });
}

/**
 * One place up (-1), to the front, or down (1), as the outline shows them; what is alone on its track takes another one
 * for that. Shows the reason where track or time decide the place.
 *
 * @returns the edits, and the element's path after them; null when it stays.
 */
export function siblingMove(
  { document, outline, preview }: TemplateEditor,
  app: AppState,
  item: OutlineItem,
  by: 1 | -1,
): { readonly changes: readonly TextChange[]; readonly path: string } | null {
  const found = moveOf(item.group, item.place, by);
  const passed = found.kind === 'track' ? pastLayer(document, preview.lengths, item, by) : null;
  if (passed) return passed;
  const reason = whyNotMoved(outline, item, found);
  if (reason !== undefined) app.messages.show(reason, { tone: 'problem' });
  if (found.kind !== 'swap' && found.kind !== 'move') return null;
  const edits = found.kind === 'swap' ? swapItems : moveItem;
  const changes = edits(document.text, parsePath(item.list), found.from, found.to);
  return { changes, path: `${item.list}[${found.to}]` };
}

/** The same for all that its track has, which is it alone; null where it shares its track. */
function pastLayer(
  { source, text }: TemplateEditor['document'],
  lengths: Readonly<Record<string, number>>,
  item: OutlineItem,
  by: 1 | -1,
): ReturnType<typeof siblingMove> {
  const own = layerOf(item);
  if (!source || layersOf(item.group)[own]?.length !== 1) return null;
  const made = reordered(text, { source, lengths }, item, by < 0 ? own - 1 : own + 2);
  return made && { changes: differenceOf(text, made.text), path: made.path };
}
