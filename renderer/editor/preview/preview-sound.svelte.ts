/**
 * The sound of a preview: the server's mix of the document, requested ahead and played beside the pictures, which
 * follow its clock. Window only.
 */
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { loadSound } from '../../frame/connection/preview.ts';

/** Quiet before requesting the sound of a changed document, in ms: mixing takes longer than drawing. */
const quiet = 1_000;
/** A sound this close to its right position is not corrected, in seconds. */
const near = 0.04;
/** Length of sound played while scrubbing, ms: enough to recognise a word or a beat. */
const snippet = 120;

/** `silent`: the document is silent. */
type SoundState = 'none' | 'loading' | 'ready' | 'silent' | 'failed';

/** The document to hear. */
interface SoundSource {
  readonly source: Source;
  readonly modifications: JsonObject;
}

/** The sound of one document at a time. Call `close()` when done. */
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
  #scrubbing: ReturnType<typeof setTimeout> | undefined;
  /** Between asking the browser to play and its first sound. */
  #isStarting = false;

  constructor() {
    this.#audio.preload = 'auto';
  }

  /** Requests the sound of a document once it has been unchanged for a while. The previous one plays until then. */
  prepare({ source, modifications }: SoundSource): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => void this.#load({ source, modifications }),
      this.state === 'none' ? 0 : quiet,
    );
  }

  /** Its current position in seconds; null while it is not audible. */
  get clock(): number | null {
    const { paused, seeking, readyState, currentTime, ended } = this.#audio;
    const isHeard = this.#isWanted && !paused && !seeking && !ended && !this.#isStarting;
    return isHeard && readyState >= HTMLMediaElement.HAVE_FUTURE_DATA ? currentTime : null;
  }

  /**
   * Plays along from a moment, in seconds; call repeatedly until `clock` runs.
   *
   * @param rate Times its own speed.
   */
  play(time: number, rate: number): void {
    this.#isWanted = true;
    if (this.#audio.playbackRate !== rate) this.#audio.playbackRate = rate;
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

  /** Plays a snippet at a moment, in seconds, while scrubbing. */
  scrub(time: number): void {
    if (this.state !== 'ready' || this.muted || time >= this.#audio.duration - near) return;
    clearTimeout(this.#scrubbing);
    this.#audio.playbackRate = 1;
    this.#audio.currentTime = time;
    // The browser may not want sound.
    if (this.#audio.paused) void this.#audio.play().catch(() => undefined);
    this.#scrubbing = setTimeout(() => {
      if (!this.#isWanted) this.#audio.pause();
    }, snippet);
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
    clearTimeout(this.#scrubbing);
    this.#life.abort();
    this.pause();
    this.#release();
  }

  async #load(wanted: SoundSource): Promise<void> {
    this.#life.abort();
    const life = new AbortController();
    this.#life = life;
    if (this.state !== 'ready') this.state = 'loading';
    try {
      const sound = await loadSound({ client: this.#client, ...wanted }, this.#file, life.signal);
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

/** The position of what plays: that of the sound if there is one, else the elapsed time. */
export class PlayClock {
  readonly #sound: PreviewSound | null;
  #from: number;
  #begun = performance.now();

  /** @param from Seconds. */
  constructor(from: number, sound: PreviewSound | null) {
    this.#from = from;
    this.#sound = sound;
  }

  /**
   * Seconds.
   *
   * @param rate Times the film's own speed, since the last call; silent when negative.
   */
  now(rate: number): number {
    const now = performance.now();
    this.#from += ((now - this.#begun) / 1000) * rate;
    this.#begun = now;
    if (rate <= 0) {
      this.#sound?.pause();
      return this.#from;
    }
    const heard = this.#sound?.clock ?? null;
    if (heard !== null) this.#from = heard;
    // A sound that runs already takes another speed on.
    this.#sound?.play(this.#from, rate);
    return this.#from;
  }

  /** Goes on from another moment, in seconds. */
  jump(time: number): void {
    this.#from = time;
    this.#begun = performance.now();
    this.#sound?.pause();
  }
}
