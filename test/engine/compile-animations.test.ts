/** Animations: what compiling makes of their entries, and what they do to elements and to pieces of text. */
import { describe, expect, test } from 'vitest';
import { elementEffect, isElementAnimation } from '../../shared/engine/compile/animations.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type {
  Effect,
  EffectFrame,
  PieceEffect,
  PieceFrame,
} from '../../shared/engine/compile/effect.ts';
import {
  isTextAnimation,
  pieceEffect,
  splitOf,
} from '../../shared/engine/compile/text-animations.ts';
import { countedText } from '../../shared/engine/compile/text-counter.ts';
import type { Path } from '../../shared/engine/compile/property-values.ts';
import type { Animation, TimelineElement } from '../../shared/engine/compile/timeline.ts';
import { apply } from '../../shared/engine/geometry.ts';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { mediaOf } from './compile-media.ts';

const frame: EffectFrame = { width: 200, height: 100, parentWidth: 1000, parentHeight: 500 };

function elementsOf(...elements: JsonObject[]): readonly TimelineElement[] {
  const source = { output_format: 'mp4', width: 1000, height: 500, elements };
  return compileTimeline(source, { media: mediaOf(), scaling: {} }).root.children;
}

/** An entry as it is compiled on an element of 10 seconds. */
function compiled(entry: JsonObject, type = 'shape'): Animation {
  return elementsOf({ type, duration: 10, animations: [entry] })[0]!.animations[0]!;
}

/** The outgoing and the incoming side of a transition of 2 seconds, linear unless said otherwise. */
function sidesOf(entry: JsonObject): { outgoing: Animation; incoming: Animation } {
  const [before, after] = elementsOf(
    { type: 'shape', track: 1, duration: 5 },
    {
      type: 'shape',
      track: 1,
      duration: 5,
      animations: [{ easing: 'linear', duration: 2, transition: true, ...entry }],
    },
  );
  // Sorted by time, because some transitions turn the drawing order round.
  const [first, second] = before!.start < after!.start ? [before!, after!] : [after!, before!];
  return { outgoing: first.animations[0]!, incoming: second.animations[0]! };
}

describe('times', () => {
  // prettier-ignore
  test.each<[what: string, entry: JsonObject, start: number, duration: number, reversed: boolean]>([
    ['neither time nor duration: the whole element', { type: 'scale' }, 0, 10, false],
    ['a duration alone: from the start', { type: 'scale', duration: 3 }, 0, 3, false],
    ['a time alone: a second', { type: 'fade', time: 2 }, 2, 1, false],
    ['start', { type: 'fade', time: 'start', duration: 2 }, 0, 2, false],
    ['seconds with units', { type: 'fade', time: '1.5 s', duration: '0.5 s' }, 1.5, 0.5, false],
    ['end', { type: 'fade', time: 'end', duration: 2, reversed: true }, 8, 2, true],
    ['end, of what leads to the element, plays backwards', { type: 'fade', time: 'end', duration: 2 }, 8, 2, true],
    ['end, of what leads away from it, plays forwards', { type: 'scale', start_scale: '100%', end_scale: '150%', time: 'end' }, 9, 1, false],
    ['end, of an oscillator', { type: 'shake', time: 'end' }, 9, 1, false],
    ['end, of what is there all the time', { type: 'shift', time: 'end' }, 9, 1, false],
    ['end, of a roll', { type: 'film-roll', time: 'end' }, 9, 1, true],
    ['a transition is at the start, whatever its time', { type: 'fade', time: 8, duration: 2, transition: true }, 0, 2, false],
  ])('%s', (_, entry, start, duration, reversed) => {
    expect(compiled(entry)).toMatchObject({ start, duration, reversed, side: 'own' });
  });

  test("the easing, the default one, and one that doesn't exist", () => {
    expect(compiled({ type: 'fade', easing: 'back-out' }).easing).toEqual({
      kind: 'named',
      name: 'back-out',
    });
    expect(compiled({ type: 'fade' }).easing).toEqual({ kind: 'named', name: 'quadratic-in-out' });
    expect(compiled({ type: 'fade', easing: 'bouncy' }).easing).toEqual({
      kind: 'named',
      name: 'quadratic-in-out',
    });
  });

  test("types that don't exist are left out, text animations on other elements too", () => {
    const animations = [
      { type: 'color-change' },
      { type: 'text-slide' },
      { type: 'fade' },
      null,
      7,
      {},
    ];
    expect(
      elementsOf({ type: 'shape', animations })[0]!.animations.map(({ type }) => type),
    ).toEqual(['fade']);
    expect(elementsOf({ type: 'text', animations })[0]!.animations.map(({ type }) => type)).toEqual(
      ['text-slide', 'fade'],
    );
  });
});

