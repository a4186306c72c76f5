/** What to do about a failed render, in plain words, by how its message begins. Pure. */
import { say } from './say.ts';

const table = [
  [/^Source error: .*\.source: The server answered 404/, 'hint.notFound'],
  [/^Source error: .*\.source: This address is not allowed/, 'hint.notAllowed'],
  [/^Source error: .*\.source: Files outside the media folders/, 'hint.outside'],
  [/^Source error: .*\.source: No data for 30 seconds/, 'hint.silent'],
  [/^Source error: .*\.source: /, 'hint.file'],
  [/^Source error: /, 'hint.value'],
  [/^Render error: The disk is full/, 'hint.disk'],
  [/^Render error: The renderer stopped unexpectedly/, 'hint.stopped'],
  [/^Render error: The encoder stopped/, 'hint.encoder'],
] as const;

/**
 * The hint for a message of a failed render; null where the message says it all.
 *
 * @param element Name of the element that made it fail.
 */
export function hintFor(message: string, element: string): string | null {
  const key = table.find(([begin]) => begin.test(message))?.[1];
  if (key === undefined) return null;
  switch (key) {
    case 'hint.notFound':
    case 'hint.value':
      return say(key, { element });
    default:
      return say(key);
  }
}
