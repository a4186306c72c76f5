/** The commands of the editor: one table for its keys, the palette and the desktop's menu. */
import type { CommandId } from '../../shared/commands.ts';
import type { IconName } from '../ui/icons.ts';
import { command, type Command } from '../frame/commands/command.ts';
import { say } from '../ui/say.ts';
import type { TemplateEditor } from './template-editor.svelte.ts';
import type { StageView } from './preview/stage-view.svelte.ts';
import type { VoiceWay } from './making/pieces.ts';
import type { PaneName } from './panes.ts';
import { fitsShape, safeAreaNames } from '../../shared/safe-areas.ts';
import { snippetLanguages, type SnippetLanguage } from '../api/snippets.ts';

/** The page's functions for the commands. */
export interface EditorDesk {
  readonly editor: TemplateEditor;
  readonly view: StageView;
  /** What can be done with what is selected in the picture. */
  readonly byHand: () => readonly Command[];
  /** A dialog lies over the page. */
  readonly covered: boolean;
  readonly save: () => void;
  readonly render: () => void;
  readonly nextProblem: (step: 1 | -1) => void;
  /** Shows the problems, and looks for all that can go wrong with a render. */
  readonly checkEverything: () => void;
  readonly format: () => void;
  readonly goToTime: () => void;
  /** Shows the pane when it is hidden, and puts the focus into it. */
  readonly focus: (pane: PaneName) => void;
  /** Shows the inspector, and puts the focus into it. */
  readonly focusInspector: () => void;
  /** Puts the focus into the timeline; null while the document is a still picture, which has none. */
  readonly focusTimeline: (() => void) | null;
  readonly isShown: (pane: PaneName) => boolean;
  /** False for the only pane that is shown. */
  readonly canToggle: (pane: PaneName) => boolean;
  readonly toggle: (pane: PaneName) => void;
  /** Only the picture is shown. */
  readonly isBare: boolean;
  /** Leaves only the picture, or brings the other panes back. */
  readonly togglePanels: () => void;
  readonly find: () => void;
  /** Offers what may stand at the cursor of the source. */
  readonly complete: () => void;
  /** What can be done with the template as a whole. */
  readonly rename: () => void;
  readonly duplicate: () => void;
  readonly exportFile: () => void;
  readonly copyAs: (language: SnippetLanguage) => void;
  readonly copyId: () => void;
  readonly showVersions: () => void;
  /** Opens what changes the format of the whole document. */
  readonly resize: () => void;
  /** Opens the colours and fonts of its project. */
  readonly editBrand: () => void;
  /** Puts the whole document into them. */
  readonly useBrand: () => void;
  readonly showCaptions: () => void;
  /** Opens what makes a voice at the playhead; null while the document is a still picture, which is silent. */
  readonly addVoice: ((way: VoiceWay) => void) | null;
  readonly trash: () => void;
}

/** The commands, in the order of the palette. */
export function editorCommands(desk: EditorDesk): readonly Command[] {
  const all = [
    ...sourceCommands(desk),
    ...previewCommands(desk),
    ...viewCommands(desk),
    ...desk.byHand(),
    ...paneCommands(desk),
    ...wholeCommands(desk),
  ];
  return desk.covered ? all.map((one) => ({ ...one, enabled: false })) : all;
}

function sourceCommands(desk: EditorDesk): readonly Command[] {
  const { editor } = desk;
  const hasProblems = editor.problems.length > 0;
  const isRight = editor.document.readable && !editor.document.hasErrors;
  return [
    command('save', 'download', desk.save, { enabled: editor.stored.canSave }),
    command('render-template', 'play', desk.render, {
      ...(!isRight && { reason: say('editor.render.blocked') }),
    }),
    command('undo-edit', 'undo', () => editor.document.undo(), {
      enabled: editor.document.undoable,
    }),
    command('redo-edit', 'redo', () => editor.document.redo(), {
      enabled: editor.document.redoable,
    }),
    command('next-problem', 'alert', () => desk.nextProblem(1), { enabled: hasProblems }),
    command('previous-problem', 'alert', () => desk.nextProblem(-1), { enabled: hasProblems }),
    command('check-everything', 'sound', desk.checkEverything, {
      enabled: editor.document.readable,
    }),
    command('find', 'search', desk.find),
    command('format-source', 'format', desk.format, { enabled: editor.document.readable }),
    command('complete', 'hint', desk.complete),
  ];
}