describe('options', () => {
  // prettier-ignore
  test.each<[entry: JsonObject, options: object]>([
    [{ type: 'slide' }, { scope: 'composition', direction: 180, distance: 1, fixed: 'none', fade: true }],
    [{ type: 'slide', direction: '90°', distance: '30%', fade: false }, { direction: 90, distance: 0.3, fade: false }],
    [{ type: 'slide', direction: 'down' }, { direction: 270 }],
    [{ type: 'slide', direction: 'sideways', distance: 'far', scope: 3 }, { direction: 180, distance: 1, scope: 'composition' }],
    [{ type: 'scale', start_scale: '50%', x_anchor: '0%' }, { startScale: 0.5, endScale: 1, xAnchor: 0, yAnchor: 0.5, axis: 'both' }],
    [{ type: 'shake', distance: '2 vmin', frequency: '1.5 Hz' }, { distance: { px: 10, percent: 0 }, frequency: 1.5, fade: false }],
    [{ type: 'wiggle', z_angle: '4°', ramp_duration: '0%' }, { zRotation: 4, rampDuration: 0 }],
    [{ type: 'circular-wipe', ring_color: '#fff' }, { ringColor: [255, 255, 255, 1], xAnchor: 0.5 }],
    [{ type: 'wipe' }, { startAngle: 0, endAngle: null, clip: 'both' }],
  ])('%j', (entry, options) => {
    expect(compiled(entry).options).toMatchObject(options);
  });
});

/** Where an effect takes the point (100, 50) of the box, its middle; shifts are added. */
function middleUnder({ boxMatrix, contentMatrix, shiftX = 0, shiftY = 0 }: Effect): number[] {
  const [x, y] = apply(boxMatrix ?? contentMatrix ?? [1, 0, 0, 1, 0, 0], 100, 50);
  return [x + shiftX, y + shiftY].map((value) => Math.round(value * 1e6) / 1e6 + 0);
}

const own = (entry: JsonObject, time: number): Effect | null =>
  elementEffect(compiled({ easing: 'linear', time: 'start', duration: 2, ...entry }), time, frame);

