/**
 * THE TABLE of the inspector: which group and row shows which property, and when. A test says that none lacks a place.
 * Pure.
 */
import {
  formats,
  hasCodecs,
  hasSound,
  outputFormats,
} from '../../../shared/renderscript/formats.ts';
import type { PropertyOwner } from '../../../shared/renderscript/properties.ts';
import type { Json } from '../../../shared/renderscript/source.ts';

/** A line of a group: one property, or two that belong together. */
export interface InspectorRow<Name extends string = string> {
  /** Names the line: the property itself, or what the two are together. */
  readonly key: Name;
  readonly names: readonly Name[];
  /** Shown only while another property has one of these values, or the row's own are set. */
  readonly when?: { readonly name: Name; readonly is: readonly Json[] };
}

const visual = ['image', 'video', 'text', 'shape', 'composition', 'lottie'] as const;
const heard = ['video', 'audio'] as const;
const elements = [...visual, 'audio'] as const;

/** One property. */
const one = <const Name extends string>(
  name: Name,
  when?: { readonly name: Name; readonly is: readonly Json[] },
) => ({ key: name, names: [name], ...(when && { when }) }) as const;

/** Two side by side. */
const two = <const Key extends string, const First extends string, const Second extends string>(
  key: Key,
  first: First,
  second: Second,
) => ({ key, names: [first, second] }) as const;

/** Two that count only for some kinds of fill. */
const twoOfFill = <
  const Key extends string,
  const First extends string,
  const Second extends string,
>(
  key: Key,
  first: First,
  second: Second,
  is: readonly string[],
) => ({ ...two(key, first, second), when: { name: 'fill_mode', is } }) as const;

const group = <const Id extends string, const Row>(
  id: Id,
  on: readonly PropertyOwner[],
  rows: readonly Row[],
) => ({ id, on, rows }) as const;

const fill = [
  { key: 'fill_color', names: ['fill_color', 'fill_mode'] },
  twoOfFill('fillStart', 'fill_x0', 'fill_y0', ['linear', 'radial']),
  twoOfFill('fillEnd', 'fill_x1', 'fill_y1', ['linear']),
  { key: 'fill_radius', names: ['fill_radius'], when: { name: 'fill_mode', is: ['radial'] } },
] as const;

const ofFormats = <const Name extends string>(name: Name, is: readonly string[]) =>
  ({ key: name, names: [name], when: { name: 'output_format', is } }) as const;

/** The formats whose quality a property sets. */
const withQuality = (property: string): readonly string[] =>
  outputFormats.filter((format) => formats[format].quality?.property === property);

