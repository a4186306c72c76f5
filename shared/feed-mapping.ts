/** What a row of a feed changes of its template, and what its file is called. Pure; for server and window. */
import { hasProvider } from './renderscript/voices.ts';
import type { FeedColumnFacts, FixedValue } from './api/feeds.ts';
import { cleanFileName } from './file-name.ts';
import type { MediaFacts } from './api/media.ts';
import { isJsonObject, isMediaKind, type Json, type JsonObject } from './renderscript/source.ts';

/** How the rows of a feed become modifications. */
export interface FeedMapping {
  readonly columns: readonly FeedColumnFacts[];
  readonly fixed?: readonly FixedValue[] | undefined;
  /** An empty cell empties what it fills. Default: it keeps the template's value. */
  readonly clearsEmpty?: boolean | undefined;
  /** What names of files stand for. Default: they are addresses. */
  readonly files?: FeedFiles | undefined;
}

/** The modifications that a row stands for; its cells come before fixed values. @param values by the IDs of columns */
export function rowModifications(
  { files, ...mapping }: FeedMapping,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const changes = [...writtenChanges(mapping, values)].map(([target, value]) => [
    target,
    (files?.targets.has(target) ? files.addresses.get(value) : undefined) ?? value,
  ]);
  return Object.fromEntries(changes) as Record<string, string>; // each is one
}

/** What rows write where files are named. @param rows values by the IDs of columns */
export function namedFiles(
  mapping: FeedMapping,
  rows: Iterable<Readonly<Record<string, string>>>,
  targets: FeedFiles['targets'],
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const values of rows) {
    for (const [target, value] of writtenChanges(mapping, values)) {
      if (value !== '' && targets.has(target)) names.add(value);
    }
  }
  return names;
}

/** What a row writes, by what it changes. */
function writtenChanges(
  { columns, fixed = [], clearsEmpty = false }: FeedMapping,
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const changes = new Map(fixed.map(({ target, value }) => [target, value]));
  for (const { id, target } of columns) {
    const value = values[id] ?? '';
    if (target !== undefined && (value !== '' || clearsEmpty)) changes.set(target, value);
  }
  return changes;
}

/** A row of which a name is made. */
export interface NamedRow {
  /** Name of the feed. */
  readonly feed: string;
  readonly columns: readonly FeedColumnFacts[];
  readonly values: Readonly<Record<string, string>>;
  /** Its place, from 1. */
  readonly number: number;
}

/** Holes of a pattern for names that are no columns. */
export const namedHoles = ['feed', 'row'] as const;

/**
 * The name of a row's file without its ending; holes are `{feed}`, `{row}` and names of columns. '' where nothing is
 * left of it.
 */
export function rowName(pattern: string, { feed, columns, values, number }: NamedRow): string {
  const filled = pattern.replace(/\{([^{}]+)\}/g, (hole, name: string) => {
    const column = columns.find((one) => one.name === name);
    if (column) return values[column.id] ?? '';
    if (name === 'row') return String(number).padStart(3, '0');
    return name === 'feed' ? feed : hole;
  });
  return cleanFileName(filled);
}

/** Holes of a pattern that are neither columns nor `namedHoles`. */
export function unknownNameHoles(
  pattern: string,
  columns: readonly FeedColumnFacts[],
): readonly string[] {
  const known = new Set<string>([...namedHoles, ...columns.map(({ name }) => name)]);
  return [...pattern.matchAll(/\{([^{}]*)\}/g)].flatMap(([hole, name = '']) =>
    known.has(name) ? [] : [hole],
  );
}

/*
 * Files in the tables of feeds: which modifications name one, and what the names in the cells stand for. Pure; for
 * server and window.
 */

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
      const kind = isMediaKind(element.type) ? element.type : undefined;
      // A file that is made of words has no address.
      if (!kind || hasProvider(element)) continue;
      for (const name of [element.name, element.id]) {
        if (typeof name !== 'string' || name === '' || targets.has(name)) continue;
        targets.set(name, kind).set(`${name}.source`, kind);
      }
    }
  }
  return targets;
}
