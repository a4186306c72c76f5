/** A stand-in for the browser's player of sounds (`Audio`). */

/** Of a player, what it is asked for; every sound is 1.5 s long. */
export class Player extends EventTarget {
  static last: Player | null = null;
  readonly src: string;
  paused = true;
  duration = 1.5;
  currentTime = 0;
  muted = false;
  onended: () => void = () => undefined;
  onerror: () => void = () => undefined;

  constructor(address = '') {
    super();
    this.src = address;
    if (address !== '') Player.last = this;
  }

  set onloadedmetadata(told: () => void) {
    queueMicrotask(told);
  }

  play(): Promise<void> {
    this.paused = false;
    return Promise.resolve();
  }

  pause(): void {
    this.paused = true;
  }

  removeAttribute(): void {
    // Its file is let go.
  }

  load(): void {
    // Nothing is read.
  }
}
