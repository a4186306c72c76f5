/**
 * The animation types with their options, defaults and meanings, once. The compiler fills in defaults from it, the
 * editor offers it, REFERENCE.md is made from it. Pure data and look-ups.
 *
 * Public material names the options but hardly a default. Where it is silent the row says what we chose; a later
 * correction is one line.
 */
import { nullable, oneOf, rules, within, type Rule } from './rules.ts';
import type { Json } from './source.ts';

/** One option of an animation. Options that break their rule are replaced by their default, silently. */
export interface AnimationOption {
  readonly name: string;
  readonly rule: Rule;
  readonly default: Json;
  readonly meaning: string;
  /** Older names of the same option. */
  readonly aliases: readonly string[];
}

/** One animation type. */
export interface AnimationType {
  readonly name: string;
  /** Text animations move pieces of a text and belong to text elements only. */
  readonly target: 'element' | 'text';
  readonly meaning: string;
  /** The type's own options; the common ones are in `commonAnimationOptions`. */
  readonly options: readonly AnimationOption[];
}

/**
 * What an animation without easing and duration gets.
 *
 * easing: official progress bars write `linear`, so the default isn't that; editor exports leave it out for ordinary
 * entrances and exits, which should look the same in both directions, so it is symmetric; quadratic is the mildest such
 * curve, and `quadratic-out` is what exports choose most when they choose.
 * duration: seconds; the length of the published transitions. An animation with neither time nor duration spans the
 * whole element instead.
 */
export const animationDefaults = { easing: 'quadratic-in-out', duration: 1 } as const;

function option(
  name: string,
  rule: Rule,
  fallback: Json,
  meaning: string,
  aliases: readonly string[] = [],
): AnimationOption {
  return { name, rule, default: fallback, meaning, aliases };
}

const { percent, angle, length, boolean, color, count, seconds, frequency } = rules;

/** Options that every type takes. `time` and `duration` both absent: the whole element. */
// prettier-ignore
export const commonAnimationOptions: readonly AnimationOption[] = [
  option('time', nullable({ kind: 'number', units: ['s'], bare: 's', words: ['start', 'end'] }), null, "Start on the element's clock; null = at its beginning, over its whole length when duration is absent too."),
  option('duration', nullable(within(seconds, 0)), null, `Length; null = ${animationDefaults.duration} s, or the whole element when time is absent too.`),
  option('easing', rules.string, animationDefaults.easing, 'Curve of the progress.'),
  option('reversed', boolean, false, 'Plays backwards: from shown to hidden.'),
  option('transition', boolean, false, 'Overlaps with the element before in the lane.'),
];

const scope = (fallback: string): AnimationOption =>
  option(
    'scope',
    oneOf('composition', 'element'),
    fallback,
    'composition = moves the element, element = moves the content inside its box.',
  );
const axis = (fallback: string): AnimationOption =>
  option('axis', oneOf('x', 'y', 'both'), fallback, 'Direction of the change.');
const side = (fallback: string): AnimationOption =>
  option('direction', oneOf('left', 'right', 'up', 'down'), fallback, 'Where it moves to.');
const anchors = (x: string, y: string): readonly AnimationOption[] => [
  option('x_anchor', percent, x, 'Fixed point across the box.'),
  option('y_anchor', percent, y, 'Fixed point down the box.'),
];
const clip = option(
  'clip',
  oneOf('both', 'first-only', 'second-only'),
  'both',
  'Which elements of a transition are cut.',
);

/** Opacity changes along, unless `false`. On by default for types that bring an element in or out. */
const fade = (fallback: boolean): AnimationOption =>
  option('fade', boolean, fallback, 'Opacity changes along.');

