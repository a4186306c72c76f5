/** Every option of every animation with test values, for tests of its effect and its look. */
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
  /** Options that this one needs to have an effect. */
  readonly companions: JsonObject;
  /** Whether the option says which side of a transition acts. */
  readonly ofTransitions: boolean;
}

const companions: Readonly<Record<string, JsonObject>> = {
  'circular-wipe.ring_width': { ring_color: '#ffffff' },
  'circular-wipe.ring_color': { ring_width: '20%' },
  'wipe.clip': { fade: false },
  'circular-wipe.clip': { fade: false },
  // An anchor only matters if something turns or grows around it.
  'flip.x_anchor': { y_rotation: '90°' },
  'flip.y_anchor': { x_rotation: '90°' },
  'wiggle.y_anchor': { x_rotation: '20°' },
  'text-slide.background_effect': { scope: 'split-clip' },
};

const ofTransitions = new Set(['fade.enable', 'slide.fixed', 'wipe.clip', 'circular-wipe.clip']);

/** Every word of a list, both values of a boolean, and two non-default values of a number. */
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

/** All cases, type by type. */
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
