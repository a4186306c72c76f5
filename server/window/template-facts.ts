/**
 * What lists of templates show about their documents. Short ones are examined when first listed; the facts of a long
 * one are stored with its record.
 */
import { setImmediate } from 'node:timers/promises';
import packageFile from '../../package.json' with { type: 'json' };
import type { WindowTemplate } from '../../shared/api.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Desk } from '../jobs/desk/desk.ts';
import { shownOf, type PreparedDocument } from '../jobs/desk/prepare-document.ts';
import { JsonText } from '../system/json-text.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import type { TemplateStore } from '../store/templates.ts';

type SourceFacts = Pick<
  WindowTemplate,
  'outputFormat' | 'width' | 'height' | 'duration' | 'hasErrors'
>;

/** Milliseconds of examining documents before others get their turn. */
const slice = 10;

/** Short documents never change in place, so each is examined once. */
const known = new WeakMap<JsonText, SourceFacts>();

/** Examines short documents that have not been examined yet, a few at a time: hundreds take a second. */
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
 * Examines long documents that this version has not examined, one after the other, and stores the facts.
 *
 * @param onLearned Called with each template and its facts.
 */
export async function learnLong(
  templates: TemplateStore,
  desk: Desk,
  onLearned: (template: StoredTemplate) => void,
): Promise<void> {
  for (const { id } of templates.list()) {
    const template = templates.find(id);
    if (!template || template.document instanceof JsonText || isSeen(template)) continue;
    // One that can't be prepared has errors.
    const prepared = await templates
      .readDocument(template)
      .then((source) => desk.prepare({ source, scaling: {} }))
      .catch(() => null);
    const facts = prepared === null ? { hasErrors: true as const } : factsIn(prepared);
    const learned = await templates.noteFacts(template, { by: packageFile.version, ...facts });
    if (learned) onLearned(learned);
  }
}

/** For a long document, available once `learnLong` has examined it. */
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
