/**
 * When a program of the command line is told to end: by Ctrl+C, by the system, or because a terminal or a parent is
 * gone.
 */

/**
 * One Ctrl+C may arrive several times: the terminal sends it to every program in it, and `npm` and main/launch.mjs pass
 * it on. Signals within this time, in ms, count as one; a later one is from a user who doesn't want to wait, and ends
 * the process at once.
 */
const sameSignal = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls the listener once, at the first of the signals that ask for an orderly end. */
export function onEndSignal(listener: (signal: NodeJS.Signals) => void): void {
  let isTold = false;
  const hear = (signal: NodeJS.Signals): void => {
    if (isTold) return;
    isTold = true;
    setTimeout(() => {
      for (const signal of signals) process.off(signal, hear);
    }, sameSignal).unref();
    listener(signal);
  };
  for (const signal of signals) process.on(signal, hear);
}

/**
 * Ends this process by the signal that it was told to end by, so that shells and scripts stop as well: 130 for Ctrl+C.
 */
export function endBy(signal: NodeJS.Signals): void {
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
}

/** Resolves when this process is asked to end, or when the parent that listens to it is gone. */
export function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    onEndSignal(() => resolve());
    if (process.connected) process.once('disconnect', () => resolve());
  });
}
