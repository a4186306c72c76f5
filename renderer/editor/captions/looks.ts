/** THE TABLE of caption styles: what each one sets of its text, and the film that shows them all. Pure. */
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { tileBox } from '../preview/film-tiles.ts';
import { areGlued, splitTime } from '../../../shared/engine/transcript.ts';

/** Without the place and size of the text, which stay as they are. */
const table = {
  classic: {
    font_family: 'Inter',
    font_weight: '700',
    fill_color: '#ffffff',
    stroke_color: '#000000',
    stroke_width: '0.9 vmin',
    transcript_effect: 'color',
    transcript_split: 'none',
    transcript_color: '#ffffff',
    transcript_maximum_length: 40,
  },
  spoken: {
    font_family: 'Montserrat',
    font_weight: '800',
    fill_color: '#ffffff',
    stroke_color: '#000000',
    stroke_width: '1 vmin',
    transcript_effect: 'color',
    transcript_split: 'word',
    transcript_color: '#ffd60a',
    transcript_maximum_length: 25,
  },
  karaoke: {
    font_family: 'Poppins',
    font_weight: '700',
    fill_color: 'rgba(255,255,255,0.55)',
    shadow_color: 'rgba(0,0,0,0.7)',
    shadow_blur: '1.6 vmin',
    transcript_effect: 'karaoke',
    transcript_split: 'letter',
    transcript_color: '#ffffff',
    transcript_maximum_length: 28,
  },
  highlight: {
    font_family: 'Montserrat',
    font_weight: '700',
    fill_color: '#ffffff',
    background_color: 'rgba(0,0,0,0)',
    background_x_padding: '18%',
    background_y_padding: '8%',
    background_border_radius: '28%',
    transcript_effect: 'highlight',
    transcript_split: 'word',
    transcript_color: '#7c3aed',
    transcript_maximum_length: 25,
  },
  box: {
    font_family: 'Inter',
    font_weight: '600',
    fill_color: '#ffffff',
    background_color: 'rgba(0,0,0,0.72)',
    background_x_padding: '35%',
    background_y_padding: '18%',
    background_border_radius: '22%',
    transcript_effect: 'color',
    transcript_split: 'none',
    transcript_color: '#ffffff',
    transcript_maximum_length: 42,
  },
  paper: {
    font_family: 'Poppins',
    font_weight: '600',
    fill_color: '#15171c',
    background_color: '#ffffff',
    background_x_padding: '34%',
    background_y_padding: '18%',
    background_border_radius: '50%',
    transcript_effect: 'color',
    transcript_split: 'word',
    transcript_color: '#e11d48',
    transcript_maximum_length: 30,
  },
  bounce: {
    font_family: 'Anton',
    font_weight: '400',
    fill_color: '#ffffff',
    text_transform: 'uppercase',
    stroke_color: '#000000',
    stroke_width: '1.1 vmin',
    transcript_effect: 'bounce',
    transcript_split: 'word',
    transcript_color: '#39e75f',
    transcript_maximum_length: 18,
  },
  enlarge: {
    font_family: 'Rubik',
    font_weight: '800',
    fill_color: '#ffffff',
    shadow_color: 'rgba(0,0,0,0.8)',
    shadow_blur: '2 vmin',
    transcript_effect: 'enlarge',
    transcript_split: 'word',
    transcript_color: '#38bdf8',
    transcript_maximum_length: 20,
  },
  rise: {
    font_family: 'Work Sans',
    font_weight: '700',
    fill_color: '#ffffff',
    shadow_color: 'rgba(0,0,0,0.7)',
    shadow_blur: '1.6 vmin',
    transcript_effect: 'slide',
    transcript_split: 'line',
    transcript_color: '#ffffff',
    transcript_maximum_length: 36,
  },
  fade: {
    font_family: 'Playfair Display',
    font_weight: '700',
    font_style: 'italic',
    fill_color: '#ffffff',
    shadow_color: 'rgba(0,0,0,0.75)',
    shadow_blur: '1.8 vmin',
    transcript_effect: 'fade',
    transcript_split: 'word',
    transcript_placement: 'animate',
    transcript_color: '#fde68a',
    transcript_maximum_length: 32,
  },
  single: {
    font_family: 'Bebas Neue',
    font_weight: '400',
    fill_color: '#ffe600',
    stroke_color: '#000000',
    stroke_width: '1 vmin',
    transcript_effect: 'enlarge',
    transcript_split: 'word',
    transcript_placement: 'align',
    transcript_color: '#ffe600',
    transcript_maximum_length: 8,
  },
  typed: {
    font_family: 'Roboto Mono',
    font_weight: '600',
    fill_color: '#d1fae5',
    background_color: 'rgba(2,20,12,0.82)',
    background_x_padding: '30%',
    background_y_padding: '16%',
    background_border_radius: '0%',
    background_align_threshold: '0%',
    transcript_effect: 'fade',
    transcript_split: 'letter',
    transcript_color: '#34d399',
    transcript_maximum_length: 26,
  },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** Name of a style. */
export type LookId = keyof typeof table;
/** All of them, in the order in which they are shown. */
export const lookIds = Object.keys(table) as readonly LookId[];

/** Every property that some style sets: the others lose them. */
const properties: readonly string[] = [
  ...new Set(Object.values(table).flatMap((look) => Object.keys(look))),
];

/** What a style sets of a text; undefined for what it must not have. */
export function valuesOf(id: LookId): Readonly<Record<string, JsonObject[string]>> {
  const look: JsonObject = table[id];
  return Object.fromEntries(properties.map((name) => [name, look[name]]));
}

/** The style that a text has exactly; null for none. */
export function lookOf(element: JsonObject): LookId | null {
  return (
    lookIds.find((id) =>
      Object.entries(valuesOf(id)).every(([name, value]) => element[name] === value),
    ) ?? null
  );
}

/**
 * A new text with captions: wide enough for two lines, in the lower part of the picture.
 *
 * @param tall The picture is higher than wide: apps lay their own words over its lower part.
 */
export function newCaptions(
  source: JsonObject[string],
  tall: boolean,
  look: LookId = 'spoken',
): JsonObject {
  return {
    type: 'text',
    transcript_source: source,
    x: '50%',
    ...(tall ? { y: '56%', height: '20%' } : { y: '78%', height: '24%' }),
    width: '86%',
    x_alignment: '50%',
    y_alignment: '50%',
    font_size_maximum: '7.5 vmin',
    ...table[look],
  };
}

/** Pixels of a tile with its words and the room beside it, and of its picture. */
export const lookTile = {
  width: 172,
  height: 116,
  picture: { width: 164, height: 86 },
  columns: 2,
} as const;
/** Seconds of the film. */
const length = 3.2;
/** Behind the words of a tile, from its top left to its bottom right. */
export const lookGround = ['#46617d', '#b98a6b'] as const;

/** What the page itself can show of a style, as values of CSS, until the film is drawn. */
export function standInOf(
  id: LookId,
): Readonly<Record<'color' | 'weight' | 'style' | 'transform' | 'background', string>> {
  const look: JsonObject = table[id];
  const value = (name: string, standard: string): string => {
    const written = look[name];
    return typeof written === 'string' ? written : standard;
  };
  return {
    color: value('fill_color', '#ffffff'),
    weight: value('font_weight', '400'),
    style: value('font_style', 'normal'),
    transform: value('text_transform', 'none'),
    background: value('background_color', 'none'),
  };
}

/** The film in which every style says the same words. @param words Some that people read at a glance. */
export function filmOfLooks(words: string): Source {
  return {
    output_format: 'gif',
    width: lookTile.width * lookTile.columns,
    height: Math.ceil(lookIds.length / lookTile.columns) * lookTile.height,
    duration: length,
    frame_rate: 15,
    elements: lookIds.map((id, index) => tileOf(id, index, words)),
  };
}

function tileOf(id: LookId, index: number, words: string): JsonObject {
  const look: JsonObject = table[id];
  // Lengths of the film's own size would be too small beside the letters of a tile.
  const scaled = Object.fromEntries(
    Object.entries(look).map(([name, value]) =>
      typeof value === 'string' && value.endsWith(' vmin')
        ? [name, Number((Number.parseFloat(value) * 1.3).toFixed(2))]
        : [name, value],
    ),
  );
  return {
    ...tileBox(lookTile, index),
    border_radius: '8 px',
    fill_mode: 'linear',
    fill_x0: '0%',
    fill_y0: '0%',
    fill_x1: '100%',
    fill_y1: '100%',
    fill_color: lookGround.map((color, end) => ({ offset: `${end * 100}%`, color })),
    elements: [
      {
        type: 'text',
        ...scaled,
        width: '88%',
        height: '74%',
        x_alignment: '50%',
        y_alignment: '50%',
        font_size: id === 'single' ? 30 : id === 'bounce' ? 21 : 17,
        transcript_source: spoken(words),
      },
    ],
  };
}

/** The words, spoken until shortly before the end of the film. */
function spoken(text: string): JsonObject[] {
  return splitTime(text, 0.15, length - 0.35, null).map(({ text: value, start, end }, at, all) => ({
    time: start,
    duration: end - start,
    value: at > 0 && !areGlued(all[at - 1]?.text ?? '', value) ? ` ${value}` : value,
    sentence: 1,
  }));
}
