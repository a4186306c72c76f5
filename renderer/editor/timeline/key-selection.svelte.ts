/** The keyframes that are chosen on the timeline: several moments of one clip. Window only. */
import type { Clips } from './clips.ts';
import { isSameMoment, momentsAt } from './keys.ts';

/** Keyframes of a clip: at which moments of its clock, in seconds. */
export interface ChosenKeys {
  readonly path: string;
  readonly at: readonly number[];
}

/** What it is about; a `TimelineState` with its editor is one. */
interface Chosen {
  readonly selected: string;
  readonly clips: Clips | null;
}

export class KeySelection {
  readonly #of: Chosen;
  #pressed = $state.raw<ChosenKeys | null>(null);
  /** Those that were pressed, while their clip is selected; null for none. */
  readonly chosen = $derived.by((): ChosenKeys | null => {
    const { path, at } = this.#pressed ?? { path: '', at: [] };
    const clip = this.#of.selected === path ? this.#of.clips?.byPath.get(path) : undefined;
    // Another change may have taken them away.
    const left = clip ? momentsAt(clip, at).map((moment) => moment.at) : [];
    return left.length > 0 ? { path, at: left } : null;
  });

  constructor(of: Chosen) {
    this.#of = of;
  }

  choose(keys: ChosenKeys | null): void {
    this.#pressed = keys;
  }

  has(path: string, at: number): boolean {
    return this.chosen?.path === path && this.chosen.at.some((one) => isSameMoment(one, at));
  }

  /** Adds the keyframes of a moment to those that are chosen, or takes them away from those. */
  toggle(path: string, at: number): void {
    const before = this.chosen?.path === path ? this.chosen.at : [];
    const others = before.filter((one) => !isSameMoment(one, at));
    const left = others.length < before.length ? others : [...before, at];
    this.choose(left.length > 0 ? { path, at: left } : null);
  }
}
