/**
 * Credits: what renders would cost with the hosted service. Unlimited unless the settings have an allowance, which
 * bounds the total of the last 30 days' renders (all that are kept). The total comes from the stored renders, so no
 * crash can lose or double it.
 */
import { ApiError } from '../../shared/errors.ts';
import { isSound, isStill, type OutputFormat } from '../../shared/renderscript/formats.ts';
import { outputSize, type Scaling } from '../../shared/renderscript/output.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { parseAmount } from '../../shared/renderscript/units.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { RenderStore } from '../store/renders.ts';
import type { SettingStore } from '../store/settings.ts';
import type { RenderFacts } from './worker/render-protocol.ts';

/** Pixels of a video that cost one credit. */
const pixelsPerCredit = 100_000_000;
/** Credits for one minute of a video whose texts follow speech, if that is more. */
const subtitleMinute = 10;
/** Frames per second of a video that sets none. */
const usualFrameRate = 60;

/** What the price of a finished file depends on. */
export interface Priced {
  readonly outputFormat: OutputFormat;
  readonly width: number;
  readonly height: number;
  readonly frameRate?: number | undefined;
  /** Seconds. */
  readonly duration?: number | undefined;
  /** Whether a text follows speech. */
  readonly subtitled: boolean;
}

/**
 * Credits of a file: 1 for a picture or a sound, else ⌈width × height × frames ÷ 100,000,000⌉, or 10 a minute with
 * subtitles.
 */
export function creditsOf(file: Priced): number {
  const { outputFormat, width, height, frameRate = usualFrameRate, duration = 0 } = file;
  if (isStill(outputFormat) || isSound(outputFormat)) return 1;
  const pixels = Math.ceil((width * height * frameRate * duration) / pixelsPerCredit);
  return Math.max(1, pixels, file.subtitled ? Math.ceil((subtitleMinute * duration) / 60) : 0);
}

/** What a render will cost, as far as its document shows; 1 when its length or size depends on media. */
export function estimateCredits(
  source: JsonObject,
  outputFormat: OutputFormat,
  request: Scaling,
): number {
  const number = (name: string): number => parseAmount(source[name])?.value ?? 0;
  const [width, height] = [number('width'), number('height')];
  if (width <= 0 || height <= 0) return 1;
  return creditsOf({
    outputFormat,
    ...outputSize({ width, height, format: outputFormat, ...request }),
    ...(number('frame_rate') > 0 && { frameRate: number('frame_rate') }),
    duration: number('duration'),
    subtitled: isSubtitled(source),
  });
}

/** The price of a finished render. */
export function chargeOf(render: StoredRender, facts: RenderFacts): number {
  const { outputFormat, subtitled = false } = render;
  return creditsOf({ outputFormat, subtitled, ...facts });
}

/** True when a text on any level follows speech. */
export function isSubtitled(parent: JsonObject): boolean {
  const { elements } = parent;
  if (!Array.isArray(elements)) return false;
  // Array.isArray widens read-only lists to any[].
  return (elements as readonly unknown[]).some(
    (element) =>
      isJsonObject(element) &&
      (typeof element.transcript_source === 'string' || isSubtitled(element)),
  );
}

/** How much of an allowance is used. */
export interface CreditState {
  /** Null: unlimited. */
  readonly allowance: number | null;
  readonly used: number;
}

/** A render that is to be stored, and its price. */
export interface Cost {
  /** The render's ID. */
  readonly id: string;
  readonly cost: number;
}

/** The account's credits. */
export class Credits {
  readonly #renders: Pick<RenderStore, 'credits'>;
  readonly #settings: SettingStore;
  /** Reserved for renders that are being stored. */
  #reserved = 0;

  constructor(renders: Pick<RenderStore, 'credits'>, settings: SettingStore) {
    this.#renders = renders;
    this.#settings = settings;
  }

  /** False without an allowance: then nothing needs adding up. */
  get limited(): boolean {
    return this.#settings.values.creditAllowance !== null;
  }

  get state(): CreditState {
    return {
      allowance: this.#settings.values.creditAllowance,
      used: this.#renders.credits,
    };
  }

  /**
   * Reserves credits until the renders are stored and count themselves.
   *
   * @returns the function that releases them; call it exactly once.
   * @throws ApiError `out_of_credits`; then nothing is reserved. With several servers also `cannot_save`.
   */
  reserve(costs: readonly Cost[]): Promise<() => void> | (() => void) {
    const cost = totalOf(costs);
    this.refuseAbove(cost, this.#reserved);
    this.#reserved += cost;
    return () => {
      this.#reserved -= cost;
    };
  }

  /** @param reserved What others have reserved. @throws ApiError `out_of_credits`. */
  protected refuseAbove(cost: number, reserved: number): void {
    if (!this.limited) return;
    const { allowance, used } = this.state;
    const left = Math.max(0, (allowance ?? Infinity) - used - reserved);
    if (cost > left) throw new ApiError('out_of_credits', { cost, left });
  }
}

/** What renders cost together. */
export function totalOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { cost }) => sum + cost, 0);
}
