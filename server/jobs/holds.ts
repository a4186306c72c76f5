/**
 * Why renders wait although there is room for them. A reason is a row that says which of them it keeps; several may hold at
 * the same time, and a render runs when none of them keeps it.
 */
import type { HoldReason } from '../../shared/api.ts';
import type { Entry } from './waiting-line.ts';

/** Whether a reason keeps a render. */
const keeps: Readonly<Record<HoldReason, (entry: Entry) => boolean>> = {
  person: () => true,
  // Pictures are made without it.
  encoder: ({ needsEncoder }) => needsEncoder,
  battery: () => true,
  space: () => true,
  folder: () => true,
};

/** The reasons that hold now. */
export class Holds {
  readonly #reasons = new Set<HoldReason>();

  /** Sets or ends a reason. @returns true when that is a change. */
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

  /** All that hold, the oldest first. */
  get list(): readonly HoldReason[] {
    return [...this.#reasons];
  }
}
