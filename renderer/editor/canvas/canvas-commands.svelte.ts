/** The commands for elements selected in the picture: one table for its keys, its bar and the palette. */
import { isMediaKind } from '../../../shared/renderscript/source.ts';
import { commandTable, type CommandId } from '../../../shared/commands.ts';
import { wordsOfProperty } from '../inspector/words.ts';
import { withCopies, without } from './copies.ts';
import { grouped, type Regrouped, type Seen } from './grouping.ts';
import { blurredPart, canBlurPart, type BlurPart } from './partial-blur.ts';
import { parentOf } from './hits.ts';
import { keyedNames, withKeysAt } from './keyed.ts';
import { boundsOf, type Area, type Bounds, type Point } from './plane.ts';
import { elementAt } from '../outline/elements.ts';
import { command, type Command } from '../../frame/commands/command.ts';
import type { IconName } from '../../ui/icons.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { clipboardCommands, isBrowsers } from './clipboard-commands.svelte.ts';
import { siblingMove } from '../outline/sibling-moves.svelte.ts';
import { ungrouped } from './ungrouping.ts';

/** Pixels of the document that a key moves the selection; with Shift so many. */
const steps = { nudge: 1, push: 10 } as const;
const ways = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;

const alignments: readonly (readonly [Alignment, IconName])[] = [
  ['left', 'alignLeft'],
  ['centre', 'alignCentre'],
  ['right', 'alignRight'],
  ['top', 'alignTop'],
  ['middle', 'alignMiddle'],
  ['bottom', 'alignBottom'],
];

export function canvasCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { canvas } = editor;
  const count = canvas.selection.length;
  const some = { enabled: count > 0 && canvas.isOpen };
  const moves = (['nudge', 'push'] as const).flatMap((kind) =>
    (['left', 'right', 'up', 'down'] as const).map((way) => {
      const [x, y] = ways[way];
      const step = { x: x * steps[kind], y: y * steps[kind] };
      const id: CommandId = `${kind}-${way}`;
      const move = (): void => {
        // In a flow, an arrow along it leads to the next place.
        if (canvas.gesture.stepInFlow(x === 0 ? 'y' : 'x', x + y > 0 ? 1 : -1)) return;
        canvas.gesture.moveEach((held) => held.map(() => step), true);
      };
      return command(id, 'move', move, some);
    }),
  );
  const spread = (id: CommandId, axis: 'x' | 'y', icon: IconName): Command =>
    command(id, icon, () => spreadAll(editor, axis), { enabled: some.enabled && count > 2 });
  return [
    ...alignments.map(([alignment, icon]) =>
      command(`align-${alignment}`, icon, () => align(editor, alignment), some),
    ),
    spread('spread-across', 'x', 'spreadAcross'),
    spread('spread-down', 'y', 'spreadDown'),
    ...keyframeCommands(editor),
    ...clipboardCommands(editor, app),
    ...groupCommands(editor, app),
    command('bring-forward', 'bringForward', () => order(editor, app, -1), {
      enabled: count === 1,
    }),
    command('send-backward', 'sendBackward', () => order(editor, app, 1), {
      enabled: count === 1,
    }),
    command('edit-text', 'rename', () => canvas.typing.begin(editor.selected), {
      enabled: some.enabled && count === 1 && canvas.typing.can(editor.selected),
    }),
    command('crop-media', 'crop', () => beginCrop(editor, app, editor.selected), {
      enabled: some.enabled && count === 1 && canvas.crop.can(editor.selected),
    }),
    command('replace-media', 'swap', () => replace(editor), {
      enabled: some.enabled && count === 1 && isMedia(editor),
    }),
    ...blurCommands(editor, app),
    command('duplicate-elements', 'duplicate', () => duplicate(editor), some),
    command('select-elements', 'list', () => selectAll(editor), { enabled: canvas.isOpen }),
    command('lock-elements', 'lock', () => lock(editor), some),
    command('hide-elements', 'hidden', () => hide(editor), { enabled: count > 0 }),
    command('show-elements', 'eye', () => editor.showAll(), { enabled: editor.hidden.size > 0 }),
    command('remove-elements', 'trash', () => remove(editor, app), { ...some, danger: true }),
    ...moves,
  ];
}

function align({ canvas }: TemplateEditor, alignment: Alignment): void {
  const { width, height } = canvas.document;
  const picture = { left: 0, top: 0, right: width, bottom: height };
  canvas.gesture.moveEach((held) => {
    const areas = held.map(({ area }) => area);
    const within = areas.length > 1 ? boundsOf(areas) : picture;
    return areas.map((area) => alignWay(area, alignment, within));
  });
}

