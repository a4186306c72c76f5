/**
 * Speech models in the settings: those of the table and files of one's own, fetched, stopped, gone on with, added and
 * removed. What is fetched goes on while another page is shown. Window only.
 */
import { SvelteMap } from 'svelte/reactivity';
import { speechRows, type KeptSpeechModel, type SpeechModels } from '../../shared/api/speech.ts';
import { firstSpeechModel, speechModelNamed, speechModels } from '../../shared/speech-models.ts';
import { call } from '../frame/connection/call.ts';
import { fetchSpeechModel } from '../frame/connection/preview.ts';
import { upload } from '../frame/connection/uploads.ts';
import type { WindowParts } from '../frame/window-parts.svelte.ts';
import { say } from '../ui/say.ts';
import { Uploads } from '../ui/uploads.svelte.ts';

export type ModelState =
  | { readonly kind: 'absent' }
  /** Fetched in part, and stopped. */
  | { readonly kind: 'begun'; readonly bytes: number }
  | { readonly kind: 'fetching'; readonly share: number; readonly stop: AbortController }
  | { readonly kind: 'there' };

const families = ['tiny', 'base', 'small', 'medium', 'large', 'silero'] as const;

export interface ModelRow {
  /** As the setting has it. */
  readonly name: string;
  /** As people read it. */
  readonly title: string;
  /** What it is good for. */
  readonly about: string;
  readonly bytes: number;
  readonly state: ModelState;
  /** It recognises now. */
  readonly isUsed: boolean;
  /** It recognises words; else it only finds where somebody speaks. */
  readonly hears: boolean;
  /** A file of one's own: it can't be fetched again. */
  readonly isOwn: boolean;
  /** Shown at once: it is there, on its way, or a good first one. */
  readonly isFirst: boolean;
  /** Why it could not be fetched; '' if nothing went wrong. */
  readonly problem: string;
}

/** Models that are offered before all others: the first one, the best for its size, and the finder of voices. */
const offered = [firstSpeechModel, 'large-v3-turbo-q5_0', 'silero-vad'];

/** Files by whose names they may be models; the server decides by their content. */
export const modelFiles = /\.bin$/i;

/** `small-q5_1` → Small, compact. A file of one's own keeps its name. */
export function titleOf(name: string): string {
  const [family = '', ...rest] = name.split('-');
  if (!speechModelNamed(name)) return name;
  if (family === 'silero') return say('speech.finder');
  // How many bits a number has: of 16.
  const bits = /^q(\d)/.exec(rest.at(-1) ?? '')?.[1];
  const words = [family, ...(bits === undefined ? rest : rest.slice(0, -1))];
  const title = words
    .map((word) => word.replace(/^[a-uw-z]/, (one) => one.toUpperCase()))
    .join(' ');
  if (bits === undefined) return title;
  return say(Number(bits) < 8 ? 'speech.compact' : 'speech.lessCompact', { name: title });
}

function aboutOf(name: string): string {
  const family = families.find((one) => name.startsWith(one));
  return family && speechModelNamed(name) ? say(`speech.about.${family}`) : say('speech.about.own');
}

/** The parts of the window that they use and change. */
type UsedParts = Pick<WindowParts, 'attempt' | 'dialogs' | 'messages'>;

export class SpeechModelsState {
  loading = $state<'loading' | 'ready' | 'error'>('loading');
  #found = $state.raw<SpeechModels>({ models: [], inUse: null, named: null });
  /** Those that are being fetched, by name. */
  readonly #fetching = new SvelteMap<string, Extract<ModelState, { kind: 'fetching' }>>();
  /** Why some could not be, by name. */
  readonly #problems = new SvelteMap<string, string>();
  /** How many places show the list now. */
  #shownAt = 0;

