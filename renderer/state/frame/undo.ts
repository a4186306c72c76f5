/** What can be taken back, whatever it was: Ctrl Z and the buttons of the messages lead to the same steps. Window only. */
import { say } from '../../lib/say.ts';
import type { Messages } from './messages.svelte.ts';

/** Something that was done and can be taken back. */
interface Step {
  readonly undo: () => void;
  /** The message that offers it. */
  readonly toast: number;
}

/** Steps that are remembered; older ones can't be taken back any more. */
const most = 50;

/** Steps, the last one on top. */
export class UndoStack {
  readonly #messages: Messages;
  #steps: readonly Step[] = [];
  /** Work that ends with an offer; null: none is under way. */
  #work: Promise<void> | null = null;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /**
   * Tells what was done, with a button that takes it back.
   * @returns what ends the offer, when the step can't be taken back any more or was in another way; its message goes too
   */
  offer(text: string, undo: () => void): () => void {
    const toast = this.#messages.show(text, {
      action: { label: say('toast.undo'), run: () => this.#take(step) },
    });
    const step: Step = { undo, toast };
    this.#steps = [...this.#steps, step].slice(-most);
    return () => this.#drop(step);
  }

  /** Does something that ends with an offer. To take back what is only being done waits for that. */
  async offering(work: () => Promise<unknown>): Promise<void> {
    const own = Promise.all([this.#work, work()]).then(() => undefined);
    this.#work = own;
    await own;
    if (this.#work === own) this.#work = null;
  }

  /** Takes back the last step. @returns false when there is none. */
  undo(): boolean {
    if (this.#work) {
      // What failed offers nothing, and what was done before is not meant.
      const before = this.#steps.at(-1);
      void this.#work.then(() => this.#steps.at(-1) !== before && this.undo());
      return true;
    }
    const last = this.#steps.at(-1);
    if (last) this.#take(last);
    return last !== undefined;
  }

  #take(step: Step): void {
    if (!this.#steps.includes(step)) return;
    this.#drop(step);
    step.undo();
  }

  #drop(step: Step): void {
    if (!this.#steps.includes(step)) return;
    this.#steps = this.#steps.filter((one) => one !== step);
    this.#messages.dismiss(step.toast);
  }
}
