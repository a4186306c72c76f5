/**
 * Every option of every animation type with every value, as data: each value does something, leaves the plain element
 * where the animation ends, and is mirrored by its exit. What it looks like is in test/engine/animation-pictures.
 */
import { describe, expect, test } from 'vitest';
import { elementEffect } from '../../shared/engine/compile/animations.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { EffectFrame } from '../../shared/engine/compile/effect.ts';
import { pieceEffect, splitOf } from '../../shared/engine/compile/text-animations.ts';
import { typingCursor } from '../../shared/engine/compile/text-typewriter.ts';
import { countedText } from '../../shared/engine/compile/text-counter.ts';
import type { Animation, TimelineElement } from '../../shared/engine/compile/timeline.ts';
import { animationTypes, type AnimationType } from '../../shared/renderscript/animation-types.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { optionCases, type OptionCase } from '../helpers/animation-values.ts';
import { mediaOf } from './compile-media.ts';

const frame: EffectFrame = {
  width: 200,
  height: 100,
  parentWidth: 1000,
  parentHeight: 500,
  toParent: [1, 0, 0, 1, 300, 120],
};

function compile(...elements: JsonObject[]): readonly TimelineElement[] {
  const source = { output_format: 'mp4', width: 1000, height: 500, elements };
  return compileTimeline(source, { media: mediaOf(), scaling: {} }).root.children;
}

/** An entry on an element of 10 seconds. */
function compiled({ target }: AnimationType, entry: JsonObject): Animation {
  const type = target === 'text' ? 'text' : 'shape';
  const animation = compile({ type, duration: 10, animations: [entry] })[0]?.animations[0];
  if (!animation) throw new Error('the animation was left out');
  return animation;
}

/** Both sides of a transition of two seconds. */
function sidesOf({ target }: AnimationType, entry: JsonObject): Animation[] {
  const type = target === 'text' ? 'text' : 'shape';
  return compile(
    { type, track: 1, duration: 5 },
    { type, track: 1, duration: 5, animations: [{ duration: 2, transition: true, ...entry }] },
  ).flatMap(({ animations }) => animations);
}

/** What an animation does at a moment to an element and to a text of six letters, numbers without dust. */
function everythingAt(animation: Animation, time: number): unknown {
  const count = 6;
  const pieces = Array.from({ length: count }, (_, index) => ({
    index,
    count,
    fontSize: 20,
    box: frame,
    bounds: { x: index * 20, y: 40, width: 20, height: 20 },
    textBounds: { x: 0, y: 40, width: 120, height: 20 },
    background: { x: index * 20, y: 35, width: 20, height: 30 },
  }));
  return rounded({
    element: elementEffect(animation, time, frame),
    pieces: pieces.map((piece) => pieceEffect(animation, time, piece)),
    cursor: typingCursor(animation, time, count),
    text: countedText([animation], '1,200', time),
  });
}

function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'number' ? Math.round(part * 1e6) / 1e6 + 0 : part,
    ),
  );
}

const moments = [0.05, 0.3, 0.6, 0.9, 1.1, 1.4, 1.9];
const over = (animation: Animation): unknown[] =>
  moments.map((moment) => everythingAt(animation, animation.start + moment));

const atRest = rounded({
  element: null,
  pieces: Array.from({ length: 6 }, () => null),
  cursor: null,
  text: '1,200',
});

/** Ends in a state of its own: enlarged, elsewhere, or at zero. */
const endsElsewhere = ({ type: { name }, option, value }: OptionCase): boolean =>
  name === 'pan' || option.name === 'end_scale' || (name === 'text-counter' && value === 'down');

describe('options', () => {
  test.each(optionCases.map((one) => [`${one.key} = ${JSON.stringify(one.value)}`, one] as const))(
    '%s',
    (_, one) => {
      const { type, option, value, key } = one;
      const basis = { type: type.name, duration: 2, easing: 'sinusoid-in', ...one.companions };
      const entry = { ...basis, [option.name]: value };
      const enter = compiled(type, { ...entry, time: 'start' });
      const exit = compiled(type, { ...entry, time: 'end', reversed: true });

      // It does something; lists of words and switches name their default too.
      const usual = compiled(type, { ...basis, time: 'start' });
      const sameAsUsual =
        value === option.default || (key === 'circular-wipe.scope' && value === 'element');
      const changed = one.ofTransitions
        ? [sidesOf(type, entry).map(over), sidesOf(type, basis).map(over)]
        : [
            [splitOf(enter), over(enter)],
            [splitOf(usual), over(usual)],
          ];
      if (sameAsUsual) expect(changed[0]).toEqual(changed[1]);
      else expect(changed[0]).not.toEqual(changed[1]);

      // It leaves the plain element behind.
      if (!endsElsewhere(one)) {
        for (const time of [2, 3]) expect(everythingAt(enter, time)).toEqual(atRest);
        for (const time of [7, 8]) expect(everythingAt(exit, time)).toEqual(atRest);
      }
      // Its exit is its entrance backwards.
      for (const time of [0, ...moments])
        expect(everythingAt(exit, 10 - time)).toEqual(everythingAt(enter, time));
    },
  );

  test.each(
    [...animationTypes.values()].flatMap((type) =>
      type.options.map((option) => [`${type.name}.${option.name}`, type, option] as const),
    ),
  )('%s: a wrong value is the default, silently', (_, type, option) => {
    const basis = { type: type.name, time: 'start', duration: 2 };
    const usual = compiled(type, basis);
    for (const wrong of ['nonsense', { a: 1 }, [], ''])
      expect(compiled(type, { ...basis, [option.name]: wrong })).toEqual(usual);
    expect(compiled(type, { ...basis, no_such_option: 5 })).toEqual(usual);
  });
});
