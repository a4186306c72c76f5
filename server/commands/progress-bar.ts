/** One line of progress in a terminal: bar, frames, speed, time left. Silent where stderr is not a terminal. */

/** What a worker reports. */
interface Progress {
  readonly phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  readonly frame: number;
  readonly frames: number;
  readonly share?: number;
}

const width = 30;
const words = {
  waiting: 'Fetching media',
  transcribing: 'Transcribing',
  rendering: 'Drawing frames',
  finishing: 'Finishing file',
};

/** Draws over its own line until `end()`. */
export class ProgressBar {
  readonly #out: NodeJS.WriteStream;
  readonly #opened = performance.now();
  #drawingSince: number | null = null;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  /** Seconds since the bar was made. */
  get seconds(): number {
    return (performance.now() - this.#opened) / 1000;
  }

  show({ phase, frame, frames, share: told }: Progress): void {
    if (!this.#out.isTTY) return;
    if (phase === 'rendering' && frame > 0) this.#drawingSince ??= performance.now();
    const share = told ?? (phase === 'waiting' || frames === 0 ? 0 : frame / frames);
    const filled = Math.round(share * width);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    const counts = frames > 0 ? ` ${frame} of ${frames}` : '';
    this.#out.write(`\r\u001b[K${bar} ${words[phase]}${counts}${this.#speed(frame, frames)}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K');
  }

  /** Frames per second and time left, once there is enough to tell from. */
  #speed(frame: number, frames: number): string {
    if (this.#drawingSince === null) return '';
    const seconds = (performance.now() - this.#drawingSince) / 1000;
    if (seconds < 0.5 || frame === 0) return '';
    const rate = frame / seconds;
    const left = Math.ceil((frames - frame) / rate);
    return ` · ${rate.toFixed(0)} frames/s · ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
  }
}
