/** Keyframes by hand: those that gestures write by themselves, and one at the moment shown. Window only. */
import { keyedNames, withKeysAt } from './keyed.ts';
import { command, type Command } from '../../frame/commands/command.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** The commands in their current state. */
export function keyframeCommands(editor: TemplateEditor): readonly Command[] {
  const { canvas, preview, document } = editor;
  const moves = preview.frameCount > 1;
  return [
    command('add-keyframe', 'diamond', () => add(editor), {
      enabled: moves && canvas.selection.length > 0 && canvas.isOpen && document.readable,
    }),
    command('toggle-auto-keys', 'autoKeys', () => (canvas.autoKeys = !canvas.autoKeys), {
      enabled: moves,
      ticked: canvas.autoKeys,
    }),
  ];
}

/** One for each property of the selection that has some, else for its place. */
function add({ canvas, document }: TemplateEditor): void {
  document.settle();
  const { text } = document;
  const moments = canvas.selection.flatMap((path) => canvas.momentOf(path) ?? []);
  const free = moments.filter(({ element }) => element.locked !== true);
  document.step(differenceOf(text, withKeysAt(text, free, keyedNames)));
}
