/**
 * What can be changed in a template, as a list of fields for form builders: the main property of every element with a
 * name, then the plain values that the document gives it, its placeholders, and those of the document itself. Pure.
 */
import { placeholderNames } from '../../../shared/renderscript/placeholders.ts';
import {
  property,
  type Property,
  type PropertyOwner,
} from '../../../shared/renderscript/properties.ts';
import {
  elementTypes,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../shared/renderscript/source.ts';

/** One field: its key in modifications, and what may be entered. */
export interface TemplateField {
  /** E.g. `Title.text`, `Title.fill_color`, `width`. */
  readonly id: string;
  /** For people, e.g. `Title`, `Title: Fill color`. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice';
  /** Of a choice. */
  readonly choices?: readonly string[];
  /** What the document says; absent where it says nothing. */
  readonly value?: string | number | boolean | null;
}

/** Most fields of one template: nobody reads more. */
const mostFields = 500;

/** Properties that say what an element is and where it belongs. */
const structure: ReadonlySet<string> = new Set([
  ...['type', 'id', 'name', 'track', 'dynamic', 'locked', 'elements', 'animations', 'fonts'],
  ...['variables', 'shape_type', 'texts', 'colors'],
]);
/** The property that a modification changes when it names only the element. */
const mainProperties: Readonly<Partial<Record<PropertyOwner, string>>> = {
  text: 'text',
  image: 'source',
  video: 'source',
  audio: 'source',
  lottie: 'source',
};

/**
 * The fields of a document in its order. If the editor has marked elements as dynamic, only those: the others are not
 * meant to change.
 */
export function templateFields(source: JsonObject): readonly TemplateField[] {
  const all = elementsBelow(source);
  const marked = all.filter(({ dynamic }) => dynamic === true);
  const fields = new Map<string, TemplateField>();
  const add = (field: TemplateField): void => {
    if (fields.size < mostFields && !fields.has(field.id)) fields.set(field.id, field);
  };
  for (const element of marked.length > 0 ? marked : all) elementFields(element).forEach(add);
  for (const element of all) {
    for (const name of placeholderNames(element.text)) add({ id: name, name, kind: 'text' });
  }
  for (const field of plainFields(source, 'root', '')) add(field);
  return [...fields.values()];
}

/** Elements with a name on all levels; elements with the same name change together, and the first is shown. */
function elementsBelow(parent: JsonObject): readonly JsonObject[] {
  const found: JsonObject[] = [];
  const open: JsonObject[] = [parent];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next !== parent) found.push(next);
    const { elements } = next;
    if (!Array.isArray(elements)) continue;
    // Array.isArray widens read-only lists to any[].
    open.push(...(elements as readonly unknown[]).filter((one) => isJsonObject(one)).reverse());
  }
  return found.filter(({ name }) => typeof name === 'string' && name !== '');
}

function elementFields(element: JsonObject): readonly TemplateField[] {
  const type = elementTypes.find((one) => one === element.type);
  const { name } = element;
  if (!type || typeof name !== 'string') return [];
  const main = mainProperties[type];
  const row = main === undefined ? undefined : property(type, main);
  const first: TemplateField[] = row
    ? [{ id: `${name}.${row.name}`, name, kind: 'text', ...valueOf(element[row.name]) }]
    : [];
  return [...first, ...plainFields(element, type, name)];
}

/** Fields for the values that an object itself has; a form can't ask for keyframes and lists. */
function plainFields(
  object: JsonObject,
  owner: PropertyOwner,
  name: string,
): readonly TemplateField[] {
  return Object.entries(object).flatMap(([key, value]) => {
    const row = structure.has(key) ? undefined : property(owner, key);
    const given = valueOf(value);
    if (!row || given.value === undefined) return [];
    const words = key.charAt(0).toUpperCase() + key.slice(1).replaceAll('_', ' ');
    const id = name === '' ? key : `${name}.${key}`;
    return [{ id, name: name === '' ? words : `${name}: ${words}`, ...kindOf(row), ...given }];
  });
}

/** A plain value; a form can't ask for others. */
function valueOf(value: Json | undefined): Pick<TemplateField, 'value'> {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? { value: value as string | number | boolean | null } : {}; // by its type
}

function kindOf({ rule }: Property): Pick<TemplateField, 'kind' | 'choices'> {
  if (rule.kind === 'boolean') return { kind: 'boolean' };
  if (rule.kind === 'enum') return { kind: 'choice', choices: rule.values };
  // A number that may have a unit is a text.
  const isBare = rule.kind === 'number' && rule.units.length === 0 && !rule.words;
  return { kind: isBare || isPixels(rule) ? 'number' : 'text' };
}

/** True for the document's sides, where a bare number means `px`. */
function isPixels(rule: Property['rule']): boolean {
  return rule.kind === 'number' && rule.bare === 'px' && rule.units.length === 1;
}
