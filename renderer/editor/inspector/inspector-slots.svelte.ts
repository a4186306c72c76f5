/** What a control works on: a property of what is selected, or an option of one of its animations. Window only. */
import type { AnimationOption } from '../../../shared/renderscript/animation-types.ts';
import { property } from '../../../shared/renderscript/properties.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import type { PropertyName } from './groups.ts';
import { wordsOfOption } from './words.ts';
import type { Slot } from './slot.ts';
import type { InspectorState } from './inspector-state.svelte.ts';

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
