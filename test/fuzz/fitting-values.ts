/**
 * Values that keep the rules of the property table, for fuzzers of the engine: usual ones, and the oddest that are
 * allowed.
 */
import {
  animationTypes,
  commonAnimationOptions,
} from '../../shared/renderscript/animation-types.ts';
import type { Property } from '../../shared/renderscript/properties.ts';
import type { NumberRule, Rule } from '../../shared/renderscript/rules.ts';
import type { Random } from './cases.ts';
import { hostileValue } from './hostile-values.ts';
import { brokenText } from './texts.ts';

const oddNumbers = [0, -1, 1, 0.001, 1e-9, -0.5, 99, 101, 359, 1e3, -1e4, 1e6, 1e9, 1e300, -1e300];
const colors = ['#ff0000', '#00ff0080', 'rgba(1,2,3,0.5)', 'transparent', 'hsl(120,50%,50%)'];
const paths = [
  'M 0 0 L 100 0 L 100 100 Z',
  'M 50 0 C 77 0 100 22 100 50 C 100 77 77 100 50 100 Z',
  'M 0 0',
  'M 0 0 L 0 0 Z',
  'M 0 0 L 1e9 1e9 L -1e9 5 Z M 3 3 L 4 4',
  `M 0 0 ${Array.from({ length: 400 }, (_, index) => `L ${(index * 37) % 100} ${(index * 61) % 100}`).join(' ')} Z`,
];
const easings = [
  ...['linear', 'quadratic-out', 'back-in-out', 'elastic-out', 'steps(3)', 'steps(1000000)'],
  ...['cubic-bezier(0,5,1,-5)', 'spring(1,100,10)', 'spring(9,9,0)', 'nonsense'],
];
const moments = [0, 0.1, 0.4, '0.7 s', '50%', 'start', 'end', 0, -1, 1e9, '200%'];
const sentences = [
  'Summer sale',
  'One two three\nfour   five six',
  'Größe AV 2026 ✔ 🎉',
  'مرحبا بكم hello',
  '[color red]tag[/color] <b>[size 300%]x',
  '[background #fff]a [/font] [font',
];

/** A value for a property: keyframes where it can have them, now and then something that nobody expects. */
export function fittingValue(random: Random, { rule, keyframable, name }: Property): unknown {
  if (random.oneIn(60)) return hostileValue(random, 1);
  if (name === 'font_family') return random.pick(['Inter', 'Anton', 'Nobody', '', 'Noto Sans KR']);
  if (!keyframable || !random.oneIn(4)) return valueOf(random, rule);
  return Array.from({ length: 1 + random.below(4) }, () => ({
    time: random.pick(moments),
    value: valueOf(random, rule),
    ...(random.oneIn(2) && { easing: random.pick(easings) }),
  }));
}

function valueOf(random: Random, rule: Rule): unknown {
  if (rule.nullable === true && random.oneIn(10)) return null;
  switch (rule.kind) {
    case 'number':
      return numberOf(random, rule);
    case 'enum':
      return random.pick(rule.values);
    case 'boolean':
      return random.oneIn(2);
    case 'color':
      return random.pick(colors);
    case 'fill':
      if (random.oneIn(2)) return random.pick(colors);
      return Array.from({ length: 1 + random.below(4) }, () => ({
        offset: numberOf(random, { kind: 'number', units: ['%'], bare: '%' }),
        color: random.pick(colors),
      }));
    case 'path':
      return random.pick(paths);
    case 'warp':
      return warpOf(random);
    case 'animations':
      return Array.from({ length: random.below(4) }, () => animationOf(random));
    case 'transcript':
      return random.pick<unknown>([
        'A',
        'captions.srt',
        '1\n00:00:00,000 --> 00:00:00,500\nHello you\n',
        [
          { time: 0, value: 'Hello' },
          { time: 0.3, value: 'you' },
        ],
      ]);
    case 'variables':
      return { a: 'x', b: 1 };
    case 'colors':
      return { '#ff0000': random.pick(colors), '#123': random.pick(colors) };
    case 'fonts':
      return [{ family: 'Own', source: 'nowhere.woff2' }];
    case 'elements':
      return [];
    case 'string': {
      const text = random.pick(sentences);
      if (random.oneIn(30)) return text.repeat(200);
      return random.oneIn(3) ? brokenText(random, text) : text;
    }
  }
}

/** Within the rule's bounds, with one of its units. */
function numberOf(random: Random, rule: NumberRule): unknown {
  if (rule.words !== undefined && random.oneIn(5)) return random.pick(rule.words);
  const { min = -Infinity, max = Infinity } = rule;
  const usual = random.below(1000) / 10;
  const wanted = random.oneIn(4) ? random.pick([...oddNumbers, min, max]) : usual;
  const finite = Number.isFinite(wanted) ? wanted : usual;
  const held = Math.min(Math.max(finite, min), max);
  const value = rule.integer === true ? Math.ceil(held) : held;
  if (rule.bare !== null && (rule.units.length === 0 || random.oneIn(2))) return value;
  return `${value} ${random.pick(rule.units)}`;
}

function warpOf(random: Random): unknown {
  const columns = 2 + random.below(3);
  const share: NumberRule = { kind: 'number', units: ['%', 'px', 'vw'], bare: '%' };
  return Array.from({ length: 2 + random.below(3) }, () =>
    Array.from({ length: columns }, () => ({
      x: numberOf(random, share),
      y: numberOf(random, share),
    })),
  );
}

function animationOf(random: Random): Record<string, unknown> {
  const type = random.pick([...animationTypes.values()]);
  const options = [...commonAnimationOptions, ...type.options];
  const animation: Record<string, unknown> = { type: type.name };
  for (let left = random.below(5); left > 0; left--) {
    const { name, rule } = random.pick(options);
    animation[name] = name === 'easing' ? random.pick(easings) : valueOf(random, rule);
  }
  return animation;
}
