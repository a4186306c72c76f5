/**
 * Widths of the editor's panes, and which of them are hidden. Pure; editor-layout.svelte.ts remembers
 * them.
 */
/** A pane that can be shown or hidden. The timeline lies below the preview, and is hidden with it. */
export type PaneName = 'left' | 'preview' | 'source' | 'timeline';

/** Widths in pixels. At least one of the three panes above the timeline is shown. */
export interface Panes {
  readonly left: number;
  readonly right: number;
  readonly hidden: Readonly<Record<PaneName, boolean>>;
}

/** At 1440 × 900 they leave 820 pixels to a wide picture. */
const usual = { left: 256, right: 300 };

/** The panes from the preferences: widths by side, names of hidden ones; defaults for what is missing. */
export function readPanes(
  widths: Readonly<Partial<Record<string, number>>>,
  names: readonly string[],
): Panes {
  const hidden = {
    left: names.includes('left'),
    preview: names.includes('preview'),
    source: names.includes('source'),
    timeline: names.includes('timeline'),
  };
  if (hidden.left && hidden.preview && hidden.source) hidden.preview = false;
  return { left: widths['left'] ?? usual.left, right: widths['right'] ?? usual.right, hidden };
}

/**
 * Which panes are shown. In a window without room for three, the source is a tab of the left pane, which is then hidden
 * only when both are.
 */
export function shownPanes({ hidden }: Panes, isWide: boolean): Record<PaneName, boolean> {
  const timeline = !hidden.timeline && !hidden.preview;
  if (isWide)
    return { left: !hidden.left, preview: !hidden.preview, source: !hidden.source, timeline };
  const left = !(hidden.left && hidden.source);
  return { left, preview: !hidden.preview, source: left, timeline };
}

/** Names of the hidden panes once one is shown or hidden. */
export function hiddenPanes(
  { hidden }: Panes,
  pane: PaneName,
  isShown: boolean,
  isWide: boolean,
): readonly PaneName[] {
  const panes: readonly PaneName[] = ['left', 'preview', 'source', 'timeline'];
  const isAlone = isWide || pane === 'preview' || pane === 'timeline';
  const together: readonly PaneName[] = isAlone ? [pane] : ['left', 'source'];
  return panes.filter((one) => (together.includes(one) ? !isShown : hidden[one]));
}
