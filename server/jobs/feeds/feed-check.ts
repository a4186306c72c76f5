/**
 * What is wrong with the rows of a batch, before any of them is in the queue: what a dry run of each would say, and
 * which files its render would fetch. Pure; runs on the desk.
 */
import { ApiError } from '../../../shared/errors.ts';
import { readLottieAddress } from '../../../shared/renderscript/lottie-address.ts';
import { collectMedia } from '../../../shared/renderscript/media-requests.ts';
import { spokenText } from '../../../shared/renderscript/voices.ts';
import {
  isJsonObject,
  type JsonObject,
  problemSentence,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { plainText, type TextContent } from '../../system/json-text.ts';
import { prepareDocument } from '../desk/prepare-document.ts';
import { rowsIn } from './feed-rows.ts';
import type { FileFault, WantedFile } from './file-trials.ts';

/** Rows to look at. */
export interface RowCheck {
  /** The template. */
  readonly source: TextContent;
  /** Lines of a batch. */
  readonly lines: Uint8Array;
}

/** A row with what its render would end with. */
export interface FoundFault {
  readonly row: string;
  readonly sentence: string;
  /** Where it is: the name of an element, and one of its properties. */
  readonly element: string;
  readonly property: string;
  /** What is wrong with a file, as the render's error. */
  readonly code?: string;
}

/** What was found. */
export interface CheckedRows {
  /** The first fault of each row that has one in its document. */
  readonly faults: readonly FoundFault[];
  /** What the documents of all other rows name, each once. */
  readonly files: readonly WantedFile[];
  /** Their rows, in their order, with the places of their files in that list. */
  readonly rows: readonly { readonly id: string; readonly files: readonly number[] }[];
}

/** Looks at all of them. */
export function checkRows({ source, lines }: RowCheck): CheckedRows {
  const template: unknown = JSON.parse(plainText(source));
  if (!isJsonObject(template)) throw new Error('unreachable: a template is an object');
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  const faults: FoundFault[] = [];
  const rows: CheckedRows['rows'][number][] = [];
  const files = new Map<string, { readonly at: number; readonly file: WantedFile }>();
  for (const { id, modifications } of rowsIn(bytes)) {
    const { fault, wanted } = lookAt(template, modifications.value);
    if (fault) faults.push({ row: id, ...fault });
    else rows.push({ id, files: wanted.map((file) => placeOf(file, files)) });
  }
  return { faults, files: [...files.values()].map(({ file }) => file), rows };
}

function placeOf(
  { source, kind, element, smartCrop }: WantedFile,
  files: Map<string, { readonly at: number; readonly file: WantedFile }>,
): number {
  const key = JSON.stringify([source, kind, element, smartCrop]);
  const known = files.get(key);
  if (known) return known.at;
  const at = files.size;
  files.set(key, { at, file: { source, kind, element, smartCrop } });
  return at;
}

function lookAt(
  source: JsonObject,
  modifications: JsonObject,
): { readonly fault: Omit<FoundFault, 'row'> | null; readonly wanted: readonly WantedFile[] } {
  try {
    const prepared = prepareDocument({ source, modifications, scaling: {}, hints: false });
    const problem = prepared.problems.find(({ severity }) => severity === 'error');
    // Just written.
    if (!problem) return { fault: null, wanted: wantedBy(JSON.parse(prepared.text) as Source) };
    const { element, property } = problem;
    return { fault: { sentence: problemSentence(problem), element, property }, wanted: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { fault: { sentence: error.message, element: '', property: '' }, wanted: [] };
  }
}

/** The files that a render fetches, once for each use. Texts are spoken when rows are rendered: it may cost. */
function wantedBy(source: Source): readonly WantedFile[] {
  const files = collectMedia(source).filter((request) => spokenText(request.source) === null);
  return files.flatMap((request) =>
    [...request.uses].map((kind): WantedFile => {
      // One file, whatever each row writes into it.
      const { file: address } = readLottieAddress(request.source);
      return { ...request, source: address, kind };
    }),
  );
}

/** What was found about files; those that nobody had time for are absent. */
type Tried = ReadonlyMap<WantedFile, FileFault | null>;

export class RowFiles {
  /** By what is wanted. */
  readonly #wanted = new Map<string, { readonly file: WantedFile; readonly rows: string[] }>();

  /** In the order of the first rows that want them. */
  get files(): readonly WantedFile[] {
    return [...this.#wanted.values()].map(({ file }) => file);
  }

  /** Adds the next rows. */
  add({ files, rows }: Pick<CheckedRows, 'files' | 'rows'>): void {
    const places = files.map((file) => {
      const key = JSON.stringify(file);
      const known = this.#wanted.get(key) ?? { file, rows: [] };
      this.#wanted.set(key, known);
      return known;
    });
    for (const row of rows) {
      for (const at of row.files) places[at]?.rows.push(row.id);
    }
  }

  /** What is wrong with them, for each row. @param names what stands in cells, by address */
  faults(tried: Tried, names: ReadonlyMap<string, string>): readonly FoundFault[] {
    return [...this.#wanted.values()].flatMap(({ file, rows }) => {
      const fault = tried.get(file);
      if (!fault) return [];
      const { source, element } = file;
      const plain = fault.message.replace(/^Source error: /, '');
      const sentence = plain.replaceAll(`(${source})`, `(${names.get(source) ?? source})`);
      return rows.map((row) => ({
        ...{ row, sentence, element, property: 'source', code: fault.code },
      }));
    });
  }

  /** Rows of which not all files were tried. */
  untried(tried: Tried): ReadonlySet<string> {
    const rows = [...this.#wanted.values()].flatMap((one) => (tried.has(one.file) ? [] : one.rows));
    return new Set(rows);
  }
}
