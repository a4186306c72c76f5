/** What the farm's kill test reads from the database and from storage: ends, jobs, and files that nothing names. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { runnerImport } from 'vite';

const load = async (name) => {
  const file = path.join(import.meta.dirname, '../../server', name);
  // Node 20 does not know `using`.
  const options = { configFile: false, logLevel: 'error', oxc: { target: 'node20' } };
  return (await runnerImport(file, options)).module;
};

/** Has the database note each end of a render, and each change of one that has ended. */
export async function watchEnds(runAt, database) {
  await runAt(
    database,
    `CREATE TABLE IF NOT EXISTS ends (id text, before text, after text);
     CREATE OR REPLACE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.doc->>'status' IN ('succeeded', 'failed') OR OLD.doc->>'status' IN ('succeeded', 'failed') THEN
         INSERT INTO ends VALUES (NEW.id, OLD.doc->>'status', NEW.doc->>'status');
       END IF;
       RETURN NULL;
     END $$;
     CREATE TRIGGER note_end AFTER UPDATE ON framewright.renders FOR EACH ROW EXECUTE FUNCTION note_end()`,
  );
}

/** What is wrong with the ends: one for each render that is known, and none was taken back. */
export async function endStates(runAt, database, ledger) {
  const rows = await runAt(
    database,
    'SELECT id, count(*)::int AS ends, array_agg(before) AS befores FROM ends GROUP BY id',
  );
  const twice = rows.filter(({ ends }) => ends !== 1);
  const known = new Set(rows.map(({ id }) => id));
  const without = [...ledger.renders.keys()].filter((id) => !known.has(id));
  return [
    ...twice.map(({ id, ends, befores }) => `render ${id} ended ${ends} times, from ${befores}`),
    ...without.map((id) => `render ${id} was never seen to end`),
  ];
}

/** What the database has of renders that have not ended: tells where they are stuck. */
export async function openStates(runAt, database, ledger) {
  if (ledger.open.length === 0) return [];
  const ids = new Set(ledger.open.map(([id]) => id));
  const rows = await runAt(
    database,
    `SELECT render.id, doc->>'status' AS status, doc->>'attempts' AS attempts, doc->>'sourceError' AS fault, job.state
     FROM framewright.renders AS render LEFT JOIN framewright_jobs.job ON job.id::text = render.id`,
  );
  return rows
    .filter(({ id }) => ids.has(id))
    .map(
      ({ id, status, attempts, fault, state }) =>
        `render ${id} is ${status} after ${attempts} attempts, its job is ${state ?? 'not there'}; source: ${fault ?? 'right'}`,
    );
}

/** Jobs, progress, documents and reservations that nobody needs any more. */
export async function jobsLeft(runAt, database) {
  const rows = await runAt(
    database,
    `SELECT 'job ' || id || ' is ' || state AS what FROM framewright_jobs.job
       WHERE name = 'renders' AND state < 'completed'
     UNION ALL SELECT 'progress of ' || render FROM framewright.progress
     UNION ALL SELECT 'document of ' || render FROM framewright.documents JOIN framewright.renders ON id = render
       WHERE status IN ('succeeded', 'failed')
     UNION ALL SELECT 'credits for ' || render FROM framewright.reservations`,
  );
  return rows.map(({ what }) => `there is a ${what}`);
}

/** Files that are still there after the sweeps of the leader and of the workers, as if a month had gone by. */
export async function strayFiles({ runAt, database, storage, folder, temporary, machines }) {
  const found = readdirSync(temporary).map((name) => `the temporary folder has ${name}`);
  const rows = await runAt(database, 'SELECT id, doc FROM framewright.renders');
  const renders = new Map(rows.map(({ id, doc }) => [id, { ...doc, id }]));
  const { createOutputFiles } = await load('jobs/files/output-files.ts');
  const { FolderStorage } = await load('cluster/storage/folder-storage.ts');
  const later = Date.now() + 31 * 24 * 3_600_000;
  const opened = await FolderStorage.open(storage, 30_000);
  for (const output of [
    path.join(folder, 'shared', 'output'),
    ...machines.map(({ data }) => path.join(data, 'output')),
  ]) {
    if (!existsSync(output)) continue;
    const files = createOutputFiles(output, opened);
    await files.sweep({ find: (id) => renders.get(id) ?? null }, later);
    for (const name of filesIn(output)) found.push(`${output} has ${name}`);
  }
  const { PieceFiles } = await load('cluster/jobs/pieces.ts');
  const pieces = new PieceFiles(opened);
  await pieces.sweep({ find: (id) => renders.get(id) ?? null }, later);
  await pieces.shrink(0, later);
  await opened.close();
  const named = new Set(
    [...renders.values()].flatMap(({ stored }) => [
      stored?.output,
      stored?.snapshot,
      stored?.receipt,
    ]),
  );
  for (const name of filesIn(storage)) {
    if (!named.has(name) && !name.startsWith('.framewright')) found.push(`the storage has ${name}`);
  }
  for (const { data, name } of machines) {
    for (const work of readdirSync(data).filter((one) => one.startsWith('work'))) {
      const inside = readdirSync(path.join(data, work));
      if (inside.length > 0 || work.includes('-')) found.push(`${name} has ${work}: ${inside}`);
    }
  }
  return found;
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
