/** The first of many names, as part of a sentence. */
import { localeInUse, say } from './say.ts';

/** “One”, “Two”, “Three” and 5 more: as many as a question can hold. */
export function listedNames(names: readonly string[]): string {
  const most = 3;
  const rest = names.length - most;
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  if (rest > 0) shown.push(say('names.more', { count: rest }));
  return new Intl.ListFormat(localeInUse(), { style: 'short' }).format(shown);
}
