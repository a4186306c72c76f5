/** One line of progress in a terminal; silent where stderr is none. */
export class ProgressLine {
  readonly #what: string;
  #shown = '';

  /** @param what is done, e.g. `Fetching small` */
  constructor(what: string) {
    this.#what = what;
  }

  /** @param share of it that is done, 0–1 */
  show(share: number): void {
    const percent = `${Math.floor(Math.min(1, share) * 100)} %`;
    if (!process.stderr.isTTY || percent === this.#shown) return;
    this.#shown = percent;
    process.stderr.write(`\r\u001b[K${this.#what} ${percent}`);
  }

  /** Clears the line. */
  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }
}
