/** A source as the editor's panes show it: its elements as a tree, and its fields. Pure. */
import { rules, type NumberRule, type Rule } from '../../../shared/renderscript/rules.ts';
import { property } from '../../../shared/renderscript/properties.ts';
import {
  elementTypes,
  isJsonObject,
  type ElementType,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { elementLabels } from '../../../shared/renderscript/validate.ts';
import type { CompiledElement } from '../../../shared/preview.ts';
import { isSpoken } from '../../../shared/renderscript/voices.ts';
import { say } from '../../ui/say.ts';
import { wordsOfProperty } from '../inspector/words.ts';
import type { EditorProblem } from '../source/check.ts';
import { frontFirst, paintedOrder, type Sibling, type SiblingGroup } from './sibling-order.ts';

export interface OutlineItem {
  readonly path: string;
  /** Of the list it stands in, e.g. `elements`; and its index there. */
  readonly list: string;
  readonly index: number;
  /** All of that list, the front first; and its place in that order, from 0. */
  readonly group: SiblingGroup;
  readonly place: number;
  readonly level: number;
  readonly type: ElementType | null;
  /** Its name, else type and position. */
  readonly label: string;
  readonly named: boolean;
  readonly isField: boolean;
  readonly hasChildren: boolean;
  /** When it is visible, as drawn last; null before. */
  readonly drawn: Pick<CompiledElement, 'start' | 'duration'> | null;
}

/** Deeper than any document that is accepted. */
const deepest = 64;

/**
 * All elements, each before its children; those of one list as they are painted (sibling-order.ts).
 *
 * @param compiled As drawn last; it may be of a moment before the last change of the source.
 */
export function outlineOf(
  source: Source | null,
  compiled: readonly CompiledElement[] = [],
): OutlineItem[] {
  const items: OutlineItem[] = [];
  const lists = new Map<string, CompiledElement[]>();
  for (const element of compiled) {
    const list = element.path.slice(0, element.path.lastIndexOf('['));
    const known = lists.get(list);
    if (known) known.push(element);
    else lists.set(list, [element]);
  }
  if (source) visit(source, { list: 'elements', drawnList: 'elements', level: 1 }, lists, items);
  return items;
}

/** An outline as its pane shows it: the front first, as on the timeline, each element still before its children. */
export function frontFirstOutline(items: readonly OutlineItem[]): readonly OutlineItem[] {
  const lists = new Map<string, OutlineItem[]>();
  for (const item of items) {
    const known = lists.get(item.list);
    if (known) known.push(item);
    else lists.set(item.list, [item]);
  }
  const shown = (list: string): readonly OutlineItem[] =>
    [...(lists.get(list) ?? [])]
      .sort((a, b) => a.place - b.place)
      .flatMap((item) => [item, ...(item.hasChildren ? shown(`${item.path}.elements`) : [])]);
  return shown('elements');
}

/** Where a list of elements stands; `drawnList` is where it stood when it was drawn. */
interface ListPlace {
  readonly list: string;
  readonly drawnList: string;
  readonly level: number;
}

function visit(
  parent: JsonObject,
  { list, drawnList, level }: ListPlace,
  lists: ReadonlyMap<string, readonly CompiledElement[]>,
  items: OutlineItem[],
): void {
  if (!Array.isArray(parent.elements) || level > deepest) return;
  const elements: readonly unknown[] = parent.elements;
  const labels = elementLabels(elements);
  const drawn = drawnOf(drawnList, labels, lists.get(drawnList) ?? []);
  const siblings = elements.map((element, index) => siblingOf(element, drawn[index]));
  const painted = paintedOrder(siblings).filter((index) => isJsonObject(elements[index]));
  const order = frontFirst(painted, siblings);
  const group = { siblings, order };
  const places = new Map(order.map((index, place) => [index, place]));
  painted.forEach((index) => {
    const element = elements[index];
    if (!isJsonObject(element)) return;
    const path = `${list}[${index}]`;
    const children: readonly unknown[] = Array.isArray(element.elements) ? element.elements : [];
    items.push({
      path,
      list,
      index,
      group,
      place: places.get(index) ?? 0,
      level,
      type: elementTypes.find((type) => type === element.type) ?? null,
      label: labels[index] ?? '',
      named: typeof element.name === 'string' && element.name !== '',
      isField: element.dynamic === true,
      hasChildren: children.length > 0,
      drawn: drawn[index] ?? null,
    });
    const below = {
      list: `${path}.elements`,
      level: level + 1,
      drawnList: `${drawn[index]?.path ?? path}.elements`,
    };
    visit(element, below, lists, items);
  });
}

function siblingOf(element: unknown, drawn: CompiledElement | undefined): Sibling {
  const { track, time } = isJsonObject(element) ? element : {};
  return {
    track: parseAmount(track)?.value ?? null,
    isTimed: time !== undefined && time !== null,
    start: drawn?.start ?? null,
  };
}

/**
 * What was drawn of the elements of a list: by name, so that it follows one that was moved a moment ago; by place where
 * names are not unique.
 */
function drawnOf(
  list: string,
  labels: readonly string[],
  drawn: readonly CompiledElement[],
): readonly (CompiledElement | undefined)[] {
  const byPath = new Map<string, CompiledElement>();
  const byName = new Map<string, CompiledElement | null>();
  for (const element of drawn) {
    // A looped sound is listed once for each pass.
    if (byPath.has(element.path)) continue;
    byPath.set(element.path, element);
    byName.set(element.name, byName.has(element.name) ? null : element);
  }
  return labels.map((label, index) => byName.get(label) ?? byPath.get(`${list}[${index}]`));
}

export type FieldKind = 'text' | 'source' | 'color' | 'boolean' | 'choice' | 'amount' | 'plain';

/** One value that is meant to be changed. */
export interface Field {
  /** Its place, e.g. `elements[0].fill_color`. */
  readonly path: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Its key in `modifications`; null for elements without a name. */
  readonly key: string | null;
  readonly value: Json | undefined;
  /** For choices. */
  readonly choices: readonly string[];
  /** For amounts: the units, what a plain number means, and the bounds. */
  readonly amount: NumberRule | null;
  readonly type: ElementType;
  /** Another element has the same name: a modification changes both. */
  readonly shared: boolean;
  /** The first one of its element. */
  readonly isFirst: boolean;
}

/** The fields of a source. `marked` is false when none is marked and all named elements are shown. */
export interface Fields {
  readonly list: readonly Field[];
  readonly marked: boolean;
}

const mainOf: Partial<Record<ElementType, string>> = {
  text: 'text',
  image: 'source',
  video: 'source',
  audio: 'source',
  lottie: 'source',
};

/** Properties that become fields of a marked element when they are written there as plain values. */
const besides = [
  'fill_color',
  'background_color',
  'visible',
  'opacity',
  'fit',
  'volume',
  'font_size',
];

/** The fields in the order of the outline; `items` is the outline. */
export function fieldsOf(source: Source | null, items: readonly OutlineItem[]): Fields {
  if (!source) return { list: [], marked: true };
  const marked = items.some(({ isField }) => isField);
  const names = new Map<string, number>();
  for (const { label, named } of items) if (named) names.set(label, (names.get(label) ?? 0) + 1);
  const list = items.flatMap((item): Field[] => {
    const { type } = item;
    if (type === null) return [];
    const isShown = marked ? item.isField : item.named && mainOf[type] !== undefined;
    if (!isShown) return [];
    const element = elementAt(source, item.path);
    return element ? fieldsOfElement(item, type, element, marked, names) : [];
  });
  return { list, marked };
}

/** It is no field yet, and would have something to edit. */
export function isMarkable(source: Source | null, item: OutlineItem): boolean {
  const { type, isField, path } = item;
  const element = source && type !== null && !isField ? elementAt(source, path) : null;
  if (!element || type === null) return false;
  return fieldsOfElement(item, type, element, true, new Map()).length > 0;
}

function fieldsOfElement(
  item: OutlineItem,
  type: ElementType,
  element: JsonObject,
  marked: boolean,
  names: ReadonlyMap<string, number>,
): Field[] {
  const main = mainOf[type];
  const written = besides.filter((name) => isPlain(element[name]) && property(type, name));
  const keys = [...(main === undefined ? [] : [main]), ...(marked ? written : [])];
  return keys.flatMap((name, index): Field[] => {
    const value = element[name];
    if (value !== undefined && value !== null && !isPlain(value)) return [];
    const rule: Rule = property(type, name)?.rule ?? rules.string;
    const isMain = name === main;
    return [
      {
        path: `${item.path}.${name}`,
        label: isMain
          ? item.label
          : say('editor.field.part', { name: item.label, part: wordsOfProperty(name) }),
        kind: isMain ? (name === 'text' || isSpoken(element) ? 'text' : 'source') : kindOf(rule),
        key: item.named ? (isMain ? item.label : `${item.label}.${name}`) : null,
        value,
        choices: rule.kind === 'enum' ? rule.values : [],
        amount: rule.kind === 'number' ? rule : null,
        type,
        shared: (names.get(item.label) ?? 0) > 1,
        isFirst: index === 0,
      },
    ];
  });
}

function isPlain(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** By the rule, not by the value: a control must not become another one while someone types in it. */
function kindOf(rule: Rule): FieldKind {
  switch (rule.kind) {
    case 'boolean':
      return 'boolean';
    case 'enum':
      return 'choice';
    case 'number':
      return 'amount';
    case 'color':
    case 'fill':
      return 'color';
    default:
      return 'plain';
  }
}

/** The element on a path like `elements[0].elements[2]`, or null. */
export function elementAt(source: Source, path: string): JsonObject | null {
  let value: Json | undefined = source;
  for (const [, index] of path.matchAll(/elements\[(\d+)\]/g)) {
    const list: Json | undefined = isJsonObject(value) ? value.elements : undefined;
    value = Array.isArray(list) ? (list as readonly Json[])[Number(index)] : undefined;
  }
  return isJsonObject(value) ? value : null;
}

/** The innermost element on a longer path: `elements[0].x[1]` → `elements[0]`; '' outside elements. */
export function elementPathOf(path: string): string {
  return /^(?:\.?elements\[\d+\])+/.exec(path)?.[0] ?? '';
}

/** Places of the elements with errors or warnings. */
export function wrongElements(
  problems: readonly Pick<EditorProblem, 'severity' | 'path'>[],
): ReadonlySet<string> {
  const wrong = problems.filter(({ severity }) => severity !== 'hint');
  return new Set(wrong.map(({ path }) => elementPathOf(path)));
}

/** A new element of a type, with values that make it visible. */
export function newElement(type: ElementType, taken: readonly string[]): JsonObject {
  const word = `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  let name = word;
  for (let count = 2; taken.includes(name); count += 1) name = `${word} ${count}`;
  const middle = { x: '50%', y: '50%' };
  switch (type) {
    case 'text':
      return {
        type,
        name,
        text: say('editor.new.text'),
        ...middle,
        width: '80%',
        height: '20%',
        x_alignment: '50%',
        y_alignment: '50%',
        fill_color: '#ffffff',
      };
    case 'shape':
      return { type, name, ...middle, width: '40%', height: '40%', fill_color: '#2447d8' };
    case 'composition':
      return { type, name, ...middle, width: '100%', height: '100%', elements: [] };
    case 'audio':
      return { type, name, source: null };
    default:
      return { type, name, ...middle, width: '60%', height: '60%', source: null };
  }
}
