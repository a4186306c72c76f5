/** The window's messages: toasts, recent messages, and announcements for screen readers. Window only. */

import { SvelteMap, SvelteSet } from 'svelte/reactivity';

/** A short message with at most one button. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'problem';
  /** When it was shown, ms since 1970. */
  readonly time: number;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** ID of the render that it is about; its entry among the recent messages leads there. */
  readonly render?: string;
  /** It shows how far that render is, and stays until it has ended. */
  readonly follows?: boolean;
}

/** What can keep toasts open. */
type Hold = 'pointer' | 'focus';

/** How many toasts are shown at once, and how many messages are remembered; older ones go first. */
const most = { shown: 3, remembered: 50 };
/** How long a toast stays, in ms: a button needs time to be reached. */
const stay = { plain: 6000, withButton: 10_000 };

/** Toasts and announcements of the whole window. */
export class Messages {
  toasts = $state.raw<readonly Toast[]>([]);
  /** Newest first. */
  recent = $state.raw<readonly Toast[]>([]);
  /** Read out politely as soon as it changes. */
  spoken = $state('');
  recentOpen = $state(false);
  /** Notices of this start that were read. */
  noticesRead = $state(0);
  /** The notice about a crash before this start was read. */
  recoveryRead = $state(false);

  #next = 1;
  readonly #timers = new SvelteMap<number, ReturnType<typeof setTimeout>>();
  /** What keeps toasts open, including new ones. */
  readonly #held = new SvelteSet<Hold>();

  /**
   * Shows a message at the bottom right for a few seconds. The same text again replaces the previous toast.
   * @returns its ID
   */
  show(text: string, extra: Partial<Omit<Toast, 'id' | 'text' | 'time'>> = {}): number {
    const toast: Toast = { id: this.#next++, text, tone: 'plain', time: Date.now(), ...extra };
    const { id, tone, time, render } = toast;
    // Toasts with a button are never the same, whatever their text: each is about something else.
    const again = this.toasts.find((one) => one.text === text && !one.action && !toast.action);
    if (again) this.dismiss(again.id);
    for (const old of this.toasts.slice(0, 1 - most.shown)) this.dismiss(old.id);
    this.toasts = [...this.toasts, toast];
    // Without its button: an undo is offered for a while only.
    const [last] = this.recent;
    const isSame = last?.text === text && last.tone === tone && last.render === render;
    const before = isSame ? this.recent.slice(1) : this.recent;
    const kept = { id, text, tone, time, ...(render !== undefined && { render }) };
    this.recent = [kept, ...before].slice(0, most.remembered);
    this.#start();
    return id;
  }

  /** Shows why something that a person asked for failed. */
  showProblem(reason: unknown): void {
    this.show(reason instanceof Error ? reason.message : String(reason), { tone: 'problem' });
  }

  dismiss(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
    // A toast that goes while it holds the pointer or the focus does not always send an event.
    if (this.toasts.length === 0) this.#held.clear();
  }

  /** Stops the clock of all toasts while one of them has the pointer or the focus. */
  pause(by: Hold): void {
    this.#held.add(by);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Ends one reason to stop the clock. */
  resume(by: Hold): void {
    this.#held.delete(by);
    this.#start();
  }

  /** Starts the stopped clocks of toasts. */
  #start(): void {
    if (this.#held.size > 0) return;
    for (const { id, action, follows = false } of this.toasts) {
      if (follows || this.#timers.has(id)) continue;
      const time = action ? stay.withButton : stay.plain;
      this.#timers.set(
        id,
        setTimeout(() => this.dismiss(id), time),
      );
    }
  }

  /** Announces a text to screen readers only. */
  speak(text: string): void {
    this.spoken = text;
  }
}
