/** How layout keeps what did not change: pure functions that remember their last answer. */

/**
 * The function, answering equal questions in succession (compared argument by argument with ===) with the identical
 * object. Only the last answer is kept, so memory does not grow with the length of the document.
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

/** Hands on the list that it was given first for as long as the lists that follow hold the same items. */
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
