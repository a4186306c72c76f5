/** What the window says beside the page: toasts, the messages of before, and words for screen readers. Window only. */

import { SvelteMap, SvelteSet } from 'svelte/reactivity';

/** A short message with at most one button. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'problem';
  /** When it was shown, ms since 1970. */
  readonly time: number;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** What may keep toasts from going. */
type Hold = 'pointer' | 'focus';

/** Toasts shown at once, and messages remembered; older ones give way. */
const most = { shown: 3, remembered: 50 };
/** How long a toast stays, in ms: with a button there must be time to reach it. */
const stay = { plain: 6000, withButton: 10_000 };

/** Toasts and announcements of the whole window. */
export class Messages {
  toasts = $state.raw<readonly Toast[]>([]);
  /** Newest first. */
  recent = $state.raw<readonly Toast[]>([]);
  /** Read out politely as soon as it changes. */
  spoken = $state('');
  /** The messages of before are shown. */
  recentOpen = $state(false);
  /** Notices of this start that were read. */
  noticesRead = $state(0);
  /** The word about a crash before this start was read. */
  recoveryRead = $state(false);

  #next = 1;
  readonly #timers = new SvelteMap<number, ReturnType<typeof setTimeout>>();
  /** What keeps the toasts, those that come meanwhile too. */
  readonly #held = new SvelteSet<Hold>();

  /**
   * Shows a message at the bottom right for a few seconds. The same one again takes the place of the one before.
   * @returns its ID
   */
  show(text: string, extra: Partial<Pick<Toast, 'tone' | 'action'>> = {}): number {
    const toast: Toast = { id: this.#next++, text, tone: 'plain', time: Date.now(), ...extra };
    const { id, tone, time } = toast;
    // With a button each is about a thing of its own, whatever it says.
    const again = this.toasts.find((one) => one.text === text && !one.action && !toast.action);
    if (again) this.dismiss(again.id);
    for (const old of this.toasts.slice(0, 1 - most.shown)) this.dismiss(old.id);
    this.toasts = [...this.toasts, toast];
    // Without its button: an undo has its time, and later would promise what it can't do.
    const [last] = this.recent;
    const before = last?.text === text && last.tone === tone ? this.recent.slice(1) : this.recent;
    this.recent = [{ id, text, tone, time }, ...before].slice(0, most.remembered);
    this.#start();
    return id;
  }

  /** Shows what went wrong with something that a person asked for. */
  showProblem(reason: unknown): void {
    this.show(reason instanceof Error ? reason.message : String(reason), { tone: 'problem' });
  }

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
    // What goes with the pointer or the focus in it does not always say so.
    if (this.toasts.length === 0) this.#held.clear();
  }

  /** Stops the clock of all toasts, while one of them is pointed at or has the focus. */
  pause(by: Hold): void {
    this.#held.add(by);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Nothing of one kind stops the clock any more. */
  resume(by: Hold): void {
    this.#held.delete(by);
    this.#start();
  }

  /** Starts the clock of those toasts whose clock does not run. */
  #start(): void {
    if (this.#held.size > 0) return;
    for (const { id, action } of this.toasts) {
      if (this.#timers.has(id)) continue;
      const time = action ? stay.withButton : stay.plain;
      this.#timers.set(
        id,
        setTimeout(() => this.dismiss(id), time),
      );
    }
  }

  /** Tells a screen reader, without showing anything. */
  speak(text: string): void {
    this.spoken = text;
  }
}
