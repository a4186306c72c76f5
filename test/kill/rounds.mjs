/** What the kill tests share: their options, waiting for a state, what must hold in the end, and what is said of it. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from './content.mjs';
import { request } from './request.mjs';

/** `[--rounds 20] [--seed 1]` of the command line. */
export function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  const { seed } = values;
  return { rounds: Number(values.rounds), seed, random: randomFrom(Number(seed)) };
}

/**
 * Milliseconds without any change after which something is taken to be stuck; a busy machine stands still for seconds.
 */
const stuckAfter = 180_000;

/** Waits until `look` says true. @returns false when nothing about `sign` changed for long. */
export async function until(look, sign = () => 0) {
  let [last, since] = [undefined, performance.now()];
  for (;;) {
    if (await look()) return true;
    const now = sign();
    if (now !== last) [last, since] = [now, performance.now()];
    if (performance.now() - since > stuckAfter) return false;
    await pause(20);
  }
}

/** Sends JSON with a key and reads the answer's. Rejects when the connection breaks. */
export async function askAt(url, key, method, body) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { status, content } = await request(url, { method, headers }, body && JSON.stringify(body));
  return { status, body: content.length === 0 ? null : JSON.parse(content.toString()) };
}

/** All renders end, and each end is told: what does not is added to the ledger's problems. */
export async function expectEnds({ ledger, receiver, ask, random }) {
  const { problems } = ledger;
  const allEnded = await until(
    async () => {
      await ledger.checkRenders(ask, 'at the end', { share: 0, random });
      return ledger.open.length === 0;
    },
    () => ledger.open.length,
  );
  if (!allEnded) for (const [id] of ledger.open) problems.push(`render ${id} does not end`);
  const untold = () => [...ledger.renders.keys()].filter((id) => !receiver.hasHeardOf(id));
  const allTold = await until(
    () => untold().length === 0,
    () => untold().length,
  );
  if (!allTold) for (const id of untold()) problems.push(`render ${id} was never told`);
}

/**
 * Says how it went, and sets the exit code. The data stay if something is wrong.
 *
 * @param said What the programs said last, by their names.
 */
export function report({ problems, rounds, seed, folder, said }) {
  if (problems.length === 0) {
    console.log(`${rounds} rounds: nothing was lost, nothing is left (seed ${seed}).`);
    rmSync(folder, { recursive: true });
    return;
  }
  console.error(problems.slice(0, 50).join('\n'));
  console.error(`${problems.length} problems, seed ${seed}, data kept in ${folder}`);
  for (const [name, text] of Object.entries(said))
    console.error(`${name} said last:\n${text.split('\n').slice(-15).join('\n')}`);
  process.exitCode = 1;
}

/** `server 3, encoder 2` */
export const countsInWords = (counts) =>
  Object.entries(counts)
    .map(([kind, times]) => `${kind} ${times}`)
    .join(', ');
