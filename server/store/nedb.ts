/**
 * NeDB with records that were already read. Its own opening takes five times as long as reading the file, and rewrites
 * it each time, which fails on a full disk; so it gets the records, and from then on appends changes as usual. No
 * public member does that: all of them wait for the opening.
 */
import Datastore from 'nedb-promises';

/** Internals of the wrapper and of NeDB that their types omit. The lock file pins both. */
interface Inside {
  /** Settles when the file is loaded; if set, it is not loaded again. */
  __loaded: Promise<void>;
  readonly __original: {
    /** Takes records in, without copies. */
    _resetIndexes(records: readonly unknown[]): void;
    /** Lets changes through, which wait for the load until then. */
    readonly executor: { processBuffer(): void };
  };
}

/** A database on a file that holds these records. Nothing is read or written before the first change. */
export function fillDatabase<Doc>(file: string, records: readonly Doc[]): Datastore<Doc> {
  // The data may contain keys and private addresses: readable for this user only.
  const options = { filename: file, modes: { fileMode: 0o600, dirMode: 0o700 } };
  const data: Datastore<Doc> = Datastore.create(options);
  // See Inside.
  const inside = data as unknown as Inside;
  inside.__loaded = Promise.resolve();
  inside.__original._resetIndexes(records);
  inside.__original.executor.processBuffer();
  return data;
}
