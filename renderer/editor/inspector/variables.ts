/** The variables of a document while they are changed by hand. Pure. */
import type { Json } from '../../../shared/renderscript/source.ts';
import { setValue, applied } from '../source/json-text.ts';

/** A variable's value. */
export type VariableValue = string | number | boolean;

/** What was typed, of the kind that the value before had; a text where it is none of that kind. */
export function typedVariable(before: Json | undefined, typed: string): VariableValue {
  const text = typed.trim();
  if (typeof before === 'number' && text !== '' && Number.isFinite(Number(text)))
    return Number(text);
  if (typeof before === 'boolean' && /^(?:true|false)$/i.test(text)) return /^t/i.test(text);
  return typed;
}

/** The document with another name for a variable, there and in all placeholders; the others keep their places. */
export function withVariableName(
  text: string,
  variables: Readonly<Record<string, Json | undefined>>,
  from: string,
  to: string,
): string {
  const entries = Object.entries(variables).map(([name, value]) => [
    name === from ? to : name,
    value,
  ]);
  const renamed = applied(text, setValue(text, ['variables'], Object.fromEntries(entries) as Json));
  // In a text of JSON, a name is written as JSON does.
  const written = (name: string): string => JSON.stringify(name).slice(1, -1);
  const pattern = new RegExp(`\\{\\{(\\s*)${escaped(written(from))}(?=\\s*[|}])`, 'g');
  return renamed.replace(pattern, (_, space: string) => `{{${space}${written(to)}`);
}

/** `name`, or `name 2`, …: the first that is free. */
export function freeVariable(name: string, variables: Readonly<Record<string, unknown>>): string {
  let found = name;
  for (let count = 2; Object.hasOwn(variables, found); count++) found = `${name}${count}`;
  return found;
}

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