function previewCommands({ editor: { preview }, goToTime }: EditorDesk): readonly Command[] {
  const more = { enabled: preview.frameCount > 1 };
  const second = Math.round(preview.frameRate);
  return [
    command('play', preview.playing ? 'pause' : 'play', () => preview.toggle(), more),
    command('frame-back', 'stepBack', () => preview.step(-1), more),
    command('frame-on', 'stepOn', () => preview.step(1), more),
    command('second-back', 'stepBack', () => preview.step(-second), more),
    command('second-on', 'stepOn', () => preview.step(second), more),
    command('to-start', 'toStart', () => preview.seek(0), more),
    command('to-end', 'toEnd', () => preview.toEnd(), more),
    command('go-to-time', 'clock', goToTime, more),
    command('play-back', 'stepBack', () => preview.shuttle(-1), more),
    command('stop', 'pause', () => preview.pause(), { enabled: preview.playing }),
    command('play-on', 'stepOn', () => preview.shuttle(1), more),
    command('mark-first', 'markFirst', () => preview.mark('first'), more),
    command('mark-last', 'markLast', () => preview.mark('last'), more),
    command('clear-part', 'close', () => preview.playback.clearPart(), {
      enabled: preview.playback.isPart,
    }),
    command('loop', 'loop', () => (preview.playback.loops = !preview.playback.loops), {
      ...more,
      ticked: preview.playback.loops,
    }),
  ];
}

function viewCommands({ editor: { preview }, view }: EditorDesk): readonly Command[] {
  const { facts } = preview;
  const more = { enabled: facts !== null };
  const suiting = safeAreaNames.filter((name) =>
    fitsShape(name, facts ? facts.width / facts.height : 1),
  );
  return [
    command('full-screen', 'expand', () => void view.toggleFull(), { ticked: view.full }),
    command('preview-zoom-in', 'zoomIn', () => view.stepZoom(1), more),
    command('preview-zoom-out', 'zoomOut', () => view.stepZoom(-1), more),
    command('preview-fit', 'expand', () => (view.zoom = 'fit'), more),
    command('preview-full-size', 'expand', () => (view.zoom = 1), more),
    command('next-guide', 'guides', () => view.nextGuide(suiting), more),
    command(
      'pin-moment',
      'compare',
      () => (view.pinned ? view.unpin() : void view.pin(preview.time)),
      {
        ...more,
        ...(view.pinned && { label: say('editor.compare.end') }),
      },
    ),
  ];
}

function paneCommands(desk: EditorDesk): readonly Command[] {
  const toggle = (id: CommandId, pane: PaneName, name: string): Command => {
    const isShown = desk.isShown(pane);
    return command(id, isShown ? 'hidden' : 'eye', () => desk.toggle(pane), {
      label: say(isShown ? 'editor.command.hide' : 'editor.command.show', { pane: name }),
      ticked: isShown,
      enabled: desk.canToggle(pane),
    });
  };
  const focus = (id: CommandId, pane: PaneName): Command =>
    command(id, 'columns', () => desk.focus(pane));
  return [
    focus('focus-left', 'left'),
    focus('focus-preview', 'preview'),
    focus('focus-source', 'source'),
    command('focus-inspector', 'settings', desk.focusInspector),
    command('focus-timeline', 'columns', () => desk.focusTimeline?.(), {
      enabled: desk.focusTimeline !== null,
    }),
    toggle('toggle-left', 'left', say('editor.pane.left')),
    toggle('toggle-preview', 'preview', say('editor.preview')),
    toggle('toggle-source', 'source', say('editor.source')),
    toggle('toggle-timeline', 'timeline', say('editor.timeline')),
    command('toggle-panels', 'panels', desk.togglePanels, { ticked: desk.isBare }),
  ];
}

const copyIds: Readonly<Record<SnippetLanguage, CommandId>> = {
  cURL: 'copy-curl',
  Node: 'copy-node',
  Python: 'copy-python',
  PHP: 'copy-php',
};

function wholeCommands(desk: EditorDesk): readonly Command[] {
  const { readable } = desk.editor.document;
  const isHeard = desk.addVoice !== null;
  const row = (id: CommandId, icon: IconName, run: () => void, enabled = true): Command =>
    command(id, icon, run, { enabled });
  return [
    row('rename-template', 'rename', desk.rename),
    row('duplicate-template', 'duplicate', desk.duplicate, readable),
    row('export-template', 'download', desk.exportFile, readable),
    row('template-versions', 'recovered', desk.showVersions),
    row('resize-template', 'swap', desk.resize, readable),
    row('edit-brand', 'palette', desk.editBrand),
    row('use-brand', 'palette', desk.useBrand, readable),
    row('show-captions', 'text', desk.showCaptions),
    row('add-voice', 'speech', () => desk.addVoice?.('speak'), readable && isHeard),
    row('record-voice', 'microphone', () => desk.addVoice?.('record'), readable && isHeard),
    row('copy-id', 'copy', desk.copyId),
    ...snippetLanguages.map((language) =>
      row(copyIds[language], 'copy', () => desk.copyAs(language)),
    ),
    command('trash-template', 'trash', desk.trash, { danger: true }),
  ];
}
