/**
 * Why renders wait although a slot is free. Each reason is a row that says which renders it holds; several may apply at
 * once, and a render runs when none holds it.
 */
import type { HoldReason } from '../../shared/api.ts';
import type { Entry } from './waiting-line.ts';

/** Whether a reason holds a render. */
const keeps: Readonly<Record<HoldReason, (entry: Entry) => boolean>> = {
  person: () => true,
  // Pictures don't need it.
  encoder: ({ needsEncoder }) => needsEncoder,
  battery: () => true,
  space: () => true,
  folder: () => true,
};

/** The reasons that apply now. */
export class Holds {
  readonly #reasons = new Set<HoldReason>();

  /** Sets or ends a reason. @returns true if that changed anything. */
  set(reason: HoldReason, holds: boolean): boolean {
    if (this.#reasons.has(reason) === holds) return false;
    if (holds) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    return true;
  }

  has(reason: HoldReason): boolean {
    return this.#reasons.has(reason);
  }

  /** True for a render that must wait. */
  keep(entry: Entry): boolean {
    for (const reason of this.#reasons) if (keeps[reason](entry)) return true;
    return false;
  }

  /** All that apply, oldest first. */
  get list(): readonly HoldReason[] {
    return [...this.#reasons];
  }
}
