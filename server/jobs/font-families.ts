/**
 * The font families that texts can use, for the editor. Only the drawing library knows this computer's fonts, so we ask
 * a worker process: a new one each time, because a process only sees the fonts installed before it started.
 */
import type { WindowFonts } from '../../shared/api.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import type { Log } from '../system/log.ts';
import { askWorker } from './worker/ask-worker.ts';
import { explain } from './worker/task-faults.ts';
import type { ForkWorker } from './worker/protocol.ts';

/** How long an answer stays valid, in ms: fonts are seldom installed while the program runs. */
const freshFor = 5 * 60_000;

type Known = Omit<WindowFonts, 'added'>;

/** Asks on demand, and caches the answer for a while. */
export class FontFamilies {
  readonly #workers: { readonly fork: ForkWorker; readonly log: Log };
  readonly #fontFolder: string;
  readonly #added: () => readonly { readonly family: string }[];
  /** The newest question, shared by all callers until it is answered. */
  #asked: Promise<Known> | null = null;
  #askedAt = -Infinity;

  /**
   * @param fontFolder Of the shipped fonts.
   * @param added The current files of added fonts, sorted by family.
   */
  constructor(
    fork: ForkWorker,
    log: Log,
    fontFolder: string,
    added: () => readonly { readonly family: string }[],
  ) {
    this.#workers = { fork, log };
    this.#fontFolder = fontFolder;
    this.#added = added;
  }

  /** @throws Error when the worker gives no answer; the next call asks again. */
  async list(): Promise<WindowFonts> {
    const { bundled, installed } = await this.#known();
    const added = new Map(this.#added().map(({ family }) => [looseName(family), family]));
    const others = installed.filter((family) => !added.has(looseName(family)));
    return { bundled, added: [...added.values()], installed: others };
  }

  /** Families of the program and the computer. */
  #known(): Promise<Known> {
    if (this.#asked && performance.now() - this.#askedAt < freshFor) return this.#asked;
    this.#askedAt = performance.now();
    const asked = this.#ask();
    this.#asked = asked;
    asked.catch(() => {
      this.#asked = null;
    });
    return asked;
  }

  async #ask(): Promise<Known> {
    const input = { fontFolder: this.#fontFolder };
    const answer = await askWorker(this.#workers, 'list-fonts', input);
    if (answer.kind === 'done') return answer.output;
    const why = explain('list-fonts', answer, this.#workers.log);
    throw new Error(`The worker could not be asked for the fonts: ${why}`);
  }
}
