/**
 * THE TABLES of counters, progress, countdowns and charts on the shelf. A value is a width, a height or a line's end.
 */
import { inkOn } from '../making/pieces.ts';
import { say } from '../../ui/say.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import {
  box,
  circlePath,
  drawing,
  fading,
  opening,
  rising,
  seenAccent,
  stroke,
  words,
  type Area,
  type ShelfPiece,
} from './parts.ts';

const panel = 'rgba(12,14,20,0.9)';
const white = '#ffffff';
const soft = '#c6ccd8';
const track = 'rgba(255,255,255,0.18)';
/** Beside the accent, colours that stand apart from it and from each other on the panel. */
const others = ['#f2b134', '#3fc1a5', '#ef6f6c', '#b9a5ff'] as const;

/** On a dark panel a dark accent would not be seen. */
const onPanel = (accent: string): string => seenAccent({ accent, ink: white });

const ground = (unit: (of: number) => string): JsonObject =>
  box(panel, undefined, { border_radius: unit(2.4), ...fading() });
const number = (text: string, area: Area, size: string, more: JsonObject): JsonObject =>
  words(say('shelf.part.number'), text, area, size, {
    font_weight: '800',
    text_wrap: false,
    fill_color: white,
    ...more,
  });
const label = (text: string, area: Area, size: string, more: JsonObject = {}): JsonObject =>
  words(say('piece.label'), text, area, size, {
    font_family: 'Inter',
    font_weight: '500',
    fill_color: soft,
    ...more,
  });
const counting = (seconds = 1.6, direction: 'up' | 'down' = 'up'): JsonObject => ({
  animations: [
    {
      type: 'text-counter',
      time: 0,
      duration: seconds,
      direction,
      easing: direction === 'up' ? 'cubic-out' : 'linear',
      fade: false,
    },
  ],
});
/** Grows from one side to its own width or height. */
const growing = (delay: number, axis: 'x' | 'y'): JsonObject => ({
  animations: [
    {
      ...{
        type: 'scale',
        time: delay,
        duration: 0.9,
        easing: 'cubic-out',
        axis,
        start_scale: '0%',
        fade: false,
      },
      ...(axis === 'x' ? { x_anchor: '0%' } : { y_anchor: '100%' }),
    },
  ],
});
const named = (name: string, element: JsonObject): JsonObject => ({ ...element, name });
const valueName = (index: number): string => say('shelf.part.value', { number: String(index + 1) });
const itemName = (index: number): string => say('shelf.part.item', { number: String(index + 1) });

const counters: readonly ShelfPiece[] = [
  {
    id: 'counterBig',
    size: [70, 30],
    make: ({ unit, letters, fonts }) => [
      number('12,500', [0, 0, 100, 66], unit(18), {
        font_family: fonts.title,
        ...letters,
        ...counting(),
      }),
      label(say('shelf.text.happy'), [0, 68, 100, 28], unit(5.4), { ...letters, ...rising(0.3) }),
    ],
  },
  {
    id: 'counterPanel',
    size: [44, 28],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      box(onPanel(accent), [8, 12, 14, 4], { border_radius: unit(0.5), ...opening() }),
      number('98%', [8, 22, 84, 44], unit(13), {
        x_alignment: '0%',
        font_family: fonts.title,
        ...counting(),
      }),
      label(say('shelf.text.satisfied'), [8, 68, 84, 22], unit(4.2), { x_alignment: '0%' }),
    ],
  },
  {
    id: 'counterThree',
    size: [86, 24],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      ...['24', '360', '7'].flatMap((value, index) => [
        number(value, [3 + index * 32, 16, 30, 44], unit(11), {
          font_family: fonts.title,
          fill_color: index === 1 ? onPanel(accent) : white,
          ...counting(1.2 + index * 0.2),
        }),
        label(itemName(index), [3 + index * 32, 62, 30, 22], unit(4)),
      ]),
      box(track, [33.6, 24, 0.4, 52]),
      box(track, [65.8, 24, 0.4, 52]),
    ],
  },
];

