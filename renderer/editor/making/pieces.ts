/** THE TABLE of what the add panel offers: each makes one element that can be seen at once, in any format. Pure. */
import { parseColor } from '../../../shared/renderscript/color.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type MediaKind,
  type Source,
} from '../../../shared/renderscript/source.ts';
import type { Brand } from '../../../shared/api.ts';
import { say } from '../../ui/say.ts';
import { noBrand } from './brand.ts';

/** What a piece is made for. */
export interface PieceContext {
  /** A length: so many hundredths of the smaller side, e.g. `9 vmin`. */
  readonly unit: (hundredths: number) => string;
  /** Colour of lines that can be seen on the background. */
  readonly ink: string;
  /** The same for letters, with a shadow where they lie over pictures. */
  readonly letters: JsonObject;
  /** Colour of what stands out. */
  readonly accent: string;
  /** Fonts of titles and of texts. */
  readonly fonts: { readonly title: string; readonly text: string };
  /** Address of the logo; null: none is known. */
  readonly logo: string | null;
  /** For a telephone held upright: apps lay their own words over its upper and lower parts, see `safe-areas.ts`. */
  readonly isTall: boolean;
}

/** How a voice is made: from a text, or by the person. */
export type VoiceWay = 'speak' | 'record';

export interface Piece {
  readonly id: PieceId;
  /** Only where there is time. */
  readonly moving?: true;
  /** In a film, it follows the pictures and videos that are there. */
  readonly scene?: true;
  /** The kind of file that it asks for. */
  readonly file?: MediaKind;
  /** What makes it with the person, in place of `make`. */
  readonly asks?: VoiceWay;
  readonly make: (context: PieceContext) => JsonObject;
}

/** Pieces that are offered together. */
export interface PieceGroup {
  /** Its text is `adding.group.ID`. */
  readonly id: (typeof rows)[number]['id'];
  readonly pieces: readonly Piece[];
}

const middle = { x: '50%', y: '50%' } as const;

const piece = <const Id extends string>(
  id: Id,
  make: (context: PieceContext) => JsonObject,
  more: Omit<Partial<Piece>, 'id' | 'make'> = {},
) => ({ id, make, ...more });

/** Words in the middle of their box, as wide as most of the frame. */
const words = (text: string, more: JsonObject): JsonObject => ({
  type: 'text',
  text,
  ...middle,
  width: '86%',
  x_alignment: '50%',
  y_alignment: '50%',
  ...more,
});

const shape = (more: JsonObject): JsonObject => ({
  type: 'shape',
  ...middle,
  x_anchor: '50%',
  y_anchor: '50%',
  ...more,
});

