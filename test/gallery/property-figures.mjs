/**
 * What the help pages show of each property: a few values side by side, each in a small document of its own. Sheets of
 * them are drawn by gallery.mjs; a test holds this table against that of the language.
 *
 * A cell: its caption, and the elements of a picture of 320 × 180 pixels; `time` is the moment at which it is looked
 * at. `sound`: what is heard, drawn from the rendered file. `file`: the rendered file of a document of its own, with
 * its format.
 */

/** Width and height of a cell in pixels. */
export const cellSize = { width: 320, height: 180 };

const ink = '#1f2d4d';
const blue = '#2f5fe0';
const soft = '#cfd9ee';
const orange = '#f08c2e';
const paper = '#eef2f9';
const rectangle = 'M 0 0 L 100 0 L 100 100 L 0 100 Z';
const circle =
  'M 50 0 C 77.6 0 100 22.4 100 50 C 100 77.6 77.6 100 50 100 C 22.4 100 0 77.6 0 50 C 0 22.4 22.4 0 50 0 Z';
const star = 'M 50 0 L 61 35 L 98 35 L 68 57 L 79 91 L 50 70 L 21 91 L 32 57 L 2 35 L 39 35 Z';

// The things that the pictures are made of. `more` holds the property that is shown.

const shape = (more) => ({
  type: 'shape',
  path: rectangle,
  width: 120,
  height: 80,
  fill_color: blue,
  ...more,
});
const dot = (x, y, more = {}) =>
  shape({ path: circle, x, y, width: 14, height: 14, fill_color: orange, ...more });
/** Where the element would be otherwise. */
const ghost = (more = {}) =>
  shape({ fill_color: null, stroke_color: '#9aa8c4', stroke_width: 1.5, ...more });
const photo = (more) => ({
  type: 'image',
  source: 'media/lake.jpg',
  width: 144,
  height: 96,
  ...more,
});
const full = (more) => ({ type: 'image', source: 'media/dawn.jpg', ...more });
const text = (words, more) => ({
  type: 'text',
  text: words,
  width: '88%',
  height: '80%',
  x_alignment: '50%',
  y_alignment: '50%',
  font_family: 'Montserrat',
  font_weight: '700',
  fill_color: ink,
  ...more,
});
/** A box with a frame, so that one sees how far it reaches. */
const boxed = (words, more = {}) => [
  ghost({
    width: more.width ?? 220,
    height: more.height ?? 110,
    ...(more.x !== undefined && { x: more.x }),
  }),
  text(words, { width: 220, height: 110, ...more }),
];
const note = (words, x, y, more = {}) =>
  text(words, {
    x,
    y,
    width: null,
    height: null,
    font_size: 13,
    font_weight: '600',
    fill_color: '#5b6b8c',
    ...more,
  });

/** A value as it is written in JSON, shortened where nobody reads it to its end. */
const written = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
const cell = (caption, elements, more = {}) => ({ caption: written(caption), elements, ...more });
/** One cell for each value: `draw` gets the property. */
const each = (name, values, draw, more = {}) =>
  values.map((value) => cell(value, draw({ [name]: value }), more));
/** A Lottie animation near its end. */
const badges = (name, values) =>
  each(
    name,
    values,
    (it) => [{ type: 'lottie', source: 'media/badge.json', width: '100%', height: '100%', ...it }],
    { time: 1.9 },
  );
/** A shape that shows a sound. */
const sounding = (name, values) =>
  each(
    name,
    values,
    (it) => {
      const size = it.sound_form === 'circle' ? { width: 140, height: 140 } : {};
      const line = it.sound_form === 'wave' && {
        fill_color: null,
        stroke_color: blue,
        stroke_width: 3,
      };
      const seen = { width: 240, height: 110, path: null, sound_source: 'Music', ...it };
      return [
        { type: 'audio', name: 'Music', source: 'media/tones.mp3' },
        shape({ ...seen, ...size, ...line }),
      ];
    },
    { time: 0.6 },
  );
/** One cell for each moment of the same elements. */
const moments = (times, elements, word = (time) => `at ${time} s`) =>
  times.map((time) => cell(word(time), elements, { time }));

const onShape = (name, values, more = {}) =>
  each(name, values, (it) => [shape({ ...more, ...it })]);
const onPhoto = (name, values, more = {}) =>
  each(name, values, (it) => [ghost({ width: 144, height: 96 }), photo({ ...more, ...it })]);
