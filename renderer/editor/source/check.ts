/**
 * What is wrong, or worth knowing, in a source that is being typed: the API's own checker, and hints that only the
 * editor gives. Pure; the same document gives the same sentences as a dry run.
 */
import { parseJson, parseRelaxedJson } from '../../../shared/json.ts';
import { fixOf } from '../../../shared/renderscript/fixes.ts';
import { hintsOf } from '../../../shared/renderscript/hints.ts';
import { applyModifications } from '../../../shared/renderscript/modifications.ts';
import {
  isJsonObject,
  problemSentence,
  type JsonObject,
  type Problem,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { validate } from '../../../shared/renderscript/validate.ts';
import { say } from '../../ui/say.ts';
import type { TextChange } from '../../engine/text-change.ts';
import {
  parsePath,
  putValue,
  rangeOf,
  renameKey,
  setValue,
  treeOf,
  type Node,
} from './json-text.ts';

/** One line of the problem list. */
export interface EditorProblem {
  readonly severity: 'error' | 'warning' | 'hint';
  /** As the API says it. */
  readonly text: string;
  /** Place in the document, '' for the document itself. */
  readonly path: string;
  /** The element's name; '' outside elements. */
  readonly element: string;
  /** Letters of the text. */
  readonly from: number;
  readonly to: number;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  /** The one sensible change, when there is exactly one. */
  readonly fix?: { readonly label: string; readonly changes: readonly TextChange[] };
  /** Of a finding of the check before rendering: what to do. */
  readonly cure?: string;
  /** Of such a finding: seconds at which it shows. */
  readonly time?: number;
}

/** What a text is. */
export interface Checked {
  /** Null when the text is not a JSON object. */
  readonly source: Source | null;
  readonly tree: Node | null;
  readonly problems: readonly EditorProblem[];
}

/** Reads and checks a text at once. */
export function checkText(text: string): Checked {
  const steps = checkInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same in steps, so that other work can run between them: each takes tens of milliseconds for a text of a million
 * letters.
 */
export function* checkInSteps(text: string): Generator<undefined, Checked> {
  const tree = treeOf(text);
  yield;
  const lines = lineStarts(text);
  const parsed = parseJson(text);
  yield;
  if (!parsed.ok) return { source: null, tree, problems: [faultOf(text, parsed.fault, lines)] };
  if (!isJsonObject(parsed.value)) {
    const whole = { from: 0, to: text.length, line: 1, column: 1 };
    const words = {
      severity: 'error',
      text: say('editor.notObject'),
      path: '',
      element: '',
    } as const;
    return { source: null, tree, problems: [{ ...words, ...whole }] };
  }
  const source = parsed.value;
  const place = (path: string): Pick<EditorProblem, 'from' | 'to' | 'line' | 'column'> => {
    const range = rangeOf(tree, parsePath(path));
    return { ...range, ...lineOf(lines, range.from) };
  };
  const found = problemsOf(source);
  yield;
  const problems = found.map((problem): EditorProblem => {
    const { severity, path, element } = problem;
    const fix = fixIn(text, source, tree, problem);
    const shown = { severity, text: problemSentence(problem), path, element };
    return { ...shown, ...place(path), ...(fix && { fix }) };
  });
  yield;
  const hints = hintsOf(source).map((hint): EditorProblem => {
    const { path, element, message } = hint;
    const fix = fixIn(text, source, tree, hint);
    const sentence = element === '' ? message : `${element}: ${message}`;
    return { severity: 'hint', text: sentence, path, element, ...place(path), ...(fix && { fix }) };
  });
  return { source, tree, problems: [...problems, ...hints] };
}

/** The list with the warnings from drawing, e.g. a missing file. */
export function withDrawn(
  checked: readonly EditorProblem[],
  drawn: readonly Problem[],
  tree: Node | null,
  code: { placeOf(offset: number): { readonly line: number; readonly column: number } },
): readonly EditorProblem[] {
  const known = checked.map(({ text }) => text);
  const extra = drawn.flatMap((problem): EditorProblem[] => {
    const text = problemSentence(problem);
    if (known.includes(text)) return [];
    const { path, element } = problem;
    const range = rangeOf(tree, parsePath(path));
    return [{ severity: 'warning', text, path, element, ...range, ...code.placeOf(range.from) }];
  });
  return [...checked, ...extra];
}

/** Errors and warnings of a document with modifications, in the order of a dry run: errors first. */
export function problemsOf(source: Source, modifications: JsonObject = {}): Problem[] {
  const modified = applyModifications(source, modifications);
  const problems = [...validate(modified.source), ...modified.problems];
  const of = (severity: Problem['severity']): Problem[] =>
    problems.filter((problem) => problem.severity === severity);
  return [...of('error'), ...of('warning')];
}

/** The tone of a list of problems: that of its worst one. */
export function toneOf(problems: readonly EditorProblem[]): 'danger' | 'warning' | 'info' {
  const has = (severity: EditorProblem['severity']): boolean =>
    problems.some((problem) => problem.severity === severity);
  if (has('error')) return 'danger';
  return has('warning') ? 'warning' : 'info';
}

/**
 * The problem after the cursor (1) or before it (-1), and from the last one to the first; undefined without problems.
 */
export function nextProblem(
  problems: readonly EditorProblem[],
  cursor: { readonly line: number; readonly column: number },
  step: 1 | -1,
): EditorProblem | undefined {
  const after = (problem: EditorProblem): number =>
    problem.line - cursor.line || problem.column - cursor.column;
  const sorted = [...problems].sort((a, b) => a.from - b.from);
  if (step > 0) return sorted.find((problem) => after(problem) > 0) ?? sorted[0];
  // The cursor is at the end of the last visited problem.
  const before = sorted.findLast((problem) => after(problem) < 0 && problem.line !== cursor.line);
  return before ?? sorted.at(-1);
}

function faultOf(
  text: string,
  { reason, line, column }: { reason: string; line: number; column: number },
  lines: readonly number[],
): EditorProblem {
  const from = Math.min(text.length, (lines[line - 1] ?? 0) + column - 1);
  const relaxed = parseRelaxedJson(text);
  const commas = relaxed.ok ? trailingCommas(text) : [];
  return {
    severity: 'error',
    text: say('editor.notJson', { reason, line: String(line), column: String(column) }),
    path: '',
    element: '',
    from,
    to: Math.min(text.length, from + 1),
    line,
    column,
    ...(commas.length > 0 && {
      fix: { label: say('editor.fix.comma'), changes: commas },
    }),
  };
}

/** Commas before a closing bracket. Only asked for texts that are JSON without them. */
function trailingCommas(text: string): TextChange[] {
  return Array.from(text.matchAll(/"(?:\\.|[^"\\])*"|(,)(?=\s*[}\]])/g))
    .filter(([, comma]) => comma !== undefined)
    .map(({ index }) => ({ from: index, to: index + 1, insert: '' }));
}

/** The change as one of the text. */
function fixIn(
  text: string,
  source: Source,
  tree: Node | null,
  fault: Parameters<typeof fixOf>[1],
): EditorProblem['fix'] {
  const fix = fixOf(source, fault);
  if (fix === null) return undefined;
  const keys = parsePath(fault.path);
  const label = (value: string): string => say('editor.fix.value', { value });
  if (fix.kind === 'value')
    return { label: label(fix.value), changes: setValue(text, keys, fix.value) };
  const renamed = renameKey(tree, keys, fix.name);
  if (renamed.length === 0) return undefined;
  const moved = fix.value === undefined ? [] : (putValue(tree, keys, fix.value) ?? []);
  const value = moved.length > 0 ? `${fix.name}: ${fix.value}` : fix.name;
  return { label: label(value), changes: [...renamed, ...moved] };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): { line: number; column: number } {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}
