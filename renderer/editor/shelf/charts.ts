/** THE TABLE of charts on the shelf: each value is a group, and `arranged` gives it its place and length. Pure. */
import { say } from '../../ui/say.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import type { PieceContext } from '../making/pieces.ts';
import { arranged, chartColors } from './chart.ts';
import { counting, ground, label, number, onPanel, track, white } from './figure-parts.ts';
import {
  box,
  circlePath,
  drawing,
  fading,
  opening,
  placeOf,
  rising,
  stroke,
  words,
  type Area,
  type ShelfPiece,
} from './parts.ts';

/** Grows from the left or from below. */
const growing = (delay: number, axis: 'x' | 'y'): JsonObject => ({
  animations: [
    {
      ...{ type: 'scale', time: delay, duration: 0.9, easing: 'cubic-out', axis },
      ...{ start_scale: '0%', fade: false },
      ...(axis === 'x' ? { x_anchor: '0%' } : { y_anchor: '100%' }),
    },
  ],
});

const heading = ({ unit, fonts }: PieceContext, area: Area): JsonObject =>
  words(say('piece.title'), say('shelf.text.chart'), area, unit(5.4), {
    x_alignment: '0%',
    font_family: fonts.title,
    font_weight: '700',
    fill_color: white,
  });

const group = (name: string, area: Area, elements: readonly JsonObject[]): JsonObject => ({
  ...{ type: 'composition', name, ...placeOf(area), elements },
});

/** A value as it is read, and what it is called; by default the next item. */
type Given = readonly [value: string, label?: string];

/** The plot: what lies behind, and a group for each value. */
const plot = (
  area: Area,
  values: readonly Given[],
  item: (value: Given, index: number, label: string) => readonly JsonObject[],
  behind: readonly JsonObject[] = [],
  more: JsonObject = {},
): JsonObject =>
  arranged(
    group(say('shelf.part.values'), area, [
      ...behind,
      ...values.map((value, index) => {
        const called = value[1] ?? say('shelf.part.item', { number: String(index + 1) });
        const name = say('shelf.part.value', { number: String(index + 1) });
        return { ...group(name, [0, 0, 100, 100], item(value, index, called)), ...more };
      }),
    ]),
  );

const colorAt = (index: number, accent: string): string =>
  index === 0 ? onPanel(accent) : (chartColors[index - 1] ?? white);

const months = ['38', '52', '47', '70', '64', '92'].map((value, index): Given => [
  value,
  String(2021 + index),
]);

/** A line or an area from value to value, with a dot and a number at each. */
const lined = (context: PieceContext, area: Area, line: string): JsonObject => {
  const { unit, accent, fonts } = context;
  const color = onPanel(accent);
  const field: Area = [0, 0, 100, 84];
  const rgb = (opacity: number): string => `rgba(140,165,255,${opacity})`;
  return plot(
    area,
    months,
    ([value], index, called) => [
      label(called, [2, 86, 96, 14], unit(3.4)),
      group(called, field, [
        number(value, [10, 0, 80, 18], unit(3.6), {
          ...{ y_anchor: '100%', font_family: fonts.title },
          ...fading(0.4 + index * 0.12),
        }),
        {
          ...box(color, [0, 0, 100, 6.4], fading(0.2 + index * 0.12)),
          ...{
            path: circlePath,
            aspect_ratio: 1,
            stroke_color: '#12151d',
            stroke_width: unit(0.5),
          },
        },
      ]),
    ],
    [
      ...[0, 1, 2, 3].map((row) => box(track, [0, row * 28, 100, 0.5])),
      {
        ...box('', field),
        ...{ path: `${line} Z`, fill_mode: 'linear' },
        fill_color: [
          { offset: '0%', color: rgb(0.55) },
          { offset: '100%', color: rgb(0) },
        ],
        ...opening(0.2, 1.1),
      },
      stroke(line, color, unit(1), field, drawing(0.2)),
    ],
  );
};

