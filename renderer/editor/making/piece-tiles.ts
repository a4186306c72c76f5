/** The document in which every piece of the add panel stands in a tile of its own, drawn behind its buttons. Pure. */
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { tileBox } from '../preview/film-tiles.ts';
import { inkOn, type Piece, type PieceContext, type PieceGroup, type PieceId } from './pieces.ts';

/** Pixels. */
export const pieceTile = {
  width: 76,
  height: 80,
  picture: { width: 70, height: 52 },
  columns: 3,
  /** Height of a group's heading. */
  heading: 32,
} as const;

/** How much larger a tile shows some pieces: letters must be readable. */
const grown: Readonly<Partial<Record<PieceId, number>>> = {
  title: 2.5,
  subtitle: 2.9,
  body: 2.7,
  label: 4,
  quote: 2.4,
  lowerThird: 1.35,
  captions: 2,
  countdown: 1.6,
};

/** Seconds of the film, and the moment at which it stands. */
export const pieceFilm = { duration: 5, moment: 1.3 } as const;

/** Colours of the page. */
export interface PieceColors {
  readonly ground: string;
  readonly ink: string;
  readonly accent: string;
}

const rowsOf = (count: number): number => Math.ceil(count / pieceTile.columns);

/** Height of all groups, in pixels. */
export function heightOfPieces(groups: readonly PieceGroup[]): number {
  return groups.reduce(
    (sum, { pieces }) => sum + pieceTile.heading + rowsOf(pieces.length) * pieceTile.height,
    0,
  );
}

export function filmOfPieces(
  groups: readonly PieceGroup[],
  colors: PieceColors,
  fonts: PieceContext['fonts'],
): Source {
  const { width, height } = pieceTile.picture;
  const contextOf = (id: PieceId): PieceContext => ({
    // Within a tile, hundredths of the tile's smaller side.
    unit: (hundredths) =>
      `${Number(((hundredths / 100) * Math.min(width, height) * (grown[id] ?? 1.2)).toFixed(2))} px`,
    ink: colors.ink,
    letters: { fill_color: colors.ink },
    accent: colors.accent,
    fonts,
    logo: null,
    isTall: false,
  });
  let top = 0;
  const elements = groups.flatMap(({ pieces }) => {
    const from = top + pieceTile.heading;
    top = from + rowsOf(pieces.length) * pieceTile.height;
    return pieces.map((one, index): JsonObject => ({
      ...tileBox(pieceTile, index, from),
      fill_color: one.id === 'captions' ? '#39404f' : colors.ground,
      elements: pictureOf(one, contextOf(one.id)),
    }));
  });
  return {
    output_format: 'gif',
    width: pieceTile.width * pieceTile.columns,
    height: top,
    duration: pieceFilm.duration,
    frame_rate: 15,
    elements,
  };
}

/** What shows a piece: itself, or a sign for what has no picture before its file is chosen. */
function pictureOf({ id, file, asks, make }: Piece, context: PieceContext): readonly JsonObject[] {
  if (file === undefined && asks === undefined) return [make(context)];
  const { accent, ink } = context;
  const part = (path: string, color: string, more: JsonObject = {}): JsonObject => ({
    type: 'shape',
    x: '50%',
    y: '50%',
    x_anchor: '50%',
    y_anchor: '50%',
    width: '100%',
    height: '100%',
    path,
    fill_color: color,
    ...more,
  });
  const bars = (heights: readonly number[]): string =>
    heights
      .map((tall, index) => {
        const [left, right] = [22 + index * 8, 26 + index * 8];
        const [up, down] = [50 - tall / 2, 50 + tall / 2];
        return `M ${left} ${up} L ${right} ${up} L ${right} ${down} L ${left} ${down} Z`;
      })
      .join(' ');
  const hills = part('M 0 100 L 0 74 L 30 42 L 54 72 L 72 54 L 100 84 L 100 100 Z', accent);
  const sun: JsonObject = {
    type: 'shape',
    x: '74%',
    y: '28%',
    x_anchor: '50%',
    y_anchor: '50%',
    width: 13,
    height: 13,
    border_radius: '6.5 px',
    fill_color: '#f2b134',
  };
  switch (id) {
    case 'video':
      return [hills, part('M 41 32 L 41 68 L 64 50 Z', ink)];
    case 'lottie':
      // What moves along a curve.
      return [
        part('M 22 74 C 56 74 44 26 78 26', 'transparent', {
          stroke_color: accent,
          stroke_width: '4 px',
          stroke_cap: 'round',
        }),
        { ...sun, x: '22%', y: '74%', fill_color: accent },
        { ...sun, x: '78%', y: '26%' },
      ];
    case 'sound':
      return [part(bars([18, 40, 62, 34, 52, 26, 14]), accent)];
    case 'voice':
      // What someone says.
      return [
        part('M 26 26 L 74 26 L 74 62 L 48 62 L 36 76 L 36 62 L 26 62 Z', accent),
        part('M 34 37 L 66 37 L 66 42 L 34 42 Z M 34 48 L 56 48 L 56 53 L 34 53 Z', inkOn(accent)),
      ];
    case 'recording':
      return [
        part(
          'M 30 44 L 34 44 L 34 60 L 66 60 L 66 44 L 70 44 L 70 64 L 52 64 L 52 76 L 62 76 L 62 80 L 38 80 L 38 76 L 48 76 L 48 64 L 30 64 Z',
          ink,
        ),
        {
          ...sun,
          x: '50%',
          y: '37%',
          width: 14,
          height: 24,
          border_radius: '7 px',
          fill_color: accent,
        },
      ];
    case 'music':
      return [
        part(
          'M 42 24 L 66 18 L 66 28 L 47 33 L 47 72 L 42 72 Z M 61 20 L 66 19 L 66 66 L 61 66 Z',
          ink,
        ),
        part('M 34 66 L 47 66 L 47 80 L 34 80 Z M 53 60 L 66 60 L 66 74 L 53 74 Z', accent),
      ];
    case 'logo':
      return [
        {
          ...sun,
          x: '50%',
          y: '50%',
          width: 30,
          height: 30,
          border_radius: '15 px',
          fill_color: accent,
        },
        part(
          'M 50 34 L 58 50 L 50 66 L 42 50 Z',
          context.ink === '#ffffff' ? '#14161c' : '#ffffff',
        ),
      ];
    default:
      return [sun, hills];
  }
}
