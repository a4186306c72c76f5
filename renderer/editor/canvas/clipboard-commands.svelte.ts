/** Copying, cutting and pasting elements and keyframes, by commands and by the browser's own events. Window only. */
import { clipboardText, readClipboard, withFonts, withPasted, type Pasted } from './clipboard.ts';
import { startsIn, without } from './copies.ts';
import { parentOf } from './hits.ts';
import { wayIn, minus, type Point } from './plane.ts';
import { withStyle } from './style.ts';
import { elementAt } from '../outline/elements.ts';
import { copiedKeys, pasteKeys, tellCopiedKeys } from '../timeline/key-commands.svelte.ts';
import { contextFor, pieceOf } from '../making/pieces.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { command, type Command } from '../../frame/commands/command.ts';
import { isInside, isTyping } from '../../ui/focus.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import type { ClipboardContent } from '../../frame/clipboard.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** What is copied: the elements that are selected, or keyframes that were pressed on the timeline. */
interface Copyable {
  /** As the text of a clipboard; null for nothing. */
  readonly text: (editor: TemplateEditor) => string | null;
  /** Says what was copied; after cutting, it is gone. */
  readonly tell: (editor: TemplateEditor, app: AppState, isCut: boolean) => void;
}

const elements: Copyable = { text: copied, tell };
const keyframes: Copyable = { text: copiedKeys, tell: tellCopiedKeys };

export function clipboardCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { canvas, document, timeline } = editor;
  const some = { enabled: canvas.selection.length > 0 && document.readable };
  const keyed = { enabled: timeline.keys.chosen !== null && document.readable };
  const write = async (what: Copyable, isCut: boolean): Promise<void> => {
    const text = what.text(editor);
    if (text === null) return;
    try {
      await app.clipboard.write(text);
    } catch {
      app.messages.show(say('toast.notCopied'), { tone: 'problem' });
      return;
    }
    what.tell(editor, app, isCut);
  };
  return [
    command('cut-elements', 'split', () => void write(elements, true), some),
    command('copy-elements', 'copy', () => void write(elements, false), some),
    command('paste-elements', 'paste', () => void pasteRead(editor, app), {
      enabled: document.readable,
    }),
    command('paste-style', 'palette', () => void pasteStyle(editor, app), some),
    command('cut-keyframes', 'split', () => void write(keyframes, true), keyed),
    command('copy-keyframes', 'copy', () => void write(keyframes, false), keyed),
  ];
}

/** What is selected as the text of a clipboard; null for nothing. */
function copied({ canvas, document, outline }: TemplateEditor): string | null {
  document.settle();
  const { source, readable } = document;
  if (!source || !readable || canvas.selection.length === 0) return null;
  return clipboardText(source, canvas.selection, startsIn(outline));
}

/** Says what was copied; after cutting, it is gone. */
function tell({ canvas, document, timeline }: TemplateEditor, app: AppState, isCut: boolean): void {
  const { selection } = canvas;
  const count = selection.length;
  app.messages.speak(say(isCut ? 'canvas.wasCut' : 'canvas.copied', { count }));
  if (!isCut) return;
  canvas.clear();
  const { text } = document;
  const left = without(text, selection, timeline.clips);
  document.namedStep(differenceOf(text, left), say('canvas.step.cut'));
}

/** Pastes what is on the clipboard now. @param at Where, in pixels of the document. */
export async function pasteRead(
  editor: TemplateEditor,
  app: AppState,
  at: Point | null = null,
): Promise<void> {
  await paste(editor, app, await app.clipboard.read(), at);
}

