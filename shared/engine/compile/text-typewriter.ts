/**
 * The typewriter: which letters are visible at a moment, and where the cursor is. Called by layout once per letter and
 * frame; pure.
 */
import { numberOf } from './animation-options.ts';
import type { PieceEffect, PieceFrame } from './effect.ts';
import { held, partProgress, secondsIn } from './progress.ts';
import type { Animation } from './timeline.ts';

/** The type's name in the language. */
export const typewriter = 'text-typewriter';

/** Letters are visible or not; with fading, one appears while the next is typed. */
export function typed(animation: Animation, time: number, piece: PieceFrame): PieceEffect | null {
  if (animation.side === 'outgoing') return null;
  const typing = typedLetters(animation, time, piece.count) - piece.index;
  if (typing >= 1) return null;
  return { opacity: animation.options.fade === true ? held(typing) : 0 };
}

/**
 * How many letters are before a typewriter's cursor at a moment; null = no cursor, or the dark half of its blinking. It
 * starts lit, and goes with the animation.
 */
export function typingCursor(animation: Animation, time: number, count: number): number | null {
  if (animation.type !== typewriter || animation.side === 'outgoing') return null;
  const passed = secondsIn(animation, time);
  const frequency = numberOf(animation.options, 'cursorFrequency');
  if (frequency <= 0 || passed < 0 || passed > animation.duration - 1e-9) return null;
  const halves = Math.floor(2 * frequency * passed + 1e-9);
  if (halves % 2 !== 0) return null;
  return Math.min(count, Math.max(0, Math.floor(typedLetters(animation, time, count))));
}

/** Letters typed, with the part of the next one. */
function typedLetters(animation: Animation, time: number, count: number): number {
  const { typingStart, typingDuration } = animation.options;
  const progress = partProgress(animation, time, typingStart, typingDuration);
  // Just before a letter's turn counts as its turn: frame times have rounding errors.
  return progress * count + 1e-9;
}
