/**
 * Files in the tables of feeds: which modifications name one, and what the names in the cells stand for. Pure; for
 * server and window.
 */
import { mediaKinds, type MediaFacts } from './api/media.ts';
import { isJsonObject, type Json, type JsonObject } from './renderscript/source.ts';

/** What a row needs to name the files that its cells mean. */
export interface FeedFiles {
  /** Modifications that name a file, with the kind that fits. */
  readonly targets: ReadonlyMap<string, MediaFacts['kind']>;
  /** Addresses for renders, by what stands in cells; what is absent is one itself. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** The modifications of a template that name a file: `Photo`, `Photo.source`. */
export function fileTargets(source: JsonObject): Map<string, MediaFacts['kind']> {
  const targets = new Map<string, MediaFacts['kind']>();
  const lists: (Json | undefined)[] = [source.elements];
  // Grows while it is read.
  for (const list of lists) {
    // Array.isArray widens read-only lists to any[].
    for (const element of Array.isArray(list) ? (list as readonly Json[]) : []) {
      if (!isJsonObject(element)) continue;
      lists.push(element.elements);
      const kind = mediaKinds.find((one) => one === element.type);
      if (!kind || isPrompt(element)) continue;
      for (const name of [element.name, element.id]) {
        if (typeof name !== 'string' || name === '' || targets.has(name)) continue;
        targets.set(name, kind).set(`${name}.source`, kind);
      }
    }
  }
  return targets;
}

/** A file that is made of words has no address. */
function isPrompt({ provider }: JsonObject): boolean {
  return typeof provider === 'string' && provider.trim() !== '';
}
