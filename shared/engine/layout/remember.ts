/** How layout keeps unchanged objects: pure functions that cache their last result. */

/**
 * Wraps a function so that successive calls with equal arguments (compared with ===) return the identical object. Only
 * the last result is kept, so memory does not grow with the length of the document.
 */
export function remember<Q extends readonly unknown[], A>(
  answer: (...question: Q) => A,
): (...question: Q) => A {
  let last: { readonly question: Q; readonly answer: A } | null = null;
  return (...question) => {
    if (!last || !sameItems(last.question, question))
      last = { question, answer: answer(...question) };
    return last.answer;
  };
}

/** Returns the first list for as long as later lists have the same items. */
export function keepList<T>(): (list: readonly T[]) => readonly T[] {
  let kept: readonly T[] = [];
  return (list) => {
    if (!sameItems(kept, list)) kept = list;
    return kept;
  };
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
}
