/** Words of the inspector for names and values of the language. Pure. */
import type { Json } from '../../../shared/renderscript/source.ts';
import { say, sayWord } from '../../ui/say.ts';
import type { PropertyName, RowKey } from './groups.ts';

type ChoiceKey =
  | 'inspector.warp.curved'
  | 'inspector.order.first'
  | 'inspector.scope.scene'
  | 'inspector.scope.element';

/** What people call a choice of one list, where its own word would say little there: "Default (default)". */
const choices: Readonly<Record<string, Readonly<Record<string, ChoiceKey>>>> = {
  warp_mode: { default: 'inspector.warp.curved' },
  order: { default: 'inspector.order.first' },
  scope: { composition: 'inspector.scope.scene', element: 'inspector.scope.element' },
};

/** What a value of a property or option is called: `color-dodge` → `Color dodge`. */
export function wordsOfChoice(value: string, name: string): string {
  if (name === 'output_format') return value.toUpperCase();
  const own = choices[name]?.[value];
  return own === undefined ? (sayWord('choice', value) ?? readable(value)) : say(own);
}

/** What an animation is called: `text-slide` → `Text slide`. */
export function wordsOfAnimation(type: string): string {
  return sayWord('animation', type) ?? readable(type);
}

/** What an option of animations is called: `start_scale` → `Start scale`. */
export function wordsOfOption(name: string): string {
  return sayWord('option', name) ?? readable(name);
}

const easingEnds = [
  ['-in-out', 'easing.family.in-out'],
  ['-in', 'easing.family.in'],
  ['-out', 'easing.family.out'],
] as const;

/** What an easing is called: `quadratic-in-out` → `Quadratic in out`. One with numbers stays as it is. */
export function wordsOfEasing(easing: string): string {
  if (easing.includes('(')) return easing;
  const own = sayWord('easing', easing);
  if (own !== null) return own;
  const [end, key] = easingEnds.find(([one]) => easing.endsWith(one)) ?? [];
  const family = end === undefined ? null : sayWord('easing', easing.slice(0, -end.length));
  return key === undefined || family === null ? readable(easing) : say(key, { family });
}

/** What a property is called: `fill_color` → `Fill`. */
export function wordsOfProperty(name: string): string {
  return sayWord('inspector.name', name) ?? name.replaceAll('_', ' ');
}

/** A word without a text as people read it: `no-such-word` → `No such word`. */
function readable(word: string): string {
  const words = word.replaceAll(/[-_]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A plain value in words; null is nothing, or whatever fits. */
export function wordsOfValue(value: Json | undefined, name: string): string {
  if (value === null || value === undefined || typeof value === 'object')
    return say('inspector.none');
  return wordsOfChoice(String(value), name);
}

const letters: readonly (readonly [RegExp, () => string])[] = [
  [/^width$/, () => say('inspector.letter.width')],
  [/^height$/, () => say('inspector.letter.height')],
  [/(^|_)x(_|\d|$)/, () => say('inspector.letter.x')],
  [/(^|_)y(_|\d|$)/, () => say('inspector.letter.y')],
  [/minimum$/, () => say('inspector.letter.least')],
  [/maximum$/, () => say('inspector.letter.most')],
  [/^line_/, () => say('inspector.letter.line')],
  [/^letter_/, () => say('inspector.letter.letter')],
  [/^stroke_start$/, () => say('inspector.letter.from')],
  [/^stroke_end$/, () => say('inspector.letter.to')],
  [/fade_in$/, () => say('inspector.letter.in')],
  [/fade_out$/, () => say('inspector.letter.out')],
];

/** What stands before a number that shares its line; '' for nothing. */
export function letterOf(name: PropertyName): string {
  return letters.find(([pattern]) => pattern.test(name))?.[1]() ?? '';
}

/** The words before a line. */
export function wordsOfRow(key: RowKey): string {
  return isPair(key) ? say(`inspector.pair.${key}`) : say(`inspector.name.${key}`);
}

type PairKey = Exclude<RowKey, PropertyName>;
const pairs: readonly string[] = [
  'alignment',
  'anchor',
  'blur',
  'fade',
  'fillEnd',
  'fillStart',
  'filter',
  'fontRange',
  'fontStyle',
  'offset',
  'padding',
  'position',
  'rotation',
  'scale',
  'size',
  'skew',
  'spacing',
  'stroke',
  'strokePart',
] satisfies readonly PairKey[];
const isPair = (key: RowKey): key is PairKey => pairs.includes(key);
