/** THE TABLES of lower thirds, callouts and badges on the shelf. Pure. */
import { inkOn } from '../making/pieces.ts';
import { say } from '../../ui/say.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
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
  starPath,
  stroke,
  words,
  type Area,
  type ShelfPiece,
} from './parts.ts';
import { shapePaths } from './shapes.ts';

const panel = 'rgba(12,14,20,0.88)';
const white = '#ffffff';
const dark = '#14161c';

const nameLine = (area: Area, size: string, more: JsonObject): JsonObject =>
  words(say('piece.lowerThird.namePart'), say('piece.lowerThird.name'), area, size, {
    x_alignment: '0%',
    font_weight: '700',
    ...more,
  });
const roleLine = (area: Area, size: string, more: JsonObject): JsonObject =>
  words(say('piece.lowerThird.rolePart'), say('piece.lowerThird.role'), area, size, {
    x_alignment: '0%',
    font_weight: '500',
    ...more,
  });
const label = (text: string, area: Area, size: string, more: JsonObject): JsonObject =>
  words(say('piece.label'), text, area, size, { font_weight: '800', ...more });

const lowerThirds: readonly ShelfPiece[] = [
  {
    id: 'lowerPanel',
    size: [66, 16],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      box(panel, undefined, { border_radius: unit(1.4), ...opening() }),
      box(accent, [0, 0, 2.4, 100], fading()),
      nameLine([7, 12, 88, 44], unit(5.6), {
        font_family: fonts.title,
        fill_color: white,
        ...rising(0.3),
      }),
      roleLine([7, 56, 88, 32], unit(3.8), {
        font_family: fonts.text,
        fill_color: '#d5d9e2',
        ...rising(0.42),
      }),
    ],
  },
  {
    id: 'lowerBlocks',
    size: [62, 17],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      box(accent, [0, 0, 86, 58], opening()),
      nameLine([5, 6, 76, 46], unit(5.8), {
        font_family: fonts.title,
        fill_color: inkOn(accent),
        ...rising(0.3),
      }),
      box(white, [0, 58, 64, 42], opening(0.2)),
      roleLine([5, 63, 56, 32], unit(3.8), {
        font_family: fonts.text,
        fill_color: dark,
        ...rising(0.45),
      }),
    ],
  },
  {
    id: 'lowerLine',
    size: [64, 17],
    at: 'low',
    make: ({ unit, accent, ink, letters, fonts }) => [
      box(seenAccent({ accent, ink }), [0, 2, 26, 5], { border_radius: unit(0.5), ...opening() }),
      nameLine([0, 14, 100, 48], unit(6.4), {
        font_family: fonts.title,
        ...letters,
        ...rising(0.2),
      }),
      roleLine([0, 64, 100, 32], unit(4), { font_family: fonts.text, ...letters, ...rising(0.32) }),
    ],
  },
  {
    id: 'lowerPill',
    size: [62, 13],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      box(white, undefined, {
        border_radius: unit(6.5),
        ...shadow(unit),
        ...opening(),
      }),
      { ...box(accent, [2, 9.5, 17, 81], popping(0.2)), path: circlePath },
      {
        ...box(inkOn(accent), [8, 27, 5, 22], popping(0.3)),
        path: circlePath,
      },
      {
        ...box(inkOn(accent), [6.2, 54, 8.6, 20], popping(0.3)),
        path: 'M 0 100 C 0 40 20 0 50 0 C 80 0 100 40 100 100 Z',
      },
      nameLine([23, 12, 70, 42], unit(4.6), {
        font_family: fonts.title,
        fill_color: dark,
        ...fading(0.3),
      }),
      roleLine([23, 54, 70, 32], unit(3.4), {
        font_family: fonts.text,
        fill_color: '#4b5160',
        ...fading(0.4),
      }),
    ],
  },
  {
    id: 'lowerBracket',
    size: [64, 18],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      box(panel, [2, 8, 94, 84], fading()),
      stroke('M 100 0 L 0 0 L 0 100 L 100 100', accent, unit(0.8), [1, 4, 8, 92], drawing()),
      nameLine([8, 18, 84, 38], unit(5.4), {
        font_family: fonts.title,
        fill_color: white,
        ...rising(0.3),
      }),
      roleLine([8, 56, 84, 26], unit(3.6), {
        font_family: fonts.text,
        fill_color: '#d5d9e2',
        ...rising(0.4),
      }),
    ],
  },
  {
    id: 'lowerNews',
    size: [86, 17],
    at: 'low',
    make: ({ unit, fonts }) => [
      box('#c3122f', [0, 0, 19, 42], opening()),
      { ...box(white, [2.6, 15, 3, 12], fading(0.3)), path: circlePath, aspect_ratio: 1 },
      label(say('shelf.text.live'), [6.5, 7, 11, 28], unit(3.6), {
        ...{ font_family: fonts.title, text_transform: 'uppercase', fill_color: white },
        ...{ text_wrap: false, ...fading(0.3) },
      }),
      box(white, [0, 42, 100, 58], { ...shadow(unit), ...opening(0.15) }),
      box('#c3122f', [0, 42, 1.2, 58], opening(0.15)),
      words(say('piece.title'), say('shelf.text.headline'), [4, 50, 93, 42], unit(4.6), {
        ...{ x_alignment: '0%', font_family: fonts.title, font_weight: '700', text_wrap: false },
        ...{ fill_color: dark, ...rising(0.4) },
      }),
    ],
  },
  {
    id: 'lowerHandle',
    size: [46, 10],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      box(accent, undefined, { border_radius: unit(5), ...opening() }),
      words(say('piece.lowerThird.namePart'), say('shelf.text.handle'), [9, 16, 82, 68], unit(5), {
        font_family: fonts.title,
        font_weight: '700',
        fill_color: inkOn(accent),
        ...fading(0.3),
      }),
    ],
  },
  {
    id: 'lowerGlass',
    size: [64, 17],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      {
        ...box('', undefined, { border_radius: unit(3), ...fading() }),
        ...{ fill_mode: 'linear', fill_x0: '0%', fill_y0: '0%', fill_x1: '100%', fill_y1: '100%' },
        fill_color: [
          { offset: '0%', color: 'rgba(255,255,255,0.42)' },
          { offset: '100%', color: 'rgba(255,255,255,0.14)' },
        ],
        ...{ stroke_color: 'rgba(255,255,255,0.65)', stroke_width: unit(0.25), ...shadow(unit) },
      },
      box(accent, [5, 22, 1.6, 56], { border_radius: unit(0.5), ...popping(0.2) }),
      nameLine([10, 14, 84, 42], unit(5.6), {
        ...{ font_family: fonts.title, fill_color: white, ...shadow(unit), ...rising(0.2) },
      }),
      roleLine([10, 56, 84, 28], unit(3.7), {
        ...{ font_family: fonts.text, fill_color: white, ...shadow(unit), ...rising(0.32) },
      }),
    ],
  },
  {
    id: 'lowerSlant',
    size: [66, 16],
    at: 'low',
    make: ({ unit, accent, fonts }) => [
      { ...box(panel, [3, 20, 88, 80], opening(0.15)), path: 'M 0 0 L 100 0 L 94 100 L 0 100 Z' },
      { ...box(accent, [0, 0, 78, 56], opening()), path: 'M 0 0 L 100 0 L 94 100 L 0 100 Z' },
      nameLine([4, 5, 67, 46], unit(5.6), {
        ...{ font_family: fonts.title, text_transform: 'uppercase', fill_color: inkOn(accent) },
        ...rising(0.3),
      }),
      roleLine([7, 60, 76, 34], unit(3.7), {
        ...{ font_family: fonts.text, fill_color: white, ...rising(0.45) },
      }),
    ],
  },
  {
    id: 'lowerTopic',
    size: [70, 22],
    at: 'low',
    make: ({ unit, accent, letters, fonts }) => [
      box(accent, [0, 0, 34, 26], { border_radius: unit(3), ...opening() }),
      label(say('shelf.text.kicker'), [3, 3, 28, 20], unit(3.2), {
        ...{ font_family: fonts.text, fill_color: inkOn(accent), ...fading(0.2) },
      }),
      nameLine([0, 32, 100, 40], unit(7), {
        ...{ font_family: fonts.title, font_weight: '800', ...letters, ...rising(0.2) },
      }),
      roleLine([0, 74, 100, 26], unit(4.2), {
        ...{ font_family: fonts.text, ...letters, ...rising(0.32) },
      }),
    ],
  },
];

