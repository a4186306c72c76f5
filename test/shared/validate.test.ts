/** Validation: sentences, places, names, limits, and that no JSON at all makes it throw. */
import { describe, expect, test } from 'vitest';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import { properties } from '../../shared/renderscript/properties.ts';
import {
  problemSentence,
  type Json,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import type { Scaling } from '../../shared/renderscript/output.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { randomJson, seededRandom } from './random.ts';

/** The sentences of a document's problems, warnings marked. */
function sentences(source: Source): string[] {
  return validate(source).map(
    (problem) => (problem.severity === 'warning' ? '(warning) ' : '') + problemSentence(problem),
  );
}

function document(...elements: Json[]): Source {
  return { output_format: 'mp4', width: 1280, height: 720, elements };
}

/** A sentence with what was found behind it, where the row does not say that itself. */
function withFound(expectation: string, value: Json): string {
  if (/; found|, found|Shouldn't be|does not support/.test(expectation)) return expectation;
  const found =
    typeof value === 'string'
      ? `'${value}'`
      : Array.isArray(value)
        ? value.length === 0
          ? 'an empty list'
          : 'a list'
        : typeof value === 'object'
          ? 'an object'
          : String(value);
  return `${expectation}; found ${found}`;
}

const lengths = 'Expected a number ending with px or vw or vh or vmin or vmax';

describe('wrong values of one property', () => {
  const cases: [type: string, name: string, value: Json, expectation: string | null][] = [
    [
      'shape',
      'z_rotation',
      '6deg',
      "Expected a number ending with °; found '6deg'. Did you mean '6°'?",
    ],
    ['shape', 'z_rotation', '6 °', null],
    ['shape', 'z_rotation', 6, null],
    ['text', 'letter_spacing', '1 vmin', 'Expected a number ending with %'],
    ['text', 'letter_spacing', '-300%', 'Expected a number that is at least -299'],
    ['text', 'letter_spacing', '-19%', null],
    ['shape', 'border_radius', '50%', `${lengths}; found '50%'. Did you mean '50 vmin'?`],
    ['shape', 'border_radius', '2vw', null],
    ['text', 'x_padding', '5%', null],
    ['text', 'font_size', '10%', null],
    ['text', 'font_size', '0.05%', 'Expected a number that is at least 0.1'],
    ['text', 'font_size', '2 em', lengths.replace('with', 'with % or')],
    [
      'text',
      'font_size',
      [
        { time: 0, value: '10%' },
        { time: 1, value: 20 },
      ],
      null,
    ],
    ['text', 'font_size_minimum', '10%', `${lengths}; found '10%'. Did you mean '10 vmin'?`],
    ['text', 'font_size_maximum', '10%', `${lengths}; found '10%'. Did you mean '10 vmin'?`],
    ['text', 'stroke_width', '2%', null],
    ['text', 'stroke_width', '-2%', 'Expected a number that is at least 0'],
    ['text', 'font_size', 0, 'Expected a number that is at least 0.1'],
    ['text', 'font_size', null, null],
    [
      'text',
      'line_height',
      '1.2em',
      "Expected a number ending with %; found '1.2em'. Did you mean '120%'?",
    ],
    [
      'text',
      'letter_spacing',
      '0.05em',
      "Expected a number ending with %; found '0.05em'. Did you mean '50%'?",
    ],
    // Below the least that the property takes, so it can't be meant.
    ['text', 'letter_spacing', '-1em', 'Expected a number ending with %'],
    ['text', 'font_size', '', null],
    [
      'image',
      'duration',
      '500ms',
      "Expected a number or the value 'media'; found '500ms'. Did you mean '0.5 s'?",
    ],
    [
      'image',
      'fit',
      ' Cover',
      "Expected one of these values: cover, contain, fill; found ' Cover'. Did you mean 'cover'?",
    ],
    [
      'image',
      'fit',
      `a\nb\u202e${'x'.repeat(100)}`,
      `Expected one of these values: cover, contain, fill; found 'a b ${'x'.repeat(36)}…'`,
    ],
    ['text', 'line_height', 150, null],
    ['text', 'font_weight', 'bold', null],
    ['text', 'font_weight', '700', null],
    ['text', 'font_weight', 'heavy', "Expected a number or the value 'normal' or 'bold'"],
    ['text', 'font_weight', 5000, 'Expected a number between 100 and 900'],
    ['text', 'text', 5, 'Expected a string'],
    ['text', 'text', { text: 'a' }, "Expected a string; found an object. Did you mean 'a'?"],
    ['text', 'text', { words: 'a' }, 'Expected a string; found an object'],
    ['text', 'text', { text: ['a'] }, 'Expected a string; found an object'],
    ['text', 'text', null, 'Expected a value, found null'],
    ['text', 'text', 'x'.repeat(100_001), 'Expected at most 100,000 characters; found 100,001'],
    [
      'text',
      'text_transform',
      'upper',
      'Expected one of these values: none, capitalize, uppercase, lowercase',
    ],
    ['text', 'text_wrap', 'no', 'Expected true or false'],
    ['text', 'background_x_padding', '8%', null],
    ['image', 'opacity', '150%', 'Expected a number between 0 and 100'],
    ['image', 'opacity', 'half', 'Expected a number ending with %'],
    ['image', 'opacity', null, 'Expected a value, found null'],
    ['image', 'x', '12 %', null],
    ['image', 'x', '12 cm', 'Expected a number ending with % or px or vw or vh or vmin or vmax'],
    ['image', 'width', 'auto', null],
    ['image', 'width', null, null],
    ['image', 'width', -5, 'Expected a number that is at least 0'],
    ['image', 'x_scale', '-100%', null],
    ['image', 'fit', 'stretch', "Expected one of these values: cover, contain, fill; found 'stretch'. Did you mean 'fill'?"], // prettier-ignore
    ['video', 'fill_mode', 'cover', "Expected one of these values: solid, linear, radial; found 'cover'. Did you mean fit: cover?"], // prettier-ignore
    ['image', 'fill_mode', 'Smart-Crop', "Expected one of these values: solid, linear, radial; found 'Smart-Crop'. Did you mean smart_crop: true?"], // prettier-ignore
    ['video', 'fill_mode', 'smart-crop', "Expected one of these values: solid, linear, radial; found 'smart-crop'"], // prettier-ignore
    ['shape', 'fill_mode', 'cover', "Expected one of these values: solid, linear, radial; found 'cover'"], // prettier-ignore
    ['image', 'y', 'middle', "Expected a number ending with % or px or vw or vh or vmin or vmax; found 'middle'. Did you mean '50%'?"], // prettier-ignore
    ['text', 'font_style', 'oblique', "Expected one of these values: normal, italic; found 'oblique'. Did you mean 'italic'?"], // prettier-ignore
    ['image', 'x_alignment', 'center', "Expected a number ending with %; found 'center'. Did you mean '50%'?"], // prettier-ignore
    ['text', 'y_alignment', 'Bottom', "Expected a number ending with %; found 'Bottom'. Did you mean '100%'?"], // prettier-ignore
    // A word for the place would be that of a side, not of the anchor.
    ['image', 'x', 'left', "Expected a number ending with % or px or vw or vh or vmin or vmax; found 'left'"], // prettier-ignore
    ['image', 'color_filter', null, null],
    ['image', 'color_overlay', 'notacolor', 'Expected a color'],
    ['image', 'source', 5, 'Expected a string'],
    ['image', 'source', '', null],
    ['image', 'track', 0, 'Expected a number that is at least 1'],
    ['image', 'track', 1.5, 'Expected a whole number'],
    ['image', 'track', null, null],
    ['image', 'time', 'end', null],
    ['image', 'time', '10 %', null],
    ['image', 'time', 'soon', "Expected a number or the value 'end'"],
    ['image', 'duration', '1 fr', null],
    ['image', 'duration', 'auto', null],
    ['image', 'duration', 'long', "Expected a number or the value 'media'"],
    ['image', 'duration', -1, 'Expected a number that is at least 0'],
    ['video', 'volume', '160%', null],
    ['video', 'volume', '-1%', 'Expected a number that is at least 0'],
    ['video', 'trim_start', '0 s', null],
    ['video', 'trim_start', 'x', 'Expected a number'],
    ['video', 'speed', 2, "Expected a number ending with %; found 2. Did you mean '200%'?"],
    ['video', 'speed', 150, "Expected a number ending with %; found 150. Did you mean '150%'?"],
    ['video', 'speed', '200%', null],
    ['shape', 'path', 'M 0 0 L 100% 100% Z', null],
    ['shape', 'path', 'circle', 'Expected a path such as M 0 0 L 100 0 L 100 100 Z'],
    ['shape', 'path', null, null],
    ['shape', 'fill_color', [{ offset: '0%', color: '#000' }], null],
    ['shape', 'fill_color', [{ offset: '0%', color: 'nope' }], "Expected a color; found 'nope'"],
    [
      'shape',
      'fill_color',
      [{ offset: 'left', color: '#000' }],
      "Expected a number ending with %; found 'left'. Did you mean '0%'?",
    ],
    ['shape', 'fill_color', [], 'Expected a color'],
    ['shape', 'fill_color', {}, 'Expected a color'],
    ['shape', 'animations', {}, 'Expected a list of animations'],
    [
      'shape',
      'animations',
      [{ type: 'fade' }, 5],
      'Expected a list of animations; found 5 at position 2',
    ],
    ['shape', 'animations', null, null],
    ['composition', 'elements', {}, 'Expected a list of elements'],
    ['composition', 'elements', null, 'Expected a value, found null'],
    ['composition', 'plays', 0, 'Expected a number that is at least 1'],
    // Names that the language doesn't know are silent, also those of other types.
    ['image', 'text', 5, null],
    ['text', 'no_such_property', {}, null],
    ['text', 'constructor', {}, null],
    ['text', 'fontSize', 'huge', null],
    ['audio', 'x', 'left', null],
    ['image', 'animations', [{ type: 'fade', easing: 'wobbly', enable: 7, nonsense: [] }], null],
  ];
  test.each(cases)('%s.%s = %j', (type, name, value, expectation) => {
    const found = validate(document({ type, name: 'It', [name]: value }));
    expect(found.map(problemSentence)).toEqual(
      expectation === null ? [] : [`It.${name}: ${withFound(expectation, value)}`],
    );
    for (const problem of found) {
      expect(problem).toMatchObject({
        path: `elements[0].${name}`,
        element: 'It',
        property: name,
        severity: 'error',
      });
    }
  });
});

describe('keyframes', () => {
  test.each<[name: string, value: Json, expected: [path: string, message: string][]]>([
    [
      'opacity',
      [
        { time: 0, value: '0%' },
        { time: '1 s', value: 100, easing: 'wobbly' },
      ],
      [],
    ],
    [
      'opacity',
      [
        { time: 'start', value: '0%' },
        { time: 'end', value: '150%' },
      ],
      [['[1].value', "Expected a number between 0 and 100; found '150%'"]],
    ],
    [
      'opacity',
      [{ time: 'soon', value: '0%' }],
      [['[0].time', "Expected a number or the value 'start' or 'end'; found 'soon'"]],
    ],
    [
      'opacity',
      [{ time: 0, value: 1 }, { value: 2 }],
      [['', 'Expected every keyframe to have a time and a value; found an object at position 2']],
    ],
    ['mask_mode', [{ time: 0, value: null }], []],
    ['opacity', [{ time: 0, value: null }], [['[0].value', 'Expected a value, found null']]],
    ['fill_color', [{ time: 0, value: [{ offset: '0%', color: 'red' }] }], []],
    ['fit', [{ time: 0, value: 'cover' }], [['', "Property 'fit' does not support keyframes"]]],
    ['fit', [{ value: 'cover' }], [['', "Property 'fit' does not support keyframes"]]],
    ['track', [{ time: 0, value: 1 }], [['', "Property 'track' does not support keyframes"]]],
  ])('%s = %j', (name, value, expected) => {
    const found = validate(document({ type: 'image', [name]: value }));
    expect(found.map(({ path, message }) => [path, message])).toEqual(
      expected.map(([place, message]) => [`elements[0].${name}${place}`, message]),
    );
  });

  test('word timings are no keyframes', () => {
    const words = [
      { time: 0, value: 'Hello' },
      { time: 0.5, value: 'you', duration: 1 },
    ];
    expect(sentences(document({ type: 'text', transcript_source: words }))).toEqual([]);
  });
});

test('problems come in document order, under the names that people know', () => {
  const source: Source = {
    width: 0,
    elements: [
      { type: 'text', opacity: 'x' },
      { type: 'image', name: 'Logo', opacity: 'x' },
      { type: 'text', name: 'Title', opacity: 'x' },
      { opacity: 'x', name: 'Typeless' },
      { type: 'rectangle' },
      'text',
      { type: 'text', opacity: 'x' },
      {
        type: 'composition',
        x: 'a',
        elements: [
          { type: 'shape', y: 'b' },
          { type: 'shape', name: '', y: 'c' },
        ],
        z_index: 'd',
      },
    ],
    frame_rate: 1000,
  };
  const found = validate(source);
  expect(found.map(({ path, element }) => `${path} ${element}`)).toEqual([
    'width ',
    'elements[0].opacity Text 1',
    'elements[1].opacity Logo',
    'elements[2].opacity Title',
    'elements[3].type Typeless',
    'elements[4].type Element 5',
    'elements[5] Element 6',
    'elements[6].opacity Text 3',
    'elements[7].x Composition 1',
    'elements[7].elements[0].y Shape 1',
    'elements[7].elements[1].y Shape 2',
    'elements[7].z_index Composition 1',
    'frame_rate ',
  ]);
  expect(problemSentence(found[0]!)).toBe('width: Expected a number that is at least 1; found 0');
  expect(problemSentence(found[4]!)).toBe('Typeless.type: Expected a value, found nothing');
  expect(problemSentence(found[5]!)).toBe(
    "Element 5.type: Expected one of these values: image, video, audio, text, shape, composition, lottie; found 'rectangle'. Did you mean 'shape'?",
  );
});

test.each([
  ['Image', "; found 'Image'. Did you mean 'image'?"],
  ['group', "; found 'group'. Did you mean 'composition'?"],
  ['constructor', "; found 'constructor'"],
  [7, '; found 7'],
])('a type that there is none of: %j', (type, end) => {
  const source = { elements: [{ type }] } as Source;
  expect(validate(source).map(problemSentence)).toEqual([
    `Element 1.type: Expected one of these values: image, video, audio, text, shape, composition, lottie${end}`,
  ]);
});

describe('the document itself', () => {
  const many = Array.from({ length: 10 }, () => ({ type: 'shape' }));
  test.each<[source: JsonObject, expected: string[]]>([
    [{}, []],
    [{ elements: [] }, []],
    [{ elements: null }, ['elements: Expected a value, found null']],
    [{ elements: {} }, ['elements: Expected a list of elements']],
    [
      {
        width: null,
        height: null,
        duration: null,
        frame_rate: null,
        snapshot_time: null,
        fonts: null,
      },
      [],
    ],
    [{ width: '1080 px', duration: '16.028 s', frame_rate: '60 fps', snapshot_time: '3.78 s' }, []],
    [{ width: -5 }, ['width: Expected a number that is at least 1']],
    [{ width: 'abc' }, ['width: Expected a number ending with px']],
    [{ width: 100_000 }, ['width: Expected a number between 1 and 8192']],
    [{ width: '50%' }, ['width: Expected a number ending with px']],
    [
      { output_format: 'avi' },
      [
        'output_format: Expected one of these values: mp4, gif, jpg, png, webm, mov, webp, avif, mp3, wav, m4a, webp-animated, png-sequence',
      ],
    ],
    [{ output_format: 'mp4', frame_rate: 0 }, ['frame_rate: Expected a number between 1 and 60']],
    [{ output_format: 'gif', frame_rate: 30 }, ['frame_rate: Expected a number between 1 and 15']],
    [{ output_format: 'gif', frame_rate: 15 }, []],
    [{ output_format: 'mp4', duration: 7201 }, ['duration: Expected a number between 0 and 7200']],
    [{ output_format: 'gif', duration: 301 }, ['duration: Expected a number between 0 and 300']],
    [{ output_format: 'jpg', duration: 100_000 }, []],
    [{ output_format: 'mp4', duration: -1 }, ['duration: Expected a number that is at least 0']],
    [
      { output_format: 'mp4', width: 8000, height: 8000 },
      ['width: Expected at most 36 megapixels, found 64'],
    ],
    [{ output_format: 'png', width: 8000, height: 8000 }, []],
    [
      { output_format: 'png', width: 8192, height: 8192 },
      ['width: Expected at most 64 megapixels, found 68'],
    ],
    [
      { output_format: 'mp4', width: 6000, height: 6000, duration: 7200, frame_rate: 60 },
      [
        'duration: Expected a shorter, smaller or slower output; frames times pixels may be 2 trillion, found 15.6',
      ],
    ],
    [
      {
        fill_color: [
          { time: 0, value: 'red' },
          { time: 2, value: 'blue' },
        ],
      },
      [],
    ],
    [{ width: [{ time: 0, value: 5 }] }, ["width: Property 'width' does not support keyframes"]],
    [{ fonts: [{ family: 'Mine', source: 'https://example.com/a.woff' }] }, []],
    [
      { fonts: [{ family: 'Mine' }] },
      ['fonts: Expected a list of fonts with family and source; found an object at position 1'],
    ],
    [{ elements: many, crf: 60 }, ['crf: Expected a number between 17 and 51']],
  ])('%j', (source, expected) => {
    const [value = null] = Object.values(source).slice(-1);
    expect(sentences(source)).toEqual(expected.map((sentence) => withFound(sentence, value)));
  });

  test('scaling decides whether the size is within the limits', () => {
    const source: Source = { output_format: 'png', width: 10_000, height: 5_000 };
    expect(validate(source)).toHaveLength(1);
    expect(validate(source, { renderScale: 0.5 })).toEqual([]);
    expect(validate(source, { maxWidth: 1000 })).toEqual([]);
    expect(validate({ ...source, width: 5_000 }, { renderScale: 2 }).map(problemSentence)).toEqual([
      'render_scale should be smaller: 2 × 5000 × 5000 is 10000 × 10000 pixels; the limits are 8,192 pixels a side and 64 megapixels',
    ]);
  });
});

test('compositions inside each other: 16 are allowed, the 17th is refused', () => {
  const nested = (levels: number): Json =>
    levels === 0
      ? { type: 'shape' }
      : { type: 'composition', name: `C${levels}`, elements: [nested(levels - 1)] };
  expect(validate(document(nested(16)))).toEqual([]);
  expect(sentences(document(nested(17)))).toEqual([
    'C1.elements: More than 16 compositions inside each other',
  ]);
  expect(validate(document(nested(3000)))).toHaveLength(1);
});

test('the number of elements: a warning from 1,000, an error above 10,000', () => {
  const elements = (count: number): Source => ({
    elements: Array.from({ length: count }, () => ({ type: 'shape' })),
  });
  expect(validate(elements(1000))).toEqual([]);
  expect(sentences(elements(1001))).toEqual([
    '(warning) elements: 1,001 elements; more than 1,000 make rendering slow',
  ]);
  expect(sentences(elements(10_001))).toEqual(['elements: More than 10,000 elements (10,001)']);
});

describe('what this version does not draw', () => {
  const message =
    'No service is asked to make the file, so nothing of the element is seen or heard';
  test.each<[type: string, name: string, value: Json, warns: boolean]>([
    ['image', 'warp_mode', 'perspective', false],
    ['image', 'x_rotation', '45°', false],
    ['image', 'repeat', true, false],
    ['text', 'transcript_effect', 'karaoke', false],
    ['image', 'smart_crop', true, false],
    ['composition', 'flow_direction', 'horizontal', false],
    ['text', 'transcript_source', 'Audio', false],
    ['image', 'provider', 'painter', true],
    ['text', 'transcript_color', '#e74c3c', false],
    ['image', 'z_rotation', '45°', false],
    ['image', 'mask_mode', 'alpha', false],
    ['image', 'blur_mode', 'box', false],
  ])('%s.%s = %j', (type, name, value, warns) => {
    const expected = warns ? [`(warning) Logo.${name}: ${message}`] : [];
    expect(sentences(document({ type, name: 'Logo', [name]: value }))).toEqual(expected);
  });

  test('animations', () => {
    const animations = ['fade', 'color-change', 5].map((type) => ({ type }));
    const found = validate(document({ type: 'shape', name: 'Box', animations }));
    expect(found.map(({ path, code, message: text }) => [path, code, text])).toEqual([
      [
        'elements[0].animations[1].type',
        'unknown_animation',
        "Unknown animation 'color-change'; the element is shown without it",
      ],
      [
        'elements[0].animations[2].type',
        'unknown_animation',
        'Unknown animation without a type; the element is shown without it',
      ],
    ]);
  });
});

test('never throws, whatever the JSON', () => {
  const random = seededRandom(4);
  const keys = [
    ...new Set(properties.map((row) => row.name)),
    '__proto__',
    'value',
    'time',
    'offset',
    'color',
  ];
  const types = ['text', 'image', 'video', 'audio', 'shape', 'composition', 'nothing'];
  let errors = 0;
  for (let round = 0; round < 3000; round += 1) {
    const element = (): Json => {
      const fields = Object.entries(randomJson(random, keys, 5) ?? {});
      return { ...Object.fromEntries(fields), type: random.pick(types) };
    };
    const root = Object.fromEntries<Json>(Object.entries(randomJson(random, keys, 3) ?? {}));
    errors += validate({
      ...root,
      elements: [element(), { type: 'composition', elements: [element()] }],
    }).length;
    for (const value of [randomJson(random, keys), randomJson(random, keys)])
      validate(value as Source);
  }
  expect(errors).toBeGreaterThan(1000);
});

test('deep nesting anywhere is harmless', () => {
  let deep: Json = [];
  for (let level = 0; level < 50_000; level += 1)
    deep = level % 2 === 0 ? [deep] : { value: deep, time: deep };
  for (const row of properties) {
    const type = row.on.find((owner) => owner !== 'root');
    const source = type === undefined ? { [row.name]: deep } : document({ type, [row.name]: deep });
    expect(validate(source), row.name).not.toEqual([]);
  }
  for (const name of animationTypes.keys())
    validate(document({ type: 'text', animations: [{ type: name, scope: deep }] }));
  expect(validate([deep] as unknown as Source)).toHaveLength(1);
});

test('10,000 elements are checked in little more time than their JSON takes to read', () => {
  const element = {
    type: 'text',
    text: 'Hello',
    x: '50%',
    y: '4 vmin',
    width: '80%',
    height: null,
    fill_color: '#ffffff',
    font_size: '4 vmin',
    stroke_color: 'rgba(0,0,0,0.5)',
    stroke_width: '0.5 vmin',
    x_anchor: '50%',
    letter_spacing: '10%',
    font_family: 'Inter',
    opacity: [
      { time: 0, value: '0%' },
      { time: 1, value: '100%', easing: 'quadratic-out' },
    ],
    track: 1,
    time: 0,
    duration: 2,
    animations: [
      { type: 'fade', time: 'start', duration: 1 },
      { type: 'scale', scope: 'element', start_scale: '100%' },
    ],
  };
  const source = document(...Array.from({ length: 10_000 }, () => ({ ...element })));
  const text = JSON.stringify(source);
  // The best of three, because other work on the machine is not what is measured.
  const best = (work: () => unknown): number =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const started = performance.now();
        work();
        return performance.now() - started;
      }),
    );
  expect(validate(source)).toHaveLength(1);
  // Measured against reading the same document as JSON in the same moment: 20 ms there are the half second allowed
  // here.
  expect(best(() => validate(source))).toBeLessThan(best(() => JSON.parse(text) as unknown) * 25);
});

test('a size that the request asks for and the format can not have is told with the parameter', () => {
  const film = { output_format: 'mp4', width: 1920, height: 1080, elements: [] };
  const told = (source: Source, scaling: Scaling): string[] =>
    validate(source, scaling).map(problemSentence);
  expect(told(film, { maxWidth: 1 })).toEqual([
    'max_width should be at least 2, because an mp4 has sides of at least 2 pixels',
  ]);
  expect(told(film, { maxHeight: 1.5 })).toEqual([
    'max_height should be at least 2, because an mp4 has sides of at least 2 pixels',
  ]);
  expect(told({ ...film, output_format: 'png' }, { maxWidth: 1 })).toEqual([]);
  expect(told(film, { renderScale: 10 })).toEqual([
    'render_scale should be smaller: 10 × 1920 × 1080 is 19200 × 10800 pixels; the limits are 8,192 pixels a side and 36 megapixels',
  ]);
  expect(told(film, { renderScale: 4 })).toEqual([]);
  // Too large by itself.
  expect(told({ ...film, width: 9_000 }, { renderScale: 2 })).toEqual([
    'width: Expected a number between 1 and 8192; found 18000',
  ]);
});
