/**
 * The pictures of the help pages: sheets of resources/gallery, drawn with the program itself by `npm run generate --
 * gallery`. They ship as files, so that reading the help never wakes a worker or waits for one.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { animationTypes } from '../../../shared/renderscript/animation-types.ts';
import { galleryFolder } from '../../system/paths.ts';
import { sheetBlock } from './markdown.ts';

const captionsShape = z.record(z.string(), z.array(z.string()).min(1));

let known: Readonly<Record<string, readonly string[]>> | null = null;

/** Sheets by name, such as `properties/text.text_clip`, with what their cells show. */
function captions(): Readonly<Record<string, readonly string[]>> {
  known ??= captionsShape.parse(
    JSON.parse(readFileSync(path.join(galleryFolder(), 'captions.json'), 'utf8')),
  );
  return known;
}

/** Moments of an animation's sheet. */
const moments = 8;

/** Pixels of the cells of properties, easings and recipes; a font is one line. */
const cell = { width: 320, height: 180 };
const fontCell = { width: 320, height: 96 };
const sampleCell = { width: 300, height: 300 };

/** By folder. */
const cells: Readonly<Record<string, typeof cell>> = { fonts: fontCell, templates: sampleCell };

/** A sheet as a block of Markdown; empty if there is none. @param isCode whether captions are values, as in JSON */
export function sheetOf(name: string, isCode = true): string {
  const words = captions()[name];
  if (!words) return '';
  const shown = words.map((word) => (isCode ? `\`${word}\`` : word));
  return sheetBlock({
    address: `/docs/gallery/${name}.jpg`,
    captions: shown,
    ...(cells[name.replace(/\/.*/, '')] ?? cell),
  });
}

/** Eight moments of an animation. */
export function animationSheet(type: string): string {
  const empty = Array.from({ length: moments }, () => '');
  return sheetBlock({
    address: `/docs/gallery/${type}.jpg`,
    captions: empty,
    width: 179,
    height: 101,
  });
}

/** The file of a sheet; null for names that no page has. */
export function sheetFile(name: string): string | null {
  const isKnown = animationTypes.has(name) || Object.hasOwn(captions(), name);
  const file = `${name}.jpg`;
  return isKnown && existsSync(path.join(galleryFolder(), file)) ? file : null;
}