describe('elements', () => {
  // prettier-ignore
  test.each<[what: string, entry: JsonObject, time: number, effect: Effect | null]>([
    ['fade, before', { type: 'fade', time: 3 }, 0, { opacity: 0 }],
    ['fade, half-way', { type: 'fade' }, 1, { opacity: 0.5 }],
    ['fade, after', { type: 'fade' }, 3, null],
    ['fade out, before', { type: 'fade', time: 'end', reversed: true }, 1, null],
    ['fade out, half-way', { type: 'fade', time: 'end', reversed: true }, 9, { opacity: 0.5 }],
    ['fade out, at the end', { type: 'fade', time: 'end', reversed: true }, 10, { opacity: 0 }],
    ['an overshooting fade stays opaque', { type: 'fade', easing: 'back-out' }, 1.2, null],
    ['slide from the right', { type: 'slide', fade: false }, 0, { shiftX: 1000, shiftY: 0 }],
    ['slide with fade', { type: 'slide' }, 1, { shiftX: 500, shiftY: 0, opacity: 0.5 }],
    ['slide to the right', { type: 'slide', direction: '0°', fade: false }, 1, { shiftX: -500, shiftY: 0 }],
    ['slide up comes from below', { type: 'slide', direction: '90°', fade: false }, 0, { shiftX: 0, shiftY: 500 }],
    ['slide down comes from above', { type: 'slide', direction: '270°', fade: false, distance: '14%' }, 0, { shiftX: 0, shiftY: -70 }],
    ['slide on a diagonal goes the whole way on both axes', { type: 'slide', direction: '135°', fade: false }, 0, { shiftX: 1000, shiftY: 500 }],
    ['slide inside the box', { type: 'slide', scope: 'element', fade: false }, 0, { contentMatrix: [1, 0, 0, 1, 200, 0] }],
    ['slide, after', { type: 'slide' }, 2, null],
    ['scale about the middle', { type: 'scale', fade: false }, 1, { boxMatrix: [0.5, 0, 0, 0.5, 50, 25] }],
    ['scale about a corner', { type: 'scale', fade: false, x_anchor: '100%', y_anchor: '0%' }, 1, { boxMatrix: [0.5, 0, 0, 0.5, 100, 0] }],
    ['scale on one axis', { type: 'scale', fade: false, axis: 'x' }, 1, { boxMatrix: [0.5, 0, 0, 1, 50, 0] }],
    ['scale inside the box', { type: 'scale', fade: false, scope: 'element', start_scale: '100%', end_scale: '200%' }, 2, { contentMatrix: [2, 0, 0, 2, -100, -50] }],
    ['scale stays as it ends', { type: 'scale', fade: false, end_scale: '200%' }, 9, { boxMatrix: [2, 0, 0, 2, -100, -50] }],
    ['scale, after', { type: 'scale' }, 2, null],
    ['pan begins at its start', { type: 'pan', start_scale: '150%', start_x: '100%', start_y: '100%' }, 0, { contentMatrix: [1.5, 0, 0, 1.5, -100, -50] }],
    ['pan without a size keeps one that has room', { type: 'pan', start_x: '100%', end_x: '0%' }, 2, { contentMatrix: [1.2, 0, 0, 1.2, 0, -10] }],
    ['pan in the middle grows', { type: 'pan' }, 1, { contentMatrix: [1.1, 0, 0, 1.1, -10, -5] }],
    ['pan at the left edge', { type: 'pan', end_scale: '150%', end_x: '0%', end_y: '50%' }, 2, { contentMatrix: [1.5, 0, 0, 1.5, 0, -25] }],
    ['spin, before', { type: 'spin', rotation: '180°', fade: false }, 0, { boxMatrix: [-1, 0, 0, -1, 200, 100] }],
    ['spin, after', { type: 'spin' }, 2, null],
    ['pressed against the side it comes from', { type: 'squash', fade: false }, 1, { boxMatrix: [0.5, 0, 0, 1, 100, 0] }],
    ['pressed down', { type: 'squash', direction: 'down', fade: false }, 1, { boxMatrix: [1, 0, 0, 0.5, 0, 0] }],
    ['pressed flat', { type: 'squash', direction: 'up', fade: false, easing: 'back-in' }, 0.2, { boxMatrix: [1, 0, 0, 0, 0, 100] }],
    ['slides lying, and as much further as it is wider', { type: 'rotate-slide', direction: 'up', fade: false }, 0, { shiftX: 0, shiftY: 550, boxMatrix: [0, -1, 1, 0, 50, 150] }],
    ['slides turning the other way', { type: 'rotate-slide', direction: 'right', clockwise: false }, 0, { shiftX: -1000, shiftY: 0, boxMatrix: [0, 1, -1, 0, 150, -50], opacity: 0 }],
    ['rolls in from outside', { type: 'film-roll' }, 0, { copies: [] }],
    ['rolls through', { type: 'film-roll' }, 1, { copies: [[0, -49.5], [0, 49.5]] }],
    ['rolls once', { type: 'film-roll', repetitions: 1, direction: 'left' }, 0.5, { copies: [[149.5, 0]] }],
    ['rolled over its end, the next one follows', { type: 'film-roll', repetitions: 1, direction: 'right', easing: 'back-out' }, 1.2, { copies: [[19.370336, 0], [-179.629664, 0]] }],
    ['rolls as often as one likes', { type: 'film-roll', repetitions: 1e9, direction: 'left' }, 1, { copies: [[0, 0]] }],
    ['shift, at first', { type: 'shift' }, 0, null],
    ['shift, half out and half back', { type: 'shift' }, 0.5, { copies: [[-49.5, 0], [149.5, 0]] }],
    ['shift, back in its place', { type: 'shift', repetitions: 2 }, 1, null],
    ['a shake outside of its time', { type: 'shake', time: 3 }, 1, null],
    ['a shake at its widest', { type: 'shake', frequency: '1 Hz', ramp_duration: '0%', distance: '10%' }, 0.25, { shiftX: 20, shiftY: 0 }],
    ['a shake up', { type: 'shake', frequency: '1 Hz', ramp_duration: '0%', distance: 8, direction: '90°' }, 0.25, { shiftX: 0, shiftY: -8 }],
    ['a shake by count', { type: 'shake', count: 1, ramp_duration: '0%', distance: 8 }, 1.5, { shiftX: -8, shiftY: 0 }],
    ['a shake with a phase', { type: 'shake', frequency: '1 Hz', phase: '25%', ramp_duration: '0%', distance: 8 }, 0, { shiftX: 8, shiftY: 0 }],
    ['a shake that is still growing', { type: 'shake', frequency: '1 Hz', ramp_duration: '50%', distance: 8 }, 0.25, { shiftX: 2, shiftY: 0 }],
    ['a bounce', { type: 'bounce', frequency: '1 Hz', ramp_duration: '0%', scale: '50%', y_anchor: '100%' }, 0.25, { boxMatrix: [1.5, 0, 0, 1.5, -50, -50] }],
    ['a wiggle', { type: 'wiggle', frequency: '1 Hz', ramp_duration: '0%', z_rotation: '90°' }, 0.25, { boxMatrix: [0, 1, -1, 0, 150, -50] }],
  ])('%s', (_, entry, time, effect) => {
    const actual = own(entry, time);
    if (effect === null) expect(actual).toBeNull();
    else expect(rounded(actual)).toEqual(effect);
  });

  test('spinning turns clockwise into place', () => {
    const { boxMatrix } = own({ type: 'spin', rotation: '90°', fade: false }, 0)!;
    const [x, y] = apply(boxMatrix!, 150, 50);
    // A quarter turn before its place, the right half points up.
    expect([Math.round(x), Math.round(y)]).toEqual([100, 0]);
    expect(middleUnder({ boxMatrix: boxMatrix! })).toEqual([100, 50]);
  });

  test('noise is the same every time, stays in bounds and differs from a sine', () => {
    const entry = {
      type: 'shake',
      frequency: '2 Hz',
      randomness: '100%',
      ramp_duration: '0%',
      distance: 10,
      duration: 10,
    };
    const shifts = Array.from({ length: 100 }, (_, index) => own(entry, index / 10)?.shiftX ?? 0);
    expect(shifts).toEqual(
      Array.from({ length: 100 }, (_, index) => own(entry, index / 10)?.shiftX ?? 0),
    );
    expect(shifts.every((shift) => Math.abs(shift) <= 10)).toBe(true);
    expect(new Set(shifts.map((shift) => Math.round(shift))).size).toBeGreaterThan(8);
  });

  // prettier-ignore
  test.each<[what: string, entry: JsonObject, time: number, inside: number[][], outside: number[][]]>([
    ['from the left', { type: 'wipe' }, 0.5, [[10, 50], [49, 99], [-30, 50]], [[51, 50], [190, 50]]],
    ['from the right', { type: 'wipe', x_anchor: '100%' }, 0.5, [[160, 50], [230, 50]], [[140, 50], [10, 50]]],
    ['from the middle', { type: 'wipe', x_anchor: '50%' }, 1, [[100, 50], [55, 1], [145, 99]], [[45, 50], [155, 50]]],
    ['down', { type: 'wipe', start_angle: '270°' }, 0.5, [[100, 10], [1, 24]], [[100, 26], [100, 90]]],
    ['up', { type: 'wipe', start_angle: '90°' }, 0.5, [[100, 90]], [[100, 74]]],
    ['on a diagonal', { type: 'wipe', start_angle: '315°' }, 1, [[10, 10], [99, 49]], [[101, 51], [190, 90]]],
    ['a circle', { type: 'circular-wipe' }, 1, [[100, 50], [150, 50], [100, 0]], [[160, 50], [1, 1]]],
    ['a circle from a corner', { type: 'circular-wipe', x_anchor: '0%', y_anchor: '0%' }, 1, [[1, 1], [110, 0]], [[113, 0], [199, 99]]],
    ['behind a bar', { type: 'color-wipe' }, 1.5, [[99, 50], [-30, 50]], [[102, 50]]],
    ['in stripes', { type: 'stripe' }, 0.5, [[49, 5], [151, 15], [49, 30], [-9, 5], [49, -9]], [[51, 5], [149, 15], [49, 15]]],
    ['not before the bar has covered everything', { type: 'color-wipe' }, 0.9, [], [[1, 50], [199, 50]]],
    ['no stripes yet', { type: 'stripe' }, 0, [], [[0, 5], [199, 15]]],
    ['inside of a ring', { type: 'circular-wipe', ring_color: '#fff', ring_width: '100%' }, 1.5, [[100, 50], [154, 50]], [[157, 50]]],
    ['nothing yet', { type: 'wipe' }, 0, [], [[1, 50], [0, 0], [100, 50]]],
    ['no circle yet', { type: 'circular-wipe' }, 0, [], [[100, 50]]],
  ])('wipe %s', (_, entry, time, inside, outside) => {
    const { clip, opacity } = own({ fade: false, ...entry }, time)!;
    expect(opacity).toBeUndefined();
    expect(inside.map((point) => windingAt(clip!, point) !== 0)).toEqual(inside.map(() => true));
    expect(outside.map((point) => windingAt(clip!, point) !== 0)).toEqual(outside.map(() => false));
  });

  // prettier-ignore
  test.each<[what: string, entry: JsonObject, time: number, inside: number[][], outside: number[][]]>([
    ['the bar comes', { type: 'color-wipe' }, 0.5, [[1, 50], [99, 50]], [[101, 50]]],
    ['the bar is everywhere', { type: 'color-wipe' }, 1, [[1, 50], [199, 50]], []],
    ['the bar goes', { type: 'color-wipe', direction: 'up' }, 1.5, [[100, 49], [100, 1]], [[100, 51]]],
    ['a ring that has not opened yet', { type: 'circular-wipe', ring_color: '#fff', ring_width: '100%' }, 0.5, [[100, 50], [154, 50]], [[157, 50]]],
    ['a ring', { type: 'circular-wipe', ring_color: '#fff', ring_width: '100%' }, 1.5, [[157, 50], [199, 50]], [[100, 50], [154, 50]]],
  ])('covered: %s', (_, entry, time, inside, outside) => {
    const { path, color } = own({ color: '#fff', ...entry, fade: false }, time)!.cover!;
    expect(color).toEqual([255, 255, 255, 1]);
    expect(inside.map((point) => windingAt(path, point) !== 0)).toEqual(inside.map(() => true));
    expect(outside.map((point) => windingAt(path, point) !== 0)).toEqual(outside.map(() => false));
  });

  test('a wipe that is over cuts nothing', () => {
    expect(own({ type: 'wipe' }, 2)).toBeNull();
    expect(own({ type: 'circular-wipe' }, 2)).toBeNull();
  });

  test('a wipe that turns', () => {
    const entry = { type: 'wipe', start_angle: '90°', end_angle: '0°', fade: false };
    expect(windingAt(own(entry, 0.02)!.clip!, [1, 99.5])).not.toBe(0);
    expect(windingAt(own(entry, 1.98)!.clip!, [10, 10])).not.toBe(0);
    expect(windingAt(own(entry, 1.9)!.clip!, [199, 30])).toBe(0);
  });
});

