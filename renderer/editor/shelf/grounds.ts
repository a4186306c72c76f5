/** THE TABLES of dividers, frames and moving backgrounds on the shelf. Pure. */
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import { inkOn } from '../making/pieces.ts';
import {
  box,
  circlePath,
  drawing,
  fading,
  opening,
  seenAccent,
  shadow,
  starPath,
  stroke,
  type ShelfPiece,
} from './parts.ts';
import { masks } from './masks.ts';

const dividers: readonly ShelfPiece[] = [
  {
    id: 'dividerLine',
    size: [76, 2],
    make: ({ accent, unit, ink }) => [
      box(seenAccent({ accent, ink }), [0, 20, 100, 60], {
        border_radius: unit(0.6),
        ...opening(),
      }),
    ],
  },
  {
    id: 'dividerFading',
    size: [84, 2],
    make: ({ ink }) => [
      {
        ...box(ink, [0, 30, 100, 40]),
        ...{ fill_mode: 'linear', fill_x0: '0%', fill_y0: '50%', fill_x1: '100%', fill_y1: '50%' },
        fill_color: [
          { offset: '0%', color: ink === '#ffffff' ? 'rgba(255,255,255,0)' : 'rgba(20,22,28,0)' },
          { offset: '50%', color: ink },
          { offset: '100%', color: ink === '#ffffff' ? 'rgba(255,255,255,0)' : 'rgba(20,22,28,0)' },
        ],
        ...fading(),
      },
    ],
  },
  {
    id: 'dividerDots',
    size: [40, 4],
    make: ({ accent, ink }) =>
      Array.from({ length: 5 }, (_, index): JsonObject => ({
        ...box(seenAccent({ accent, ink }), [4 + index * 21, 20, 6, 60], fading(index * 0.1)),
        path: circlePath,
      })),
  },
  {
    id: 'dividerWave',
    size: [76, 6],
    make: ({ accent, unit, ink }) => [
      stroke(
        `M 0 50 ${Array.from({ length: 8 }, (_, index) => {
          const [from, up] = [index * 12.5, index % 2 === 0 ? 0 : 100];
          return `C ${from + 4} ${up} ${from + 8.5} ${up} ${from + 12.5} 50`;
        }).join(' ')}`,
        seenAccent({ accent, ink }),
        unit(0.9),
        [1, 12, 98, 76],
        drawing(),
      ),
    ],
  },
  {
    id: 'dividerDiamond',
    size: [70, 5],
    make: ({ ink, accent, unit }) => [
      stroke('M 100 50 L 0 50', ink, unit(0.35), [0, 0, 44, 100], drawing()),
      {
        ...box(seenAccent({ accent, ink }), [46.5, 1, 7, 98], fading()),
        path: 'M 50 0 L 100 50 L 50 100 L 0 50 Z',
      },
      stroke('M 0 50 L 100 50', ink, unit(0.35), [56, 0, 44, 100], drawing()),
    ],
  },
  {
    id: 'dividerZigzag',
    size: [76, 4],
    make: ({ accent, unit, ink }) => [
      stroke(
        `M 0 100 ${Array.from({ length: 16 }, (_, index) => `L ${(index + 1) * 6.25} ${index % 2 === 0 ? 0 : 100}`).join(' ')}`,
        seenAccent({ accent, ink }),
        unit(0.8),
        [1, 12, 98, 76],
        drawing(),
      ),
    ],
  },
  {
    id: 'dividerArrows',
    size: [44, 6],
    make: ({ accent, unit, ink }) =>
      Array.from({ length: 5 }, (_, index): JsonObject => ({
        ...stroke('M 0 0 L 100 50 L 0 100', seenAccent({ accent, ink }), unit(1), [
          ...([4 + index * 20, 16, 8, 68] as const),
        ]),
        opacity: `${36 + index * 16}%`,
        ...fading(index * 0.12),
      })),
  },
];

/** Cut out of the whole frame, a rectangle of which stays free. */
const cut = (x: number, y: number): string =>
  `M 0 0 L 100 0 L 100 100 L 0 100 Z M ${x} ${y} L ${x} ${100 - y} L ${100 - x} ${100 - y} L ${100 - x} ${y} Z`;
const corner = 'M 0 100 L 0 0 L 100 0';

