/**
 * The files of long films that are made in pieces, in storage, which all workers reach: how a film is divided, and what
 * was made of it. Their names end with the hashes of their contents, so that each is checked when it is fetched.
 */
import { text } from 'node:stream/consumers';
import { isFinal } from '../../../shared/api.ts';
import { takeChecked } from '../storage/content-cache.ts';
import { pieceKey, piecePrefix, prefixes } from '../../store/storage-keys.ts';
import type { Storage } from '../../store/storage.ts';
import type { RenderStore } from '../../store/renders.ts';
import { contentDigest } from '../../system/content-digest.ts';
import { split as splitForm, type SplitFilm } from '../../jobs/worker/piece-protocol.ts';

/** Milliseconds without a new piece: until then a film may just have begun, or its last workers be about to stop. */
const stillFor = 3_600_000;
/** Beside its pieces: how the film is divided. */
const splitName = 'split.json';
/** A render's ID: whatever else is there is not ours. */
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** `NAME.HASH.mp4` */
const pieceForm = /^(.+)\.([0-9a-f]{64})\.mp4$/;

/** A piece that was made. */
export interface MadePiece {
  readonly key: string;
  /** The SHA-256 of its content. */
  readonly hash: string;
}

/** The pieces of films in a storage. Each method throws StorageError. */
export class PieceFiles {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** How a film is divided; null while it is not. */
  async split(id: string): Promise<SplitFilm | null> {
    const found = await this.#storage.get(pieceKey(id, splitName));
    if (!found) return null;
    const content = await text(found.stream);
    try {
      return splitForm.parse(JSON.parse(content));
    } catch {
      // Of another version.
      return null;
    }
  }

  /** Says how a film is divided, and removes what was made of it in another way. */
  async begin(id: string, split: SplitFilm): Promise<void> {
    await this.remove(id);
    await this.#storage.put(pieceKey(id, splitName), Buffer.from(JSON.stringify(split)));
  }

  /** The pieces that were made of a film, by name. */
  async made(id: string): Promise<ReadonlyMap<string, MadePiece>> {
    const made = new Map<string, MadePiece>();
    const prefix = piecePrefix(id);
    for await (const { key } of this.#storage.list(prefix)) {
      const [, name, hash] = pieceForm.exec(key.slice(prefix.length)) ?? [];
      // What was made by two is the same.
      if (name !== undefined && hash !== undefined) made.set(name, { key, hash });
    }
    return made;
  }

  /** Adds a piece. @throws also what the disk says. */
  async add(id: string, name: string, file: string): Promise<void> {
    const hash = await contentDigest(file);
    await this.#storage.put(pieceKey(id, `${name}.${hash}.mp4`), { file });
  }

  /** Fetches a piece to a place where nothing is yet. @returns false: it is gone. @throws also DamagedError. */
  fetch({ key, hash }: MadePiece, place: string): Promise<boolean> {
    return takeChecked(this.#storage, key, hash, place);
  }

  /** Removes all that there is of a film. */
  async remove(id: string): Promise<void> {
    for await (const { key } of this.#storage.list(piecePrefix(id)))
      await this.#storage.remove(key);
  }

  /**
   * Removes what workers that were all lost have left of films that have ended or that nobody knows. For the server
   * that leads.
   *
   * @param now ms since 1970. @returns how many files.
   */
  async sweep(renders: Pick<RenderStore, 'find'>, now: number): Promise<number> {
    const films = new Map<string, { keys: string[]; changedAt: number }>();
    for await (const { key, changedAt } of this.#storage.list(prefixes.pieces)) {
      const id = key.split('/')[1] ?? '';
      if (!idForm.test(id)) continue;
      const film = films.get(id) ?? { keys: [], changedAt: 0 };
      film.keys.push(key);
      films.set(id, { ...film, changedAt: Math.max(film.changedAt, changedAt) });
    }
    let removed = 0;
    for (const [id, { keys, changedAt }] of films) {
      const render = renders.find(id);
      if (changedAt > now - stillFor || (render && !isFinal(render.status))) continue;
      for (const key of keys) await this.#storage.remove(key);
      removed += keys.length;
    }
    return removed;
  }
}
