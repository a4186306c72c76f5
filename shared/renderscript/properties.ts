/**
 * THE TABLE: every property of RenderScript, once. Validation, defaults, keyframe rules, the compiler, the editor's
 * completion and REFERENCE.md all read it.
 *
 * `rules.ts` explains the rules, bare numbers and units. Pure data and look-ups.
 */
import { formatChoices, usualFormat, videoCodecNames } from './formats.ts';
import { documentLimits } from './limits.ts';
import { nullable, oneOf, rules, within, type Rule } from './rules.ts';
import { elementTypes, type ElementType, type Json, type JsonObject } from './source.ts';

/** What may have a property: elements of a type, or the document itself. */
export type PropertyOwner = ElementType | 'root';

/**
 * What a value does in a compiled document. Without keyframes: `read` where it acts, or `set` among the element's
 * values for its whole life. With keyframes: `summed` over time, like sound and speed; `look` changes leave everything
 * in place; `place` changes move it at its own size; `size` changes also resize, turn or slant it.
 */
export type PropertyUse = 'read' | 'set' | 'summed' | 'look' | 'place' | 'size';

/** One property. Names are the JSON keys. */
export interface Property {
  readonly name: string;
  /** Heading in the reference. */
  readonly group: string;
  readonly on: readonly PropertyOwner[];
  readonly rule: Rule;
  /** The value if the property is absent; see `defaults` for types that differ. */
  readonly default: Json;
  readonly defaults: Readonly<Partial<Record<PropertyOwner, Json>>>;
  readonly use: PropertyUse;
  /** Whether the value can be keyframes. Follows from `use`. */
  readonly keyframable: boolean;
  /**
   * Set if the lines of a text depend on it. `fit`: also the size that fits the box; `place`: only where the lines are
   * and which parts of them show.
   */
  readonly lines?: 'fit' | 'place';
  /** Set for values that are not read as their rule suggests; see shared/engine/compile/values.ts. */
  readonly reading?: 'pixels' | 'weight' | 'tenth' | 'rank';
  /** Null means the default; otherwise, if allowed, null is a separate value. */
  readonly nullIsDefault?: true;
  /** One line for users. */
  readonly meaning: string;
  /** False: accepted and checked, but this version draws the element as if the property were absent. */
  readonly drawn: boolean;
  /** True: our extension, unknown to the service. */
  readonly extension: boolean;
}

type Extras = Partial<
  Pick<Property, 'defaults' | 'drawn' | 'extension' | 'lines' | 'reading' | 'nullIsDefault'>
>;
type Row = Omit<Property, 'group' | 'on'>;
type RowMaker = (name: string, rule: Rule, fallback: Json, meaning: string, extras?: Extras) => Row;

/** Makes rows of one use, so that every row has one. */
function rowsFor(use: PropertyUse): RowMaker {
  const keyframable = use !== 'read' && use !== 'set';
  return (name, rule, fallback, meaning, extras = {}) => ({
    name,
    rule,
    default: fallback,
    defaults: {},
    use,
    keyframable,
    meaning,
    drawn: true,
    extension: false,
    ...extras,
  });
}

const reads = rowsFor('read');
const sets = rowsFor('set');
const sums = rowsFor('summed');
const looks = rowsFor('look');
const places = rowsFor('place');
const sizes = rowsFor('size');

function group(
  name: string,
  on: readonly PropertyOwner[],
  rows: readonly Row[],
): readonly Property[] {
  return rows.map((row) => ({ ...row, group: name, on }));
}

/** How an element mixes with what is below it; `none` covers it. */
export const blendModes = [
  'none',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'lighter',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
] as const;

/** One of `blendModes`. */
export type BlendMode = (typeof blendModes)[number];

const visual = ['image', 'video', 'text', 'shape', 'composition', 'lottie'] as const;
const notDrawn = { drawn: false } as const;
const { percent, angle, length, size, share, seconds, count, color, fill, boolean, string, path } =
  rules;

/** Many real documents write "auto" for null. */
const autoLength = nullable({ ...within(length, 0), auto: true } as const);
const sizeFromZero = within(size, 0);
const time = nullable({ kind: 'number', units: ['s', '%'], bare: 's', words: ['end'] } as const);
const elementDuration = nullable({
  ...within({ kind: 'number', units: ['s', '%', 'fr'], bare: 's', words: ['media'] }, 0),
  auto: true,
} as const);
const pixels = nullable(within({ kind: 'number', units: ['px'], bare: 'px' }, 1));

