/**
 * n8n as far as its nodes need it, for tests: the node `n8n-nodes-creatomate` 0.2.0, unmodified, and the few functions
 * that n8n gives a node.
 */
import { createRequire } from 'node:module';

/** What a node hands on for each item. */
export interface Item {
  readonly json: Record<string, unknown>;
  readonly binary?: Record<string, { readonly fileName: string; readonly bytes: number }>;
}

/** Those of a node. */
export type Parameters = Readonly<Record<string, unknown>>;

interface NodeClass {
  new (): {
    execute: (this: object) => Promise<Item[][]>;
    methods: {
      listSearch: {
        searchTemplates: (
          this: object,
          filter?: string,
        ) => Promise<{ results: { name: string; value: string }[] }>;
      };
      loadOptions: { getTemplateElements: (this: object) => Promise<{ name: string }[]> };
    };
  };
}

// The package is CommonJS without types of its own for these files.
const require = createRequire(import.meta.url);
const folder = 'n8n-nodes-creatomate/dist/nodes/creatomate';
/** Where the node asks. */
export const generic = require(`${folder}/GenericFunctions.js`) as { CREATOMATE_BASE_URL: string };
/** The node itself. */
export const { Creatomate } = require(`${folder}/Creatomate.node.js`) as { Creatomate: NodeClass };

/** A request as nodes write it. */
export interface HttpOptions {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly qs?: Record<string, string>;
  readonly encoding?: string;
}

/** n8n's way of asking: JSON in and out, an error with the status for every refusal. */
export async function ask(options: HttpOptions, key?: string): Promise<unknown> {
  const query = new URLSearchParams(options.qs ?? {}).toString();
  const response = await fetch(query === '' ? options.url : `${options.url}?${query}`, {
    method: options.method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(options.body && { 'content-type': 'application/json' }),
    },
    ...(options.body && { body: JSON.stringify(options.body) }),
  });
  if (options.encoding === 'arraybuffer') return response.arrayBuffer();
  const text = await response.text();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.ok) return body;
  const { hint } = body as { hint: string }; // every refusal has one
  throw Object.assign(new Error(hint), { status: response.status });
}

/** The context that n8n gives a node while it runs. */
export function context(parameters: Parameters, key: string): object {
  const read = (name: string): unknown =>
    name.split('.').reduce<unknown>((value, part) => {
      return typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[part]
        : undefined;
    }, parameters);
  return {
    getInputData: () => [{ json: {} }],
    getNode: () => ({ name: 'Creatomate' }),
    getNodeParameter: (name: string, _item: number, fallback?: unknown) => read(name) ?? fallback,
    getCurrentNodeParameter: (name: string) => read(name),
    continueOnFail: () => false,
    helpers: {
      httpRequest: (options: HttpOptions) => ask(options),
      httpRequestWithAuthentication: (_name: string, options: HttpOptions) => ask(options, key),
      prepareBinaryData: (data: Buffer, fileName: string) => ({ fileName, bytes: data.length }),
    },
  };
}
