/** What the help says of the shipped templates: all of them by family, with the pictures of the gallery. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import de from '../../../shared/words/de/general.json' with { type: 'json' };
import en from '../../../shared/words/en/general.json' with { type: 'json' };
import es from '../../../shared/words/es/general.json' with { type: 'json' };
import ja from '../../../shared/words/ja/general.json' with { type: 'json' };
import pt from '../../../shared/words/pt/general.json' with { type: 'json' };
import { sampleFamilies, type SampleFamily } from '../../../shared/samples.ts';
import { sampleFolder } from '../../system/paths.ts';
import { sheetOf } from './pictures.ts';

/** The part of a sample's files that the page tells of. */
const aboutForm = z.object({ name: z.string(), family: z.enum(sampleFamilies), about: z.string() });
const sizeForm = z.object({
  width: z.number(),
  height: z.number(),
  duration: z.number().optional(),
});
type Shown = z.infer<typeof aboutForm> & z.infer<typeof sizeForm> & { readonly id: string };

let known: readonly Shown[] | null = null;

/** Read once, when somebody opens the page or searches. Folders without the two files are no samples. */
function samples(): readonly Shown[] {
  const folder = sampleFolder();
  known ??= readdirSync(folder)
    .sort()
    .flatMap((id) => {
      const read = (file: string): unknown =>
        JSON.parse(readFileSync(path.join(folder, id, file), 'utf8'));
      try {
        return {
          id,
          ...aboutForm.parse(read('about.json')),
          ...sizeForm.parse(read('source.json')),
        };
      } catch {
        return [];
      }
    });
  return known;
}

function familyText(family: SampleFamily): string {
  const key = `samples.family.${family}` as const;
  // Whoever searches in the window's language finds the family, too.
  const others = new Set([de, es, ja, pt].map((words) => words[key]));
  others.delete(en[key]);
  const rows = samples()
    .filter((one) => one.family === family)
    .map(({ id, name, about, width, height, duration }) => {
      const length = duration === undefined ? '' : `, ${duration} s`;
      return `- **${name}** (${width} × ${height}${length}): ${about} [Use](framewright://sample/${id})`;
    });
  return [`## ${en[key]}`, `*${[...others].join(' · ')}*`, sheetOf(`templates/${family}`, false)]
    .concat(rows.join('\n'))
    .filter((part) => part !== '' && part !== '**')
    .join('\n\n');
}

/** All shipped templates by family. */
export function sampleTexts(): string {
  return sampleFamilies.map(familyText).join('\n\n');
}

/** How many there are. */
export const sampleCount = (): string => String(samples().length);
