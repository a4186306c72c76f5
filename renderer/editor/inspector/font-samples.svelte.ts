/** Families drawn in their own letters by the server, a dozen at a time, as they come into sight. Window only. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { call } from '../../frame/connection/call.ts';
import { previewRows } from '../../../shared/api/preview.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import { fontSheet, fontSheetOf } from './font-sheet.ts';

/** Where a family is drawn. */
interface Sample {
  /** Address of a picture of several. */
  readonly picture: string;
  /** Its row in there, from 0. */
  readonly row: number;
}

/** Quiet before families are drawn, in ms: a list that scrolls past needs none. */
const quiet = 90;

/** The samples of one list. Call `close()` when it is gone. */
export class FontSamples {
  /** What is drawn, by family. */
  readonly drawn = new SvelteMap<string, Sample>();
  readonly #color: string;
  readonly #fonts: Source['fonts'];
  readonly #life = new AbortController();
  readonly #client = crypto.randomUUID();
  /** Those that were asked for, drawn or not. */
  readonly #asked = new SvelteSet<string>();
  #wanted: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isDrawing = false;
  #state = 0;

  /** @param color Of the letters. */
  constructor(color: string, fonts: Source['fonts']) {
    this.#color = color;
    this.#fonts = fonts;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#life.abort();
  }

  /**
   * These are in sight.
   *
   * @param state Another one than before: the fonts have changed, and all are drawn again.
   */
  want(families: readonly string[], state = 0): void {
    if (state !== this.#state) {
      this.#state = state;
      this.#asked.clear();
      this.drawn.clear();
    }
    this.#wanted = families;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#draw(), quiet);
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      for (;;) {
        const next = this.#wanted
          .filter((family) => !this.#asked.has(family))
          .slice(0, fontSheet.families);
        if (next.length === 0 || this.#life.signal.aborted) return;
        for (const family of next) this.#asked.add(family);
        const source = fontSheetOf(next, this.#color, this.#fonts);
        const request = { client: this.#client, source, time: 0 };
        const state = this.#state;
        const answer = await call(previewRows.draw, { body: request, signal: this.#life.signal });
        if (answer.state !== 'drawn' || state !== this.#state) continue;
        const { picture } = answer;
        next.forEach((family, row) => this.drawn.set(family, { picture, row }));
      }
    } catch {
      // Their names are there all the same.
    } finally {
      this.#isDrawing = false;
    }
  }
}
