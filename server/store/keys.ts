/** API keys. One project with one key so far; the file is readable for this user only. */
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { Collection } from './database.ts';

const keyDoc = z.object({
  _id: z.string(),
  name: z.string(),
  key: z.string(),
  createdAt: z.number(),
});

/** A stored key. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  /** What is sent as `Authorization: Bearer …`. */
  readonly key: string;
}

/** The keys of the data folder. */
export class KeyStore {
  readonly #collection: Collection<z.infer<typeof keyDoc>>;
  readonly #clock: Clock;

  private constructor(collection: Collection<z.infer<typeof keyDoc>>, clock: Clock) {
    this.#collection = collection;
    this.#clock = clock;
  }

  /** Opens `keys.db` in a folder. */
  static async open(folder: string, log: Log, clock: Clock): Promise<KeyStore> {
    const file = path.join(folder, 'keys.db');
    return new KeyStore(await Collection.open({ file, schema: keyDoc, log }), clock);
  }

  get notices(): readonly string[] {
    return this.#collection.notices;
  }

  /** The project's key: made at first, replaced when another one is wanted. */
  async ensure(wanted?: string): Promise<StoredKey> {
    const [found] = this.#collection.all().sort((a, b) => a.createdAt - b.createdAt);
    if (found && (wanted === undefined || wanted === found.key)) return fromDoc(found);
    const key = wanted ?? `fw_${randomBytes(24).toString('base64url')}`;
    if (found) {
      await this.#collection.change(found._id, (doc) => ({ ...doc, key }));
      return { ...fromDoc(found), key };
    }
    const doc = { _id: randomUUID(), name: 'Default', key, createdAt: this.#clock.now() };
    return fromDoc(await this.#collection.insert(doc));
  }

  close(): Promise<void> {
    return this.#collection.close();
  }
}

function fromDoc({ _id, name, key }: z.infer<typeof keyDoc>): StoredKey {
  return { id: _id, name, key };
}
