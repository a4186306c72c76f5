/** Layout: which boxes show at a moment, and where. Documents are 200 × 100 pixels, letters half their size wide. */
import { describe, expect, it } from 'vitest';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import type { Easing } from '../../shared/renderscript/easing.ts';
import type {
  ImageValues,
  Path,
  ShapeValues,
} from '../../shared/engine/compile/property-values.ts';
import type { Animation, Timeline, TimelineElement } from '../../shared/engine/compile/timeline.ts';
import { apply, mappedBounds } from '../../shared/engine/geometry.ts';
import type { Box, Content } from '../../shared/engine/layout/box.ts';
import { createLayout, type Layout } from '../../shared/engine/layout/layout.ts';
import { fitMedia } from '../../shared/engine/layout/bodies.ts';
import { pathBounds } from '../../shared/engine/layout/path.ts';
import { sameFrame } from '../../shared/engine/layout/same-frame.ts';
import {
  black,
  composition,
  documentOf,
  image,
  measurer,
  percent,
  px,
  red,
  shape,
  text,
  video,
} from './layout-documents.ts';

const linear: Easing = { kind: 'named', name: 'linear' };
const photo: MediaInfo = {
  kind: 'image',
  format: 'jpg',
  width: 400,
  height: 100,
  duration: 0,
  frameRate: 0,
  hasAudio: false,
  hasAlpha: false,
};
const clip: MediaInfo = { ...photo, kind: 'video', format: 'mp4', duration: 4, frameRate: 25 };
const media = new Map([
  ['photo.jpg', photo],
  ['clip.mp4', clip],
]);

function layoutOf(elements: readonly TimelineElement[], duration = 10): Layout {
  return createLayout(documentOf(elements, duration), { measurer, media });
}

function boxesAt(elements: readonly TimelineElement[], time = 0, duration = 10): readonly Box[] {
  return layoutOf(elements, duration).frameAt(time).boxes;
}

/** Where a box lies in its parent: the upright rectangle around it. */
function outer({ width, height, transform }: Box): number[] {
  const bounds = mappedBounds(transform, { x: 0, y: 0, width, height });
  return [bounds.x, bounds.y, bounds.width, bounds.height].map(
    (value) => Math.round(value * 1000) / 1000 + 0,
  );
}

function contentOf<K extends Content['kind']>(
  box: Box | undefined,
  kind: K,
): Extract<Content, { kind: K }> {
  if (box?.content.kind !== kind)
    throw new Error(`Expected a box with ${kind} content, found ${box?.content.kind ?? 'no box'}`);
  // The kind was compared just above; TypeScript cannot carry that over to the type parameter.
  return box.content as Extract<Content, { kind: K }>;
}

function animation(
  type: string,
  options: Animation['options'],
  rest: Partial<Animation> = {},
): Animation {
  return {
    type,
    start: 0,
    duration: 2,
    easing: linear,
    reversed: false,
    transition: false,
    side: 'own',
    options,
    ...rest,
  };
}

const whole = { scope: 'composition', xAnchor: 0.5, yAnchor: 0.5, fade: false };

