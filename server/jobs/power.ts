/**
 * Low battery: the queue starts nothing until the computer is plugged in or the user overrules it. The battery is read
 * only while there is work, at most once a minute, and never again if there is no battery.
 */
import { batteryLimit } from '../../shared/limits.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';

/** How the computer is powered. */
export interface Power {
  readonly onBattery: boolean;
  /** How full the battery is, 0–100. */
  readonly percent: number;
}

/** Reads it; null without a battery. May throw if the system does not say. */
export type ReadPower = () => Promise<Power | null>;

/** What the watch works with. */
export interface PowerWatchOptions {
  readonly read: ReadPower;
  /** Whether the setting lets the queue wait. */
  readonly isWanted: () => boolean;
  /** Whether something is queued or being worked on. */
  readonly hasWork: () => boolean;
  /** `lowPercent` has changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** Knows whether the battery is too low to start a render. */
export class PowerWatch {
  readonly #options: PowerWatchOptions;
  /** The last reading; null: no battery, or the system does not say. */
  #power: Power | null = null;
  #readAt = -Infinity;
  #reading: Promise<void> | null = null;
  /** True once no battery was found: nothing more to read. */
  #isOver = false;
  /** The user wants to go on anyway, until the computer has been plugged in. */
  #isOverruled = false;
  #timer: NodeJS.Timeout | undefined;
  #told: number | null = null;

  constructor(options: PowerWatchOptions) {
    this.#options = options;
  }

  /** The battery's charge in per cent, while it keeps renders from starting; else null. */
  get lowPercent(): number | null {
    const { isWanted, hasWork } = this.#options;
    if (!this.#power || this.#isOverruled || !isWanted() || !hasWork()) return null;
    const { onBattery, percent } = this.#power;
    return onBattery && percent < batteryLimit.percent ? percent : null;
  }

  /**
   * Await this before starting a render: the reading is then at most a minute old, unless the system is slow to answer.
   */
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

  /** The queue has more or less work, or the setting has changed. */
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

  /** The system reports a change of power. Reads it at once, if there is work. */
  look(): void {
    // The next render must not rely on the old reading.
    this.#readAt = -Infinity;
    if (this.#timer !== undefined) void this.#read();
  }

  /** Goes on although the battery is low, until the computer has been plugged in. */
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
      // An unknown state stops nothing.
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

/** Asks the system. The package is loaded at the first call: most runs never need it. */
export const readSystemPower: ReadPower = async () => {
  const { battery } = await import('systeminformation');
  const { hasBattery, acConnected, percent } = await battery();
  return hasBattery ? { onBattery: !acConnected, percent: Math.round(percent) } : null;
};
