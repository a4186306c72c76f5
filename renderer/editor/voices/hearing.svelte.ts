/**
 * Has the server speak a text, and plays it. What was spoken is kept there, so that preview and film have it, too, and
 * a service is not paid twice. Window only.
 */
import { voiceRows } from '../../../shared/api/voices.ts';
import type { SpokenText } from '../../../shared/renderscript/voices.ts';
import { answerOf } from '../../frame/connection/api.ts';
import { ask } from '../../frame/connection/call.ts';

/** A text that was spoken. */
interface Heard {
  readonly key: string;
  /** Seconds; null: the page can't tell. */
  readonly seconds: number | null;
  readonly audio: HTMLAudioElement;
}

/** What is heard of one text at a time. Call `stop()` when it is left. */
export class Hearing {
  /** `asking`: it is being spoken. */
  state = $state<'still' | 'asking' | 'playing'>('still');
  /** Why the last text could not be spoken, in English; '' for none. */
  problem = $state('');

  readonly #onSpoken: () => void;
  #heard: Heard | null = null;
  #life = new AbortController();

  /** @param onSpoken Told that there is a sound that was not there before. Default: nobody. */
  constructor(onSpoken: () => void = () => undefined) {
    this.#onSpoken = onSpoken;
  }

  /** Plays a text, or stops. */
  async toggle(spoken: SpokenText): Promise<void> {
    if (this.state !== 'still') {
      this.stop();
      return;
    }
    const heard = await this.speak(spoken);
    if (!heard) return;
    this.state = 'playing';
    heard.audio.currentTime = 0;
    // The browser may not want sound.
    await heard.audio.play().catch(() => this.stop());
  }

  /** Has a text spoken, silently. @returns null where that failed (`problem`) or was stopped */
  async speak(spoken: SpokenText): Promise<Heard | null> {
    const key = JSON.stringify(spoken);
    this.problem = '';
    if (this.#heard?.key === key) return this.#heard;
    this.stop();
    const life = new AbortController();
    this.#life = life;
    this.state = 'asking';
    try {
      const response = await ask(voiceRows.hear, { body: spoken, signal: life.signal });
      if (!response.ok) await answerOf(response);
      const heard = await this.#take(key, await response.blob());
      if (life.signal.aborted) return null;
      this.state = 'still';
      this.#onSpoken();
      return heard;
    } catch (reason) {
      if (life.signal.aborted) return null;
      this.state = 'still';
      this.problem = reason instanceof Error ? reason.message : String(reason);
      return null;
    }
  }

  /** Stops playing, and asking. */
  stop(): void {
    this.#life.abort();
    this.#heard?.audio.pause();
    this.state = 'still';
  }

  async #take(key: string, sound: Blob): Promise<Heard> {
    if (this.#heard) URL.revokeObjectURL(this.#heard.audio.src);
    const audio = new Audio(URL.createObjectURL(sound));
    audio.onended = () => {
      if (this.#heard?.audio === audio && this.state === 'playing') this.state = 'still';
    };
    const heard = { key, seconds: await lengthOf(audio), audio };
    this.#heard = heard;
    return heard;
  }
}

/** Seconds of a sound; null where the browser can't read it. */
function lengthOf(audio: HTMLAudioElement): Promise<number | null> {
  return new Promise((resolve) => {
    const tell = (): void =>
      resolve(Number.isFinite(audio.duration) && audio.duration > 0 ? audio.duration : null);
    audio.onloadedmetadata = tell;
    audio.onerror = tell;
  });
}
