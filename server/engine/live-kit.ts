/**
 * What a page needs to draw a document itself, collected from the stage on which the document is open. Runs in the
 * preview's worker.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import type {
  LiveEmoji,
  LiveFace,
  LiveFont,
  LiveKit,
  LiveMedia,
} from '../../shared/engine/live-kit.ts';
import { emojiIn, emojiKey } from '../../shared/engine/text/emoji.ts';
import { isOfWords } from '../../shared/engine/text/whole-words.ts';
import { signs } from '../../shared/engine/figure-signs.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import type { MediaFile } from './assets/assets.ts';
import { defaultFamily } from './assets/fonts/font-kinds.ts';
import { charactersOf, fontFamiliesOf, fontWeightsOf, textsOf } from './assets/fonts/font-needs.ts';
import type { FontFace } from './assets/fonts/font-list.ts';
import type { RegisteredFont } from './assets/fonts/font-register.ts';
import { movingPng } from './assets/pictures/picture-animation.ts';
import type { ImageBook } from './assets/pictures/images.ts';
import type { Found } from './assets/shelf.ts';
import { spokenTexts } from './assets/speech/transcripts.ts';
import type { Stage } from './stage.ts';

/** A `LiveKit` as text, and the paths of the files that it lists. */
export interface KitWithFiles {
  readonly text: string;
  readonly files: readonly string[];
}

/** Longer side of a vector picture's raster, in pixels: twice a preview's. */
const rasterSide = 1920;
/** Pictures of a Lottie animation, and pixels of all of them. */
const mostMoments = 150;
const filmPixels = 30e6;
/** How many font weights are listed; a document with more uses the nearest of them during playback. */
const mostWeights = 12;
/** The same of families. */
const mostFamilies = 60;
/** How many pictures of emoji are listed; further ones come from the font during playback. */
const mostEmoji = 200;
/** Pixels of their sides: the height of most previews. */
const emojiSide = 724;

