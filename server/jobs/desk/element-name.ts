/** The name, as used in messages, of the element that a place in a document belongs to. Pure. */
import { isJsonObject, type Source } from '../../../shared/renderscript/source.ts';
import { elementLabel } from '../../../shared/renderscript/validate.ts';

/** The innermost element on a path, e.g. `Video 1` for `elements[2].source`; undefined for places outside elements. */
export function elementNameAt(source: Source, path: string): string | undefined {
  let name: string | undefined;
  let parent: unknown = source;
  for (const [, digits] of path.matchAll(/elements\[(\d+)\]/g)) {
    const elements = isJsonObject(parent) ? parent.elements : undefined;
    if (!Array.isArray(elements)) return name;
    // Array.isArray widens read-only lists to any[].
    const siblings: readonly unknown[] = elements;
    const index = Number(digits);
    const element = siblings[index];
    if (!isJsonObject(element)) return name;
    name = elementLabel(element, siblings, index);
    parent = element;
  }
  return name;
}
