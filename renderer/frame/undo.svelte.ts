/** Everything that can be undone: Ctrl Z and the buttons of the messages use the same steps. Window only. */
import { say } from '../ui/say.ts';
import type { Messages } from './messages.svelte.ts';

/** Something that was done and can be undone. */
interface Step {
  readonly undo: () => void;
  /** The message that offers it. */
  readonly toast: number;
}

/** How many steps are remembered; older ones can no longer be undone. */
const most = 50;

/** Steps, the last one on top. */
export class UndoStack {
  readonly #messages: Messages;
  #steps: readonly Step[] = [];
  /** Work that will end with an offer; null: none. */
  #work: Promise<void> | null = null;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /**
   * Says what was done, with a button that undoes it.
   * @returns ends the offer and its message: to call when the step can no longer be undone or was undone otherwise
   */
  offer(text: string, undo: () => void): () => void {
    const toast = this.#messages.show(text, {
      action: { label: say('toast.undo'), run: () => this.#take(step) },
    });
    const step: Step = { undo, toast };
    this.#steps = [...this.#steps, step].slice(-most);
    return () => this.#drop(step);
  }

  /** Does something that ends with an offer. An undo meanwhile waits for it. */
  async offering(work: () => Promise<unknown>): Promise<void> {
    const own = Promise.all([this.#work, work()]).then(() => undefined);
    this.#work = own;
    await own;
    if (this.#work === own) this.#work = null;
  }

  /** Undoes the last step. @returns false when there is none. */
  undo(): boolean {
    if (this.#work) {
      // Failed work offers nothing, and the step before it is not meant.
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
