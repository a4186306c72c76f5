/** The time as the window shows it, and whether anyone sees it. Window only. */

/** Milliseconds between two looks at the clock. */
const pause = 20_000;

export class WindowClock {
  /** The time in ms, for "2 min ago"; moves on while the window is seen. */
  now = $state(Date.now());
  /** The window is seen: neither behind another tab nor put away. */
  seen = $state(!document.hidden);

  /** Starts following time and window. @param onTurned told when the window comes into sight or goes out of it */
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
