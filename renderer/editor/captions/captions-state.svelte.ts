/**
 * The captions of one editor as a list of lines: which text's they are, what is said when, and every way to change
 * them. The first change of what was read from a file or heard writes the words into the document. Window only.
 */
import { wordsOfText } from '../../../shared/engine/compile/captions.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { readSubtitles } from '../../../shared/engine/subtitles.ts';
import { writtenWords } from '../../../shared/engine/written-words.ts';
import type { TimedWord } from '../../../shared/engine/transcript.ts';
import type { Cue } from '../../../shared/engine/compile/subtitle-file.ts';
import type { TranscriptFailure } from '../../../shared/api/preview.ts';
import type { Json, JsonObject, Problem, Source } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import {
  linesOf,
  startOf,
  type CaptionLine,
} from '../../../shared/engine/compile/caption-lines.ts';
import {
  addLine,
  joinLine,
  lineAt,
  moveEdge,
  shiftLine,
  splitLine,
  withText,
  withoutLine,
} from './lines.ts';
import { notPlayed } from './following.ts';
import { withHidden } from './hiding.ts';
import { keptIn, nothingKept, type Kept } from './kept.ts';
import { withTexts } from './pasted.ts';
import { isTall, timedWords } from '../making/pieces.ts';
import { newCaptions, valuesOf, type LookId } from './looks.ts';
import { cuesOf, secondText, speakersIn, withGiven, type Speaker } from './speakers.ts';
import { captionChanges, withWordList, wordList } from './written.ts';
import { PatchedText } from '../source/patch.ts';
import { appendItems, applied, parsePath, withoutProperties } from '../source/json-text.ts';
import { elementAt, type OutlineItem } from '../outline/elements.ts';
import { fetchSpeechModel, transcribeFile } from '../../frame/connection/preview.ts';
import { scheduleOf } from '../timeline/clips.ts';
import { hiddenKinds, type HiddenKind } from '../../../shared/hidden-words.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** Where the words of the chosen text come from: the document itself, or speech and files. */
export type CaptionOrigin = 'written' | 'heard';

export interface MissingWords {
  /** In the window's language. */
  readonly text: string;
  /** What the program that draws says of it, in English; '' where the text says all. */
  readonly quote: string;
}

/** What stands where there are no lines. */
export type CaptionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'lines'; readonly origin: CaptionOrigin }
  /** The server has not said yet what is spoken. */
  | { readonly kind: 'waiting' }
  /** A recording that is not transcribed yet, or another reason. */
  | { readonly kind: 'missing'; readonly reason: MissingWords };

/** A recording that is being transcribed, or why that ended. */
export type Transcribing =
  | {
      readonly kind: 'working';
      readonly file: number;
      readonly files: number;
      readonly share: number;
    }
  /** No recogniser is set up: a model would do, of so many bytes. */
  | { readonly kind: 'none'; readonly model: string; readonly bytes: number }
  | { readonly kind: 'fetching'; readonly share: number }
  | { readonly kind: 'failed'; readonly message: string };

interface Written {
  readonly source: Source;
  readonly path: string;
  readonly lines: readonly CaptionLine[];
}

export class CaptionsState {
  readonly #editor: TemplateEditor;
  /** The text that was chosen in the list. */
  #chosen = $state('');
  /** What was written a moment ago, until the document is read again. */
  #written = $state.raw<Written | null>(null);
  #stroke: { readonly index: number; readonly began: number; lines: unknown } | null = null;

  /** What the person asked to be transcribed; null for nothing. */
  transcribing = $state.raw<Transcribing | null>(null);
  #stop: AbortController | null = null;
  /** Path of the text whose speech is to be transcribed; '' for none. */
  #asked = $state('');

  /** All texts that follow speech. */
  readonly texts = $derived.by((): readonly OutlineItem[] => {
    const { document, outline } = this.#editor;
    const { source } = document;
    return outline.filter(
      ({ type, path }) => type === 'text' && source !== null && follows(elementAt(source, path)),
    );
  });

