/**
 * The environment of programs that we start: none of the server's own variables, no secrets, no settings that change
 * what they do.
 */

/**
 * What any program needs to find programs and folders; without its own, Windows may refuse to start them or to open
 * sockets.
 */
const usual = ['PATH', 'TEMP', 'TMP', 'TMPDIR', 'SystemRoot', 'windir'];

/** This process's usual variables and the named ones, if set. */
export function environmentWith(...names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [...usual, ...names]) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
