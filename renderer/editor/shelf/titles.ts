/** THE TABLE of titles on the shelf. Pure. */
import { inkOn } from '../making/pieces.ts';
import { say } from '../../ui/say.ts';
import {
  box,
  drawing,
  fading,
  opening,
  rising,
  seenAccent,
  shadow,
  stroke,
  words,
  type ShelfPiece,
} from './parts.ts';

const title = (): string => say('piece.title.text');
const subtitle = (): string => say('piece.subtitle.text');
const titleName = (): string => say('piece.title');
const subtitleName = (): string => say('piece.subtitle');
const kickerName = (): string => say('shelf.part.kicker');

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
    size: [82, 18],
    make: ({ unit, accent }) => [
      box('rgba(10,12,18,0.88)', undefined, { border_radius: unit(2) }),
      box(seenAccent({ accent, ink: '#ffffff' }), [3, 30, 1.6, 40], { border_radius: unit(1) }),
      words(titleName(), title(), [8, 12, 86, 76], unit(8), {
        x_alignment: '0%',
        font_family: 'Roboto Mono',
        font_weight: '600',
        fill_color: '#ffffff',
        animations: [{ time: 0, duration: 1.4, type: 'text-typewriter', easing: 'linear' }],
      }),
    ],
  },
  {
    id: 'titleMarker',
    size: [80, 20],
    make: ({ unit, fonts, accent }) => [
      {
        ...box(accent, [0, 8, 100, 84], opening(0.1, 0.8)),
        path: 'M 1 16 C 30 4 66 10 99 6 C 97 30 100 62 98 92 C 64 88 34 98 2 94 C 4 66 0 40 1 16 Z',
      },
      words(titleName(), title(), [7, 16, 86, 68], unit(11), {
        font_family: fonts.title,
        font_weight: '800',
        fill_color: inkOn(accent),
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
];