function spreadAll({ canvas }: TemplateEditor, axis: 'x' | 'y'): void {
  canvas.gesture.moveEach((held) => {
    const areas = held.map(({ area }) => area);
    return spreadWays(areas, axis);
  });
}

/** One place to the front (-1) or back (1) among its siblings, as the outline shows them. */
function order(editor: TemplateEditor, app: AppState, by: 1 | -1): void {
  const { document } = editor;
  document.settle();
  const item = editor.outline.find(({ path }) => path === editor.selected);
  const moved = item && siblingMove(editor, app, item, by);
  if (!moved) return;
  document.namedStep(moved.changes, say('canvas.step.order'));
  editor.select(moved.path);
}

function duplicate(editor: TemplateEditor): void {
  const { document, canvas } = editor;
  document.settle();
  const { source, text } = document;
  if (!source || !document.readable) return;
  const copied = withCopies(text, source, canvas.selection, editor.outline);
  document.namedStep(differenceOf(text, copied.text), say('canvas.step.copies'));
  canvas.selectAll(copied.paths);
}

/** Starts choosing the part of a picture that shows, or says why that is not possible. */
export function beginCrop({ canvas }: TemplateEditor, app: AppState, path: string): void {
  const why = canvas.crop.begin(path);
  if (why) app.messages.show(say(`canvas.whyCrop.${why}`), { tone: 'problem' });
  else if (canvas.crop.isOpen) app.messages.speak(say('canvas.crop.hint'));
}

function isMedia({ document, selected }: TemplateEditor): boolean {
  return isMediaKind(document.source && elementAt(document.source, selected)?.type);
}

/** Opens the media library to choose another file. */
function replace(editor: TemplateEditor): void {
  const { document, selected } = editor;
  const { type, source } = (document.source && elementAt(document.source, selected)) ?? {};
  if (!isMediaKind(type)) return;
  editor.choosing = {
    path: selected,
    kind: type,
    current: typeof source === 'string' ? source : '',
  };
}

/** All on the level that is selected, but for what is locked or not visible. */
function selectAll({ canvas, selected }: TemplateEditor): void {
  canvas.selectAll(canvas.freeAt(selected === '' ? '' : parentOf(selected)));
}

/** Leaves the selection out of the picture, here and not in renders; the outline shows it again. */
function hide(editor: TemplateEditor): void {
  const { canvas, document } = editor;
  document.settle();
  const { selection } = canvas;
  canvas.clear();
  editor.hide(selection);
}

function lock(editor: TemplateEditor): void {
  const { document, canvas } = editor;
  document.settle();
  const { source } = document;
  if (!source) return;
  const isLocked = (path: string): boolean => elementAt(source, path)?.locked === true;
  // As with switches of several things: on, unless all of them are.
  const value = canvas.selection.every(isLocked) ? undefined : true;
  canvas.setEach('locked', value);
}

function remove(editor: TemplateEditor, app: AppState): void {
  const { document, canvas, timeline } = editor;
  document.settle();
  if (!document.readable) return;
  const { selection } = canvas;
  const { text } = document;
  canvas.clear();
  const left = without(text, selection, timeline.clips);
  document.namedStep(differenceOf(text, left), say('canvas.step.delete'));
  const offer = app.messages.show(say('editor.canvas.deleted', { count: selection.length }), {
    action: { label: say('editor.undo'), run: () => document.undo() },
  });
  // Later it would undo something else.
  document.code.untilChange(() => app.messages.dismiss(offer));
}

/** Keyframes by hand: those that gestures write by themselves, and one at the moment shown. */
function keyframeCommands(editor: TemplateEditor): readonly Command[] {
  const { canvas, preview, document } = editor;
  const moves = preview.frameCount > 1;
  return [
    command('add-keyframe', 'diamond', () => addKeyframe(editor), {
      enabled: moves && canvas.selection.length > 0 && canvas.isOpen && document.readable,
    }),
    command('toggle-auto-keys', 'autoKeys', () => (canvas.autoKeys = !canvas.autoKeys), {
      enabled: moves,
      ticked: canvas.autoKeys,
    }),
  ];
}

/** One for each property of the selection that has some, else for its place. */
function addKeyframe({ canvas, document }: TemplateEditor): void {
  document.settle();
  const { text } = document;
  const moments = canvas.selection.flatMap((path) => canvas.momentOf(path) ?? []);
  const free = moments.filter(({ element }) => element.locked !== true);
  document.step(differenceOf(text, withKeysAt(text, free, keyedNames)));
}

