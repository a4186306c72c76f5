/**
 * The earlier versions of the template being edited: the list, and the chosen one beside the present state. Window
 * only.
 */
import { call } from '../../frame/connection/call.ts';
import { previewRows } from '../../../shared/api/preview.ts';
import { versionRows } from '../../../shared/api/templates.ts';
import type { WindowVersion } from '../../../shared/api.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { storedText } from './stored-template.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';

/** Longest side of a picture, in pixels. */
const side = 640;
/** Quiet before pictures of another moment are drawn, in ms. */
const quiet = 120;

/** A picture of a document: not yet there, there, or why it can't be. */
export type VersionPicture =
  | { readonly state: 'drawing' }
  | { readonly state: 'drawn'; readonly picture: string; readonly duration: number }
  | { readonly state: 'failed' };

/** The versions of one template. Call `open()` once, `close()` at the end. */
export class VersionsState {
  loading = $state<'loading' | 'ready' | 'error'>('loading');
  list = $state.raw<readonly WindowVersion[]>([]);
  chosen = $state.raw<WindowVersion | null>(null);
  /** The chosen document as the editor would show it; null while it is not there. */
  text = $state.raw<string | null>(null);
  /** Why the chosen one can't be shown; '' if it can. */
  problem = $state('');
  /** Seconds; the moment of both pictures. */
  time = $state(0);
  before = $state.raw<VersionPicture>({ state: 'drawing' });
  now = $state.raw<VersionPicture>({ state: 'drawing' });

  readonly #editor: TemplateEditor;
  #source: Source | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Ends the questions of the choice before. */
  #asking = new AbortController();

  constructor(editor: TemplateEditor) {
    this.#editor = editor;
    this.time = editor.preview.time;
  }

  /** Loads the list and chooses the newest version. */
  async open(): Promise<void> {
    this.loading = 'loading';
    try {
      this.list = (await call(versionRows.list, { params: { id: this.#editor.id } })).versions;
      this.loading = 'ready';
    } catch {
      this.loading = 'error';
      return;
    }
    const [newest] = this.list;
    if (newest) await this.choose(newest);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
  }

  /** Loads a version and draws it beside the present state. */
  async choose(version: WindowVersion): Promise<void> {
    this.close();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.chosen = version;
    this.text = null;
    this.problem = '';
    this.before = { state: 'drawing' };
    try {
      const source = await call(versionRows.document, {
        params: { id: this.#editor.id, version: version.id },
        signal,
      });
      if (signal.aborted) return;
      this.#source = source;
      this.text = storedText({ name: '', tags: [], updatedAt: version.savedAt }, source, []).text;
      await this.#draw(signal);
    } catch (reason) {
      if (!signal.aborted) this.problem = reason instanceof Error ? reason.message : String(reason);
    }
  }

  /** Shows another moment in both pictures, after a moment of quiet. */
  seek(time: number): void {
    this.time = time;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#draw(this.#asking.signal).catch(() => undefined);
    }, quiet);
  }

  async #draw(signal: AbortSignal): Promise<void> {
    const present = this.#editor.document.isDrawable ? this.#editor.document.source : null;
    [this.before, this.now] = await Promise.all([
      this.#picture('version', this.#source, this.before, signal),
      this.#picture('present', present, this.now, signal),
    ]);
  }

  /** @param shown What stays when a newer question has overtaken this one. */
  async #picture(
    which: string,
    source: Source | null,
    shown: VersionPicture,
    signal: AbortSignal,
  ): Promise<VersionPicture> {
    if (!source) return { state: 'failed' };
    const client = `${this.#editor.id.slice(0, 36)}-${which}`;
    const answer = await call(previewRows.draw, {
      body: { client, source, time: this.time, side },
      signal,
    });
    if (answer.state === 'superseded') return shown;
    if (answer.state !== 'drawn') return { state: 'failed' };
    return { state: 'drawn', picture: answer.picture, duration: answer.duration };
  }

  /** Names the chosen version; '' takes its name away. @throws RequestProblem */
  async rename(name: string): Promise<void> {
    const { chosen } = this;
    if (!chosen) return;
    const renamed = await call(versionRows.rename, {
      params: { id: this.#editor.id, version: chosen.id },
      body: { name: name === '' ? null : name },
    });
    this.list = this.list.map((one) => (one.id === renamed.id ? renamed : one));
    this.chosen = renamed;
  }

  /** Removes the chosen version and chooses its neighbour. @throws RequestProblem */
  async remove(): Promise<void> {
    const { chosen } = this;
    if (!chosen) return;
    await call(versionRows.remove, { params: { id: this.#editor.id, version: chosen.id } });
    const at = this.list.findIndex(({ id }) => id === chosen.id);
    this.list = this.list.filter(({ id }) => id !== chosen.id);
    const next = this.list[Math.min(at, this.list.length - 1)];
    this.chosen = null;
    this.text = null;
    if (next) await this.choose(next);
  }

  /** Puts the chosen document into the editor, as one step of its history with a name. */
  restore(name: string): void {
    const { text } = this;
    const { document } = this.#editor;
    if (text === null || text === document.text) return;
    document.namedStep([{ from: 0, to: document.text.length, insert: text }], name);
  }
}
