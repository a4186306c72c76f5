/**
 * Data files that are torn, damaged, robbed of what was not flushed, or written to by a disk that fails: they always
 * open, and nothing that was acknowledged is lost but what the damage itself hit, which is told.
 */
import { copyFlushed, failWrite, repairDisk } from '../store/faulty-disk.ts';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Collection } from '../../server/store/database.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { brokenText } from './texts.ts';

export const name = 'store';

const schema = z.object({ _id: z.string(), value: z.string() });
type Doc = z.infer<typeof schema>;
type Known = Map<string, string>;

const open = (file: string): Promise<Collection<Doc>> =>
  Collection.open({ file, schema, log: () => undefined });

const contentsOf = (collection: Collection<Doc>): Known =>
  new Map(collection.all().map(({ _id, value }) => [_id, value]));

const sorted = (known: Known): [string, string][] =>
  [...known].sort(([a], [b]) => (a < b ? -1 : 1));

/** Random changes, some at the same time, on a disk that may fail in between; `known` has what was acknowledged. */
async function change(random: Random, collection: Collection<Doc>, known: Known): Promise<void> {
  const count = 1 + random.below(30);
  for (let done = 0; done < count; done++) {
    if (random.oneIn(8)) failWrite(1 + random.below(4), { forGood: random.oneIn(3) });
    const together = Array.from({ length: 1 + random.below(3) }, (_, index) => index);
    await Promise.all(
      together.map(async (lane) => {
        // One lane, one record: the order of acknowledgements is then that of changes.
        const id = `r${lane}-${random.below(4)}`;
        const length = random.oneIn(12) ? 300_000 : random.below(50);
        const value = `${brokenText(random, 'a "b" {}')}${'x'.repeat(length)}`;
        const removes = random.oneIn(6);
        const work = removes ? collection.remove(id) : collection.write({ _id: id, value });
        await work.then(
          () => (removes ? known.delete(id) : known.set(id, value)),
          () => undefined,
        );
      }),
    );
    if (random.oneIn(2)) repairDisk();
  }
  repairDisk();
}

/** What lines say, one after the other; those in `hit` are passed over. */
function replay(lines: readonly string[], hit: ReadonlySet<number> = new Set()): Known {
  const known: Known = new Map();
  for (const [index, line] of lines.entries()) {
    const record = hit.has(index) ? null : parse(line);
    if (typeof record?._id !== 'string') continue;
    if (record.$$deleted === true) known.delete(record._id);
    else known.set(record._id, String(record.value));
  }
  return known;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Opens a file and holds it against what must be in it; `unsure` are IDs that damage has hit. */
async function compare(
  file: string,
  expected: Known,
  what: string,
  unsure: ReadonlySet<string> = new Set(),
): Promise<{ find: string | null; notices: number }> {
  const collection = await open(file);
  await collection.close();
  const sure = (known: Known): [string, string][] =>
    sorted(known).filter(([id]) => !unsure.has(id));
  const [found, wanted] = [sure(contentsOf(collection)), sure(expected)];
  const isSame = isDeepStrictEqual(found, wanted);
  const ids = (list: [string, string][]): string => list.map(([id]) => id).join();
  return {
    find: isSame ? null : `${what}: expected ${ids(wanted)}, found ${ids(found)}, or other values`,
    notices: collection.notices.length,
  };
}

async function attack(random: Random, folder: string): Promise<string | null> {
  const file = path.join(folder, 'things.db');
  const known: Known = new Map();
  const collection = await open(file);
  await change(random, collection, known);
  const flushed = path.join(folder, 'flushed');
  copyFlushed(folder, flushed);
  await collection.close();
  if (!isDeepStrictEqual(sorted(contentsOf(collection)), sorted(known))) {
    return 'what is read is not what was acknowledged';
  }
  const powerCut = await compare(path.join(flushed, 'things.db'), known, 'after a power cut');
  if (powerCut.find !== null) return powerCut.find;

  const bytes = await readFile(file);
  const torn = path.join(folder, 'torn.db');
  const length = random.below(bytes.length + 1);
  await writeFile(torn, bytes.subarray(0, length));
  const lines = bytes.subarray(0, length).toString('utf8').split('\n');
  const cut = await compare(torn, replay(lines), `cut at byte ${length} of ${bytes.length}`);
  if (cut.find !== null) return cut.find;

  const damaged = path.join(folder, 'damaged.db');
  const start = random.below(bytes.length);
  const end = Math.min(bytes.length, start + 1 + random.below(80));
  const broken = Buffer.from(bytes);
  for (let at = start; at < end; at++) broken[at] = random.oneIn(9) ? 10 : random.below(256);
  await writeFile(damaged, broken);
  const hit = new Set<number>();
  const unsure = new Set<string>();
  let position = 0;
  const original = bytes.toString('utf8').split('\n');
  for (const [index, line] of original.entries()) {
    const next = position + Buffer.byteLength(line) + 1;
    // One whose line begins where the damage ends: the end of the line before may be gone.
    if (position <= end && next > start) {
      hit.add(index);
      const id = parse(line)?._id;
      if (typeof id === 'string') unsure.add(id);
    }
    position = next;
  }
  // What the damage made of a record may be one of another ID.
  const whole = new Set(original);
  for (const line of broken.toString('utf8').split('\n')) {
    const id = whole.has(line) ? undefined : parse(line)?._id;
    if (typeof id === 'string') unsure.add(id);
  }
  const place = `bytes ${start} to ${end} of ${bytes.length} overwritten`;
  const after = await compare(damaged, replay(original, hit), place, unsure);
  if (after.find !== null) return after.find;
  const isBroken = broken
    .toString('utf8')
    .split('\n')
    .some((line) => line !== '' && parse(line) === null);
  return isBroken && after.notices === 0 ? `${place}: nobody is told` : null;
}

/** See cases.ts. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-fuzz-'));
  try {
    return await runCases(options, async (random, seed) => {
      const place = path.join(folder, String(seed));
      await mkdir(place);
      try {
        return await attack(random, place);
      } finally {
        repairDisk();
        await rm(place, { recursive: true });
      }
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
