/**
 * The rows of a feed as the server stores them, each read when it is looked at. A large table has hundreds of thousands
 * of values; as strings of their own they are what the browser's collector of memory moves about, for longer than a
 * frame, while the table scrolls. As one text they are not. Pure.
 */
import * as z from 'zod/mini';
import { feedTable, type WindowFeedRow } from '../../../shared/api/feeds.ts';
import { isJsonObject } from '../../../shared/renderscript/source.ts';

type Values = WindowFeedRow['values'];
/** Not each of them: a search reads all rows. */
const storedValues = z.custom<Values>(isJsonObject);

/** How many rows that were looked at last keep their values: more than any window shows. */
const mostRead = 512;
/** In the order in which they were read. */
const read = new Set<StoredRow>();

/** Between two rows. Quotes within values are masked, so none of them has it. */
const border = '}},{"id":';
const start = '[{"id":';
const end = '}}]';
const afterId = '","values":{';

/** The rows of a stored table. @throws SyntaxError if it is none. */
export function storedRows(text: string): readonly WindowFeedRow[] {
  const parts =
    text.startsWith(start) && text.endsWith(end)
      ? text.slice(start.length, -end.length).split(border)
      : [];
  const rows = parts.map((part) => {
    const idEnd = part.indexOf('"', 1);
    return part.startsWith('"') && part.startsWith(afterId, idEnd)
      ? new StoredRow(part.slice(1, idEnd), part.slice(idEnd + afterId.length))
      : null;
  });
  const isAsStored = rows.length > 0 && rows.every((row) => row !== null);
  return isAsStored ? rows : z.parse(feedTable, JSON.parse(text));
}

class StoredRow implements WindowFeedRow {
  readonly id: string;
  readonly #text: string;
  #values: Values | null = null;

  /** @param text of its values, without the brackets */
  constructor(id: string, text: string) {
    this.id = id;
    this.#text = text;
  }

  get values(): Values {
    if (this.#values) return this.#values;
    const values = z.parse(storedValues, JSON.parse(`{${this.#text}}`));
    this.#values = values;
    read.add(this);
    if (read.size > mostRead) StoredRow.#forgetOldest();
    return values;
  }

  /** For requests: the getter above is no property of its own. */
  toJSON(): WindowFeedRow {
    return { id: this.id, values: this.values };
  }

  static #forgetOldest(): void {
    const [oldest] = read;
    if (!oldest) return;
    oldest.#values = null;
    read.delete(oldest);
  }
}
