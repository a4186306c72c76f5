/**
 * The sound of a preview: the server's own mix of the document, asked for ahead and played beside the pictures, which follow its
 * clock. Window only.
 */
import type { Source } from '../../../shared/renderscript/source.ts';
import { loadSound } from '../../editor/requests.ts';

/** Quiet before the sound of a changed document is asked for, in ms: mixing takes longer than drawing. */
const quiet = 1_000;
/** A sound that is so near to where it should be is left alone, seconds. */
const near = 0.04;

/** `silent`: nothing of the document sounds. */
type SoundState = 'none' | 'loading' | 'ready' | 'silent' | 'failed';

/** The sound of one document at a time. Call `close()` when it is not needed any more. */
export class PreviewSound {
  state = $state<SoundState>('none');
  muted = $state(false);
  /** 0–1. */
  volume = $state(1);

  readonly #client = crypto.randomUUID();
  readonly #audio = new Audio();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #life = new AbortController();
  /** Id of the file that is loaded. */
  #file = '';
  #isWanted = false;
  /** Between asking the browser to play and its first sound. */
  #isStarting = false;

  constructor() {
    this.#audio.preload = 'auto';
  }

  /** Asks for the sound of a document, once it has stayed the same for a while. The one before plays on until then. */
  prepare(source: Source): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(source), this.state === 'none' ? 0 : quiet);
  }

  /** Seconds at which it is now; null while it is not to be heard. */
  get clock(): number | null {
    const { paused, seeking, readyState, currentTime, ended } = this.#audio;
    const isHeard = this.#isWanted && !paused && !seeking && !ended && !this.#isStarting;
    return isHeard && readyState >= HTMLMediaElement.HAVE_FUTURE_DATA ? currentTime : null;
  }

  /** Plays along from a moment on, in seconds; called again and again until `clock` runs. */
  play(time: number): void {
    this.#isWanted = true;
    if (this.state !== 'ready' || this.#isStarting || this.#audio.seeking) return;
    if (time >= this.#audio.duration - near) return;
    if (Math.abs(this.#audio.currentTime - time) > near) this.#audio.currentTime = time;
    if (!this.#audio.paused) return;
    this.#isStarting = true;
    this.#audio
      .play()
      // The browser may not want sound, or was paused meanwhile.
      .catch(() => undefined)
      .finally(() => {
        this.#isStarting = false;
        if (!this.#isWanted) this.#audio.pause();
      });
  }

  /** Goes on from another moment while it plays, in seconds. */
  seek(time: number): void {
    if (this.state === 'ready') this.#audio.currentTime = time;
  }

  pause(): void {
    this.#isWanted = false;
    this.#audio.pause();
  }

  toggleMuted(): void {
    this.muted = !this.muted;
    this.#audio.muted = this.muted;
  }

  /** @param volume 0–1; anything but 0 is heard. */
  setVolume(volume: number): void {
    this.volume = volume;
    this.muted = volume === 0;
    Object.assign(this.#audio, { volume, muted: this.muted });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#life.abort();
    this.pause();
    this.#release();
  }

  async #load(source: Source): Promise<void> {
    this.#life.abort();
    const life = new AbortController();
    this.#life = life;
    if (this.state !== 'ready') this.state = 'loading';
    try {
      const sound = await loadSound({ client: this.#client, source }, this.#file, life.signal);
      if (life.signal.aborted || sound === 'same') return;
      if (typeof sound === 'string') {
        this.#release();
        this.state = sound;
        return;
      }
      this.#release();
      this.#file = sound.file;
      this.#audio.src = URL.createObjectURL(sound.blob);
      this.state = 'ready';
    } catch {
      if (!life.signal.aborted) this.state = 'failed';
    }
  }

  #release(): void {
    const { src } = this.#audio;
    this.#file = '';
    if (src === '') return;
    this.#audio.pause();
    this.#audio.removeAttribute('src');
    this.#audio.load();
    URL.revokeObjectURL(src);
  }
}

/** The position of what plays: that of the sound where there is one, else the time that has passed. */
export class PlayClock {
  readonly #sound: PreviewSound | null;
  #from: number;
  #begun = performance.now();

  /** @param from Seconds. */
  constructor(from: number, sound: PreviewSound | null) {
    this.#from = from;
    this.#sound = sound;
  }

  /** Seconds. */
  now(): number {
    const now = performance.now();
    const passed = this.#from + (now - this.#begun) / 1000;
    const heard = this.#sound?.clock ?? null;
    if (heard === null) {
      this.#sound?.play(passed);
      return passed;
    }
    this.#from = heard;
    this.#begun = now;
    return heard;
  }

  /** Goes on from another moment, in seconds. */
  jump(time: number): void {
    this.#from = time;
    this.#begun = performance.now();
    this.#sound?.pause();
  }
}