describe('size and place', () => {
  // prettier-ignore
  it.each<[string, Partial<ShapeValues>, number[]]>([
    ['the whole parent', {}, [0, 0, 200, 100]],
    ['percent of the parent, centred', { width: percent(50), height: percent(50) }, [50, 25, 100, 50]],
    ['pixels', { width: px(20), height: px(10), x: px(30), y: px(40) }, [20, 35, 20, 10]],
    ['pixels and percent together', { width: { px: -20, percent: 0.5 } }, [60, 0, 80, 100]],
    ['anchor at the top left', { width: px(20), height: px(10), x: px(30), y: px(40), xAnchor: px(0), yAnchor: px(0) }, [30, 40, 20, 10]],
    ['anchor at the bottom right', { width: px(20), height: px(10), xAnchor: percent(100), yAnchor: percent(100) }, [80, 40, 20, 10]],
    ['anchor outside', { width: px(20), height: px(10), xAnchor: percent(200), yAnchor: percent(-100) }, [60, 60, 20, 10]],
    ['scale about the anchor', { width: px(20), height: px(10), x: px(0), y: px(0), xAnchor: px(0), yAnchor: px(0), xScale: 2, yScale: 3 }, [0, 0, 40, 30]],
    ['mirrored', { width: px(20), height: px(10), x: px(50), xAnchor: px(0), xScale: -1 }, [30, 45, 20, 10]],
    ['a quarter turn, clockwise, about the middle', { width: px(20), height: px(10), zRotation: 90 }, [95, 40, 10, 20]],
    ['a quarter turn about the top left', { width: px(20), height: px(10), xAnchor: px(0), yAnchor: px(0), zRotation: 90 }, [90, 50, 10, 20]],
    ['skewed by 45° about the middle', { width: px(20), height: px(10), xSkew: 45 }, [85, 45, 30, 10]],
    ['aspect ratio in a wide frame', { aspectRatio: 1 }, [50, 0, 100, 100]],
    ['aspect ratio in a tall frame', { width: px(20), aspectRatio: 1 }, [90, 40, 20, 20]],
    ['slack by alignment', { aspectRatio: 1, xAlignment: 1 }, [100, 0, 100, 100]],
    ['one side and an aspect ratio', { width: px(50), height: null, aspectRatio: 2 }, [75, 37.5, 50, 25]],
    ['the other side and an aspect ratio', { width: null, height: px(50), aspectRatio: 2 }, [50, 25, 100, 50]],
  ])('%s', (_, values, expected) => {
    expect(outer(boxesAt([shape(values)])[0]!)).toEqual(expected);
  });

  it('turns clockwise: the right end of the top edge goes down', () => {
    const [box] = boxesAt([shape({ width: px(20), height: px(20), zRotation: 45 })]);
    const [x, y] = apply(box!.transform, 20, 0);
    expect([Math.round(x), Math.round(y)]).toEqual([114, 50]);
  });

  it('scales, then skews, then rotates', () => {
    const [box] = boxesAt([
      shape({
        width: px(10),
        height: px(10),
        x: px(0),
        y: px(0),
        xAnchor: px(0),
        yAnchor: px(0),
        xScale: 2,
        ySkew: 45,
        zRotation: 90,
      }),
    ]);
    // (10, 0) scaled (20, 0), skewed (20, 20), turned (-20, 20).
    expect(apply(box!.transform, 10, 0).map(Math.round)).toEqual([-20, 20]);
  });

  it('percentages in compositions are of their content box, coordinates begin there', () => {
    const inner = shape({
      width: percent(50),
      height: percent(100),
      x: px(0),
      y: px(0),
      xAnchor: px(0),
      yAnchor: px(0),
    });
    const [box] = boxesAt([
      composition({ width: percent(50), height: percent(50), xPadding: px(10), yPadding: px(5) }, [
        inner,
      ]),
    ]);
    expect(outer(box!)).toEqual([50, 25, 100, 50]);
    const content = contentOf(box, 'composition');
    expect([content.originX, content.originY]).toEqual([10, 5]);
    expect(outer(content.children[0]!)).toEqual([0, 0, 40, 40]);
  });

  it('a border radius is held to half the shorter side', () => {
    expect(boxesAt([shape({ borderRadius: px(10) })])[0]!.borderRadius).toBe(10);
    expect(boxesAt([shape({ borderRadius: px(500) })])[0]!.borderRadius).toBe(50);
  });
});

describe('texts', () => {
  // prettier-ignore
  it.each([
    ['as large as the text, anchored in the middle', { text: 'aaaa\nbb' }, [80, 30, 40, 40]],
    ['padding adds to a text that fits itself', { text: 'aaaa', xPadding: px(5), yPadding: px(2) }, [75, 38, 50, 24]],
    ['width given, height grows', { text: 'aaaa bb', width: px(40) }, [80, 30, 40, 40]],
    ['an aspect ratio gives the height', { text: 'a', width: px(40), aspectRatio: 2 }, [80, 40, 40, 20]],
  ])('%s', (_, values, expected) => {
    expect(outer(boxesAt([text(values)])[0]!)).toEqual(expected);
  });

  it('stand in the padded box', () => {
    const [box] = boxesAt([
      text({
        text: 'aaaa',
        width: px(100),
        height: px(50),
        xPadding: px(10),
        yPadding: px(5),
        xAlignment: 1,
        yAlignment: 1,
      }),
    ]);
    const [run] = contentOf(box, 'text').pieces[0]!.runs;
    expect([run!.x, run!.y]).toEqual([50, 41]);
  });

  it('are not drawn without letters', () => {
    expect(
      boxesAt([text({ text: '', width: px(50), height: px(50) }), text({ text: ' \n ' })]),
    ).toEqual([]);
  });
});

