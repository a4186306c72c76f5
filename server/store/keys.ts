/** API keys, each of one project. The file is readable for this user only. */
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../system/clock.ts';
import { firstProject } from './projects.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const keyDoc = z.object({
  _id: z.string(),
  project: z.string(),
  name: z.string(),
  key: z.string(),
  createdAt: z.number(),
});

type KeyDoc = z.infer<typeof keyDoc>;

/** A stored key. */
export interface StoredKey {
  readonly id: string;
  /** The ID of the project that it opens. */
  readonly project: string;
  readonly name: string;
  /** Sent as `Authorization: Bearer …`. */
  readonly key: string;
}

/** The keys of the data folder. */
export class KeyStore {
  readonly #collection: Records<KeyDoc>;
  readonly #clock: Clock;

  private constructor(collection: Records<KeyDoc>, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
  }

  /** Opens the collection `keys`. */
  static async open(keeper: RecordKeeper, clock: Clock): Promise<KeyStore> {
    return new KeyStore(await keeper.open('keys', keyDoc), clock);
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** All keys, oldest first; of one project if named. */
  list(project?: string): StoredKey[] {
    const docs = this.#collection.all().sort((a, b) => a.createdAt - b.createdAt);
    return docs.filter((doc) => project === undefined || doc.project === project).map(fromDoc);
  }

  /** The first project's first key: made if there is none, replaced if another one is wanted. */
  async ensure(wanted?: string): Promise<StoredKey> {
    const [found] = this.list(firstProject);
    if (found && (wanted === undefined || wanted === found.key)) return found;
    const key = wanted ?? newKey();
    if (!found) return this.#insert(firstProject, 'Default', key);
    await this.#collection.change(found.id, (doc) => ({ ...doc, key }));
    return { ...found, key };
  }

  /** Makes a key for a project. @throws ApiError `cannot_save`. */
  add(project: string, name: string): Promise<StoredKey> {
    return this.#insert(project, name, newKey());
  }

  /** @returns false when there is no such key. @throws ApiError `cannot_save`. */
  remove(id: string): Promise<boolean> {
    return this.#collection.remove(id);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  async #insert(project: string, name: string, key: string): Promise<StoredKey> {
    const doc = { _id: randomUUID(), project, name, key, createdAt: this.#clock.now() };
    return fromDoc(await this.#collection.write(doc));
  }
}

function newKey(): string {
  return `fw_${randomBytes(24).toString('base64url')}`;
}

function fromDoc({ _id, project, name, key }: KeyDoc): StoredKey {
  return { id: _id, project, name, key };
}
