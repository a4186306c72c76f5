/**
 * What lists of templates show of their documents. Short ones are looked through when they are first listed; what was found out
 * about a long one is kept with its record.
 */
import { setImmediate } from 'node:timers/promises';
import packageFile from '../../package.json' with { type: 'json' };
import type { WindowTemplate } from '../../shared/api.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import { shownOf, type PreparedDocument } from '../jobs/desk/prepare-document.ts';
import { JsonText } from '../json-text.ts';
import type { StoredTemplate, TemplateStore } from '../store/templates.ts';

type SourceFacts = Pick<
  WindowTemplate,
  'outputFormat' | 'width' | 'height' | 'duration' | 'hasErrors'
>;

/** Milliseconds of looking through documents before others have their turn. */
const slice = 10;

/** Short documents are never changed in place, so each is looked through once. */
const known = new WeakMap<JsonText, SourceFacts>();

/** Looks through short documents that were not looked through yet, a few at a time: for hundreds it takes a second. */
export async function learnShort(templates: readonly StoredTemplate[]): Promise<void> {
  let begun = performance.now();
  for (const template of templates) {
    factsOf(template);
    if (performance.now() - begun < slice) continue;
    await setImmediate();
    begun = performance.now();
  }
}

/**
 * Looks through long documents that this version has not looked through, one after the other, and keeps what it finds.
 *
 * @param onLearned gets each template with it.
 */
export async function learnLong(
  templates: TemplateStore,
  desk: Desk,
  onLearned: (template: StoredTemplate) => void,
): Promise<void> {
  for (const { id } of templates.list()) {
    const template = templates.find(id);
    if (!template || template.document instanceof JsonText || isSeen(template)) continue;
    // One that can't be prepared has errors, whatever they are.
    const prepared = await templates
      .readDocument(template)
      .then((source) => desk.prepare({ source, scaling: {} }))
      .catch(() => null);
    const facts = prepared === null ? { hasErrors: true as const } : factsIn(prepared);
    const learned = await templates.noteFacts(template, { by: packageFile.version, ...facts });
    if (learned) onLearned(learned);
  }
}

/** Those of a long document are there once `learnLong` has looked through it. */
export function factsOf(template: StoredTemplate): SourceFacts {
  const { document, seen } = template;
  if (!(document instanceof JsonText)) {
    const { outputFormat, width, height, duration, hasErrors } = seen ?? {};
    return {
      ...(outputFormat && { outputFormat }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...(duration !== undefined && { duration }),
      ...(hasErrors && { hasErrors }),
    };
  }
  const before = known.get(document);
  if (before) return before;
  const { value } = document;
  const facts = factsIn({ shown: shownOf(value), problems: validate(value) });
  known.set(document, facts);
  return facts;
}

function isSeen({ seen }: StoredTemplate): boolean {
  return seen?.by === packageFile.version;
}

function factsIn({ shown, problems }: Pick<PreparedDocument, 'shown' | 'problems'>): SourceFacts {
  const hasErrors = problems.some(({ severity }) => severity === 'error');
  return { ...shown, ...(hasErrors && { hasErrors }) };
}