  readonly uploads = new Uploads<KeptSpeechModel>({
    send: (file, signal, onSent) =>
      upload(speechRows.add, [{ query: { name: file.name } }], file, signal, onSent),
    onDone: ({ name }) => this.#tellThere(name),
    onFailed: (reason) => {
      if (this.#shownAt === 0) this.#app.messages.showProblem(reason);
    },
  });

  readonly #app: UsedParts;

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /** Those of the table, then files of one's own. */
  readonly rows = $derived.by((): readonly ModelRow[] => {
    const own = this.#found.models.filter(({ name }) => !speechModelNamed(name));
    return [
      ...speechModels.map(({ name, bytes, hears }) => this.#rowOf(name, bytes, hears, false)),
      ...own.map(({ name, bytes }) => this.#rowOf(name, bytes, true, true)),
    ];
  });

  /** Those that can recognise. */
  readonly usable = $derived.by(() =>
    this.rows.filter(({ hears, state }) => hears && state.kind === 'there'),
  );

  /** What the environment names in place of the models. */
  readonly named = $derived.by(() => this.#found.named);

  /** Keeps the list current while it is shown. For an effect. */
  show(): () => void {
    this.#shownAt += 1;
    void this.load();
    return () => (this.#shownAt -= 1);
  }

  /** Loads the list; what is there stays meanwhile. Never rejects. */
  async load(): Promise<void> {
    try {
      this.#found = await call(speechRows.models);
      this.loading = 'ready';
    } catch {
      this.loading = 'error';
    }
  }

  /** Fetches a model, from where an earlier try stopped. Never rejects: its row says what went wrong. */
  async fetch(name: string): Promise<void> {
    if (this.#fetching.has(name)) return;
    const stop = new AbortController();
    const tell = (share: number): void => {
      if (!stop.signal.aborted) this.#fetching.set(name, { kind: 'fetching', share, stop });
    };
    this.#problems.delete(name);
    const begun = this.#found.models.find((one) => one.name === name)?.bytes ?? 0;
    tell(begun / (speechModelNamed(name)?.bytes ?? Infinity));
    try {
      const end = await fetchSpeechModel(name, stop.signal, tell);
      if (end?.state === 'ready') this.#tellThere(name);
      else if (!stop.signal.aborted) this.#fail(name, end?.message ?? say('speech.lost'));
    } catch (reason) {
      if (!stop.signal.aborted)
        this.#fail(name, reason instanceof Error ? reason.message : String(reason));
    } finally {
      // One that was stopped may have begun again.
      if (this.#fetching.get(name)?.stop === stop) this.#fetching.delete(name);
      await this.load();
    }
  }

  /** Stops fetching; what has arrived stays, and the next fetch goes on from there. */
  stop(name: string): void {
    this.#fetching.get(name)?.stop.abort();
    this.#fetching.delete(name);
  }

  /** Removes a model, or what was fetched of it, after asking. Shows errors. @returns whether it is gone */
  async remove({ name, title, isOwn }: ModelRow): Promise<boolean> {
    const isWanted = await this.#app.dialogs.ask({
      title: say('speech.remove.title', { name: title }),
      text: say(isOwn ? 'speech.remove.own' : 'speech.remove.again'),
      yes: say('fonts.remove.yes'),
      no: say('ask.no'),
      danger: true,
    });
    if (!isWanted) return false;
    const isGone = await this.#app.attempt(() => call(speechRows.remove, { params: { name } }));
    if (isGone) this.#app.messages.speak(say('speech.removed', { name: title }));
    await this.load();
    return isGone;
  }

  #rowOf(name: string, bytes: number, hears: boolean, isOwn: boolean): ModelRow {
    const state = this.#stateOf(name);
    return {
      ...{ name, title: titleOf(name), about: aboutOf(name), bytes, state, hears, isOwn },
      isUsed: this.#found.inUse === name,
      isFirst: state.kind !== 'absent' || offered.includes(name),
      problem: this.#problems.get(name) ?? '',
    };
  }

  #stateOf(name: string): ModelState {
    const now = this.#fetching.get(name);
    if (now) return now;
    const kept = this.#found.models.find((one) => one.name === name);
    if (!kept) return { kind: 'absent' };
    return kept.isWhole ? { kind: 'there' } : { kind: 'begun', bytes: kept.bytes };
  }

  #tellThere(name: string): void {
    const text = say('speech.there', { name: titleOf(name) });
    if (this.#shownAt > 0) this.#app.messages.speak(text);
    else this.#app.messages.show(text);
    void this.load();
  }

  #fail(name: string, message: string): void {
    this.#problems.set(name, message);
    if (this.#shownAt === 0) this.#app.messages.show(message, { tone: 'problem' });
  }
}
