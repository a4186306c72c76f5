/** The files that the rows of a feed want, each once with its rows, and what trying them has shown. */
import type { CheckedRows, FoundFault } from './feed-check.ts';
import type { FileFault, WantedFile } from './file-trials.ts';

/** What was found about files; those that nobody had time for are absent. */
type Tried = ReadonlyMap<WantedFile, FileFault | null>;

export class RowFiles {
  /** By what is wanted. */
  readonly #wanted = new Map<string, { readonly file: WantedFile; readonly rows: string[] }>();

  /** In the order of the first rows that want them. */
  get files(): readonly WantedFile[] {
    return [...this.#wanted.values()].map(({ file }) => file);
  }

  /** Adds the next rows. */
  add({ files, rows }: Pick<CheckedRows, 'files' | 'rows'>): void {
    const places = files.map((file) => {
      const key = JSON.stringify(file);
      const known = this.#wanted.get(key) ?? { file, rows: [] };
      this.#wanted.set(key, known);
      return known;
    });
    for (const row of rows) {
      for (const at of row.files) places[at]?.rows.push(row.id);
    }
  }

  /** What is wrong with them, for each row. @param names what stands in cells, by address */
  faults(tried: Tried, names: ReadonlyMap<string, string>): readonly FoundFault[] {
    return [...this.#wanted.values()].flatMap(({ file, rows }) => {
      const fault = tried.get(file);
      if (!fault) return [];
      const { source, element } = file;
      const plain = fault.message.replace(/^Source error: /, '');
      const sentence = plain.replaceAll(`(${source})`, `(${names.get(source) ?? source})`);
      return rows.map((row) => ({
        ...{ row, sentence, element, property: 'source', code: fault.code },
      }));
    });
  }

  /** Rows of which not all files were tried. */
  untried(tried: Tried): ReadonlySet<string> {
    const rows = [...this.#wanted.values()].flatMap((one) => (tried.has(one.file) ? [] : one.rows));
    return new Set(rows);
  }
}
