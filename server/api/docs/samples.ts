/** What the help says of the shipped templates: all of them by family, with the pictures of the gallery. */
import de from '../../../shared/words/de/general.json' with { type: 'json' };
import en from '../../../shared/words/en/general.json' with { type: 'json' };
import es from '../../../shared/words/es/general.json' with { type: 'json' };
import ja from '../../../shared/words/ja/general.json' with { type: 'json' };
import pt from '../../../shared/words/pt/general.json' with { type: 'json' };
import { sampleFamilies, type SampleFamily } from '../../../shared/samples.ts';
import { readSamples, type Sample } from '../../jobs/first-templates.ts';
import { sampleFolder } from '../../system/paths.ts';
import { sheetOf } from './pictures.ts';

let known: readonly Sample[] | null = null;

/** Read once, when somebody opens the page or searches. The start has logged those that can't be read. */
function samples(): readonly Sample[] {
  known ??= readSamples(sampleFolder(), () => undefined);
  return known;
}

function familyText(family: SampleFamily): string {
  const key = `samples.family.${family}` as const;
  // Whoever searches in the window's language finds the family, too.
  const others = new Set([de, es, ja, pt].map((words) => words[key]));
  others.delete(en[key]);
  const rows = samples()
    .filter((one) => one.family === family)
    .map(({ id, name, about, source: { width, height, duration } }) => {
      const size = [width, height].filter((side) => typeof side === 'number').join(' × ');
      const length = typeof duration === 'number' ? `, ${duration} s` : '';
      return `- **${name}** (${size}${length}): ${about} [Use](framewright://sample/${id})`;
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
