/**
 * Repairs as JSON Patches (RFC 6902), which programs apply to the document they sent, and the editor to the one that is
 * open. Pure.
 */
import { fixOf, stepsOf } from './fixes.ts';
import { isJsonObject, type Json, type JsonObject, type Problem, type Source } from './source.ts';

/** A step of a patch. `add` to a name that is there replaces its value. */
export interface PatchStep {
  readonly op: 'add' | 'remove' | 'replace' | 'move';
  /** A JSON Pointer, e.g. `/elements/2/fill_color`. */
  readonly path: string;
  /** Of `move`: where the value is now. */
  readonly from?: string;
  /** Of `add` and `replace`. */
  readonly value?: unknown;
}

/** `/elements/2/fill_color` */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** The opposite; numbers are names, too: only the document knows which of its values are lists. */
export function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The repair of a problem; empty where nothing is certain. @param source The document it was found in. */
export function patchOf(
  source: Source,
  problem: Pick<Problem, 'path' | 'code' | 'message' | 'instead'>,
): PatchStep[] {
  const fix = fixOf(source, problem);
  if (fix === null) return [];
  const steps = stepsOf(problem.path);
  const path = pointerOf(steps);
  if (fix.kind === 'value') return [{ op: 'replace', path, value: fix.value }];
  const renamed = pointerOf([...steps.slice(0, -1), fix.name]);
  return [
    { op: 'move', from: path, path: renamed },
    ...(fix.value === undefined
      ? []
      : [{ op: 'replace', path: renamed, value: fix.value } as const]),
  ];
}

/** The document after a patch, a copy; null where it does not fit the document. */
export function patched(source: Source, steps: readonly PatchStep[]): Source | null {
  let document: JsonObject = source;
  for (const { op, path, from, value } of steps) {
    const moved = op === 'move' && from !== undefined ? valueAt(document, namesIn(from)) : value;
    const without = op === 'move' && from !== undefined ? namesIn(from) : null;
    const before = without ? changed(document, without, undefined) : document;
    // what a patch holds is JSON
    const wanted = op === 'remove' ? undefined : (moved as Json | undefined);
    const after = before && changed(before, namesIn(path), wanted);
    if (!isJsonObject(after)) return null;
    document = after;
  }
  return document;
}

function valueAt(value: Json, names: readonly string[]): Json | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  const inner = itemsOf(value)?.[Number(name)] ?? (isJsonObject(value) ? value[name] : undefined);
  return inner === undefined ? undefined : valueAt(inner, rest);
}

/** A copy with another value at a place, or without it; null where there is no such place. */
function changed(value: Json, names: readonly string[], wanted: Json | undefined): Json | null {
  const [name, ...rest] = names;
  if (name === undefined) return wanted ?? null;
  const items = itemsOf(value);
  if (items) {
    const index = Number(name);
    const old = items[index];
    if (old === undefined) return null;
    if (rest.length === 0 && wanted === undefined) return items.toSpliced(index, 1);
    const next = rest.length === 0 ? wanted : changed(old, rest, wanted);
    return next === null || next === undefined ? null : items.with(index, next);
  }
  if (!isJsonObject(value)) return null;
  if (rest.length === 0) {
    if (wanted !== undefined) return { ...value, [name]: wanted };
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  }
  const inner = value[name];
  const next = inner === undefined ? null : changed(inner, rest, wanted);
  return next === null ? null : { ...value, [name]: next };
}

/** Array.isArray does not narrow read-only lists. */
function itemsOf(value: Json): readonly Json[] | null {
  return Array.isArray(value) ? (value as readonly Json[]) : null;
}