/**
 * One property per line, like a table.
 *
 * More lenient than the reference where real documents show that the service is: `color_filter: null` (a published
 * example), `"auto"` for width and height, `font_weight: "bold"`, volume above 100 %, numbers inside strings. Our own
 * decisions where nothing is known: `x_anchor` and `y_anchor` accept null on every type (= its default), `loop` of a
 * gif is true (a gif that stops after one pass looks broken), `speed` needs its % (a bare 2 could mean 2 % or twice).
 */
// prettier-ignore
export const properties: readonly Property[] = [
  ...group('Document', ['root'], [
    reads('output_format', oneOf(...formatChoices), usualFormat, 'Format of the file.'),
    reads('width', pixels, null, 'Width in pixels; null = width of the first picture or video.'),
    reads('height', pixels, null, 'Height in pixels; null = height of the first picture or video.'),
    reads('frame_rate', nullable(within({ kind: 'number', units: ['fps'], bare: 'fps' }, 1, documentLimits.frameRate)), null, 'Frames per second, gif up to 15, webp-animated up to 30; null = highest rate among the videos, else 60 or those.'),
    reads('duration', nullable({ ...within(seconds, 0), auto: true }), null, 'Length of the output; null = as long as its content, 5 s without any.'),
    reads('snapshot_time', nullable(within(seconds, 0)), null, 'Moment of which a still picture is taken: beside a film, as a jpg or png; null = none, and a jpg or png shows everything at once.'),
    reads('snapshot_location', nullable(oneOf('start', 'end')), null, 'Puts the still in place of the first or last frame; null = a file beside the video.'),
    reads('emoji_style', oneOf('facebook', 'google', 'twitter', 'apple'), 'facebook', 'Set of emoji pictures.'),
    reads('elements', { kind: 'elements' }, [], 'What the document shows; later elements draw over earlier ones.'),
    reads('fonts', nullable({ kind: 'fonts' }), null, 'Fonts brought along: family, source, and optionally weight and style.'),
    reads('crf', within(count, 17, 51), 23, 'Quality of an mp4, a webm or an animated webp; higher = smaller file.'),
    reads('video_codec', oneOf(...videoCodecNames), 'h264', 'How an mp4 is coded. h264 plays everywhere; hevc and av1 make smaller files, take longer, and play where player and computer know them.', { extension: true }),
    reads('gif_quality', oneOf('fast', 'best'), 'fast', 'How carefully a gif chooses its colors.'),
    reads('gif_compression', within(count, 0, 200), 0, 'How much a gif may lose for a smaller file.'),
    reads('loop', boolean, true, 'A gif or an animated webp repeats for ever.'),
    reads('target_loudness', nullable(within(count, -40, -8)), null, 'Loudness of the whole sound in LUFS (EBU R 128), peaks at most −1 dB; -14 is usual on the web, -23 in television. Null = as mixed.', { extension: true }),
    reads('variables', nullable({ kind: 'variables' }), null, 'Values for {{name}} in any text of the document, whatever the property.', { extension: true }),
  ]),

  ...group('Common', elementTypes, [
    reads('type', oneOf(...elementTypes), null, 'Kind of element; required.'),
    reads('id', nullable(string), null, 'Unique name for programs.'),
    reads('name', nullable(string), null, 'Name for modifications and messages.'),
    reads('track', nullable({ ...within(count, 1), integer: true }), null, 'Lane; elements of one lane follow each other. Null = a lane of its own.'),
    reads('time', time, null, "Start in the composition; 'end' = ends with it, null = after the one before in the lane."),
    reads('duration', elementDuration, null, "Length; 'media' = of the file, fr = share of the lane, null = to the end.", { defaults: { video: 'media', audio: 'media', lottie: 'media' } }),
    sets('visible', boolean, true, 'False = not rendered.'),
    reads('dynamic', boolean, false, 'Mark of the editor: meant to be replaced by modifications.'),
    reads('locked', boolean, false, 'Mark of the editor: protected from changes.'),
  ]),

  ...group('Place and size', visual, [
    places('x', nullable(length), '50%', 'Place of the anchor across the parent; null = placed in turn by the composition.'),
    places('y', nullable(length), '50%', 'Place of the anchor down the parent; null = placed in turn by the composition.'),
    sizes('width', autoLength, '100%', 'Width; null = from the content.', { defaults: { text: null, shape: null } }),
    sizes('height', autoLength, '100%', 'Height; null = from the content.', { defaults: { text: null, shape: null } }),
    sizes('aspect_ratio', nullable(within(count, 0.001)), null, 'Width ÷ height; the largest such box within width and height.'),
    sizes('x_padding', within(length, 0), '0 vw', 'Space left free inside at the left and right.'),
    sizes('y_padding', within(length, 0), '0 vh', 'Space left free inside at the top and bottom.'),
    places('x_alignment', percent, '50%', 'Place of the content across the box: 0% left, 100% right.', { defaults: { text: '0%' }, lines: 'place' }),
    places('y_alignment', percent, '50%', 'Place of the content down the box: 0% top, 100% bottom.', { defaults: { text: '0%' }, lines: 'place' }),
    looks('z_index', nullable(count), null, 'Drawing order among siblings; any value draws above all that have none.', { reading: 'rank' }),
  ]),

  ...group('Transform', visual, [
    sizes('x_anchor', nullable(length), '50%', "Point of the element's width that lies on x; everything turns and scales about it.", { defaults: { shape: null }, nullIsDefault: true }),
    sizes('y_anchor', nullable(length), '50%', "Point of the element's height that lies on y; everything turns and scales about it.", { defaults: { shape: null }, nullIsDefault: true }),
    sizes('x_scale', percent, '100%', 'Scale across; negative mirrors.'),
    sizes('y_scale', percent, '100%', 'Scale down; negative mirrors.'),
    sizes('x_skew', angle, '0°', 'Slant across.'),
    sizes('y_skew', angle, '0°', 'Slant down.'),
    sizes('x_rotation', angle, '0°', 'Turn in space about the horizontal axis.'),
    sizes('y_rotation', angle, '0°', 'Turn in space about the vertical axis.'),
    sizes('z_rotation', angle, '0°', 'Turn in the plane, clockwise.'),
    sizes('perspective', nullable(within(length, 0)), null, 'Distance of the eye for turns in space; smaller = stronger.'),
    looks('backface_visible', boolean, true, 'False hides the element when turned away.'),
    looks('warp_mode', oneOf('default', 'perspective'), 'default', 'How the warp points bend the element.'),
    looks('warp_matrix', nullable({ kind: 'warp' }), null, 'Rows of points to which the element is bent.'),
  ]),

  ...group('Fill', ['root', ...visual], [
    looks('fill_color', nullable(fill), null, 'Color, or list of color stops for gradients; null = none.', { defaults: { text: '#000000' } }),
    looks('fill_mode', oneOf('solid', 'linear', 'radial'), 'solid', 'One color, or a gradient along a line or around a point.'),
    looks('fill_x0', share, '50%', 'Start of a linear gradient, centre of a radial one.'),
    looks('fill_y0', share, '0%', 'Start of a linear gradient, centre of a radial one.'),
    looks('fill_x1', share, '50%', 'End of a linear gradient.'),
    looks('fill_y1', share, '100%', 'End of a linear gradient.'),
    looks('fill_radius', within(share, 0), '50%', 'Radius of a radial gradient; percent of the longer side.'),
  ]),

  ...group('Stroke', visual, [
    looks('stroke_color', nullable(fill), null, 'Color of the outline; null = none.'),
    looks('stroke_width', within(length, 0), '0.1 vmin', "Thickness of the outline; percent of the parent's smaller side."),
    looks('stroke_cap', oneOf('butt', 'square', 'round'), 'round', 'Ends of the outline.'),
    looks('stroke_join', oneOf('miter', 'bevel', 'round'), 'round', 'Corners of the outline.'),
    looks('stroke_start', percent, '0%', 'Where the visible part of the outline begins.'),
    looks('stroke_end', percent, '100%', 'Where the visible part of the outline ends.'),
    looks('stroke_offset', percent, '0%', 'Shift of the visible part along the outline; wraps around.'),
    looks('border_radius', sizeFromZero, '0 vmin', 'Radius of the corners.'),
  ]),

  ...group('Effects', visual, [
    looks('opacity', within(percent, 0, 100), '100%', 'From invisible to opaque.'),
    looks('clip', boolean, false, 'True cuts the content at the box and its rounded corners.'),
    looks('blend_mode', oneOf(...blendModes), 'none', 'How the element mixes with what lies below it.'),
    looks('shadow_color', nullable(color), null, 'Color of the shadow; null = none.'),
    looks('shadow_blur', within(length, 0), '3 vmin', 'Softness of the shadow.'),
    looks('shadow_x', length, '0 vmin', 'Shift of the shadow to the right.'),
    looks('shadow_y', length, '0 vmin', 'Shift of the shadow downwards.'),
    looks('color_filter', nullable(oneOf('none', 'brighten', 'contrast', 'hue', 'invert', 'grayscale', 'sepia')), 'none', 'Change of all colors; null = none.', { nullIsDefault: true }),
    looks('color_filter_value', percent, '0%', 'Strength of the filter.'),
    looks('color_overlay', nullable(color), null, "Color painted over the element's own pixels."),
    looks('blur_radius', sizeFromZero, 0, 'Blur of the element, in pixels.', { reading: 'pixels' }),
    looks('blur_mode', oneOf('stack', 'box', 'box-2'), 'stack', 'Kind of blur: rounded, an even square, or an even square twice.'),
    looks('mask_mode', nullable(oneOf('alpha', 'alpha-inverted', 'luma', 'luma-inverted')), null, 'Set: the element is not drawn but masks the element below it.'),
    looks('repeat', boolean, false, 'True tiles the element over its parent.'),
  ]),
  ...group('Look', visual, [
    looks('key_color', nullable(color), null, 'Color that becomes transparent, e.g. of a green screen; null = none.', { extension: true }),
    looks('key_tolerance', within(percent, 0, 100), '40%', 'How far colors may be from the key and still vanish; 100% = grey.', { extension: true }),
    looks('key_softness', within(percent, 0, 100), '30%', 'How gradually the colors beyond become opaque.', { extension: true }),
    looks('key_spill', within(percent, 0, 100), '100%', 'How much of the key color is taken out of what stays.', { extension: true }),
    looks('look_exposure', within(count, -5, 5), 0, 'Light in stops: 1 = twice as much.', { extension: true }),
    looks('look_contrast', within(percent, -100, 100), '0%', 'Difference of light and dark.', { extension: true }),
    looks('look_saturation', within(percent, -100, 100), '0%', 'Strength of colors; -100% = grey.', { extension: true }),
    looks('look_temperature', within(percent, -100, 100), '0%', 'Warmer; below 0%, cooler.', { extension: true }),
    looks('look_tint', within(percent, -100, 100), '0%', 'More magenta; below 0%, more green.', { extension: true }),
    sets('look_lut', nullable(string), null, 'Address of a .cube table of colors; null = none.', { extension: true }),
    looks('look_lut_strength', within(percent, 0, 100), '100%', 'Strength of the table.', { extension: true }),
    looks('look_vignette', within(percent, 0, 100), '0%', 'Darkness of the corners.', { extension: true }),
  ]),
  ...group('Animations', elementTypes, [
    reads('animations', nullable({ kind: 'animations' }), null, 'Movements; see the animation types.'),
  ]),

  ...group('Image and video', ['image', 'video', 'lottie'], [
    sets('fit', oneOf('cover', 'contain', 'fill'), 'cover', 'Fill the box and crop, fit inside it, or stretch.'),
  ]),
  ...group('Image', ['image'], [
    reads('smart_crop', boolean, false, 'With fit cover: keeps the subject of the picture in view; alignment has no say then.'),
  ]),
  ...group('Image, video and audio', ['image', 'video', 'audio', 'lottie'], [
    reads('source', nullable(string), null, 'Address of the file.'),
  ]),
  ...group('Provider', ['image', 'video'], [
    reads('provider', nullable(string), null, 'Service that makes the file; none is asked.', notDrawn),
  ]),
  ...group('Voice', ['audio'], [
    reads('provider', nullable(string), null, 'Service whose voice speaks `source`, e.g. elevenlabs voice_id=…; the setting `voices` says who does.'),
  ]),
  ...group('Playback', ['video', 'audio', 'lottie'], [
    reads('trim_start', nullable(within(seconds, 0)), null, 'Seconds left out at the beginning of the file.'),
    reads('trim_duration', nullable(within(seconds, 0)), null, 'Seconds of the file that play; null = to its end.'),
    reads('loop', boolean, false, 'Starts again when the file ends.'),
    sums('speed', within({ kind: 'number', units: ['%'], bare: null }, 1), '100%', 'Speed of play.'),
  ]),
  ...group('Video and audio', ['video', 'audio'], [
    sums('volume', within(percent, 0), '100%', 'Loudness; 0% = silent, above 100% = louder than recorded. Keyframes are an extension.'),
    reads('muted', boolean, false, 'True = silent.'),
    reads('duck', within(count, 0, 60), 0, 'Decibels by which it makes way while other sounds are heard (loops and other ducked ones apart): for music under speech; 12 is usual.', { extension: true }),
    reads('noise_reduction', within(count, 0, 40), 0, 'Decibels by which steady noise is lowered, such as hiss or the hum of a fan; 12 is usual.', { extension: true }),
    reads('audio_fade_in', nullable(within(seconds, 0)), null, 'Seconds in which the sound rises at the beginning.'),
    reads('audio_fade_out', nullable(within(seconds, 0)), null, 'Seconds in which the sound falls at the end.'),
  ]),
  ...group('Lottie', ['lottie'], [
    reads('texts', nullable({ kind: 'variables' }), null, 'Other words for text layers of the animation, by the name of the layer.', { extension: true }),
    reads('colors', nullable({ kind: 'colors' }), null, 'Other colors for those of the animation, e.g. {"#ff0000": "#00aa55"}; opacity stays.', { extension: true }),
  ]),

  ...group('Text', ['text'], [
    looks('text', { kind: 'string', maximum: documentLimits.textLength }, '', 'What is written; may hold style tags and {{placeholders}}.', { lines: 'fit' }),
    looks('font_family', string, 'Aileron', 'Name of the font; an unknown one is replaced by a similar one.', { lines: 'fit' }),
    looks('font_weight', within({ kind: 'number', units: [], bare: '', words: ['normal', 'bold'] }, 100, 900), '400', 'Thickness of the letters; normal = 400, bold = 700.', { lines: 'fit', reading: 'weight' }),
    looks('font_style', oneOf('normal', 'italic'), 'normal', 'Upright or slanted.', { lines: 'fit' }),
    sizes('font_size', nullable(within(length, 0.1)), null, "Size of the letters; percent of the parent's smaller side, null = the largest that fits the box.", { lines: 'place' }),
    looks('font_size_minimum', nullable(within(size, 0.1)), '1 vmin', 'Smallest size that fitting may choose.', { lines: 'fit', reading: 'pixels', nullIsDefault: true }),
    looks('font_size_maximum', nullable(within(size, 0.1)), '100 vmin', 'Largest size that fitting may choose.', { lines: 'fit', reading: 'pixels', nullIsDefault: true }),
    sizes('letter_spacing', { ...within(percent, -299), em: 1000 }, '0%', 'Space between letters: percent of the font size ÷ 10.', { lines: 'fit', reading: 'tenth' }),
    sizes('line_height', { ...within(percent, 0), em: 100 }, '115%', 'Distance of lines: percent of the font size.', { lines: 'fit' }),
    looks('text_wrap', boolean, true, 'False keeps each line in one.', { lines: 'fit' }),
    looks('text_clip', boolean, false, 'True ends text that does not fit with an ellipsis.', { lines: 'place' }),
    looks('text_transform', oneOf('none', 'capitalize', 'uppercase', 'lowercase'), 'none', 'Change of capital letters.', { lines: 'fit' }),
    looks('background_color', nullable(color), null, 'Color behind each line; null = none.'),
    looks('background_x_padding', { ...share, em: 100 }, '25%', 'Space beside the lines inside their background; percent of the font size.', { lines: 'place' }),
    looks('background_y_padding', { ...share, em: 100 }, '25%', 'Space above and below the lines inside their background; percent of the font size.', { lines: 'place' }),
    looks('background_border_radius', { ...within(share, 0), em: 100 }, '0%', 'Radius of the background\'s corners; percent of the font size.', { lines: 'place' }),
    looks('background_align_threshold', within(percent, 0, 100), '20%', 'Lines whose ends differ by less get backgrounds of one width; percent of the element\'s width.', { lines: 'place' }),
    reads('transcript_source', nullable({ kind: 'transcript' }), null, 'Element, address, subtitles or word timings that the text follows.'),
    reads('transcript_effect', oneOf('color', 'karaoke', 'highlight', 'fade', 'bounce', 'slide', 'enlarge'), 'color', 'How the spoken part shows.'),
    reads('transcript_split', oneOf('none', 'line', 'word', 'letter'), 'word', 'What counts as one spoken part.'),
    reads('transcript_placement', oneOf('static', 'animate', 'align'), 'static', 'How the text moves with the speech.'),
    reads('transcript_maximum_length', nullable({ ...within(count, 1), integer: true }), null, 'Characters shown at once.'),
    reads('transcript_color', color, '#e74c3c', 'Color of the spoken part.'),
  ]),

  ...group('Shape', ['shape'], [
    looks('path', nullable(path), null, 'Outline in percent of the box, or in pixels when the shape has no size; null = a rectangle.'),
    reads('sound_source', nullable(string), null, 'Name or id of the element whose sound makes the outline; null = none.', { extension: true }),
    reads('sound_form', oneOf('bars', 'mirror', 'circle', 'wave'), 'bars', 'Bars from below, about the middle or in a circle; or the wave, for strokes.', { extension: true }),
    reads('sound_bars', { ...within(count, 2, 200), integer: true }, 32, 'Number of bars, or of points of the wave.', { extension: true }),
    reads('sound_gap', within(percent, 0, 95), '40%', 'Space between bars, as a share of their room.', { extension: true }),
  ]),

  ...group('Composition', ['composition'], [
    reads('elements', { kind: 'elements' }, [], 'What the composition shows.'),
    sets('flow_direction', oneOf('vertical', 'horizontal'), 'vertical', 'Direction in which children without x or y follow each other.'),
    reads('loop', boolean, false, 'Repeats the content.'),
    reads('plays', nullable({ ...within(count, 1), integer: true }), null, 'Passes of a repeating composition; null = endless.'),
  ]),
];

