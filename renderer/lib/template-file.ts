/**
 * Template files: what a `.renderscript` or `.json` file holds, looked at before anything is stored. Pure.
 *
 * A `.renderscript` file is `{"renderscript": 1, "name": …, "tags": […], "source": {…}}`; a `.json` file may be that, or the
 * source alone.
 */
import { parseJson } from '../../shared/json.ts';
import {
  isJsonObject,
  problemSentence,
  type Json,
  type JsonObject,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

/** What a file holds. */
export interface TemplateFile {
  readonly name: string;
  readonly tags: readonly string[];
  readonly source: JsonObject;
  /** Elements on all levels. */
  readonly elements: number;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What rendering it reads: files on this computer, and addresses in the web. */
  readonly files: readonly string[];
  readonly addresses: readonly string[];
}

/** The file, or that it is no template. */
export type ReadFile =
  | { readonly ok: true; readonly file: TemplateFile }
  | { readonly ok: false; readonly reason: 'not-json' | 'not-a-template' };

/** Reads the text of a file. @param fileName Names the template where the file does not. */
export function readTemplateFile(fileName: string, text: string): ReadFile {
  const result = parseJson(text.replace(/^\uFEFF/, ''));
  if (!result.ok) return { ok: false, reason: 'not-json' };
  const { value } = result;
  if (!isJsonObject(value)) return { ok: false, reason: 'not-a-template' };
  const isWrapped = isJsonObject(value['source']) && !('elements' in value);
  const source = isWrapped ? value['source'] : value;
  if (!isJsonObject(source) || !looksLikeSource(source)) {
    return { ok: false, reason: 'not-a-template' };
  }
  const name = isWrapped ? value['name'] : undefined;
  const tags = isWrapped && Array.isArray(value['tags']) ? (value['tags'] as Json[]) : [];
  const problems = validate(source);
  const of = (severity: 'error' | 'warning'): string[] =>
    problems.filter((problem) => problem.severity === severity).map(problemSentence);
  const reads = [...new Set(sourcesOf(source))];
  return {
    ok: true,
    file: {
      name: typeof name === 'string' && name.trim() !== '' ? name : nameOfFile(fileName),
      tags: tags.filter((tag) => typeof tag === 'string'),
      source,
      elements: countElements(source),
      errors: of('error'),
      warnings: of('warning'),
      files: reads.filter((one) => !isWeb(one)),
      addresses: reads.filter(isWeb),
    },
  };
}

/** The text of a `.renderscript` file. */
export function templateFileText(
  name: string,
  tags: readonly string[],
  source: JsonObject,
): string {
  return `${JSON.stringify({ renderscript: 1, name, tags, source }, null, 2)}\n`;
}

/** A name that every file system takes: `Promo: 9/16` → `Promo_ 9_16.renderscript`. */
export function templateFileName(name: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what must go
  const clean = name.replace(/[\x00-\x1f<>:"/\\|?*]/g, '_').trim();
  return `${clean === '' ? 'template' : clean.slice(0, 120)}.renderscript`;
}

/** Something that has elements, or a value that only sources have. */
function looksLikeSource(value: JsonObject): boolean {
  return Array.isArray(value['elements']) || 'output_format' in value;
}

function nameOfFile(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]+$/, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return words === '' ? 'Template' : words.charAt(0).toUpperCase() + words.slice(1);
}

const isWeb = (source: string): boolean => /^https?:/i.test(source);

function elementsOf({ elements }: JsonObject): readonly JsonObject[] {
  return Array.isArray(elements) ? (elements as readonly Json[]).filter(isJsonObject) : [];
}

function countElements(parent: JsonObject): number {
  return elementsOf(parent).reduce((sum, element) => sum + 1 + countElements(element), 0);
}

/** Every `source` of an element, in the order of the document; data inside the address itself reads nothing. */
function sourcesOf(parent: JsonObject): readonly string[] {
  return elementsOf(parent).flatMap((element) => {
    const { source } = element;
    const own = typeof source === 'string' && source !== '' && !source.startsWith('data:');
    return [...(own ? [source] : []), ...sourcesOf(element)];
  });
}
