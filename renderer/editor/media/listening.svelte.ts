/** Plays a sound of the media library, one at a time, as its tile and the panel's button ask. Window only. */
import type { WindowMedia } from '../../../shared/api.ts';
import { mediaAddress } from '../../frame/connection/media.ts';

/** What is heard of a library. Call `stop()` when its panel closes. */
export class Listening {
  /** ID of the file that plays, or waits for its first sound; '' for none. */
  playing = $state('');
  /** ID of the file that was played last, whose progress is shown; '' for none. */
  current = $state('');
  /** How much of it has been played, 0–1. */
  share = $state(0);

  readonly #onFailed: (reason: unknown, file: WindowMedia) => void;
  #audio: HTMLAudioElement | null = null;
  /** Ends what plays, or is about to. */
  #life = new AbortController();

  /** @param onFailed Told why a file can't be heard. */
  constructor(onFailed: (reason: unknown, file: WindowMedia) => void) {
    this.#onFailed = onFailed;
  }

  /** Plays a file, from where it was paused if it was the last one; or pauses it. */
  async toggle(file: WindowMedia): Promise<void> {
    const { id } = file;
    if (this.playing === id) {
      this.pause();
      return;
    }
    this.pause();
    this.playing = id;
    const life = new AbortController();
    this.#life = life;
    try {
      if (this.current !== id || !this.#audio) await this.#load(id, life.signal);
      if (!life.signal.aborted) await this.#audio?.play();
    } catch (reason) {
      // Paused before its first sound.
      if (life.signal.aborted) return;
      this.stop();
      this.#onFailed(reason, file);
    }
  }

  /** Pauses; the progress stays. */
  pause(): void {
    this.#life.abort();
    this.#audio?.pause();
    this.playing = '';
  }

  /** Ends it for good. */
  stop(): void {
    this.pause();
    this.#audio?.removeAttribute('src');
    this.#audio = null;
    this.current = '';
    this.share = 0;
  }

  async #load(id: string, signal: AbortSignal): Promise<void> {
    this.#audio = null;
    this.current = id;
    this.share = 0;
    const address = await mediaAddress(id, signal);
    const audio = new Audio(address);
    const isLast = (): boolean => this.#audio === audio;
    audio.ontimeupdate = () => {
      if (isLast()) this.share = audio.duration > 0 ? audio.currentTime / audio.duration : 0;
    };
    audio.onended = () => {
      if (!isLast()) return;
      this.playing = '';
      this.share = 0;
    };
    if (!signal.aborted) this.#audio = audio;
  }
}
