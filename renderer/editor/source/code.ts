/**
 * The source pane's CodeMirror: language, keys, completion and hover from the property table. What is wrong comes from
 * check.ts, the look from code-look.ts.
 */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  pickedCompletion,
  type Completion as CodeCompletion,
  startCompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
} from '@codemirror/language';
import { lintGutter, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
  ViewPlugin,
} from '@codemirror/view';
import { getLocation, parse as parseTolerant } from 'jsonc-parser';
import {
  keyCompletions,
  valueCompletions,
  type Completion,
} from '../../../shared/renderscript/completion.ts';
import { isJsonObject, type Source } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import type { TextChange } from '../../engine/text-change.ts';
import { look } from './code-look.ts';
import { fontCompletions, isFontFamily, mediaCompletions } from './completion-lists.ts';
import { largeSource } from '../limits.ts';
import { markerField } from './marker-field.ts';
import type { EditorProblem } from './check.ts';
import { elementAt, elementPathOf } from '../outline/elements.ts';
import { pathAt, printPath, treeOf } from './json-text.ts';

/** Marks a change as part of the last step of the history, wherever it stands. */
export const joinsLast = Annotation.define<boolean>();

/** All of it; `onState` is called with every new state of a view. */
export function codeExtensions(
  onState: (state: EditorState, docChanged: boolean) => void,
  onText: (doc: Text) => void,
): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history({
      joinToEvent: (change, isBeside) => isBeside || change.annotation(joinsLast) === true,
    }),
    markerField,
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    autocompletion({ override: [complete], icons: false, defaultKeymap: false }),
    hoverTooltip(explain),
    json(),
    look,
    EditorState.phrases.of(codePhrases()),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ 'aria-label': say('editor.source'), tabindex: '0' }),
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      // Opening these two are commands of the editor, with keys that can be changed.
      ...searchKeymap.filter(({ key }) => key !== 'Mod-f'),
      ...foldKeymap,
      ...completionKeymap.filter(({ run }) => run !== startCompletion),
      ...defaultKeymap,
      indentWithTab,
    ]),
    // Told before the page is changed, which the update listener comes after.
    ViewPlugin.define(() => ({
      update: ({ docChanged, state }) => {
        if (docChanged) onText(state.doc);
      },
    })),
    EditorView.updateListener.of(({ state, docChanged, selectionSet, transactions }) => {
      if (docChanged || selectionSet || transactions.length > 0) onState(state, docChanged);
    }),
  ];
}

/** The problem list as marks in the text, with their fixes. */
export function diagnosticsOf(
  problems: readonly EditorProblem[],
  apply: (changes: readonly TextChange[]) => void,
): Diagnostic[] {
  return problems.map(({ from, to, severity, text, fix }) => ({
    from,
    to,
    message: text,
    severity: severity === 'hint' ? 'info' : severity,
    ...(fix && { actions: [{ name: fix.label, apply: () => apply(fix.changes) }] }),
  }));
}

// ---- completion
// ------------------------------------------------------------------------------------------------------

function tolerantSource(text: string): Source {
  const value: unknown = parseTolerant(text, [], { allowTrailingComma: true });
  return isJsonObject(value) ? value : {};
}

/** Between quotes, which end on their line. Runs at every key press, so it does not read the whole text. */
function isInString({ doc }: EditorState, pos: number): boolean {
  const line = doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from).replaceAll(/\\./g, '');
  return before.split('"').length % 2 === 0;
}

async function complete({
  state,
  pos,
  explicit,
}: CompletionContext): Promise<CompletionResult | null> {
  const { length } = state.doc;
  if (!explicit && (length > largeSource || !isInString(state, pos))) return null;
  const text = state.doc.toString();
  const { path, isAtPropertyKey, previousNode } = getLocation(text, pos);
  const inside =
    previousNode && pos > previousNode.offset && pos <= previousNode.offset + previousNode.length;
  const [from, to] = inside
    ? [previousNode.offset, previousNode.offset + previousNode.length]
    : [pos, pos];
  const source = tolerantSource(text);
  if (isAtPropertyKey) {
    if (!explicit && !inside) return null;
    const object = path.slice(0, -1);
    const hasColon = /^\s*:/.test(text.slice(to));
    const options = keyCompletions(source, object).map((offer) => ({
      ...shown(offer),
      label: JSON.stringify(offer.label),
      displayLabel: offer.label,
      apply: hasColon ? JSON.stringify(offer.label) : `${JSON.stringify(offer.label)}: `,
    }));
    return { from, options: options.map((option) => overRest(option, to - pos)) };
  }
  const isString = inside && text.startsWith('"', from);
  if (!explicit && !isString) return null;
  const names = path.at(-1) === 'transcript_source' ? namesIn(source) : [];
  const fonts = isFontFamily(path) ? await fontCompletions(source) : [];
  const values = [...valueCompletions(source, path), ...names].map(shown);
  const options = [
    // The default family is one of them; that it is the default comes first.
    ...values.map((value) => ({ ...value, ...fonts.find(({ label }) => label === value.label) })),
    ...fonts.filter(({ label }) => values.every((value) => value.label !== label)),
    ...(path.at(-1) === 'source' ? await mediaCompletions(typeAt(source, path)) : []),
    ...(path.at(-1) === 'look_lut' ? await mediaCompletions('lut') : []),
  ];
  if (options.length === 0) return null;
  return { from, options: options.map((option) => overRest(option, to - pos)) };
}

