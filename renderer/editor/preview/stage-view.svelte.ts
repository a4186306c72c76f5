/**
 * How the preview's picture is shown: zoom, guides, background, full screen, comparison with another moment. Window
 * only.
 */
import { safeAreaNames, type SafeAreaName } from '../../../shared/safe-areas.ts';
import type { Preferences } from '../../frame/preferences.svelte.ts';

/** Screen pixels per pixel of the document, or as large as fits. */
export type Zoom = 'fit' | number;
/** What shows where the picture is transparent. */
export const grounds = ['black', 'white', 'checks'] as const;
export type Ground = (typeof grounds)[number];
/** How two moments are compared. */
export const comparisons = ['wipe', 'side', 'difference'] as const;
export type Comparison = (typeof comparisons)[number];

/** A moment that was kept to compare others with. */
export interface PinnedMoment {
  /** Of the picture; valid as long as the moment is pinned. */
  readonly url: string;
  readonly time: number;
}

/** Each step of the zoom. */
const zooms = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8] as const;
const bounds = { least: 0.05, most: 8 };

/** Names under which choices are remembered. */
const remembered = { guide: 'previewGuide', ground: 'previewGround' };

export class StageView {
  readonly #preferences: Preferences;

  zoom = $state<Zoom>('fit');
  /** The scale that `fit` results in; set by the stage. */
  fitted = 1;
  /** The preview covers the window, and the screen where it may. */
  full = $state(false);
  pinned = $state.raw<PinnedMoment | null>(null);
  comparison = $state<Comparison>('wipe');
  /** Share of the width in which the pinned moment shows. */
  share = $state(0.5);
  /** Space is down: what is dragged is the place of the picture. `used`: something was. */
  hand = $state<'off' | 'down' | 'used'>('off');
  #onTap: (() => void) | null = null;
  /** Captures the visible picture; set by the stage while there is one. */
  capture: (() => Promise<Blob>) | null = null;

  readonly guide = $derived.by((): SafeAreaName | null => {
    const name = this.#preferences.text(remembered.guide);
    return safeAreaNames.find((one) => one === name) ?? null;
  });
  readonly ground = $derived.by((): Ground => {
    const name = this.#preferences.text(remembered.ground);
    return grounds.find((one) => one === name) ?? 'black';
  });

  constructor(preferences: Preferences) {
    this.#preferences = preferences;
  }

  /**
   * Space went down.
   *
   * @param ontap What it does if it comes up and nothing was dragged meanwhile.
   */
  holdHand({ repeat }: KeyboardEvent, ontap: () => void): void {
    if (repeat) return;
    this.hand = 'down';
    this.#onTap = ontap;
  }

  releaseHand(): void {
    const ontap = this.hand === 'down' ? this.#onTap : null;
    this.dropHand();
    ontap?.();
  }

  /** It may come up where nobody sees it. */
  dropHand(): void {
    this.hand = 'off';
    this.#onTap = null;
  }

  showGuide(name: SafeAreaName | null): void {
    this.#preferences.set(remembered.guide, name ?? '');
  }

  chooseGround(ground: Ground): void {
    this.#preferences.set(remembered.ground, ground);
  }

  /** Switches to the next suitable guide, then to none. */
  nextGuide(suiting: readonly SafeAreaName[]): void {
    const at = this.guide === null ? -1 : suiting.indexOf(this.guide);
    this.showGuide(this.guide !== null && at < 0 ? null : (suiting[at + 1] ?? null));
  }

  get scale(): number {
    return this.zoom === 'fit' ? this.fitted : this.zoom;
  }

  /** The next step in a direction. */
  stepZoom(direction: 1 | -1): void {
    const { scale } = this;
    const next =
      direction > 0
        ? zooms.find((one) => one > scale * 1.01)
        : zooms.findLast((one) => one < scale / 1.01);
    if (next !== undefined) this.zoom = next;
  }

  zoomBy(factor: number): void {
    this.zoom = Math.min(bounds.most, Math.max(bounds.least, this.scale * factor));
  }

  /** Covers the window, or the screen where the system allows that; again: leaves it. */
  async toggleFull(): Promise<void> {
    this.full = !this.full;
    try {
      if (this.full) await document.documentElement.requestFullscreen();
      else if (document.fullscreenElement) await document.exitFullscreen();
    } catch {
      // Not allowed here: covering the window will do.
    }
  }

  /** Keeps the visible picture for comparison, if there is one. */
  async pin(time: number): Promise<void> {
    const picture = await this.capture?.();
    if (!picture) return;
    this.unpin();
    this.pinned = { url: URL.createObjectURL(picture), time };
    this.share = 0.5;
  }

  unpin(): void {
    if (this.pinned) URL.revokeObjectURL(this.pinned.url);
    this.pinned = null;
  }

  /** The editor is closed. */
  close(): void {
    this.unpin();
    if (this.full) void this.toggleFull();
  }
}
