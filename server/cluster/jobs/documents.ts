/**
 * Documents of renders that have not ended, in the database beside the files of the servers: workers that don't reach
 * these read them there. A short one is written in the transaction that stores its render, so that it costs no message
 * and no wait for a disk of its own.
 */
import { ApiError } from '../../../shared/errors.ts';
import { isFinal } from '../../../shared/api.ts';
import { JsonText, plainText, type TextContent } from '../../system/json-text.ts';
import { UnavailableError } from '../../store/health.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import { tableOf } from '../postgres/migrations.ts';
import type { Session } from '../postgres/session.ts';
import type { RecordChange } from '../../store/records.ts';
import { readRender, type StoredRender } from '../../store/render-record.ts';
import type { DocumentPlace } from '../../store/renders.ts';
import { schemaName } from '../postgres/statement.ts';

/** The longest that is written in a transaction that others wait for, in characters or bytes. */
const shortLength = 16_000;
const table = `${schemaName}.documents`;

/** The document of a render; null if there is none. @throws what the database says. */
export async function readDocument(session: Session, id: string): Promise<JsonText | null> {
  const [row] = await session.query<{ content: string }>(
    `SELECT content FROM ${table} WHERE render = $1`,
    [id],
  );
  if (!row) return null;
  const text = new JsonText(row.content);
  // Long ones stay bytes.
  return text.isShort ? text : new JsonText(Buffer.from(row.content));
}

/** Removes the document of a render that ends, in the same transaction. */
async function forgetDocument(session: Session, id: string): Promise<void> {
  await session.query(forgetDocumentText('= $1'), [id]);
}

/** The statement for that. @param whose What the render's ID must be, e.g. `= $1`. */
export const forgetDocumentText = (whose: string): string =>
  `DELETE FROM ${table} WHERE render ${whose}`;

/** The servers' side. */
export class DocumentTable implements DocumentPlace {
  readonly #keeper: PostgresKeeper;
  /** Short ones whose renders are being stored. */
  readonly #arriving = new Map<string, string>();

  /** From now on documents come and go with their renders. */
  constructor(keeper: PostgresKeeper) {
    this.#keeper = keeper;
    keeper.addAlongside((session, changes) => this.#follow(session, changes));
  }

  async bring(id: string, content: TextContent): Promise<void> {
    if (content.length <= shortLength) this.#arriving.set(id, plainText(content));
    else await this.#write(id, content);
  }

  done(id: string): void {
    this.#arriving.delete(id);
  }

  /**
   * Adds those that are missing.
   * @param unfinished All renders that have not ended.
   * @param read Reads one from its file.
   */
  async complete(
    unfinished: readonly StoredRender[],
    read: (id: string) => Promise<JsonText | null>,
  ): Promise<void> {
    const rows = await this.#keeper.inTurn((session) =>
      session.query<{ render: string }>(`SELECT render FROM ${table}`),
    );
    const there = new Set(rows.map(({ render }) => render));
    for (const { id } of unfinished) {
      const document = there.has(id) ? null : await read(id);
      if (document) await this.#write(id, document.content, insertOpen);
    }
  }

  /** Removes those of renders that were not stored after all, or have ended. */
  async sweep(): Promise<void> {
    await this.#keeper.inTurn((session) =>
      session.all(
        `DELETE FROM ${table} AS document WHERE kept_at < now() - interval '1 hour' AND NOT EXISTS (
           SELECT 1 FROM ${tableOf('renders')} AS render
           WHERE render.id = document.render AND status NOT IN ('succeeded', 'failed'))`,
      ),
    );
  }

  async #follow(session: Session, changes: readonly RecordChange[]): Promise<void> {
    for (const { collection, id, before, after } of changes) {
      if (collection !== 'renders') continue;
      const isOpen = after !== null && !isFinal(readRender(after).status);
      const text = this.#arriving.get(id);
      if (isOpen && !before && text !== undefined) await session.query(insert, [id, text]);
      else if (!isOpen && before && !isFinal(readRender(before).status))
        await forgetDocument(session, id);
    }
  }

  /** @throws ApiError `cannot_save` while the database is away. */
  async #write(id: string, content: TextContent, statement = insert): Promise<void> {
    const bytes =
      typeof content === 'string'
        ? content
        : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await this.#keeper
      .inTurn((session) => session.query(statement, [id, bytes]))
      .catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error;
        throw new ApiError('cannot_save', { reason: error.message });
      });
  }
}

const insert = `INSERT INTO ${table} (render, content) VALUES ($1, $2) ON CONFLICT (render) DO NOTHING`;
/**
 * Only of a render that has not ended meanwhile: its worker has removed the document then, and waits here if it is
 * about to.
 */
const insertOpen = `INSERT INTO ${table} (render, content)
  SELECT id, $2::text FROM ${tableOf('renders')} WHERE id = $1 AND status NOT IN ('succeeded', 'failed') FOR SHARE
  ON CONFLICT (render) DO NOTHING`;
