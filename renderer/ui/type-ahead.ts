/** Letters that are typed in a list and go to the next thing whose name begins with them. */

/** Between two letters of a name that is typed, in ms. */
const typingPause = 700;

export class TypeAhead {
  #typed = '';
  #typedAt = 0;

  /**
   * Takes a letter; other keys are passed over.
   *
   * @param find Goes to the thing whose name begins with what was typed, in small letters. @returns false when there is
   * none.
   * @returns true when there was one.
   */
  take(event: KeyboardEvent, find: (words: string) => boolean): boolean {
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isLetter) return false;
    const isNew = event.timeStamp - this.#typedAt > typingPause;
    this.#typed = isNew ? event.key : this.#typed + event.key;
    this.#typedAt = event.timeStamp;
    return find(this.#typed.toLowerCase());
  }
}
