/**
 * Webhook deliveries: one record for each promised webhook call, from plan to end. A record lives as long as its
 * render, so that nothing is sent twice and people can see what was given up.
 */
import { z } from 'zod';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const deliveryDoc = z.object({
  /** The `webhook-id`: the ID of the render's event, the same for all tries. */
  _id: z.string(),
  project: z.string(),
  render: z.string(),
  url: z.string(),
  createdAt: z.number(),
  state: z.enum(['waiting', 'delivered', 'given-up']),
  /** How many calls were made. */
  tries: z.number(),
  /** Time of the next call in ms since 1970, and the pause before it. */
  dueAt: z.number(),
  pause: z.number(),
  /** How the last call ended, in words. */
  result: z.string().optional(),
  /** The newest calls, oldest first: start, HTTP status or why there was no answer, ms. */
  calls: z
    .array(
      z.object({
        time: z.string(),
        result: z.union([z.number(), z.string()]),
        duration: z.number(),
      }),
    )
    .optional(),
  finishedAt: z.number().optional(),
});

type DeliveryDoc = z.infer<typeof deliveryDoc>;

/** A stored delivery. */
export interface Delivery extends Omit<DeliveryDoc, '_id'> {
  readonly id: string;
}

type DeliveryValues = Partial<Omit<Delivery, 'id'>>;

/** The deliveries of the data folder. */
export class DeliveryStore {
  readonly #collection: Records<DeliveryDoc>;

  private constructor(collection: Records<DeliveryDoc>) {
    this.#collection = collection;
  }

  /** Opens the collection `deliveries`. */
  static async open(keeper: RecordKeeper): Promise<DeliveryStore> {
    return new DeliveryStore(await keeper.open('deliveries', deliveryDoc));
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** The delivery, or null. */
  find(id: string): Delivery | null {
    const doc = this.#collection.find(id);
    return doc && fromDoc(doc);
  }

  /** All deliveries, newest first. */
  list(): Delivery[] {
    const docs = this.#collection.all().sort((a, b) => b.createdAt - a.createdAt);
    return docs.map(fromDoc);
  }

  /** The newest deliveries of a project, newest first. One pass, however many are stored. */
  newest(project: string, count: number): Delivery[] {
    const found: DeliveryDoc[] = [];
    for (const doc of this.#collection.all()) {
      if (doc.project !== project) continue;
      if (found.length === count && doc.createdAt <= (found.at(-1)?.createdAt ?? 0)) continue;
      const at = found.findIndex((other) => other.createdAt < doc.createdAt);
      found.splice(at < 0 ? found.length : at, 0, doc);
      if (found.length > count) found.pop();
    }
    return found.map(fromDoc);
  }

  /** Stores a new delivery; one that is there stays. @returns false for that. @throws ApiError `cannot_save`. */
  async insert({ id, ...fields }: Delivery): Promise<boolean> {
    const made = await this.#collection.put(id, (found) => (found ? null : { _id: id, ...fields }));
    return made !== null;
  }

  /**
   * Sets values, or computes them from the current ones.
   *
   * @returns null if there is no such delivery. @throws ApiError `cannot_save`.
   */
  async change(
    id: string,
    values: DeliveryValues | ((before: Delivery) => DeliveryValues),
  ): Promise<Delivery | null> {
    const changed = await this.#collection.change(id, (doc) => ({
      ...doc,
      ...(typeof values === 'function' ? values(fromDoc(doc)) : values),
    }));
    return changed && fromDoc(changed);
  }

  /** @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<void> {
    await this.#collection.remove(id);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }
}

function fromDoc({ _id, ...fields }: DeliveryDoc): Delivery {
  return { id: _id, ...fields };
}
