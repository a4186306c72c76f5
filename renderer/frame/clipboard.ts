/** The system's clipboard, as far as a page may use it. Window only. */
import type { Desktop } from '../../shared/desktop.ts';

export interface ClipboardContent {
  readonly text: string;
  readonly files: readonly File[];
}

export class Clipboard {
  readonly #desktop: Desktop | undefined;
  /** What the window wrote last; stands in where the system's clipboard may not be read. */
  #own = '';

  constructor(desktop: Desktop | undefined) {
    this.#desktop = desktop;
  }

  /** Puts a text on the clipboard. Throws where the browser does not let a page do that. */
  async write(text: string): Promise<void> {
    this.#own = text;
    await navigator.clipboard.writeText(text);
  }

  /** Answers the browser's own copying or cutting with a text. */
  answer(event: ClipboardEvent, text: string): void {
    this.#own = text;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  }

  /** The text; null where it may not be read: a browser asks, and some have no way at all. */
  async readText(): Promise<string | null> {
    try {
      return await (this.#desktop ? this.#desktop.readClipboard() : navigator.clipboard.readText());
    } catch {
      return null;
    }
  }

  /** The text, else pictures; what the window wrote last where the clipboard may not be read. */
  async read(): Promise<ClipboardContent> {
    const text = await this.readText();
    if (text === null) return { text: this.#own, files: [] };
    return { text, files: text === '' ? await this.#pictures() : [] };
  }

  async #pictures(): Promise<readonly File[]> {
    try {
      const items = await navigator.clipboard.read();
      const found = items.flatMap((item) => {
        const type = item.types.find((one) => one.startsWith('image/'));
        return type === undefined ? [] : [{ item, type }];
      });
      return await Promise.all(
        found.map(async ({ item, type }) => {
          const blob = await item.getType(type);
          return new File([blob], `image.${type.slice('image/'.length)}`, { type });
        }),
      );
    } catch {
      return [];
    }
  }
}
