/** What the keys of a caption line do, as one table of its commands. Window only. */
import type { CommandId } from '../../../shared/commands.ts';
import type { CaptionsState } from './captions-state.svelte.ts';
import type { PreviewState } from '../preview/preview-state.svelte.ts';
import { startOf } from '../../../shared/engine/compile/caption-lines.ts';
import { textOf } from './lines.ts';

/** The line that is typed in. */
export interface TypedLine {
  readonly index: number;
  /** Of the cursor; null while letters are selected. */
  readonly letter: number | null;
  readonly isEmpty: boolean;
}

/** Where the cursor goes next: a line and a letter of it, `end` for behind the last. */
export interface NextCursor {
  readonly index: number;
  readonly letter: number | 'end' | 'all';
}

/** Frames of the larger steps. */
const many = 10;

/** Commands of a line, in the order in which their keys are looked up. */
export const captionCommandIds = [
  ...(['split-caption', 'join-caption', 'add-caption', 'remove-caption'] as const),
  'give-caption',
  ...(['previous-caption', 'next-caption'] as const),
  ...(['caption-back', 'caption-on', 'caption-back-ten', 'caption-on-ten'] as const),
  ...(['captions-back', 'captions-on', 'play-caption'] as const),
] as const satisfies readonly CommandId[];
export type CaptionCommandId = (typeof captionCommandIds)[number];

/**
 * Runs a command of a line.
 *
 * @returns where the cursor goes; `stay` where it is; null if the key is none of ours here, and does what it does in
 * texts
 */
export function runCaptionCommand(
  id: CaptionCommandId,
  { index, letter, isEmpty }: TypedLine,
  captions: CaptionsState,
  preview: PreviewState,
): NextCursor | 'stay' | null {
  const shift = (frames: number, which: 'one' | 'following'): 'stay' => {
    captions.shift(index, frames * captions.frame, which);
    return 'stay';
  };
  switch (id) {
    case 'split-caption':
      // Never a line end in the text; behind its last letter, the next line begins.
      if (letter === null || isEmpty) return 'stay';
      if (letter === textOf(captions.lines[index] ?? []).length)
        return { index: captions.add(index), letter: 'all' };
      return captions.split(index, letter) ? { index: index + 1, letter: 0 } : 'stay';
    case 'join-caption': {
      if (isEmpty) {
        captions.remove(index);
        return { index: Math.max(0, index - 1), letter: index > 0 ? 'end' : 0 };
      }
      if (letter !== 0) return null;
      const joined = captions.join(index);
      return joined === null ? 'stay' : { index: index - 1, letter: joined };
    }
    case 'add-caption':
      return { index: captions.add(index), letter: 'all' };
    case 'remove-caption':
      captions.remove(index);
      return { index: Math.min(index, captions.lines.length - 1), letter: 0 };
    case 'give-caption':
      captions.give(index);
      return { index: Math.min(index, captions.lines.length - 1), letter: 0 };
    case 'previous-caption':
      return { index: Math.max(0, index - 1), letter: 0 };
    case 'next-caption':
      return { index: Math.min(captions.lines.length - 1, index + 1), letter: 0 };
    case 'caption-back':
      return shift(-1, 'one');
    case 'caption-on':
      return shift(1, 'one');
    case 'caption-back-ten':
      return shift(-many, 'one');
    case 'caption-on-ten':
      return shift(many, 'one');
    case 'captions-back':
      return shift(-1, 'following');
    case 'captions-on':
      return shift(1, 'following');
    case 'play-caption': {
      if (preview.playing) {
        preview.pause();
        return 'stay';
      }
      const line = captions.lines[index];
      if (line) captions.seek(startOf(line));
      preview.toggle();
      return 'stay';
    }
  }
}
