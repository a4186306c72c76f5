/** What a page needs to draw a document by itself, told from the stage on which the document is open. Runs in the preview's worker. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas, Image } from '@napi-rs/canvas';
import type { LiveFace, LiveFont, LiveKit, LiveMedia } from '../../shared/engine/live-kit.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import type { MediaFile } from './assets/assets.ts';
import { defaultFamily } from './assets/fonts/font-kinds.ts';
import { fontFamiliesOf, fontWeightsOf } from './assets/fonts/font-needs.ts';
import { facesOf } from './assets/fonts/font-register.ts';
import type { ImageBook } from './assets/pictures/images.ts';
import type { Found } from './assets/shelf.ts';
import type { Stage } from './stage.ts';

/** A `LiveKit` as text, and the paths of the files that it counts. */
export interface KitWithFiles {
  readonly text: string;
  readonly files: readonly string[];
}

/** Pixels of the longer side of a raster of a vector picture: twice what previews have. */
const rasterSide = 1920;
/** Weights of which fonts are told; a document that names more draws the nearest of them while it plays. */
const mostWeights = 12;
/** The same of families. */
const mostFamilies = 60;

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
    const { kind, format } = file.info;
    const drawn = format === 'svg' ? await rasterOf(file, stage.pictures, workFolder) : file.path;
    media.push({
      source: file.source,
      info: file.info,
      file: kind === 'audio' ? null : numberOf(drawn),
    });
  }
  const kit: LiveKit = {
    media,
    missing: [...missing],
    transcripts: [...stage.transcripts],
    ...fontsOf(source, stage, numberOf),
    obstacle: stage.fonts.drawsEmoji ? 'emoji' : null,
  };
  return { text: JSON.stringify(kit), files };
}

function fontsOf(
  source: Source,
  { fonts: book }: Stage,
  numberOf: (file: string) => number,
): Pick<LiveKit, 'fonts' | 'faces'> {
  const fonts: LiveFont[] = [];
  const faces = new Map<string, LiveFace>();
  // What is typed next may be the first text of all.
  const families = new Set([...fontFamiliesOf(source).slice(0, mostFamilies), defaultFamily]);
  for (const family of families) {
    for (const weight of fontWeightsOf(source).slice(0, mostWeights)) {
      for (const style of ['normal', 'italic'] as const) {
        const asked = { family, weight, style, size: 1 };
        fonts.push({ family: family.toLowerCase(), weight, style, css: book.css(asked) });
        for (const alias of book.aliases(asked)) {
          for (const face of facesOf(alias)) {
            const { minWeight, maxWeight, style: own } = face;
            faces.set(`${alias}\n${face.path}`, {
              alias,
              style: own,
              file: numberOf(face.path),
              weight: minWeight === maxWeight ? String(minWeight) : `${minWeight} ${maxWeight}`,
            });
          }
        }
      }
    }
  }
  return { fonts, faces: [...faces.values()] };
}

/** A vector picture as a png: no thread of a page can decode one. */
async function rasterOf(
  { path: file, source, info }: MediaFile,
  pictures: ImageBook,
  workFolder: string,
): Promise<string> {
  const scale = rasterSide / Math.max(info.width, info.height);
  const name = createHash('sha1').update(`${file}\n${rasterSide}`).digest('hex');
  const target = path.join(workFolder, 'rasters', `${name}.png`);
  if (existsSync(target)) return target;
  const picture = pictures.image(source, info.width * scale, info.height * scale);
  if (!picture) return file;
  await mkdir(path.dirname(target), { recursive: true });
  const canvas = picture instanceof Image ? createCanvas(picture.width, picture.height) : picture;
  if (picture instanceof Image) canvas.getContext('2d').drawImage(picture, 0, 0);
  await writeFile(target, await canvas.encode('png'));
  return target;
}
