/**
 * A template with its files, or a kit of several, on its way into a project: sent by the page, or by the desktop where
 * that opened it. Window only.
 */
import { SvelteSet } from 'svelte/reactivity';
import type { ImportedTemplates } from '../../shared/api.ts';
import type { Desktop, OpenedArchive } from '../../shared/desktop.ts';
import { templateShareRows } from '../../shared/api/templates.ts';
import { upload } from '../frame/connection/uploads.ts';

/** True for a file that must not be read as text. */
export function isArchive(file: File | OpenedArchive): boolean {
  return 'archive' in file || /\.framewright$/i.test(file.name);
}

/** A template of a kit, with the address of its picture; '' for none. */
interface ShownTemplate {
  readonly name: string;
  readonly picture: string;
}

export class ImportedArchive {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** What is in a kit; empty for a file of one template. */
  kit = $state.raw<readonly ShownTemplate[]>([]);
  /** Places of its templates that are imported. */
  readonly wanted = new SvelteSet<number>();
  /** Bytes that have been sent; null: unknown. */
  sent = $state<number | null>(null);
  isSending = $state(false);
  /** What came of it; null before. */
  imported = $state.raw<ImportedTemplates | null>(null);
  readonly #file: File | OpenedArchive;
  readonly #life = new AbortController();

  constructor(file: File | OpenedArchive) {
    this.#file = file;
    this.name = file.name;
    this.size = file.size;
  }

  /** Looks for the templates of a kit. */
  async look(): Promise<void> {
    const file = this.#file;
    if ('archive' in file) this.kit = file.kit;
    else {
      // Few windows ever import one.
      const { readKit } = await import('../../shared/kit-contents.ts');
      const read = async (start: number, length: number): Promise<Uint8Array<ArrayBuffer>> =>
        new Uint8Array(await file.slice(start, start + length).arrayBuffer());
      const found = (await readKit({ size: file.size, read })) ?? [];
      this.kit = found.map(({ name, picture }) => ({
        name,
        picture: picture ? URL.createObjectURL(new Blob([picture])) : '',
      }));
    }
    for (const place of this.kit.keys()) this.wanted.add(place);
  }

  /** Whether something of it can be imported. */
  get isWanted(): boolean {
    return this.imported === null && (this.kit.length === 0 || this.wanted.size > 0);
  }

  /** Creates the templates. @throws with the server's own sentence, or the desktop's. */
  async send(project: string, desktop: Desktop | undefined): Promise<void> {
    this.isSending = true;
    try {
      this.imported = await this.#send(project, desktop);
    } finally {
      this.isSending = false;
    }
  }

  /** Nobody waits for it any more. */
  stop(): void {
    this.#life.abort(new Error('stopped'));
    for (const { picture } of this.kit) URL.revokeObjectURL(picture);
  }

  async #send(project: string, desktop: Desktop | undefined): Promise<ImportedTemplates> {
    const file = this.#file;
    const isSome = this.wanted.size < this.kit.length;
    const only = isSome ? [...this.wanted].map((place) => place + 1).join(',') : undefined;
    if ('archive' in file) {
      if (!desktop) throw new Error('only the desktop opens archives by their number');
      return desktop.importTemplate(file.archive, project, only);
    }
    this.sent = 0;
    const query = { project, ...(only !== undefined && { only }) };
    return upload(templateShareRows.import, [{ query }], file, this.#life.signal, (bytes) => {
      this.sent = bytes;
    });
  }
}
