/** Files of the media library as completions of an element's source: offered by name, written as `media:ID`. */
import type { Completion } from '@codemirror/autocomplete';
import type { WindowMedia } from '../../../shared/api.ts';
import { fileSize } from '../../lib/format.ts';
import { say } from '../../lib/say.ts';
import { loadMedia } from './requests.ts';

/** The list is asked for anew after so many ms, not at every key. */
const freshFor = 5000;
let known: readonly WindowMedia[] = [];
let knownAt = -Infinity;

/** Those that fit an element of this type; all for other types, none when the library can't be read. */
export async function mediaCompletions(type: string): Promise<readonly Completion[]> {
  if (performance.now() - knownAt > freshFor) {
    try {
      known = await loadMedia();
      knownAt = performance.now();
    } catch {
      // What was known is still of use.
    }
  }
  const fitting = known.some(({ kind }) => kind === type)
    ? known.filter(({ kind }) => kind === type)
    : known;
  return fitting.map(({ name, source, kind, bytes }) => ({
    label: JSON.stringify(name),
    displayLabel: name,
    detail: say(`media.kind.${kind}`),
    info: `${source} · ${fileSize(bytes)}`,
    apply: JSON.stringify(source),
  }));
}
