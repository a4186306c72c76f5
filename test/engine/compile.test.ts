/** Compiling: documents in, timelines out. Times have a test of their own, timing.test.ts; so have animations. */
import { describe, expect, test } from 'vitest';
import { compileTimeline, type CompileContext } from '../../shared/engine/compile/compile.ts';
import { valuesAt } from '../../shared/engine/compile/keyframes.ts';
import { ease } from '../../shared/engine/compile/easing.ts';
import type { Animated, VisualValues } from '../../shared/engine/compile/property-values.ts';
import type {
  CompositionElement,
  TextElement,
  Timeline,
  TimelineElement,
} from '../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { parseEasing } from '../../shared/renderscript/easing.ts';
import { propertiesOf } from '../../shared/renderscript/properties.ts';
import { elementTypes, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import { mediaOf } from './compile-media.ts';

const size = { width: 1000, height: 500 };

function compile(source: JsonObject, scaling: CompileContext['scaling'] = {}): Timeline {
  return compileTimeline(
    { output_format: 'mp4', ...size, ...source },
    { media: mediaOf(), scaling },
  );
}

/** The only element of a document. */
function compileOne(element: JsonObject, root: JsonObject = {}): TimelineElement {
  return compile({ ...root, elements: [element] }).root.children[0]!;
}

function valueOf(element: JsonObject, name: string): unknown {
  return (compileOne(element).values.base as unknown as Record<string, unknown>)[name];
}

describe('values', () => {
  const px = (value: number): object => ({ px: value, percent: 0 });
  const percent = (value: number): object => ({ px: 0, percent: value });

  // The document is 1000 × 500: vw 10, vh 5, vmin 5, vmax 10.
  // prettier-ignore
  test.each<[type: string, property: string, value: Json | undefined, name: string, settled: unknown]>([
    ['shape', 'x', 12, 'x', px(12)],
    ['shape', 'x', '12px', 'x', px(12)],
    ['shape', 'x', '-5.5 %', 'x', percent(-0.055)],
    ['shape', 'x', '2 vw', 'x', px(20)],
    ['shape', 'x', '2vh', 'x', px(10)],
    ['shape', 'x', '3 vmin', 'x', px(15)],
    ['shape', 'x', '3 vmax', 'x', px(30)],
    ['shape', 'x', null, 'x', null],
    ['shape', 'x', undefined, 'x', percent(0.5)],
    ['shape', 'width', undefined, 'width', null],
    ['image', 'width', undefined, 'width', percent(1)],
    ['image', 'width', 'auto', 'width', null],
    ['shape', 'x_anchor', undefined, 'xAnchor', null],
    ['image', 'x_anchor', undefined, 'xAnchor', percent(0.5)],
    ['image', 'x_anchor', null, 'xAnchor', percent(0.5)],
    ['image', 'x_padding', undefined, 'xPadding', px(0)],
    ['image', 'aspect_ratio', 1.5, 'aspectRatio', 1.5],
    ['image', 'opacity', '30%', 'opacity', 0.3],
    ['image', 'opacity', 30, 'opacity', 0.3],
    ['image', 'x_scale', '150%', 'xScale', 1.5],
    ['image', 'z_rotation', '-5.07°', 'zRotation', -5.07],
    ['image', 'z_rotation', 45, 'zRotation', 45],
    ['image', 'x_alignment', '25%', 'xAlignment', 0.25],
    ['text', 'x_alignment', undefined, 'xAlignment', 0],
    ['image', 'z_index', 3, 'zIndex', 3],
    ['image', 'blur_radius', 12, 'blurRadius', 12],
    ['image', 'blur_radius', '2 vmin', 'blurRadius', 10],
    ['image', 'border_radius', '1 vmin', 'borderRadius', px(5)],
    ['image', 'shadow_blur', undefined, 'shadowBlur', px(15)],
    ['image', 'color_filter', null, 'colorFilter', 'none'],
    ['image', 'mask_mode', 'luma', 'maskMode', 'luma'],
    ['image', 'fit', undefined, 'fit', 'cover'],
    ['image', 'visible', false, 'visible', false],
    ['shape', 'fill_color', '#f00', 'fillColor', [255, 0, 0, 1]],
    ['shape', 'fill_color', 'rgba(0,128,255,0.5)', 'fillColor', [0, 128, 255, 0.5]],
    ['shape', 'fill_color', undefined, 'fillColor', null],
    ['text', 'fill_color', undefined, 'fillColor', [0, 0, 0, 1]],
    ['text', 'fill_color', null, 'fillColor', null],
    ['shape', 'fill_mode', undefined, 'fillMode', 'solid'],
    ['shape', 'fill_x0', '10%', 'fillX0', percent(0.1)],
    ['shape', 'fill_radius', undefined, 'fillRadius', percent(0.5)],
    ['shape', 'stroke_width', '0.4 vmin', 'strokeWidth', px(2)],
    ['shape', 'stroke_end', '40%', 'strokeEnd', 0.4],
    ['shape', 'path', 'M 0 0 H 10', 'path', [['M', 0, 0], ['L', 10, 0]]],
    ['shape', 'path', undefined, 'path', null],
    ['text', 'text', 'Hello', 'text', 'Hello'],
    ['text', 'font_family', undefined, 'fontFamily', 'Aileron'],
    ['text', 'font_weight', '700', 'fontWeight', 700],
    ['text', 'font_weight', 'bold', 'fontWeight', 700],
    ['text', 'font_weight', undefined, 'fontWeight', 400],
    ['text', 'font_size', '8 vmin', 'fontSize', px(40)],
    ['text', 'font_size', '5.5 vw', 'fontSize', px(55)],
    ['text', 'font_size', '12%', 'fontSize', percent(0.12)],
    ['text', 'stroke_width', '3%', 'strokeWidth', percent(0.03)],
    ['text', 'font_size', undefined, 'fontSize', null],
    ['text', 'font_size_minimum', undefined, 'fontSizeMinimum', 5],
    ['text', 'font_size_maximum', null, 'fontSizeMaximum', 500],
    ['text', 'letter_spacing', '50%', 'letterSpacing', 0.05],
    ['text', 'letter_spacing', 1000, 'letterSpacing', 1],
    ['text', 'line_height', '120%', 'lineHeight', 1.2],
    ['text', 'line_height', 150, 'lineHeight', 1.5],
    ['text', 'background_x_padding', undefined, 'backgroundXPadding', percent(0.25)],
    ['text', 'background_x_padding', '2 vmin', 'backgroundXPadding', px(10)],
    ['text', 'background_align_threshold', '100%', 'backgroundAlignThreshold', 1],
    ['composition', 'flow_direction', 'horizontal', 'flowDirection', 'horizontal'],
    ['image', 'warp_matrix', [[{ x: 0, y: '10%' }, { x: '100%', y: 5 }], [{ x: 0, y: 0 }, { x: '9px', y: 0 }]], 'warpMatrix', [
      [{ x: percent(0), y: percent(0.1) }, { x: percent(1), y: percent(0.05) }],
      [{ x: percent(0), y: percent(0) }, { x: px(9), y: percent(0) }],
    ]],
  ])('%s.%s %j', (type, property, value, name, settled) => {
    expect(valueOf({ type, source: 'photo', ...(value === undefined ? {} : { [property]: value }) }, name)).toEqual(settled);
  });

  test('colour stops mean a linear gradient unless a mode is given', () => {
    const stops = [
      { offset: '0%', color: '#000' },
      { offset: '100%', color: 'rgba(255,255,255,0)' },
    ];
    const settled = [
      { offset: 0, color: [0, 0, 0, 1] },
      { offset: 1, color: [255, 255, 255, 0] },
    ];
    expect(compileOne({ type: 'shape', fill_color: stops }).values.base).toMatchObject({
      fillColor: settled,
      fillMode: 'linear',
    });
    expect(
      compileOne({ type: 'shape', fill_color: stops, fill_mode: 'radial' }).values.base.fillMode,
    ).toBe('radial');
    const keyed = compileOne({
      type: 'shape',
      fill_color: [
        { time: 0, value: stops },
        { time: 1, value: stops },
      ],
    });
    expect(keyed.values.base).toMatchObject({ fillColor: settled, fillMode: 'linear' });
  });

  test('units mean the document inside compositions too', () => {
    const outer = compileOne({
      type: 'composition',
      width: 100,
      elements: [{ type: 'text', font_size: '10 vmin' }],
    });
    expect(((outer as CompositionElement).children[0] as TextElement).values.base.fontSize).toEqual(
      px(50),
    );
  });

  test('every value that later phases read is there, for every type', () => {
    const undefinedValues = ['image', 'video', 'text', 'shape', 'composition'].flatMap((type) => {
      const { values } = compileOne({ type, source: type === 'video' ? 'video8' : 'photo' });
      return [...visualNames, ...(ownNames[type] ?? [])]
        .filter((name) => (values.base as unknown as Record<string, unknown>)[name] === undefined)
        .map((name) => `${type}.${name}`);
    });
    expect(undefinedValues).toEqual([]);
  });
});

/** Every property of VisualValues; a name missing here doesn't compile. */
// prettier-ignore
const visualNames = Object.keys({
  fillColor: 0, fillMode: 0, fillX0: 0, fillY0: 0, fillX1: 0, fillY1: 0, fillRadius: 0, visible: 0, x: 0, y: 0,
  width: 0, height: 0, aspectRatio: 0, xPadding: 0, yPadding: 0, zIndex: 0, xAnchor: 0, yAnchor: 0, xScale: 0,
  yScale: 0, xSkew: 0, ySkew: 0, xRotation: 0, yRotation: 0, zRotation: 0, perspective: 0, backfaceVisible: 0,
  xAlignment: 0, yAlignment: 0, strokeColor: 0, strokeWidth: 0, strokeCap: 0, strokeJoin: 0, strokeStart: 0,
  strokeEnd: 0, strokeOffset: 0, borderRadius: 0, shadowColor: 0, shadowBlur: 0, shadowX: 0, shadowY: 0, clip: 0,
  opacity: 0, blendMode: 0, colorFilter: 0, colorFilterValue: 0, colorOverlay: 0, keyColor: 0, keyTolerance: 0,
  keySoftness: 0, keySpill: 0, lookExposure: 0, lookContrast: 0, lookSaturation: 0, lookTemperature: 0, lookTint: 0, lookLut: 0, lookLutStrength: 0, lookVignette: 0,
  blurRadius: 0, blurMode: 0, maskMode: 0, repeat: 0, warpMode: 0, warpMatrix: 0,
} satisfies Record<keyof VisualValues, 0>);

// prettier-ignore
const ownNames: Record<string, string[]> = {
  image: ['fit'],
  video: ['fit'],
  shape: ['path'],
  composition: ['flowDirection'],
  text: [
    'text', 'fontFamily', 'fontWeight', 'fontStyle', 'fontSize', 'fontSizeMinimum', 'fontSizeMaximum', 'letterSpacing',
    'lineHeight', 'textWrap', 'textClip', 'textTransform', 'backgroundColor', 'backgroundXPadding', 'backgroundYPadding',
    'backgroundBorderRadius', 'backgroundAlignThreshold',
  ],
};

describe('keyframes', () => {
  const at = (property: string, keys: Json, time: number, rest: JsonObject = {}): unknown => {
    const element = compileOne({ type: 'shape', duration: 4, ...rest, [property]: keys });
    const values = valuesAt(element.values as Animated<object>, time) as Record<string, unknown>;
    return values[property.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
  };
  const linear = (...keys: [time: Json, value: Json][]): Json =>
    keys.map(([time, value]) => ({ time, value, easing: 'linear' }));
  const black = '#000';

  // prettier-ignore
  test.each<[what: string, property: string, keys: Json, time: number, value: unknown]>([
    ['held before the first', 'opacity', linear([1, '20%'], [3, '80%']), 0, 0.2],
    ['half-way', 'opacity', linear([1, '20%'], [3, '80%']), 2, 0.5],
    ['held after the last', 'opacity', linear([1, '20%'], [3, '80%']), 9, 0.8],
    ['written out of order', 'opacity', linear([3, '80%'], [1, '20%']), 2, 0.5],
    ['start and end', 'opacity', linear(['start', '0%'], ['end', '100%']), 1, 0.25],
    ['seconds with a unit', 'opacity', linear(['0 s', '0%'], ['2 s', '100%']), 1, 0.5],
    ['percent of the element', 'opacity', linear(['0%', '0%'], ['50%', '100%']), 1, 0.5],
    ['two at one time jump', 'opacity', linear([0, '0%'], [2, '100%'], [2, '50%'], [4, '50%']), 2, 0.5],
    ['up to the jump', 'opacity', linear([0, '0%'], [2, '100%'], [2, '50%']), 1, 0.5],
    ['one key', 'opacity', linear([2, '40%']), 0, 0.4],
    ['the easing of the arriving key', 'opacity', [{ time: 0, value: '0%', easing: 'steps(1)' }, { time: 2, value: '100%', easing: 'linear' }], 1, 0.5],
    ['the default easing is slow at first', 'opacity', [{ time: 0, value: '0%' }, { time: 2, value: '100%' }], 0.5, 0.125],
    ['an unknown easing is the default one', 'opacity', [{ time: 0, value: '0%' }, { time: 2, value: '100%', easing: 'zoom' }], 0.5, 0.125],
    ['steps(1) waits', 'opacity', [{ time: 0, value: '0%' }, { time: 2, value: '100%', easing: 'steps(1)' }], 1.99, 0],
    ['steps(1) jumps', 'opacity', [{ time: 0, value: '0%' }, { time: 2, value: '100%', easing: 'steps(1)' }], 2, 1],
    ['angles', 'z_rotation', linear([0, '0°'], [2, 360]), 0.5, 90],
    ['lengths in one unit', 'x', linear([0, '0%'], [2, '100%']), 1, { px: 0, percent: 0.5 }],
    ['lengths in two units', 'x', linear([0, 100], [2, '100%']), 1, { px: 50, percent: 0.5 }],
    ['null holds', 'width', linear([0, 100], [2, null], [4, 50]), 1, { px: 100, percent: 0 }],
    ['null stays', 'width', linear([0, 100], [2, null], [4, 50]), 3, null],
    ['colours', 'fill_color', linear([0, '#000000'], [2, '#ff8000']), 1, [128, 64, 0, 1]],
    ['colours to transparent keep their hue', 'fill_color', linear([0, '#ff0000'], [2, 'rgba(0,255,0,0)']), 1, [255, 0, 0, 0.5]],
    ['colour to none holds', 'fill_color', linear([0, '#ff0000'], [2, null]), 1, [255, 0, 0, 1]],
    ['stops', 'fill_color', linear([0, [{ offset: '0%', color: black }]], [2, [{ offset: '100%', color: '#fff' }]]), 1, [{ offset: 0.5, color: [128, 128, 128, 1] }]],
    ['colour to stops', 'fill_color', linear([0, black], [2, [{ offset: '0%', color: '#fff' }, { offset: '100%', color: black }]]), 1, [{ offset: 0, color: [128, 128, 128, 1] }, { offset: 1, color: [0, 0, 0, 1] }]],
    ['stops of another number', 'fill_color', linear([0, [{ offset: '0%', color: black }, { offset: '100%', color: '#fff' }]], [2, [{ offset: '50%', color: '#fff' }]]), 1, [
      { offset: 0, color: [128, 128, 128, 1] }, { offset: 0.5, color: [192, 192, 192, 1] }, { offset: 1, color: [255, 255, 255, 1] },
    ]],
    ['paths with the same letters', 'path', linear([0, 'M 0 0 L 10 0'], [2, 'M 0 20 L 30 0']), 1, [['M', 0, 10], ['L', 20, 0]]],
    ['words hold', 'blend_mode', linear([0, 'screen'], [2, 'multiply']), 1.9, 'screen'],
    ['words change at their time', 'blend_mode', linear([0, 'screen'], [2, 'multiply']), 2, 'multiply'],
    ['booleans hold', 'clip', linear([0, false], [2, true]), 1, false],
    ['a mask that comes and goes', 'mask_mode', linear([0, null], [2, 'alpha']), 2.5, 'alpha'],
    ['the drawing order jumps', 'z_index', linear([0, 1], [2, 9]), 1, 1],
  ])('%s', (_, property, keys, time, value) => {
    const actual = at(property, keys, time);
    if (typeof value === 'number') expect(actual).toBeCloseTo(value, 9);
    else expect(actual).toEqual(value);
  });

  test('texts hold', () => {
    const { values } = compileOne({
      type: 'text',
      duration: 2,
      text: [
        { time: 0, value: 'one' },
        { time: 1, value: 'two' },
      ],
    }) as TextElement;
    expect([0, 0.9, 1].map((time) => valuesAt(values, time).text)).toEqual(['one', 'one', 'two']);
  });

  test('paths with other letters meet: lines become curves, the shorter one is divided', () => {
    const path = at('path', linear([0, 'M 0 0 L 30 0 Z'], [2, 'M 0 0 C 0 30 30 30 30 0']), 1);
    expect((path as unknown[][]).map(([letter]) => letter)).toEqual(['M', 'C', 'C', 'Z']);
    const [, first, second] = path as [unknown, number[], number[]];
    // Half-way between (30, 0) and the middle of the curve (15, 22.5), then between (0, 0) and its end (30, 0).
    expect(first.slice(5)).toEqual([22.5, 11.25]);
    expect(second.slice(5)).toEqual([15, 0]);
  });

  test('a part without a partner grows out of a point', () => {
    const path = at(
      'path',
      linear([0, 'M 0 0 L 10 0'], [2, 'M 0 0 L 10 0 M 40 40 L 60 60']),
      1,
    ) as unknown[][];
    expect(path.map((command) => command.slice(-2))).toEqual([
      [0, 0],
      [10, 0],
      [45, 45],
      [55, 55],
    ]);
  });

  test('nothing changes: the same object', () => {
    const { values } = compileOne({ type: 'shape', fill_color: '#fff' });
    expect(valuesAt(values as Animated<object>, 3)).toBe(values.base);
  });

  test('held curves give the same object, before and after', () => {
    const { values } = compileOne({
      type: 'shape',
      duration: 5,
      x: linear([1, '0%'], [2, '10%']),
      fill_color: linear([1, black], [2, '#fff']),
    });
    const animated = values as Animated<object>;
    expect(valuesAt(animated, 0.5)).toBe(values.base);
    expect(valuesAt(animated, 1)).toBe(values.base);
    const moving = valuesAt(animated, 1.5);
    expect(moving).not.toBe(values.base);
    const after = valuesAt(animated, 3);
    expect(after).not.toBe(moving);
    expect(valuesAt(animated, 4)).toBe(after);
    // Also when the copies of a JSON round trip no longer share their parts.
    const copy = JSON.parse(JSON.stringify(animated)) as Animated<object>;
    expect(valuesAt(copy, 0.5)).toBe(copy.base);
  });
});

describe('easing', () => {
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
  const half: Record<string, number> = {
    sinusoid: 0.292893,
    quadratic: 0.25,
    cubic: 0.125,
    quartic: 0.0625,
    quintic: 0.03125,
    exponential: 0.03125,
    circular: 0.133975,
    back: -0.087698,
    elastic: -0.015625,
    bounce: 0.234375,
  };

  // prettier-ignore
  test.each(families)('%s', (family) => {
    const named = (way: string, p: number): number => ease({ kind: 'named', name: `${family}-${way}` }, p);
    for (const way of ['in', 'out', 'in-out']) expect([named(way, 0), named(way, 1), named(way, -3), named(way, 7)]).toEqual([0, 1, 0, 1]);
    expect(named('in', 0.5)).toBeCloseTo(half[family]!, 5);
    expect(named('out', 0.5)).toBeCloseTo(1 - half[family]!, 5);
    expect(named('in-out', 0.5)).toBeCloseTo(0.5, 9);
    for (const p of [0.1, 0.37, 0.8]) expect(named('in-out', p)).toBeCloseTo(1 - named('in-out', 1 - p), 9);
  });

  // prettier-ignore
  test.each([
    ['linear', 0.3, 0.3],
    ['steps(4)', 0.49, 0.25],
    ['steps(4)', 0.5, 0.5],
    ['steps', 0.99, 0],
    ['steps(3)', 0.1 + 0.2 + 1 / 30, 1 / 3],
    ['cubic-bezier(0, 0, 1, 1)', 0.42, 0.42],
    ['ease', 0.5, 0.8024033877399112],
    ['ease-in-out', 0.5, 0.5],
    ['cubic-bezier(0, 1.52, 0.27, 0.98)', 0.1, 0.9366842],
    ['cubic-bezier(1, 0, 0, 1)', 0.5, 0.5],
  ])('%s at %d', (name, progress, eased) => {
    expect(ease(parseEasing(name)!, progress)).toBeCloseTo(eased, 6);
  });

  test('a spring', () => {
    const at = (text: string, p: number): number => ease(parseEasing(text)!, p);
    // Half damped: the first swing goes e^(-π ζ / √(1 - ζ²)) = 16.3 % past the goal.
    const peak = Math.max(
      ...Array.from({ length: 1001 }, (_, index) => at('spring', index / 1000)),
    );
    expect(peak).toBeCloseTo(1.163, 3);
    // Critical and stronger damping: never past it, ever onwards.
    for (const text of [
      'spring(1, 100, 20)',
      'spring(1, 100, 20.00001)',
      'spring(1, 100, 60)',
      'spring(1, 1, 999)',
    ]) {
      const way = Array.from({ length: 101 }, (_, index) => at(text, index / 100));
      expect(
        way.every((value, index) => index === 0 || value >= way[index - 1]!),
        text,
      ).toBe(true);
    }
    // Starts from rest and ends at rest, without a jump, whatever the numbers.
    for (const damping of [0.001, 1, 5, 19.9, 20, 20.1, 50, 1e6]) {
      const text = `spring(1, 100, ${damping})`;
      expect([at(text, 0), at(text, 1)]).toEqual([0, 1]);
      expect(Math.abs(at(text, 0.00001)), text).toBeLessThan(0.01);
      expect(Math.abs(1 - at(text, 0.99999)), text).toBeLessThan(0.01);
    }
    // All that counts is the damping ratio.
    expect(at('spring(2, 200, 20)', 0.3)).toBeCloseTo(at('spring(1, 100, 10)', 0.3), 12);
  });

  test('every Bézier rises from 0 to 1 without holes, also the steepest', () => {
    for (const [x1, x2] of [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0.5, 0.5],
    ] as const) {
      const values = Array.from({ length: 101 }, (_, index) =>
        ease({ kind: 'cubic-bezier', x1, y1: 0.2, x2, y2: 0.8 }, index / 100),
      );
      expect(
        values.every((value, index) => index === 0 || value >= values[index - 1]! - 1e-9),
      ).toBe(true);
    }
  });
});

describe('document', () => {
  const video = { type: 'video', source: 'video8' };

  // prettier-ignore
  test.each<[what: string, source: JsonObject, size: [number, number], warnings: number]>([
    ['given', { width: 640, height: 480 }, [640, 480], 0],
    ['of the first picture', { elements: [{ type: 'text' }, { type: 'image', source: 'photo' }, video] }, [1600, 1200], 0],
    ['of the first picture at any depth', { elements: [{ type: 'composition', elements: [{ type: 'video', source: 'video3' }] }, video] }, [720, 1280], 0],
    ['not of sound or of what is missing', { elements: [{ type: 'audio', source: 'music22' }, { type: 'image', source: 'lost' }, video] }, [1920, 1080], 0],
    ['height by the first picture', { width: 960, elements: [video] }, [960, 540], 0],
    ['width by the first picture', { height: 540, elements: [video] }, [960, 540], 0],
    ['nothing to go by', {}, [1280, 720], 1],
    ['height by nothing', { width: 640 }, [640, 360], 1],
  ])('size: %s', (_, source, [width, height], warnings) => {
    const timeline = compileTimeline({ output_format: 'mp4', ...source }, { media: mediaOf(), scaling: {} });
    expect([timeline.width, timeline.height]).toEqual([width, height]);
    expect(timeline.warnings.map(({ code }) => code)).toEqual(Array.from({ length: warnings }, () => 'no_size'));
  });

  // prettier-ignore
  test.each<[what: string, source: JsonObject, rate: number, frames: number]>([
    ['given', { frame_rate: 24, elements: [video] }, 24, 192],
    ['with a unit', { frame_rate: '30 fps', elements: [video] }, 30, 240],
    ['of the video', { elements: [video] }, 25, 200],
    ['the highest', { elements: [video, { type: 'composition', elements: [{ type: 'video', source: 'video3' }] }] }, 50, 400],
    ['not above what the format allows', { elements: [{ type: 'video', source: 'silent4' }] }, 60, 240],
    ['without videos', { duration: 2 }, 60, 120],
    ['without videos, a gif', { output_format: 'gif', duration: 2 }, 15, 30],
    ['a gif of a video', { output_format: 'gif', elements: [video] }, 15, 120],
    ['a gif of a slow video', { output_format: 'gif', elements: [{ type: 'video', source: 'moving' }] }, 10, 20],
    ['a begun frame counts', { frame_rate: 30, duration: 1.01 }, 30, 31],
    ['dust doesn\'t', { frame_rate: 30, duration: 0.1 + 0.2 }, 30, 9],
    ['at least one', { frame_rate: 30, duration: 0 }, 30, 1],
  ])('frames: %s', (_, source, rate, frames) => {
    const { output } = compile(source);
    expect([output.frameRate, output.frameCount]).toEqual([rate, frames]);
  });

  test('the file is scaled, the document is not', () => {
    const timeline = compile({}, { maxWidth: 301 });
    expect([
      timeline.width,
      timeline.height,
      timeline.output.width,
      timeline.output.height,
    ]).toEqual([1000, 500, 300, 150]);
    expect(compile({}, { renderScale: 2 }).output).toMatchObject({ width: 2000, height: 1000 });
  });

  test('settings', () => {
    expect(compile({})).toMatchObject({
      snapshotTime: null,
      snapshotLocation: null,
      emojiStyle: 'facebook',
      output: { format: 'mp4', crf: 23, gifQuality: 'fast', gifCompression: 0, gifLoop: true },
    });
    const root = {
      output_format: 'gif',
      crf: 30,
      gif_quality: 'best',
      gif_compression: 50,
      loop: false,
      snapshot_time: '1.5 s',
      snapshot_location: 'end',
      emoji_style: 'apple',
    };
    expect(compile(root)).toMatchObject({
      snapshotTime: 1.5,
      snapshotLocation: 'end',
      emojiStyle: 'apple',
      output: { format: 'gif', crf: 30, gifQuality: 'best', gifCompression: 50, gifLoop: false },
    });
  });

  const night = ['#0b1020', '#1e293b'];
  const stops = (colors: string[]): Json =>
    colors.map((color, index) => ({ offset: `${(100 * index) / (colors.length - 1)}%`, color }));
  const box = (more: JsonObject): JsonObject => ({
    elements: [{ type: 'shape', fill_mode: 'linear', fill_color: stops(night), ...more }],
  });
  test.each<[string, JsonObject, true | undefined]>([
    ['a dark ground', { fill_mode: 'linear', fill_color: stops(night) }, true],
    ['a radial one', { fill_mode: 'radial', fill_color: stops(night) }, true],
    ['a bright one', { fill_mode: 'linear', fill_color: stops(['#f8f9fb', '#e9ecef']) }, true],
    ['a box that fills the picture', box({ width: '100%', height: '100%' }), true],
    ['one inside a composition', { elements: [{ type: 'composition', ...box({}) }] }, true],
    ['a small box', box({ width: 120, height: 60 }), undefined],
    [
      'a box with 200,000 sizes',
      box({ width: Array.from({ length: 200_000 }, (_, at) => ({ time: at / 1e5, value: 900 })) }),
      true,
    ],
    ['a text', box({ type: 'text', text: 'x' }), undefined],
    ['steep', { fill_mode: 'linear', fill_color: stops(['#000', '#fff']) }, undefined],
    ['from clear to opaque', box({ fill_color: stops(['rgba(0,0,0,0)', '#000']) }), undefined],
    ['one colour', { fill_mode: 'linear', fill_color: stops(['#123', '#123']) }, undefined],
    ['not shown', { fill_mode: 'solid', fill_color: stops(night) }, undefined],
    [
      'a picture',
      { output_format: 'png', fill_mode: 'linear', fill_color: stops(night) },
      undefined,
    ],
  ])('slow gradients: %s', (_, source, expected) => {
    expect(compile(source).output.hasSlowGradients).toBe(expected);
  });

  test('the background', () => {
    expect(compile({}).fill.base.fillColor).toBeNull();
    const { fill } = compile({
      duration: 2,
      fill_color: [
        { time: 0, value: '#000' },
        { time: 'end', value: '#fff', easing: 'linear' },
      ],
    });
    expect(valuesAt(fill, 1).fillColor).toEqual([128, 128, 128, 1]);
  });
});

describe('limits that only the content decides', () => {
  const big = {
    width: 20_000,
    height: 10_000,
    kind: 'image',
    format: 'png',
    duration: 0,
    frameRate: 0,
    hasAudio: false,
    hasAlpha: false,
  } as const;
  const long = {
    ...big,
    kind: 'video',
    format: 'mp4',
    width: 4000,
    height: 2000,
    duration: 7000,
    frameRate: 50,
  } as const;
  const media = new Map([
    ['big', big],
    ['square', { ...big, width: 8100, height: 8000 }],
    ['long', long],
    ['endless', { ...long, width: 640, height: 360, duration: 9000 }],
    ['clip', { ...long, width: 640, height: 360, duration: 400 }],
  ]);
  const image = { type: 'image', source: 'big' };

  // prettier-ignore
  test.each<[source: JsonObject, scaling: CompileContext['scaling'], message: string | null]>([
    [{ output_format: 'png', elements: [image] }, {}, 'width: Expected a number between 1 and 8192; the content makes it 20000'],
    [{ output_format: 'png', elements: [image] }, { maxWidth: 8000 }, null],
    [{ output_format: 'png', width: 500, elements: [image] }, { renderScale: 10 }, null],
    [{ output_format: 'png', height: 900, elements: [image] }, { renderScale: 10 }, 'width: Expected a number between 1 and 8192; the content makes it 18000'],
    [{ output_format: 'png', elements: [{ type: 'image', source: 'square' }] }, {}, 'width: Expected at most 64 megapixels, found 65'],
    [{ output_format: 'mp4', elements: [{ type: 'image', source: 'square' }] }, {}, 'width: Expected at most 36 megapixels, found 65'],
    [{ output_format: 'mp4', elements: [{ type: 'video', source: 'long' }] }, {}, 'duration: Expected a shorter, smaller or slower output; frames times pixels may be 2 trillion, found 2.8'],
    [{ output_format: 'mp4', frame_rate: 30, elements: [{ type: 'video', source: 'long' }] }, {}, null],
    [{ output_format: 'mp4', elements: [{ type: 'video', source: 'endless' }] }, {}, 'duration: Expected a number between 0 and 7200; the content makes it 9000'],
    [{ output_format: 'gif', elements: [{ type: 'video', source: 'clip' }] }, {}, 'duration: Expected a number between 0 and 300; the content makes it 400'],
    [{ output_format: 'gif', duration: 300, elements: [{ type: 'video', source: 'clip' }] }, {}, null],
    [{ output_format: 'gif', frame_rate: 30, width: 10, height: 10 }, {}, 'frame_rate: Expected a number between 1 and 15; the content makes it 30'],
    [{ output_format: 'png', elements: [{ type: 'video', source: 'endless' }] }, {}, null],
  ])('%j scaled by %j', (source, scaling, message) => {
    const attempt = (): unknown => compileTimeline(source, { media, scaling });
    if (message === null) expect(attempt).not.toThrow();
    else expect(attempt).toThrow(expect.objectContaining({ code: 'limit_exceeded', message: `Source error: ${message}`, path: message.split(':')[0] }) as Error);
  });
});

describe('pictures', () => {
  const elements = [
    { type: 'text', time: 3, duration: 2, track: 1, animations: [{ type: 'fade', time: 'start' }] },
    { type: 'text', track: 1, animations: [{ type: 'fade', transition: true }] },
    { type: 'video', source: 'video8', trim_start: 2 },
    { type: 'composition', time: 2, elements: [{ type: 'shape', time: 9 }] },
  ];

  // prettier-ignore
  test.each(['jpg', 'png'])('%s: no clock, everything is there', (format) => {
    const timeline = compile({ output_format: format, elements });
    expect(timeline).toMatchObject({ duration: 0, sounds: [], warnings: [], output: { frameRate: 1, frameCount: 1 } });
    const [first, second, video, scene] = timeline.root.children;
    expect([first!, second!, video!, scene!, (scene as CompositionElement).children[0]!].map(({ start, animations }) => [start, animations])).toEqual(
      Array.from({ length: 5 }, () => [0, []]),
    );
    expect(video).toMatchObject({ type: 'video', clip: { trimStart: 2 } });
  });

  test('jpg is what a document without a format becomes', () => {
    expect(
      compileTimeline({ ...size, elements: [] }, { media: new Map(), scaling: {} }).output.format,
    ).toBe('jpg');
  });
});

describe('elements', () => {
  const names = (elements: readonly TimelineElement[]): string[] =>
    elements.map(({ name }) => name);
  const shapes = (...tracks: (number | null)[]): Json =>
    tracks.map((track, index) => ({
      type: 'shape',
      name: String.fromCharCode(97 + index),
      track,
      duration: 1,
    }));

  // prettier-ignore
  test.each<[what: string, elements: Json, order: string]>([
    ['by definition', shapes(null, null, null), 'abc'],
    ['by track', shapes(3, 1, 2), 'bca'],
    ['tracks, then definition', shapes(2, 1, 2, 1), 'bdac'],
    ['without a track above what comes before', shapes(1, null), 'ab'],
    ['without a track below what comes after', shapes(null, 1), 'ab'],
    ['without a track in between', shapes(1, null, 2), 'abc'],
    ['tracks win over definition', shapes(2, null, 1), 'cab'],
  ])('drawing order: %s', (_, elements, order) => {
    expect(names(compile({ elements }).root.children).join('')).toBe(order);
  });

  test('elements of one track share a lane, others have one each', () => {
    const { children } = compile({ elements: shapes(null, 5, 5, null, 9) }).root;
    expect(children.map(({ name, track }) => `${name}${track}`)).toEqual([
      'a1',
      'b2',
      'c2',
      'd3',
      'e4',
    ]);
  });

  // prettier-ignore
  test.each<[what: string, animation: JsonObject, order: string]>([
    ['over what it replaces', { type: 'fade' }, 'ab'],
    ['under what fades out', { type: 'fade', enable: 'first-only' }, 'ba'],
    ['under what slides away', { type: 'slide', fixed: 'second-only' }, 'ba'],
    ['under what is wiped away', { type: 'wipe', clip: 'first-only' }, 'ba'],
  ])('a transition comes in %s', (_, animation, order) => {
    const elements = [
      { type: 'shape', name: 'a', track: 1, duration: 2 },
      { type: 'shape', name: 'b', track: 1, duration: 2, animations: [{ ...animation, transition: true }] },
    ];
    expect(names(compile({ elements }).root.children).join('')).toBe(order);
  });

  test('names and paths', () => {
    const elements = [
      { type: 'text', name: 'Title' },
      { type: 'text' },
      { type: 'audio', source: 'music22' },
      { type: 'composition', elements: [{ type: 'text' }, { type: 'image', name: '' }] },
    ];
    const { children } = compile({ elements }).root;
    expect(children.map(({ name, path }) => [name, path])).toEqual([
      ['Title', 'elements[0]'],
      ['Text 2', 'elements[1]'],
      ['Composition 1', 'elements[3]'],
    ]);
    expect(
      (children[2] as CompositionElement).children.map(({ name, path }) => [name, path]),
    ).toEqual([
      ['Text 1', 'elements[3].elements[0]'],
      ['Image 1', 'elements[3].elements[1]'],
    ]);
  });

  // prettier-ignore
  test.each<[what: string, element: JsonObject, expected: object]>([
    ['video', { type: 'video', source: 'video8' }, { type: 'video', source: 'video8', clip: { trimStart: 0, trimDuration: 8, loop: false, speed: 1 } }],
    ['a part of a video', { type: 'video', source: 'video8', trim_start: '2 s', trim_duration: 3, loop: true, speed: '150%' }, { clip: { trimStart: 2, trimDuration: 3, loop: true, speed: 1.5 } }],
    ['a video whose file is a picture', { type: 'video', source: 'photo' }, { type: 'image', source: 'photo' }],
    ['a picture whose file moves', { type: 'image', source: 'moving' }, { type: 'video', source: 'moving', clip: { trimStart: 0, trimDuration: 2, loop: true, speed: 1 } }],
    ['a video whose file has no picture', { type: 'video', source: 'music22' }, { source: null }],
    ['a file that could not be had', { type: 'image', source: 'lost' }, { source: null }],
    ['no file', { type: 'image', source: '' }, { source: null }],
    ['a loop of two passes', { type: 'composition', duration: 2, loop: true, plays: 2, elements: [] }, { duration: 4, contentDuration: 2, loop: true, plays: 2 }],
    ['an endless loop', { type: 'composition', duration: 2, loop: true, elements: [] }, { duration: 2, contentDuration: 2, loop: true, plays: null }],
    ['no loop', { type: 'composition', duration: 2, elements: [] }, { duration: 2, contentDuration: 2, loop: false, plays: null }],
  ])('%s', (_, element, expected) => {
    expect(compileOne(element)).toMatchObject(expected);
  });

  test('a warning tells of elements that are never visible', () => {
    const elements = [
      { type: 'text', name: 'Lost', track: 1, time: 0 },
      { type: 'text', track: 1, time: 0 },
    ];
    expect(compile({ elements }).warnings).toEqual([
      {
        path: 'elements[0]',
        element: 'Lost',
        property: '',
        severity: 'warning',
        code: 'never_visible',
        message: 'Is never visible: the next element of its track starts at the same time',
      },
    ]);
  });
});

describe("what can't be read", () => {
  // prettier-ignore
  test.each<[source: JsonObject, path: string, message: string]>([
    [{ elements: [{ type: 'text', name: 'Title', letter_spacing: '2 vmin' }] }, 'elements[0].letter_spacing', 'Source error: Title.letter_spacing: Expected a number ending with %; found \'2 vmin\''],
    [{ elements: [{ type: 'shape', fill_color: 'reddish' }] }, 'elements[0].fill_color', 'Source error: Shape 1.fill_color: Expected a color; found \'reddish\''],
    [{ elements: [{ type: 'shape', x: [{ time: 0, value: 'left' }] }] }, 'elements[0].x', "Source error: Shape 1.x: Expected a number ending with % or px or vw or vh or vmin or vmax; found 'left'"],
    [{ elements: [{ type: 'composition', elements: [{ type: 'shape', clip: 1 }] }] }, 'elements[0].elements[0].clip', 'Source error: Shape 1.clip: Expected true or false; found 1'],
    [{ elements: [{ type: 'rectangle' }] }, 'elements[0].type', "Source error: elements[0].type: Expected one of these values: image, video, audio, text, shape, composition, lottie; found 'rectangle'"],
    [{ elements: [7] }, 'elements[0]', 'Source error: elements[0]: Expected an element; found 7'],
    [{ elements: 'none' }, 'elements', 'Source error: elements: Expected a list of elements; found \'none\''],
    [{ output_format: 'avi' }, 'output_format', "Source error: output_format: Expected one of these values: jpg, png, gif, mp4, webm, mov, webp, avif, mp3, wav, m4a, webp-animated, png-sequence; found 'avi'"],
    [{ width: -1 }, 'width', 'Source error: width: Expected a number that is at least 1; found -1'],
  ])('%j', (source, path, message) => {
    let caught: unknown;
    try {
      compile(source);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(RenderError);
    expect(caught).toMatchObject({ code: 'invalid_source', path, message });
  });

  test('whatever the JSON, compiling ends with a timeline, the same every time, or an error of the source', () => {
    const junk: Json[] = [
      null,
      true,
      -1,
      0,
      1e9,
      '',
      'x',
      '50%',
      '1 fr',
      'end',
      [],
      [1],
      {},
      { time: 0, value: 1 },
      [{ time: 0, value: '1' }],
      [{ offset: 0 }],
    ];
    const keys = [
      'time',
      'duration',
      'track',
      'loop',
      'plays',
      'speed',
      'trim_start',
      'volume',
      'source',
      'animations',
      'elements',
      'x',
      'fill_color',
      'text',
      'path',
      'name',
      'width',
      'frame_rate',
      'muted',
      'visible',
    ];
    let seed = 7;
    const random = <T>(list: readonly T[]): T => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return list[Math.floor((seed / 2 ** 31) * list.length)]!;
    };
    const element = (depth: number): JsonObject => ({
      type: random(['image', 'video', 'audio', 'text', 'shape', 'composition']),
      source: random(['photo', 'video8', 'music22', 'lost']),
      [random(keys)]: random(junk),
      [random(keys)]: random(junk),
      animations: [
        {
          type: random(['fade', 'slide', 'text-slide', 'shake', 'flip', '?']),
          [random(['time', 'duration', 'easing', 'distance', 'transition', 'split'])]: random(junk),
        },
        random(junk),
      ],
      ...(depth > 0 ? { elements: [element(depth - 1), element(depth - 1)] } : {}),
    });
    let compiled = 0;
    for (let round = 0; round < 500; round++) {
      const source = { [random(keys)]: random(junk), elements: [element(2), element(1)] };
      const before = JSON.stringify(source);
      try {
        const timeline = compile(source);
        expect(JSON.parse(JSON.stringify(timeline))).toEqual(timeline);
        expect(JSON.stringify(compile(source))).toBe(JSON.stringify(timeline));
        compiled += 1;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
      }
      expect(JSON.stringify(source)).toBe(before);
    }
    expect(compiled).toBeGreaterThan(50);
  });
});

test.each(['root', ...elementTypes] as const)('an empty text is nothing: %s', (owner) => {
  const kept = new Set(['text', 'source', 'name', 'id', 'type', 'width', 'height', 'elements']);
  const names = propertiesOf(owner).map(([name]) => name);
  const empty = Object.fromEntries(names.flatMap((name) => (kept.has(name) ? [] : [[name, '']])));
  const element = { type: owner === 'root' ? 'shape' : owner };
  const source = {
    source: { image: 'photo', video: 'video8', audio: 'video3' }[owner as string] ?? '',
  };
  const compiled = (more: JsonObject): unknown =>
    owner === 'root'
      ? compileTimeline(
          { ...size, ...more, elements: [element] },
          { media: mediaOf(), scaling: {} },
        )
      : compile({ elements: [{ ...element, ...source, ...more }] });
  expect(compiled(empty)).toEqual(compiled({}));
});

test('a timeline is the same every time, and survives JSON and cloning', () => {
  const source = {
    fill_color: '#123',
    duration: 9,
    elements: [
      { type: 'video', source: 'video8', track: 1, animations: [{ type: 'pan' }] },
      {
        type: 'image',
        source: 'photo',
        track: 1,
        animations: [
          { type: 'fade', transition: true },
          { type: 'scale', end_scale: '120%' },
        ],
      },
      {
        type: 'text',
        text: 'Hi',
        x: [
          { time: 0, value: '0%' },
          { time: 'end', value: 20 },
        ],
        animations: [{ type: 'text-slide', time: 'end' }],
      },
      { type: 'audio', source: 'music22', audio_fade_out: 2 },
      {
        type: 'composition',
        loop: true,
        duration: 2,
        elements: [{ type: 'shape', path: 'M0 0L1 1Z' }],
      },
    ],
  };
  const timeline = compile(source);
  expect(compile(source)).toEqual(timeline);
  expect(JSON.parse(JSON.stringify(timeline))).toEqual(timeline);
  expect(structuredClone(timeline)).toEqual(timeline);
});
