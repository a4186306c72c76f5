/** Grouping the selected elements, and taking a composition apart. Window only. */
import { grouped, type Regrouped, type Seen } from './grouping.ts';
import { ungrouped } from './ungrouping.ts';
import { elementAt } from '../outline/elements.ts';
import { wordsOfProperty } from '../inspector/words.ts';
import { command, type Command } from '../../frame/commands/command.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** The commands in their current state. */
export function groupCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { canvas, document } = editor;
  const isReady = canvas.selection.length > 0 && canvas.isOpen && document.readable;
  const { source } = document;
  const isGroup =
    canvas.selection.length === 1 &&
    source !== null &&
    elementAt(source, editor.selected)?.type === 'composition';
  return [
    command('group-elements', 'group', () => run(editor, app, grouped, canvas.selection), {
      enabled: isReady,
    }),
    command('ungroup-elements', 'ungroup', () => run(editor, app, ungrouped, editor.selected), {
      enabled: isReady && isGroup,
    }),
  ];
}

function run<What>(
  editor: TemplateEditor,
  app: AppState,
  change: (seen: Seen, what: What) => Regrouped,
  what: What,
): void {
  const { document, canvas, preview, outline } = editor;
  document.settle();
  const { source, text } = document;
  if (!source || !document.readable) return;
  const seen: Seen = {
    text,
    source,
    lengths: preview.lengths,
    document: canvas.document,
    areaOf: (path) => canvas.areaOf(path),
    roomOf: (path) => canvas.roomOf(path),
    names: outline.map(({ label }) => label),
  };
  const made = change(seen, what);
  if ('why' in made) {
    const name = made.why === 'own' ? wordsOfProperty(made.name) : made.name;
    app.messages.show(say(`editor.canvas.whyGroup.${made.why}`, { name }), { tone: 'problem' });
    return;
  }
  document.step(differenceOf(text, made.text));
  canvas.selectAll(made.paths);
}