/** @param workFolder For rasters of vector pictures. */
export async function liveKit(
  source: Source,
  stage: Stage,
  { assets, missing }: Found,
  workFolder: string,
): Promise<KitWithFiles> {
  const files: string[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (file: string): number => {
    const known = numbers.get(file);
    if (known !== undefined) return known;
    numbers.set(file, files.length);
    files.push(file);
    return files.length - 1;
  };
  const media: LiveMedia[] = [];
  for (const file of assets.media.values()) {
    const { format, kind } = file.info;
    if (kind === 'lottie') {
      const { info, path: film } = await filmOf(file, stage.pictures, workFolder);
      media.push({ source: file.source, info, file: numberOf(film) });
      continue;
    }
    const drawn = format === 'svg' ? await rasterOf(file, stage.pictures, workFolder) : file.path;
    media.push({ source: file.source, info: file.info, file: numberOf(drawn) });
  }
  const kit: LiveKit = {
    media,
    luts: [...(assets.luts ?? [])].map(([source, file]) => ({ source, file: numberOf(file) })),
    samples: [...stage.materials.samples].map(([name, file]) => ({
      source: name,
      file: numberOf(file),
    })),
    missing: [...missing],
    transcripts: [...stage.transcripts],
    ...fontsOf(source, stage, numberOf),
    emoji: await emojiOf(source, stage, workFolder, numberOf),
  };
  return { text: JSON.stringify(kit), files };
}

function fontsOf(
  source: Source,
  { fonts: book, transcripts }: Stage,
  numberOf: (file: string) => number,
): Pick<LiveKit, 'fonts' | 'faces'> {
  const fonts: LiveFont[] = [];
  const faces = new Map<string, readonly LiveFace[]>();
  // The user may be about to type the first text.
  const families = new Set([...fontFamiliesOf(source).slice(0, mostFamilies), defaultFamily]);
  const characters = charactersOf(allTexts(source, transcripts));
  const letters = Array.from(characters, (code) => String.fromCodePoint(code)).filter(isOfWords);
  for (const family of [...families])
    if (letters.some((letter) => book.lacks(letter, family)))
      for (const fallback of book.fallbacks(family)) families.add(fallback);
  for (const family of families) {
    const lacks = [...signs, ...letters].filter((sign) => book.lacks(sign, family)).join('');
    const fallbacks = book.fallbacks(family).filter((name) => families.has(name));
    for (const weight of fontWeightsOf(source).slice(0, mostWeights)) {
      for (const style of ['normal', 'italic'] as const) {
        const asked = { family, weight, style, size: 1 };
        let css = book.css(asked);
        const chain = book.chain(asked);
        const { minWeight, maxWeight } = chain[0]?.faces[0] ?? asNamed(weight);
        for (const font of chain) {
          const alias = pageAlias(font);
          css = css.replace(JSON.stringify(font.alias), () => JSON.stringify(alias));
          if (faces.has(alias)) continue;
          const told = font.faces.map(({ path: file, style: own, minWeight, maxWeight }) => ({
            alias,
            style: own,
            weight: minWeight === maxWeight ? String(minWeight) : `${minWeight} ${maxWeight}`,
            file: numberOf(file),
          }));
          faces.set(alias, told);
        }
        const range = [minWeight, maxWeight] as const;
        fonts.push({ family: looseName(family), weight, style, css, range, lacks, fallbacks });
      }
    }
  }
  return { fonts, faces: [...faces.values()].flat() };
}

/** For an installed font the weights in between are unknown. */
const asNamed = (weight: number): Pick<FontFace, 'minWeight' | 'maxWeight'> => ({
  minWeight: weight,
  maxWeight: weight,
});

/**
 * The name of a font in pages, which depends on its files. This process's own alias also covers files of earlier
 * documents, but what a page draws must depend on its document alone.
 */
function pageAlias({ alias, faces }: RegisteredFont): string {
  if (faces.length === 0) return alias;
  const files = faces.map(({ path: file }) => file).join('\n');
  return `${alias} ${createHash('sha1').update(files).digest('hex').slice(0, 12)}`;
}

function allTexts(source: Source, transcripts: Stage['transcripts']): string[] {
  return [...textsOf(source), ...spokenTexts({ byText: transcripts })];
}

/** The pictures of the emoji that a document shows. */
async function emojiOf(
  source: Source,
  { fonts, transcripts }: Stage,
  workFolder: string,
  numberOf: (file: string) => number,
): Promise<LiveEmoji[]> {
  if (!fonts.drawsEmoji) return [];
  const found = new Set(allTexts(source, transcripts).flatMap(emojiIn));
  const pictures: LiveEmoji[] = [];
  for (const emoji of [...found].slice(0, mostEmoji)) {
    const key = emojiKey(emoji);
    const file = rasterFile(workFolder, `emoji ${key} ${emojiSide}`);
    if (!existsSync(file)) {
      const picture = fonts.emoji(emoji, emojiSide);
      if (!picture) continue;
      await writeRaster(file, picture);
    }
    pictures.push({ key, file: numberOf(file) });
  }
  return pictures;
}

/** A vector picture as a png: a page's worker can't decode one. */
async function rasterOf(
  { path: file, source, info }: MediaFile,
  pictures: ImageBook,
  workFolder: string,
): Promise<string> {
  const scale = rasterSide / Math.max(info.width, info.height);
  const target = rasterFile(workFolder, `${file} ${rasterSide}`);
  if (existsSync(target)) return target;
  const picture = pictures.image(source, info.width * scale, info.height * scale);
  if (!picture) return file;
  const canvas = picture instanceof Image ? createCanvas(picture.width, picture.height) : picture;
  if (picture instanceof Image) canvas.getContext('2d').drawImage(picture, 0, 0);
  await writeRaster(target, canvas);
  return target;
}

/**
 * A Lottie animation as a moving png: a page has no player that draws the same. It has a picture for each of the
 * animation's frames, or as many as the budget allows; the page shows the nearest one before.
 */
async function filmOf(
  { path: file, source, info }: MediaFile,
  pictures: ImageBook,
  workFolder: string,
): Promise<Pick<MediaFile, 'path' | 'info'>> {
  const count = Math.max(1, Math.min(mostMoments, Math.ceil(info.duration * info.frameRate)));
  const starts = Array.from({ length: count }, (_, index) => (index * info.duration) / count);
  const longest = Math.sqrt(filmPixels / count / (info.width * info.height));
  const scale = Math.min(longest, rasterSide / 2 / Math.max(info.width, info.height));
  const known: MediaInfo = {
    ...info,
    kind: 'image',
    format: 'png',
    animation: { starts, plays: null },
  };
  const target = rasterFile(workFolder, `${file} film ${scale}`);
  if (existsSync(target)) return { path: target, info: known };
  const stills: Buffer[] = [];
  for (const start of starts) {
    const picture = pictures.image(source, info.width * scale, info.height * scale, start);
    if (!picture || picture instanceof Image) return { path: file, info };
    stills.push(await picture.encode('png'));
  }
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, movingPng(stills, info.duration / count));
  return { path: target, info: known };
}

/** @param name Identifies everything that the raster depends on. */
function rasterFile(workFolder: string, name: string): string {
  const mark = createHash('sha1').update(name).digest('hex');
  return path.join(workFolder, 'rasters', `${mark}.png`);
}

async function writeRaster(file: string, canvas: Canvas): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await canvas.encode('png'));
}
