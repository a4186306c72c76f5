/**
 * The machines of a farm: each worker says every few seconds that it lives and what it does, in a table that may be
 * lost; each server reads it, for the window.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { MachineRecord } from '../../../shared/api.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import { schemaName } from '../postgres/statement.ts';
import { build, type WorkerBuild } from '../../jobs/worker/render-protocol.ts';
import { silence as silentSeconds } from './job-queue.ts';

/** Milliseconds between two looks at the table, and how often a worker says that it lives. */
export const beat = 3_000;
/** Milliseconds without a word after which a worker counts as silent: then its renders are given to others. */
const silence = silentSeconds * 1000;
/** A worker that has been silent for so long is forgotten. */
const forgotten = '1 hour';

/** What a worker says of itself, besides that it lives. Workers of other versions may say less. */
const facts = z.object({
  name: z.string(),
  version: z.string(),
  ffmpeg: z.string().nullable(),
  slots: z.number(),
  renders: z.array(z.string()).readonly(),
  /** ms since 1970, by the machine's own clock. */
  startedAt: z.number().optional(),
  failed: z.number().default(0),
  lastFailure: z.string().optional(),
  rendererFails: z.boolean().default(false),
  pid: z.number().optional(),
  /** What its films follow from; only machines with the same make a film together. */
  build: z.object({ name: z.string(), programs: build }).nullable().default(null),
  /** IDs of films of which it makes a piece. */
  pieces: z.array(z.string()).readonly().default([]),
});

/** See above. */
export type MachineFacts = Readonly<z.infer<typeof facts>>;

const table = `${schemaName}.machines`;

/** A worker's row. */
export class MachineRow {
  readonly #keeper: Pick<PostgresKeeper, 'inTurn'>;
  readonly #id: string;
  /** When it was first told, by the database's clock. */
  #begun: string | null = null;

  constructor(keeper: Pick<PostgresKeeper, 'inTurn'>, id: string) {
    this.#keeper = keeper;
    this.#id = id;
  }

  /**
   * Says that the worker lives, and what it does. A silent worker of the same name that was last heard of before this
   * one began is forgotten: it came back.
   */
  async tell(told: MachineFacts): Promise<void> {
    await this.#keeper.inTurn(async (session) => {
      const [row] = await session.query<{ begun: string }>(
        `INSERT INTO ${table} (id, facts) VALUES ($1, $2)
         ON CONFLICT (id) DO UPDATE SET facts = excluded.facts, seen_at = now()
         RETURNING coalesce($3, seen_at::text) AS begun`,
        [this.#id, JSON.stringify(told), this.#begun],
      );
      this.#begun ??= row?.begun ?? null;
      await session.query(
        `DELETE FROM ${table} WHERE seen_at < now() - interval '${forgotten}'
           OR (facts->>'name' = $1 AND seen_at < $2::timestamptz
             AND seen_at < now() - interval '${silence} milliseconds')`,
        [told.name, this.#begun],
      );
    });
  }

  /** The worker ends as it should. */
  async remove(): Promise<void> {
    await this.#keeper.inTurn((session) =>
      session.query(`DELETE FROM ${table} WHERE id = $1`, [this.#id]),
    );
  }
}

/** A server's view of all of them. */
export class MachineBoard {
  /** By name, then by start. */
  machines: readonly MachineRecord[] = [];
  /** How many different builds those that live have (`buildOf`). */
  builds = 0;
  readonly #keeper: Pick<PostgresKeeper, 'inTurn'>;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #timer: NodeJS.Timeout;
  #looking = false;
  /** The last warning about different machines. */
  #mixed = '';

  /** @param onChange called when a machine came, went, fell silent, or says something else than before */
  constructor(keeper: Pick<PostgresKeeper, 'inTurn'>, log: Log, onChange: () => void) {
    this.#keeper = keeper;
    this.#log = log;
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.#look(), beat).unref();
    void this.#look();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Machines whose films may differ by some pixels are told, once for every change. */
  #tellMixed(living: readonly Seen[]): void {
    const builds = new Map<string, string>();
    for (const { said } of living) {
      if (!said.build) continue;
      const { name, programs } = said.build;
      const { ffmpeg, x264, drawing, fonts } = programs;
      const words = `${said.version}, ${ffmpeg}, x264 ${x264}, drawing ${drawing}, fonts ${fonts}`;
      builds.set(name, `${builds.get(name) ?? words} on ${said.name}`);
    }
    this.builds = builds.size;
    const mixed = builds.size < 2 ? '' : [...builds.values()].toSorted().join('; ');
    if (mixed === this.#mixed) return;
    this.#mixed = mixed;
    const text = 'machines have different programs and make no films together';
    if (mixed !== '') this.#log('warning', 'queue', `${text}: ${mixed}`);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      // The database's clock measures the silence: those of machines differ.
      const rows = await this.#keeper.inTurn((session) =>
        session.query<{ id: string; facts: unknown; silent: number }>(
          `SELECT id, facts, 1000 * extract(epoch FROM now() - seen_at)::float8 AS silent FROM ${table}
           WHERE seen_at > now() - interval '${forgotten}'`,
        ),
      );
      const seen = rows.flatMap(({ facts: told, ...row }): Seen[] => {
        const { data } = facts.safeParse(told);
        return data ? [{ ...row, said: data }] : [];
      });
      this.#tellMixed(seen.filter(({ silent }) => silent <= silence));
      const known = new Map(this.machines.map((machine) => [machine.id, machine.silentSince]));
      const found = seen
        .map((machine) => recordOf(machine, known.get(machine.id)))
        .sort(
          (one, other) =>
            one.name.localeCompare(other.name) || (one.startedAt ?? 0) - (other.startedAt ?? 0),
        );
      if (JSON.stringify(found) === JSON.stringify(this.machines)) return;
      this.machines = found;
      this.#onChange();
    } catch (error) {
      // The next look comes soon; what the database lacks is told elsewhere.
      this.#log('info', 'queue', describeError(error));
    } finally {
      this.#looking = false;
    }
  }
}

/** A machine's row. */
interface Seen {
  readonly id: string;
  readonly said: MachineFacts;
  /** Milliseconds since it was last heard of. */
  readonly silent: number;
}

/** @param since When it fell silent, as found before: measured again it would differ by a little each time. */
function recordOf({ id, said, silent }: Seen, since: number | undefined): MachineRecord {
  const { name, version, slots, renders, failed, rendererFails } = said;
  const { ffmpeg, startedAt, lastFailure } = said;
  return {
    id,
    ...{ name, version, slots, renders, failed, rendererFails },
    ...(ffmpeg !== null && { ffmpeg }),
    ...(startedAt !== undefined && { startedAt }),
    ...(lastFailure !== undefined && { lastFailure }),
    ...(silent > silence && { silentSince: since ?? Math.round(Date.now() - silent) }),
  };
}

// The name of what a machine's films follow from: those of machines with the same name are the same.

/** See above. */
export interface Build {
  /** Twelve hexadecimal digits. */
  readonly name: string;
  readonly programs: WorkerBuild;
}

/** @param version The program's. */
export function buildOf(version: string, programs: WorkerBuild): Build {
  const { ffmpeg, x264, drawing, fonts } = programs;
  const text = JSON.stringify([version, ffmpeg, x264, drawing, fonts]);
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 12), programs };
}