describe('transitions', () => {
  test('the outgoing side lies where the incoming element starts', () => {
    const { outgoing, incoming } = sidesOf({ type: 'fade' });
    expect([outgoing.start, outgoing.duration, outgoing.side]).toEqual([3, 2, 'outgoing']);
    expect([incoming.start, incoming.duration, incoming.side]).toEqual([0, 2, 'own']);
  });

  test('without an overlap there is no outgoing side', () => {
    const [before] = elementsOf(
      { type: 'shape', track: 1, time: 0, duration: 2 },
      { type: 'shape', track: 1, time: 2, animations: [{ type: 'fade', transition: true }] },
    );
    expect(before!.animations).toEqual([]);
  });

  const opacities = (entry: JsonObject, progress: number): [outgoing: number, incoming: number] => {
    const { outgoing, incoming } = sidesOf(entry);
    return [
      elementEffect(outgoing, 3 + 2 * progress, frame)?.opacity ?? 1,
      elementEffect(incoming, 2 * progress, frame)?.opacity ?? 1,
    ];
  };

  // prettier-ignore
  test.each<[entry: JsonObject, progress: number, opacities: [number, number]]>([
    [{ type: 'fade' }, 0, [1, 0]],
    [{ type: 'fade' }, 0.5, [1, 0.6]],
    [{ type: 'fade' }, 0.75, [0.9375, 0.825]],
    [{ type: 'fade' }, 1, [0, 1]],
    [{ type: 'fade', enable: 'second-only' }, 0.3, [1, 0.3]],
    [{ type: 'fade', enable: 'first-only' }, 0.3, [0.7, 1]],
    [{ type: 'slide', distance: '14%' }, 0.75, [0.9375, 0.825]],
    [{ type: 'slide', fixed: 'first-only' }, 0.75, [0.9375, 0.825]],
    [{ type: 'slide' }, 0.75, [1, 1]],
    [{ type: 'slide', fade: false }, 0.75, [1, 1]],
    [{ type: 'wipe' }, 0.75, [1, 0.825]],
    [{ type: 'color-wipe', fade: true }, 0.75, [1, 0.825]],
    [{ type: 'squash' }, 0.75, [1, 1]],
  ])('%j at %d', (entry, progress, expected) => {
    const [outgoing, incoming] = opacities(entry, progress);
    expect([outgoing, incoming].map((value) => Math.round(value * 1e6) / 1e6)).toEqual(expected);
  });

  test('a crossfade lets hardly any background through', () => {
    for (let step = 0; step <= 100; step++) {
      const [outgoing, incoming] = opacities({ type: 'fade' }, step / 100);
      expect(1 - incoming - (1 - incoming) * outgoing).toBeLessThan(0.027);
    }
  });

  const effects = (
    entry: JsonObject,
    progress: number,
  ): [outgoing: Effect | null, incoming: Effect | null] => {
    const { outgoing, incoming } = sidesOf({ fade: false, ...entry });
    return [
      elementEffect(outgoing, 3 + 2 * progress, frame),
      elementEffect(incoming, 2 * progress, frame),
    ].map(rounded) as [Effect | null, Effect | null];
  };

  test('a slide pushes the old element out in the same direction', () => {
    expect(effects({ type: 'slide' }, 0.25)).toEqual([
      { shiftX: -250, shiftY: 0 },
      { shiftX: 750, shiftY: 0 },
    ]);
    expect(effects({ type: 'slide' }, 0)[0]).toBeNull();
  });

  test('unless one of them stays', () => {
    expect(effects({ type: 'slide', fixed: 'first-only' }, 0.25)).toEqual([
      null,
      { shiftX: 750, shiftY: 0 },
    ]);
    expect(effects({ type: 'slide', fixed: 'second-only' }, 0.25)).toEqual([
      { shiftX: -250, shiftY: 0 },
      null,
    ]);
  });

  // prettier-ignore
  test.each<[entry: JsonObject]>([[{ type: 'wipe' }], [{ type: 'wipe', x_anchor: '50%', start_angle: '30°' }], [{ type: 'circular-wipe' }], [{ type: 'stripe' }]])(
    '%j leaves every place to one side, and to both only at the seam',
    (entry) => {
      const shows = (effect: Effect | null, point: number[]): boolean => !effect?.clip || windingAt(effect.clip, point) !== 0;
      for (const progress of [0, 0.2, 0.5, 0.9]) {
        const [outgoing, incoming] = effects(entry, progress);
        let both = 0;
        for (let x = -5; x <= 205; x += 7) {
          for (let y = -5; y <= 105; y += 7) {
            const point = [x, y];
            expect(shows(outgoing, point) || shows(incoming, point)).toBe(true);
            if (shows(outgoing, point) && shows(incoming, point)) both += 1;
          }
        }
        // Of 31 × 16 places.
        expect(both).toBeLessThan(40);
      }
    },
  );

  test('a bar hides where the old element ends and the new one begins', () => {
    for (const progress of [0, 0.2, 0.5, 0.9]) {
      const [outgoing, incoming] = effects({ type: 'color-wipe', direction: 'left' }, progress);
      const shows = (path: Path | undefined, point: number[]): boolean =>
        path !== undefined && windingAt(path, point) !== 0;
      for (let x = 1; x < 200; x += 4) {
        const [old, bar, now] = [outgoing?.clip, incoming?.cover?.path, incoming?.clip].map(
          (path) => shows(path, [x, 50]),
        );
        expect(old || bar || now || (progress === 0 && !outgoing)).toBe(true);
        if (old && now) expect(bar).toBe(true);
      }
    }
  });

  // prettier-ignore
  test.each<[entry: JsonObject, outgoing: Effect | null, incoming: Effect | null]>([
    [{ type: 'film-roll', repetitions: 1 }, { copies: [[0, -24.5]] }, { copies: [[0, 74.5]] }],
    [{ type: 'film-roll', repetitions: 4 }, { copies: [] }, { copies: [[0, 0]] }],
    [{ type: 'shift' }, { copies: [[-49.5, 0]] }, { copies: [[149.5, 0]] }],
    [{ type: 'squash' }, { boxMatrix: [0.755, 0, 0, 1, 0, 0] }, { boxMatrix: [0.25, 0, 0, 1, 150, 0] }],
  ])('%j pushes the old element out', (entry, outgoing, incoming) => {
    expect(effects(entry, 0.25)).toEqual([outgoing, incoming]);
  });

  test('which side a wipe cuts', () => {
    const cut = (entry: JsonObject): boolean[] =>
      effects(entry, 0.5).map((effect) => effect?.clip !== undefined);
    expect(cut({ type: 'wipe' })).toEqual([true, true]);
    expect(cut({ type: 'wipe', clip: 'first-only' })).toEqual([true, false]);
    expect(cut({ type: 'wipe', clip: 'second-only' })).toEqual([false, true]);
    expect(cut({ type: 'wipe', fade: true })).toEqual([false, true]);
  });

  test('scaling goes on through the old element when it fades, and leaves it alone when not', () => {
    const [outgoing] = effects({ type: 'scale', fade: true }, 0.5);
    expect(outgoing).toEqual({ boxMatrix: [1.5, 0, 0, 1.5, -50, -25] });
    expect(effects({ type: 'scale', fade: true, start_scale: '150%' }, 0.5)[0]).toBeNull();
    expect(effects({ type: 'scale' }, 0.5)).toEqual([
      null,
      { boxMatrix: [0.5, 0, 0, 0.5, 50, 25] },
    ]);
  });
});