const frames: readonly ShelfPiece[] = [
  {
    id: 'frameThin',
    size: 'whole',
    make: ({ ink, unit }) => [
      stroke('M 0 0 L 100 0 L 100 100 L 0 100 Z', ink, unit(0.6), [4, 4, 92, 92], drawing()),
    ],
  },
  {
    id: 'frameCorners',
    size: 'whole',
    make: ({ accent, unit, ink }) =>
      (
        [
          ['5%', '5%', 0],
          ['95%', '5%', 90],
          ['95%', '95%', 180],
          ['5%', '95%', 270],
        ] as const
      ).map(([x, y, turn]): JsonObject => ({
        ...stroke(corner, seenAccent({ accent, ink }), unit(1.2)),
        ...{ x, y, x_anchor: '0%', y_anchor: '0%', width: unit(14), height: unit(14) },
        z_rotation: `${turn}°`,
        ...fading(),
      })),
  },
  {
    id: 'frameWhite',
    size: 'whole',
    make: () => [{ ...box('#ffffff'), path: cut(4, 4), ...fading() }],
  },
  {
    id: 'frameInstant',
    size: 'whole',
    make: () => [
      {
        ...box('#ffffff'),
        path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z M 5 5 L 5 82 L 95 82 L 95 5 Z',
        ...fading(),
      },
    ],
  },
  {
    id: 'frameCinema',
    size: 'whole',
    make: () =>
      (['0%', '100%'] as const).map((edge): JsonObject => ({
        ...box('#000000'),
        ...{ y: edge, y_anchor: edge },
        height: [
          { time: 0, value: '0%' },
          { time: 0.9, value: '11%', easing: 'cubic-out' },
        ],
      })),
  },
  {
    id: 'frameVignette',
    size: 'whole',
    make: () => [
      {
        ...box('#000000'),
        ...{ fill_mode: 'radial', fill_x0: '50%', fill_y0: '50%', fill_radius: '72%' },
        fill_color: [
          { offset: '0%', color: 'rgba(0,0,0,0)' },
          { offset: '55%', color: 'rgba(0,0,0,0)' },
          { offset: '100%', color: 'rgba(0,0,0,0.85)' },
        ],
      },
    ],
  },
  {
    id: 'frameFinder',
    size: 'whole',
    make: ({ unit }) => [
      ...[
        ['6%', '7%', 0],
        ['94%', '7%', 90],
        ['94%', '93%', 180],
        ['6%', '93%', 270],
      ].map(([x = 0, y = 0, turn = 0]): JsonObject => ({
        ...stroke(corner, '#ffffff', unit(0.6)),
        ...shadow(unit),
        ...{ x, y, x_anchor: '0%', y_anchor: '0%', width: unit(9), height: unit(9) },
        z_rotation: `${turn}°`,
      })),
      stroke('M 50 0 L 50 100 M 0 50 L 100 50', 'rgba(255,255,255,0.8)', unit(0.35), undefined, {
        width: unit(6),
        height: unit(6),
        ...shadow(unit),
      }),
      {
        ...box('#ff2d3f'),
        ...{ path: circlePath, x: '12%', y: '13%', width: unit(2.6), height: unit(2.6) },
        opacity: [0, 1, 2, 3, 4].flatMap((at): Json[] => [
          { time: at, value: '100%', easing: 'steps(1)' },
          { time: at + 0.5, value: '0%', easing: 'steps(1)' },
        ]),
      },
    ],
  },
];

/** There and back within the time of the film, so that it can be repeated. */
const swaying = (from: string, to: string): Json => [
  { time: 'start', value: from },
  { time: '50%', value: to, easing: 'sinusoid-in-out' },
  { time: 'end', value: from, easing: 'sinusoid-in-out' },
];

/** A soft spot of colour that drifts. */
const spot = (
  color: string,
  x: readonly [string, string],
  y: readonly [string, string],
  size: number,
  unit: (of: number) => string,
): JsonObject => ({
  type: 'shape',
  path: circlePath,
  ...{
    x: swaying(...x),
    y: swaying(...y),
    x_anchor: '50%',
    y_anchor: '50%',
    width: unit(size),
    height: unit(size),
  },
  ...{ fill_mode: 'radial', fill_x0: '50%', fill_y0: '50%', fill_radius: '50%' },
  fill_color: [
    { offset: '0%', color },
    { offset: '100%', color: `${color}00` },
  ],
});

/** Lines from the middle outwards. */
const rays = Array.from({ length: 14 }, (_, index) => {
  const at = (turn: number): string => {
    const angle = (turn * Math.PI) / 14;
    return `${(50 + 50 * Math.sin(angle)).toFixed(2)} ${(50 - 50 * Math.cos(angle)).toFixed(2)}`;
  };
  return `M 50 50 L ${at(index * 2)} L ${at(index * 2 + 1)} Z`;
}).join(' ');