describe('shapes', () => {
  const triangle: Path = [['M', 0, 0], ['L', 100, 0], ['L', 50, 100], ['Z']];
  const pathOf = (values: Partial<ShapeValues>) =>
    contentOf(boxesAt([shape(values)])[0], 'shape').path;

  it('with a size: the path is in percent of the box', () => {
    expect(pathOf({ width: px(20), height: px(10), path: triangle })).toEqual([
      ['M', 0, 0],
      ['L', 20, 0],
      ['L', 10, 10],
      ['Z'],
    ]);
  });
  it('without a path: a rectangle', () => {
    expect(pathOf({ width: px(20), height: px(10) })).toEqual([
      ['M', 0, 0],
      ['L', 20, 0],
      ['L', 20, 10],
      ['L', 0, 10],
      ['Z'],
    ]);
  });
  it('without a size: pixels from the position, anchors ignored, turned about the position', () => {
    const values = {
      width: null,
      height: null,
      x: px(10),
      y: px(20),
      xAnchor: percent(100),
      path: [['M', 5, 5], ['L', 25, 5], ['L', 25, 15], ['Z']] as Path,
    };
    expect(outer(boxesAt([shape(values)])[0]!)).toEqual([15, 25, 20, 10]);
    expect(outer(boxesAt([shape({ ...values, zRotation: 180 })])[0]!)).toEqual([-15, 5, 20, 10]);
    expect(pathOf(values)).toEqual([['M', 0, 0], ['L', 20, 0], ['L', 20, 10], ['Z']]);
  });
  it('with one side: percent along it, pixels across', () => {
    const line = shape({
      height: null,
      x: px(0),
      y: px(30),
      xAnchor: px(0),
      path: [
        ['M', 0, 0],
        ['L', 100, 0],
      ],
      strokeColor: red,
    });
    expect(outer(boxesAt([line])[0]!)).toEqual([0, 30, 200, 0]);
  });
  it('are not drawn without fill and stroke, or without path and size', () => {
    expect(boxesAt([shape({ fillColor: null }), shape({ width: null, height: null })])).toEqual([]);
  });

  // prettier-ignore
  it.each<[string, Path, number[]]>([
    ['lines', triangle, [0, 0, 100, 100]],
    ['a quadratic', [['M', 0, 0], ['Q', 50, 100, 100, 0]], [0, 0, 100, 50]],
    ['a cubic', [['M', 0, 0], ['C', 0, 100, 100, 100, 100, 0]], [0, 0, 100, 75]],
    ['a cubic with extremes in both directions', [['M', 0, 0], ['C', 100, 0, -100, 100, 0, 100]], [-28.868, 0, 57.735, 100]],
  ])('bounds of %s', (_, path, expected) => {
    const { x, y, width, height } = pathBounds(path)!;
    expect([x, y, width, height].map((value) => Math.round(value * 1000) / 1000)).toEqual(expected);
  });
});

