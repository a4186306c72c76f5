/** The commands of the timeline: one table for its keys, its bar and the palette. */
import { commandTable } from '../../../shared/commands.ts';
import { without } from '../canvas/copies.ts';
import { changedText, noChange } from './change.ts';
import { endOf, type Clip } from './clips.ts';
import { duckedMusic } from './ducking.ts';
import { keyCommands, keysOf, removeKeys } from './key-commands.svelte.ts';
import { boundedKeys, momentsAt, movedKeys } from './keys.ts';
import { boundedWay, movedClips } from './move.ts';
import { endToEnd, shortestOf } from './rows.ts';
import { refuse } from './refuse.svelte.ts';
import { zoomStep } from './ruler.ts';
import { hasSound } from './sound.ts';
import { splitComposition } from './split-composition.ts';
import { splitsAt, splitText } from './split.ts';
import { captionsOfParts, withCopies } from '../captions/parts.ts';
import { boundedTrim, closedUp, trimmedClip, type Edge } from './trim.ts';
import { mediaObstacleOf, type Obstacle } from './wishes.ts';
import { command, type Command } from '../../frame/commands/command.ts';
import { say } from '../../ui/say.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import { canvasCommands } from '../canvas/canvas-commands.svelte.ts';
import { isBrowsers } from '../canvas/clipboard-commands.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { targetAt } from './timeline-pointer.svelte.ts';

export function timelineCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { timeline, canvas, preview } = editor;
  const moves = preview.frameCount > 1;
  const some = { enabled: moves && canvas.selection.length > 0 && editor.document.readable };
  const movable = { enabled: some.enabled || editor.markers.chosen !== null };
  const more = { enabled: moves };
  return [
    command('split-clips', 'split', () => split(editor, app), more),
    command('trim-start', 'trimStart', () => trim(editor, app, 'start'), some),
    command('trim-end', 'trimEnd', () => trim(editor, app, 'end'), some),
    command('ripple-remove', 'removeClosing', () => removeClosing(editor, app), {
      ...some,
      danger: true,
    }),
    command('add-transition', 'transition', () => openCut(editor, app, false), more),
    command('all-transitions', 'transition', () => openCut(editor, app, true), more),
    command('duck-music', 'volume', () => duckMusic(editor, app), {
      enabled: some.enabled && timeline.chosenSounds.length > 0,
    }),
    command('clip-back', 'stepBack', () => nudge(editor, app, -1), movable),
    command('clip-on', 'stepOn', () => nudge(editor, app, 1), movable),
    command('clip-back-ten', 'stepBack', () => nudge(editor, app, -10), movable),
    command('clip-on-ten', 'stepOn', () => nudge(editor, app, 10), movable),
    command('clip-up', 'moveUp', () => changeRow(editor, app, -1), some),
    command('clip-down', 'moveDown', () => changeRow(editor, app, 1), some),
    ...keyCommands(editor, app),
    ...markerCommands(editor),
    command('previous-cut', 'toStart', () => goToCut(editor, -1), more),
    command('next-cut', 'toEnd', () => goToCut(editor, 1), more),
    command('previous-beat', 'stepBack', () => goToBeat(editor, -1), more),
    command('next-beat', 'stepOn', () => goToBeat(editor, 1), more),
    command('fold-clip', 'down', () => timeline.toggle(editor.selected), {
      enabled: moves && timeline.canUnfold(editor.selected),
    }),
    command('toggle-snapping', 'magnet', () => (timeline.snaps = !timeline.snaps), {
      ...more,
      ticked: timeline.snaps,
    }),
    command('toggle-ripple', 'ripple', () => (timeline.ripples = !timeline.ripples), {
      ...more,
      ticked: timeline.ripples,
    }),
    command('timeline-zoom-in', 'zoomIn', () => (timeline.scale *= zoomStep), more),
    command('timeline-zoom-out', 'zoomOut', () => (timeline.scale /= zoomStep), more),
    command('timeline-fit', 'expand', () => timeline.fit(), more),
  ];
}

/** The selected clips that can be changed; says why where none can. */
function chosen(editor: TemplateEditor, app: AppState): readonly Clip[] {
  const { timeline, canvas, document } = editor;
  document.settle();
  const clips = canvas.selection.flatMap((path) => timeline.clips?.byPath.get(path) ?? []);
  const free = clips.filter((clip) => !timeline.obstacle(clip, { kind: 'move' }));
  const [first] = clips;
  const why = first && timeline.obstacle(first, { kind: 'move' });
  if (first && why && free.length === 0) refuse(app, why, first.name);
  return document.readable ? free : [];
}

