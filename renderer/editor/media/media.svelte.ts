/**
 * The media library as a dialog shows it: its files, what is being added, what was chosen from the list. Window only.
 */
import { call } from '../../frame/connection/call.ts';
import { mediaRows } from '../../../shared/api/media.ts';
import type { WindowMedia } from '../../../shared/api.ts';
import { listedNames } from '../../ui/format.ts';
import { mediaKinds } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import { finder } from '../../ui/search.ts';
import { addMedia, mediaAddress } from '../../frame/connection/uploads.ts';
import type { AppState } from '../../frame/app.svelte.ts';
import { Uploads } from '../../ui/uploads.svelte.ts';

/** What is shown: one kind of file, or all. */
export type MediaFilter = WindowMedia['kind'] | 'all';

/** The library. What is on its way goes on when the dialog is closed. */
export class MediaLibrary {
  loading = $state<'loading' | 'ready' | 'error'>('loading');
  files = $state.raw<readonly WindowMedia[]>([]);
  search = $state('');
  filter = $state<MediaFilter>('all');
  /** IDs of the files that are selected, in the order in which they were. */
  picked = $state.raw<readonly string[]>([]);
  /** Those of them that were added just now. */
  #added: readonly string[] = [];

  /** What is being added. The last one is selected when it is there. */
  readonly uploads = new Uploads<WindowMedia>({
    send: addMedia,
    onDone: (added) => this.#take(added),
    onFailed: (reason) => {
      if (this.#closed) this.#app.messages.showProblem(reason);
    },
  });

  /** What is heard of it. */
  readonly listening = new Listening((_, { name }) => {
    this.#app.messages.show(say('media.unplayable', { name }), { tone: 'problem' });
  });

  /** Kinds of files that are shown. */
  readonly offered: readonly WindowMedia['kind'][];
  readonly #app: AppState;
  #closed = false;

  /** Those that are searched for, newest first. */
  readonly shown = $derived.by(() => {
    const isFound = finder(this.search);
    return this.files.filter(
      ({ kind, name }) => (this.filter === 'all' || kind === this.filter) && isFound(name),
    );
  });
  /** The selected ones that are shown, in that order. */
  readonly chosen = $derived(
    this.picked.flatMap((id) => this.shown.find((file) => file.id === id) ?? []),
  );
  /** The selected one, while it is shown; the last of several. */
  readonly current = $derived(this.shown.find(({ id }) => id === this.selected) ?? null);

  /** @param offered Default: only tables of colors, or all but those, as the filter begins. */
  constructor(
    app: AppState,
    filter: MediaFilter,
    offered: readonly WindowMedia['kind'][] = filter === 'lut' ? ['lut'] : mediaKinds,
  ) {
    this.#app = app;
    this.filter = filter;
    this.offered = offered;
  }

  /** ID of the file that is selected, the last of several; '' for none. */
  get selected(): string {
    return this.picked.at(-1) ?? '';
  }

  set selected(id: string) {
    this.picked = id === '' ? [] : [id];
  }

  /** Several are selected by hand, not because they were added together. */
  get several(): boolean {
    return this.picked.length > 1 && !this.picked.every((id) => this.#added.includes(id));
  }

  /**
   * Selects a file beside others.
   *
   * @param how `toggle`: it alone changes; `range`: all from the last one on.
   */
  pick(id: string, how: 'toggle' | 'range'): void {
    this.#added = [];
    const rest = this.picked.filter((one) => one !== id);
    if (how === 'toggle') {
      this.picked = this.picked.includes(id) ? rest : [...rest, id];
      return;
    }
    const ids = this.shown.map((file) => file.id);
    const [from, to] = [ids.indexOf(this.picked[0] ?? id), ids.indexOf(id)];
    const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
    this.picked = from <= to ? range : range.reverse();
  }

  pickAll(): void {
    this.#added = [];
    this.picked = this.shown.map(({ id }) => id);
  }

  #offers({ kind }: WindowMedia): boolean {
    return this.offered.includes(kind);
  }

  async load(): Promise<void> {
    this.loading = 'loading';
    try {
      this.files = (await call(mediaRows.list)).filter((file) => this.#offers(file));
      this.loading = 'ready';
    } catch {
      this.loading = 'error';
    }
  }

  count(filter: MediaFilter): number {
    return this.files.filter(({ kind }) => filter === 'all' || kind === filter).length;
  }

  /** Permanently removes a file, after asking. Shows errors. */
  async remove({ id, name }: WindowMedia): Promise<void> {
    await this.#app.attempt(async () => {
      const uses = await call(mediaRows.uses, { params: { id } });
      const isWanted = await this.#app.dialogs.ask({
        title: say('media.remove.title', { name }),
        text:
          uses.length === 0
            ? say('media.remove.unused')
            : say('media.remove.used', { count: uses.length, names: listedNames(uses) }),
        yes: say('media.remove.yes'),
        no: say('editor.dialog.cancel'),
        danger: true,
      });
      if (!isWanted) return;
      await call(mediaRows.remove, { params: { id } });
      if (this.listening.current === id) this.listening.stop();
      const place = this.shown.findIndex((file) => file.id === id);
      this.files = this.files.filter((file) => file.id !== id);
      this.selected = (this.shown[place] ?? this.shown.at(-1))?.id ?? '';
    });
  }

  /** The dialog closes: nothing is heard any more, and a toast reports uploads still under way. */
  close(): void {
    this.#closed = true;
    this.listening.stop();
  }

  #take(added: WindowMedia): void {
    const told = say('media.added', { name: added.name });
    if (!this.#offers(added)) {
      this.#app.messages.show(told);
      return;
    }
    this.files = [added, ...this.files.filter(({ id }) => id !== added.id)];
    // Those that come together are selected together.
    const isGoingOn = this.picked.every((id) => this.#added.includes(id));
    this.#added = isGoingOn ? [...this.picked, added.id] : [added.id];
    this.picked = this.#added.filter((id, index) => this.#added.indexOf(id) === index);
    // What was just added must be seen.
    if (!this.shown.includes(added)) {
      this.search = '';
      if (this.filter !== added.kind) this.filter = 'all';
    }
    if (this.#closed) this.#app.messages.show(told);
    else this.#app.messages.speak(told);
  }
}

/* Plays a sound of the media library, one at a time, as its tile and the panel's button ask. */

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
