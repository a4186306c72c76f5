/**
 * Plays a preview: in real time where the page draws itself, with frames left out that can't be drawn in time; else as
 * fast as the server's pictures arrive. The pictures follow the clock of the sound. Window only.
 */
import type { LivePreview } from './live-preview.svelte.ts';
import { Playback } from './playback.svelte.ts';
import { PlayClock, type PreviewSound } from './preview-sound.svelte.ts';

/** A frame is asked for at most so long before it is due, in ms. */
const mostAhead = 50;
/** Of a frame: times are quotients of rates. */
const tolerance = 1e-3;

interface Film {
  /** The moment to be seen, in seconds. */
  time: number;
  readonly frameCount: number;
  readonly frameRate: number;
  readonly sound: PreviewSound | null;
  /** The page's own drawing; null where there is none. */
  readonly live: LivePreview | null;
  /** Nobody will look at it again. */
  readonly isClosed: boolean;
  /** Stops, and shows the moment as the server draws it. */
  pause(): void;
}

/** What the server draws of it. */
interface Pictures {
  /** Asks for the moment to be seen, and waits for its picture. */
  ask(): Promise<void>;
  /** Shows another moment, in seconds. */
  goTo(time: number): void;
}

/** Whether and how one preview plays. */
export class Playing {
  isOn = $state(false);
  /** Pictures in the last second; null when it keeps the template's pace. */
  speed = $state<number | null>(null);
  readonly playback = new Playback();

  readonly #film: Film;
  readonly #pictures: Pictures;
  /** When the page's last frames were drawn, ms. */
  #drawn: number[] = [];
  /** When the frame that is being drawn was asked for, and how long one takes on average, ms. */
  #asked = { at: 0, takes: 0 };
  /** Ends a wait early. */
  #goOn: () => void = () => undefined;

  constructor(film: Film, pictures: Pictures) {
    this.#film = film;
    this.#pictures = pictures;
  }

  /** Plays a film of several frames until the end, or until `stop` is called. The document may change meanwhile. */
  async start(): Promise<void> {
    const film = this.#film;
    this.isOn = true;
    const { playback } = this;
    if (!playback.goesOnFrom(Math.round(film.time * film.frameRate), film.frameCount))
      film.time = playback.start(film.frameCount) / film.frameRate;
    // The page may begin to draw meanwhile, or stop.
    while (this.#goesOn())
      await (film.live?.isReady === true ? this.#playLive(film.live) : this.#playPictures());
  }

  stop(): void {
    this.#film.sound?.pause();
    this.isOn = false;
    this.speed = null;
  }

  /** A frame, by its seconds, is on the page's canvas: now the time says so, too. */
  took(time: number): void {
    const now = performance.now();
    this.#drawn.push(now);
    if (!this.isOn || this.#asked.at === 0) return;
    this.#film.time = time;
    const took = Math.min(mostAhead, now - this.#asked.at);
    this.#asked = { at: 0, takes: this.#asked.takes + (took - this.#asked.takes) / 8 };
    this.#goOn();
  }

  /** Asked between waits, when it may have changed. */
  #goesOn(): boolean {
    return this.isOn && !this.#film.isClosed;
  }

  /**
   * The frame that is due; null at the end.
   *
   * @param ahead Seconds until it will be seen.
   */
  #frameAt(clock: PlayClock, ahead = 0): number | null {
    const { playback } = this;
    const { frameCount, frameRate } = this.#film;
    const now = clock.now(playback.rate);
    const frameOf = (time: number): number => Math.floor(time * frameRate + tolerance);
    if (!playback.isPast(frameOf(now), frameCount)) {
      const frame = frameOf(now + ahead * playback.rate);
      return playback.isPast(frame, frameCount)
        ? playback.end(frameCount)
        : Math.max(0, Math.min(frameCount - 1, frame));
    }
    if (!playback.loops) return null;
    const start = playback.start(frameCount);
    clock.jump(start / frameRate);
    return start;
  }

  /** Until the page stops drawing. */
  async #playLive(live: LivePreview): Promise<void> {
    const film = this.#film;
    const clock = new PlayClock(film.time, film.sound);
    const begun = performance.now();
    this.#drawn = [];
    let asked = -1;
    while (this.#goesOn() && live.isReady) {
      await this.#turn();
      if (!this.#goesOn()) return;
      const now = performance.now();
      const frame = this.#frameAt(clock, this.#asked.takes / 1000);
      if (frame === null) {
        film.time = this.playback.end(film.frameCount) / film.frameRate;
        film.pause();
        return;
      }
      if (!live.isDrawing && frame !== asked) {
        asked = frame;
        this.#asked.at = now;
        live.draw(frame / film.frameRate, false);
      }
      this.#drawn = this.#drawn.filter((at) => now - at < 1000);
      const due = Math.min(film.frameRate * Math.abs(this.playback.rate), 60);
      const isSlow = now - begun > 1500 && this.#drawn.length < due * 0.8;
      this.speed = isSlow ? this.#drawn.length : null;
    }
  }

  /** Waits for the next frame of the page, or until the worker has nothing to draw. */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      const request = requestAnimationFrame(() => resolve());
      this.#goOn = () => {
        cancelAnimationFrame(request);
        resolve();
      };
    });
  }

  /** Until the page draws. */
  async #playPictures(): Promise<void> {
    const film = this.#film;
    const clock = new PlayClock(film.time, film.sound);
    const begun = performance.now();
    let drawn: number[] = [];
    while (this.#goesOn() && film.live?.isReady !== true) {
      const frame = this.#frameAt(clock);
      if (frame === null) {
        this.#pictures.goTo(this.playback.end(film.frameCount) / film.frameRate);
        film.pause();
        return;
      }
      film.time = frame / film.frameRate;
      await this.#pictures.ask();
      drawn = [...drawn.filter((at) => performance.now() - at < 1000), performance.now()];
      const isSlow = performance.now() - begun > 1000 && drawn.length < film.frameRate * 0.9;
      this.speed = isSlow ? drawn.length : null;
      const { rate } = this.playback;
      const next = (frame + Math.sign(rate)) / film.frameRate - clock.now(rate);
      if (next / rate > 0)
        await new Promise((resolve) => setTimeout(resolve, (next / rate) * 1000));
    }
  }
}
