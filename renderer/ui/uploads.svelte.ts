/** Files on their way to the server, one after the other, with their progress. Window only. */

/** `looking`: sent, and the server finds out what it is. */
export type UploadPhase = 'waiting' | 'sending' | 'looking' | 'failed';

/** A file on its way. */
export class Upload {
  readonly file: File;
  phase = $state<UploadPhase>('waiting');
  /** Bytes. */
  sent = $state(0);
  /** Why it failed. */
  problem = $state('');
  readonly life = new AbortController();

  constructor(file: File) {
    this.file = file;
  }

  /** 0 to 100. */
  get percent(): number {
    return this.file.size === 0 ? 100 : (this.sent / this.file.size) * 100;
  }
}

/** What uploads are made with. */
export interface UploadOptions<T> {
  /** Sends one file. @param onSent told how many bytes have been sent */
  readonly send: (file: File, signal: AbortSignal, onSent: (bytes: number) => void) => Promise<T>;
  /** One has arrived. */
  readonly onDone: (answer: T) => void;
  /** One was refused, or got lost; the list says why too. */
  readonly onFailed?: (reason: unknown) => void;
}

/** The uploads of one list. They go on when the list is no longer shown. */
export class Uploads<T> {
  /** Waiting, under way, and failed ones. */
  list = $state.raw<readonly Upload[]>([]);
  readonly #options: UploadOptions<T>;
  #busy = false;

  constructor(options: UploadOptions<T>) {
    this.#options = options;
  }

  /** Adds files one after the other. */
  add(files: readonly File[]): void {
    this.list = [...this.list, ...files.map((file) => new Upload(file))];
    void this.#work();
  }

  /** Stops an upload, or removes a failed one from the list. */
  drop(upload: Upload): void {
    this.list = this.list.filter((other) => other !== upload);
    upload.life.abort();
  }

  /** Tries a failed upload again. */
  retry(upload: Upload): void {
    upload.phase = 'waiting';
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = this.#next(); next; next = this.#next()) await this.#send(next);
    this.#busy = false;
  }

  #next(): Upload | undefined {
    return this.list.find(({ phase }) => phase === 'waiting');
  }

  async #send(upload: Upload): Promise<void> {
    const { file, life } = upload;
    upload.phase = 'sending';
    upload.sent = 0;
    try {
      const answer = await this.#options.send(file, life.signal, (bytes) => {
        upload.sent = bytes;
        if (bytes >= file.size) upload.phase = 'looking';
      });
      this.drop(upload);
      this.#options.onDone(answer);
    } catch (reason) {
      if (life.signal.aborted) return;
      upload.problem = reason instanceof Error ? reason.message : String(reason);
      upload.phase = 'failed';
      this.#options.onFailed?.(reason);
    }
  }
}
