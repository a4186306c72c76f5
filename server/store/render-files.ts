/**
 * The files beside the records of renders: documents, modifications that are too long for a record, what was told
 * first. They never change.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../shared/errors.ts';
import { retention } from '../../shared/limits.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { JsonText, type TextContent } from '../system/json-text.ts';
import { describeError, type Log } from '../system/log.ts';
import { isEnclosed, isLeftOver, isUnfinished, readWhole, writeWhole } from './files.ts';
import { reasonOf, type StoreHealth } from './health.ts';
import { told, type StoredRender, type ToldNotices } from './render-record.ts';

/** Each kind in its own folder. */
const fileKinds = ['sources', 'modifications', 'notices'] as const;
type FileKind = (typeof fileKinds)[number];

/** See above. */
export class RenderFiles {
  readonly #folder: string;
  readonly #log: Log;
  readonly #health: StoreHealth | undefined;

  private constructor(folder: string, log: Log, health: StoreHealth | undefined) {
    this.#folder = folder;
    this.#log = log;
    this.#health = health;
  }

  /** Makes the folders. @param folder That they are in. */
  static async open(
    folder: string,
    { log, health }: { readonly log: Log; readonly health?: StoreHealth | undefined },
  ): Promise<RenderFiles> {
    for (const kind of fileKinds)
      await mkdir(path.join(folder, kind), { recursive: true, mode: 0o700 });
    return new RenderFiles(folder, log, health);
  }

  /** Writes one; when this returns, it is on the disk. @throws ApiError `cannot_save` */
  async write(kind: FileKind, id: string, content: TextContent): Promise<void> {
    const file = this.#placeOf(kind, id);
    try {
      await writeWhole(file, content);
    } catch (error) {
      this.#log('error', 'store', `${file} can't be written: ${describeError(error)}`);
      this.#health?.doubt();
      throw new ApiError('cannot_save', { reason: reasonOf(error) });
    }
  }

  /** @throws what the disk says. */
  read(kind: FileKind, id: string): Promise<Buffer> {
    return readWhole(this.#placeOf(kind, id));
  }

  /** A render with its full request as sent. Lost parts are logged and left out. */
  async withRequest(render: StoredRender): Promise<StoredRender> {
    const { id, modificationsBytes: length, ...rest } = render;
    if (length === undefined) return render;
    try {
      const bytes = await this.read('modifications', id);
      if (bytes.length !== length) throw new Error(`${bytes.length} bytes of ${length}`);
      // Written with the record or by the upgrade, in one piece.
      const modifications = new JsonText(bytes);
      return { ...rest, id, request: { ...render.request, modifications } };
    } catch (error) {
      this.#log('error', 'store', `The modifications of render ${id}: ${describeError(error)}`);
      return render;
    }
  }

  /** What the first answer said about a render. Lost ones are logged and left out. */
  async noticesOf({ id, once }: StoredRender): Promise<ToldNotices> {
    if (!once?.told) return { errors: [], warnings: [] };
    try {
      return told.parse(JSON.parse(String(await this.read('notices', id))));
    } catch (error) {
      this.#log('error', 'store', `The notices of render ${id}: ${describeError(error)}`);
      return { errors: [], warnings: [] };
    }
  }

  /** Removes all of a render. @throws what the disk says. */
  async remove(id: string): Promise<void> {
    for (const kind of fileKinds) await rm(this.#placeOf(kind, id), { force: true });
  }

  /** Where the document of a render is. */
  sourceFile(id: string): string {
    return sourceFileIn(this.#folder, id);
  }

  /** The document of a render; see `readSourceIn`. */
  readSource(id: string): Promise<JsonText | null> {
    return readSourceIn(this.#folder, id, this.#log);
  }

  /**
   * Removes files without a record: unfinished ones left by a crash, and those older than any render is kept. (Younger
   * ones may belong to records that someone restores from a backup.)
   *
   * @param isKnown Whether there is a record. @param before Only files last written before this moment, ms since 1970.
   */
  async removeStrays(isKnown: (id: string) => boolean, before: number): Promise<void> {
    for (const kind of fileKinds) {
      for (const name of await readdir(path.join(this.#folder, kind))) {
        const isLeft = isLeftOver(name);
        if (!isLeft && (isUnfinished(name) || isKnown(path.basename(name, '.json')))) continue;
        const file = path.join(this.#folder, kind, name);
        const written = await stat(file).catch(() => null);
        if (!written || written.mtimeMs >= before - (isLeft ? 0 : retention.renders)) continue;
        await rm(file, { force: true }).catch(() => undefined);
      }
    }
  }

  /** IDs are ours, made by randomUUID. */
  #placeOf(kind: FileKind, id: string): string {
    return path.join(this.#folder, kind, `${id}.json`);
  }
}

/** Where the document of a render is below the folder of the store; the file never changes. */
export function sourceFileIn(folder: string, id: string): string {
  return path.join(folder, 'sources', `${id}.json`);
}

/**
 * The document of a render; null, with a line in the log, if its file is missing or visibly damaged (it is not parsed).
 */
export async function readSourceIn(folder: string, id: string, log: Log): Promise<JsonText | null> {
  try {
    const bytes = await readWhole(sourceFileIn(folder, id));
    const source = new JsonText(bytes);
    const isWhole = source.isShort ? isJsonObject(source.value) : isEnclosed(bytes);
    if (!isWhole) throw new Error('it is cut');
    return source;
  } catch (error) {
    log('error', 'store', `The document of render ${id}: ${describeError(error)}`);
    return null;
  }
}
