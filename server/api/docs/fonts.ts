/** The page of the help about fonts: every shipped family, from the table that the engine reads, with pictures of `npm run gallery`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { fontFolder } from '../../paths.ts';
import { sheetOf } from './pictures.ts';
import type { Topic } from './topic.ts';

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
function shippedFamilies(): readonly Family[] {
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

/** See above. */
export const fontsTopic: Topic = {
  slug: 'fonts',
  title: 'Fonts',
  summary: 'All shipped families with pictures, and how to use others.',
  text: () => {
    const families = shippedFamilies();
    return `
${families.length} families come with the program and work without a network. Name one in [font_family](/docs/renderscript/text#font_family); a weight between two that a family has is drawn with the nearest one, or exactly if the list has a range. Families without italics are slanted.

## Other fonts

- **Added in the window**, under Settings ▸ Fonts: for all templates of the server. \`framewright render\` without a server does not know them.
- **Brought by the document** in [fonts](/docs/renderscript/document#fonts).
- **Installed on the computer**: they work, with a warning, because another computer may not have them.

A family that is nowhere to be found is replaced by one of its kind, with a warning. Letters that a family lacks come from the Noto families below, so text in their scripts needs no font of its own.

Emoji are drawn in one of two sets: [emoji_style](/docs/renderscript/document#emoji_style) \`google\` (Noto) or \`twitter\` (Twemoji, CC-BY-4.0). The licence of each family is in the program's folder, in \`resources/fonts\`.

## Shipped families

${families.map(familyText).join('\n\n')}
`;
  },
};
