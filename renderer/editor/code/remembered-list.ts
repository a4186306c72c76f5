/** Lists of the server that completion offers: asked for anew after a while, not at every key. */

/**
 * A list that is remembered.
 *
 * @param load Asks the server. When it fails, what was known is still of use.
 * @param freshFor Milliseconds that an answer is good for.
 * @param none Stands for it until there is an answer.
 */
export function remembered<T>(load: () => Promise<T>, freshFor: number, none: T): () => Promise<T> {
  let known = none;
  let knownAt = -Infinity;
  return async () => {
    if (performance.now() - knownAt > freshFor) {
      try {
        known = await load();
        knownAt = performance.now();
      } catch {
        // Asked for again with the next key.
      }
    }
    return known;
  };
}