const progress: readonly ShelfPiece[] = [
  {
    id: 'progressTop',
    size: 'whole',
    make: ({ unit, accent }) => [
      {
        ...box(accent, [0, 0, 100, 1.6]),
        x: '0%',
        y: '0%',
        x_anchor: '0%',
        y_anchor: '0%',
        height: unit(1.6),
        width: [
          { time: 'start', value: '0%' },
          { time: 'end', value: '100%', easing: 'linear' },
        ],
      },
    ],
  },
  {
    id: 'progressRound',
    size: [76, 5],
    at: 'bottom',
    make: ({ unit, accent }) => [
      box(panel, undefined, { border_radius: unit(2.5) }),
      {
        ...box(onPanel(accent), [1.2, 18, 97.6, 64], { border_radius: unit(1.6) }),
        animations: [{ type: 'wipe', x_anchor: '0%', easing: 'linear', fade: false }],
      },
    ],
  },
  {
    id: 'progressRing',
    size: [16, 16],
    at: 'corner',
    make: ({ unit, accent }) => [
      stroke(circlePath, panel, unit(2.6), [9, 9, 82, 82]),
      stroke(circlePath, onPanel(accent), unit(1.6), [9, 9, 82, 82], {
        stroke_end: [
          { time: 'start', value: '0%' },
          { time: 'end', value: '100%', easing: 'linear' },
        ],
      }),
    ],
  },
  {
    id: 'progressSteps',
    size: [80, 12],
    make: ({ unit, accent, fonts }) => [
      box(panel, undefined, { border_radius: unit(6) }),
      ...[0, 1, 2, 3].map((index) =>
        box(index < 3 ? track : 'rgba(0,0,0,0)', [12.5 + index * 23.3, 47, 23.3, 6], {}),
      ),
      ...[0, 1, 2].map((index) =>
        box(onPanel(accent), [12.5 + index * 23.3, 47, 23.3, 6], opening(0.4 + index * 0.5, 0.5)),
      ),
      ...[0, 1, 2, 3].flatMap((index) => [
        {
          ...box(onPanel(accent), [7 + index * 23.3, 13.5, 11, 73], fading(0.2 + index * 0.5)),
          path: circlePath,
        },
        number(String(index + 1), [8 + index * 23.3, 24, 9, 52], unit(4.6), {
          font_family: fonts.title,
          fill_color: inkOn(onPanel(accent)),
          ...fading(0.3 + index * 0.5),
        }),
      ]),
    ],
  },
];

const countdowns: readonly ShelfPiece[] = [
  {
    id: 'countdownRing',
    size: [44, 44],
    make: ({ unit, accent, fonts }) => [
      { ...box(panel, [3, 3, 94, 94]), path: circlePath },
      stroke(circlePath, track, unit(2), [6, 6, 88, 88]),
      stroke(circlePath, onPanel(accent), unit(2), [6, 6, 88, 88], {
        stroke_end: [
          { time: 'start', value: '100%' },
          { time: 5, value: '0%', easing: 'linear' },
        ],
      }),
      number('5', [22, 22, 56, 56], unit(24), { font_family: fonts.title, ...counting(5, 'down') }),
    ],
  },
  {
    id: 'countdownBox',
    size: [46, 26],
    make: ({ unit, accent }) => [
      ground(unit),
      label(say('shelf.text.starts'), [8, 8, 84, 24], unit(4.6)),
      number('10', [8, 32, 84, 56], unit(17), {
        font_family: 'Roboto Mono',
        fill_color: onPanel(accent),
        ...counting(10, 'down'),
      }),
    ],
  },
  {
    id: 'countdownFilm',
    size: [56, 56],
    make: ({ unit }) => [
      { ...box('#efe7d6', [2, 2, 96, 96]), path: circlePath },
      stroke('M 50 0 L 50 100 M 0 50 L 100 50', '#2a2620', unit(0.4), [4, 4, 92, 92]),
      stroke(circlePath, '#2a2620', unit(0.7), [8, 8, 84, 84]),
      stroke(circlePath, '#2a2620', unit(0.7), [14, 14, 72, 72]),
      stroke('M 50 50 L 50 0', '#2a2620', unit(0.9), [6, 6, 88, 88], {
        x_anchor: '50%',
        y_anchor: '50%',
        z_rotation: [
          { time: 0, value: '0°' },
          { time: 3, value: '1080°', easing: 'linear' },
        ],
      }),
      number('3', [28, 24, 44, 52], unit(30), {
        font_family: 'Bebas Neue',
        fill_color: '#2a2620',
        ...counting(3, 'down'),
      }),
    ],
  },
];

const heading = (area: Area, size: string, family: string): JsonObject =>
  words(say('piece.title'), say('shelf.text.chart'), area, size, {
    x_alignment: '0%',
    font_family: family,
    font_weight: '700',
    fill_color: white,
  });

/** Values that a chart begins with, in percent of its longest. */
const values = [86, 64, 48, 30] as const;