/** Frames on (or back, below 0): a marker or keyframes that were pressed, else what is selected. */
function nudge(editor: TemplateEditor, app: AppState, frames: number): void {
  const { timeline, document, markers } = editor;
  if (markers.chosen) {
    markers.nudge(markers.chosen, frames);
    return;
  }
  const held = chosen(editor, app);
  const keyed = timeline.keys.chosen && keysOf(editor);
  if (keyed) {
    const { clip, at } = keyed;
    const { path } = clip;
    const by = boundedKeys(clip, at, frames * timeline.frame, timeline.frame);
    const moved = changedText(document.text, movedKeys(clip, at, by));
    const named = momentsAt(clip, at).flatMap(({ keys }) => keys);
    const run = ['keys', path, ...named.map(({ name, index }) => `${name} ${index}`)].join();
    if (!timeline.apply(document.text, moved, noChange, say('canvas.step.move'), run)) return;
    timeline.goToKeys(path, (at[0] ?? 0) + by);
    timeline.keys.choose({ path, at: at.map((one) => one + by) });
    return;
  }
  const [first] = held;
  if (!timeline.clips || !first) return;
  const beside = held.filter(({ parent }) => parent === first.parent);
  const way = boundedWay(beside, frames * timeline.frame);
  const change = movedClips(timeline.clips, beside, way, null, true);
  const run = ['clips', ...beside.map(({ path }) => path)].join();
  const text = changedText(document.text, change);
  timeline.apply(document.text, text, change, say('canvas.step.move'), run);
}

/** To the row above (-1) or below (1), those of the same list being counted. */
function changeRow(editor: TemplateEditor, app: AppState, by: 1 | -1): void {
  const [clip, ...others] = chosen(editor, app);
  const { timeline, document } = editor;
  if (!timeline.clips || !clip || others.length > 0) return;
  const rows = timeline.rows.filter(({ list }) => list === clip.list);
  const own = rows.findIndex(({ clips }) => clips.some(({ key }) => key === clip.path));
  const row = rows[own + by];
  const target =
    own === 0 && by < 0
      ? ({ kind: 'front' } as const)
      : targetAt(row, by < 0, clip.list, clip.path);
  if (!target) return;
  const change = movedClips(timeline.clips, [clip], 0, target);
  timeline.apply(document.text, changedText(document.text, change), change);
}

function trim(editor: TemplateEditor, app: AppState, edge: Edge): void {
  const { timeline, document, preview } = editor;
  const held = chosen(editor, app);
  const text = held.reduce((made, { path }) => {
    const clip = timeline.clips?.byPath.get(path);
    if (!clip || !timeline.clips) return made;
    const why = timeline.obstacle(clip, { kind: 'trim', edge });
    if (why) {
      refuse(app, why, clip.name);
      return made;
    }
    const by = preview.time - (edge === 'start' ? clip.start : endOf(clip));
    const ripples = timeline.ripples || endToEnd(timeline.clips).includes(clip);
    const shortest = shortestOf(timeline.clips, clip, timeline.frame);
    const way = boundedTrim(clip, edge, by, shortest, ripples);
    return changedText(made, trimmedClip(timeline.clips, clip, edge, way, ripples));
  }, document.text);
  timeline.apply(document.text, text);
}

/** Opens the panel of the cut that is meant. @param all For all cuts of its row. */
function openCut({ transitions }: TemplateEditor, app: AppState, all: boolean): void {
  const cut = transitions.near();
  if (cut) transitions.show(cut.after.path, all);
  else app.messages.show(say('editor.transition.none'), { tone: 'problem' });
}

/** Cuts what is selected, else all clips of the document that the head is in. */
function split(editor: TemplateEditor, app: AppState): void {
  const { timeline, document, canvas, preview, outline } = editor;
  document.settle();
  if (!timeline.clips || !document.readable) return;
  const { top, byPath } = timeline.clips;
  const isThere = (clip: Clip): boolean => splitsAt(clip, preview.time, timeline.frame);
  const selected = canvas.selection.flatMap((path) => byPath.get(path) ?? []).filter(isThere);
  const isFree = (clip: Clip): boolean => whyNotSplit(editor, clip) === null;
  const found =
    selected.length > 0 ? selected : top.filter((clip) => isThere(clip) && isFree(clip));
  const free = found.filter(isFree);
  const [first] = found;
  if (free.length === 0) {
    const why = first && whyNotSplit(editor, first);
    if (first && why) refuse(app, why, first.name);
    else app.messages.show(say('editor.timeline.why.head'), { tone: 'problem' });
    return;
  }
  const names = new Set(outline.map(({ label }) => label));
  // The inner ones first, and from the end of each list, so that the places of the others stay valid.
  const inOrder = [...free].sort((a, b) => b.list.length - a.list.length || b.index - a.index);
  const whole = inOrder.filter((clip) => !isCut(clip));
  const { own, copies } = captionsOfParts(timeline.clips, whole, names);
  let text = document.text;
  for (const clip of inOrder) {
    if (!isCut(clip)) {
      text = splitText(text, clip, preview.time, names, own.get(clip));
      continue;
    }
    const cut = splitComposition(text, clip, preview.time, names, preview.lengths);
    if ('why' in cut) refuse(app, cut.why, cut.of);
    else text = cut.text;
  }
  text = withCopies(text, copies);
  if (!timeline.apply(document.text, text)) return;
  const [only] = free;
  if (free.length === 1 && only) canvas.selectAll([`${only.list}[${only.index + 1}]`]);
}

