/**
 * What the system sees of the work: progress in the taskbar, Dock or title, and a computer that stays awake while
 * rendering. Main process.
 */
import { powerSaveBlocker, type BrowserWindow } from 'electron';
import { percent, say } from './say.ts';
import { programName } from './paths.ts';
import type { WorkState } from './work.ts';

/** How the bar of the taskbar looks. */
export interface Bar {
  /** 0–1; -1: no bar. */
  readonly value: number;
  readonly mode: 'none' | 'normal' | 'paused' | 'error';
}

/** @param hasFailed The last render failed, and the window has not been seen since. */
export function barOf(
  { fraction, paused, held, running }: WorkState,
  hasFailed: boolean,
  platform: NodeJS.Platform,
): Bar {
  // Only Windows has a red one; a full bar in the normal colour would mean success.
  const full = platform === 'win32' ? 1 : -1;
  if (hasFailed) return { value: fraction ?? full, mode: 'error' };
  if (fraction === null) return { value: -1, mode: 'none' };
  return { value: fraction, mode: (paused || held) && running === 0 ? 'paused' : 'normal' };
}

/** The title of the window: preceded by the progress if the taskbar may not show it. */
export function titleOf({ fraction }: WorkState, platform: NodeJS.Platform): string {
  // Linux: some docks have a bar, and there is no way to tell which.
  const hasBar = platform === 'win32' || platform === 'darwin';
  return hasBar || fraction === null
    ? programName
    : say('taskbar.title', { percent: percent(fraction), title: programName });
}

/** True while something renders, including the moment between two renders. */
export function isWorking({ running, waiting, paused, held, off }: WorkState): boolean {
  return running > 0 || (waiting > 0 && !paused && !held && !off);
}

/** Shows the work on a window; unchanged values are not set again. */
export function createTaskbar(): (
  window: BrowserWindow | null,
  state: WorkState,
  failed: boolean,
) => void {
  let shown = '';
  return (window, state, hasFailed) => {
    if (!window || window.isDestroyed()) {
      shown = '';
      return;
    }
    const bar = barOf(state, hasFailed, process.platform);
    const value = bar.value < 0 ? -1 : Math.floor(bar.value * 100) / 100;
    const title = titleOf(state, process.platform);
    // Windows forgets the bar of a window that has no button yet: it is set again when the window is shown.
    const next = `${window.id} ${window.isVisible()} ${value} ${bar.mode} ${title}`;
    if (next === shown) return;
    shown = next;
    window.setProgressBar(value, { mode: bar.mode });
    window.setTitle(title);
  };
}

/** Keeps the computer awake while told to; the screen may turn off. */
export function createAwakeness(): { keep(isAwake: boolean): void } {
  let blocker: number | null = null;
  return {
    keep(isAwake) {
      if (isAwake && blocker === null) {
        blocker = powerSaveBlocker.start('prevent-app-suspension');
      } else if (!isAwake && blocker !== null) {
        powerSaveBlocker.stop(blocker);
        blocker = null;
      }
    },
  };
}