const charts: readonly ShelfPiece[] = [
  {
    id: 'chartBars',
    size: [80, 50],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      heading([6, 5, 88, 14], unit(5.4), fonts.title),
      ...values.flatMap((value, index) => {
        const top = 24 + index * 18;
        return [
          label(itemName(index), [6, top, 22, 12], unit(3.8), { x_alignment: '0%' }),
          {
            type: 'composition',
            ...{ x: '59%', y: `${top + 6}%`, width: '58%', height: '9%' },
            elements: [
              box(track, undefined, { border_radius: unit(1) }),
              named(valueName(index), {
                ...box(index === 0 ? onPanel(accent) : (others[index - 1] ?? white), undefined, {
                  border_radius: unit(1),
                }),
                ...{ x: '0%', x_anchor: '0%', width: `${value}%` },
                ...growing(0.2 + index * 0.12, 'x'),
              }),
            ],
          },
          number(`${value}`, [89, top, 8, 12], unit(3.8), {
            font_family: fonts.title,
            ...fading(0.6 + index * 0.12),
          }),
        ];
      }),
    ],
  },
  {
    id: 'chartColumns',
    size: [76, 56],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      heading([6, 5, 88, 12], unit(5.4), fonts.title),
      ...[38, 52, 47, 70, 92].flatMap((value, index) => [
        {
          type: 'composition',
          ...{ x: `${14 + index * 18}%`, y: '52%', width: '11%', height: '60%' },
          elements: [
            named(valueName(index), {
              ...box(index === 4 ? onPanel(accent) : 'rgba(255,255,255,0.42)', undefined, {
                border_radius: unit(0.8),
              }),
              ...{ y: '100%', y_anchor: '100%', height: `${value}%` },
              ...growing(0.2 + index * 0.1, 'y'),
            }),
          ],
        },
        label(`${2022 + index}`, [6 + index * 18, 85, 16, 9], unit(3.8)),
      ]),
      box(track, [6, 82.4, 88, 0.6]),
    ],
  },
  {
    id: 'chartRing',
    size: [46, 52],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      stroke(circlePath, track, unit(4), [18, 10, 64, 56.6]),
      named(
        valueName(0),
        stroke(circlePath, onPanel(accent), unit(4), [18, 10, 64, 56.6], drawing(0.2, '72%')),
      ),
      number('72%', [27, 25, 46, 26], unit(8), { font_family: fonts.title, ...counting(1.2) }),
      label(say('shelf.text.chart'), [8, 78, 84, 14], unit(4.4)),
    ],
  },
  {
    id: 'chartLine',
    size: [80, 50],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      heading([6, 5, 88, 14], unit(5.4), fonts.title),
      ...[0, 1, 2].map((index) => box(track, [6, 30 + index * 24, 88, 0.6])),
      {
        type: 'shape',
        ...{ x: '50%', y: '56%', width: '88%', height: '58%' },
        path: 'M 0 84 L 20 62 L 40 70 L 60 38 L 80 44 L 100 10 L 100 100 L 0 100 Z',
        fill_mode: 'linear',
        fill_color: [
          { offset: '0%', color: 'rgba(140,165,255,0.5)' },
          { offset: '100%', color: 'rgba(140,165,255,0)' },
        ],
        ...opening(0.2, 1.1),
      },
      named(
        valueName(0),
        stroke(
          'M 0 84 L 20 62 L 40 70 L 60 38 L 80 44 L 100 10',
          onPanel(accent),
          unit(1),
          [6, 27, 88, 58],
          drawing(0.2),
        ),
      ),
      { ...box(white, [92.6, 30.6, 2.8, 4.5], fading(1.1)), path: circlePath },
    ],
  },
  {
    id: 'chartVersus',
    size: [80, 24],
    make: ({ unit, accent, fonts }) => [
      ground(unit),
      number('62%', [6, 8, 30, 40], unit(8), {
        x_alignment: '0%',
        font_family: fonts.title,
        fill_color: onPanel(accent),
      }),
      number('38%', [64, 8, 30, 40], unit(8), {
        x_alignment: '100%',
        font_family: fonts.title,
        fill_color: others[0],
      }),
      box(others[0], [6, 54, 88, 14], { border_radius: unit(1.6) }),
      {
        type: 'composition',
        ...{ x: '50%', y: '61%', width: '88%', height: '14%' },
        elements: [
          named(valueName(0), {
            ...box(onPanel(accent), undefined, { border_radius: unit(1.6) }),
            ...{ x: '0%', x_anchor: '0%', width: '62%' },
            ...growing(0.2, 'x'),
          }),
        ],
      },
      label(itemName(0), [6, 74, 40, 18], unit(3.8), { x_alignment: '0%' }),
      label(itemName(1), [54, 74, 40, 18], unit(3.8), { x_alignment: '100%' }),
    ],
  },
];

export const figures = [
  { id: 'counters', pieces: counters },
  { id: 'progress', pieces: progress },
  { id: 'countdowns', pieces: countdowns },
  { id: 'charts', pieces: charts },
] as const;