const owners: readonly PropertyOwner[] = ['root', ...elementTypes];

const rowsByOwner: ReadonlyMap<PropertyOwner, ReadonlyMap<string, Property>> = new Map(
  owners.map((owner) => [
    owner,
    new Map(properties.filter((row) => row.on.includes(owner)).map((row) => [row.name, row])),
  ]),
);

/** The properties of an element type or of the document, with their names, in the table's order. */
export function propertiesOf(
  owner: PropertyOwner,
): readonly (readonly [name: string, property: Property])[] {
  return Array.from(rowsByOwner.get(owner) ?? []);
}

/** One property of an element type or of the document; undefined for unknown names. */
export function property(owner: PropertyOwner, name: string): Property | undefined {
  return rowsByOwner.get(owner)?.get(name);
}

/**
 * The default of a property, as written in JSON, e.g. `50%`. Throws for unknown names: only a mistake in our own code
 * asks for them.
 */
export function defaultOf(owner: PropertyOwner, name: string): Json {
  const row = property(owner, name);
  if (row === undefined) throw new Error(`There is no property '${name}' on '${owner}'`);
  return row.defaults[owner] !== undefined ? row.defaults[owner] : row.default;
}

/** Texts that may be empty; elsewhere an empty text leaves the default, as other programs write it. */
const mayBeEmpty: ReadonlySet<string> = new Set(['text', 'source', 'name', 'id', 'type']);

/** Whether a value counts as absent: an empty text where a text says nothing. */
export function isUnset({ name }: Property, value: unknown): boolean {
  return value === '' && !mayBeEmpty.has(name);
}

/** An object without the properties that count as absent; the same object if there are none. */
export function withoutUnset(json: JsonObject, owner: PropertyOwner): JsonObject {
  const isKept = ([name, value]: readonly [string, unknown]): boolean => {
    const row = value === '' ? property(owner, name) : undefined;
    return row === undefined || !isUnset(row, value);
  };
  const entries = Object.entries(json);
  return entries.every(isKept) ? json : Object.fromEntries(entries.filter(isKept));
}
