/**
 * Runs commands by their keys. Keys that work anywhere or in the whole editor come first, before the code editor and
 * the fields; those of the page and the preview last, when nothing else used them. Lists handle the keys of their rows
 * and cards (queue/list-keys.svelte.ts, TemplateList.svelte). Window only.
 */
import { commandIds, commandTable, type CommandId, type Place } from '../../../shared/commands.ts';
import type { Command } from './command.ts';
import { isInside, isTyping } from '../../ui/focus.ts';
import { flushSync } from 'svelte';
import type { AppState } from '../app.svelte.ts';
import { allCommands, runCommand } from './applying-commands.svelte.ts';

const holdsIn = (id: CommandId, place: Place): boolean => commandTable[id].where.includes(place);

/** Keys that no field or list may take. */
export function pressFirst(event: KeyboardEvent, app: AppState): void {
  if (event.isComposing) {
    // Enter and Esc belong to the input method while it offers signs: they end no box and no dialog. The code editor
    // needs them.
    if (!(event.target instanceof Element && event.target.closest('.cm-editor'))) {
      event.stopImmediatePropagation();
    }
    return;
  }
  if (!isFree(event, app) || !app.shortcuts.find(event, commandIds)) return;
  const { target } = event;
  const isCovered = isInside(target, 'dialog');
  app.ownCommands.settle();
  // So that the commands are those of what the page has just been told.
  flushSync();
  const editing = isCovered || isInside(target, 'menu') ? [] : app.ownCommands.editor;
  const candidates = [
    ...editing.filter(({ id }) => holdsIn(id, 'editor') || holdsIn(id, 'anywhere')),
    ...allCommands(app).filter(({ id }) => holdsIn(id, 'anywhere') && !commandTable[id].byDesktop),
  ];
  const found = pressed(event, app, candidates);
  if (!found) return;
  const isLight = app.dialogs.isOpen('palette') || app.dialogs.isOpen('shortcuts');
  // A dialog must be answered first; the palette and the list of shortcuts just close.
  if (isCovered && !isLight && found.id !== 'palette' && found.id !== 'shortcuts') {
    return;
  }
  take(event);
  // Saving says itself why it can't run.
  if (editing.includes(found)) found.run();
  else runCommand(found, app);
}

/** Keys that nothing else in the page used. */
export function pressLast(event: KeyboardEvent, app: AppState): void {
  if (!isFree(event, app) || isInside(event.target, 'dialog') || isInside(event.target, 'menu')) {
    return;
  }
  const isHeld = event.ctrlKey || event.metaKey || event.altKey;
  if (!isHeld && !/^F\d+$/.test(event.key)) return;
  const isEditing = app.navigation.editing !== null;
  if (!isEditing && isTyping(event.target)) return;
  const place = isEditing ? 'preview' : app.navigation.page === 'queue' ? 'queue' : 'templates';
  const candidates = allCommands(app).filter(
    ({ id }) => holdsIn(id, place) || (['undo-removal', 'select-all'].includes(id) && !isEditing),
  );
  const found = pressed(event, app, candidates);
  if (!found) return;
  take(event);
  runCommand(found, app);
}

/** Nothing has used the key, and no question or recording waits for keys of its own. */
function isFree(event: KeyboardEvent, { dialogs, shortcuts }: AppState): boolean {
  return (
    !event.defaultPrevented &&
    !event.isComposing &&
    !dialogs.isOpen('question') &&
    !shortcuts.recording
  );
}

function pressed(
  event: KeyboardEvent,
  { shortcuts }: AppState,
  commands: readonly Command[],
): Command | undefined {
  const id = shortcuts.find(
    event,
    commands.map((one) => one.id),
  );
  return id && commands.find((one) => one.id === id);
}

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
