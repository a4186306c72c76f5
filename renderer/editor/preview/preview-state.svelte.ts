/**
 * One preview: the wanted moment of a source, and the server's newest picture of it. Window only. A change of the
 * source is requested after a moment of quiet; another moment of the same source as soon as the last picture has
 * arrived, so that dragging shows as many as possible. If the page draws itself (`LivePreview`), it draws everything
 * that moves, and the server is asked once it stops.
 */
import { call } from '../../frame/connection/call.ts';
import type { CompiledElement, PreviewFacts } from '../../../shared/preview.ts';
import { type PreviewAnswer, previewRows } from '../../../shared/api/preview.ts';
import type { JsonObject, Problem, Source } from '../../../shared/renderscript/source.ts';
import { LivePreview, type LiveMoment } from './live-preview.svelte.ts';
import type { Playback } from './playback.svelte.ts';
import { Playing } from './playing.svelte.ts';
import { PreviewSound } from './preview-sound.svelte.ts';

/** `stale`: the source has errors, the last picture stays dimmed. `off`: nobody draws. */
export type PreviewPhase = 'blank' | 'drawing' | 'ready' | 'stale' | 'failed' | 'off';

interface Wanted {
  readonly source: Source;
  readonly modifications: JsonObject;
  readonly hidden: readonly string[];
}

/** Quiet before an edit is drawn, in ms. */
export const quiet = 150;
/** Pause before asking a restarting process again, in ms. */
const restartPause = 1500;
/** The preview of a source. Call `close()` when it is no longer shown. */
export class PreviewState {
  phase = $state<PreviewPhase>('blank');
  /** `data:` address of the newest picture; '' before the first. */
  picture = $state.raw('');
  facts = $state.raw<PreviewFacts | null>(null);
  /** The elements with their times, as last drawn: the same list while none changes. */
  elements = $state.raw<readonly CompiledElement[]>([]);
  /**
   * Seconds of the files that play, by their `source`, those that an edit took away too: an undo brings them back. The
   * same object while none changes.
   */
  lengths = $state.raw<PreviewFacts['lengths']>({});
  /** Files that are missing and the like, as warnings. */
  warnings = $state.raw<readonly Problem[]>([]);
  /** Why it failed or is off. */
  reason = $state('');
  /** True while the process restarts automatically. */
  restarting = $state(false);
  /** The wanted time in seconds; the drawn one is in `facts`. */
  time = $state(0);
  /** Whose picture is to be seen. */
  front = $state<'server' | 'page'>('server');
  /** The sound that plays along; null where there is none. */
  readonly sound: PreviewSound | null;
  /** The page's own drawing; null where there is none. */
  readonly live: LivePreview | null;

  readonly #client = crypto.randomUUID();
  #side: number;
  readonly #wait: number;
  #wanted: Wanted | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the newest question. */
  #number = 0;
  #busy = false;
  #again = false;
  /** The newest source can't be drawn; the last valid one is shown instead. */
  #stale = false;
  #life = new AbortController();
  /** Path of the text that is typed in the picture; '' for none. */
  #typed = '';