export const charts: readonly ShelfPiece[] = [
  {
    id: 'chartBars',
    size: [80, 50],
    make: (context) => [
      ground(context.unit),
      heading(context, [6, 5, 88, 14]),
      plot([6, 22, 88, 73], [['86'], ['64'], ['48'], ['30']], ([value], index, called) => [
        label(called, [0, 20, 22, 60], context.unit(3.8), { x_alignment: '0%' }),
        group(
          called,
          [24, 24, 63, 52],
          [
            box(track, undefined, { border_radius: context.unit(1) }),
            box(colorAt(index, context.accent), undefined, {
              ...{ border_radius: context.unit(1), x: '0%', x_anchor: '0%' },
              ...growing(0.2 + index * 0.12, 'x'),
            }),
          ],
        ),
        number(value, [88, 20, 12, 60], context.unit(3.8), {
          ...{ font_family: context.fonts.title, x_alignment: '100%' },
          ...counting(1.1 + index * 0.12),
        }),
      ]),
    ],
  },
  {
    id: 'chartColumns',
    size: [76, 56],
    make: (context) => [
      ground(context.unit),
      heading(context, [6, 5, 88, 12]),
      plot(
        [6, 19, 88, 77],
        months,
        ([value], index, called) => [
          label(called, [2, 88, 96, 12], context.unit(3.4), { text_wrap: false }),
          group(
            called,
            [16, 0, 68, 86],
            [
              number(value, [0, 0, 100, 14], context.unit(4), {
                ...{ y_anchor: '100%', font_family: context.fonts.title },
                ...fading(0.5 + index * 0.1),
              }),
              box(index === 5 ? onPanel(context.accent) : 'rgba(255,255,255,0.42)', undefined, {
                ...{ border_radius: context.unit(0.8), y: '100%', y_anchor: '100%' },
                ...growing(0.2 + index * 0.1, 'y'),
              }),
            ],
          ),
        ],
        [box(track, [0, 85.6, 100, 0.6])],
      ),
    ],
  },
  {
    id: 'chartLine',
    size: [80, 50],
    make: (context) => [
      ground(context.unit),
      heading(context, [6, 5, 88, 14]),
      lined(context, [4, 21, 92, 74], 'M 0 0 L 1 1'),
    ],
  },
  {
    id: 'chartArea',
    size: [86, 44],
    make: (context) => [
      box('#0d1b3e', undefined, { border_radius: context.unit(2.4), ...fading() }),
      lined(context, [3, 6, 94, 90], 'M 0 0 C 0 0 1 1 1 1'),
    ],
  },
  {
    id: 'chartRing',
    size: [46, 52],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      plot([18, 10, 64, 56.6], [['72%']], ([value]) => [
        stroke(circlePath, track, unit(4), [6, 6, 88, 88]),
        stroke(circlePath, onPanel(accent), unit(4), [6, 6, 88, 88], drawing(0.2, '72%')),
        number(value, [20, 32, 60, 36], unit(8), { font_family: fonts.title, ...counting(1.2) }),
      ]),
      label(say('shelf.text.chart'), [8, 78, 84, 14], unit(4.4)),
    ],
  },
  {
    id: 'chartDonut',
    size: [80, 44],
    make: (context) => {
      const { unit, accent, fonts } = context;
      return [
        ground(unit),
        label(say('shelf.text.chart'), [13.5, 40, 19, 20], unit(4), {
          ...{ font_weight: '600', fill_color: white, ...fading(0.6) },
        }),
        plot([5, 10, 90, 80], [['45%'], ['30%'], ['15%'], ['10%']], ([value], index, called) => {
          const color = colorAt(index, accent);
          return [
            stroke(circlePath, color, unit(6.6), [3, 10, 39.1, 80], {
              ...drawing(0.2, '0%'),
              stroke_cap: 'butt',
            }),
            group(
              called,
              [54, 40, 46, 15],
              [
                { ...box(color, [0, 20, 9, 60], fading(0.3 + index * 0.15)), path: circlePath },
                label(called, [14, 0, 54, 100], unit(4), {
                  x_alignment: '0%',
                  ...rising(0.3 + index * 0.15),
                }),
                number(value, [70, 0, 30, 100], unit(4.4), {
                  ...{ x_alignment: '100%', font_family: fonts.title },
                  ...counting(1.2),
                }),
              ],
            ),
          ];
        }),
      ];
    },
  },
  {
    id: 'chartVersus',
    size: [80, 24],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      plot(
        [6, 10, 88, 80],
        [['62%'], ['38%']],
        ([value], index, called) => {
          const side = { x_alignment: index === 0 ? '0%' : '100%' };
          return [
            label(called, [0, 76, 100, 24], unit(3.8), side),
            number(value, [0, 0, 100, 42], unit(8), {
              ...{ ...side, font_family: fonts.title, fill_color: colorAt(index, accent) },
              ...counting(1.1),
            }),
            box(colorAt(index, accent), [0, 50, 100, 18], growing(0.2, 'x')),
          ];
        },
        [],
        { x: '0%', x_anchor: '0%' },
      ),
    ],
  },
  {
    id: 'chartStack',
    size: [86, 22],
    make: ({ unit, accent, fonts }) => [
      plot(
        [0, 0, 100, 100],
        [['50%'], ['30%'], ['20%']],
        ([value], index, called) => {
          const color = colorAt(index, accent);
          return [
            label(called, [4, 72, 92, 28], unit(4.2), {
              ...{ font_weight: '600', fill_color: white, x_alignment: '0%' },
              ...fading(0.5 + index * 0.25),
            }),
            box(color, [0, 0, 100, 66], growing(0.15 + index * 0.25, 'x')),
            number(value, [8, 12, 84, 42], unit(7), {
              ...{ font_family: fonts.title, fill_color: '#14161c' },
              ...fading(0.5 + index * 0.25),
            }),
          ];
        },
        [],
        { x: '0%', x_anchor: '0%' },
      ),
    ],
  },
];