describe('media', () => {
  const room = { x: 0, y: 0, width: 200, height: 100 };
  // prettier-ignore
  it.each([
    ['cover', { width: 400, height: 100 }, 0.5, 0.5, [-100, 0, 400, 100]],
    ['cover', { width: 400, height: 100 }, 0, 0.5, [0, 0, 400, 100]],
    ['cover', { width: 100, height: 100 }, 0.5, 1, [0, -100, 200, 200]],
    ['contain', { width: 400, height: 100 }, 0.5, 0.5, [0, 25, 200, 50]],
    ['contain', { width: 400, height: 100 }, 0.5, 1, [0, 50, 200, 50]],
    ['contain', { width: 50, height: 100 }, 1, 0.5, [150, 0, 50, 100]],
    ['fill', { width: 400, height: 400 }, 0.5, 0.5, [0, 0, 200, 100]],
  ] as const)('%s %o aligned %d, %d', (fit, size, alignX, alignY, expected) => {
    const { x, y, width, height } = fitMedia(fit, size, room, alignX, alignY);
    expect([x, y, width, height]).toEqual(expected);
  });

  // prettier-ignore
  it.each<[string, Partial<ImageValues>, number[], number[]]>([
    ['padding keeps the box and shrinks the picture', { fit: 'fill', xPadding: px(10), yPadding: px(5) }, [0, 0, 200, 100], [10, 5, 180, 90]],
    ['a missing side follows the picture', { height: null }, [0, 25, 200, 50], [0, 0, 200, 50]],
    ['both missing: its pixels', { width: null, height: null }, [-100, 0, 400, 100], [0, 0, 400, 100]],
  ])('%s', (_, values, box, rect) => {
    const [found] = boxesAt([image(values)]);
    const { x, y, width, height } = contentOf(found, 'media').rect;
    expect([outer(found!), [x, y, width, height]]).toEqual([box, rect]);
  });

  it('draws nothing for media that is not there', () => {
    expect(
      boxesAt([
        { ...image({}), source: null },
        { ...image({}), source: 'gone.png' },
      ]),
    ).toEqual([]);
  });

  // prettier-ignore
  it.each([
    ['plays from the start of its trim', {}, 1.5, 1.5],
    ['trimmed', { trimStart: 2, trimDuration: 2 }, 1, 3],
    ['faster', { speed: 2 }, 1, 2],
    ['holds its last frame', {}, 7, 3.998],
    ['holds the last frame of its trim', { trimStart: 1, trimDuration: 2 }, 5, 2.998],
    ['faster and faster', { speeds: [{ time: 0, value: 1 }, { time: 2, value: 3 }] }, 1, 1.5],
    ['then at one speed', { speeds: [{ time: 0, value: 0.5 }, { time: 1, value: 1.5 }] }, 2, 2.5],
    ['loops', { loop: true }, 9, 1],
    ['loops its trim', { loop: true, trimStart: 1, trimDuration: 2 }, 5, 2],
    ['begins a pass exactly', { loop: true }, 4 - 1e-9, 0],
  ])('video %s', (_, how, time, expected) => {
    const [box] = boxesAt([video({}, how)], time);
    expect(contentOf(box, 'media').mediaTime).toBeCloseTo(expected, 6);
  });

  it('video counts from the start of its element', () => {
    const [box] = boxesAt([video({}, {}, { start: 3 })], 4.5);
    expect(contentOf(box, 'media')).toMatchObject({
      mediaTime: 1.5,
      mediaSpeed: 1,
      source: 'clip.mp4',
    });
  });
});

describe('time', () => {
  const part = (start: number, duration: number) => shape({}, { start, duration });
  // prettier-ignore
  it.each([
    ['start included', 2, [2, 3], 1],
    ['before', 1.9, [2, 3], 0],
    ['end excluded', 5, [2, 3], 0],
    ['a hair before the start is the start', 2 - 1e-9, [2, 3], 1],
    ['a hair before the end is the end', 5 - 1e-9, [2, 3], 0],
    ['the end of the document still shows its last moment', 10, [2, 8], 1],
    ['also far past it', 99, [2, 8], 1],
    ['before the beginning is the beginning', -1, [0, 3], 1],
  ] as const)('%s', (_, time, [start, duration], expected) => {
    expect(boxesAt([part(start, duration)], time)).toHaveLength(expected);
  });

  it('a picture shows all elements at their beginning, and animations do not act', () => {
    const later = shape(
      {},
      { start: 5, duration: 1, animations: [animation('fade', { fade: true })] },
    );
    expect(boxesAt([later], 0, 0)).toMatchObject([{ opacity: 1 }]);
  });

  it('compositions have a clock of their own, loops begin again', () => {
    const child = shape({}, { start: 1, duration: 1 });
    const seen = (time: number, options: { loop?: boolean; plays?: number }) =>
      boxesAt(
        [composition({}, [child], { start: 2, duration: 8, contentDuration: 2, ...options })],
        time,
      ).length;
    expect([2.5, 3.5, 4.5, 5.5].map((time) => seen(time, {}))).toEqual([0, 1, 0, 0]);
    expect([2.5, 3.5, 4.5, 5.5, 7.5].map((time) => seen(time, { loop: true }))).toEqual([
      0, 1, 0, 1, 1,
    ]);
    expect([3.5, 5.5, 7.5].map((time) => seen(time, { loop: true, plays: 2 }))).toEqual([1, 1, 0]);
  });

  it('follows keyframes of size, place and fill', () => {
    const keys = <T>(from: T, to: T) => [
      { time: 0, value: from, easing: linear },
      { time: 2, value: to, easing: linear },
    ];
    const moving = shape(
      { width: px(20), height: px(20), x: px(10), y: px(50) },
      {
        curves: {
          x: { mix: 'length', keys: keys(px(10), px(110)) },
          width: { mix: 'length', keys: keys(px(20), px(40)) },
        },
      },
    );
    expect(outer(boxesAt([moving], 1)[0]!)).toEqual([45, 40, 30, 20]);
  });
});

