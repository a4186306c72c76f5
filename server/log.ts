/**
 * The log as the server sees it: lines with a level and a place. Where they go (terminal, file) is for whoever starts the
 * server to say. Never in a line: keys, tokens, Authorization headers, passwords in addresses.
 */

/** How bad it is. */
type LogLevel = 'info' | 'warning' | 'error';

/** Writes one line; `place` is the part of the server that speaks, e.g. `queue`. */
export type Log = (level: LogLevel, place: string, text: string) => void;

/** A log in a terminal: time, level, place, text. */
export function terminalLog(out: NodeJS.WritableStream): Log {
  return (level, place, text) => {
    out.write(`${new Date().toISOString()} ${level.padEnd(7)} ${place}: ${text}\n`);
  };
}

/** What a line says about something that was thrown: stack and cause for bugs, as far as known. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