/** A composition whose content is cut with it. */
const isCut = (clip: Clip): boolean => clip.type === 'composition' && clip.children.length > 0;

function whyNotSplit({ timeline }: TemplateEditor, clip: Clip): Obstacle | null {
  return timeline.obstacle(clip, { kind: 'move' }) ?? mediaObstacleOf(clip);
}

/** Deletes what is selected; what comes later on its tracks closes up. */
function removeClosing(editor: TemplateEditor, app: AppState): void {
  const { timeline, canvas, document } = editor;
  const gone = chosen(editor, app);
  if (!timeline.clips || gone.length === 0) return;
  const values = closedUp(timeline.clips, gone);
  const closed = changedText(document.text, { values, order: null });
  const before = document.text;
  canvas.clear();
  timeline.apply(
    before,
    without(
      closed,
      gone.map(({ path }) => path),
    ),
  );
  const offer = app.messages.show(say('editor.canvas.deleted', { count: gone.length }), {
    action: { label: say('editor.undo'), run: () => document.undo() },
  });
  // Later it would undo something else.
  document.code.untilChange(() => app.messages.dismiss(offer));
}

/** Turns the selected sounds down while others are heard; one step. */
function duckMusic(editor: TemplateEditor, app: AppState): void {
  const { timeline, document } = editor;
  const music = chosen(editor, app).filter(hasSound);
  if (!timeline.clips || music.length === 0) return;
  const change = duckedMusic(timeline.clips, music, (clip) => timeline.peaksOf(clip));
  if (change) {
    const after = changedText(document.text, change);
    timeline.apply(document.text, after, change, say('command.duck-music'));
  } else app.messages.show(say('editor.timeline.why.unheard'), { tone: 'problem' });
}

/** The head to the next beat of any sound, or to the one before: edges are then trimmed to it. */
function goToBeat({ timeline, preview }: TemplateEditor, way: 1 | -1): void {
  const half = timeline.frame / 2;
  const beats = [...(timeline.clips?.byPath.values() ?? [])].flatMap((clip) =>
    timeline.beatsOf(clip),
  );
  const ahead = beats.filter((at) => (at - preview.time) * way > half);
  const [first] = ahead;
  if (first === undefined) return;
  preview.seek(ahead.reduce((best, at) => ((at - best) * way < 0 ? at : best), first));
}

/** The head to the nearest beginning or end of a clip before it, or after it. */
function goToCut({ timeline, preview }: TemplateEditor, way: 1 | -1): void {
  if (!timeline.clips) return;
  const half = timeline.frame / 2;
  const edges = [...timeline.clips.byPath.values()].flatMap((clip) => [clip.start, endOf(clip)]);
  const ahead = edges.filter((at) => (at - preview.time) * way > half);
  const end = way > 0 ? timeline.duration : 0;
  const next = ahead.reduce((best, at) => ((at - best) * way < 0 ? at : best), end);
  preview.seek(next);
}

function markerCommands({ markers, preview }: TemplateEditor): readonly Command[] {
  const moves = preview.frameCount > 1;
  const some = { enabled: moves && markers.list.length > 0 };
  return [
    command('add-marker', 'marker', () => markers.add(), {
      enabled: moves,
      ...(markers.isFull && { reason: say('editor.marker.full') }),
    }),
    command('previous-marker', 'previousMarker', () => markers.step(-1), some),
    command('next-marker', 'nextMarker', () => markers.step(1), some),
  ];
}

/** Runs the command of a key pressed on the timeline. @returns whether the key had a command. */
export function timelineKey(event: KeyboardEvent, editor: TemplateEditor, app: AppState): boolean {
  const shared = canvasCommands(editor, app).filter(({ id }) =>
    commandTable[id].where.includes('timeline'),
  );
  const player = app.ownCommands.editor.filter(({ id }) =>
    commandTable[id].where.includes('preview'),
  );
  for (const commands of [[...timelineCommands(editor, app), ...shared], player]) {
    const ids = commands.map(({ id }) => id);
    const pressed = app.shortcuts.find(event, ids);
    const found = commands.find(({ id }) => id === pressed);
    if (!found) continue;
    // Its own events need no permission; without keyframes, they mean elements.
    if (/^(?:cut|copy)-keyframes$/.test(found.id) && isBrowsers(event)) return false;
    const { chosen: marker } = editor.markers;
    if (found.id === 'remove-elements' && marker) editor.markers.remove(marker);
    // Of a clip whose keyframes were pressed it is those that go.
    else if (found.id === 'remove-elements' && editor.timeline.keys.chosen) removeKeys(editor, app);
    else if (found.enabled) found.run();
    return true;
  }
  return false;
}
