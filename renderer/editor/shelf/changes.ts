/**
 * THE TABLES of what goes between two clips and over speech: the transitions of the timeline's cuts, what sweeps over a
 * cut of any kind, and the caption styles of the captions room. Pure.
 */
import type { Json, JsonObject } from '../../../shared/renderscript/source.ts';
import { lookIds, newCaptions } from '../captions/looks.ts';
import { timedWords } from '../making/pieces.ts';
import { say } from '../../ui/say.ts';
import { transitionKinds } from '../timeline/transitions.ts';
import { box, circlePath, type ShelfId, type ShelfItem, type ShelfPiece } from './parts.ts';

/** Seconds of what sweeps over a cut: in its middle, all is covered. */
const sweep = 1.2;

/** From value to value within the first and the second half. */
const passing = (delay: number, values: readonly [string, string, string]): Json =>
  values.map((value, index) => ({
    time: Number(
      (index === 2 ? sweep - 0.25 + delay : (sweep / 2 - 0.25) * index + delay).toFixed(2),
    ),
    value,
    ...(index > 0 && { easing: index === 1 ? 'cubic-out' : 'cubic-in' }),
  }));

const slant = 'M 18 0 L 100 0 L 82 100 L 0 100 Z';

const sweeps: readonly { readonly id: ShelfId; readonly make: ShelfItem['make'] }[] = [
  {
    id: 'changeSlant',
    make: ({ accent }) =>
      ['#ffffff', '#14161c', accent].map((color, index) => ({
        ...box(color, [0, -1, 190, 102]),
        ...{ path: slant, x: passing(index * 0.1, ['-110%', '50%', '210%']) },
      })),
  },
  {
    id: 'changeBars',
    make: ({ accent }) =>
      Array.from({ length: 6 }, (_, index) => ({
        ...box(index % 2 === 0 ? accent : '#14161c', [index * (100 / 6) - 0.2, 0, 17.1, 102]),
        y: passing(index * 0.05, ['152%', '50%', '-52%']),
      })),
  },
  {
    id: 'changeBlinds',
    make: ({ accent }) =>
      Array.from({ length: 8 }, (_, index) => ({
        ...box(accent, [0, index * 12.5, 100, 12.6]),
        height: passing(index * 0.03, ['0%', '12.8%', '0%']),
      })),
  },
  {
    id: 'changeCircle',
    make: ({ accent }) =>
      [accent, '#ffffff'].map((color, index) => {
        const size: Json = [
          { time: index * 0.5, value: '0 vmax' },
          { time: 0.6 + index * 0.6, value: '125 vmax', easing: 'cubic-in-out' },
        ];
        return {
          ...box(color),
          ...{ path: circlePath, width: size, height: size },
          ...(index === 1 && { mask_mode: 'alpha-inverted' }),
        };
      }),
  },
  {
    id: 'changeFlash',
    make: () => [
      {
        ...box('#ffffff'),
        opacity: [
          { time: 0.3, value: '0%' },
          { time: 0.55, value: '100%', easing: 'quadratic-in' },
          { time: 0.65, value: '100%' },
          { time: 1.15, value: '0%', easing: 'cubic-out' },
        ],
      },
    ],
  },
];

/** Two pictures between which the transition goes on while its tile is looked at. */
const picture = (color: string, light: string, path: string, more: JsonObject): JsonObject => ({
  ...{ type: 'composition', track: 1, width: '100%', height: '100%', fill_color: color },
  ...{ clip: true, elements: [{ ...box(light, [20, 16, 60, 84]), path }], ...more },
});

const cuts: readonly ShelfPiece[] = transitionKinds.map(({ id, values }) => ({
  id: `cut:${id}`,
  label: `transition.${id}`,
  transition: id,
  size: [100, 58],
  make: ({ accent }) => [
    picture('#33415c', '#7f93b8', circlePath, { duration: 2.7 }),
    picture(accent, 'rgba(255,255,255,0.5)', 'M 0 100 L 34 30 L 56 66 L 72 48 L 100 100 Z', {
      animations: [
        {
          ...{ duration: 1, transition: true, ...values },
          ...(values.type === 'color-wipe' && { color: '#ffffff' }),
        },
      ],
    }),
  ],
}));

export const changes = [
  {
    id: 'transitions',
    pieces: [
      ...cuts,
      ...sweeps.map((piece): ShelfPiece => ({ ...piece, size: 'whole', seconds: sweep })),
    ],
  },
  {
    id: 'captions',
    pieces: lookIds.map((id): ShelfPiece => ({
      id: `look:${id}`,
      label: `captions.look.${id}`,
      look: id,
      size: [86, 24],
      isShape: true,
      make: ({ isTall }) => [newCaptions(timedWords(say('piece.captions.words')), isTall, id)],
    })),
  },
] as const;
