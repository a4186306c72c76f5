/** One value of what is selected, as a control sees it. Window only. */
import type { Json } from '../../../shared/renderscript/source.ts';
import type { LengthContext } from '../canvas/length.ts';
import type { KnownColors } from './colors.ts';
import type { Shown } from './shown-values.ts';

/** One value, as a control reads and writes it. Its getters are current whenever they are read. */
export interface Slot {
  /** In the language. */
  readonly name: string;
  /** What people call it. */
  readonly words: string;
  readonly shown: Shown;
  /** What a missing value means; undefined where that differs. */
  readonly standard: Json | undefined;
  /** Null is a value, and not only the absence of one. */
  readonly takesNull: boolean;
  /** How long a side is that the language chooses; null where there is none, or it is not known. */
  readonly measured: Json | null;
  /** What lengths count of; null where that is not known. */
  readonly lengthContext: LengthContext | null;
  /** Writes a value; part of the step of the control. */
  readonly write: (value: Json) => void;
  /**
   * Writes a value for each that is selected; undefined leaves one alone.
   *
   * @param before The value when the step began (default), or that of now.
   */
  readonly writeEach: (
    valueOf: (before: Json | undefined) => Json | undefined,
    before?: 'step' | 'now',
  ) => void;
  /** Takes the value away; one step. */
  readonly reset: () => void;
  /** The control was left: what comes is another step. */
  readonly end: () => void;
  /** The control's step leads nowhere. */
  readonly cancel: () => void;
  /** Colours that the document has. */
  readonly colors: () => KnownColors;
}

/** Writes a value as one step. What it is anyway needs no words in the document. */
export function choose(slot: Slot, value: Json): void {
  if (slot.standard === value) slot.reset();
  else {
    slot.write(value);
    slot.end();
  }
}