const onText = (name, values, words, more = {}) =>
  each(name, values, (it) => [text(words, { ...more, ...it })]);

const gradient = [
  { offset: '0%', color: '#2f5fe0' },
  { offset: '100%', color: '#ffd166' },
];
const filled = (name, values, more) =>
  each(name, values, (it) => [
    shape({ width: 200, height: 130, fill_color: gradient, ...more, ...it }),
  ]);

const stroked = (name, values, more = {}) =>
  each(name, values, (it) => [
    shape({
      path: star,
      width: 130,
      height: 130,
      fill_color: null,
      stroke_color: blue,
      stroke_width: 7,
      ...more,
      ...it,
    }),
  ]);

const overPhoto = (name, values, more = {}) =>
  each(name, values, (it) => [
    full(),
    shape({ path: circle, width: 120, height: 120, fill_color: '#e8590c', ...more, ...it }),
  ]);

/** A figure before a green screen, whose light falls on its edge, over a photo. */
const screen = '#1eb04b';
const keyed = (name, values) =>
  each(name, values, (it) => [
    full(),
    {
      type: 'composition',
      width: '70%',
      height: '86%',
      fill_color: screen,
      key_color: screen,
      ...it,
      elements: [
        shape({ path: circle, y: '112%', width: 150, height: 150, fill_color: '#c9573f' }),
        shape({
          path: circle,
          y: '40%',
          width: 74,
          height: 74,
          fill_color: '#e9b48c',
          shadow_color: '#5b3a22',
          shadow_blur: 34,
          shadow_y: -6,
        }),
        shape({
          path: circle,
          y: '112%',
          width: 150,
          height: 150,
          fill_color: null,
          stroke_color: '#84b08c',
          stroke_width: 5,
        }),
      ],
    },
  ]);

const marked = (name, values, more = {}) =>
  each(name, values, (it) => [
    text('A title in\ntwo lines', {
      font_size: 30,
      background_color: '#ffd43b',
      line_height: '150%',
      ...more,
      ...it,
    }),
  ]);

const spoken = [
  ['Every', 0, 0.5],
  ['word', 0.5, 0.5],
  ['in', 1, 0.3],
  ['its', 1.3, 0.3],
  ['own', 1.6, 0.4],
  ['time', 2, 0.6],
].map(([value, time, duration]) => ({ time, duration, value }));
const captions = (name, values, more = {}, time = 0.85) =>
  each(
    name,
    values,
    (it) => [text('', { font_size: 30, duration: 3, transcript_source: spoken, ...more, ...it })],
    { time },
  );

const tune = (more) => ({
  type: 'audio',
  source: 'media/tune.m4a',
  duration: 4,
  trim_duration: 4,
  ...more,
});
const heard = (name, values, more = {}) =>
  values.map((value) => ({
    caption: written(value),
    sound: [tune({ ...more, [name]: value })],
  }));

const clock = (more) => ({
  type: 'video',
  source: 'media/sea.mp4',
  muted: true,
  ...more,
});
/** Three things in a composition without x or y. */
const flowing = (more) => ({
  type: 'composition',
  width: 200,
  height: 140,
  fill_color: '#ffffff',
  ...more,
  elements: [blue, orange, '#37b24d'].map((fill_color) => ({
    ...shape({ fill_color, width: 40, height: 30 }),
    x: null,
    y: null,
  })),
});
/** Something that moves once in two seconds. */
const running = (more) => ({
  type: 'composition',
  width: '100%',
  height: '100%',
  time: 0,
  duration: 2,
  ...more,
  elements: [
    dot(
      [
        { time: 0, value: 50 },
        { time: 2, value: 270, easing: 'linear' },
      ],
      90,
      { width: 44, height: 44, duration: 2 },
    ),
  ],
});

/** A document of its own, rendered to a file: a film of which a frame is looked at, a gif, or a picture. */
const file = (caption, source, time = 0) => ({
  caption: written(caption),
  file: { ...cellSize, ...source },
  time,
});
const see = (more) => ({
  output_format: 'mp4',
  duration: 0.4,
  frame_rate: 10,
  elements: [full()],
  ...more,
});
const rich = {
  output_format: 'gif',
  duration: 0.2,
  frame_rate: 10,
  // Enlarged, so that one sees the dots.
  width: 160,
  height: 90,
  elements: [full()],
};
/** Where something that runs across in a second is seen. */
const strobe = (rate) =>
  Array.from({ length: rate + 1 }, (_, index) =>
    dot(30 + (260 * index) / rate, 90, {
      width: 26,
      height: 26,
      fill_color: blue,
      opacity: `${40 + (60 * index) / rate}%`,
    }),
  );