describe('pieces of text', () => {
  /** Four words of 50 × 20 in a row; the element is the usual frame. */
  const piece = (index: number, count = 4): PieceFrame => ({
    index,
    count,
    fontSize: 20,
    box: frame,
    bounds: { x: index * 50, y: 40, width: 50, height: 20 },
    textBounds: { x: 0, y: 40, width: 200, height: 20 },
    background: null,
  });
  const text = (entry: JsonObject): Animation =>
    compiled({ easing: 'linear', time: 'start', duration: 2, split: 'word', ...entry }, 'text');
  const at = (entry: JsonObject, time: number, index = 0): PieceEffect | null =>
    pieceEffect(text(entry), time, piece(index));

  // prettier-ignore
  test.each<[entry: JsonObject, split: string | null]>([
    [{ type: 'text-slide' }, 'word'],
    [{ type: 'text-appear', split: 'letter' }, 'letter'],
    [{ type: 'text-scale', split: 'syllable' }, 'line'],
    [{ type: 'text-reveal' }, 'word'],
    [{ type: 'text-reveal', scope: 'element' }, null],
    [{ type: 'text-typewriter' }, 'letter'],
  ])('%j is split by %s', (entry, split) => {
    expect(splitOf(text(entry))).toBe(split);
  });

  // prettier-ignore
  test.each<[what: string, entry: JsonObject, time: number, opacities: number[]]>([
    ['before', {}, 0, [0, 0, 0, 0]],
    ['one after another', { overlap: '0%' }, 0.75, [1, 0.5, 0, 0]],
    ['half overlapping', { overlap: '50%' }, 1, [1, 0.75, 0.25, 0]],
    ['all at once', { overlap: '100%' }, 0.5, [0.25, 0.25, 0.25, 0.25]],
    ['the other way round', { overlap: '0%', order: 'reversed' }, 0.75, [0, 0, 0.5, 1]],
    ['from half', { overlap: '0%', start_opacity: '50%' }, 0.75, [1, 0.75, 0.5, 0.5]],
    ['backwards', { overlap: '0%', time: 'end', reversed: true }, 9.25, [1, 0.5, 0, 0]],
    ['after', {}, 2, [1, 1, 1, 1]],
  ])('appearing: %s', (_, entry, time, opacities) => {
    const actual = [0, 1, 2, 3].map((index) => at({ type: 'text-appear', ...entry }, time, index)?.opacity ?? 1);
    expect(actual.map((value) => Math.round(value * 1e6) / 1e6)).toEqual(opacities);
  });

  test('a random order is an order, the same every time, and no other for another frame', () => {
    const animation = text({ type: 'text-appear', overlap: '0%', order: 'random' });
    const shown = (time: number): number[] =>
      Array.from({ length: 12 }, (_, index) => index).filter(
        (index) => pieceEffect(animation, time, piece(index, 12)) === null,
      );
    expect(shown(1)).toHaveLength(6);
    expect(shown(1)).not.toEqual([0, 1, 2, 3, 4, 5]);
    expect(shown(1.5)).toEqual(expect.arrayContaining(shown(1)));
    expect(shown(2)).toHaveLength(12);
  });

  // prettier-ignore
  test.each<[what: string, entry: JsonObject, time: number, effect: PieceEffect | null]>([
    ['up, by its own height', { type: 'text-slide' }, 0, { opacity: 0, transform: [1, 0, 0, 1, 0, 20] }],
    ['to the left, by its own width', { type: 'text-slide', direction: 'left', fade: false }, 0, { transform: [1, 0, 0, 1, 50, 0] }],
    ['by twice the element', { type: 'text-slide', scope: 'element', distance: '200%', direction: 'right', fade: false }, 0, { transform: [1, 0, 0, 1, -400, 0] }],
    ['by the composition', { type: 'text-slide', scope: 'composition', direction: 'down', fade: false }, 0, { transform: [1, 0, 0, 1, 0, -500] }],
    ['cut at its place', { type: 'text-slide', scope: 'split-clip', fade: false }, 0, { transform: [1, 0, 0, 1, 0, 20], clip: { x: -6, y: 40, width: 62, height: 20 } }],
    ['cut at its place, across', { type: 'text-slide', scope: 'split-clip', direction: 'left', fade: false }, 0, { transform: [1, 0, 0, 1, 50, 0], clip: { x: 0, y: 34, width: 50, height: 32 } }],
    ['in place', { type: 'text-slide' }, 2, null],
    ['growing', { type: 'text-scale', overlap: '100%', fade: false }, 1, { transform: [0.5, 0, 0, 0.5, 12.5, 25] }],
    ['growing on one axis', { type: 'text-scale', overlap: '100%', axis: 'y', y_anchor: '100%' }, 1, { opacity: 0.5, transform: [1, 0, 0, 0.5, 0, 30] }],
    ['uncovered from the left', { type: 'text-reveal', axis: 'x', x_anchor: '0%', overlap: '100%', fade: false }, 1, { clip: { x: -6, y: 34, width: 31, height: 32 } }],
    ['uncovered from the right', { type: 'text-reveal', axis: 'x', overlap: '100%', fade: false, x_anchor: '100%' }, 1, { clip: { x: 25, y: 34, width: 31, height: 32 } }],
    ['uncovered downwards, by the text', { type: 'text-reveal', scope: 'text', axis: 'y', y_anchor: '0%', fade: false }, 1, { clip: { x: -6, y: 34, width: 212, height: 16 } }],
    ['uncovered by the element, from a half', { type: 'text-reveal', axis: 'x', x_anchor: '0%', scope: 'element', start_reveal: '50%', fade: false }, 0, { clip: { x: -6, y: -6, width: 106, height: 112 } }],
    ['turning, from below', { type: 'text-spin', fade: false }, 0, { transform: [-1, 0, 0, -1, 50, 120] }],
    ['turning about a corner', { type: 'text-spin', distance: '0%', rotation: '90°', anchor_x: '0%', anchor_y: '0%', fade: false }, 0, { transform: [0, -1, 1, 0, -40, 40] }],
    ['on the crest of a wave', { type: 'text-wave', overlap: '100%', wavelength: '100000%', frequency: '1 Hz', fade: false }, 0.25, { transform: [1, 0, 0, 1, 0, -8.74973] }],
    ['from the viewer', { type: 'text-fly', overlap: '100%' }, 1, { opacity: 0.5, transform: [1.714286, 0, 0, 1.714286, -71.428571, -35.714286] }],
    ['from the viewer, with an eye far away', { type: 'text-fly', overlap: '100%', perspective: '400%', fade: false }, 0, { transform: [1.333333, 0, 0, 1.333333, -33.333333, -16.666667] }],
    ['from behind the viewer', { type: 'text-fly', perspective: 50, fade: false }, 0, { transform: [20, 0, 0, 20, -1900, -950] }],
    ['uncovered from the middle', { type: 'text-reveal', overlap: '100%', fade: false }, 1, { clip: { x: 12.5, y: 45, width: 25, height: 10 } }],
    ['not uncovered yet', { type: 'text-reveal', axis: 'x', x_anchor: '0%', fade: false }, 0, { clip: { x: 0, y: 34, width: 0, height: 32 } }],
  ])('%s', (_, entry, time, effect) => {
    const actual = at(entry, time);
    if (effect === null) expect(actual).toBeNull();
    else expect(rounded(actual)).toEqual(effect);
  });

  // prettier-ignore
  test.each<[what: string, entry: JsonObject, time: number, letters: number]>([
    ['nothing at first', {}, 0, 0],
    ['half', {}, 1, 5],
    ['all', {}, 2, 10],
    ['typed faster', { typing_duration: '0.5 s' }, 0.25, 5],
    ['typed later', { typing_start: 1 }, 1.5, 5],
    ['before the typing', { typing_start: 1 }, 0.9, 0],
    ['taken back at the end', { time: 'end', reversed: true }, 9, 5],
    ['gone at the end', { time: 'end', reversed: true }, 10, 0],
  ])('typewriter: %s', (_, entry, time, letters) => {
    const animation = text({ type: 'text-typewriter', ...entry });
    const shown = Array.from({ length: 10 }, (_, index) => pieceEffect(animation, time, piece(index, 10))).filter((effect) => effect === null);
    expect(shown).toHaveLength(letters);
  });

  test('the next piece is a little later on the wave', () => {
    const entry = {
      type: 'text-wave',
      overlap: '100%',
      wavelength: '1000%',
      frequency: '1 Hz',
      easing: 'linear',
    };
    // A wave is 200 long and pieces are 50 apart: a quarter of a second later, the next one is where this one was.
    const height = (time: number, index: number): number =>
      at(entry, time, index)!.transform![5] / (1 - time / 2);
    expect(height(0.6, 1)).toBeCloseTo(height(0.35, 0), 6);
  });

  // prettier-ignore
  test.each<[text: string, share: number, counted: string, entry?: JsonObject]>([
    ['100', 0, '0'],
    ['100', 0.256, '26'],
    ['$1,250,000', 0.5, '$625,000'],
    ['$1,250,000', 0.0004, '$500'],
    ['1,00,00,000', 0.9, '90,00,000'],
    ['99.90 %', 0.5, '49.95 %'],
    ['1.234,50 €', 0.01, '12,35 €'],
    ['1.234.567', 0.5, '617.284'],
    ['1 234 567 km', 0.5, '617 284 km'],
    ["10'000", 0.5, "5'000"],
    ['3,5', 0.5, '1,8'],
    ['1,250', 0.5, '625'],
    ['0.05', 0.4, '0.02'],
    ['007', 0.5, '004'],
    ['Up 10 of 20.', 0.5, 'Up 5 of 10.'],
    ['[size 50%]80[/size] [color #112233]6[/color]', 0.5, '[size 50%]40[/size] [color #112233]3[/color]'],
    ['no number', 0.5, 'no number'],
    ['10', 0.3, '7', { direction: 'down' }],
    ['10', 1, '0', { direction: 'down' }],
    ['10', 0.5, '0', { counting_start: 1 }],
    ['10', 0.25, '10', { counting_duration: 0.5 }],
    ['10', 0.6, '10', { easing: 'back-out' }],
  ])('%s counted to %d: %s', (written, share, counted, entry = {}) => {
    expect(countedText([text({ type: 'text-counter', ...entry })], written, share * 2)).toBe(counted);
  });

  test('a text that is replaced goes on in the direction of the new one', () => {
    const [before, after] = elementsOf(
      { type: 'text', track: 1, duration: 5 },
      {
        type: 'text',
        track: 1,
        duration: 5,
        animations: [{ type: 'text-slide', easing: 'linear', duration: 2, transition: true }],
      },
    );
    const leaving = before!.animations[0]!;
    expect(pieceEffect(leaving, 3, piece(0, 1))).toBeNull();
    expect(rounded(pieceEffect(leaving, 4, piece(0, 1)))).toEqual({
      opacity: 0.5,
      transform: [1, 0, 0, 1, 0, -10],
    });
    expect(rounded(pieceEffect(after!.animations[0]!, 1, piece(0, 1)))).toEqual({
      opacity: 0.5,
      transform: [1, 0, 0, 1, 0, 10],
    });
  });
});

