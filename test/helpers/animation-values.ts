/** Every option of every animation with the values that it is tried with, for tests of what they do and how they look. */
import {
  animationTypes,
  type AnimationOption,
  type AnimationType,
} from '../../shared/renderscript/animation-types.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';

/** One value of one option. */
export interface OptionCase {
  readonly type: AnimationType;
  readonly option: AnimationOption;
  readonly value: Json;
  /** `type.option`. */
  readonly key: string;
  /** Options without which this one has nothing to act on. */
  readonly companions: JsonObject;
  /** True for options that say which side of a transition does something. */
  readonly ofTransitions: boolean;
}

const companions: Readonly<Record<string, JsonObject>> = {
  'circular-wipe.ring_width': { ring_color: '#ffffff' },
  'circular-wipe.ring_color': { ring_width: '20%' },
  'wipe.clip': { fade: false },
  'circular-wipe.clip': { fade: false },
  // An anchor matters where something turns or grows about it.
  'flip.x_anchor': { y_rotation: '90°' },
  'flip.y_anchor': { x_rotation: '90°' },
  'wiggle.y_anchor': { x_rotation: '20°' },
  'text-slide.background_effect': { scope: 'split-clip' },
};

const ofTransitions = new Set(['fade.enable', 'slide.fixed', 'wipe.clip', 'circular-wipe.clip']);

/** Every word of a list, both ways of a switch, and for numbers two values that are not the default. */
function valuesOf({ name, rule }: AnimationOption): Json[] {
  switch (rule.kind) {
    case 'enum':
      return [...rule.values];
    case 'boolean':
      return [true, false];
    case 'color':
      return ['#ff0000'];
    case 'number':
      if (rule.units.includes('°')) return ['30°', '-90°'];
      if (rule.units.includes('Hz')) return ['1.5 Hz', '0.5 Hz'];
      if (rule.units.includes('s')) return ['0.3 s', '0.6 s'];
      if (rule.units.includes('%')) return ['30%', '80%'];
      return [2, 5];
    default:
      throw new Error(`no values for the option ${name}`);
  }
}

/** All of them, type by type. */
export const optionCases: readonly OptionCase[] = [...animationTypes.values()].flatMap((type) =>
  type.options.flatMap((option) => {
    const key = `${type.name}.${option.name}`;
    return valuesOf(option).map((value) => ({
      type,
      option,
      value,
      key,
      companions: companions[key] ?? {},
      ofTransitions: ofTransitions.has(key),
    }));
  }),
);
