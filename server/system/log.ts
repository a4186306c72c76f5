/**
 * The server's log: lines with a level and a place. Whoever starts the server decides where they go (terminal, file).
 * Lines never contain keys, tokens, Authorization headers, or passwords in addresses.
 */

/** How bad it is. */
type LogLevel = 'info' | 'warning' | 'error';

/** Writes one line; `place` is the part of the server that writes it, e.g. `queue`. */
export type Log = (level: LogLevel, place: string, text: string) => void;

/** Most characters of a line's text: it may name what came from outside, which has no bound. */
const longestText = 10_000;

/** A line's text, without the middle of a huge one. */
export function boundedText(text: string): string {
  if (text.length <= longestText) return text;
  const half = longestText / 2;
  return `${text.slice(0, half)} […${text.length - 2 * half} characters…] ${text.slice(-half)}`;
}

/** A log in a terminal: time, level, place, text. */
export function terminalLog(out: NodeJS.WritableStream): Log {
  return (level, place, text) => {
    out.write(`${new Date().toISOString()} ${level.padEnd(7)} ${place}: ${boundedText(text)}\n`);
  };
}

/** How a line describes something thrown: with stack and cause, as far as known. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeError(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
