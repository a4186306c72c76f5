/**
 * The look of an element, to give it to others: colours, outline, effects and letters. Not what it is (text, file,
 * elements), where it is and how large, when, and how it moves. Pure.
 */
import { property, propertiesOf } from '../../../shared/renderscript/properties.ts';
import { elementTypes, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parsePath, withoutProperties } from '../source/json-text.ts';
import { PatchedText } from '../source/patch.ts';

const groups = new Set(['Fill', 'Stroke', 'Effects', 'Look', 'Text']);
/** Of these groups: content, and what decides on what is seen of another element. */
const others = new Set([
  ...['text', 'mask_mode', 'repeat', 'clip', 'transcript_source', 'transcript_split'],
  ...['transcript_maximum_length', 'transcript_placement'],
]);
/** Where the lines of a text are; of other elements it is the part of the file that shows. */
const lines = ['x_alignment', 'y_alignment'];

/** The properties that make the look of a type, among those that another one has, too. */
function lookOf({ type }: JsonObject, { type: other }: JsonObject): readonly string[] {
  const [own, second] = [type, other].map((name) => elementTypes.find((one) => one === name));
  if (!own || !second) return [];
  const names = propertiesOf(own)
    .filter(([name, row]) => groups.has(row.group) && !others.has(name))
    .map(([name]) => name);
  const both = own === 'text' && second === 'text' ? [...names, ...lines] : names;
  return both.filter((name) => property(second, name) !== undefined);
}

/** The document in which elements look like another one: what that does not say, they lose. */
export function withStyle(
  text: string,
  targets: readonly { readonly path: string; readonly element: JsonObject }[],
  from: JsonObject,
): string {
  const set: Record<string, Json> = {};
  const gone: string[] = [];
  for (const { path, element } of targets) {
    for (const name of lookOf(element, from)) {
      const value = from[name];
      if (value !== undefined) set[`${path}.${name}`] = value;
      else if (element[name] !== undefined) gone.push(`${path}.${name}`);
    }
  }
  const without = gone.length === 0 ? text : withoutProperties(text, gone.map(parsePath));
  return Object.keys(set).length === 0 ? without : new PatchedText(without).with(set);
}
