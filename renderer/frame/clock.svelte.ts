/** The time as the window shows it, and whether anyone sees it. Window only. */

/** Milliseconds between two updates. */
const pause = 20_000;

export class WindowClock {
  /** The time in ms, for "2 min ago"; updated while the window is visible. */
  now = $state(Date.now());
  /** The window is visible: neither behind another tab nor minimised. */
  seen = $state(!document.hidden);

  /** Starts following time and window. @param onTurned called when the window becomes visible or hidden */
  follow(signal: AbortSignal, onTurned: () => void): void {
    const look = (): void => {
      if (!document.hidden) this.now = Date.now();
    };
    const timer = setInterval(look, pause);
    signal.addEventListener('abort', () => clearInterval(timer));
    const turn = (): void => {
      this.seen = !document.hidden;
      look();
      onTurned();
    };
    document.addEventListener('visibilitychange', turn, { signal });
  }
}
