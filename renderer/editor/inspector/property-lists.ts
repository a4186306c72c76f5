/**
 * Properties that are lists, e.g. animations: items are added, changed and taken away, one named step each. Window
 * only.
 */
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import {
  applied,
  insertItem,
  parsePath,
  printPath,
  setValue,
  withoutProperties,
} from '../source/json-text.ts';
import { PatchedText } from '../source/patch.ts';
import type { PropertyName } from './groups.ts';
import { pathIn, type Subject } from './shown-values.ts';

/** What is selected, and the way to change it; an `InspectorState` is one. */
interface ListOwner {
  readonly subjects: readonly Subject[];
  change(name: string, change: (text: string) => string): void;
}

/** The lists of what is selected. */
export class PropertyLists {
  readonly #inspector: ListOwner;

  constructor(inspector: ListOwner) {
    this.#inspector = inspector;
  }

  /** Adds an item to the end of a property's list, of each one; one step. */
  add(name: PropertyName, item: Json, words: string): void {
    this.#changeList(name, words, {
      one: (text, path) => applied(text, insertItem(text, path, item)),
      all: (list) => [...list, item],
    });
  }

  /** Takes an item of a property's list away, of each one; one step. */
  remove(name: PropertyName, index: number, words: string): void {
    this.#changeList(name, words, {
      one: (text, path) => applied(text, setValue(text, [...path, index], undefined)),
      all: (list) => list.toSpliced(index, 1),
    });
  }

  /** Sets values of an item of a property's list, of each one; undefined takes one away. One step. */
  change(
    name: PropertyName,
    index: number,
    values: Readonly<Record<string, Json | undefined>>,
    words: string,
  ): void {
    const entries = Object.entries(values);
    const [gone, kept] = [true, false].map((isGone) =>
      entries.filter(([, value]) => (value === undefined) === isGone),
    );
    this.#changeList(name, words, {
      one: (text, path) => {
        const at = printPath([...path, index]);
        const set = (kept ?? []).map(([key, value]) => [`${at}.${key}`, value ?? null] as const);
        return (gone ?? []).reduce(
          (made, [key]) => withoutProperties(made, [[...path, index, key]]),
          new PatchedText(text).with(Object.fromEntries(set)),
        );
      },
      all: (list) =>
        list.map((item, at) =>
          // JSON leaves out what is undefined.
          at === index && isJsonObject(item) ? { ...item, ...values } : item,
        ),
    });
  }

  /** Of one element as its author writes it; of several, whose lists are the same, each list as a whole. */
  #changeList(
    name: PropertyName,
    words: string,
    change: {
      readonly one: (text: string, path: readonly (string | number)[]) => string;
      readonly all: (list: readonly Json[]) => readonly Json[];
    },
  ): void {
    const [first, ...others] = this.#inspector.subjects;
    if (!first) return;
    if (others.length === 0) {
      this.#inspector.change(words, (text) => change.one(text, parsePath(pathIn(first, name))));
      return;
    }
    const { [name]: found } = first.values;
    const list = change.all(Array.isArray(found) ? (found as readonly Json[]) : []);
    const patch = this.#inspector.subjects.map((subject) => [pathIn(subject, name), list] as const);
    this.#inspector.change(words, (text) => new PatchedText(text).with(Object.fromEntries(patch)));
  }
}
