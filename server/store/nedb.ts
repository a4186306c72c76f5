/**
 * NeDB with records that were read already. Its own way of opening a file takes five times as long as reading it, and writes
 * it anew each time; so it is given the records, and from then on appends changes as always.
 */
import Datastore from 'nedb-promises';

/** What the wrapper and the database have inside, and their types don't tell. The lock file pins both. */
interface Inside {
  /** Settles when the file is loaded; set, it is not loaded any more. */
  __loaded: Promise<void>;
  readonly __original: {
    /** Takes records in, without copies. */
    _resetIndexes(records: readonly unknown[]): void;
    /** Lets changes through, which wait for the file until then. */
    readonly executor: { processBuffer(): void };
  };
}

/** A database on a file that holds these records. Nothing is read or written before the first change. */
export function fillDatabase<Doc>(file: string, records: readonly Doc[]): Datastore<Doc> {
  // The data may hold keys and private addresses: for this user only.
  const options = { filename: file, modes: { fileMode: 0o600, dirMode: 0o700 } };
  const data: Datastore<Doc> = Datastore.create(options);
  // See Inside.
  const inside = data as unknown as Inside;
  inside.__loaded = Promise.resolve();
  inside.__original._resetIndexes(records);
  inside.__original.executor.processBuffer();
  return data;
}