const hill = (height: number): string =>
  `M 0 100 L 0 ${height} C 12 ${height - 30} 25 ${height - 30} 37.5 ${height} C 50 ${height + 30} 62 ${height + 30} 75 ${height} C 83 ${height - 22} 92 ${height - 28} 100 ${height - 16} L 100 100 Z`;

/** A grid of dots in one path. */
const dots = Array.from({ length: 12 * 20 }, (_, index) => {
  const [x, y] = [(index % 20) * 5 + 1.5, Math.floor(index / 20) * 8.4 + 2];
  return `M ${x} ${y} a 1 1.8 0 1 0 2 0 a 1 1.8 0 1 0 -2 0 Z`;
}).join(' ');

const backgrounds: readonly ShelfPiece[] = [
  {
    id: 'groundSunset',
    size: 'whole',
    make: ({ unit }) => [
      box('#3b1d60'),
      spot('#ff7a59', ['15%', '45%'], ['90%', '70%'], 150, unit),
      spot('#f2447c', ['85%', '60%'], ['60%', '95%'], 130, unit),
      spot('#5b3df0', ['70%', '40%'], ['0%', '20%'], 120, unit),
    ],
  },
  {
    id: 'groundOcean',
    size: 'whole',
    make: ({ unit }) => [
      box('#062a4f'),
      spot('#11a8cd', ['20%', '60%'], ['20%', '40%'], 140, unit),
      spot('#1be3b4', ['90%', '60%'], ['100%', '75%'], 120, unit),
      spot('#2447d8', ['10%', '30%'], ['100%', '80%'], 120, unit),
    ],
  },
  {
    id: 'groundLight',
    size: 'whole',
    make: ({ unit }) => [
      box('#f6f1ea'),
      spot('#ffd9b8', ['20%', '50%'], ['20%', '45%'], 140, unit),
      spot('#cfe3ff', ['85%', '55%'], ['90%', '60%'], 140, unit),
    ],
  },
  {
    id: 'groundRays',
    size: 'whole',
    make: ({ accent }) => [
      box(accent),
      {
        ...box('rgba(255,255,255,0.14)'),
        ...{ path: rays, width: '240 vmax', height: '240 vmax' },
        z_rotation: [
          { time: 'start', value: '0°' },
          { time: 'end', value: '51.43°', easing: 'linear' },
        ],
      },
    ],
  },
  {
    id: 'groundStripes',
    size: 'whole',
    make: ({ accent }) => [
      box(accent),
      {
        ...box('rgba(255,255,255,0.13)'),
        path: Array.from({ length: 14 }, (_, index) => {
          const left = index * 10 - 20;
          return `M ${left} 100 L ${left + 20} 0 L ${left + 25} 0 L ${left + 5} 100 Z`;
        }).join(' '),
        x: [
          { time: 'start', value: '45%' },
          { time: 'end', value: '65%', easing: 'linear' },
        ],
        width: '120%',
      },
    ],
  },
  {
    id: 'groundWaves',
    size: 'whole',
    make: () => [
      box('#0d1b3e'),
      ...(
        [
          [52, '#1c3d7a', '40%', '60%'],
          [66, '#2a62b8', '58%', '42%'],
          [80, '#46a0e6', '44%', '58%'],
        ] as const
      ).map(([height, color, from, to]): JsonObject => ({
        ...box(color),
        ...{ path: hill(height), width: '150%', x: swaying(from, to) },
      })),
    ],
  },
  {
    id: 'groundConfetti',
    size: 'whole',
    make: ({ unit }) => [
      box('#fff6e6'),
      ...Array.from({ length: 44 }, (_, index): JsonObject => {
        const left = (index * 61.8) % 100;
        const top = index * 2.3;
        const colors = ['#ff5d5d', '#ffb400', '#26b99a', '#3d7bff', '#b45bff'];
        return {
          ...box(colors[index % 5] ?? '#ff5d5d', undefined, { border_radius: unit(0.4) }),
          ...{
            x: `${left.toFixed(1)}%`,
            width: unit(3 + (index % 3)),
            height: unit(5.5 + (index % 3) * 1.5),
          },
          y: [
            { time: 'start', value: `${top - 14}%` },
            { time: 'end', value: `${top + 14}%`, easing: 'linear' },
          ],
          z_rotation: [
            { time: 'start', value: `${(index * 47) % 360}°` },
            {
              time: 'end',
              value: `${((index * 47) % 360) + (index % 2 === 0 ? 300 : -300)}°`,
              easing: 'linear',
            },
          ],
        };
      }),
    ],
  },
  {
    id: 'groundBokeh',
    size: 'whole',
    make: ({ unit }) => [
      box('#1a1030'),
      spot('#4a1f6b', ['30%', '50%'], ['20%', '50%'], 170, unit),
      ...Array.from({ length: 22 }, (_, index): JsonObject => {
        const [left, top] = [(index * 61.8 + 8) % 100, (index * 38.2 + 15) % 100];
        const colors = ['#ffd28a', '#ff9d6e', '#f7b7e0', '#9fd0ff'];
        return {
          ...box(colors[index % 4] ?? '#ffd28a'),
          ...{
            path: circlePath,
            width: unit(6 + ((index * 7) % 15)),
            height: unit(6 + ((index * 7) % 15)),
          },
          ...{ opacity: `${14 + ((index * 5) % 22)}%`, blend_mode: 'screen' },
          x: swaying(`${left}%`, `${left + (index % 2 === 0 ? 7 : -7)}%`),
          y: swaying(`${top}%`, `${top - 9}%`),
        };
      }),
    ],
  },
  {
    id: 'groundGrid',
    size: 'whole',
    make: ({ unit }) => [
      {
        ...box(''),
        fill_mode: 'linear',
        fill_color: [
          { offset: '0%', color: '#120a2e' },
          { offset: '52%', color: '#5a1a6e' },
          { offset: '60%', color: '#ff5f9e' },
          { offset: '60.1%', color: '#0d0722' },
        ],
      },
      {
        ...box(''),
        ...{ path: circlePath, y: '60%', y_anchor: '100%', width: unit(46), height: unit(46) },
        fill_mode: 'linear',
        fill_color: [
          { offset: '0%', color: '#ffe66d' },
          { offset: '100%', color: '#ff4f8b' },
        ],
      },
      box('#0d0722', [0, 60, 100, 40]),
      stroke(
        Array.from({ length: 21 }, (_, index) => `M 50 0 L ${index * 20 - 150} 100`).join(' '),
        '#ff5fc4',
        unit(0.25),
        [0, 60, 100, 40],
        { clip: true },
      ),
      ...Array.from({ length: 6 }, (_, index): JsonObject => {
        const at = (step: number): string => `${60 + 40 * (step / 6) ** 2.4}%`;
        return {
          ...box('#ff5fc4', [0, 60, 100, 1]),
          height: unit(0.25),
          y: [0, 25, 50, 75].flatMap((from): Json[] => [
            { time: `${from}%`, value: at(index), easing: 'steps(1)' },
            { time: `${from + 24.9}%`, value: at(index + 1), easing: 'linear' },
          ]),
        };
      }),
    ],
  },
  {
    id: 'groundDots',
    size: 'whole',
    make: ({ accent }) => [
      box(accent),
      {
        ...box(inkOn(accent) === '#ffffff' ? 'rgba(255,255,255,0.2)' : 'rgba(20,22,28,0.16)'),
        ...{ width: '130%', height: '130%', z_rotation: '18°', path: dots },
        x: swaying('47%', '53%'),
        y: swaying('52%', '48%'),
      },
    ],
  },
  {
    id: 'groundStars',
    size: 'whole',
    make: ({ unit }) => [
      {
        ...box(''),
        fill_mode: 'linear',
        fill_color: [
          { offset: '0%', color: '#060b22' },
          { offset: '100%', color: '#253a78' },
        ],
      },
      ...Array.from({ length: 46 }, (_, index): JsonObject => {
        const size = unit(0.5 + ((index * 13) % 10) / 9);
        const phase = (index * 0.37) % 2;
        return {
          ...box('#ffffff'),
          ...{ path: index % 6 === 0 ? starPath(4, 12) : circlePath },
          x: `${((index * 61.8 + 4) % 100).toFixed(1)}%`,
          y: `${((index * 27.7 + 9) % 100).toFixed(1)}%`,
          ...(index % 6 === 0
            ? { width: unit(3), height: unit(3) }
            : { width: size, height: size }),
          opacity: [0, 1, 2, 3].flatMap((turn): Json[] => [
            { time: phase + turn * 2, value: '95%', easing: 'sinusoid-in-out' },
            { time: phase + turn * 2 + 1, value: '30%', easing: 'sinusoid-in-out' },
          ]),
        };
      }),
    ],
  },
];

export const grounds = [
  { id: 'dividers', pieces: dividers },
  { id: 'frames', pieces: frames },
  { id: 'masks', pieces: masks },
  { id: 'backgrounds', pieces: backgrounds },
] as const;
