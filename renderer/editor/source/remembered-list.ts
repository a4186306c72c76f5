/** The server's lists for completion: reloaded after a while, not at every key press. */

/** A list of the server. */
export interface RememberedList<T> {
  /** The list; asks the server if it is not fresh. */
  load(): Promise<T>;
  /** It has changed: the next `load` asks again. */
  forget(): void;
}

/**
 * Remembers a list.
 *
 * @param load Asks the server. When it fails, the last answer is used.
 * @param freshFor Milliseconds for which an answer is valid.
 * @param none Used until there is an answer.
 */
export function remembered<T>(
  load: () => Promise<T>,
  freshFor: number,
  none: T,
): RememberedList<T> {
  let known = none;
  let knownAt = -Infinity;
  return {
    async load() {
      if (performance.now() - knownAt > freshFor) {
        try {
          known = await load();
          knownAt = performance.now();
        } catch {
          // Tried again at the next key press.
        }
      }
      return known;
    },
    forget() {
      knownAt = -Infinity;
    },
  };
}
