/**
 * A computer that runs on a low battery: the queue begins nothing then, until it is plugged in or a person says otherwise.
 * The battery is read only while there is work, at most once a minute, and never again where there is none.
 */
import { batteryLimit } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';

/** How the computer is powered. */
export interface Power {
  readonly onBattery: boolean;
  /** How full the battery is, 0–100. */
  readonly percent: number;
}

/** Reads it; null where there is no battery. May throw where the system does not tell. */
export type ReadPower = () => Promise<Power | null>;

/** What the watch works with. */
export interface PowerWatchOptions {
  readonly read: ReadPower;
  /** Whether a person wants the queue to wait. */
  readonly isWanted: () => boolean;
  /** Whether something is queued or being worked on. */
  readonly hasWork: () => boolean;
  /** `lowPercent` has changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Knows whether the battery is too low to begin a render. */
export class PowerWatch {
  readonly #options: PowerWatchOptions;
  /** The last reading; null: there is no battery, or the system does not tell. */
  #power: Power | null = null;
  #readAt = -Infinity;
  #reading: Promise<void> | null = null;
  /** No battery was found: nothing to read any more. */
  #isOver = false;
  /** A person wants to go on in spite of it, until it was plugged in. */
  #isOverruled = false;
  #timer: NodeJS.Timeout | undefined;
  #told: number | null = null;

  constructor(options: PowerWatchOptions) {
    this.#options = options;
  }

  /** How full the battery is, in per cent, while it keeps renders from being begun; else null. */
  get lowPercent(): number | null {
    const { isWanted, hasWork } = this.#options;
    if (!this.#power || this.#isOverruled || !isWanted() || !hasWork()) return null;
    const { onBattery, percent } = this.#power;
    return onBattery && percent < batteryLimit.percent ? percent : null;
  }

  /** To be awaited before a render is begun: the reading is no older than a minute then, unless the system is slow to tell. */
  async check(): Promise<void> {
    const { isWanted, clock } = this.#options;
    if (this.#isOver || !isWanted()) return;
    if (clock.steady() - this.#readAt < batteryLimit.readEvery) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, batteryLimit.longestRead);
    });
    await Promise.race([this.#read(), late]);
    clearTimeout(timer);
  }

  /** The queue has more or less to do, or the setting was changed. */
  follow(): void {
    const { isWanted, hasWork } = this.#options;
    const isNeeded = !this.#isOver && isWanted() && hasWork();
    if (!isNeeded) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      void this.check();
      this.#timer = setInterval(() => void this.#read(), batteryLimit.readEvery).unref();
    }
    this.#tell();
  }

  /** Something about the power has changed, as a system may say by itself. Looks at once, if there is work. */
  look(): void {
    // The next render must not be begun on what was read before.
    this.#readAt = -Infinity;
    if (this.#timer !== undefined) void this.#read();
  }

  /** Goes on although the battery is low, until it was plugged in once. */
  overrule(): void {
    this.#isOverruled = true;
    this.#tell();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#isOver = true;
  }

  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readOnce(): Promise<void> {
    const { read, clock, log } = this.#options;
    try {
      this.#power = await read();
      if (this.#power === null) this.close();
      else if (!this.#power.onBattery) this.#isOverruled = false;
    } catch (error) {
      // What is not known stops nothing.
      this.#power = null;
      log('warning', 'power', `The battery can't be read: ${describeError(error)}`);
    }
    this.#readAt = clock.steady();
    this.#tell();
  }

  #tell(): void {
    const { lowPercent } = this;
    if (lowPercent === this.#told) return;
    this.#told = lowPercent;
    this.#options.onChange();
  }
}

/** As the system tells. Loaded when it is first asked: most starts never ask. */
export const readSystemPower: ReadPower = async () => {
  const { battery } = await import('systeminformation');
  const { hasBattery, acConnected, percent } = await battery();
  return hasBattery ? { onBattery: !acConnected, percent: Math.round(percent) } : null;
};
