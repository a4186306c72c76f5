/** When a program of the command line is told to end: by Ctrl+C, by the system, or because a terminal or a parent is gone. */

/** Calls the listener at the first of the signals that ask for an orderly end. */
export function onEndSignal(listener: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => listener());
  }
}

/** Resolves when this process is asked to end, or when the parent that listens to it is gone. */
export function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    onEndSignal(resolve);
    if (process.connected) process.once('disconnect', () => resolve());
  });
}
