/** The environment of the programs that we start: nothing of the server's own, no secrets, no settings that change what they do. */

/** What any program needs to find programs and folders; Windows refuses to start some, or to open sockets, without its own. */
const usual = ['PATH', 'TEMP', 'TMP', 'TMPDIR', 'SystemRoot', 'windir'];

/** The usual variables of this process and the ones named, as far as they are set. */
export function environmentWith(...names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [...usual, ...names]) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