/** Grouping the selected elements, and taking a composition apart. */
function groupCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { canvas, document } = editor;
  const isReady = canvas.selection.length > 0 && canvas.isOpen && document.readable;
  const { source } = document;
  const isGroup =
    canvas.selection.length === 1 &&
    source !== null &&
    elementAt(source, editor.selected)?.type === 'composition';
  return [
    command('group-elements', 'group', () => regroup(editor, app, grouped, canvas.selection), {
      enabled: isReady,
    }),
    command('ungroup-elements', 'ungroup', () => regroup(editor, app, ungrouped, editor.selected), {
      enabled: isReady && isGroup,
    }),
  ];
}

/** One selected element blurred around a shape, or inside of it; the shape is selected then, to be moved. */
function blurCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { canvas, document, selected } = editor;
  const element = document.source && elementAt(document.source, selected);
  const enabled =
    canvas.selection.length === 1 && canvas.isOpen && document.readable && canBlurPart(element);
  const blur = (id: CommandId, part: BlurPart): Command => {
    const change = (seen: Seen, path: string): Regrouped => blurredPart(seen, part, path);
    return command(id, 'blur', () => regroup(editor, app, change, selected), { enabled });
  };
  return [blur('blur-around', 'around'), blur('blur-inside', 'inside')];
}

function regroup<What>(
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

const unselected: ReadonlySet<CommandId> = new Set(['paste-elements', 'select-elements']);
/** Commands that a browser has keys for. */
const natural: ReadonlySet<CommandId> = new Set([
  ...(['cut-elements', 'copy-elements', 'paste-elements'] as const),
]);

/** Runs the command of a key pressed on the picture. @returns whether the key had a command. */
export function canvasKey(event: KeyboardEvent, editor: TemplateEditor, app: AppState): boolean {
  const { canvas } = editor;
  if (canvas.crop.isOpen) return canvas.crop.key(event);
  if (event.key === 'Escape') return canvas.leave();
  const isEmpty = canvas.selection.length === 0;
  // Those of the timeline that apply to the picture, too.
  const commands = app.ownCommands.editor.filter(
    ({ id }) => commandTable[id].where.includes('canvas') && (!isEmpty || unselected.has(id)),
  );
  const pressed = app.shortcuts.find(
    event,
    commands.map(({ id }) => id),
  );
  const found = commands.find(({ id }) => id === pressed);
  // Its own events need no permission, and bring files.
  if (found && natural.has(found.id) && isBrowsers(event)) return false;
  if (found?.enabled) found.run();
  return found !== undefined;
}

/* Aligning and distributing elements. Pure; pixels of the document. */

/** Edges and middles to align elements by. */
type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';

/**
 * The way that aligns an area with an edge or middle.
 *
 * @param within The bounds of several areas together, or of the picture for one alone.
 */
function alignWay(area: Area, alignment: Alignment, within: Bounds): Point {
  const own = boundsOf([area]);
  const middle = (from: number, to: number): number => (from + to) / 2;
  switch (alignment) {
    case 'left':
      return { x: within.left - own.left, y: 0 };
    case 'centre':
      return { x: middle(within.left, within.right) - middle(own.left, own.right), y: 0 };
    case 'right':
      return { x: within.right - own.right, y: 0 };
    case 'top':
      return { x: 0, y: within.top - own.top };
    case 'middle':
      return { x: 0, y: middle(within.top, within.bottom) - middle(own.top, own.bottom) };
    case 'bottom':
      return { x: 0, y: within.bottom - own.bottom };
  }
}

/** The ways that make the gaps between areas equal; the first and the last one stay. By area, in the order given. */
function spreadWays(areas: readonly Area[], axis: 'x' | 'y'): readonly Point[] {
  const [start, end] = axis === 'x' ? (['left', 'right'] as const) : (['top', 'bottom'] as const);
  const ordered = areas
    .map((area, index) => ({ index, bounds: boundsOf([area]) }))
    .sort((a, b) => a.bounds[start] + a.bounds[end] - b.bounds[start] - b.bounds[end]);
  const ways = areas.map(() => ({ x: 0, y: 0 }));
  const first = ordered[0];
  const last = ordered.at(-1);
  if (!first || !last || ordered.length < 3) return ways;
  const filled = ordered.reduce((sum, { bounds }) => sum + bounds[end] - bounds[start], 0);
  const gap = (last.bounds[end] - first.bounds[start] - filled) / (ordered.length - 1);
  let at = first.bounds[start];
  for (const { index, bounds } of ordered) {
    ways[index] = { x: 0, y: 0, [axis]: at - bounds[start] };
    at += bounds[end] - bounds[start] + gap;
  }
  return ways;
}