describe('what is left out', () => {
  // prettier-ignore
  it.each<[string, Partial<ShapeValues>]>([
    ['hidden', { visible: false }],
    ['transparent', { opacity: 0 }],
    ['without size', { width: px(0), height: px(0) }],
    ['scaled to nothing', { xScale: 0 }],
    ['a fill of alpha 0', { fillColor: [255, 0, 0, 0] }],
  ])('%s', (_, values) => {
    expect(boxesAt([shape(values)])).toEqual([]);
  });

  it('an empty composition without fill; with fill it is drawn', () => {
    expect(boxesAt([composition({}, [])])).toEqual([]);
    expect(boxesAt([composition({ fillColor: red }, [])])).toHaveLength(1);
  });
});

describe('order and masks', () => {
  const named = (name: string, values: Partial<ShapeValues> = {}, options = {}) =>
    shape(values, { name, ...options });
  const namesAt = (elements: readonly TimelineElement[], time = 0) =>
    boxesAt(elements, time).map(({ element, mask }) =>
      mask ? `${element.name}:${mask}` : element.name,
    );
  const alpha = { maskMode: 'alpha' } as const;
  const inverted = { maskMode: 'alpha-inverted' } as const;

  // prettier-ignore
  it.each<[string, readonly TimelineElement[], string[]]>([
    ['as given', [named('a'), named('b')], ['a', 'b']],
    ['z-indexes above everything, whatever their value', [named('a', { zIndex: -5 }), named('b'), named('c', { zIndex: -9 })], ['b', 'c', 'a']],
    ['equal z-indexes as given', [named('a', { zIndex: 1 }), named('b', { zIndex: 1 })], ['a', 'b']],
    ['a mask comes after its target', [named('a'), named('m', alpha), named('b')], ['a', 'm:alpha', 'b']],
    ['and follows it through z-indexes', [named('a', { zIndex: 1 }), named('m', alpha), named('b')], ['b', 'a', 'm:alpha']],
    ['two masks share a target', [named('a'), named('m', alpha), named('n', inverted)], ['a', 'm:alpha', 'n:alpha-inverted']],
    ['a mask goes with a target that is not seen', [named('a'), named('b', { opacity: 0 }), named('m', alpha)], ['a']],
    ['a mask without anything below is not drawn', [named('m', alpha), named('a')], ['a']],
    ['an empty mask hides its target', [named('a'), named('m', { ...alpha, opacity: 0 })], []],
    ['an empty inverted mask changes nothing', [named('a'), named('m', { ...inverted, opacity: 0 })], ['a']],
    ['a hidden mask changes nothing', [named('a'), named('m', { ...alpha, visible: false })], ['a']],
  ])('%s', (_, elements, expected) => {
    expect(namesAt(elements)).toEqual(expected);
  });

  it('a mask acts on what is on in the track below it, and on nothing further down', () => {
    const elements = [
      named('back', {}, { track: 1 }),
      named('first', {}, { track: 2, start: 0, duration: 2 }),
      named('second', {}, { track: 2, start: 2, duration: 2 }),
      named('m', alpha, { track: 3 }),
    ];
    expect([1, 3, 5].map((time) => namesAt(elements, time))).toEqual([
      ['back', 'first', 'm:alpha'],
      ['back', 'second', 'm:alpha'],
      ['back'],
    ]);
  });
});

