/** Widths of the editor's panes, and which of them are hidden; remembered in this browser. */
import { parseJson } from '../../../shared/json.ts';
import { isJsonObject } from '../../../shared/renderscript/source.ts';
import type { PaneName } from './commands.ts';

/** Widths in pixels. Never are all three panes hidden. */
export interface Panes {
  left: number;
  right: number;
  hidden: Record<PaneName, boolean>;
}

const key = 'framewright.editor.panes';
const usual = { left: 288, right: 372 };

export function loadPanes(): Panes {
  const result = parseJson(localStorage.getItem(key) ?? '');
  const value = result.ok && isJsonObject(result.value) ? result.value : {};
  const width = (name: keyof typeof usual): number => {
    const found = value[name];
    return typeof found === 'number' && Number.isFinite(found) ? found : usual[name];
  };
  const kept = isJsonObject(value.hidden) ? value.hidden : {};
  const isHidden = (name: PaneName): boolean => kept[name] === true;
  const hidden = {
    left: isHidden('left'),
    preview: isHidden('preview'),
    source: isHidden('source'),
  };
  if (hidden.left && hidden.preview && hidden.source) hidden.preview = false;
  return { left: width('left'), right: width('right'), hidden };
}

export function savePanes(panes: Panes): void {
  try {
    localStorage.setItem(key, JSON.stringify(panes));
  } catch {
    // Full or switched off: the usual widths come back.
  }
}

/**
 * Which panes are seen. In a window without room for three, the source is a tab of the left pane, which is then hidden only
 * when both are.
 */
export function shownPanes({ hidden }: Panes, isWide: boolean): Record<PaneName, boolean> {
  if (isWide) return { left: !hidden.left, preview: !hidden.preview, source: !hidden.source };
  const left = !(hidden.left && hidden.source);
  return { left, preview: !hidden.preview, source: left };
}

/** Shows a pane, or hides it. */
export function setShown(panes: Panes, pane: PaneName, shown: boolean, isWide: boolean): void {
  panes.hidden[pane] = !shown;
  if (isWide || pane === 'preview') return;
  panes.hidden.left = !shown;
  panes.hidden.source = !shown;
}
