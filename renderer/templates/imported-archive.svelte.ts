/**
 * A template with its files on its way into a project: sent by the page, or by the desktop where that opened it. Window
 * only.
 */
import type { ImportedTemplate } from '../../shared/api.ts';
import type { Desktop, OpenedArchive } from '../../shared/desktop.ts';
import { templateShareRows } from '../../shared/api/templates.ts';
import { upload } from '../frame/connection/uploads.ts';

/** True for a file that must not be read as text. */
export function isArchive(file: File | OpenedArchive): boolean {
  return 'archive' in file || /\.framewright$/i.test(file.name);
}

export class ImportedArchive {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes that have been sent; null: unknown. */
  sent = $state<number | null>(null);
  isSending = $state(false);
  /** What came of it; null before. */
  imported = $state.raw<ImportedTemplate | null>(null);
  readonly #file: File | OpenedArchive;
  readonly #life = new AbortController();

  constructor(file: File | OpenedArchive) {
    this.#file = file;
    this.name = file.name;
    this.size = file.size;
  }

  /** Creates the template. @throws with the server's own sentence, or the desktop's. */
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
  }

  async #send(project: string, desktop: Desktop | undefined): Promise<ImportedTemplate> {
    const file = this.#file;
    if ('archive' in file) {
      if (!desktop) throw new Error('only the desktop opens archives by their number');
      return desktop.importTemplate(file.archive, project);
    }
    this.sent = 0;
    const query = { project };
    return upload(templateShareRows.import, [{ query }], file, this.#life.signal, (bytes) => {
      this.sent = bytes;
    });
  }
}