/** Oscillators swing for as long as they last. */
// prettier-ignore
const swing: readonly AnimationOption[] = [
  // 2 Hz is the published example of a bounce. A phase and noise are extras, and nothing fades, because what swings
  // stays.
  option('frequency', frequency, '2 Hz', 'Swings per second.'),
  option('count', nullable(within(count, 0)), null, 'Swings over the whole length, instead of a frequency.'),
  option('phase', percent, '0%', 'Part of a swing at which it begins.'),
  // Published examples switch it off with 0%, so something is the default; a quarter rises and falls gently.
  option('ramp_duration', within(percent, 0, 100), '25%', 'Part of the length in which the swinging grows and fades.'),
  option('randomness', within(percent, 0, 100), '0%', 'From regular swinging to noise.'),
  fade(false),
];

/** How text animations cut the text. Published presets go by lines first; half-overlapping pieces read as one wave. */
// prettier-ignore
const pieces: readonly AnimationOption[] = [
  option('split', oneOf('line', 'word', 'letter'), 'line', 'What moves as one piece.'),
  option('overlap', within(percent, 0, 100), '50%', 'How much neighbouring pieces overlap in time: 0% one after another, 100% all at once.'),
  option('order', oneOf('default', 'reversed', 'random'), 'default', 'Which pieces come first.'),
  fade(true),
];

function type(
  target: AnimationType['target'],
  name: string,
  meaning: string,
  options: readonly AnimationOption[],
): AnimationType {
  return { name, target, meaning, options };
}

