/** The media library as a dialog shows it: its files, what is being added, what was chosen from the list. Window only. */
import type { WindowMedia } from '../../../shared/api.ts';
import { localeInUse, say } from '../../lib/say.ts';
import { finder } from '../../lib/lists/search.ts';
import { addMedia, loadMedia, mediaUses, removeMedia } from '../../editor/requests.ts';
import type { AppState } from '../app.svelte.ts';

/** What is shown: one kind of file, or all. */
export type MediaFilter = WindowMedia['kind'] | 'all';

/** `looking`: sent, and the server finds out what it is. */
export type UploadPhase = 'waiting' | 'sending' | 'looking' | 'failed';

/** A file on its way into the library. */
export class Upload {
  readonly file: File;
  phase = $state<UploadPhase>('waiting');
  /** Bytes. */
  sent = $state(0);
  /** Why it failed. */
  problem = $state('');
  readonly life = new AbortController();

  constructor(file: File) {
    this.file = file;
  }

  /** 0 to 100. */
  get percent(): number {
    return this.file.size === 0 ? 100 : (this.sent / this.file.size) * 100;
  }
}

/** The library. What is on its way goes on when the dialog is closed. */
export class MediaLibrary {
  loading = $state<'loading' | 'ready' | 'error'>('loading');
  files = $state.raw<readonly WindowMedia[]>([]);
  uploads = $state.raw<readonly Upload[]>([]);
  search = $state('');
  filter = $state<MediaFilter>('all');
  /** ID of the file that is selected; '' for none. */
  selected = $state('');

  readonly #app: AppState;
  #busy = false;
  #closed = false;

  /** Those that are searched for, newest first. */
  readonly shown = $derived.by(() => {
    const isFound = finder(this.search);
    return this.files.filter(
      ({ kind, name }) => (this.filter === 'all' || kind === this.filter) && isFound(name),
    );
  });
  /** The selected one, while it is shown. */
  readonly current = $derived(this.shown.find(({ id }) => id === this.selected) ?? null);

  constructor(app: AppState, filter: MediaFilter) {
    this.#app = app;
    this.filter = filter;
  }

  /** Loads the list. */
  async load(): Promise<void> {
    this.loading = 'loading';
    try {
      this.files = await loadMedia();
      this.loading = 'ready';
    } catch {
      this.loading = 'error';
    }
  }

  /** How many files of a kind there are. */
  count(filter: MediaFilter): number {
    return this.files.filter(({ kind }) => filter === 'all' || kind === filter).length;
  }

  /** Adds files one after the other. The last one is selected when it is there. */
  add(files: readonly File[]): void {
    this.uploads = [...this.uploads, ...files.map((file) => new Upload(file))];
    void this.#work();
  }

  /** Stops an upload, or removes a failed one from the list. */
  drop(upload: Upload): void {
    this.uploads = this.uploads.filter((other) => other !== upload);
    upload.life.abort();
  }

  /** Tries a failed upload again. */
  retry(upload: Upload): void {
    upload.phase = 'waiting';
    void this.#work();
  }

  /** Permanently removes a file, after asking. Shows errors. */
  async remove({ id, name }: WindowMedia): Promise<void> {
    await this.#app.attempt(async () => {
      const uses = await mediaUses(id);
      const isWanted = await this.#app.dialogs.ask({
        title: say('media.remove.title', { name }),
        text:
          uses.length === 0
            ? say('media.remove.unused')
            : say('media.remove.used', { count: uses.length, names: listed(uses) }),
        yes: say('media.remove.yes'),
        no: say('editor.dialog.cancel'),
        danger: true,
      });
      if (!isWanted) return;
      await removeMedia(id);
      const place = this.shown.findIndex((file) => file.id === id);
      this.files = this.files.filter((file) => file.id !== id);
      this.selected = (this.shown[place] ?? this.shown.at(-1))?.id ?? '';
    });
  }

  /** The dialog closes: a toast reports uploads still under way. */
  close(): void {
    this.#closed = true;
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next; next = this.#next()) await this.#send(next);
    this.#busy = false;
  }

  #next(): Upload | undefined {
    return this.uploads.find(({ phase }) => phase === 'waiting');
  }

  async #send(upload: Upload): Promise<void> {
    const { file, life } = upload;
    upload.phase = 'sending';
    upload.sent = 0;
    try {
      const added = await addMedia(file, life.signal, (bytes) => {
        upload.sent = bytes;
        if (bytes >= file.size) upload.phase = 'looking';
      });
      this.drop(upload);
      this.#take(added);
    } catch (reason) {
      if (life.signal.aborted) return;
      upload.problem = reason instanceof Error ? reason.message : String(reason);
      upload.phase = 'failed';
      if (this.#closed) this.#app.messages.showProblem(reason);
    }
  }

  #take(added: WindowMedia): void {
    this.files = [added, ...this.files.filter(({ id }) => id !== added.id)];
    this.selected = added.id;
    // What was just added must be seen.
    if (!this.shown.includes(added)) {
      this.search = '';
      if (this.filter !== added.kind) this.filter = 'all';
    }
    const told = say('media.added', { name: added.name });
    if (this.#closed) this.#app.messages.show(told);
    else this.#app.messages.speak(told);
  }
}

/** The first names, as many as a question can hold. */
function listed(names: readonly string[]): string {
  const most = 3;
  const rest = names.length - most;
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  if (rest > 0) shown.push(say('media.remove.more', { count: rest }));
  return new Intl.ListFormat(localeInUse(), { style: 'short' }).format(shown);
}