const frame = (more) => ({
  type: 'composition',
  fill_color: '#ffffff',
  stroke_color: ink,
  stroke_width: 2,
  elements: [text('Hi', { width: '70%', height: '60%' })],
  ...more,
});
/** Bars on lanes, like a timeline. */
const bar = (words, from, to, lane, fill_color = blue) => [
  shape({
    x: from,
    x_anchor: '0%',
    y: lane,
    width: to - from,
    height: 34,
    fill_color,
    border_radius: 6,
  }),
  text(words, {
    x: (from + to) / 2,
    y: lane,
    width: null,
    height: null,
    font_size: 13,
    fill_color: '#ffffff',
  }),
];
const timeline = (caption, ...bars) =>
  cell(caption, [shape({ x: 30, width: 2, height: 150, fill_color: '#9aa8c4' }), ...bars.flat()]);

const layer = (words, lane, isLocked) => [
  shape({
    y: lane,
    width: 250,
    height: 40,
    fill_color: isLocked ? '#dbe2f0' : '#ffffff',
    border_radius: 6,
  }),
  text(words, { x: 60, x_anchor: '0%', y: lane, width: null, height: null, font_size: 16 }),
  ...(isLocked
    ? [
        ghost({
          path: circle,
          x: 262,
          y: lane - 6,
          width: 12,
          height: 14,
          stroke_color: ink,
          stroke_width: 3,
        }),
        shape({ x: 262, y: lane + 4, width: 20, height: 14, fill_color: ink, border_radius: 2 }),
      ]
    : []),
];

/**
 * By group and name, in the words of shared/renderscript/properties.ts. Properties that are not drawn yet have none.
 */
