/** Keyframes on the timeline by commands: the head to them, away with them, and on the clipboard. Window only. */
import { command, type Command } from '../../frame/commands/command.ts';
import { say } from '../../ui/say.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import { wordsOfProperty } from '../inspector/words.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { changedText } from './change.ts';
import type { Clip } from './clips.ts';
import { foreignNames, keysText, timesOf, withKeys, type CopiedKeys } from './key-copies.ts';
import { keyMomentsOf, withoutKeys } from './keys.ts';
import { refuse } from './refuse.svelte.ts';

/** Keyframes of a clip, at some moments of its clock. */
interface KeysOfClip {
  readonly clip: Clip;
  /** Seconds; at least one. */
  readonly at: readonly number[];
}

export function keyCommands(editor: TemplateEditor, app: AppState): readonly Command[] {
  const { canvas, preview, document } = editor;
  const isReady = preview.frameCount > 1 && document.readable;
  const some = { enabled: isReady && canvas.selection.length > 0 };
  const keyed = { enabled: some.enabled && keysOf(editor) !== null };
  return [
    command('previous-keyframe', 'stepBack', () => goToKeys(editor, -1), some),
    command('next-keyframe', 'stepOn', () => goToKeys(editor, 1), some),
    command('remove-keyframe', 'trash', () => removeKeys(editor, app), { ...keyed, danger: true }),
  ];
}

/** The keyframes that were pressed, or else those of the selected clip under the head. */
export function keysOf({ timeline, selected, preview }: TemplateEditor): KeysOfClip | null {
  const { clips, frame } = timeline;
  const { chosen } = timeline.keys;
  const clip = clips?.byPath.get(chosen?.path ?? selected);
  if (!clip) return null;
  if (chosen) return { clip, at: chosen.at };
  const head = preview.time - clip.start;
  const near = keyMomentsOf(clip).find(({ at }) => Math.abs(at - head) < frame / 2);
  return near ? { clip, at: [near.at] } : null;
}

/** Takes away those that `keysOf` means; says why where that can't be. @returns whether they are gone. */
export function removeKeys(editor: TemplateEditor, app: AppState, name = ''): boolean {
  const { timeline, document } = editor;
  document.settle();
  const found = keysOf(editor);
  if (!found || !document.readable) return false;
  const { clip, at } = found;
  const why = timeline.obstacle(clip, { kind: 'keys', at });
  if (why) {
    refuse(app, why, clip.name);
    return false;
  }
  const { text } = document;
  const change = withoutKeys(clip, at);
  return timeline.apply(text, changedText(text, change), change, name);
}

/** The head to the keyframes before it, or after it, of what is selected. */
function goToKeys({ timeline, canvas, preview }: TemplateEditor, way: 1 | -1): void {
  const found = canvas.selection.flatMap((path) => {
    const clip = timeline.clips?.byPath.get(path);
    const moments = clip ? keyMomentsOf(clip) : [];
    return moments.map(({ at }) => ({ path, at, moment: (clip?.start ?? 0) + at }));
  });
  const ahead = found.filter(({ moment }) => (moment - preview.time) * way > timeline.frame / 2);
  const [next] = ahead.sort((a, b) => (a.moment - b.moment) * way);
  if (next) timeline.goToKeys(next.path, next.at);
}

/** The keyframes that were pressed as the text of a clipboard; null for none. */
export function copiedKeys(editor: TemplateEditor): string | null {
  if (!editor.timeline.keys.chosen) return null;
  editor.document.settle();
  const found = editor.document.readable ? keysOf(editor) : null;
  return found && keysText(found.clip, found.at);
}

/** Says how many were copied; after cutting, they are gone. */
export function tellCopiedKeys(editor: TemplateEditor, app: AppState, isCut: boolean): void {
  const count = keysOf(editor)?.at.length ?? 0;
  if (isCut && !removeKeys(editor, app, say('canvas.step.cut'))) return;
  app.messages.speak(say(isCut ? 'editor.keys.cut' : 'editor.keys.copied', { count }));
}

/**
 * Puts copied keyframes on the same properties of what is selected, the first of them at the head. One step; says what
 * can't have them.
 */
export function pasteKeys(editor: TemplateEditor, app: AppState, copied: CopiedKeys): void {
  const { timeline, canvas, document, preview } = editor;
  const problem = (words: string): number => app.messages.show(words, { tone: 'problem' });
  const clips = canvas.selection.flatMap((path) => timeline.clips?.byPath.get(path) ?? []);
  if (clips.length === 0) {
    problem(say('editor.keys.none'));
    return;
  }
  let { text } = document;
  for (const clip of clips) {
    const { name } = clip;
    const at = preview.time - clip.start;
    const why = timeline.obstacle(clip, { kind: 'keys', at: [at] });
    const foreign = foreignNames(clip, copied);
    const isOutside = at < -timeline.frame / 2 || at > clip.duration + timeline.frame / 2;
    if (why) refuse(app, why, name);
    else if (isOutside) problem(say('editor.keys.outside', { name }));
    else {
      text = withKeys(text, clip, copied, Math.max(0, at), timeline.frame);
      const properties = foreign.map(wordsOfProperty).join(', ');
      if (foreign.length > 0) problem(say('editor.keys.foreign', { name, properties }));
    }
  }
  if (!timeline.apply(document.text, text, undefined, say('canvas.step.paste'))) return;
  document.settle();
  const [clip] = clips;
  const times = timesOf(copied);
  const begin = preview.time - (clip?.start ?? 0);
  if (clip && clips.length === 1)
    timeline.keys.choose({ path: clip.path, at: times.map((time) => begin + time) });
  app.messages.speak(say('editor.keys.pasted', { count: times.length }));
}
