/** The window's routes about fonts. */
import * as z from 'zod/mini';
import { fontLibraryLimits } from '../limits.ts';
import type { Of, Rows } from './row.ts';

const fonts = z.object({
  /** They come with the program, and are the same on every computer. */
  bundled: z.array(z.string()),
  /** People added them to the program. */
  added: z.array(z.string()),
  /** This computer has them; without those that are bundled or added too. */
  installed: z.array(z.string()),
});
/** The font families that texts can use, each list in alphabetical order. */
export type WindowFonts = Of<typeof fonts>;

const family = z.object({
  family: z.string(),
  /** Of all its files. */
  bytes: z.number(),
  /** By weight, upright ones before italic ones of the same weight. */
  files: z.array(
    z.object({
      id: z.string(),
      /** The file's original name. */
      name: z.string(),
      style: z.enum(['normal', 'italic']),
      /** 1–1000; equal unless the weight is variable. */
      minWeight: z.number(),
      maxWeight: z.number(),
    }),
  ),
});
/** A family that people added to the program. */
export type AddedFamily = Of<typeof family>;

const uses = z.object({
  /** Names of templates. */
  templates: z.array(z.string()),
  /** Names of the projects in whose brand it is. */
  brands: z.array(z.string()),
});
/** Who uses an added family. */
export type FontUses = Of<typeof uses>;

const missing = z.object({
  family: z.string(),
  /** Names of these templates. */
  templates: z.array(z.string()),
});
/** A family that templates name and that nothing has. */
export type MissingFamily = Of<typeof missing>;

const nameRule = `a string of 1 to ${fontLibraryLimits.nameLength} characters`;
const newFont = z.object({
  name: z
    .string(nameRule)
    .check(z.minLength(1, nameRule), z.maxLength(fontLibraryLimits.nameLength, nameRule)),
});

/** The families that texts can use; added ones with their files; and those that templates miss. */
export const fontRows = {
  all: { method: 'GET', path: '/fonts', answer: fonts },
  added: { method: 'GET', path: '/fonts/added', answer: z.array(family) },
  /** The file is the body, which is not held in memory. 201; 200: it existed already. */
  add: { method: 'POST', path: '/fonts/added', query: newFont, answer: family },
  uses: { method: 'GET', path: '/fonts/added/:family/uses', answer: uses },
  remove: { method: 'DELETE', path: '/fonts/added/:family', answer: null },
  missing: { method: 'GET', path: '/fonts/missing', answer: z.array(missing) },
} as const satisfies Rows;