const callouts: readonly ShelfPiece[] = [
  {
    id: 'calloutBubble',
    size: [54, 30],
    make: ({ unit, fonts }) => [
      {
        ...box(white, undefined, { ...shadow(unit), ...popping() }),
        path: 'M 10 0 L 90 0 C 96 0 100 8 100 16 L 100 60 C 100 70 96 78 90 78 L 40 78 L 22 100 L 24 78 L 10 78 C 4 78 0 70 0 60 L 0 16 C 0 8 4 0 10 0 Z',
      },
      label(say('shelf.text.hint'), [8, 10, 84, 58], unit(6), {
        font_family: fonts.title,
        fill_color: dark,
        ...fading(0.3),
      }),
    ],
  },
  {
    id: 'calloutTip',
    size: [56, 24],
    make: ({ unit, accent, fonts }) => [
      {
        ...box(accent, undefined, { ...shadow(unit), ...popping() }),
        path: 'M 5 0 L 95 0 C 98 0 100 4 100 10 L 100 68 C 100 74 98 78 95 78 L 57 78 L 50 100 L 43 78 L 5 78 C 2 78 0 74 0 68 L 0 10 C 0 4 2 0 5 0 Z',
      },
      { ...box(inkOn(accent), [7, 22, 14.6, 34], popping(0.2)), path: circlePath, aspect_ratio: 1 },
      words(say('shelf.part.number'), 'i', [7, 25, 14.6, 28], unit(6), {
        ...{ font_family: 'Playfair Display', font_weight: '800', font_style: 'italic' },
        ...{ fill_color: accent, ...fading(0.3) },
      }),
      label(say('shelf.text.hint'), [25, 14, 68, 50], unit(6), {
        ...{ font_family: fonts.title, x_alignment: '0%', fill_color: inkOn(accent) },
        ...fading(0.25),
      }),
    ],
  },
  {
    id: 'calloutArrow',
    size: [60, 36],
    make: ({ unit, accent, letters, ink }) => [
      words(say('piece.label'), say('shelf.text.look'), [0, 0, 66, 40], unit(10), {
        font_family: 'Caveat',
        font_weight: '700',
        ...letters,
        ...fading(),
      }),
      stroke(
        'M 0 0 C 10 60 40 90 100 88',
        seenAccent({ accent, ink }),
        unit(1.1),
        [30, 44, 58, 46],
        drawing(0.3),
      ),
      stroke(
        'M 0 0 L 100 48 L 20 100',
        seenAccent({ accent, ink }),
        unit(1.1),
        [80, 72, 9, 25],
        drawing(0.9),
      ),
    ],
  },
  {
    id: 'calloutCircle',
    size: [52, 34],
    make: ({ unit, accent, ink }) => [
      stroke(
        'M 52 4 C 18 2 2 24 2 50 C 2 80 26 97 54 96 C 84 95 99 74 97 46 C 95 18 72 2 34 8',
        seenAccent({ accent, ink }),
        unit(1.3),
        [3, 4, 94, 92],
        drawing(),
      ),
    ],
  },
  {
    id: 'calloutUnderline',
    size: [60, 8],
    make: ({ accent, ink }) => [
      {
        ...box(seenAccent({ accent, ink }), undefined, opening(0, 0.8)),
        path: shapePaths.drawnUnderline,
      },
    ],
  },
  {
    id: 'calloutStep',
    size: [66, 16],
    make: ({ unit, accent, fonts }) => [
      box(panel, [8, 12, 92, 76], { border_radius: unit(6), ...opening(0.1) }),
      { ...box(accent, [0, 0, 24.2, 100], popping()), path: circlePath },
      words(say('shelf.part.number'), '1', [3, 12, 18, 76], unit(9), {
        font_family: fonts.title,
        font_weight: '800',
        fill_color: inkOn(accent),
      }),
      words(say('piece.label'), say('shelf.text.step'), [29, 24, 64, 52], unit(5.4), {
        x_alignment: '0%',
        font_family: fonts.text,
        font_weight: '600',
        fill_color: white,
        ...fading(0.4),
      }),
    ],
  },
  {
    id: 'calloutLine',
    size: [64, 26],
    make: ({ unit, accent, fonts, ink }) => [
      { ...box(seenAccent({ accent, ink }), [0, 80, 7, 17.2], popping()), path: circlePath },
      stroke(
        'M 0 100 L 38 0 L 100 0',
        seenAccent({ accent, ink }),
        unit(0.6),
        [3.5, 42, 30, 46],
        drawing(0.2),
      ),
      box(panel, [33, 12, 67, 58], { border_radius: unit(1.2), ...opening(0.7) }),
      label(say('shelf.text.hint'), [37, 20, 59, 42], unit(5.2), {
        font_family: fonts.title,
        fill_color: white,
        ...fading(0.9),
      }),
    ],
  },
  {
    id: 'calloutPin',
    size: [48, 30],
    make: ({ unit, fonts }) => [
      {
        ...box('#e23b4e', [37, 42, 26, 58], { ...shadow(unit), ...popping() }),
        path: 'M 50 100 C 40 80 8 62 8 38 C 8 16 26 0 50 0 C 74 0 92 16 92 38 C 92 62 60 80 50 100 Z',
        aspect_ratio: 0.8,
      },
      { ...box(white, [44, 50, 12, 27], popping(0.2)), path: circlePath, aspect_ratio: 1 },
      box(white, [0, 0, 100, 36], { border_radius: unit(1.6), ...shadow(unit), ...opening(0.3) }),
      label(say('shelf.text.place'), [6, 5, 88, 26], unit(5.4), {
        ...{ font_family: fonts.title, fill_color: dark, ...fading(0.5) },
      }),
    ],
  },
  {
    id: 'calloutChat',
    size: [66, 40],
    make: ({ unit, accent, fonts }) =>
      (['question', 'answer'] as const).flatMap((who, index) => {
        const [left, top] = [index * 28, index * 52];
        const color = index === 0 ? '#e9ebf0' : accent;
        return [
          box(color, [left, top, 72, 44], { border_radius: unit(4.4), ...popping(index * 0.7) }),
          {
            ...box(color, [index === 0 ? 2 : 90, top + 32, 9, 15], fading(index * 0.7)),
            path:
              index === 0
                ? 'M 30 0 L 100 50 C 70 80 30 100 0 100 C 20 80 30 50 30 0 Z'
                : 'M 70 0 L 0 50 C 30 80 70 100 100 100 C 80 80 70 50 70 0 Z',
          },
          label(say(`shelf.text.${who}`), [left + 6, top + 8, 60, 28], unit(4.8), {
            ...{ font_family: fonts.text, font_weight: '600', fill_color: inkOn(color) },
            ...fading(0.2 + index * 0.7),
          }),
        ];
      }),
  },
];