describe('flow', () => {
  const block = (width: number, height: number, values: Partial<ShapeValues> = {}) =>
    shape({ width: px(width), height: px(height), x: null, y: null, ...values });
  const childrenOf = (box: Box | undefined) => contentOf(box, 'composition').children.map(outer);

  // prettier-ignore
  it.each([
    ['downwards, centred', 'vertical', {}, [[85, 30, 30, 10], [90, 40, 20, 30]]],
    ['to the right, centred', 'horizontal', {}, [[75, 45, 30, 10], [105, 35, 20, 30]]],
    ['by alignment', 'vertical', { xAlignment: 0, yAlignment: 1 }, [[0, 60, 30, 10], [0, 70, 20, 30]]],
  ] as const)('%s', (_, flowDirection, values, expected) => {
    expect(childrenOf(boxesAt([composition({ flowDirection, ...values }, [block(30, 10), block(20, 30)])])[0])).toEqual(expected);
  });

  it('a composition without size is as large as its flowing children, padding added', () => {
    const free = composition({ width: null, height: null, xPadding: px(5), yPadding: px(3) }, [
      block(30, 10),
      block(20, 30),
    ]);
    const [box] = boxesAt([free]);
    expect(outer(box!)).toEqual([80, 27, 40, 46]);
    expect(childrenOf(box)).toEqual([
      [0, 0, 30, 10],
      [5, 10, 20, 30],
    ]);
  });

  it('texts one below the other', () => {
    const lines = ['aaaa', 'bb'].map((line) => text({ text: line, x: null, y: null }));
    const [box] = boxesAt([composition({ width: null, height: null, xAlignment: 0 }, lines)]);
    expect([outer(box!), ...childrenOf(box)]).toEqual([
      [80, 30, 40, 40],
      [0, 0, 40, 20],
      [0, 20, 20, 20],
    ]);
  });

  it('children in pixels count to their far edge; children in percent with their size', () => {
    const placed = shape({
      width: px(20),
      height: px(10),
      x: px(40),
      y: px(5),
      xAnchor: px(0),
      yAnchor: px(0),
    });
    const centred = shape({ width: px(30), height: px(40) });
    const [box] = boxesAt([composition({ width: null, height: null }, [placed, centred])]);
    expect([box!.width, box!.height]).toEqual([60, 40]);
    expect(childrenOf(box)).toEqual([
      [40, 5, 20, 10],
      [15, 0, 30, 40],
    ]);
  });

  it('percent sizes in a composition without size are of its parent', () => {
    const [box] = boxesAt([
      composition({ width: null, height: null }, [block(0, 10, { width: percent(50) })]),
    ]);
    expect([box!.width, box!.height]).toEqual([100, 10]);
  });
});

describe('paint', () => {
  const stops = [
    { offset: 0, color: red },
    { offset: 1, color: black },
  ];
  // prettier-ignore
  it.each<[string, Partial<ShapeValues>, object | null]>([
    ['solid', {}, { kind: 'solid', color: red }],
    ['linear', { fillColor: stops, fillMode: 'linear' }, { kind: 'linear', x0: 100, y0: 0, x1: 100, y1: 100, stops }],
    ['radial: the radius is of the longer side', { fillColor: stops, fillMode: 'radial', fillY0: percent(50) }, { kind: 'radial', x: 100, y: 50, radius: 100, stops }],
    ['one colour is solid in any mode', { fillMode: 'linear' }, { kind: 'solid', color: red }],
    ['stops in a solid fill: the first', { fillColor: stops }, { kind: 'solid', color: red }],
  ])('%s', (_, values, expected) => {
    expect(boxesAt([shape(values)])[0]!.fill).toEqual(expected);
  });

  it('stroke, shadow and effects, and none of them when they do nothing', () => {
    const plain = { stroke: null, shadow: null, effects: null };
    expect(boxesAt([shape({})])[0]).toMatchObject(plain);
    expect(
      boxesAt([
        shape({
          strokeColor: red,
          strokeWidth: px(0),
          shadowColor: [0, 0, 0, 0],
          colorFilter: 'sepia',
        }),
      ])[0],
    ).toMatchObject(plain);
    const [box] = boxesAt([
      shape({
        strokeColor: red,
        strokeWidth: percent(10),
        shadowColor: black,
        shadowX: percent(1),
        blurRadius: 5,
        colorFilter: 'sepia',
        colorFilterValue: 1,
      }),
    ]);
    expect(box).toMatchObject({
      stroke: { paint: { kind: 'solid' }, width: 10, start: 0, end: 1 },
      shadow: { blur: 3, x: 2, y: 0 },
      effects: { blur: 5, filter: 'sepia', filterValue: 1, overlay: null },
    });
  });

  describe("percent outlines and font sizes count of the parent's smaller side", () => {
    const outlined = { strokeColor: red, strokeWidth: percent(10) };
    const widthOf = (box: Box | undefined): number | undefined => box?.stroke?.width;
    const childrenOf = (box: Box | undefined): readonly Box[] =>
      box?.content.kind === 'composition' ? box.content.children : [];
    const sizeOf = (box: Box | undefined): number | undefined =>
      box?.content.kind === 'text' ? box.content.pieces[0]?.runs[0]?.font.size : undefined;

    it("of the document, whatever the element's own box", () => {
      const words = text({ ...outlined, text: 'ab', fontSize: percent(30), width: px(5) });
      const boxes = boxesAt([shape({ ...outlined, width: px(40), height: px(8) }), words]);
      expect(boxes.map(widthOf)).toEqual([10, 10]);
      expect(sizeOf(boxes[1])).toBe(30);
    });

    it('of a composition less its padding, and of what it has where its side follows the children', () => {
      const children = [shape(outlined), text({ text: 'ab', fontSize: percent(50) })];
      const [padded] = boxesAt([
        composition({ width: px(90), height: px(60), yPadding: px(10) }, children),
      ]);
      expect([widthOf(childrenOf(padded)[0]), sizeOf(childrenOf(padded)[1])]).toEqual([4, 20]);
      const [fitted] = boxesAt([composition({ width: px(30), height: null }, children)]);
      expect([widthOf(childrenOf(fitted)[0]), sizeOf(childrenOf(fitted)[1])]).toEqual([3, 15]);
    });

    it('under keyframes, mixed with pixels and with a parent that grows', () => {
      const curves = {
        fontSize: {
          mix: 'length',
          keys: [
            { time: 0, value: percent(20), easing: linear },
            { time: 1, value: px(40), easing: linear },
          ],
        },
      } as const;
      const words = text({ text: 'ab', fontSize: percent(20) }, { curves });
      const layout = layoutOf([words]);
      expect([0, 0.5, 1].map((time) => sizeOf(layout.frameAt(time).boxes[0]))).toEqual([
        20, 30, 40,
      ]);

      const height = {
        mix: 'length',
        keys: [
          { time: 0, value: px(10), easing: linear },
          { time: 1, value: px(50), easing: linear },
        ],
      } as const;
      const moving = composition(
        { height: px(10) },
        [
          shape({ ...outlined, width: px(5), height: px(5), y: px(0) }),
          shape({ width: px(5), height: px(5), y: px(0) }),
        ],
        { curves: { height } },
      );
      const grown = layoutOf([moving]);
      const [before, after] = [0, 1].map((time) => childrenOf(grown.frameAt(time).boxes[0]));
      expect([widthOf(before?.[0]), widthOf(after?.[0])]).toEqual([1, 5]);
    });

    it('in a parent without a size: nothing, and no error', () => {
      const children = [
        shape({ ...outlined, width: px(5), height: px(5) }),
        text({ text: 'ab cd', fontSize: percent(50) }),
        text({ text: 'ab cd', fontSize: percent(50), width: px(9), textClip: true }),
      ];
      const [box] = boxesAt([composition({ width: px(0), height: px(0) }, children)]);
      expect(widthOf(childrenOf(box)[0])).toBeUndefined();
    });
  });

  it("the document's background", () => {
    const timeline: Timeline = documentOf([]);
    const fill = { ...timeline.fill, base: { ...timeline.fill.base, fillColor: red } };
    expect(createLayout({ ...timeline, fill }, { measurer, media }).frameAt(0)).toEqual({
      width: 200,
      height: 100,
      fill: { kind: 'solid', color: red },
      boxes: [],
    });
  });
});