/** A path of points, each x and y in percent of the box. */
const closed = (points: readonly (readonly [number, number])[]): string =>
  `${points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'} ${x} ${y}`).join(' ')} Z`;

const star = closed(
  Array.from({ length: 10 }, (_, index) => {
    const radius = index % 2 === 0 ? 50 : 20;
    const angle = (index * Math.PI) / 5;
    const round = (value: number): number => Math.round(value * 100) / 100;
    return [round(50 + radius * Math.sin(angle)), round(50 - radius * Math.cos(angle))] as const;
  }),
);

const arrow = closed([
  [0, 36],
  [62, 36],
  [62, 8],
  [100, 50],
  [62, 92],
  [62, 64],
  [0, 64],
]);

/** Seconds that each word of new captions takes. */
const wordTime = 0.4;

/** Words with their times, to be replaced by what is said. */
export const timedWords = (text: string): readonly Json[] =>
  text.split(' ').map((value, index) => ({
    time: Number((index * wordTime).toFixed(2)),
    duration: wordTime,
    value,
  }));

const rows = [
  {
    id: 'text',
    pieces: [
      piece('title', ({ unit, letters, fonts, isTall }) =>
        words(say('piece.title.text'), {
          y: isTall ? '30%' : '50%',
          font_family: fonts.title,
          font_weight: '800',
          font_size: unit(10),
          line_height: '108%',
          ...letters,
        }),
      ),
      piece('subtitle', ({ unit, letters, fonts, isTall }) =>
        words(say('piece.subtitle.text'), {
          y: isTall ? '40%' : '50%',
          font_family: fonts.title,
          font_weight: '600',
          font_size: unit(6),
          ...letters,
        }),
      ),
      piece('body', ({ unit, letters, fonts }) =>
        words(say('piece.body.text'), {
          width: '80%',
          font_family: fonts.text,
          font_weight: '400',
          font_size: unit(4.2),
          line_height: '135%',
          ...letters,
        }),
      ),
      piece('label', ({ unit, accent, fonts }) =>
        words(say('piece.label.text'), {
          font_family: fonts.text,
          font_weight: '700',
          font_size: unit(5),
          fill_color: inkOn(accent),
          background_color: accent,
          background_x_padding: '55%',
          background_y_padding: '32%',
          background_border_radius: '60%',
        }),
      ),
      piece('quote', ({ unit, letters }) =>
        words(say('piece.quote.text'), {
          width: '78%',
          font_family: 'Playfair Display',
          font_weight: '500',
          font_style: 'italic',
          font_size: unit(7),
          line_height: '125%',
          ...letters,
        }),
      ),
      piece('lowerThird', ({ unit, accent, fonts, isTall }) => ({
        type: 'composition',
        x: '6%',
        y: isTall ? '77%' : '90%',
        x_anchor: '0%',
        y_anchor: '100%',
        width: unit(74),
        height: unit(17),
        clip: true,
        border_radius: unit(1.6),
        fill_color: 'rgba(12,14,20,0.86)',
        elements: [
          shape({
            name: say('piece.lowerThird.barPart'),
            x: '0%',
            x_anchor: '0%',
            width: unit(1.6),
            height: '100%',
            fill_color: accent,
          }),
          words(say('piece.lowerThird.name'), {
            name: say('piece.lowerThird.namePart'),
            y: '34%',
            x_alignment: '0%',
            font_family: fonts.title,
            font_weight: '700',
            font_size: unit(5.4),
            fill_color: '#ffffff',
          }),
          words(say('piece.lowerThird.role'), {
            name: say('piece.lowerThird.rolePart'),
            y: '69%',
            x_alignment: '0%',
            font_family: fonts.text,
            font_weight: '400',
            font_size: unit(3.8),
            fill_color: '#d5d9e2',
          }),
        ],
      })),
    ],
  },
  {
    id: 'media',
    pieces: [
      piece(
        'picture',
        () => ({ type: 'image', ...middle, width: '100%', height: '100%', source: null }),
        { file: 'image', scene: true },
      ),
      piece(
        'video',
        () => ({ type: 'video', ...middle, width: '100%', height: '100%', source: null }),
        { file: 'video', moving: true, scene: true },
      ),
      piece(
        'lottie',
        () => ({
          type: 'lottie',
          ...middle,
          width: '60%',
          height: '60%',
          fit: 'contain',
          source: null,
        }),
        { file: 'lottie' },
      ),
      piece('color', ({ accent }) => shape({ width: '100%', height: '100%', fill_color: accent }), {
        scene: true,
      }),
      piece('sound', () => ({ type: 'audio', source: null }), { file: 'audio', moving: true }),
      piece('music', musicElement, { file: 'audio', moving: true }),
      piece('voice', () => ({ type: 'audio' }), { asks: 'speak', moving: true }),
      piece('recording', () => ({ type: 'audio' }), { asks: 'record', moving: true }),
      piece(
        'logo',
        ({ unit, logo, isTall }) => ({
          type: 'image',
          x: '94%',
          y: isTall ? '14%' : '6%',
          x_anchor: '100%',
          y_anchor: '0%',
          width: unit(20),
          height: unit(20),
          x_alignment: '100%',
          y_alignment: '0%',
          fit: 'contain',
          source: logo,
        }),
        { file: 'image' },
      ),
    ],
  },
  {
    id: 'ready',
    pieces: [
      piece(
        'captions',
        ({ unit, accent, fonts, isTall }) =>
          words('', {
            y: isTall ? '60%' : '70%',
            font_family: fonts.title,
            font_weight: '800',
            font_size: unit(7.4),
            fill_color: '#ffffff',
            stroke_color: '#0b0d12',
            stroke_width: unit(1.1),
            stroke_join: 'round',
            transcript_source: timedWords(say('piece.captions.words')),
            transcript_effect: 'highlight',
            // The mark is as high as its line, and reaches no other.
            line_height: '128%',
            background_x_padding: '20%',
            background_y_padding: '17%',
            background_border_radius: '22%',
            transcript_maximum_length: 24,
            transcript_color: accent,
          }),
        { moving: true },
      ),
      piece(
        'countdown',
        ({ unit, letters, fonts }) =>
          words('5', {
            duration: 5,
            font_family: fonts.title,
            font_weight: '800',
            font_size: unit(34),
            ...letters,
            animations: [
              { type: 'text-counter', direction: 'down', easing: 'linear', fade: false },
            ],
          }),
        { moving: true },
      ),
      piece(
        'progress',
        ({ unit, accent }) =>
          shape({
            x: '0%',
            y: '100%',
            x_anchor: '0%',
            y_anchor: '100%',
            width: [
              { time: 'start', value: '0%' },
              { time: 'end', value: '100%', easing: 'linear' },
            ],
            height: unit(1.8),
            fill_color: accent,
          }),
        { moving: true },
      ),
      piece('shade', () =>
        shape({
          y: '100%',
          y_anchor: '100%',
          width: '100%',
          height: '55%',
          fill_mode: 'linear',
          fill_x0: '50%',
          fill_y0: '0%',
          fill_x1: '50%',
          fill_y1: '100%',
          fill_color: [
            { offset: '0%', color: 'rgba(8,10,16,0)' },
            { offset: '100%', color: 'rgba(8,10,16,0.82)' },
          ],
        }),
      ),
    ],
  },
  {
    id: 'shapes',
    pieces: [
      piece('rectangle', ({ unit, accent }) =>
        shape({ width: unit(54), height: unit(34), fill_color: accent }),
      ),
      piece('rounded', ({ unit, accent }) =>
        shape({ width: unit(54), height: unit(34), border_radius: unit(7), fill_color: accent }),
      ),
      piece('circle', ({ unit, accent }) =>
        shape({ width: unit(40), height: unit(40), border_radius: unit(20), fill_color: accent }),
      ),
      piece('triangle', ({ unit, accent }) =>
        shape({
          width: unit(44),
          height: unit(38),
          path: closed([
            [50, 0],
            [100, 100],
            [0, 100],
          ]),
          fill_color: accent,
        }),
      ),
      piece('star', ({ unit, accent }) =>
        shape({ width: unit(44), height: unit(44), path: star, fill_color: accent }),
      ),
      piece('arrow', ({ unit, accent }) =>
        shape({ width: unit(50), height: unit(32), path: arrow, fill_color: accent }),
      ),
      piece('line', ({ unit, ink }) =>
        shape({ width: unit(60), height: unit(0.8), fill_color: ink }),
      ),
    ],
  },
] as const satisfies readonly { readonly id: string; readonly pieces: readonly object[] }[];

/** Name of a piece; its text is `piece.ID`. */
export type PieceId = (typeof rows)[number]['pieces'][number]['id'];

/** All groups in the order in which they are shown. */
export const pieceGroups: readonly PieceGroup[] = rows;

/** The piece of that name; undefined for others. */
export function pieceOf(id: string): Piece | undefined {
  return pieceGroups.flatMap(({ pieces }) => pieces).find((one) => one.id === id);
}

/** Music goes on to the end and does not make the film longer. */
export function musicElement(): JsonObject {
  return {
    type: 'audio',
    duration: null,
    loop: true,
    volume: '60%',
    audio_fade_out: 1.5,
    source: null,
  };
}

/** Black or white, whichever is read better on a colour; white on none, as films are black where nothing is. */
export function inkOn(background: Json | undefined): string {
  const color = parseColor(background);
  if (!color || color[3] < 0.5) return '#ffffff';
  const [red, green, blue] = color.slice(0, 3).map((channel) => (channel / 255) ** 2.2);
  const light = 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
  return light > 0.3 ? '#14161c' : '#ffffff';
}

function hasPictures(source: Source | null): boolean {
  const elements = source?.elements;
  if (!Array.isArray(elements)) return false;
  return (elements as readonly Json[]).some(
    (element) => isJsonObject(element) && (element.type === 'image' || element.type === 'video'),
  );
}

/** What new elements of a document look like; what the brand has comes first. */
export function contextFor(source: Source | null, brand: Brand = noBrand): PieceContext {
  const { colors, titleFont, textFont, logo } = brand;
  // What is added comes to lie over pictures; white with a shadow can be read on most of them.
  const isOver = hasPictures(source);
  const ink = isOver ? '#ffffff' : inkOn(source?.fill_color);
  const shadow = { shadow_color: 'rgba(0,0,0,0.45)', shadow_blur: '3 vmin' };
  return {
    unit: (hundredths) => `${hundredths} vmin`,
    ink,
    letters: { fill_color: ink, ...(isOver && shadow) },
    accent: colors[0] ?? '#2447d8',
    fonts: { title: titleFont || 'Montserrat', text: textFont || 'Inter' },
    logo: logo || null,
    isTall: isTall(source),
  };
}

/** Whether a document is higher than it is wide. */
export const isTall = (source: Source | null): boolean =>
  Number(source?.height) > Number(source?.width);
