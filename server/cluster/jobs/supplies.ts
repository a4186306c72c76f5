/**
 * What a worker needs for a render beside its record: the document, media and added fonts. With the servers' folder
 * they lie there. Without it the document is in the database, and the others come from storage through a cache on this
 * disk (../../storage/content-cache.ts).
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { familiesIn } from '../../../shared/renderscript/same-name.ts';
import type { JsonText } from '../../system/json-text.ts';
import type { Log } from '../../system/log.ts';
import { DamagedError, type ContentCache } from '../storage/content-cache.ts';
import type { StoredRender } from '../../store/render-record.ts';
import type { FontStore } from '../../store/fonts.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import { tableOf } from '../postgres/migrations.ts';
import { readSourceIn, sourceFileIn } from '../../store/render-files.ts';
import type { AttemptContext, EngineSettings } from '../../jobs/attempt.ts';
import { missingChannel } from './content-copies.ts';
import { readDocument } from './documents.ts';

/** How often one worker gives a render back because something is missing, before the render fails. */
const mostTries = 3;
/** The most renders whose tries are counted. */
const mostKnown = 1_000;
/** The most contents of one document that are looked for without a record: what templates brought with them. */
const mostParts = 1_000;
/** The name of a content, wherever it stands in a document. */
const idForm = /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/g;

/** Something is not there yet, or not any more: the servers were told, and the render should wait. */
export class MissingError extends Error {
  override readonly name = 'MissingError';
}

/** What is missing does not come: the render can't be made. The message is a sentence without a full stop. */
export class LostError extends Error {
  override readonly name = 'LostError';
}

/** What one attempt or one piece is made from. */
export interface Supplies extends Pick<AttemptContext, 'renders' | 'engine' | 'hiddenMedia'> {
  /** Removes what was brought for it alone. */
  remove(): Promise<void>;
}

/** Brings them. */
export interface Supply {
  /** @throws StorageError, MissingError: later; LostError: never. Or what the database or the disk says. */
  bring(render: Pick<StoredRender, 'id' | 'project'>): Promise<Supplies>;
}

/** Reads everything where the servers have it. */
export function sharedSupply({
  keeper,
  engine,
  log,
  storeFolder,
  mediaFolder,
}: Pick<StorageSupplyOptions, 'keeper' | 'engine'> & {
  readonly log: Log;
  /** The store's own. */
  readonly storeFolder: string;
  /** With the contents of the media library. */
  readonly mediaFolder: string;
}): Supply {
  return {
    async bring({ project }) {
      const rows = await keeper.inTurn((session) =>
        session.query<{ id: string }>(`SELECT id FROM ${tableOf('media')} WHERE NOT ${isOwn}`, [
          project,
        ]),
      );
      const hidden = { project, folder: mediaFolder, names: rows.map(({ id }) => id) };
      return {
        engine,
        hiddenMedia: () => hidden,
        renders: {
          readSource: (id) => readSourceIn(storeFolder, id, log),
          sourceFile: (id) => sourceFileIn(storeFolder, id),
        },
        remove: () => Promise.resolve(),
      };
    },
  };
}

/** Whether a file of the library is the first parameter's project's, or all's (`isOf` in store/media.ts). */
const isOwn = `coalesce(doc->'projects' @> to_jsonb($1::text), true)`;

/** What it works with. */
export interface StorageSupplyOptions {
  readonly keeper: Pick<PostgresKeeper, 'inTurn'>;
  readonly cache: ContentCache;
  /** Their contents are linked to where it says. */
  readonly fonts: Pick<FontStore, 'ofFamily' | 'contentFolder'>;
  readonly engine: EngineSettings;
  /** Of this process; it may be missing. */
  readonly workFolder: string;
}

/** Reads the database and storage. */
export class StorageSupply implements Supply {
  readonly #options: StorageSupplyOptions;
  /** How often renders were given back here, by ID. */
  readonly #tries = new Map<string, number>();

  constructor(options: StorageSupplyOptions) {
    this.#options = options;
  }

  async bring({ id, project }: Parameters<Supply['bring']>[0]): Promise<Supplies> {
    const { engine, workFolder } = this.#options;
    const folder = path.join(workFolder, `for-${id}-${randomBytes(4).toString('hex')}`);
    const media = path.join(folder, 'media');
    const file = path.join(folder, 'source.json');
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
    try {
      await mkdir(media, { recursive: true, mode: 0o700 });
      const source = await this.#source(id);
      if (!source.isShort) await writeFile(file, source.content, { mode: 0o600 });
      const { text } = source;
      await this.#bringFonts(text);
      await this.#bringMedia(text, media, project);
      this.#tries.delete(id);
      return {
        engine: { ...engine, mediaFolders: [...engine.mediaFolders, media] },
        // Those of other projects are not brought.
        hiddenMedia: () => ({ project, folder: media, names: [] }),
        renders: { readSource: () => Promise.resolve(source), sourceFile: () => file },
        remove,
      };
    } catch (error) {
      await remove();
      throw error instanceof MissingError || error instanceof DamagedError
        ? await this.#misses(id, error.message)
        : error;
    }
  }

  async #source(id: string): Promise<JsonText> {
    const source = await this.#options.keeper.inTurn((session) => readDocument(session, id));
    if (!source) throw new MissingError('its document is not in the database');
    return source;
  }

  async #bringFonts(text: string): Promise<void> {
    const { cache, fonts } = this.#options;
    for (const [, family] of familiesIn(text)) {
      for (const { id, name, path: place } of fonts.ofFamily(family)) {
        await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
        if (!(await cache.bring('fonts', id, place)))
          throw new MissingError(`the font ${name} is not in the storage`);
      }
    }
  }

  async #bringMedia(text: string, folder: string, project: string): Promise<void> {
    const { cache, keeper } = this.#options;
    const ids = [...new Set(text.match(idForm))];
    if (ids.length === 0) return;
    const rows = await keeper.inTurn((session) =>
      session.query<{ id: string; name: string; own: boolean }>(
        `SELECT id, doc->>'name' AS name, ${isOwn} AS own FROM ${tableOf('media')} WHERE id = ANY ($2)`,
        [project, ids],
      ),
    );
    const others = new Set(rows.flatMap(({ id, own }) => (own ? [] : [id])));
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    let parts = 0;
    for (const id of ids) {
      if (others.has(id)) continue;
      const name = names.get(id);
      if (name === undefined && ++parts > mostParts) continue;
      const isThere = await cache.bring('media', id, path.join(folder, id));
      if (!isThere && name !== undefined)
        throw new MissingError(`the file ${name} of the library is not in the storage`);
    }
  }

  /** Tells the servers. @returns what to throw. */
  async #misses(id: string, what: string): Promise<Error> {
    const tries = (this.#tries.get(id) ?? 0) + 1;
    // Others may have ended most of them.
    if (this.#tries.size >= mostKnown) this.#tries.clear();
    if (tries > mostTries) {
      this.#tries.delete(id);
      return new LostError(what);
    }
    this.#tries.set(id, tries);
    await this.#options.keeper.inTurn((session) => session.tell(missingChannel));
    return new MissingError(what);
  }
}
