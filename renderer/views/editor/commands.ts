/**
 * The commands of the editor: one table for its keys, the palette and the desktop's menu. The keys shown in the menu are
 * those of shared/commands.ts.
 */
import type { CommandId } from '../../../shared/commands.ts';
import type { IconName } from '../../components/icons.ts';
import { isKeys } from '../../lib/commands.ts';
import { say } from '../../lib/say.ts';
import type { TemplateEditor } from '../../state/editor.svelte.ts';

/** A pane that can be shown or hidden. */
export type PaneName = 'left' | 'preview' | 'source';

/** What the editor's page does for its commands. */
export interface EditorDesk {
  readonly editor: TemplateEditor;
  /** A dialog lies over the page. */
  readonly covered: boolean;
  readonly save: () => void;
  readonly render: () => void;
  readonly nextProblem: (step: 1 | -1) => void;
  readonly format: () => void;
  readonly goToTime: () => void;
  /** Shows the pane when it is hidden, and puts the focus into it. */
  readonly focus: (pane: PaneName) => void;
  readonly isShown: (pane: PaneName) => boolean;
  /** False for the only pane that is shown. */
  readonly canToggle: (pane: PaneName) => boolean;
  readonly toggle: (pane: PaneName) => void;
}

/** A command as it stands now. */
export interface EditorCommand {
  readonly id: CommandId;
  readonly label: string;
  readonly icon: IconName;
  /** As `Ctrl Shift Z`; the first are shown. */
  readonly keys: readonly string[];
  /** It can be carried out now. */
  readonly enabled: boolean;
  readonly run: () => void;
}

/** The commands, in the order of the palette. */
export function editorCommands(desk: EditorDesk): readonly EditorCommand[] {
  const { editor } = desk;
  const hasProblems = editor.problems.length > 0;
  const isRight = editor.readable && !editor.hasErrors;
  const row = (
    id: CommandId,
    label: string,
    icon: IconName,
    keys: readonly string[],
    run: () => void,
    enabled = true,
  ): EditorCommand => ({ id, label, icon, keys, run, enabled: enabled && !desk.covered });
  const focus = (id: CommandId, pane: PaneName, label: string, key: string): EditorCommand =>
    row(id, say('editor.command.focus', { pane: label }), 'templates', [key], () =>
      desk.focus(pane),
    );
  const toggle = (id: CommandId, pane: PaneName, label: string): EditorCommand =>
    row(
      id,
      say(desk.isShown(pane) ? 'editor.command.hide' : 'editor.command.show', { pane: label }),
      'eye',
      [],
      () => desk.toggle(pane),
      desk.canToggle(pane),
    );
  const left = say('editor.pane.left');
  const preview = say('editor.preview');
  const source = say('editor.source');
  return [
    row('save', say('editor.save'), 'download', ['Ctrl S'], desk.save, editor.canSave),
    row('render-template', say('editor.render'), 'play', ['Ctrl Enter'], desk.render, isRight),
    row('undo-edit', say('editor.undo'), 'again', ['Ctrl Z'], () => editor.undo(), editor.undoable),
    row(
      'redo-edit',
      say('editor.redo'),
      'again',
      ['Ctrl Shift Z', 'Ctrl Y'],
      () => editor.redo(),
      editor.redoable,
    ),
    row(
      'next-problem',
      say('editor.command.next'),
      'alert',
      ['F8'],
      () => desk.nextProblem(1),
      hasProblems,
    ),
    row(
      'previous-problem',
      say('editor.command.previous'),
      'alert',
      ['Shift F8'],
      () => desk.nextProblem(-1),
      hasProblems,
    ),
    row(
      'format-source',
      say('editor.command.format'),
      'templates',
      ['Shift Alt F'],
      desk.format,
      editor.readable,
    ),
    row(
      'go-to-time',
      say('editor.time.type'),
      'queue',
      ['Ctrl G'],
      desk.goToTime,
      editor.preview.frameCount > 1,
    ),
    focus('focus-left', 'left', left, 'Alt 1'),
    focus('focus-preview', 'preview', preview, 'Alt 2'),
    focus('focus-source', 'source', source, 'Alt 3'),
    toggle('toggle-left', 'left', left),
    toggle('toggle-preview', 'preview', preview),
    toggle('toggle-source', 'source', source),
  ];
}

/** The command whose keys were pressed. */
export function commandOfKeys(
  event: KeyboardEvent,
  commands: readonly EditorCommand[],
  isMac: boolean,
): EditorCommand | undefined {
  // With Alt a Mac types other signs, so the place of the key counts.
  const key = event.altKey ? event.code.replace(/^(Key|Digit)/, '') : event.key;
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  const pressed = new KeyboardEvent('keydown', { key, ctrlKey, metaKey, shiftKey, altKey });
  return commands.find(({ keys }) => keys.some((one) => isKeys(pressed, one, isMac)));
}
