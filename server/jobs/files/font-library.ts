/**
 * Adds fonts: writes a file to the disk as it arrives, identifies it by content, and has a worker process examine it.
 * Also knows which templates use a family, and which families they miss.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '../../../shared/errors.ts';
import { fontLibraryLimits } from '../../../shared/limits.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import type { Log } from '../../system/log.ts';
import type { FontStore, StoredFont } from '../../store/fonts.ts';
import type { StoredTemplate } from '../../store/template-record.ts';
import type { TemplateStore } from '../../store/templates.ts';
import type { Desk } from '../desk/desk.ts';
import { askWorker } from '../worker/ask-worker.ts';
import type { ForkWorker } from '../worker/protocol.ts';
import { explain } from '../worker/task-faults.ts';
import type { TaskOutput } from '../worker/tasks.ts';
import { receive, savingError } from './media-library.ts';
import type { WindowFonts } from '../../../shared/api.ts';

/** What the library is made with. */
export interface FontLibraryOptions {
  readonly fonts: FontStore;
  readonly templates: Pick<TemplateStore, 'list' | 'readDocument'>;
  readonly desk: Pick<Desk, 'familiesOf'>;
  readonly fork: ForkWorker;
  /** The folder of shipped fonts. */
  readonly fontFolder: string;
  readonly log: Log;
  /** Told after each change, with the templates that name the family. */
  readonly onChange: (users: readonly StoredTemplate[]) => void;
}

type Inspected = TaskOutput<'inspect-font'> | { readonly reason: string };

/** A template and the families that it names. */
interface NamingTemplate {
  readonly template: StoredTemplate;
  /** In lower case → as written. */
  readonly families: ReadonlyMap<string, string>;
}

/** Adds and removes fonts, one after the other. */
export class FontLibrary {
  readonly #options: FontLibraryOptions;
  #turn: Promise<unknown> = Promise.resolve();
  /** Families by document, which never changes in place. */
  readonly #named = new WeakMap<object, ReadonlyMap<string, string>>();

  constructor(options: FontLibraryOptions) {
    this.#options = options;
  }

  /**
   * Adds a file. The same content is stored once, under its first name.
   *
   * @returns the family, and whether the file is new.
   * @throws ApiError `font_too_large`, `font_library_full`, `font_not_usable`, `font_shipped`, `cannot_save`.
   */
  async add(content: Readable, name: string): Promise<{ family: string; isNew: boolean }> {
    const folder = path.join(this.#options.fonts.uploadFolder, randomUUID());
    try {
      await mkdir(folder, { recursive: true });
      const filePath = path.join(folder, 'content');
      const { id, bytes } = await receive(content, filePath, fontLibraryLimits.bytes, (most) => {
        return new ApiError('font_too_large', { limit: `${most / 1e6} MB` });
      });
      // One at a time: two equal files that arrive together are one, and one worker is enough.
      const turn = this.#turn.then(() => this.#takeIn({ id, name, bytes }, filePath));
      this.#turn = turn.catch(() => undefined);
      return await turn;
    } catch (error) {
      throw savingError(error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes a family. @throws ApiError `font_not_found`, `cannot_save`. */
  async remove(family: string): Promise<void> {
    const removed = await this.#options.fonts.removeFamily(family);
    if (removed === 0) throw new ApiError('font_not_found', { family });
    await this.#tell(family);
  }

  /** The templates of all projects that name a family. */
  async usersOf(family: string): Promise<readonly StoredTemplate[]> {
    const key = looseName(family);
    const naming = await this.#naming();
    return naming.filter(({ families }) => families.has(key)).map(({ template }) => template);
  }

  /**
   * The families that templates name and that are not known.
   *
   * @param known Names of all families that texts can use.
   * @returns each with the names of the templates, in alphabetical order.
   */
  async missing(
    known: Iterable<string>,
  ): Promise<{ family: string; templates: readonly string[] }[]> {
    const found = new Set(Array.from(known, looseName));
    const missing = new Map<string, { family: string; templates: string[] }>();
    for (const { template, families } of await this.#naming()) {
      for (const [key, family] of families) {
        if (found.has(key)) continue;
        const entry = missing.get(key) ?? { family, templates: [] };
        entry.templates.push(template.name);
        missing.set(key, entry);
      }
    }
    const { compare } = new Intl.Collator('en');
    return [...missing.values()].sort((a, b) => compare(a.family, b.family));
  }

  /** The font is stored or gone already: a busy desk only means that some pictures stay as they are. */
  async #tell(family: string): Promise<void> {
    this.#options.onChange(await this.usersOf(family).catch(() => []));
  }

  async #naming(): Promise<readonly NamingTemplate[]> {
    const { templates, desk } = this.#options;
    const all: NamingTemplate[] = [];
    for (const template of templates.list()) {
      const { document } = template;
      let families = this.#named.get(document);
      if (families === undefined) {
        // One that can't be read names nothing.
        const read = await templates.readDocument(template).catch(() => null);
        families = read === null ? new Map<string, string>() : await desk.familiesOf(read);
        this.#named.set(document, families);
        // Others get their turn between documents.
        await setImmediate();
      }
      all.push({ template, families });
    }
    return all;
  }

  async #takeIn(
    file: { id: string; name: string; bytes: number },
    filePath: string,
  ): Promise<{ family: string; isNew: boolean }> {
    const { fonts } = this.#options;
    const known = fonts.list().find(({ id }) => id === file.id);
    if (known && (await fonts.hasContent(known))) return { family: known.family, isNew: false };
    const limit = fontLibraryLimits.files;
    if (!known && fonts.list().length >= limit) throw new ApiError('font_library_full', { limit });
    const seen = await this.#inspect(filePath);
    if ('reason' in seen) throw new ApiError('font_not_usable', seen);
    const { isShipped, family, style, minWeight, maxWeight } = seen;
    // A family with one weight of its own would take the place of all the shipped ones.
    if (isShipped) throw new ApiError('font_shipped', { family });
    await fonts.keep({ ...file, family, style, minWeight, maxWeight }, filePath);
    await this.#tell(family);
    return { family, isNew: true };
  }

  /** Asks a separate process, because a broken file may end it. */
  async #inspect(filePath: string): Promise<Inspected> {
    const { fork, fontFolder, log } = this.#options;
    const input = { filePath, fontFolder };
    const seen = await askWorker({ fork, log }, 'inspect-font', input);
    return seen.kind === 'done' ? seen.output : { reason: explain('inspect-font', seen, log) };
  }
}

/** A family as the window lists it. */
export function groupFamilies(
  fonts: readonly StoredFont[],
): readonly { readonly family: string; readonly files: readonly StoredFont[] }[] {
  const groups = new Map<string, StoredFont[]>();
  for (const font of fonts) {
    const key = looseName(font.family);
    groups.set(key, [...(groups.get(key) ?? []), font]);
  }
  return [...groups.values()].map((files) => ({ family: files[0]?.family ?? '', files }));
}

// Only the drawing library knows this computer's fonts, so we ask a worker process: a new one each time, because a
// process only sees the fonts installed before it started.

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
