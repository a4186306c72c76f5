/** What a control works on: a property of what is selected, or an option of one of its animations. Window only. */
import type { KnownColors } from '../../editor/inspector/colors.ts';
import type { AnimationOption } from '../../../shared/renderscript/animation-types.ts';
import { property } from '../../../shared/renderscript/properties.ts';
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import type { LengthContext } from '../../editor/canvas/length.ts';
import type { PropertyName } from '../../editor/inspector/groups.ts';
import type { Shown } from '../../editor/inspector/shown-values.ts';
import { wordsOfOption } from '../../editor/inspector/words.ts';
import type { InspectorState } from './inspector.svelte.ts';

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

/** A property. */
export function propertySlot(inspector: InspectorState, name: PropertyName): Slot {
  return {
    ...common(inspector),
    name,
    get words() {
      return inspector.wordsOf(name);
    },
    get shown() {
      return inspector.shown(name);
    },
    get standard() {
      return inspector.standardOf(name);
    },
    get takesNull() {
      return [...inspector.owners].every((owner) => {
        const row = property(owner, name);
        return row?.rule.nullable === true && row.nullIsDefault !== true;
      });
    },
    get measured() {
      return inspector.measured(name);
    },
    get lengthContext() {
      return inspector.lengthContext(name);
    },
    write: (value) => inspector.writeEach(name, () => value),
    writeEach: (valueOf, before) => inspector.writeEach(name, valueOf, before),
    reset: () => inspector.reset([name]),
  };
}

/** An option of an animation. */
export function optionSlot(
  inspector: InspectorState,
  entry: { readonly index: number; readonly values: JsonObject },
  option: AnimationOption,
): Slot {
  // An older name that is written stays.
  const key = [option.name, ...option.aliases].find((name) => entry.values[name] !== undefined);
  const value = key === undefined ? undefined : entry.values[key];
  const inner = `[${entry.index}].${key ?? option.name}`;
  return {
    ...common(inspector),
    name: option.name,
    words: wordsOfOption(option.name),
    shown:
      value === undefined ? { kind: 'default', value: option.default } : { kind: 'same', value },
    standard: option.default,
    takesNull: option.rule.nullable === true,
    measured: null,
    lengthContext: null,
    write: (next) => inspector.writeEach('animations', () => next, 'now', inner),
    writeEach: (valueOf, before) => inspector.writeEach('animations', valueOf, before, inner),
    reset: () => inspector.reset(['animations'], inner),
  };
}

const common = (inspector: InspectorState): Pick<Slot, 'end' | 'cancel' | 'colors'> => ({
  end: () => inspector.end(),
  cancel: () => inspector.cancel(),
  colors: () => inspector.colors(),
});