describe('animations', () => {
  const small = { width: px(20), height: px(20) };
  const fading = animation('fade', { fade: true });
  const growing = animation('scale', { ...whole, axis: 'both', startScale: 0, endScale: 1 });
  const sliding = animation('slide', {
    scope: 'composition',
    direction: 180,
    distance: 1,
    fixed: 'none',
    fade: false,
  });
  const at = (animations: readonly Animation[], time: number, values: Partial<ShapeValues> = {}) =>
    boxesAt([shape({ ...small, ...values }, { animations })], time)[0];

  it('multiply opacities', () => {
    expect(at([fading], 1, { opacity: 0.5 })?.opacity).toBeCloseTo(0.25);
    expect(at([fading, fading], 1)?.opacity).toBeCloseTo(0.25);
  });
  it('leave out what is faded to nothing or scaled to nothing', () => {
    expect(at([fading], 0)).toBeUndefined();
    expect(at([growing], 0)).toBeUndefined();
  });
  it('move in the parent, untouched by rotation', () => {
    expect(outer(at([sliding], 1)!)).toEqual([190, 40, 20, 20]);
    expect(outer(at([sliding], 1, { zRotation: 90 })!)).toEqual([190, 40, 20, 20]);
  });
  it('scale in box space, inside the rotation', () => {
    const sideways = animation('scale', { ...whole, axis: 'x', startScale: 0, endScale: 1 });
    expect(outer(at([sideways], 1)!)).toEqual([95, 40, 10, 20]);
    expect(outer(at([sideways], 1, { zRotation: 90 })!)).toEqual([90, 45, 20, 10]);
  });
  it('add up', () => {
    expect(outer(at([sliding, growing], 1)!)).toEqual([195, 45, 10, 10]);
  });
  it('of the content leave the box in place', () => {
    const zoom = animation('scale', {
      ...whole,
      scope: 'element',
      axis: 'both',
      startScale: 1,
      endScale: 2,
    });
    const box = at([zoom], 2)!;
    expect(outer(box)).toEqual([90, 40, 20, 20]);
    expect(box.contentTransform).toEqual([2, 0, 0, 2, -10, -10]);
  });
  it('cut', () => {
    const wipe = animation('wipe', {
      xAnchor: 0,
      startAngle: 0,
      endAngle: null,
      clip: 'both',
      fade: false,
    });
    expect(at([wipe], 1)?.clipPaths).toHaveLength(1);
    expect(at([wipe], 3)?.clipPaths).toEqual([]);
  });

  it('of text move pieces, with the finest split of all', () => {
    const byWord = animation('text-slide', {
      split: 'word',
      overlap: 0,
      order: 'default',
      direction: 'up',
      distance: 1,
      scope: 'split',
      fade: false,
    });
    const byLine = animation('text-appear', {
      split: 'line',
      overlap: 0,
      order: 'default',
      startOpacity: 0,
      fade: true,
    });
    const element = text({ text: 'aa bb\ncc' }, { animations: [byWord, byLine] });
    const { pieces } = contentOf(boxesAt([element], 1)[0], 'text');
    // Half-way: line 1 is there and line 2 is not; of the words, the second is in the middle of its third.
    expect(
      pieces.map(({ runs, opacity, transform }) => [
        runs[0]!.text,
        opacity,
        transform && transform[5],
      ]),
    ).toEqual([
      ['aa', 1, null],
      ['bb', 1, expect.closeTo(10)],
    ]);
    expect(contentOf(boxesAt([element], 2)[0], 'text').pieces).toHaveLength(1);
  });

  it('of text fade the background only when they say so', () => {
    const appear = (backgroundEffect: string) =>
      animation('text-appear', {
        split: 'word',
        overlap: 1,
        order: 'default',
        startOpacity: 0,
        fade: true,
        backgroundEffect,
      });
    const opacity = (effect: string) =>
      contentOf(
        boxesAt(
          [text({ text: 'aa bb', backgroundColor: black }, { animations: [appear(effect)] })],
          1,
        )[0],
        'text',
      ).backgrounds[0]!.opacity;
    expect([opacity('disabled'), opacity('animated')]).toEqual([1, 0.5]);
  });
});