describe('every type', () => {
  const types = [...animationTypes.values()];

  test('of the table is drawn', () => {
    const undrawn = types.filter(
      ({ name, target }) => !(target === 'text' ? isTextAnimation : isElementAnimation)(name),
    );
    expect(undrawn).toEqual([]);
    expect(types).toHaveLength(26);
  });

  /** What an animation does to an element and to a text of two pieces, at a moment. */
  function everythingAt(animation: Animation, time: number): unknown {
    const pieces = [0, 1].map((index) => ({
      index,
      count: 2,
      fontSize: 20,
      box: frame,
      bounds: { x: index * 50, y: 40, width: 50, height: 20 },
      textBounds: { x: 0, y: 40, width: 100, height: 20 },
      background: { x: index * 50, y: 35, width: 50, height: 30 },
    }));
    return {
      element: rounded(elementEffect(animation, time, frame)),
      pieces: pieces.map((piece) => rounded(pieceEffect(animation, time, piece))),
      text: countedText([animation], '1,200', time),
    };
  }

  // A pan without options ends closer.
  const enlarged = { contentMatrix: [1.2, 0, 0, 1.2, -20, -10] };
  const atRest = { element: null, pieces: [null, null], text: '1,200' };

  test.each(types.map(({ name, target }) => [name, target] as const))(
    '%s leaves the plain element at its end, and is mirrored by its exit',
    (name, target) => {
      const entry = { type: name, duration: 2 };
      const enter = compiled({ ...entry, time: 'start' }, target === 'text' ? 'text' : 'shape');
      const exit = compiled(
        { ...entry, time: 'end', reversed: true },
        target === 'text' ? 'text' : 'shape',
      );
      const rest = name === 'pan' ? { ...atRest, element: enlarged } : atRest;
      for (const time of [2, 2.5]) expect(everythingAt(enter, time)).toEqual(rest);
      for (const time of [7.5, 8]) expect(everythingAt(exit, time)).toEqual(rest);
      for (const time of [0, 0.3, 0.9, 1.4, 1.9]) {
        expect(everythingAt(exit, 10 - time)).toEqual(everythingAt(enter, time));
      }
      expect(everythingAt(enter, 0.3)).not.toEqual(rest);
    },
  );
});

