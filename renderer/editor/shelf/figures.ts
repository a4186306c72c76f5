/** THE TABLES of counters, progress and countdowns on the shelf. Pure. */
import { inkOn } from '../making/pieces.ts';
import { charts } from './charts.ts';
import { say } from '../../ui/say.ts';
import { counting, ground, label, number, onPanel, panel, track, white } from './figure-parts.ts';
import {
  box,
  circlePath,
  drawing,
  fading,
  opening,
  popping,
  rising,
  seenAccent,
  shadow,
  stroke,
  type Area,
  type ShelfPiece,
} from './parts.ts';

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
    size: [88, 28],
    make: ({ unit, accent, fonts }) =>
      ['24', '360', '7'].flatMap((value, index) => {
        const left = index * 34.2;
        const isMiddle = index === 1;
        return [
          box(isMiddle ? accent : panel, [left, 0, 31.6, 100], {
            ...{ border_radius: unit(2.4), ...popping(index * 0.12) },
          }),
          number(value, [left + 3, 14, 25.6, 48], unit(12), {
            ...{ font_family: fonts.title, fill_color: isMiddle ? inkOn(accent) : white },
            ...counting(1.2 + index * 0.2),
          }),
          label(itemName(index), [left + 3, 64, 25.6, 22], unit(4.2), {
            ...(isMiddle && { fill_color: inkOn(accent) }),
          }),
        ];
      }),
  },
  {
    id: 'counterGrowth',
    size: [58, 22],
    make: ({ unit, fonts }) => [
      ground(unit),
      { ...box('#16a05d', [5, 17, 25, 66], popping()), path: circlePath, aspect_ratio: 1 },
      stroke(
        'M 0 100 L 36 50 L 58 72 L 100 10 M 62 8 L 100 8 L 100 46',
        white,
        unit(1),
        [11.5, 36, 12, 28],
        {
          ...drawing(0.3),
        },
      ),
      number('+24%', [34, 14, 62, 46], unit(10), {
        ...{ x_alignment: '0%', font_family: fonts.title, ...counting() },
      }),
      label(say('shelf.text.growth'), [34, 60, 62, 24], unit(3.9), { x_alignment: '0%' }),
    ],
  },
  {
    id: 'counterScore',
    size: [72, 18],
    at: 'top',
    make: ({ unit, accent, fonts }) => [
      ...[0, 1].flatMap((side) => {
        const left = side * 63;
        return [
          box(panel, [left, 14, 37, 72], {
            ...{ border_radius: unit(1.4) },
            ...opening(0.2),
          }),
          label(itemName(side), [left + 4, 24, 29, 52], unit(4.8), {
            ...{ font_weight: '700', fill_color: white, ...fading(0.5) },
          }),
        ];
      }),
      box(accent, [36, 0, 28, 100], { border_radius: unit(1.8), ...popping() }),
      number('3 : 1', [38, 14, 24, 72], unit(9), {
        ...{ font_family: fonts.title, fill_color: inkOn(accent), ...counting(1.2) },
      }),
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
  {
    id: 'progressStory',
    size: [92, 1.6],
    at: 'top',
    make: ({ unit }) =>
      [0, 1, 2, 3].flatMap((index) => {
        const area: Area = [index * 25.4, 0, 23.8, 100];
        const round = { border_radius: unit(0.8) };
        return [
          box('rgba(255,255,255,0.35)', area, { ...round, ...shadow(unit) }),
          {
            ...box('#ffffff', area, round),
            ...{ x: `${area[0]}%`, x_anchor: '0%' },
            width: [
              { time: `${index * 25}%`, value: '0%' },
              { time: `${index * 25 + 25}%`, value: '23.8%', easing: 'linear' },
            ],
          },
        ];
      }),
  },
  {
    id: 'progressLoader',
    size: [22, 22],
    make: ({ unit, accent, ink }) => [
      stroke(circlePath, ink === white ? track : 'rgba(20,22,28,0.15)', unit(2), [8, 8, 84, 84]),
      stroke(circlePath, seenAccent({ accent, ink }), unit(2), [8, 8, 84, 84], {
        stroke_end: '28%',
        stroke_offset: [
          { time: 'start', value: '0%' },
          { time: 'end', value: '400%', easing: 'linear' },
        ],
      }),
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
      stroke('M 50 100 L 50 0', '#2a2620', unit(0.9), [48, 6, 4, 44], {
        ...{ y: '50%', x_anchor: '50%', y_anchor: '100%' },
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
  {
    id: 'countdownGo',
    size: [60, 44],
    make: ({ unit, fonts, letters }) => {
      const texts = ['3', '2', '1', say('shelf.text.go')];
      const shrinking = texts.flatMap((_, time) => [
        { time, value: '200%', easing: 'steps(1)' },
        { time: time + 0.4, value: '100%', easing: 'quintic-out' },
      ]);
      return [
        {
          ...number('3', [20, 10, 60, 80], unit(30), {
            ...{ font_family: fonts.title, font_weight: '900', ...letters },
          }),
          text: texts.map((value, time) => ({ time, value })),
          ...{ x_scale: shrinking, y_scale: shrinking },
        },
      ];
    },
  },
];

export const figures = [
  { id: 'counters', pieces: counters },
  { id: 'progress', pieces: progress },
  { id: 'countdowns', pieces: countdowns },
  { id: 'charts', pieces: charts },
] as const;
