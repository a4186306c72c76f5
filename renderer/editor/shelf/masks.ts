/** THE TABLE of frames with a place for a picture, which dropping or choosing one fills. Pure. */
import { say } from '../../ui/say.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { inkOn, type PieceContext } from '../making/pieces.ts';
import {
  box,
  circlePath,
  closed,
  fading,
  placeOf,
  popping,
  shadow,
  words,
  type Area,
  type ShelfPiece,
} from './parts.ts';
import { shapePaths } from './shapes.ts';

const hills =
  'M 0 100 L 0 74 L 30 36 L 55 66 L 70 50 L 100 82 L 100 100 Z M 76 12 C 81 12 85 17 85 24 C 85 31 81 36 76 36 C 71 36 67 31 67 24 C 67 17 71 12 76 12 Z';

/** The place for a picture: until there is one, the sign for it. */
const place = (area: Area, more: JsonObject = {}): JsonObject => {
  const around = { ...placeOf(area), fill_color: '#c3cbd8' };
  const whole = placeOf([0, 0, 100, 100]);
  return {
    ...{ type: 'composition', name: say('shelf.part.place'), ...around, clip: true, ...more },
    elements: [
      {
        ...box('#94a0b3', [25, 25, 50, 50]),
        ...{ aspect_ratio: 1.4, path: hills },
      },
      { ...whole, type: 'image', name: say('piece.picture'), source: null },
    ],
  };
};

/** The place cut out by a path, with what lies behind it. */
const cutOut =
  (path: string, behind: (context: PieceContext) => readonly JsonObject[] = () => []) =>
  (context: PieceContext): readonly JsonObject[] => [
    ...behind(context),
    place([0, 0, 100, 100], fading()),
    { ...box('#ffffff'), path, mask_mode: 'alpha' },
  ];

/** A torn edge along one side, from one end to the other. */
const tear = (from: number, to: number, across: (at: number) => string): string =>
  Array.from({ length: 25 }, (_, step) => {
    const wave = Math.sin(step * 2.3) * 1.3 + Math.sin(step * 5.1) * 0.9;
    const at = from + ((to - from) * step) / 24;
    return `L ${across(Number(wave.toFixed(2))).replace('*', at.toFixed(2))}`;
  }).join(' ');
const torn = `M 0 3 ${tear(0, 100, (wave) => `* ${3 + wave}`)} ${tear(3, 97, (wave) => `${98 + wave * 0.6} *`)} ${tear(100, 0, (wave) => `* ${96 + wave}`)} Z`;

/** A postage stamp: teeth around. @param across Teeth on the long side. */
const teeth = (across: number, down: number): string => {
  const [wide, tall] = [100 / across, 100 / down];
  const dents = (count: number, one: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => one(index)).join(' ');
  const n = (value: number): string => value.toFixed(2);
  return [
    'M 0 0',
    dents(across, (i) => {
      const x = i * wide;
      return `L ${n(x + wide * 0.28)} 0 C ${n(x + wide * 0.28)} ${n(tall * 0.3)} ${n(x + wide * 0.72)} ${n(tall * 0.3)} ${n(x + wide * 0.72)} 0`;
    }),
    'L 100 0',
    dents(down, (i) => {
      const y = i * tall;
      return `L 100 ${n(y + tall * 0.28)} C ${n(100 - wide * 0.3)} ${n(y + tall * 0.28)} ${n(100 - wide * 0.3)} ${n(y + tall * 0.72)} 100 ${n(y + tall * 0.72)}`;
    }),
    'L 100 100',
    dents(across, (i) => {
      const x = 100 - i * wide;
      return `L ${n(x - wide * 0.28)} 100 C ${n(x - wide * 0.28)} ${n(100 - tall * 0.3)} ${n(x - wide * 0.72)} ${n(100 - tall * 0.3)} ${n(x - wide * 0.72)} 100`;
    }),
    'L 0 100',
    dents(down, (i) => {
      const y = 100 - i * tall;
      return `L 0 ${n(y - tall * 0.28)} C ${n(wide * 0.3)} ${n(y - tall * 0.28)} ${n(wide * 0.3)} ${n(y - tall * 0.72)} 0 ${n(y - tall * 0.72)}`;
    }),
    'Z',
  ].join(' ');
};

const dot = (color: string, area: Area): JsonObject => ({
  ...box(color, area),
  ...{ path: circlePath, aspect_ratio: 1 },
});

const caption = ({ unit }: PieceContext, text: string, area: Area): JsonObject =>
  words(say('piece.label'), text, area, unit(6), {
    font_family: 'Caveat',
    font_weight: '700',
    fill_color: '#2b2f38',
    ...fading(0.4),
  });

const holes = (top: number): readonly JsonObject[] =>
  Array.from({ length: 9 }, (_, index) =>
    box('#f3f1ea', [2.6 + index * 11, top, 6, 7.4], { border_radius: '0.8 vmin' }),
  );

