/** A voice that is being recorded while the film plays along, without its sound. Window only. */
import { mediaRows } from '../../../shared/api/media.ts';
import { call } from '../../frame/connection/call.ts';
import { localeInUse, say } from '../../ui/say.ts';
import type { Spot } from '../making/adding.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import {
  NoMicrophone,
  openMicrophone,
  type Microphone,
  type MicrophoneFault,
  type Take,
} from './microphone.ts';

/** Seconds from the button to the recording. */
const countdown = 3;
/** Seconds of the longest recording: half an hour is 170 MB of memory. */
const longest = 15 * 60;

/** `unheard`: nothing was recorded. */
type RecordingFault = MicrophoneFault | 'unheard';

/** What it needs of its computer; tests have others. */
interface RecordingOptions {
  readonly open?: () => Promise<Microphone>;
  /** Milliseconds of a second of the countdown. */
  readonly second?: number;
}

/** One recording after the other, until one is used. Call `open()` once, `close()` at the end. */
export class Recording {
  state = $state<'asking' | 'ready' | 'counting' | 'recording' | 'made' | 'saving' | 'off'>(
    'asking',
  );
  /** Why it is off, or why nothing came of the last one; null: all is well. */
  fault = $state<RecordingFault | null>(null);
  /** Seconds until it begins. */
  count = $state(countdown);
  /** Seconds that are recorded. */
  seconds = $state(0);
  /** How loud the microphone is, 0–1. */
  level = $state(0);
  /** Where it begins in the film, in seconds. */
  from = $state(0);
  /** The last one. */
  take = $state.raw<Take | null>(null);

  readonly #editor: TemplateEditor;
  readonly #spot: Spot;
  readonly #options: Required<RecordingOptions>;
  #microphone: Microphone | null = null;
  #begun = 0;
  /** Ends the countdown early. */
  #skip: () => void = () => undefined;
  #isClosed = false;
  /** Puts the film's sound and loop back. */
  #restore: () => void = () => undefined;

  constructor(
    editor: TemplateEditor,
    spot: Spot,
    { open = openMicrophone, second = 1_000 }: RecordingOptions = {},
  ) {
    this.#editor = editor;
    this.#spot = spot;
    this.#options = { open, second };
    this.from = spot.time ?? editor.preview.time;
  }

  /** Asks for the microphone. */
  async open(): Promise<void> {
    this.state = 'asking';
    this.fault = null;
    try {
      const microphone = await this.#options.open();
      if (this.#isClosed) {
        microphone.close();
        return;
      }
      this.#microphone = microphone;
      this.state = 'ready';
    } catch (reason) {
      this.fault = reason instanceof NoMicrophone ? reason.fault : 'busy';
      this.state = 'off';
    }
  }

  /** Counts down, then records and plays the film from the playhead. Called again, it begins at once. */
  async record(): Promise<void> {
    if (this.state === 'counting') {
      this.#skip();
      return;
    }
    const microphone = this.#microphone;
    if (!microphone || (this.state !== 'ready' && this.state !== 'made')) return;
    const { preview } = this.#editor;
    preview.pause();
    if (this.take === null) this.from = this.#spot.time ?? preview.time;
    else preview.seek(this.from);
    this.take = null;
    this.fault = null;
    this.seconds = 0;
    this.state = 'counting';
    for (this.count = countdown; this.count > 0; this.count -= 1) {
      if (await this.#second()) break;
    }
    if (!this.#isStill('counting')) return;
    await microphone.start();
    if (!this.#isStill('counting')) return;
    this.#begun = performance.now();
    this.state = 'recording';
    this.#playAlong();
  }

  /** Reads level and time; call it with each picture of the page. */
  measure(): void {
    this.level = this.#microphone?.level() ?? 0;
    if (this.state !== 'recording') return;
    this.seconds = (performance.now() - this.#begun) / 1_000;
    if (this.seconds >= longest) void this.stop();
  }

  /** Ends the recording, or the countdown. */
  async stop(): Promise<void> {
    if (this.state === 'counting') {
      this.state = 'ready';
      this.#skip();
      return;
    }
    if (this.state !== 'recording' || !this.#microphone) return;
    this.state = 'saving';
    this.#endPlaying();
    const take = await this.#microphone.stop().catch(() => null);
    this.take = take;
    this.seconds = take?.seconds ?? 0;
    this.fault = take ? null : 'unheard';
    this.state = take ? 'made' : 'ready';
  }

  /**
   * Puts the last one into the media library, and into the film where it began.
   *
   * @throws {RequestProblem} where the library doesn't take it; it can be tried again
   */
  async use(): Promise<void> {
    if (this.state !== 'made' || !this.take) return;
    this.state = 'saving';
    try {
      const name = fileName(Date.now());
      const file = new File([this.take.sound], name, { type: 'audio/wav' });
      const { source, duration } = await call(mediaRows.add, { query: { name }, file });
      const element = { type: 'audio', source };
      const { adding } = this.#editor;
      adding.addSound(say('piece.recording'), element, duration, {
        ...this.#spot,
        time: this.from,
      });
    } finally {
      this.state = 'made';
    }
  }

  /** Lets the microphone go. */
  close(): void {
    this.#isClosed = true;
    if (this.state === 'recording') this.#endPlaying();
    this.#skip();
    this.#microphone?.close();
    this.#microphone = null;
  }

  /** Asked after waiting, when it may have changed. */
  #isStill(state: Recording['state']): boolean {
    return this.state === state && !this.#isClosed;
  }

  /** @returns true when it was skipped */
  #second(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#options.second);
      this.#skip = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /** Its sound would be recorded, too. */
  #playAlong(): void {
    const { preview } = this.#editor;
    const { sound, playback } = preview;
    const [isHeard, loops] = [sound?.muted === false, playback.loops];
    if (isHeard) sound?.toggleMuted();
    playback.loops = false;
    this.#restore = () => {
      if (isHeard && sound?.muted === true) sound.toggleMuted();
      playback.loops = loops;
    };
    if (!preview.playing) preview.toggle();
  }

  #endPlaying(): void {
    this.#editor.preview.pause();
    this.#restore();
    this.#editor.preview.seek(this.from);
  }
}

/** What the file is called in the library: `Recording 29 Nov 2026, 21.30.wav`. */
function fileName(now: number): string {
  const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
  const date = new Intl.DateTimeFormat(localeInUse(), options).format(now);
  return `${say('record.file', { date: date.replaceAll(':', '.') })}.wav`;
}
