/**
 * Template files: what a `.renderscript` or `.json` file holds, looked at before anything is stored. Pure.
 *
 * A `.renderscript` file is `{"renderscript": 1, "id": …, "name": …, "tags": […], "source": {…}}`; a `.json` file may
 * be that, the source alone, or a document of another program.
 */
import { importDocument, recogniseImport } from '../../shared/imports/imports.ts';
import { parseJson } from '../../shared/json.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import {
  isJsonObject,
  problemSentence,
  type Json,
  type JsonObject,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { readTextFile } from '../ui/text-file.ts';

/** What a file holds. */
export interface TemplateFile {
  /** That scripts may know it by; absent where the file has none. */
  readonly id?: string;
  /** As it can be stored: without what is too long. */
  readonly name: string;
  readonly tags: readonly string[];
  /** Characters of the name in the file, where they were too many; else absent. */
  readonly longName?: number;
  /** Tags that can't be taken, because they are too long or too many. */
  readonly lostTags: readonly string[];
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
  | { readonly ok: false; readonly reason: 'not-json' | 'not-a-template' | 'too-large' };

/** Bytes; a source may be as large as a request, and a name and tags stand around it. */
const largest = limits.bodyBytes + 1_000_000;

/** Reads a file that was chosen or dropped. @throws when the system can't read it. */
export async function readFile(file: File): Promise<ReadFile> {
  return file.size > largest
    ? { ok: false, reason: 'too-large' }
    : readTemplateFile(file.name, (await readTextFile(file)).text);
}

/** Reads the text of a file. @param fileName Names the template where the file does not. */
export function readTemplateFile(fileName: string, text: string): ReadFile {
  const result = parseJson(text.replace(/^\uFEFF/, ''));
  if (!result.ok) {
    // What does not say that it is JSON, as notes do, is not told that it is none.
    const isOther = /\.[^.]+$/.test(fileName) && !/\.(?:json|renderscript)$/i.test(fileName);
    return { ok: false, reason: isOther ? 'not-a-template' : 'not-json' };
  }
  const { value } = result;
  if (!isJsonObject(value)) return { ok: false, reason: 'not-a-template' };
  const program = recogniseImport(value);
  const imported = program === null ? null : importDocument(value, program);
  const isWrapped = isJsonObject(value['source']) && !('elements' in value);
  const source = imported?.source ?? (isWrapped ? value['source'] : value);
  if (!isJsonObject(source) || !looksLikeSource(source)) {
    return { ok: false, reason: 'not-a-template' };
  }
  const given = isWrapped ? value['name'] : undefined;
  const hasName = typeof given === 'string' && given.trim() !== '';
  const name = hasName ? given.trim() : nameOfFile(fileName);
  const { tags, lost: lostTags } = tagsThatCanBe(isWrapped ? value['tags'] : undefined);
  const problems = validate(source);
  const of = (severity: 'error' | 'warning'): string[] =>
    problems.filter((problem) => problem.severity === severity).map(problemSentence);
  const reads = [...new Set(sourcesOf(source))];
  return {
    ok: true,
    file: {
      ...idOf(isWrapped ? value['id'] : undefined),
      name: name.slice(0, limits.nameLength),
      ...(name.length > limits.nameLength && { longName: name.length }),
      tags,
      lostTags,
      source,
      elements: countElements(source),
      errors: of('error'),
      warnings: [
        ...(imported?.notes ?? []).map(({ path, message }) => `${path}: ${message}`),
        ...of('warning'),
      ],
      files: reads.filter((one) => !isWeb(one)),
      addresses: reads.filter(isWeb),
    },
  };
}

/** A UUID in the file: a template that moves keeps it, so that scripts find it. */
function idOf(given: Json | undefined): { id?: string } {
  const isId =
    typeof given === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);
  return isId ? { id: given.toLowerCase() } : {};
}

/** The text of a `.renderscript` file. */
export function templateFileText(
  id: string,
  name: string,
  tags: readonly string[],
  source: JsonObject,
): string {
  return `${JSON.stringify({ renderscript: 1, id, name, tags, source }, null, 2)}\n`;
}

/** A name that every file system takes: `Promo: 9/16` → `Promo_ 9_16.renderscript`. */
export function templateFileName(name: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what must go
  const clean = name.replace(/[\x00-\x1f<>:"/\\|?*]/g, '_').trim();
  return `${clean === '' ? 'template' : clean.slice(0, 120)}.renderscript`;
}

/** The tags of a file, each once and none of them empty; `lost` are those that would be refused. */
function tagsThatCanBe(given: Json | undefined): { tags: string[]; lost: string[] } {
  const list = Array.isArray(given) ? (given as readonly Json[]) : [];
  const words = list.filter((tag) => typeof tag === 'string').map((tag) => tag.trim());
  const all = [...new Set(words.filter((tag) => tag !== ''))];
  const tags = all.filter((tag) => tag.length <= limits.tagLength).slice(0, limits.tags);
  return { tags, lost: all.filter((tag) => !tags.includes(tag)) };
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