  /**
   * Path of the text whose captions are listed: what is selected, else what was chosen, else the first; '' for none.
   */
  readonly path = $derived.by((): string => {
    const has = (path: string): boolean => this.texts.some((item) => item.path === path);
    if (has(this.#editor.selected)) return this.#editor.selected;
    return has(this.#chosen) ? this.#chosen : (this.texts[0]?.path ?? '');
  });

  readonly #element = $derived.by((): JsonObject | null => {
    const { source } = this.#editor.document;
    return source && this.path !== '' ? elementAt(source, this.path) : null;
  });

  /** Most letters that are shown at once; null = no limit. */
  readonly maximum = $derived(parseAmount(this.#element?.transcript_maximum_length)?.value ?? null);

  readonly #words = $derived.by(
    ():
      | { readonly words: readonly TimedWord[]; readonly origin: CaptionOrigin }
      | MissingWords
      | null => {
      const given = this.#element?.transcript_source;
      try {
        const words = writtenWords(given, 'transcript_source', '');
        if (words) return { words, origin: 'written' };
      } catch (error) {
        if (error instanceof RenderError)
          return { text: say('captions.reason.unreadable'), quote: sentenceOf(error) };
        throw error;
      }
      const { preview, document } = this.#editor;
      const place = `${this.path}.transcript_source`;
      const found = preview.warnings.find(({ path }) => path === place);
      const warning = found ? reasonOf(found) : null;
      const heard = preview.live?.transcripts.get(this.path);
      const schedule = document.source && scheduleOf(document.source, preview.lengths);
      if (heard?.given !== given || !heard || !schedule) return warning;
      const words = wordsOfText(schedule, this.path, heard.transcript);
      return words.length === 0 && warning !== null ? warning : { words, origin: 'heard' };
    },
  );

  /** What the list keeps beside its lines; of words that are heard, what it will keep. */
  readonly kept = $derived.by((): Kept => {
    const given = this.#element?.transcript_source;
    if (typeof given !== 'string') return keptIn(given);
    const { preview, timeline } = this.#editor;
    const heard = preview.live?.transcripts.get(this.path);
    const { clips } = timeline;
    if (heard?.given !== given || heard.transcript.clock !== 'media' || !clips) return nothingKept;
    const { speeches } = heard.transcript;
    const files = speeches.flatMap(
      ({ elementPath }) => clips.byPath.get(elementPath)?.media?.source ?? [],
    );
    const follows = files.filter((file, at) => files.indexOf(file) === at);
    const aside = notPlayed(speeches, clips, this.maximum);
    return { ...nothingKept, follows, aside };
  });

  readonly state = $derived.by((): CaptionState => {
    if (this.path === '') return { kind: 'none' };
    const words = this.#words;
    if (words === null) return { kind: 'waiting' };
    return 'text' in words
      ? { kind: 'missing', reason: words }
      : { kind: 'lines', origin: words.origin };
  });

  readonly lines = $derived.by((): readonly CaptionLine[] => {
    const written = this.#written;
    if (written?.source === this.#editor.document.source && written.path === this.path)
      return written.lines;
    const words = this.#words;
    if (words === null || 'text' in words) return [];
    // Lines that have a number stay whole, and say as how many pages they are shown.
    const isNumbered = words.words.some(({ sentence }) => sentence !== null);
    return linesOf(words.words, isNumbered ? null : this.maximum);
  });

  /** Seconds from the beginning of the film to that of the text. */
  readonly offset = $derived.by(
    () => this.#editor.timeline.clips?.byPath.get(this.path)?.start ?? 0,
  );
  /** The playhead on the text's clock, in seconds. */
  readonly time = $derived.by(() => this.#editor.preview.time - this.offset);
  /** The line that is spoken, or was last. */
  readonly current = $derived(lineAt(this.lines, this.time + 1e-4));
  /** Nothing can be changed while the source is no JSON. */
  readonly isBroken = $derived.by(() => !this.#editor.document.readable);
  /** A frame, in seconds. */
  readonly frame = $derived.by(() => 1 / Math.max(1, this.#editor.preview.frameRate));

  /** The other speakers of the conversation. */
  readonly others = $derived.by((): readonly Speaker[] => {
    const { document, timeline } = this.#editor;
    const { source } = document;
    if (!source || this.kept.speaker === null) return [];
    const startIn = (path: string): number => timeline.clips?.byPath.get(path)?.start ?? 0;
    const texts = this.texts.filter(({ path }) => path !== this.path);
    return speakersIn(source, texts, startIn);
  });

  /** The lines of all who speak, in the order of the film. */
  readonly cues = $derived.by((): readonly Cue[] => {
    const label = this.texts.find(({ path }) => path === this.path)?.label ?? '';
    return cuesOf([
      { path: this.path, label, lines: this.lines, offset: this.offset },
      ...this.others,
    ]);
  });

  constructor(editor: TemplateEditor) {
    this.#editor = editor;
  }

  /** Lists the captions of another text. */
  choose(path: string): void {
    this.#chosen = path;
    this.#editor.select(path);
  }

  /** The playhead to a moment of the text, in seconds. */
  seek(time: number): void {
    const { preview } = this.#editor;
    // Words begin between frames: the frame that shows them is the next one.
    const frame = Math.ceil((time + this.offset) * preview.frameRate - 1e-3);
    preview.seek(frame / preview.frameRate);
  }

  /** Types into a line: part of one step until another line is typed into, or it is left. */
  type(index: number, text: string): void {
    const { document } = this.#editor;
    if (!document.readable) return;
    const stroke = this.#stroke;
    const goesOn = stroke?.index === index && stroke.lines === document.code.lines;
    // An empty line goes when it is left.
    if (text.trim() === '') return;
    const lines = withText(this.lines, index, text);
    const began = goesOn ? stroke.began : Date.now();
    const changes = captionChanges(document.text, this.path, lines, this.kept);
    document.code.stroke(changes, { began, goesOn, name: say('captions.step.correct') });
    this.#remember(lines);
    this.#stroke = { index, began, lines: document.code.lines };
  }

  /** The line was left: what is typed next is another step. */
  end(): void {
    this.#stroke = null;
  }

  /** @returns whether there was something to split */
  split(index: number, letter: number): boolean {
    const lines = splitLine(this.#fresh(), index, letter);
    if (lines) this.#write(lines, say('captions.step.split'));
    return lines !== null;
  }

  /** Joins a line to the one before. @returns the letter between them; null for the first line */
  join(index: number): number | null {
    const joined = joinLine(this.#fresh(), index);
    if (joined) this.#write(joined.lines, say('captions.step.join'));
    return joined?.letter ?? null;
  }

  remove(index: number): void {
    this.#write(withoutLine(this.#fresh(), index), say('captions.step.remove'));
  }

  /** Hides words of a kind, or shows them again: in one step, also of what is outside of the clip now. */
  hide(kind: HiddenKind, hides: boolean): void {
    const lines = this.#fresh();
    const { kept } = this;
    const kinds = hiddenKinds.filter((one) => (one === kind ? hides : kept.hides.includes(one)));
    const made = withHidden({ lines, kept }, kinds);
    this.#write(made.lines, say(`captions.step.hide.${kind}`), made.kept);
  }

  /** Gives a line to the other speaker, whose text is added with the first one. One step. */
  give(index: number): void {
    const lines = this.#fresh();
    const [line, element] = [lines[index], this.#element];
    const { document, outline } = this.#editor;
    if (!line || !element || !document.readable) return;
    this.end();
    const { path } = this;
    const kept = { ...this.kept, speaker: this.kept.speaker ?? 1 };
    const left = withoutLine(lines, index);
    const without = withWordList(document.text, path, wordList(left, kept));
    const [other] = this.others;
    const names = outline.map(({ label }) => label);
    const own = { ...nothingKept, follows: kept.follows, speaker: 2 };
    const text = other
      ? withWordList(
          without,
          other.path,
          wordList(withGiven(other.lines, line, this.offset - other.offset), other.kept),
        )
      : applied(
          without,
          appendItems(without, parsePath(path.slice(0, path.lastIndexOf('['))), [
            { ...secondText(element, this, names), transcript_source: wordList([line], own) },
          ]),
        );
    document.namedStep(differenceOf(document.text, text), say('captions.step.give'));
    this.#remember(left);
  }

  /** Shifts a line, or it and all after it, by seconds. */
  shift(index: number, by: number, which: 'one' | 'following'): void {
    this.#write(shiftLine(this.#fresh(), index, by, which), say('captions.step.shift'));
  }

  /** Moves an edge of a line to a moment, in seconds on the film's clock. */
  moveEdge(index: number, edge: 'start' | 'end', time: number): void {
    const lines = moveEdge(this.#fresh(), index, edge, time - this.offset);
    this.#write(lines, say('captions.step.time'));
  }

  /**
   * Adds a line after another one; it begins at the playhead if that is in the gap.
   *
   * @returns its index
   */
  add(after: number): number {
    const lines = this.#fresh();
    const { time } = this;
    const next = lines[after + 1];
    const isInGap = next === undefined || time < startOf(next);
    this.#write(
      addLine(lines, after, say('captions.newLine'), isInGap ? time : null),
      say('captions.step.add'),
    );
    return after + 1;
  }

  /**
   * Puts lines of text in place of one.
   *
   * @returns the index of the last one
   */
  paste(index: number, texts: readonly string[]): number {
    const end = (this.#editor.timeline.clips?.duration ?? 0) - this.offset;
    const lines = withTexts(this.#fresh(), index, texts, end);
    this.#write(lines, say('captions.step.add'));
    return index + texts.length - 1;
  }

  /**
   * Replaces all lines by those of a subtitle file; without a text for them, one is added.
   *
   * @returns how many there are, and how many words lie before the text begins and were left out
   * @throws RenderError naming the line that can't be read
   */
  import(text: string, name: string): { readonly lines: number; readonly left: number } {
    const words = readSubtitles(text, name, '').map((word) => ({
      ...word,
      start: word.start - this.offset,
      end: word.end - this.offset,
    }));
    const inside = words.filter(({ end }) => end > 0);
    const lines = linesOf(inside, null);
    if (this.path === '') this.addText(wordList(lines));
    else {
      const { speaker } = this.kept;
      this.#write(lines, say('captions.step.import'), { ...nothingKept, speaker });
    }
    return { lines: lines.length, left: words.length - inside.length };
  }

  /** Gives the text a style; its place and size stay. */
  setLook(id: LookId): void {
    const { document } = this.#editor;
    document.settle();
    if (!document.readable || this.path === '') return;
    const values = Object.entries(valuesOf(id));
    const gone = values.flatMap(([name, value]) =>
      value === undefined ? [[...parsePath(this.path), name]] : [],
    );
    const set = values.flatMap(([name, value]) =>
      value === undefined ? [] : [[`${this.path}.${name}`, value] as const],
    );
    const without = withoutProperties(document.text, gone);
    const text = new PatchedText(without).with(Object.fromEntries(set));
    document.namedStep(differenceOf(document.text, text), say('captions.step.look'));
  }

  /**
   * Captions in a style: those that are there get it; else new ones come, of the speech of the only one who speaks,
   * or with words to be replaced.
   */
  put(id: LookId): void {
    if (this.path !== '') {
      this.setLook(id);
      this.#editor.select(this.path);
      return;
    }
    const { source } = this.#editor.document;
    const [speaker, another] = this.speakers;
    const only = source && speaker && !another ? elementAt(source, speaker.path) : null;
    if (typeof only?.name === 'string' && only.name !== '') this.follow(only.name, id);
    else this.addText(timedWords(say('piece.captions.words')), id);
  }

  /** Adds a text with captions: of the words given, or of the speech of an element. */
  addText(source: Json, look?: LookId): void {
    const element = newCaptions(source, isTall(this.#editor.document.source), look);
    this.#editor.adding.addElement(say('captions.name'), element, { time: 0 });
  }

  /** Adds a text with the speech of an element, which is transcribed as soon as its file is known. */
  follow(source: Json, look?: LookId): void {
    this.addText(source, look);
    this.#asked = this.#editor.selected;
  }

  /** The captions that are listed were asked for with one press: nothing more needs to be pressed. */
  get isAsked(): boolean {
    return this.#asked !== '' && this.#asked === this.path;
  }

  /** Adds a text with one line, to be typed over. */
  addTyped(): void {
    this.addText(wordList(addLine([], -1, say('captions.newLine'))));
  }

  /** IDs of the files that the text follows, as far as the page knows them. */
  readonly recordings = $derived.by((): readonly string[] => {
    const { document, preview, outline } = this.#editor;
    const given = this.#element?.transcript_source;
    const { source } = document;
    if (typeof given !== 'string' || !source || !preview.live) return [];
    const sources = [given, ...sourcesNamed(given, source, outline)];
    const ids = sources.flatMap((one) => preview.live?.files.get(one)?.id ?? []);
    return ids.filter((id, at) => ids.indexOf(id) === at);
  });

  /** Has what the text follows transcribed, file by file; the next picture brings the words. */
  async transcribe(): Promise<void> {
    this.stop();
    this.#asked = '';
    const stop = new AbortController();
    this.#stop = stop;
    const files = this.recordings;
    try {
      for (const [file, id] of files.entries()) {
        const tell = (share: number): void => {
          if (!stop.signal.aborted)
            this.transcribing = { kind: 'working', file: file + 1, files: files.length, share };
        };
        tell(0);
        const end = await transcribeFile(id, stop.signal, tell);
        if (stop.signal.aborted) return;
        if (end.state !== 'ready') {
          this.transcribing =
            end.state === 'none'
              ? { kind: 'none', model: end.model, bytes: end.bytes }
              : { kind: 'failed', message: failureOf(end) };
          return;
        }
      }
      this.transcribing = null;
      this.#editor.preview.renew();
    } catch (error) {
      if (stop.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      this.transcribing = { kind: 'failed', message };
    }
  }

  /** Fetches a model that was offered; then the recordings are transcribed. */
  async fetchModel(model: string): Promise<void> {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    const tell = (share: number): void => {
      if (!stop.signal.aborted) this.transcribing = { kind: 'fetching', share };
    };
    tell(0);
    try {
      const end = await fetchSpeechModel(model, stop.signal, tell);
      if (stop.signal.aborted) return;
      if (end?.state === 'ready') await this.transcribe();
      else {
        const message = end?.message ?? say('captions.transcribe.lost');
        this.transcribing = { kind: 'failed', message };
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      this.transcribing = { kind: 'failed', message };
    }
  }

  /** Ends it; nothing is kept of a recording that is not finished. */
  stop(): void {
    this.#stop?.abort();
    this.#stop = null;
    this.transcribing = null;
  }

  /** Videos and sounds whose speech a new text could follow. */
  readonly speakers = $derived.by((): readonly OutlineItem[] =>
    this.#editor.outline.filter(({ type }) => type === 'video' || type === 'audio'),
  );

  /** The lines of the text as it is now: right after an undo it is not read yet. */
  #fresh(): readonly CaptionLine[] {
    this.#editor.document.settle();
    return this.lines;
  }

  #write(lines: readonly CaptionLine[], name: string, kept = this.kept): void {
    const { document } = this.#editor;
    this.end();
    document.settle();
    if (!document.readable || this.path === '') return;
    document.namedStep(captionChanges(document.text, this.path, lines, kept), name);
    this.#remember(lines);
  }

  #remember(lines: readonly CaptionLine[]): void {
    const { source } = this.#editor.document;
    if (source) this.#written = { source, path: this.path, lines };
  }
}

/** Files of the element with a name or ID, or of all in a composition that is called so. */
function sourcesNamed(
  name: string,
  source: Source,
  outline: readonly OutlineItem[],
): readonly string[] {
  const wanted = name.trim().toLowerCase();
  const named = outline.find(({ path }) => {
    const element = elementAt(source, path);
    return [element?.name, element?.id].some(
      (word) => typeof word === 'string' && word.trim().toLowerCase() === wanted,
    );
  });
  if (!named) return [];
  const inside = outline.filter(
    ({ path }) => path === named.path || path.startsWith(`${named.path}.`),
  );
  return inside.flatMap(({ path, type }) => {
    const file = elementAt(source, path)?.source;
    return (type === 'video' || type === 'audio') && typeof file === 'string' ? [file] : [];
  });
}

function follows(element: JsonObject | null): boolean {
  const given = element?.transcript_source;
  return given !== undefined && given !== null && given !== '';
}

/** A warning about a text's captions, in words. */
function reasonOf({ code, message }: Pick<Problem, 'code' | 'message'>): MissingWords {
  if (code === 'not_transcribed') return { text: say('captions.reason.notHeard'), quote: '' };
  if (code === 'no_speech') return { text: say('captions.reason.silent'), quote: '' };
  return { text: say('captions.reason.unusable'), quote: message };
}

/** Why transcribing ended, in words; the recogniser's own are quoted. */
function failureOf({ why, message }: TranscriptFailure): string {
  return why === 'recogniser' ? message : say(`captions.transcribe.${why}`);
}

/** What an error of the language says, without its beginning. */
export function sentenceOf(error: RenderError): string {
  return error.message.replace(/^Source error: [^:]*: /, '');
}