/** In the order in which they are shown. What two groups have belongs to the first one that its owner has. */
const table = [
  group(
    'document',
    ['root'],
    [two('size', 'width', 'height'), one('duration'), one('frame_rate'), one('output_format')],
  ),
  group('background', ['root'], fill),
  group(
    'file',
    ['root'],
    [
      ofFormats('crf', withQuality('crf')),
      ofFormats('video_codec', outputFormats.filter(hasCodecs)),
      ofFormats('target_loudness', outputFormats.filter(hasSound)),
      ofFormats('gif_quality', ['gif']),
      ofFormats('gif_compression', ['gif']),
      ofFormats('loop', ['gif', 'webp-animated']),
      one('snapshot_time'),
      one('snapshot_location'),
      one('emoji_style'),
    ],
  ),
  group('data', ['root'], [one('variables'), one('fonts'), one('elements')]),

  group('element', elements, [
    one('name'),
    one('dynamic'),
    one('visible'),
    one('locked'),
    one('type'),
  ]),
  group(
    'text',
    ['text'],
    [
      one('text'),
      one('font_family'),
      two('fontStyle', 'font_weight', 'font_style'),
      one('font_size'),
      two('fontRange', 'font_size_minimum', 'font_size_maximum'),
      two('spacing', 'line_height', 'letter_spacing'),
      two('alignment', 'x_alignment', 'y_alignment'),
      one('text_transform'),
      one('text_wrap'),
      one('text_clip'),
    ],
  ),
  group(
    'media',
    ['image', 'video', 'audio', 'lottie'],
    [
      one('source'),
      one('texts'),
      one('colors'),
      one('fit'),
      one('smart_crop'),
      one('trim_start'),
      one('trim_duration'),
      one('speed'),
      one('loop'),
    ],
  ),
  group('sound', heard, [
    one('volume'),
    one('muted'),
    two('fade', 'audio_fade_in', 'audio_fade_out'),
    one('duck'),
    one('noise_reduction'),
  ]),
  group('place', visual, [
    two('position', 'x', 'y'),
    two('size', 'width', 'height'),
    one('z_rotation'),
    two('anchor', 'x_anchor', 'y_anchor'),
    one('aspect_ratio'),
    two('padding', 'x_padding', 'y_padding'),
    two('alignment', 'x_alignment', 'y_alignment'),
    one('z_index'),
  ]),
  group('fill', visual, [...fill, one('border_radius'), one('path')]),
  group(
    'seenSound',
    ['shape'],
    [one('sound_source'), one('sound_form'), one('sound_bars'), one('sound_gap')],
  ),
  group('stroke', visual, [
    one('stroke_color'),
    one('stroke_width'),
    two('stroke', 'stroke_cap', 'stroke_join'),
    two('strokePart', 'stroke_start', 'stroke_end'),
    one('stroke_offset'),
  ]),
  group(
    'textBackground',
    ['text'],
    [
      one('background_color'),
      two('padding', 'background_x_padding', 'background_y_padding'),
      one('background_border_radius'),
      one('background_align_threshold'),
    ],
  ),
  group('shadow', visual, [
    one('shadow_color'),
    two('offset', 'shadow_x', 'shadow_y'),
    one('shadow_blur'),
  ]),
  group('effects', visual, [
    one('opacity'),
    one('blend_mode'),
    one('mask_mode'),
    two('filter', 'color_filter', 'color_filter_value'),
    one('color_overlay'),
    two('blur', 'blur_radius', 'blur_mode'),
    one('clip'),
    one('repeat'),
  ]),
  group('look', visual, [
    one('key_color'),
    one('key_tolerance'),
    one('key_softness'),
    one('key_spill'),
    one('look_exposure'),
    one('look_contrast'),
    one('look_saturation'),
    one('look_temperature'),
    one('look_tint'),
    one('look_lut'),
    one('look_lut_strength'),
    one('look_vignette'),
  ]),
  group('time', elements, [one('time'), one('duration'), one('track')]),
  group('animation', elements, [one('animations')]),
  group('transform', visual, [
    two('scale', 'x_scale', 'y_scale'),
    two('skew', 'x_skew', 'y_skew'),
    two('rotation', 'x_rotation', 'y_rotation'),
    one('perspective'),
    one('backface_visible'),
    one('warp_mode'),
    one('warp_matrix'),
  ]),
  group(
    'captions',
    ['text'],
    [
      one('transcript_source'),
      one('transcript_effect'),
      one('transcript_color'),
      one('transcript_split'),
      one('transcript_placement'),
      one('transcript_maximum_length'),
    ],
  ),
  group(
    'layout',
    ['composition'],
    [one('flow_direction'), one('loop'), one('plays'), one('elements')],
  ),
  // What only scripts ask for.
  group('scripts', elements, [one('id'), one('provider')]),
] as const;

type Table = (typeof table)[number];
/** Name of a group. */
export type GroupId = Table['id'];
/** Name of a property that the inspector shows. */
export type PropertyName = Table['rows'][number]['names'][number];
/** Names a line. */
export type RowKey = Table['rows'][number]['key'];

/** A group with its lines. */
export interface InspectorGroup {
  readonly id: GroupId;
  readonly on: readonly PropertyOwner[];
  readonly rows: readonly (Omit<InspectorRow, 'key' | 'names'> & {
    readonly key: RowKey;
    readonly names: readonly PropertyName[];
  })[];
}

/** All groups. */
export const inspectorGroups: readonly InspectorGroup[] = table;

/** Those that are open until a person closes them. */
export const usuallyOpen: readonly GroupId[] = [
  'document',
  'background',
  'element',
  'text',
  'media',
  'place',
  'fill',
];

/**
 * The groups of what all of these owners have; lines and groups without any of it are left out. A property stands in
 * the first group only that has it.
 *
 * @param has Whether every one of them has a property.
 */
export function groupsOf(
  owners: ReadonlySet<PropertyOwner>,
  has: (name: PropertyName) => boolean,
): readonly InspectorGroup[] {
  const placed = new Set<PropertyName>();
  return inspectorGroups.flatMap((shown): readonly InspectorGroup[] => {
    if (![...owners].every((owner) => shown.on.includes(owner))) return [];
    const rows = shown.rows.flatMap((row) => {
      const names = row.names.filter((name) => has(name) && !placed.has(name));
      for (const name of names) placed.add(name);
      return names.length === 0 ? [] : [{ ...row, names }];
    });
    return rows.length === 0 ? [] : [{ ...shown, rows }];
  });
}