// prettier-ignore
export const propertyFigures = {
  Document: {
    output_format: ['mp4', 'gif', 'jpg', 'png'].map((output_format) =>
      file(output_format, { output_format, duration: 0.4, frame_rate: 5, elements: [shape({ path: circle, width: 140, height: 140, fill_color: 'rgba(47,95,224,0.55)' }), text('Hi', { height: '40%', fill_color: '#ffffff' })] })),
    width: each('width', [100, 180, 280], (it) => [frame({ height: 110, ...it })]),
    height: each('height', [50, 100, 160], (it) => [frame({ width: 180, ...it })]),
    frame_rate: [3, 6, 12].map((rate) => cell(`${rate}: a second`, strobe(rate))),
    duration: [timeline(2, bar('Title', 30, 210, 50), bar('2 s', 30, 150, 110, ink)), timeline(4, bar('Title', 30, 210, 50), bar('4 s', 30, 270, 110, ink)), timeline('null: as long as the content', bar('Title', 30, 210, 50), bar('3 s', 30, 210, 110, ink))],
    snapshot_time: moments([0, 0.6, 1.2], [running({})], (at) => `${at}`),
    snapshot_location: [
      timeline('start', bar('the still', 30, 100, 90, orange), bar('the film', 100, 290, 90)),
      timeline('end', bar('the film', 30, 220, 90), bar('the still', 220, 290, 90, orange)),
      timeline('null', bar('the film', 30, 290, 60), bar('a file beside it', 90, 230, 120, orange)),
    ],
    emoji_style: ['facebook', 'google', 'twitter', 'apple'].map((emoji_style) => file(emoji_style, { output_format: 'png', emoji_style, fill_color: paper, elements: [text('😀🚀🌈', { font_size: 64 })] })),
    elements: [cell('[ shape ]', [shape({ x: 130 })]), cell('[ shape, text ]', [shape({ x: 130 }), text('Later: above', { height: '22%' })])],
    fonts: [file('null', { output_format: 'png', fill_color: paper, elements: [text('Your own font', { font_family: 'Brand', height: '45%' })] }), file('[ { family: "Brand", source } ]', { output_format: 'png', fill_color: paper, fonts: [{ family: 'Brand', source: 'media/brand.woff2' }], elements: [text('Your own font', { font_family: 'Brand', font_weight: '400', height: '45%' })] })],
    crf: [17, 35, 51].map((crf) => file(crf, see({ crf }), 0.2)),
    video_codec: [timeline('h264', bar('its bytes', 30, 290, 90, ink)), timeline('hevc: about 60 %', bar('its bytes', 30, 186, 90)), timeline('av1: about 70 %', bar('its bytes', 30, 212, 90))],
    gif_quality: ['fast', 'best'].map((gif_quality) => file(gif_quality, { ...rich, gif_quality })),
    gif_compression: [0, 100, 200].map((gif_compression) => file(gif_compression, { ...rich, gif_compression })),
    loop: [timeline('true', bar('1', 30, 110, 90), bar('2', 114, 194, 90), bar('3 …', 198, 290, 90)), timeline('false', bar('1', 30, 110, 90), bar('its last frame stays', 114, 290, 90, '#7d8bab'))],
    target_loudness: [timeline('null: as mixed', bar('quiet', 30, 110, 60), bar('loud', 30, 290, 110, ink)), timeline(-14, bar('−14 LUFS', 30, 230, 60), bar('−14 LUFS', 30, 230, 110, ink)), timeline(-23, bar('−23 LUFS', 30, 150, 60), bar('−23 LUFS', 30, 150, 110, ink))],
    variables: ['Oslo', 'Rome'].map((city) => file({ city }, { output_format: 'png', fill_color: paper, variables: { city }, elements: [text('Hello, {{city}}', { height: '40%' })] })),
  },
  Common: {
    type: [cell('image', [photo({})]), cell('video', [clock({ width: 144, height: 96 })]), cell('text', [text('Text', { height: '45%' })]), cell('shape', [shape({ path: star, width: 120, height: 120 })]), cell('composition', [frame({ width: 200, height: 120, elements: [photo({ x: 60, width: 90, height: 70 }), text('Parts', { x: 152, width: 80, height: 30 })] })]), { caption: 'audio', sound: [tune({})] }],
    id: [cell('"a1"', [shape({ x: 90 }), shape({ x: 230, fill_color: soft }), note('id: a1', 90, 150), note('id: b2', 230, 150)]), cell('{ "b2.fill_color": … }', [shape({ x: 90 }), shape({ x: 230, fill_color: orange }), note('id: a1', 90, 150), note('id: b2', 230, 150)])],
    name: [cell('"Title" as stored', [text('Your title', { height: '40%' })]), cell('{ "Title": "Today only" }', [text('Today only', { height: '40%' })])],
    track: [...moments([0.5, 1.5], [shape({ x: 100, track: 1, duration: 1 }), shape({ x: 220, fill_color: orange, track: 1, duration: 1 })], (at) => `both on 1, at ${at} s`), cell('1 and 2, at 0.5 s', [shape({ x: 100, track: 1, duration: 1 }), shape({ x: 220, fill_color: orange, track: 2, duration: 1 })], { time: 0.5 })],
    time: moments([0, 0.9, 1, 2], [text('Hello', { time: 1, duration: 2, height: '50%' })], (at) => `1: at ${at} s`),
    duration: moments([0, 1.9, 2, 3], [text('Hello', { time: 0, duration: 2, height: '50%' })], (at) => `2: at ${at} s`),
    visible: onShape('visible', [true, false]),
    dynamic: [true, false].map((dynamic) => cell(dynamic, [...layer('Title', 60), ...(dynamic ? [dot(255, 60, { width: 16, height: 16 })] : []), ...layer('Logo', 112), note(dynamic ? 'a field to be filled' : 'stays as it is', '50%', 156)])),
    locked: [true, false].map((locked) => cell(locked, [...layer('Background', 60, locked), ...layer('Title', 112)])),
  },
  'Place and size': {
    x: each('x', ['20%', '50%', '80%'], (it) => [ghost({ width: 80, height: 56 }), shape({ width: 80, height: 56, ...it }), dot(it.x, '50%')]),
    y: each('y', ['25%', '50%', '75%'], (it) => [ghost({ width: 80, height: 56 }), shape({ width: 80, height: 56, ...it }), dot('50%', it.y)]),
    width: onPhoto('width', ['20%', '45%', '80%'], { height: 96, fit: 'fill' }),
    height: onPhoto('height', ['25%', '55%', '90%'], { fit: 'fill' }),
    aspect_ratio: each('aspect_ratio', [null, 1, 2.5], (it) => [ghost({ width: 240, height: 140 }), photo({ width: 240, height: 140, ...it })]),
    x_padding: each('x_padding', [0, '20 px', '60 px'], (it) => [ghost({ width: 240, height: 110 }), { type: 'image', source: 'media/lake.jpg', width: 240, height: 110, ...it }]),
    y_padding: each('y_padding', [0, '15 px', '40 px'], (it) => [ghost({ width: 240, height: 130 }), { type: 'image', source: 'media/lake.jpg', width: 240, height: 130, ...it }]),
    x_alignment: each('x_alignment', ['0%', '50%', '100%'], (it) => boxed('Two short\nlines', { font_size: 24, ...it })),
    y_alignment: each('y_alignment', ['0%', '50%', '100%'], (it) => boxed('Two short\nlines', { font_size: 24, ...it })),
    z_index: each('z_index', [null, 1], (it) => [shape({ x: 130, ...it }), shape({ x: 190, y: 110, fill_color: orange })]),
  },
  Transform: {
    x_anchor: each('x_anchor', ['0%', '50%', '100%'], (it) => [ghost({ width: 2, height: 180 }), photo({ ...it }), dot('50%', '50%')]),
    y_anchor: each('y_anchor', ['0%', '50%', '100%'], (it) => [ghost({ width: 320, height: 2 }), photo({ height: 80, ...it }), dot('50%', '50%')]),
    x_scale: onPhoto('x_scale', ['50%', '150%', '-100%']),
    y_scale: onPhoto('y_scale', ['50%', '150%', '-100%']),
    x_skew: onPhoto('x_skew', ['-20°', '0°', '20°']),
    y_skew: onPhoto('y_skew', ['-20°', '0°', '20°']),
    x_rotation: onPhoto('x_rotation', ['-50°', '0°', '50°'], { perspective: '120 vmin' }),
    y_rotation: onPhoto('y_rotation', ['-50°', '0°', '50°'], { perspective: '120 vmin' }),
    z_rotation: onPhoto('z_rotation', ['-20°', '0°', '45°']),
    perspective: onPhoto('perspective', ['80 vmin', '200 vmin', null], { y_rotation: '50°' }),
    backface_visible: onPhoto('backface_visible', [true, false], { y_rotation: '150°', perspective: '150 vmin' }),
    warp_mode: each('warp_mode', ['default', 'perspective'], (it) => [{ type: 'composition', width: 230, height: 150, fill_color: '#ffffff', warp_matrix: [[{ x: '20%', y: '15%' }, { x: '80%', y: '15%' }], [{ x: '0%', y: '100%' }, { x: '100%', y: '100%' }]], ...it, elements: Array.from({ length: 32 }, (_, index) => index).filter((index) => (index + (index >> 3)) % 2 === 0).map((index) => shape({ x: `${6.25 + 12.5 * (index % 8)}%`, y: `${12.5 + 25 * (index >> 3)}%`, width: '12.5%', height: '25%' })) }]),
    warp_matrix: [null, [[{ x: '0%', y: '0%' }, { x: '50%', y: '20%' }, { x: '100%', y: '0%' }], [{ x: '0%', y: '100%' }, { x: '50%', y: '80%' }, { x: '100%', y: '100%' }]], [[{ x: '20%', y: '0%' }, { x: '100%', y: '10%' }], [{ x: '0%', y: '100%' }, { x: '80%', y: '90%' }]]].map((warp_matrix, index) => cell(['null', '3 points in 2 rows', '2 points in 2 rows'][index], [photo({ width: 200, height: 130, warp_matrix })])),
  },
  Fill: {
    fill_color: [...each('fill_color', ['#2f5fe0', 'rgba(240,140,46,0.5)'], (it) => [shape({ width: 200, height: 130, ...it })]), cell('[ { offset, color }, … ]', [shape({ width: 200, height: 130, fill_mode: 'linear', fill_color: gradient })])],
    fill_mode: filled('fill_mode', ['solid', 'linear', 'radial']),
    fill_x0: filled('fill_x0', ['0%', '50%', '100%'], { fill_mode: 'radial' }),
    fill_y0: filled('fill_y0', ['0%', '50%', '100%'], { fill_mode: 'radial' }),
    fill_x1: filled('fill_x1', ['0%', '50%', '100%'], { fill_mode: 'linear' }),
    fill_y1: filled('fill_y1', ['30%', '60%', '100%'], { fill_mode: 'linear' }),
    fill_radius: filled('fill_radius', ['20%', '50%', '100%'], { fill_mode: 'radial' }),
  },
  Stroke: {
    stroke_color: stroked('stroke_color', [null, '#2f5fe0', '#f08c2e'], { fill_color: soft }),
    stroke_width: stroked('stroke_width', ['1 vmin', '3 vmin', '7 vmin']),
    stroke_cap: stroked('stroke_cap', ['butt', 'square', 'round'], { path: 'M 10 70 L 50 30 L 90 70', stroke_width: 22, width: 150 }),
    stroke_join: stroked('stroke_join', ['miter', 'bevel', 'round'], { path: 'M 10 75 L 50 25 L 90 75', stroke_width: 22, width: 150 }),
    stroke_start: stroked('stroke_start', ['0%', '30%', '70%']),
    stroke_end: stroked('stroke_end', ['25%', '60%', '100%']),
    stroke_offset: stroked('stroke_offset', ['0%', '25%', '50%'], { stroke_end: '40%' }),
    border_radius: onPhoto('border_radius', [0, '8 vmin', '27 vmin']),
  },
  Effects: {
    opacity: overPhoto('opacity', ['25%', '60%', '100%']),
    clip: each('clip', [false, true], (it) => [{ type: 'composition', width: 170, height: 100, fill_color: '#ffffff', border_radius: 24, ...it, elements: [shape({ path: circle, x: 150, y: 85, width: 100, height: 100, fill_color: orange })] }]),
    blend_mode: overPhoto('blend_mode', ['none', 'multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light', 'soft-light', 'lighter', 'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity']),
    shadow_color: onShape('shadow_color', [null, 'rgba(0,0,0,0.5)', '#f08c2e'], { shadow_blur: 14 }),
    shadow_blur: onShape('shadow_blur', ['0 vmin', '5 vmin', '15 vmin'], { shadow_color: 'rgba(0,0,0,0.6)', shadow_x: 10, shadow_y: 10 }),
    shadow_x: onShape('shadow_x', ['-10 vmin', '0 vmin', '10 vmin'], { shadow_color: 'rgba(0,0,0,0.5)', shadow_blur: 6 }),
    shadow_y: onShape('shadow_y', ['-10 vmin', '0 vmin', '10 vmin'], { shadow_color: 'rgba(0,0,0,0.5)', shadow_blur: 6 }),
    color_filter: each('color_filter', ['none', 'brighten', 'contrast', 'hue', 'invert', 'grayscale', 'sepia'], (it) => [full({ color_filter_value: it.color_filter === 'hue' ? '35%' : '60%', ...it })]),
    color_filter_value: each('color_filter_value', ['0%', '50%', '100%'], (it) => [full({ color_filter: 'grayscale', ...it })]),
    color_overlay: each('color_overlay', [null, 'rgba(47,95,224,0.5)', '#f08c2e'], (it) => [text('Logo', { height: '60%', ...it })]),
    blur_radius: each('blur_radius', [0, 4, 14], (it) => [full(it)]),
    blur_mode: each('blur_mode', ['stack', 'box', 'box-2'], (it) => [shape({ path: star, width: 110, height: 110, blur_radius: 12, ...it })]),
    mask_mode: each('mask_mode', [null, 'alpha', 'alpha-inverted', 'luma', 'luma-inverted'], (it) => [{ type: 'composition', width: '100%', height: '100%', elements: [full(), shape({ path: circle, width: 130, height: 130, fill_mode: 'radial', fill_color: [{ offset: '0%', color: '#ffffff' }, { offset: '100%', color: '#606060' }], ...it })] }]),
    repeat: each('repeat', [false, true], (it) => [shape({ path: star, width: 50, height: 50, ...it })]),
  },
  Look: {
    key_color: keyed('key_color', [null, '#1eb04b']),
    key_tolerance: keyed('key_tolerance', ['10%', '40%', '90%']),
    key_softness: keyed('key_softness', ['0%', '30%', '100%']),
    key_spill: keyed('key_spill', ['0%', '50%', '100%']),
    look_exposure: each('look_exposure', [-1, 0, 1], (it) => [full(it)]),
    look_contrast: each('look_contrast', ['-50%', '0%', '50%'], (it) => [full(it)]),
    look_saturation: each('look_saturation', ['-100%', '0%', '60%'], (it) => [full(it)]),
    look_temperature: each('look_temperature', ['-60%', '0%', '60%'], (it) => [full(it)]),
    look_tint: each('look_tint', ['-60%', '0%', '60%'], (it) => [full(it)]),
    look_lut: each('look_lut', [null, 'media/teal-orange.cube', 'media/faded.cube'], (it) => [full(it)]),
    look_lut_strength: each('look_lut_strength', ['0%', '50%', '100%'], (it) => [full({ look_lut: 'media/teal-orange.cube', ...it })]),
    look_vignette: each('look_vignette', ['0%', '50%', '100%'], (it) => [full(it)]),
  },
  Animations: {
    animations: [0, 0.4, 0.8].map((time) => cell(`fade and slide, at ${time} s`, [text('Hello', { height: '45%', duration: 3, animations: [{ type: 'slide', time: 'start', duration: 1, distance: '40%' }] })], { time })),
  },
  'Image and video': {
    fit: each('fit', ['cover', 'contain', 'fill'], (it) => [ghost({ width: 100, height: 150 }), photo({ width: 100, height: 150, ...it })]),
  },
  Image: {
    smart_crop: each('smart_crop', [false, true], (it) => [ghost({ width: 70, height: 160 }), photo({ source: 'media/portrait-left.jpg', width: 70, height: 160, ...it })]),
  },
  'Image, video and audio': {
    source: each('source', ['media/lake.jpg', 'media/dunes.jpg', 'media/star.svg'], (it) => [photo({ fit: 'contain', width: 240, height: 150, ...it })]),
  },
  Playback: {
    trim_start: heard('trim_start', [0, 2, 4], { audio_fade_out: null }),
    trim_duration: heard('trim_duration', [1, 2, 4], { loop: false }),
    loop: heard('loop', [false, true], { trim_duration: 1.3 }),
    speed: heard('speed', ['50%', '100%', '200%'], { trim_duration: 1.9 }),
  },
  'Video and audio': {
    volume: heard('volume', ['30%', '100%', '200%']),
    muted: heard('muted', [false, true]),
    duck: [0, 12].map((duck) => ({ caption: written(duck), sound: [tune({ duck }), tune({ time: 1.5, duration: 1, volume: '15%', trim_start: 2 })] })),
    noise_reduction: heard('noise_reduction', [0, 12, 24]),
    audio_fade_in: heard('audio_fade_in', [null, 1, 3]),
    audio_fade_out: heard('audio_fade_out', [null, 1, 3]),
  },
  Lottie: {
    texts: badges('texts', [{}, { Title: 'Last day' }, { Title: 'Neu!', Sub: 'Freitag' }]),
    colors: badges('colors', [{}, { '#4f46e5': '#0f766e', '#ec4899': '#84cc16' }, { '#ffd23f': '#ffffff' }]),
  },
  Voice: {
    provider: ['openai voice=nova', 'elevenlabs voice_id=…'].map((provider) => cell(provider, [text('“Good morning”', { height: '40%' })])),
  },
  Text: {
    text: [cell('Plain words', [text('Plain words', { height: '40%' })]), cell('[color #f08c2e]Two[/color] styles', [text('[color #f08c2e]Two[/color] styles', { height: '40%' })])],
    font_family: onText('font_family', ['Montserrat', 'Playfair Display', 'Caveat'], 'Letters', { height: '50%' }),
    font_weight: onText('font_weight', ['200', '400', '800'], 'Letters', { height: '50%' }),
    font_style: onText('font_style', ['normal', 'italic'], 'Letters', { height: '50%', font_family: 'Playfair Display' }),
    font_size: each('font_size', ['8 vmin', '20 vmin', null], (it) => boxed('Size', it)),
    font_size_minimum: each('font_size_minimum', ['1 vmin', '16 vmin'], (it) => boxed('A long text is made smaller until it fits into its box, but never smaller than this.', { text_clip: true, ...it })),
    font_size_maximum: each('font_size_maximum', ['12 vmin', '30 vmin', '100 vmin'], (it) => boxed('Max', it)),
    letter_spacing: onText('letter_spacing', ['-50%', '0%', '200%'], 'SPACED', { font_size: 34 }),
    line_height: each('line_height', ['90%', '115%', '180%'], (it) => [text('Three lines\nof words in\none text', { font_size: 24, ...it })]),
    text_wrap: each('text_wrap', [true, false], (it) => boxed('More words than one line has room for', { font_size: 22, ...it })),
    text_clip: each('text_clip', [false, true], (it) => boxed('More words than these few lines have room for, however patiently somebody reads', { font_size: 24, y_alignment: '0%', height: 90, ...it })),
    text_transform: onText('text_transform', ['none', 'capitalize', 'uppercase', 'lowercase'], 'Made in oslo', { height: '35%' }),
    background_color: marked('background_color', [null, '#ffd43b', 'rgba(47,95,224,0.25)']),
    background_x_padding: marked('background_x_padding', ['0%', '25%', '100%']),
    background_y_padding: marked('background_y_padding', ['0%', '15%', '35%']),
    background_border_radius: marked('background_border_radius', ['0%', '20%', '60%']),
    background_align_threshold: marked('background_align_threshold', ['0%', '60%']),
    transcript_source: [cell('[ { time, duration, value }, … ]', [text('', { font_size: 30, duration: 3, transcript_source: spoken })], { time: 0.7 }), cell('SRT as text', [text('', { font_size: 30, duration: 3, transcript_source: '1\n00:00:00,000 --> 00:00:03,000\nA line of subtitles\n' })], { time: 1 })],
    transcript_effect: captions('transcript_effect', ['color', 'karaoke', 'highlight', 'fade', 'bounce', 'slide', 'enlarge']),
    transcript_split: captions('transcript_split', ['none', 'line', 'word', 'letter'], { transcript_effect: 'karaoke' }),
    transcript_placement: captions('transcript_placement', ['static', 'animate', 'align'], {}, 0.6),
    transcript_maximum_length: captions('transcript_maximum_length', [10, 20, null]),
    transcript_color: captions('transcript_color', ['#e74c3c', '#2f5fe0', '#37b24d']),
  },
  Shape: {
    path: [cell('null', [shape({ path: null, width: 130, height: 110 })]), cell('M 50 0 L 100 100 L 0 100 Z', [shape({ path: 'M 50 0 L 100 100 L 0 100 Z', width: 130, height: 110 })]), cell('a star', [shape({ path: star, width: 130, height: 130 })])],
    sound_source: sounding('sound_source', [null, 'Music']),
    sound_form: sounding('sound_form', ['bars', 'mirror', 'circle', 'wave']),
    sound_bars: sounding('sound_bars', [12, 32, 64]),
    sound_gap: sounding('sound_gap', ['0%', '40%', '80%']),
  },
  Composition: {
    elements: [cell('[]', [frame({ width: 200, height: 120, elements: [] })]), cell('[ image, text ]', [frame({ width: 200, height: 120, elements: [photo({ x: 60, width: 90, height: 70 }), text('Parts', { x: 152, width: 80, height: 30 })] })])],
    flow_direction: each('flow_direction', ['vertical', 'horizontal'], (it) => [flowing(it)]),
    loop: [false, true].flatMap((loop) => moments([1, 3], [running({ loop })], (at) => `${loop}: at ${at} s`)),
    plays: [1, 2].flatMap((plays) => moments([1, 3], [running({ loop: true, plays })], (at) => `${plays}: at ${at} s`)),
  },
};