/**
 * The completion, which also replaces the rest of the word. Only the text before the cursor is matched: between the
 * quotes of `""` the closing one would match nothing.
 */
function overRest(option: CodeCompletion, rest: number): CodeCompletion {
  const insert = typeof option.apply === 'string' ? option.apply : option.label;
  return {
    ...option,
    apply: (view, completion, from, to) => {
      view.dispatch({
        changes: { from, to: to + rest, insert },
        selection: { anchor: from + insert.length },
        annotations: pickedCompletion.of(completion),
        userEvent: 'input.complete',
      });
    },
  };
}

/** The type of the element that a path leads into; '' without one. */
function typeAt(source: Source, path: readonly (string | number)[]): string {
  const element = elementAt(source, elementPathOf(printPath(path)));
  return typeof element?.type === 'string' ? element.type : '';
}

function namesIn(source: Source): Completion[] {
  const found: Completion[] = [];
  const visit = (elements: unknown): void => {
    if (!Array.isArray(elements)) return;
    for (const element of elements as readonly unknown[]) {
      if (!isJsonObject(element)) continue;
      const { name, type } = element;
      if (typeof name === 'string' && (type === 'video' || type === 'audio'))
        found.push({ label: JSON.stringify(name), detail: type, info: '' });
      visit(element.elements);
    }
  };
  visit(source.elements);
  return found;
}

function shown({ label, detail, info }: Completion): {
  label: string;
  detail: string;
  info?: string;
} {
  return { label, detail, ...(info !== '' && { info }) };
}

/** Explains a property when the pointer is over its key or value. */
function explain(view: EditorView, pos: number): Tooltip | null {
  const text = view.state.doc.toString();
  if (text.length > largeSource) return null;
  const tree = treeOf(text);
  const path = pathAt(tree, pos);
  const key = path.at(-1);
  if (typeof key !== 'string') return null;
  const source = tolerantSource(text);
  // Without the key itself, which would otherwise count as taken.
  const object = path.slice(0, -1);
  const offer = keyCompletions(withoutKey(source, path), object).find(({ label }) => label === key);
  if (!offer) return null;
  const fallback = valueCompletions(source, path).find(({ info }) => info !== '');
  return {
    pos,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-explain';
      for (const [tag, line] of [
        ['strong', key],
        ['code', offer.detail],
        ['p', offer.info],
        ['p', fallback ? say('editor.default', { value: fallback.label }) : ''],
      ] as const) {
        if (line === '') continue;
        const part = document.createElement(tag);
        part.textContent = line;
        dom.append(part);
      }
      return { dom };
    },
  };
}

/** The document without one property; a copy only along the path. */
function withoutKey(source: Source, path: readonly (string | number)[]): Source {
  const without = (value: unknown, [step, ...rest]: readonly (string | number)[]): unknown => {
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return items.map((item, index) => (index === step ? without(item, rest) : item));
    }
    if (!isJsonObject(value) || typeof step !== 'string') return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      rest.length === 0
        ? entries.filter(([key]) => key !== step)
        : entries.map(([key, item]) => [key, key === step ? without(item, rest) : item]),
    );
  };
  const rest = without(source, path);
  return isJsonObject(rest) ? rest : {};
}

/** CodeMirror's own words, by which it asks for them, and ours. `$` stands for a number that it fills in. */
function codePhrases(): Readonly<Record<string, string>> {
  return {
    Find: say('code.find'),
    Replace: say('code.replace'),
    next: say('code.next'),
    previous: say('code.previous'),
    all: say('code.all'),
    'match case': say('code.case'),
    regexp: say('code.pattern'),
    'by word': say('code.word'),
    replace: say('code.replaceOne'),
    'replace all': say('code.replaceAll'),
    close: say('code.close'),
    'current match': say('code.match'),
    'on line': say('code.onLine'),
    'replaced match on line $': say('code.replacedOne', { line: '$' }),
    'replaced $ matches': say('code.replacedAll', { count: '$' }),
    'Go to line': say('code.goToLine'),
    go: say('code.go'),
    Completions: say('code.completions'),
    Diagnostics: say('editor.problems'),
    'No diagnostics': say('editor.problems.ok'),
    'Fold line': say('code.fold'),
    'Unfold line': say('code.unfold'),
    'folded code': say('code.folded'),
    unfold: say('code.unfold'),
    'Folded lines': say('code.foldedLines'),
    'Unfolded lines': say('code.unfoldedLines'),
    to: say('code.to'),
    'Selection deleted': say('code.deleted'),
    'Control character': say('code.control'),
  };
}
