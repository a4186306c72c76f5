/**
 * The elements that captions need: texts that follow speech, and what they name. Phase 1, pure. Errors name the text
 * and its `transcript_source`.
 */
import {
  isJsonObject,
  unnamedElement,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
} from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';

/** An element of the document with its place. */
export interface Node {
  readonly json: JsonObject;
  readonly path: string;
  /** Its `name`, else type and place among the siblings of its type, e.g. `Text 2`. */
  readonly name: string;
  /** Its composition; null for the document. */
  readonly parent: Node | null;
}

/** Every element of a document, at any depth. */
export function nodesOf({ elements }: Source): Node[] {
  const nodes: Node[] = [];
  // A list of work instead of recursion: documents may be nested deeper than the stack.
  const lists: { elements: Json | undefined; path: string; parent: Node | null }[] = [
    { elements, path: 'elements', parent: null },
  ];
  for (let next = lists.shift(); next; next = lists.shift()) {
    const { path: listPath, parent, elements: list } = next;
    if (!Array.isArray(list)) continue;
    const counts = new Map<string, number>();
    (list as readonly Json[]).forEach((json, index) => {
      if (!isJsonObject(json)) return;
      const type = typeof json.type === 'string' ? json.type : 'element';
      const count = (counts.get(type) ?? 0) + 1;
      counts.set(type, count);
      const at = `${listPath}[${index}]`;
      const name =
        typeof json.name === 'string' && json.name !== '' ? json.name : unnamedElement(type, count);
      const node: Node = { json, path: at, name, parent };
      nodes.push(node);
      if (json.elements !== undefined)
        lists.push({ elements: json.elements, path: `${at}.elements`, parent: node });
    });
  }
  return nodes;
}

/** True for a text that follows speech. */
export function isCaption({ json: { type, transcript_source: given } }: Node): boolean {
  return type === 'text' && given !== undefined && given !== null && given !== '';
}

/** The failure of a text's `transcript_source`. */
export function refusal(
  { name, path: at }: Node,
  message: string,
  code: RenderError['code'] = 'invalid_source',
): RenderError {
  const sentence = `Source error: ${name}.transcript_source: ${message}`;
  return new RenderError(code, sentence, { path: `${at}.transcript_source` });
}

/** A warning about it. */
export function problem({ name, path: at }: Node, code: string, message: string): Problem {
  return {
    path: `${at}.transcript_source`,
    element: name,
    property: 'transcript_source',
    severity: 'warning',
    code,
    message,
  };
}
