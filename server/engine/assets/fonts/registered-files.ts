/**
 * Which font files the drawing library has been given, under which names. The library keeps fonts per process and tries
 * the last one first: a file given once more by another thread would change what others draw. So all threads keep one
 * list, in shared memory, and only whoever holds its lock gives the library a file.
 */

/**
 * Numbers at the beginning: whether somebody holds the lock, and how many bytes of entries follow. An entry is a name
 * and a path, each ended by a zero.
 */
const head = { lock: 0, length: 1, count: 2 } as const;
const headBytes = head.count * Int32Array.BYTES_PER_ELEMENT;
/** Bytes of all entries: 20,000 files. What was never written takes no memory. */
const listBytes = 4 * 1024 ** 2;

/** The list of one process, as one of its threads sees it. */
export class RegisteredFiles {
  #memory: SharedArrayBuffer | null = null;
  /** By name, as far as the list was read. */
  readonly #files = new Map<string, Set<string>>();
  #read = 0;

  /** For another thread's `join`. */
  get memory(): SharedArrayBuffer {
    return (this.#memory ??= new SharedArrayBuffer(headBytes + listBytes));
  }

  /** Keeps the list of another thread. Call it before the first font. */
  join(memory: SharedArrayBuffer): void {
    if (this.#memory) throw new Error('fonts were registered before the list was shared');
    this.#memory = memory;
  }

  /** True if the library has anything under that name. */
  has(name: string): boolean {
    return this.#withLock(() => this.#files.has(name));
  }

  /**
   * Gives the library a file, unless it was given before under that name.
   *
   * @param register Gives it; false if it is damaged. That is not tried again.
   * @returns False if it was tried now and is damaged.
   */
  add(name: string, filePath: string, register: () => boolean): boolean {
    return this.#withLock(() => {
      if (this.#files.get(name)?.has(filePath) === true) return true;
      this.#note(name, filePath);
      this.#write(name, filePath);
      return register();
    });
  }

  /** Frees the lock, which a thread may have held when it was ended. Call it when this is the only one left. */
  unlock(): void {
    if (this.#memory) Atomics.store(new Int32Array(this.#memory, 0, head.count), head.lock, 0);
  }

  #withLock<T>(work: () => T): T {
    const numbers = new Int32Array(this.memory, 0, head.count);
    while (Atomics.compareExchange(numbers, head.lock, 0, 1) !== 0)
      Atomics.wait(numbers, head.lock, 1);
    try {
      this.#catchUp(numbers);
      return work();
    } finally {
      Atomics.store(numbers, head.lock, 0);
      Atomics.notify(numbers, head.lock, 1);
    }
  }

  /** Reads what others have added. */
  #catchUp(numbers: Int32Array): void {
    const length = numbers[head.length] ?? 0;
    if (length === this.#read) return;
    const added = Buffer.from(this.memory, headBytes + this.#read, length - this.#read);
    const parts = added.toString('utf8').split('\0');
    for (let at = 0; at + 1 < parts.length; at += 2)
      this.#note(parts[at] ?? '', parts[at + 1] ?? '');
    this.#read = length;
  }

  #note(name: string, filePath: string): void {
    const files = this.#files.get(name) ?? new Set();
    this.#files.set(name, files.add(filePath));
  }

  /** A full list stays as it is: threads that come later give the library such a file once more. */
  #write(name: string, filePath: string): void {
    const entry = Buffer.from(`${name}\0${filePath}\0`);
    if (this.#read + entry.length > listBytes) return;
    entry.copy(Buffer.from(this.memory, headBytes + this.#read));
    this.#read += entry.length;
    new Int32Array(this.memory, 0, head.count)[head.length] = this.#read;
  }
}

/** The list of this process. */
export const registeredFiles = new RegisteredFiles();
