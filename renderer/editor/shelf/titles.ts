/** THE TABLE of titles on the shelf. Pure. */
import { inkOn } from '../making/pieces.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
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
  words,
  type ShelfPiece,
} from './parts.ts';
import { shapePaths } from './shapes.ts';

const title = (): string => say('piece.title.text');
const subtitle = (): string => say('piece.subtitle.text');
const titleName = (): string => say('piece.title');
const subtitleName = (): string => say('piece.subtitle');
const kickerName = (): string => say('shelf.part.kicker');

/** Comes out of the line in the middle. */
const entering = (direction: 'up' | 'down', time: number): JsonObject => ({
  animations: [
    {
      ...{ type: 'text-slide', time, duration: 0.8, easing: 'quintic-out' },
      ...{ scope: 'split-clip', split: 'line', direction, distance: '100%' },
    },
  ],
});

export const titles: readonly ShelfPiece[] = [
  {
    id: 'titleRising',
    size: [84, 30],
    make: ({ unit, letters, fonts }) => [
      words(titleName(), title(), [0, 0, 100, 62], unit(13), {
        font_family: fonts.title,
        font_weight: '800',
        ...letters,
        ...rising(),
      }),
      words(subtitleName(), subtitle(), [0, 64, 100, 34], unit(5.4), {
        font_family: fonts.text,
        font_weight: '500',
        ...letters,
        ...rising(0.25),
      }),
    ],
  },
  {
    id: 'titleUnderlined',
    size: [80, 24],
    make: ({ unit, letters, fonts, accent, ink }) => [
      words(titleName(), title(), [0, 0, 100, 72], unit(12), {
        font_family: fonts.title,
        font_weight: '700',
        ...letters,
        ...rising(),
      }),
      box(seenAccent({ accent, ink }), [30, 84, 40, 8], {
        border_radius: unit(1),
        ...opening(0.35),
      }),
    ],
  },
  {
    id: 'titleBlock',
    size: [78, 20],
    make: ({ unit, fonts, accent }) => [
      box(accent, undefined, opening()),
      words(titleName(), title(), [6, 10, 88, 80], unit(11), {
        font_family: fonts.title,
        font_weight: '800',
        text_transform: 'uppercase',
        fill_color: inkOn(accent),
        ...rising(0.35),
      }),
    ],
  },
  {
    id: 'titlePaper',
    size: [78, 28],
    make: ({ unit, accent }) => [
      box('#ffffff', undefined, {
        border_radius: unit(1.6),
        ...shadow(unit),
        ...fading(),
      }),
      words(kickerName(), say('shelf.text.kicker'), [8, 12, 84, 20], unit(3.6), {
        font_family: 'Inter',
        font_weight: '700',
        letter_spacing: '120%',
        text_transform: 'uppercase',
        fill_color: inkOn(accent) === '#ffffff' ? accent : '#14161c',
        ...fading(0.3),
      }),
      words(titleName(), title(), [8, 34, 84, 54], unit(11), {
        font_family: 'Playfair Display',
        font_weight: '700',
        fill_color: '#14161c',
        ...rising(0.2),
      }),
    ],
  },
  {
    id: 'titleOutline',
    size: [86, 36],
    make: ({ unit, letters, accent, ink }) => [
      words(titleName(), title(), [0, 0, 100, 52], unit(15), {
        font_family: 'Anton',
        text_transform: 'uppercase',
        ...letters,
        fill_color: ink,
        ...rising(),
      }),
      words(subtitleName(), subtitle(), [0, 50, 100, 50], unit(14), {
        font_family: 'Anton',
        text_transform: 'uppercase',
        fill_color: 'rgba(0,0,0,0)',
        stroke_color: ink,
        stroke_width: unit(0.35),
        ...rising(0.25),
      }),
      box(seenAccent({ accent, ink }), [38, 48, 24, 2.4], opening(0.5)),
    ],
  },
  {
    id: 'titleKicker',
    size: [80, 30],
    make: ({ unit, letters, fonts, accent }) => [
      words(kickerName(), say('shelf.text.kicker'), [0, 0, 100, 24], unit(4), {
        font_family: fonts.text,
        font_weight: '700',
        letter_spacing: '150%',
        text_transform: 'uppercase',
        fill_color: inkOn(accent),
        background_color: accent,
        background_x_padding: '60%',
        background_y_padding: '30%',
        background_border_radius: '30%',
        ...fading(),
      }),
      words(titleName(), title(), [0, 34, 100, 66], unit(13), {
        font_family: fonts.title,
        font_weight: '800',
        ...letters,
        ...rising(0.2),
      }),
    ],
  },
  {
    id: 'titleTyped',
    size: [82, 24],
    make: ({ unit, accent }) => [
      box('#12151d', undefined, { border_radius: unit(2), ...shadow(unit), ...fading() }),
      box('#232834', [0, 0, 100, 24], { border_radius: unit(2), ...fading() }),
      ...['#ff5f57', '#febc2e', '#28c840'].map((color, index) => ({
        ...box(color, [3 + index * 3.2, 8, 2.2, 8]),
        ...{ path: circlePath, aspect_ratio: 1 },
      })),
      words('>', '>', [4, 40, 5, 44], unit(7), {
        ...{ font_family: 'Roboto Mono', font_weight: '600' },
        fill_color: seenAccent({ accent, ink: '#ffffff' }),
      }),
      words(titleName(), title(), [11, 36, 84, 52], unit(8), {
        ...{ x_alignment: '0%', font_family: 'Roboto Mono', font_weight: '600' },
        fill_color: '#ffffff',
        animations: [{ time: 0.2, duration: 1.4, type: 'text-typewriter', easing: 'linear' }],
      }),
    ],
  },
  {
    id: 'titleMarker',
    size: [84, 24],
    make: ({ unit, fonts, accent }) => [
      { ...box(accent, undefined, opening(0.1, 0.8)), path: shapePaths.paint },
      words(titleName(), title(), [10, 22, 80, 56], unit(11), {
        ...{ font_family: fonts.title, font_weight: '800', fill_color: inkOn(accent) },
        ...fading(0.35),
      }),
    ],
  },
  {
    id: 'titleElegant',
    size: [80, 34],
    make: ({ unit, letters, ink }) => [
      words(titleName(), title(), [0, 6, 100, 54], unit(13), {
        font_family: 'Playfair Display',
        font_style: 'italic',
        font_weight: '500',
        ...letters,
        ...fading(),
      }),
      stroke('M 0 50 L 100 50', ink, unit(0.35), [35, 66, 30, 2], drawing(0.3)),
      words(subtitleName(), subtitle(), [0, 74, 100, 20], unit(4), {
        font_family: 'Inter',
        font_weight: '500',
        letter_spacing: '180%',
        text_transform: 'uppercase',
        ...letters,
        ...fading(0.5),
      }),
    ],
  },
  {
    id: 'titleHandwritten',
    size: [78, 24],
    make: ({ unit, letters, accent, ink }) => [
      words(titleName(), title(), [0, 0, 100, 78], unit(15), {
        font_family: 'Caveat',
        font_weight: '700',
        ...letters,
        ...opening(0, 1.1),
      }),
      stroke(
        'M 0 60 C 24 20 44 20 52 50 C 60 84 76 70 100 30',
        seenAccent({ accent, ink }),
        unit(0.9),
        [24, 80, 52, 14],
        drawing(0.8),
      ),
    ],
  },
  {
    id: 'titleChapter',
    size: [76, 30],
    make: ({ unit, letters, fonts, accent }) => [
      box(accent, [0, 4, 30, 92], { border_radius: unit(1.6), ...opening() }),
      words(say('shelf.part.number'), '01', [3, 12, 24, 76], unit(22), {
        font_family: 'Bebas Neue',
        text_wrap: false,
        fill_color: inkOn(accent),
        ...fading(0.2),
      }),
      words(kickerName(), say('shelf.text.chapter'), [35, 12, 65, 22], unit(4.6), {
        x_alignment: '0%',
        font_family: fonts.text,
        font_weight: '600',
        ...letters,
        ...rising(0.15),
      }),
      words(titleName(), title(), [35, 36, 65, 50], unit(10), {
        x_alignment: '0%',
        font_family: fonts.title,
        font_weight: '800',
        ...letters,
        ...rising(0.3),
      }),
    ],
  },
  {
    id: 'titleFramed',
    size: [80, 30],
    make: ({ unit, letters, fonts, ink }) => [
      stroke('M 0 0 L 100 0 L 100 100 L 0 100 Z', ink, unit(0.7), [1, 3, 98, 94], drawing()),
      words(titleName(), title(), [8, 16, 84, 44], unit(11), {
        font_family: fonts.title,
        font_weight: '800',
        text_transform: 'uppercase',
        letter_spacing: '60%',
        ...letters,
        ...rising(0.4),
      }),
      words(subtitleName(), subtitle(), [8, 62, 84, 22], unit(4.4), {
        font_family: fonts.text,
        font_weight: '500',
        ...letters,
        ...fading(0.7),
      }),
    ],
  },
  {
    id: 'titleGlow',
    size: [86, 28],
    make: ({ unit, accent }) => {
      const color = seenAccent({ accent, ink: '#ffffff' });
      const glow = { shadow_color: color, shadow_blur: unit(2.6) };
      const flicker = [0, 0.12, 0.2, 0.34, 0.42, 0.6].map((time, index) => ({
        ...{ time, value: index % 2 === 0 && index < 5 ? '15%' : '100%' },
        ...(index > 0 && { easing: 'steps(1)' }),
      }));
      return [
        box('rgba(8,9,20,0.9)', undefined, { border_radius: unit(2), ...fading() }),
        {
          ...box('rgba(0,0,0,0)', [2.4, 7, 95.2, 86], { border_radius: unit(1.6), ...glow }),
          ...{ stroke_color: color, stroke_width: unit(0.6), opacity: flicker },
        },
        words(titleName(), title(), [8, 16, 84, 68], unit(13), {
          ...{ font_family: 'Pacifico', fill_color: '#ffffff', ...glow, opacity: flicker },
        }),
      ];
    },
  },
  {
    id: 'titleSplit',
    size: [80, 36],
    make: ({ unit, letters, fonts, accent, ink }) => [
      words(titleName(), title(), [0, 0, 100, 46], unit(13), {
        ...{ font_family: fonts.title, font_weight: '800', y_alignment: '100%', ...letters },
        ...entering('up', 0.35),
      }),
      box(seenAccent({ accent, ink }), [0, 48.6, 100, 2.8], {
        animations: [{ type: 'wipe', duration: 0.6, x_anchor: '50%', fade: false }],
      }),
      words(subtitleName(), subtitle(), [0, 54, 100, 30], unit(6), {
        ...{ font_family: fonts.text, font_weight: '500', y_alignment: '0%', ...letters },
        ...entering('down', 0.35),
      }),
    ],
  },
  {
    id: 'titleLetters',
    size: [86, 20],
    make: ({ unit, letters, fonts }) => [
      words(titleName(), title(), [0, 0, 100, 100], unit(15), {
        ...{ font_family: fonts.title, font_weight: '900', text_transform: 'uppercase' },
        ...letters,
        animations: [
          {
            ...{ type: 'text-spin', time: 0, duration: 1.3, split: 'letter', overlap: '70%' },
            ...{ distance: '60%', rotation: '70°', direction: 'up', easing: 'back-out' },
          },
        ],
      }),
    ],
  },
  {
    id: 'titleQuote',
    size: [80, 44],
    make: ({ unit, letters, accent, ink }) => [
      {
        ...box(seenAccent({ accent, ink }), [0, 2, 15, 20], popping()),
        path: shapePaths.quotes,
      },
      words(say('piece.quote'), say('piece.quote.text'), [0, 28, 100, 50], unit(7.4), {
        ...{ x_alignment: '0%', font_family: 'Playfair Display', font_style: 'italic' },
        ...{ font_weight: '600', line_height: '118%', ...letters, ...rising(0.2) },
      }),
      box(seenAccent({ accent, ink }), [0, 88.4, 8, 1.6], opening(0.6)),
      words(
        say('piece.lowerThird.namePart'),
        say('piece.lowerThird.name'),
        [11, 82, 89, 14],
        unit(4),
        {
          ...{ x_alignment: '0%', font_family: 'Inter', font_weight: '600', ...letters },
          ...fading(0.7),
        },
      ),
    ],
  },
  {
    id: 'titleThanks',
    size: [80, 40],
    make: ({ unit, letters, fonts, accent }) => [
      words(titleName(), say('shelf.text.thanks'), [0, 0, 100, 56], unit(17), {
        ...{ font_family: 'Caveat', font_weight: '700', ...letters, ...opening(0, 1) },
      }),
      box(accent, [22, 68, 56, 26], { border_radius: unit(6), ...popping(0.6) }),
      words(say('piece.label'), say('shelf.text.handle'), [26, 71, 48, 20], unit(5), {
        ...{ font_family: fonts.title, font_weight: '700', fill_color: inkOn(accent) },
        ...fading(0.8),
      }),
    ],
  },
];
