/**
 * How the source pane's CodeMirror looks. Colours are the window's own properties, so that both themes are one set of
 * rules.
 */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

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

/** A button of one sign; its words stay for those who hear them. */
const arrow = (sign: string): Record<string, string | Record<string, string>> => ({
  width: '28px',
  padding: '0',
  fontSize: '0',
  '&::after': { content: `"${sign}" / ""`, fontSize: '15px' },
});

const sheet = EditorView.theme({
  '&': { height: '100%', background: 'var(--surface)', color: 'var(--text)', fontSize: '12.5px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', paddingBlock: '8px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)', borderLeftWidth: '2px' },
  '.cm-gutters': { background: 'var(--surface)', color: 'var(--text-soft)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', paddingInline: '4px 8px' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 2px' },
  // Told apart by their shapes, too: as in the list of problems.
  '.cm-lint-marker': { width: '14px', height: '14px', marginTop: '3px', content: 'none' },
  '.cm-lint-marker::before': {
    display: 'block',
    color: 'var(--surface)',
    content: '"!"',
    font: '700 10px/14px var(--font)',
    textAlign: 'center',
  },
  '.cm-lint-marker-error': { background: 'var(--danger)', borderRadius: '50%' },
  '.cm-lint-marker-warning': {
    background: 'var(--warning)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-warning::before': { lineHeight: '17px' },
  '.cm-lint-marker-info': { background: 'var(--info)', borderRadius: '3px' },
  '.cm-lint-marker-info::before': { content: '"i"' },
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
    background: 'var(--neutral-soft)',
    color: 'var(--text)',
    border: 'none',
    borderRadius: '4px',
    padding: '0 6px',
  },
  '.cm-tooltip': { ...float, maxWidth: '380px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-code)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px', color: 'var(--text)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--text)',
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
    background: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: '5px',
    padding: '3px 9px',
    font: 'inherit',
  },
  '.cm-panels': { background: 'var(--surface-raised)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  // In rows: what is looked for with its arrows, how, what takes its place, and where.
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 38px 8px 10px',
    font: '12.5px/1.4 var(--font)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '5px',
    marginRight: '4px',
    fontSize: '12px',
    color: 'var(--text)',
    whiteSpace: 'nowrap',
  },
  '.cm-textfield': {
    background: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--border-control)',
    borderRadius: '5px',
    padding: '3px 7px',
    font: '12px var(--font-code)',
    minHeight: '26px',
  },
  '.cm-button': {
    background: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--text)',
    border: '1px solid var(--border-control)',
    borderRadius: '5px',
    padding: '3px 9px',
    minHeight: '26px',
    fontSize: '12px',
  },
  '.cm-panel.cm-search .cm-textfield': {
    boxSizing: 'border-box',
    flex: '1 1 100%',
    minWidth: '0',
    height: '28px',
    margin: '0',
  },
  '.cm-panel.cm-search .cm-textfield[name=search]': { flexBasis: 'calc(100% - 68px)' },
  '.cm-panel.cm-search .cm-button': { minHeight: '28px', margin: '0' },
  // Their words stay for those who hear them.
  '.cm-panel.cm-search [name=next]': arrow('↓'),
  '.cm-panel.cm-search [name=prev]': arrow('↑'),
  '.cm-panel.cm-search input[type=checkbox]': { width: '16px', height: '16px', margin: '0' },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '6px',
    color: 'var(--text)',
    fontSize: '18px',
    width: '28px',
    height: '28px',
  },
  '.cm-searchMatch': { background: 'var(--warning-soft)' },
  '.cm-searchMatch-selected': { background: 'var(--accent-soft)' },
});

export const look: Extension = [syntaxHighlighting(colors), sheet];