export const masks: readonly ShelfPiece[] = [
  { id: 'maskCircle', size: [56, 56], make: cutOut(circlePath) },
  {
    id: 'maskRing',
    size: [60, 60],
    make: ({ unit, accent }) => [
      { ...box(accent, [0, 0, 100, 100], popping()), path: circlePath },
      { ...box('#ffffff', [3, 3, 94, 94], popping(0.1)), path: circlePath },
      place([5.5, 5.5, 89, 89], { border_radius: unit(26.7), ...popping(0.15) }),
    ],
  },
  { id: 'maskBlob', size: [60, 58], make: cutOut(shapePaths.blobTwo) },
  { id: 'maskHeart', size: [60, 54], make: cutOut(shapePaths.heart) },
  {
    id: 'maskArch',
    size: [46, 66],
    make: (context) => [
      {
        ...box('rgba(0,0,0,0)', [1, 1, 98, 98], fading(0.2)),
        ...{ path: shapePaths.arch, stroke_color: context.ink, stroke_width: context.unit(0.5) },
      },
      place([6, 5, 88, 90], fading()),
      { ...box('#ffffff', [6, 5, 88, 90]), path: shapePaths.arch, mask_mode: 'alpha' },
    ],
  },
  { id: 'maskTorn', size: [70, 50], make: cutOut(torn) },
  { id: 'maskBrush', size: [76, 46], make: cutOut(shapePaths.paint) },
  {
    id: 'maskStamp',
    size: [48, 60],
    make: ({ unit }) => [
      { ...box('#fbf8f0', undefined, { ...shadow(unit), ...popping() }), path: teeth(12, 15) },
      place([9, 7.2, 82, 85.6], fading(0.15)),
    ],
  },
  {
    id: 'maskPolaroid',
    size: [50, 60],
    make: (context) => [
      {
        ...{
          type: 'composition',
          name: say('shelf.name.maskPolaroid'),
          width: '88%',
          height: '92%',
        },
        ...{ z_rotation: '-4°', ...popping() },
        elements: [
          box('#ffffff', undefined, { border_radius: context.unit(0.6), ...shadow(context.unit) }),
          place([6, 5, 88, 74]),
          caption(context, say('shelf.text.memory'), [8, 81, 84, 16]),
        ],
      },
    ],
  },
  {
    id: 'maskPhone',
    size: [36, 72],
    make: ({ unit }) => [
      box('#14161c', undefined, {
        ...{ border_radius: unit(5.4), stroke_color: '#4a5160', stroke_width: unit(0.5) },
        ...shadow(unit),
        ...fading(),
      }),
      place([4, 2, 92, 96], { border_radius: unit(4), ...fading(0.1) }),
      box('#14161c', [34, 4, 32, 3.6], { border_radius: unit(1.3) }),
      box('#ffffff', [33, 95.4, 34, 0.7], { border_radius: unit(0.3), opacity: '85%' }),
    ],
  },
  {
    id: 'maskBrowser',
    size: [84, 54],
    make: ({ unit }) => [
      box('#e6e9ef', undefined, { border_radius: unit(1.8), ...shadow(unit), ...fading() }),
      ...['#ff5f57', '#febc2e', '#28c840'].map((color, index) =>
        dot(color, [2 + index * 3, 3, 2.2, 4.6]),
      ),
      box('#ffffff', [13, 2.4, 72, 6], { border_radius: unit(1.6) }),
      words(say('piece.label'), 'www.example.com', [16, 2.8, 66, 5.2], unit(2.1), {
        ...{ font_family: 'Inter', font_weight: '500', fill_color: '#5d6675', x_alignment: '0%' },
      }),
      place([0, 10.8, 100, 89.2], fading(0.1)),
    ],
  },
  {
    id: 'maskFilm',
    size: [88, 40],
    make: () => [
      box('#15161a', undefined, fading()),
      ...[4, 88.6].flatMap(holes),
      ...[0, 1, 2].map((index) =>
        place([2 + index * 32.6, 16, 30.8, 68], {
          ...{ border_radius: '0.6 vmin' },
          ...fading(0.2 + index * 0.2),
        }),
      ),
    ],
  },
  {
    id: 'maskPair',
    size: [84, 48],
    make: ({ unit, accent, fonts }) => [
      ...(['before', 'after'] as const).flatMap((when, index) => [
        place([index * 51, 0, 49, 100], { border_radius: unit(2), ...fading(index * 0.25) }),
        words(
          say('piece.label'),
          say(`shelf.text.${when}`),
          [index * 51 + 3, 82, 43, 13],
          unit(5),
          {
            ...{
              font_family: fonts.title,
              font_weight: '700',
              fill_color: index === 0 ? '#ffffff' : inkOn(accent),
            },
            ...{ background_color: index === 0 ? 'rgba(12,14,20,0.85)' : accent },
            ...{ background_x_padding: '60%', background_y_padding: '30%' },
            ...{ background_border_radius: '60%', ...fading(0.3 + index * 0.25) },
          },
        ),
      ]),
    ],
  },
  {
    id: 'maskHexes',
    size: [78, 58],
    make: () =>
      (
        [
          [1, 33],
          [31, 10],
          [61, 33],
        ] as const
      ).flatMap(([left, top], index) => {
        const area: Area = [left, top, 38, 44.2];
        const hex = closed([
          [25, 0],
          [75, 0],
          [100, 50],
          [75, 100],
          [25, 100],
          [0, 50],
        ]);
        return [
          place(area, fading(index * 0.15)),
          { ...box('#ffffff', area), path: hex, mask_mode: 'alpha' },
        ];
      }),
  },
];
