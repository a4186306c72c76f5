/**
 * Has the server speak a text, and plays it: one of a document, or the sentence that tries a voice of the settings.
 * Window only.
 */
import { voiceRows } from '../../../shared/api/voices.ts';
import type { SpokenText } from '../../../shared/renderscript/voices.ts';
import { answerOf } from '../../frame/connection/api.ts';
import { ask } from '../../frame/connection/call.ts';
import { say } from '../../ui/say.ts';

/** A text that was spoken. */
interface Heard {
  readonly key: string;
  /** Seconds; null: the page can't tell. */
  readonly seconds: number | null;
  readonly audio: HTMLAudioElement;
}

type Speak<What> = (what: What, signal: AbortSignal) => Promise<Response>;

/**
 * A text of a document. What was spoken is kept at the server, so that preview and film have it, too, and a service is
 * not paid twice.
 */
export const ofDocument: Speak<SpokenText> = (body, signal) =>
  ask(voiceRows.hear, { body, signal });

/** The usual sentence by a line of the setting `voices`, which need not be kept. */
export const ofSetting: Speak<string> = (line, signal) =>
  ask(voiceRows.try, { body: { line, text: say('voices.sentence') }, signal });

/** What is heard of one text at a time. Call `stop()` when it is left. */
export class Hearing<What> {
  /** `asking`: it is being spoken. */
  state = $state<'still' | 'asking' | 'playing'>('still');
  /** Why the last text could not be spoken, in English; '' for none. */
  problem = $state('');

  readonly #speak: Speak<What>;
  readonly #onSpoken: () => void;
  #heard: Heard | null = null;
  #life = new AbortController();

  /**
   * @param speak Has it spoken: `ofDocument`, `ofSetting`.
   * @param onSpoken Told that there is a sound that was not there before. Default: nobody.
   */
  constructor(speak: Speak<What>, onSpoken: () => void = () => undefined) {
    this.#speak = speak;
    this.#onSpoken = onSpoken;
  }

  /** Plays a text, or stops. */
  async toggle(spoken: What): Promise<void> {
    if (this.state !== 'still') {
      this.stop();
      return;
    }
    const heard = await this.speak(spoken);
    if (!heard) return;
    this.state = 'playing';
    heard.audio.currentTime = 0;
    await heard.audio.play().catch((reason: unknown) => {
      if (this.#heard === heard) this.stop();
      // Else it was stopped, or the browser does not want sound.
      if (reason instanceof Error && reason.name === 'NotSupportedError')
        this.problem = reason.message;
    });
  }

  /** Has a text spoken, silently. @returns null where that failed (`problem`) or was stopped */
  async speak(spoken: What): Promise<Heard | null> {
    const key = JSON.stringify(spoken);
    this.problem = '';
    if (this.#heard?.key === key) return this.#heard;
    this.stop();
    const life = new AbortController();
    this.#life = life;
    this.state = 'asking';
    try {
      const response = await this.#speak(spoken, life.signal);
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
