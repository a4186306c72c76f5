/** Files of this computer, by the text of their paths. Pure: the server decides for good when it reads the file. */

/** Whether a file lies in a folder: `liesIn('/media/a/b.png', '/media')`. */
export function liesIn(path: string, folder: string): boolean {
  const next = path.slice(folder.length);
  return path.startsWith(folder) && (/[\\/]$/.test(folder) || /^[\\/]/.test(next));
}
