/** What a tool for agents is: one row with name, words, shapes, and what it does. tools.ts lists them all. */
import { z } from 'zod';
import { ApiError } from '../../../shared/errors.ts';
import { requestLimits } from '../../../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parseParameters } from '../../system/parameters.ts';
import type { ProjectServices } from '../project.ts';
import { templateAnswer } from '../answer-schemas.ts';
import { previewParameters, renderOptionParameters } from '../request-schemas.ts';

/** What a tool works with. */
export interface ToolContext {
  /** Of the project that the key opens. */
  readonly services: ProjectServices;
  /** What links in answers begin with. */
  readonly url: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Tells the progress, in percent, if the client wants to hear it. Never rejects. */
  readonly tell: (percent: number, message: string) => void;
}

/** What a tool answers. */
export interface ToolAnswer<Facts = unknown> {
  readonly facts: Facts;
  /** What is read instead of the facts as JSON. */
  readonly text?: string;
  /** A jpg in base64. */
  readonly picture?: string;
}

/** One tool. */
export interface Tool {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For agents: what it does, and when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Null: a picture, and its facts as text. (Clients that find structured content show nothing else.) */
  readonly output: z.ZodObject | null;
  /** True if it changes nothing. */
  readonly isReadOnly: boolean;
  /** @throws ApiError for the agent. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolAnswer>;
}

/** The same with lists and objects that nobody changes. */
type Fixed<T> = T extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Fixed<T[Name]> }
    : T;

/** A row whose action fits its shapes. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  row: Omit<Tool, 'run' | 'input' | 'output'> & {
    readonly input: Input;
    readonly output: Output | null;
    readonly run: (
      input: z.infer<Input>,
      context: ToolContext,
    ) => ToolAnswer<Fixed<z.infer<Output>>> | Promise<ToolAnswer<Fixed<z.infer<Output>>>>;
  },
): Tool {
  const { run, ...rest } = row;
  // The library has parsed the input with the row's own shape.
  return { ...rest, run: async (input, context) => run(input as z.infer<Input>, context) };
}

/** Characters of one text in an answer; people can name elements as they like. */
const longestText = 500;

/** A text that is not too long for an answer. */
export function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

/** Things of one list in an answer. */
const listed = 50;

/** The first of a list, and how many more there are. */
export function firstOf<Item>(items: readonly Item[]): {
  readonly shown: Item[];
  readonly more: number;
} {
  return { shown: items.slice(0, listed), more: Math.max(0, items.length - listed) };
}

/** A page of a list, from 1 on. @throws ApiError `invalid_parameter` beyond the last one. */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
): { readonly shown: Item[]; readonly pages: number } {
  const pages = Math.max(1, Math.ceil(items.length / listed));
  checkPage(page, pages);
  return { shown: items.slice((page - 1) * listed, page * listed), pages };
}

/** @throws ApiError `invalid_parameter`. */
export function checkPage(page: number, pages: number): void {
  if (page <= pages) return;
  const what = pages === 1 ? '1: there is one page' : `from 1 to ${pages}`;
  throw new ApiError('invalid_parameter', { name: 'page', what });
}

const pageWords = 'a whole number from 1 on';

/** The page of a list or a text. */
export const pageField = z.int(pageWords).min(1, pageWords).default(1);

/** What a list is searched for. */
export const searchField = z
  .string('a text')
  .max(requestLimits.nameLength, `at most ${requestLimits.nameLength} characters long`)
  .exactOptional();

const sourceWords = 'an object with RenderScript';

/** A template in an answer, which also says when it was made and changed. */
export const shownTemplate = z.object(
  templateAnswer.pick({ id: true, name: true, tags: true }).shape,
);

const strictWords = 'Counts warnings about unknown names as errors.';

/** Whether warnings are errors. */
export const strictField = renderOptionParameters.shape.strict.describe(strictWords);

/** The document of a call: in the call itself, or a template's; with changes. */
export const documentFields = {
  source: z
    .record(z.string(), z.unknown(), sourceWords)
    .describe('The RenderScript document; see read_docs.')
    .exactOptional(),
  template_id: renderOptionParameters.shape.template_id.describe(
    'Instead of source: nobody needs to repeat a stored document.',
  ),
  modifications: z
    .record(z.string(), z.unknown(), 'an object')
    .describe('Values to replace: {"Title": "Today", "Title.fill_color": "#e11d48"}.')
    .exactOptional(),
};

/** The document of a call as the API's functions take it. @throws ApiError `nothing_to_render`, `invalid_parameter`. */
export function documentOf(input: object): z.infer<typeof previewParameters> {
  const { source, template_id, modifications } = input as JsonObject; // read from JSON
  if (source !== undefined && template_id !== undefined) {
    throw new ApiError('invalid_parameter', {
      name: 'template_id',
      what: "left out beside 'source': a document comes from one of them",
    });
  }
  return parseParameters(previewParameters, {
    ...(isJsonObject(source) && { source }),
    ...(template_id !== undefined && { template_id }),
    ...(modifications !== undefined && { modifications }),
  });
}
