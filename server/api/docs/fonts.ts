/** What the help says of fonts: every shipped family, from the engine's own table, with pictures of the gallery. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { fontFolder } from '../../system/paths.ts';
import { sheetOf } from './pictures.ts';

/** The part of the table that the page tells of. */
const listForm = z.object({
  families: z.array(
    z.object({
      family: z.string(),
      faces: z.array(
        z.object({
          subset: z.string(),
          style: z.string(),
          weight: z.tuple([z.number(), z.number()]),
        }),
      ),
    }),
  ),
});
type Family = z.infer<typeof listForm>['families'][number];

let known: readonly Family[] | null = null;

/** Read once, when somebody opens the page or searches. */
export function shippedFamilies(): readonly Family[] {
  const file = path.join(fontFolder(), 'fonts.json');
  known ??= listForm.parse(JSON.parse(readFileSync(file, 'utf8'))).families;
  return known;
}

/** Named parts of a family's characters, in the order they are told. */
const scripts = {
  latin: 'Latin',
  cyrillic: 'Cyrillic',
  greek: 'Greek',
  vietnamese: 'Vietnamese',
  hebrew: 'Hebrew',
  arabic: 'Arabic',
  devanagari: 'Devanagari',
  thai: 'Thai',
} as const;

/** What comes in numbered parts, or has no script. */
const otherScripts: Readonly<Record<string, string>> = {
  'Gothic A1': 'Latin, Korean',
  'Noto Color Emoji': 'emoji',
  'Noto Sans JP': 'Latin, Japanese',
  'Noto Sans KR': 'Latin, Korean',
  'Noto Sans SC': 'Latin, Chinese (simplified)',
  'Noto Sans TC': 'Latin, Chinese (traditional)',
  'Noto Sans Symbols 2': 'Latin, symbols, Braille',
};

function scriptsOf({ family: name, faces }: Family): string {
  const subsets = [...new Set(faces.map(({ subset }) => subset))];
  const has = (script: string): boolean => subsets.some((subset) => subset.endsWith(`-${script}`));
  const named = Object.entries(scripts).flatMap(([script, words]) => (has(script) ? words : []));
  return otherScripts[name] ?? named.join(', ');
}

/** `100–900`, or `400, 700`. */
function weightsOf({ faces }: Family): string {
  const ranges = new Map(faces.map(({ weight }) => [weight.join('-'), weight]));
  return [...ranges.values()]
    .sort(([one], [other]) => one - other)
    .map(([least, most]) => (least === most ? `${least}` : `${least}–${Math.min(900, most)}`))
    .join(', ');
}

function familyText(family: Family): string {
  const { family: name, faces } = family;
  const isItalic = faces.some(({ style }) => style === 'italic');
  const sheet = sheetOf(`fonts/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`, false);
  const facts = `Weights ${weightsOf(family)}${isItalic ? ', with italics' : ''}. ${scriptsOf(family)}.`;
  return `### ${name}\n\n${facts.replace(/\. ([a-z])/, (_, first: string) => `. ${first.toUpperCase()}`)}\n\n${sheet}`;
}

/** All shipped families, each with its facts and its picture. */
export function fontTexts(): string {
  return shippedFamilies().map(familyText).join('\n\n');
}