async function paste(
  editor: TemplateEditor,
  app: AppState,
  { text, files }: ClipboardContent,
  at: Point | null = null,
): Promise<void> {
  const { adding, canvas, document } = editor;
  document.settle();
  if (!document.readable) {
    app.messages.show(say('editor.outline.broken'), { tone: 'problem' });
    return;
  }
  const { width, height } = canvas.document;
  const place = at && width > 0 ? { x: at.x / width, y: at.y / height } : undefined;
  if (files.length > 0) {
    await adding.addFiles(app, files, { place });
    return;
  }
  const found = text.length > documentLimits.characters ? null : readClipboard(text);
  if (!found) {
    app.messages.show(say('canvas.nothingToPaste'), { tone: 'problem' });
  } else if (found.kind === 'elements') {
    pasteElements(editor, found, at);
    app.messages.speak(say('canvas.pasted', { count: found.elements.length }));
  } else if (found.kind === 'keyframes') {
    pasteKeys(editor, app, found.keys);
  } else if (found.kind === 'file') {
    const name = decodeURIComponent(new URL(found.source).pathname.replace(/^.*\//, ''));
    const unknown = { width: 0, height: 0, duration: 0 };
    adding.addMedia([{ kind: found.type, source: found.source, name, ...unknown }], { place });
  } else if (found.text.length > documentLimits.textLength) {
    app.messages.show(say('canvas.tooLong'), {
      tone: 'problem',
    });
  } else {
    const element = pieceOf('body')?.make(contextFor(document.source, editor.brand));
    adding.addElement(say('piece.body'), { type: 'text', ...element, text: found.text }, { place });
  }
}

function pasteElements(
  { canvas, document, outline, preview, selected }: TemplateEditor,
  { elements, fonts = [] }: Pick<Extract<Pasted, { kind: 'elements' }>, 'elements' | 'fonts'>,
  at: Point | null,
): void {
  const { source, text } = document;
  if (!source) return;
  const parent = selected === '' ? '' : parentOf(selected);
  const room = canvas.roomOf(parent);
  const sized = ({ width, height }: JsonObject): { width: number; height: number } => ({
    width: typeof width === 'number' ? width : 0,
    height: typeof height === 'number' ? height : 0,
  });
  const start = startsIn(outline)(parent);
  const made = withPasted(text, source, elements, {
    list: parent === '' ? 'elements' : `${parent}.elements`,
    names: outline.map(({ label }) => label),
    room: room ?? sized(source),
    document: canvas.document.width > 0 ? canvas.document : sized(source),
    at: room && at && wayIn(room, minus(at, room.origin)),
    now: preview.time - start,
  });
  // With the fonts that the elements had where they come from.
  const after = withFonts(made.text, source, fonts);
  document.namedStep(differenceOf(text, after), say('canvas.step.paste'));
  canvas.selectAll(made.paths);
}

/** Gives what is selected the look of the element on the clipboard. */
async function pasteStyle(editor: TemplateEditor, app: AppState): Promise<void> {
  const found = readClipboard((await app.clipboard.read()).text);
  const { canvas, document } = editor;
  document.settle();
  const { source, text } = document;
  const from = found?.kind === 'elements' ? found.elements[0] : undefined;
  if (!from) app.messages.show(say('canvas.noStyle'), { tone: 'problem' });
  if (!from || !source || !document.readable) return;
  const targets = canvas.selection.flatMap((path) => {
    const element = elementAt(source, path);
    return element && !canvas.isLocked(path) ? [{ path, element }] : [];
  });
  document.namedStep(
    differenceOf(text, withStyle(text, targets, from)),
    say('canvas.step.pasteStyle'),
  );
}

/** Where the browser's own copying means elements, and on the timeline keyframes that were pressed. */
const timelinePlace = '[data-testid="timeline"]';
const places = `#editor-stage, ${timelinePlace}, [role="tree"]`;

/**
 * Answers the browser's copying, cutting and pasting on picture, timeline and outline. These need no permission, and
 * bring files.
 */
export function clipboardEvent(event: ClipboardEvent, editor: TemplateEditor, app: AppState): void {
  const focus = globalThis.document.activeElement;
  if (event.defaultPrevented || isTyping(focus) || isInside(focus, 'dialog')) return;
  if (!(focus instanceof Element && focus.closest(places))) return;
  if (event.type === 'paste') {
    const { clipboardData: data } = event;
    const files = [...(data?.files ?? [])].filter(({ type }) =>
      /^(?:image|video|audio)\//.test(type),
    );
    event.preventDefault();
    void paste(editor, app, { text: data?.getData('text/plain') ?? '', files });
    return;
  }
  // Words that were marked in the page are copied as usual.
  if (globalThis.getSelection()?.isCollapsed === false) return;
  const isKeyed = editor.timeline.keys.chosen !== null && focus.closest(timelinePlace) !== null;
  const what = isKeyed ? keyframes : elements;
  const text = what.text(editor);
  if (text === null) return;
  app.clipboard.answer(event, text);
  what.tell(editor, app, event.type === 'cut');
}

/** The keys that make the browser copy, cut or paste by itself. */
export function isBrowsers(event: KeyboardEvent): boolean {
  const isHeld = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  return isHeld && /^[cvx]$/i.test(event.key);
}