  /** Document and frame of the server's newest picture. */
  #pictured = { document: 0, frame: -1 };
  readonly #player = new Playing(this, {
    ask: () => this.#ask(),
    goTo: (time) => this.#goTo(time),
  });

  /**
   * @param wait Quiet before a change of the source is drawn, in ms; less where there was some before.
   * @param live Has the page draw what moves, and plays the sound, or none. Default: the server draws all.
   */
  constructor(side: number, wait = quiet, live?: 'sound' | 'silent') {
    this.#side = side;
    this.#wait = wait;
    this.sound = live === 'sound' ? new PreviewSound() : null;
    this.live = live
      ? new LivePreview(
          (moment) => this.#takeLive(moment),
          () => this.#cover(),
        )
      : null;
  }

  /** Changes the longest side, in pixels. */
  drawAt(side: number): void {
    if (side === this.#side) return;
    this.#side = side;
    void this.#ask();
  }

  get playing(): boolean {
    return this.#player.isOn;
  }

  /** Pictures in the last second of playing; null when it keeps the template's pace. */
  get speed(): number | null {
    return this.#player.speed;
  }

  get playback(): Playback {
    return this.#player.playback;
  }

  /** Nobody will look at it again. */
  get isClosed(): boolean {
    return this.#life.signal.aborted;
  }

  /** Frames that there are; 1 before anything was drawn. */
  get frameCount(): number {
    return this.facts?.frameCount ?? 1;
  }

  /** Number of the frame that is to be seen. */
  get frame(): number {
    return this.playing ? Math.round(this.time * this.frameRate) : (this.facts?.frame ?? 0);
  }

  get frameRate(): number {
    return this.facts?.frameRate ?? 25;
  }

  /** Changes the source. Null: it can't be drawn; the last picture stays. */
  show(source: Source | null, { modifications = {}, hidden = [] as readonly string[] } = {}): void {
    clearTimeout(this.#timer);
    this.#stale = source === null;
    if (source === null) {
      this.#number += 1;
      this.pause();
      this.phase = 'stale';
      if (this.picture === '' && this.#wanted) void this.#ask();
      else this.#wanted = null;
      return;
    }
    const isFirst = this.#wanted === null && this.picture === '';
    this.#wanted = { source, modifications, hidden };
    if (!Array.isArray(source.elements) || source.elements.length === 0) {
      this.#wanted = null;
      this.#number += 1;
      this.pause();
      this.phase = 'blank';
      return;
    }
    this.live?.show(this.#wanted);
    // The first picture comes before all else: before the page is drawn, and before any sound is mixed.
    if (isFirst) void this.#ask();
    else {
      this.sound?.prepare({ source, modifications });
      this.#timer = setTimeout(() => void this.#ask(), this.#wait);
    }
  }

  /** The source as it is being typed, before it is checked and shown. */
  type(code: { readonly length: number; readonly text: string }): void {
    const isSame = this.#showsSame;
    // The canvas comes to the front with the letter in its field: what the worker draws is then seen without waiting
    // for the page.
    if (this.live?.type(code) === true && isSame && !this.playing) this.front = 'page';
  }

  /**
   * A text is typed in the picture: meanwhile the page's canvas is shown, where it is drawn at rest and as it is
   * written. '' for none.
   */
  typeIn(path: string): void {
    if (this.#typed === path) return;
    this.#typed = path;
    this.live?.typeIn(path);
    if (path !== '' || this.playing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), this.#wait);
  }

  /** The page's canvas and the server's picture show the same moment of the same document. */
  get #showsSame(): boolean {
    const { document, frame } = this.#pictured;
    return this.live?.shows(document, frame) === true;
  }

  /** The newest document can't be drawn here: the server's picture is as good as before. */
  #cover(): void {
    if (!this.playing && this.#showsSame) this.front = 'server';
  }

  /** Shows another moment, in seconds. */
  seek(time: number): void {
    this.#player.stop();
    this.#goTo(time);
  }

  /** Like `seek`, by hand: also plays the moment's sound briefly. */
  scrub(time: number): void {
    this.seek(time);
    this.sound?.scrub(this.time);
  }

  /** Steps frames forward or back. */
  step(frames: number): void {
    this.scrub((this.#frameNow + frames) / this.frameRate);
  }

  /** The wanted frame. */
  get #frameNow(): number {
    return Math.round(this.time * this.frameRate);
  }

  /** Plays in that direction; when it already does, faster. */
  shuttle(direction: 1 | -1): void {
    this.playback.shuttle(direction, this.playing);
    if (!this.playing) this.#play();
  }

  /** Makes the wanted frame the first or last of the played part. */
  mark(side: 'first' | 'last'): void {
    if (side === 'first') this.playback.beginAt(this.#frameNow, this.frameCount);
    else this.playback.endAt(this.#frameNow);
  }

  toEnd(): void {
    this.seek((this.frameCount - 1) / this.frameRate);
  }

  /** Draws the document again with what is known of its files now, e.g. after something was transcribed or spoken. */
  renew(): void {
    if (!this.#wanted) return;
    this.sound?.prepare(this.#wanted);
    // A new number asks for a new kit.
    this.live?.show(this.#wanted);
    void this.#ask();
  }

  /** Draws the wanted moment again. */
  retry(): void {
    void this.#ask();
  }

  toggle(): void {
    if (this.playing) {
      this.pause();
      return;
    }
    this.playback.rate = 1;
    this.#play();
  }

  pause(): void {
    const wasLive = this.playing && this.front === 'page';
    this.#player.stop();
    if (wasLive) void this.#ask();
  }

  close(): void {
    this.#player.stop();
    clearTimeout(this.#timer);
    this.#life.abort();
    this.sound?.close();
    this.live?.close();
  }

  #goTo(time: number): void {
    const last = (this.frameCount - 1) / this.frameRate;
    this.time = Math.max(0, Math.min(last, time));
    this.live?.draw(this.time, true);
    if (this.live?.isReady) {
      // An answer still to come would show another moment.
      this.#number += 1;
      this.#busy = false;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#ask(), this.#wait);
    } else if (this.#busy) this.#again = true;
    else void this.#ask();
  }

  #play(): void {
    if (this.frameCount <= 1) return;
    clearTimeout(this.#timer);
    void this.#player.start();
  }

  /** Asked after waiting, when it may have changed. */
  #isAskedAgain(): boolean {
    return this.#again;
  }

  /** Asked after waiting, when it may have changed. */
  #isClosedNow(): boolean {
    return this.isClosed;
  }

  #isNewest(number: number): boolean {
    return number === this.#number;
  }

  async #ask(): Promise<void> {
    const wanted = this.#wanted;
    if (!wanted || this.isClosed) return;
    const number = ++this.#number;
    this.#busy = true;
    this.#again = false;
    if (!this.playing) this.phase = 'drawing';
    // The first picture does not wait for what only the page's drawing needs.
    const comesFirst = this.picture === '' && this.sound !== null;
    try {
      const { live } = this;
      const document = live?.number ?? 0;
      const kit = live?.needsKit === true && !comesFirst && { kit: true };
      const question = { client: this.#client, ...wanted, time: this.time, side: this.#side };
      const answer = await call(previewRows.draw, {
        body: { ...question, ...kit },
        signal: this.#life.signal,
      });
      // Good for later moments of the document, too.
      if (answer.state === 'drawn' && answer.kit) live?.take(answer.kit, document);
      if (this.#isNewest(number)) this.#take(answer, document);
    } catch (problem) {
      if (this.#isNewest(number) && !this.#isClosedNow()) {
        this.phase = 'off';
        this.restarting = true;
        this.reason = problem instanceof Error ? problem.message : String(problem);
        this.#comeBack();
      }
    } finally {
      if (this.#isNewest(number)) {
        this.#busy = false;
        if (this.#isAskedAgain()) void this.#ask();
        else if (comesFirst) void this.#equip();
      }
    }
  }

  /**
   * Asks for the kit alone. When another question overtakes this one, that asks for it, too. Where the answer does not
   * come, it asks again: nothing else would, as long as nobody touches the preview.
   */
  async #equip(): Promise<void> {
    const { live } = this;
    const wanted = this.#wanted;
    if (!wanted || !live?.needsKit || this.isClosed) return;
    const document = live.number;
    const question = { client: this.#client, ...wanted, time: this.time, side: this.#side };
    const number = this.#number;
    try {
      const answer = await call(previewRows.draw, {
        body: { ...question, kit: true },
        signal: this.#life.signal,
      });
      if (answer.state === 'drawn' && answer.kit) live.take(answer.kit, document);
      if (answer.state !== 'restarting') return;
    } catch {
      // The server is away, or restarting as above.
    }
    if (this.#isNewest(number) && !this.#isClosedNow())
      this.#timer = setTimeout(() => void this.#equip(), restartPause);
  }

  /** A moment was drawn on the page's canvas. */
  #takeLive({ document, time, frame, outlines, clock }: LiveMoment): void {
    const { facts } = this;
    if (!facts) return;
    this.#player.took(time);
    const isPictured = this.#pictured.document === document && this.#pictured.frame === frame;
    // Wanted before another moment was, or of an older document than the one in the server's picture.
    const isPast =
      frame !== Math.round(this.time * clock.frameRate) || document < this.#pictured.document;
    if (!this.playing && (isPictured || isPast)) return;
    this.front = 'page';
    if (!this.playing)
      this.facts = { ...facts, ...clock, time, frame, ...(outlines && { outlines }) };
    else if (clock.frameCount !== facts.frameCount) this.facts = { ...facts, ...clock };
  }

  #take(answer: PreviewAnswer, document: number): void {
    switch (answer.state) {
      case 'drawn':
        // Asked for before it was played.
        if (this.playing && this.front === 'page' && this.live?.isReady === true) return;
        // Asked for before the change that the page shows already: places in it would be those of before.
        if (this.front === 'page' && this.live?.isReady === true && document !== this.live.number) {
          this.phase = this.#stale ? 'stale' : 'ready';
          return;
        }
        if (this.#typed !== '' && this.front === 'page' && this.live?.isReady === true) {
          this.#takeLists(answer);
          this.phase = this.#stale ? 'stale' : 'ready';
          return;
        }
        if (this.picture === '' && this.#wanted) this.sound?.prepare(this.#wanted);
        this.picture = answer.picture;
        this.facts = answer;
        this.front = 'server';
        this.#pictured = { document, frame: answer.frame };
        void this.live?.compare(answer.picture, document, answer.frame);
        this.#takeLists(answer);
        this.phase = this.#stale ? 'stale' : 'ready';
        // The document may have become shorter.
        if (!this.playing && !this.#again) this.time = answer.time;
        return;
      case 'invalid':
        this.phase = 'stale';
        return;
      case 'failed':
        this.pause();
        this.phase = 'failed';
        this.reason = answer.message;
        return;
      case 'superseded':
        return;
      default:
        this.pause();
        this.phase = 'off';
        this.restarting = answer.state === 'restarting';
        this.reason = answer.reason;
        if (this.restarting) this.#comeBack();
    }
  }

  /** Each keeps the same object while it says the same: the list of problems and the marks in the source follow it. */
  #takeLists({ elements, lengths, warnings }: Extract<PreviewAnswer, { state: 'drawn' }>): void {
    if (!isSame(this.elements, elements)) this.elements = elements;
    this.knowLengths(lengths);
    if (JSON.stringify(this.warnings) !== JSON.stringify(warnings)) this.warnings = warnings;
  }

  /** What is known of files, from the server or the library. */
  knowLengths(lengths: PreviewFacts['lengths']): void {
    const isNew = Object.entries(lengths).some(([file, seconds]) => this.lengths[file] !== seconds);
    if (isNew) this.lengths = { ...this.lengths, ...lengths };
  }

  #comeBack(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), restartPause);
  }
}

/** Whether both are the same; most pictures show another moment, or another word, of the same elements. */
function isSame(a: readonly CompiledElement[], b: readonly CompiledElement[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index];
      return (
        other?.path === one.path &&
        other.name === one.name &&
        other.track === one.track &&
        other.start === one.start &&
        other.duration === one.duration
      );
    })
  );
}
