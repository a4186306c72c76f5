/** What a menu is made of; see Menu.svelte. */
import type { IconName } from './icons.ts';

/** One line of a menu. `line` draws a rule above it, `heading` a word. */
export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: IconName;
  /** Why it can't be chosen; it stays to be seen. */
  readonly reason?: string | undefined;
  /** It can't be chosen, for a reason that is plain to see. */
  readonly disabled?: boolean;
  /** It is one of several that can be ticked. */
  readonly checked?: boolean;
  /** It is one of several of which one is in force: true for that one. Such lines stand together. */
  readonly chosen?: boolean;
  /** The menu stays, because it is often chosen more than once. */
  readonly stays?: boolean;
  readonly line?: boolean;
  readonly heading?: string;
  readonly danger?: boolean;
  readonly keys?: string;
}

/** A place in the window, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}
