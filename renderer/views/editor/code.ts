/**
 * The source pane's CodeMirror: language, keys, completion and hover from the property table, look. What is wrong comes from
 * check.ts. Colours are the window's own properties, so that both themes are one set of rules.
 */
import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { getLocation, parse as parseTolerant } from 'jsonc-parser';
import {
  keyCompletions,
  valueCompletions,
  type Completion,
} from '../../../shared/renderscript/completion.ts';
import { isJsonObject, type Source } from '../../../shared/renderscript/source.ts';
import { say } from '../../lib/say.ts';
import { largeSource } from './limits.ts';
import type { EditorProblem } from './check.ts';
import { pathAt, setValue, treeOf, type TextChange } from './json-text.ts';

/** All of it; `onState` is called with every new state of a view. */
export function codeExtensions(
  onState: (state: EditorState, docChanged: boolean) => void,
): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    autocompletion({ override: [complete], icons: false }),
    hoverTooltip(explain),
    json(),
    syntaxHighlighting(colors),
    look,
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorView.contentAttributes.of({ 'aria-label': say('editor.source'), tabindex: '0' }),
    keymap.of([
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...searchKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
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
    ...{ from, to, message: text },
    severity: severity === 'hint' ? 'info' : severity,
    ...(fix && { actions: [{ name: fix.label, apply: () => apply(fix.changes) }] }),
  }));
}

// ---- completion ------------------------------------------------------------------------------------------------------

function tolerantSource(text: string): Source {
  const value: unknown = parseTolerant(text, [], { allowTrailingComma: true });
  return isJsonObject(value) ? value : {};
}

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const { length } = state.doc;
  if (length > largeSource && !explicit) return null;
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
    return { from, to, options, filter: true };
  }
  const isString = inside && text.startsWith('"', from);
  if (!explicit && !isString) return null;
  const names = path.at(-1) === 'transcript_source' ? namesIn(source) : [];
  const options = [...valueCompletions(source, path), ...names].map(shown);
  return options.length === 0 ? null : { from, to, options, filter: true };
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

/** What a property is, when its key or value is pointed at. */
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

/** The document without one property. */
function withoutKey(source: Source, path: readonly (string | number)[]): Source {
  const text = JSON.stringify(source);
  return tolerantSource(
    setValue(text, path, undefined).reduceRight(
      (kept, { from, to, insert }) => kept.slice(0, from) + insert + kept.slice(to),
      text,
    ),
  );
}

// ---- look ------------------------------------------------------------------------------------------------------------

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--success)' },
  { tag: tags.number, color: 'var(--warning)' },
  { tag: [tags.bool, tags.null], color: 'var(--info)' },
  { tag: tags.punctuation, color: 'var(--text-soft)' },
  { tag: tags.invalid, color: 'var(--danger)' },
]);

const float = {
  border: '1px solid var(--border)',
  borderRadius: 'var(--radius)',
  background: 'var(--surface-raised)',
  color: 'var(--text)',
  boxShadow: 'var(--shadow-float)',
};

const look = EditorView.theme({
  '&': { height: '100%', background: 'var(--surface)', color: 'var(--text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', paddingBlock: '8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--text-soft)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', paddingInline: '4px 8px' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 2px' },
  '.cm-lint-marker': {
    width: '11px',
    height: '11px',
    borderRadius: '50%',
    marginTop: '4px',
    content: 'none',
  },
  '.cm-lint-marker-error': { background: 'var(--danger)' },
  '.cm-lint-marker-warning': { background: 'var(--warning)', borderRadius: '2px' },
  '.cm-lint-marker-info': { background: 'var(--info)' },
  '.cm-lintRange': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': { textDecorationColor: 'var(--danger)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warning)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--info)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    {
      background: 'var(--accent-soft)',
    },
  '.cm-selectionMatch': { background: 'var(--accent-soft)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', color: 'inherit' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--danger-soft)' },
  '.cm-foldPlaceholder': {
    ...{ background: 'var(--neutral-soft)', color: 'var(--text)', border: 'none' },
    ...{ borderRadius: '4px', padding: '0 6px' },
  },
  '.cm-tooltip': { ...float, maxWidth: '380px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-code)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', color: 'var(--text)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    ...{ background: 'var(--accent-soft)', color: 'var(--text)' },
  },
  '.cm-completionMatchedText': {
    textDecoration: 'none',
    fontWeight: '700',
    color: 'var(--accent)',
  },
  '.cm-completionDetail': { color: 'var(--text-soft)', fontStyle: 'normal', marginLeft: '12px' },
  '.cm-completionInfo': { ...float, padding: '8px 12px', font: '12.5px/1.45 var(--font)' },
  '.cm-explain': { padding: '8px 12px', font: '12.5px/1.45 var(--font)' },
  '.cm-explain strong': { display: 'block', fontFamily: 'var(--font-code)' },
  '.cm-explain code': {
    display: 'block',
    color: 'var(--text-soft)',
    fontFamily: 'var(--font-code)',
  },
  '.cm-explain p': { margin: '4px 0 0' },
  '.cm-diagnostic': {
    padding: '8px 12px',
    font: '12.5px/1.45 var(--font)',
    borderLeftWidth: '3px',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--info)' },
  '.cm-diagnosticAction': {
    ...{ background: 'var(--accent)', color: 'var(--on-accent)', borderRadius: '5px' },
    ...{ padding: '3px 9px', font: 'inherit' },
  },
  '.cm-panels': { background: 'var(--surface-raised)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panel.cm-search': { padding: '8px 30px 8px 10px', font: '12.5px/1.4 var(--font)' },
  '.cm-panel.cm-search label': { fontSize: '12px', color: 'var(--text)', whiteSpace: 'nowrap' },
  '.cm-textfield': {
    ...{
      background: 'var(--surface)',
      color: 'var(--text)',
      border: '1px solid var(--border-control)',
    },
    ...{
      borderRadius: '5px',
      padding: '3px 7px',
      font: '12px var(--font-code)',
      minHeight: '26px',
    },
  },
  '.cm-button': {
    ...{ background: 'var(--surface)', backgroundImage: 'none', color: 'var(--text)' },
    ...{ border: '1px solid var(--border-control)', borderRadius: '5px', padding: '3px 9px' },
    ...{ minHeight: '26px', fontSize: '12px' },
  },
  '.cm-panel.cm-search .cm-textfield': { boxSizing: 'border-box', width: '118px', height: '28px' },
  '.cm-panel.cm-search input[type=checkbox]': {
    ...{ width: '16px', height: '16px', margin: '4px', verticalAlign: '-4px' },
  },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--text)',
    fontSize: '18px',
    width: '26px',
    height: '26px',
  },
  '.cm-searchMatch': { background: 'var(--warning-soft)' },
  '.cm-searchMatch-selected': { background: 'var(--accent-soft)' },
});