/** Effects with the dust of floating point taken off. */
function rounded<E extends object>(effect: E | null): E | null {
  return effect === null
    ? null
    : (JSON.parse(
        JSON.stringify(effect, (_, value: unknown) =>
          typeof value === 'number' ? Math.round(value * 1e6) / 1e6 + 0 : value,
        ),
      ) as E);
}

/** The winding number of a path around a point; curves as polygons of 32 sides each. */
function windingAt(path: Path, [px, py]: number[]): number {
  let winding = 0;
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const line = (toX: number, toY: number): void => {
    if (y <= py! !== toY <= py!) {
      const crossing = x + ((py! - y) / (toY - y)) * (toX - x);
      if (crossing > px!) winding += toY > y ? 1 : -1;
    }
    [x, y] = [toX, toY];
  };
  for (const command of path) {
    if (command[0] === 'M')
      [x, y, startX, startY] = [command[1], command[2], command[1], command[2]];
    else if (command[0] === 'L') line(command[1], command[2]);
    else if (command[0] === 'Z') line(startX, startY);
    else if (command[0] === 'C') {
      const [, x1, y1, x2, y2, x3, y3] = command;
      const [x0, y0] = [x, y];
      for (let step = 1; step <= 32; step++) {
        const t = step / 32;
        const mix = (a: number, b: number, c: number, d: number): number =>
          a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t * t * (1 - t) + d * t ** 3;
        line(mix(x0, x1, x2, x3), mix(y0, y1, y2, y3));
      }
    }
  }
  return winding;
}