/** The ground of cells that have none of their own. */
export const ground = paper;

/** How far something has come that moves with an easing, from left to right and from the bottom to the top. */
const curve = (easing) => {
  const steps = 40;
  const dots = Array.from({ length: steps + 1 }, (_, index) => ({
    type: 'composition',
    // At the moment at which the cell is looked at, each is as old as its place.
    time: 1 - index / steps,
    duration: 3,
    elements: [
      dot(
        50 + (220 * index) / steps,
        [
          { time: 0, value: 125 },
          { time: 1, value: 55, easing },
        ],
        {
          width: 6,
          height: 6,
          fill_color: blue,
        },
      ),
    ],
  }));
  const line = (y) => shape({ y, width: 240, height: 1, fill_color: '#b7c3dc' });
  return cell(easing, [line(125), line(55), ...dots], { time: 1 });
};
const families = [
  'sinusoid',
  'quadratic',
  'cubic',
  'quartic',
  'quintic',
  'exponential',
  'circular',
  'back',
  'elastic',
  'bounce',
];

/** The easings by family. */
export const easingFigures = {
  linear: [curve('linear')],
  ...Object.fromEntries(
    families.map((family) => [
      family,
      ['in', 'out', 'in-out'].map((end) => curve(`${family}-${end}`)),
    ]),
  ),
  css: ['ease', 'ease-in', 'ease-out', 'ease-in-out', 'cubic-bezier(0.1, 0.9, 0.2, 1)'].map(curve),
  steps: ['steps', 'steps(4)'].map(curve),
  spring: ['spring', 'spring(1, 100, 10)', 'spring(1, 300, 6)'].map(curve),
};