const badge = (
  text: () => string,
  area: Area,
  size: number,
  color: string,
  unit: (of: number) => string,
  font: string,
): JsonObject =>
  label(text(), area, unit(size), {
    font_family: font,
    text_transform: 'uppercase',
    fill_color: color,
    ...fading(0.2),
  });

const badges: readonly ShelfPiece[] = [
  {
    id: 'badgePill',
    size: [30, 11],
    at: 'corner',
    make: ({ unit, accent, fonts }) => [
      box(accent, undefined, { border_radius: unit(5.5), ...popping() }),
      badge(() => say('piece.label.text'), [12, 16, 76, 68], 6, inkOn(accent), unit, fonts.title),
    ],
  },
  {
    id: 'badgeBurst',
    size: [34, 34],
    at: 'corner',
    make: ({ unit, fonts }) => [
      {
        ...box('#ffd21f', [1.5, 1.5, 97, 97], {
          animations: [
            { type: 'scale', time: 0, duration: 0.6, start_scale: '0%', easing: 'back-out' },
          ],
        }),
        path: starPath(16, 42),
        z_rotation: [
          { time: 'start', value: '0°' },
          { time: 'end', value: '45°', easing: 'linear' },
        ],
      },
      badge(() => say('shelf.text.sale'), [16, 26, 68, 48], 10, dark, unit, fonts.title),
    ],
  },
  {
    id: 'badgeDiscount',
    size: [30, 30],
    at: 'corner',
    make: ({ unit }) => [
      { ...box('#d6163a', undefined, popping()), path: circlePath },
      stroke(circlePath, 'rgba(255,255,255,0.75)', unit(0.4), [5, 5, 90, 90], drawing(0.2)),
      words(say('shelf.part.number'), '−30%', [12, 26, 76, 48], unit(11), {
        font_family: 'Bebas Neue',
        fill_color: white,
        ...fading(0.2),
      }),
    ],
  },
  {
    id: 'badgeRibbon',
    size: [52, 14],
    at: 'top',
    make: ({ unit, accent, fonts }) => [
      {
        ...box(accent, [0, 14, 100, 86], {
          color_filter: 'brighten',
          color_filter_value: '-25%',
          ...opening(),
        }),
        path: 'M 0 0 L 18 0 L 18 100 L 0 100 L 6 50 Z M 82 0 L 100 0 L 94 50 L 100 100 L 82 100 Z',
      },
      box(accent, [10, 0, 80, 86], opening(0.1)),
      badge(() => say('shelf.text.best'), [14, 12, 72, 62], 6.4, inkOn(accent), unit, fonts.title),
    ],
  },
  {
    id: 'badgeLive',
    size: [26, 10],
    at: 'corner',
    make: ({ unit, fonts }) => [
      box('#c3122f', undefined, { border_radius: unit(1.8), ...fading() }),
      {
        ...box(white, [11, 33, 13.1, 34]),
        path: circlePath,
        animations: [{ type: 'bounce', frequency: '1 Hz', scale: '35%' }],
      },
      badge(() => say('shelf.text.live'), [32, 18, 60, 64], 5.6, white, unit, fonts.title),
    ],
  },
  {
    id: 'badgeStamp',
    size: [44, 18],
    make: ({ unit }) => [
      {
        type: 'composition',
        name: say('shelf.name.badgeStamp'),
        width: '86%',
        height: '72%',
        z_rotation: '-8°',
        animations: [
          { type: 'scale', time: 0, duration: 0.35, start_scale: '180%', easing: 'cubic-in' },
        ],
        elements: [
          box('rgba(255,255,255,0.94)', undefined, {
            border_radius: unit(1.4),
            stroke_color: '#c3122f',
            stroke_width: unit(0.9),
          }),
          words(say('piece.label'), say('shelf.text.approved'), [8, 14, 84, 72], unit(8), {
            font_family: 'Bebas Neue',
            letter_spacing: '60%',
            fill_color: '#c3122f',
          }),
        ],
      },
    ],
  },
  {
    id: 'badgeStars',
    size: [56, 12],
    make: ({ unit }) => [
      box(panel, undefined, { border_radius: unit(6), ...fading() }),
      ...Array.from({ length: 5 }, (_, index) => ({
        ...box('#ffc928', [8 + index * 17.4, 18, 13.7, 64], popping(0.15 + index * 0.12)),
        path: starPath(5, 21),
      })),
    ],
  },
  {
    id: 'badgePrice',
    size: [38, 18],
    make: ({ unit, accent, fonts }) => [
      {
        ...box(accent, undefined, opening()),
        path: 'M 0 12 C 0 5 3 0 8 0 L 78 0 L 100 50 L 78 100 L 8 100 C 3 100 0 95 0 88 Z',
      },
      words(say('shelf.part.price'), say('shelf.text.price'), [8, 16, 70, 68], unit(9), {
        font_family: fonts.title,
        font_weight: '800',
        fill_color: inkOn(accent),
        ...fading(0.3),
      }),
    ],
  },
  {
    id: 'badgeTick',
    size: [26, 26],
    at: 'corner',
    make: ({ unit }) => [
      { ...box('#0f8a4b', undefined, popping()), path: circlePath },
      stroke('M 0 50 L 36 100 L 100 0', white, unit(2.2), [28, 33, 44, 34], drawing(0.3)),
    ],
  },
  {
    id: 'badgeFollow',
    size: [44, 12],
    at: 'bottom',
    make: ({ unit, accent, fonts }) => [
      box(accent, undefined, { border_radius: unit(2), ...popping() }),
      {
        ...box(inkOn(accent), [8, 34, 8.8, 32], fading(0.2)),
        path: 'M 36 0 L 64 0 L 64 36 L 100 36 L 100 64 L 64 64 L 64 100 L 36 100 L 36 64 L 0 64 L 0 36 L 36 36 Z',
      },
      label(say('shelf.text.follow'), [21, 18, 71, 64], unit(5.6), {
        font_family: fonts.title,
        fill_color: inkOn(accent),
        ...fading(0.2),
      }),
    ],
  },
  {
    id: 'badgeSeal',
    size: [34, 34],
    at: 'corner',
    make: ({ unit, accent, fonts }) => [
      { ...box(accent, undefined, popping()), path: shapePaths.scallop },
      stroke(circlePath, inkOn(accent), unit(0.35), [14, 14, 72, 72], drawing(0.3)),
      { ...box(inkOn(accent), [43, 20, 14, 14], popping(0.4)), path: starPath(5, 21) },
      badge(() => say('shelf.text.best'), [19, 36, 62, 34], 6, inkOn(accent), unit, fonts.title),
    ],
  },
  {
    id: 'badgeCorner',
    size: 'whole',
    make: ({ unit, accent, fonts }) => [
      {
        ...box(accent, undefined, opening()),
        ...{ x: '100%', y: '0%', x_anchor: '50%', y_anchor: '50%', z_rotation: '45°' },
        ...{ width: unit(70), height: unit(36) },
        path: 'M 0 72 L 100 72 L 100 98 L 0 98 Z',
      },
      {
        ...badge(() => say('shelf.text.sale'), [0, 0, 0, 0], 5.6, inkOn(accent), unit, fonts.title),
        ...{ x: '100%', y: '0%', x_anchor: '50%', y_anchor: unit(-9.4), z_rotation: '45°' },
        ...{ width: unit(17), height: unit(6.4), text_wrap: false },
      },
    ],
  },
  {
    id: 'badgeSwipe',
    size: [34, 22],
    at: 'bottom',
    make: ({ unit, letters, fonts, ink }) => [
      ...[0, 1].map((index) => ({
        ...stroke('M 0 100 L 50 0 L 100 100', ink, unit(1), [40, 4 + index * 24, 20, 18]),
        y: [0, 1, 2, 3].flatMap((turn) => [
          { time: turn, value: `${16 + index * 22}%` },
          { time: turn + 0.5, value: `${10 + index * 22}%`, easing: 'sinusoid-in-out' },
          { time: turn + 1, value: `${16 + index * 22}%`, easing: 'sinusoid-in-out' },
        ]),
      })),
      label(say('shelf.text.swipe'), [0, 60, 100, 40], unit(5), {
        ...{ font_family: fonts.title, ...letters, ...fading(0.3) },
      }),
    ],
  },
];

export const labels = [
  { id: 'lowerThirds', pieces: lowerThirds },
  { id: 'callouts', pieces: callouts },
  { id: 'badges', pieces: badges },
] as const;