describe('frame after frame', () => {
  const still = text({ text: 'aa bb', backgroundColor: black }, { duration: 5 });
  const linearKeys = [
    { time: 0, value: px(0), easing: linear },
    { time: 10, value: px(200), easing: linear },
  ];
  const moving = text({ text: 'cc' }, { curves: { x: { mix: 'length', keys: linearKeys } } });
  const nested = composition({}, [shape({ width: px(5) }), image({})], { duration: 8 });
  const entering = shape({}, { animations: [animation('fade', { fade: true })] });
  const elements = [still, moving, nested, entering, video({}, {}), composition({}, [moving])];

  it('unchanged elements keep their box, moving ones their content', () => {
    const layout = layoutOf([still, moving, nested, entering]);
    const [first, second] = [layout.frameAt(3), layout.frameAt(3.5)];
    expect(second.boxes[0]).toBe(first.boxes[0]);
    expect(second.boxes[1]).not.toBe(first.boxes[1]);
    expect(second.boxes[1]!.content).toBe(first.boxes[1]!.content);
    expect(second.boxes[2]).toBe(first.boxes[2]);
    expect(second.boxes[3]).toBe(first.boxes[3]);
  });

  it('a frame in which nothing moves is the last frame', () => {
    const layout = layoutOf([still, nested]);
    expect(layout.frameAt(2)).toBe(layout.frameAt(1));
  });

  it('a held video keeps its content', () => {
    const layout = layoutOf([video({}, {})]);
    expect(layout.frameAt(6)).toBe(layout.frameAt(5));
    expect(layout.frameAt(2)).not.toBe(layout.frameAt(1));
  });

  it('is the same in any order', () => {
    const times = [0, 0.5, 1, 4.99, 5, 7.3, 9.9, 10];
    const forward = layoutOf(elements);
    const frames = times.map((time) => forward.frameAt(time));
    const backward = layoutOf(elements);
    for (const [index, time] of [...times.entries()].reverse()) {
      const frame = backward.frameAt(time);
      expect(sameFrame(frame, frames[index]!), `at ${time} s`).toBe(true);
      expect(sameFrame(layoutOf(elements).frameAt(time), frame), `alone at ${time} s`).toBe(true);
    }
  });
});
