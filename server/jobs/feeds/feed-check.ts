/**
 * What is wrong with the rows of a batch, before any of them is in the queue: what a dry run of each would say. Pure;
 * runs on the desk.
 */
import { ApiError } from '../../../shared/errors.ts';
import {
  isJsonObject,
  problemSentence,
  type JsonObject,
} from '../../../shared/renderscript/source.ts';
import { plainText, type TextContent } from '../../system/json-text.ts';
import { prepareDocument } from '../desk/prepare-document.ts';
import { rowsIn } from './feed-rows.ts';

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
}

/** The first fault of each row that has one. */
export function checkRows({ source, lines }: RowCheck): readonly FoundFault[] {
  const template: unknown = JSON.parse(plainText(source));
  if (!isJsonObject(template)) throw new Error('unreachable: a template is an object');
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength);
  return [...rowsIn(bytes)].flatMap(({ id, modifications }) => {
    const fault = faultOf(template, modifications.value);
    return fault ? [{ row: id, ...fault }] : [];
  });
}

function faultOf(source: JsonObject, modifications: JsonObject): Omit<FoundFault, 'row'> | null {
  try {
    const { problems } = prepareDocument({ source, modifications, scaling: {}, hints: false });
    const problem = problems.find(({ severity }) => severity === 'error');
    if (!problem) return null;
    const { element, property } = problem;
    return { sentence: problemSentence(problem), element, property };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { sentence: error.message, element: '', property: '' };
  }
}
