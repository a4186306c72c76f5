/**
 * Findings of a check before rendering as lines of the problem list, at their places in the text as it is now. Pure.
 */
import { findingSentence, type Finding } from '../../../shared/findings.ts';
import { stepsOf, valueAt } from '../../../shared/renderscript/fixes.ts';
import { namesIn } from '../../../shared/renderscript/json-patch.ts';
import type { Json, Source } from '../../../shared/renderscript/source.ts';
import { differenceOf, type TextChange } from '../../engine/text-change.ts';
import { elementPathOf } from '../outline/elements.ts';
import type { EditorProblem } from '../source/check.ts';
import { applied, parsePath, rangeOf, setValue, type Node } from '../source/json-text.ts';

/** The text that findings are shown in. */
export interface ShownText {
  readonly text: string;
  readonly source: Source;
  readonly tree: Node | null;
  /** The place of a letter. */
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
}

/**
 * The findings that are still true as far as can be told, each as a line: their elements are as they were when they
 * were checked.
 *
 * @param before The document that was checked.
 * @param known What the list has anyway.
 */
export function foundProblems(
  findings: readonly Finding[],
  before: Source,
  { text, source, tree, placeOf }: ShownText,
  known: readonly EditorProblem[],
): readonly EditorProblem[] {
  const prints = new Map<string, boolean>();
  const isAsBefore = (path: string): boolean => {
    const place = elementPathOf(path);
    let same = prints.get(place);
    if (same === undefined) {
      const steps = stepsOf(place === '' ? path : place);
      same =
        JSON.stringify(valueAt(source, steps)) === JSON.stringify(valueAt(before, steps)) ||
        source === before;
      prints.set(place, same);
    }
    return same;
  };
  return findings.flatMap((finding): EditorProblem[] => {
    const { path, element, level, message, cure, time, patch } = finding;
    if (!isAsBefore(path)) return [];
    if (known.some((one) => one.path === path && one.text.includes(message))) return [];
    const range = rangeOf(tree, parsePath(path));
    const changes = patch ? changesOf(text, source, patch) : [];
    return [
      {
        ...{ severity: level, text: findingSentence(finding), path, element, cure },
        ...range,
        ...placeOf(range.from),
        ...(time !== undefined && { time }),
        ...(changes.length > 0 && { fix: { label: cure, changes } }),
      },
    ];
  });
}

/** A patch as one change of the text, whatever else its steps leave as it is; empty where it does not fit. */
export function changesOf(
  text: string,
  source: Source,
  patch: NonNullable<Finding['patch']>,
): readonly TextChange[] {
  let after = text;
  for (const { op, path, from, value } of patch) {
    // What a patch holds is JSON; a value that moves is as it stands in the document.
    const moved = from === undefined ? value : valueAt(source, placeIn(source, from));
    if (op === 'move' && from !== undefined)
      after = applied(after, setValue(after, placeIn(source, from), undefined));
    const wanted = op === 'remove' ? undefined : ((op === 'move' ? moved : value) as Json);
    after = applied(after, setValue(after, placeIn(source, path), wanted));
  }
  return differenceOf(text, after);
}

/** A pointer as keys and indexes: a number is an index where the document has a list. */
function placeIn(source: Source, pointer: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const name of namesIn(pointer)) {
    steps.push(Array.isArray(valueAt(source, steps)) ? Number(name) : name);
  }
  return steps;
}
