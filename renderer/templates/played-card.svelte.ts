/** Which card of a list plays: the one on which the pointer or the focus rests. Window only. */

/** How long it has to rest there, in ms: passing over a card plays nothing. */
const pause = 350;

/** One card at a time, and none where a person wants reduced motion. */
export class PlayedCard {
  /** ID of what the playing card shows; null while none plays. */
  id = $state<string | null>(null);

  #rested: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Pointer or focus came to a card. */
  rest(id: string): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches || this.#rested === id) return;
    this.stop();
    this.#rested = id;
    this.#timer = setTimeout(() => (this.id = id), pause);
  }

  /** They left it. */
  leave(id: string): void {
    if (this.#rested === id) this.stop();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.id = this.#rested = null;
  }
}