// prettier-ignore
const table: readonly AnimationType[] = [
  type('element', 'fade', 'Appears.', [
    option('enable', oneOf('both', 'first-only', 'second-only'), 'both', 'Which elements of a transition fade.'),
  ]),
  type('element', 'scale', 'Grows or shrinks.', [
    scope('composition'), axis('both'),
    // Exports that give neither grow from nothing; those that give a start alone end at full size.
    option('start_scale', percent, '0%', 'Size at the beginning.'),
    option('end_scale', percent, '100%', 'Size at the end.'),
    ...anchors('50%', '50%'), fade(true),
  ]),
  type('element', 'slide', 'Moves into place.', [
    scope('composition'),
    // Comes from the right like a turned page; a whole width so that it starts outside.
    option('direction', angle, '180°', 'Where it moves to: 0° right, 90° up, 180° left, 270° down.'),
    option('distance', percent, '100%', 'How far: 100% = the width or height of what it moves in.'),
    option('fixed', oneOf('none', 'first-only', 'second-only'), 'none', 'Which element of a transition stays in place.'),
    fade(true),
  ]),
  type('element', 'rotate-slide', 'Moves into place while turning.', [
    // As slide; rolling to the left would be counter-clockwise, but clockwise is what "turns" means without more.
    side('left'), option('clockwise', boolean, true, 'Which way it turns.'), fade(true),
  ]),
  type('element', 'pan', 'Moves a view over the content.', [
    // The published presets all pan inside the box; a view that wanders for seconds doesn't fade.
    scope('element'),
    // Presets name the places that they move between; what they leave out is the middle.
    option('start_x', percent, '50%', 'Place of the view at the beginning.'),
    option('start_y', percent, '50%', 'Place of the view at the beginning.'),
    // Presets without a zoom have to be enlarged to have somewhere to go, and the one that stays in the middle has to
    // zoom to do anything; a fifth is what documents write most.
    option('start_scale', nullable(percent), null, 'Size at the beginning; null = as at the end while the view moves (120% when neither is given), 100% when it stays.'),
    option('end_x', percent, '50%', 'Place of the view at the end.'),
    option('end_y', percent, '50%', 'Place of the view at the end.'),
    option('end_scale', nullable(percent), null, 'Size at the end; null = as at the beginning while the view moves, 120% when it stays (100% after another size).'),
    fade(false),
  ]),
  type('element', 'wipe', 'Is uncovered along a line.', [
    // The progress bar of the examples: from the left, upright edge.
    option('x_anchor', percent, '0%', 'Where it begins: 0% at one side, 50% in the middle, 100% at the other side.'),
    option('start_angle', angle, '0°', 'Direction at the beginning: 0° right, 90° up, 270° down.'),
    option('end_angle', nullable(angle), null, 'Direction at the end; null = as at the beginning.'),
    clip, fade(true),
  ]),
  type('element', 'circular-wipe', 'Is uncovered by a growing circle.', [
    // Without a ring; its preset names both.
    option('ring_color', nullable(color), null, 'Color of a ring around the circle; null = none.'),
    option('ring_width', percent, '0%', 'Thickness of the ring.'),
    // The published list says "elements"; "element" is taken as the same. For what fills the frame both are one; a
    // small element opens from its own middle.
    option('scope', oneOf('composition', 'elements', 'element'), 'elements', 'What the circle goes over: the element, or the whole composition around it.'),
    ...anchors('50%', '50%'), clip, fade(true),
  ]),
  type('element', 'color-wipe', 'A colored bar sweeps over it.', [
    // Black goes with everything, and a bar that sweeps as one reads.
    option('color', color, '#000000', 'Color of the bar.'), side('right'), fade(false),
  ]),
  type('element', 'film-roll', 'Rolls through like film.', [
    // Film runs upwards through a projector; fewer than three passes don't read as a roll.
    side('up'), option('repetitions', within(count, 1), 3, 'How many times it passes.'), fade(false),
  ]),
  // As slide.
  type('element', 'squash', 'Is pressed flat from one side.', [side('left'), fade(true)]),
  type('element', 'shift', 'Its content is pushed out at one side and returns at the other.', [
    // As slide; once, because every pass is a whole width.
    side('left'), option('repetitions', within(count, 1), 1, 'How many times it passes.'), fade(false),
  ]),
  type('element', 'spin', 'Turns in the plane.', [
    // A full clockwise turn, as the preset of the same name.
    scope('composition'), option('rotation', angle, '360°', 'How far, clockwise.'), ...anchors('50%', '50%'), fade(true),
  ]),
  type('element', 'flip', 'Turns in space.', [
    // As the preset that turns to the right, like a card; those about the other axis switch this one off.
    option('x_rotation', angle, '0°', 'How far about the horizontal axis.'),
    option('y_rotation', angle, '180°', 'How far about the vertical axis.'),
    ...anchors('50%', '50%'), option('backface_visible', boolean, true, 'False hides it when turned away.'), fade(true),
  ]),
  type('element', 'stripe', 'Is uncovered in stripes.', [fade(false)]),
  type('element', 'shake', 'Swings to and fro.', [
    option('direction', angle, '0°', 'Line of the swing: 0° across, 90° down.'),
    // Visible, but small enough to keep text readable.
    option('distance', length, '5%', 'Greatest distance from its place.'),
    ...swing,
  ]),
  type('element', 'bounce', 'Swings in size.', [
    // Plain to see; the published example of 50% is meant to be loud.
    axis('both'), option('scale', percent, '20%', 'Greatest change of size.'), ...anchors('50%', '50%'), ...swing,
  ]),
  type('element', 'wiggle', 'Swings in rotation.', [
    // In the plane, as one wags a finger; ten degrees leave text readable.
    option('x_rotation', angle, '0°', 'Greatest turn about the horizontal axis.', ['x_angle']),
    option('y_rotation', angle, '0°', 'Greatest turn about the vertical axis.', ['y_angle']),
    option('z_rotation', angle, '10°', 'Greatest turn in the plane.', ['z_angle']),
    ...anchors('50%', '50%'), ...swing,
  ]),

  type('text', 'text-appear', 'Pieces appear one by one.', [
    // Nothing at first; the highlighting presets name 20%.
    option('start_opacity', within(percent, 0, 100), '0%', 'Opacity before a piece appears.'),
    // No published preset speaks of it; words without their background, or it without them, look broken.
    option('background_effect', oneOf('disabled', 'animated'), 'animated', 'Whether the background appears along, piece by piece.'),
    ...pieces,
  ]),
  type('text', 'text-slide', 'Pieces move into place.', [
    // Each piece by its own size: starts close to its place whatever the size of the text.
    option('scope', oneOf('composition', 'element', 'split', 'split-clip'), 'split', 'What the distance is measured by; split-clip also cuts each piece at its place.'),
    // Upwards into their lines, as titles rise.
    side('up'),
    option('distance', percent, '100%', 'How far each piece moves.'),
    // The published presets that slide freely all switch it off, so something is the default; those that cut the text
    // say nothing, and real documents write this with them.
    option('background_effect', oneOf('disabled', 'sliding', 'scaling', 'scaling-clip'), 'scaling-clip', 'How the background comes along: it slides, it grows in the direction of the slide, or it grows and cuts the text.'),
    ...pieces,
  ]),
  // Out of their own middle, as scale.
  type('text', 'text-scale', 'Pieces grow into place.', [axis('both'), ...anchors('50%', '50%'), ...pieces]),
  type('text', 'text-reveal', 'Pieces are uncovered.', [
    // The preset that names neither axis nor anchor opens from the centre, on both axes.
    axis('both'), option('start_reveal', within(percent, 0, 100), '0%', 'Part that is visible at the beginning.'),
    option('scope', oneOf('element', 'text', 'split'), 'split', 'What is uncovered as one.'),
    ...anchors('50%', '50%'), ...pieces,
  ]),
  type('text', 'text-fly', 'Pieces fly in from the viewer.', [
    // An eye a little beyond the start of the flight makes pieces start six times as large.
    option('perspective', nullable(within(length, 0)), null, 'Distance of the eye.'), ...pieces,
  ]),
  type('text', 'text-spin', 'Pieces turn into place.', [
    // Half a turn over one own height; the preset that spins in place names 0% and 360°.
    side('up'), option('distance', percent, '100%', 'How far each piece moves.'), option('rotation', angle, '180°', 'How far each piece turns.'),
    option('anchor_x', percent, '50%', 'Point about which a piece turns.'), option('anchor_y', percent, '50%', 'Point about which a piece turns.'),
    ...pieces,
  ]),
  type('text', 'text-wave', 'Pieces swing like a wave.', [
    // High enough to be seen as a wave, low enough to leave lines of usual height apart.
    option('distance', percent, '50%', 'Height of the wave, of the height of a line.'),
    // The presets that name 1 Hz and a wavelength of 500% are the slow and the long one.
    option('frequency', frequency, '2 Hz', 'Waves per second.'),
    option('wavelength', percent, '200%', 'Length of a wave, of the height of a line.'), ...pieces,
  ]),
  type('text', 'text-typewriter', 'Letters are typed.', [
    // Typing takes all of the time, so that the last letter falls with the end of the animation.
    option('typing_start', within(seconds, 0), 0, 'Seconds before the typing begins.'),
    option('typing_duration', nullable(within(seconds, 0)), null, 'Seconds of typing; null = to the end of the animation.'),
    // Cursors of desktops blink about once a second.
    option('cursor_frequency', within(frequency, 0), '1 Hz', 'How often the cursor blinks; 0 Hz = no cursor.'),
    fade(false),
  ]),
  type('text', 'text-counter', 'Counts the numbers in the text.', [
    // Counts up and over the whole time, as typing.
    option('direction', oneOf('up', 'down'), 'up', 'Counts up to the number or down from it.'),
    option('counting_start', within(seconds, 0), 0, 'Seconds before the counting begins.'),
    option('counting_duration', nullable(within(seconds, 0)), null, 'Seconds of counting; null = to the end of the animation.'),
    fade(false),
  ]),
];

/** Every animation type by its name, in the table's order. */
export const animationTypes: ReadonlyMap<string, AnimationType> = new Map(
  table.map((row) => [row.name, row]),
);

const optionsByType: ReadonlyMap<string, ReadonlyMap<string, AnimationOption>> = new Map(
  table.map((row) => [
    row.name,
    new Map(
      [...commonAnimationOptions, ...row.options].flatMap((item) =>
        [item.name, ...item.aliases].map((name) => [name, item] as const),
      ),
    ),
  ]),
);

/** An option of a type, common ones included, also by an older name; undefined for types and options unknown. */
export function animationOption(typeName: string, optionName: string): AnimationOption | undefined {
  return optionsByType.get(typeName)?.get(optionName);
}
