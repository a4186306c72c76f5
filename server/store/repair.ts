/**
 * Looks at a data file before the database opens it, because the database drops what it can't read without a word, and
 * refuses to open a small file whose last line was torn by a power cut.
 *
 * A torn last line is cut off, unreadable lines are moved to `damaged-DATE.jsonl`, and a copy of the original is kept.
 */
import { isUtf8 } from 'node:buffer';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { errorCode, writeWhole } from './files.ts';

const newline = 0x0a;

/** Characters that JSON leaves as they are and the database takes for ends of lines. */
const hiddenLineEnds = /[\u0085\u2028\u2029]/g;

/** A line as it may stand in a data file: with these characters escaped, which JSON undoes by itself. */
export function escapeLineEnds(line: string): string {
  return line.replace(
    hiddenLineEnds,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What happened to the data when it was opened, for people. */
export interface StoreNotice {
  /** A sentence. */
  readonly text: string;
  /** Records that could not be read any more are in a file of their own. */
  readonly setAside?: {
    readonly records: number;
    /** Its path. */
    readonly file: string;
  };
}

/** Repairs a data file where it needs it. @returns what was done; null for a sound file. */
export async function repairDataFile(file: string, now: Date): Promise<StoreNotice | null> {
  const content = await readOrNull(file);
  if (content === null || content.length === 0) return null;

  const sound: Buffer[] = [];
  const damaged: Buffer[] = [];
  let torn = false;
  for (const line of linesOf(content)) {
    if (line.content.length === 0) continue;
    if (isRecord(line.content)) sound.push(line.content);
    else if (line.ended) damaged.push(line.content);
    else torn = true;
  }
  const unfinished = content[content.length - 1] !== newline;
  if (damaged.length === 0 && !unfinished) {
    // Written by versions that did not escape; the database would read such a record as two halves.
    const escaped = escapeLineEnds(content.toString('utf8'));
    if (Buffer.byteLength(escaped) !== content.length) await writeWhole(file, escaped);
    return null;
  }

  const name = path.basename(file);
  const stamp = now.toISOString().replace(/[:.]/g, '-');
  const original = path.join(path.dirname(file), `${name}.before-repair-${stamp}`);
  await copyFile(file, original);
  // Named by the data file, too: several are repaired within one moment.
  const aside = `damaged-${path.basename(name, '.db')}-${stamp}.jsonl`;
  const asideFile = path.join(path.dirname(file), aside);
  if (damaged.length > 0) await writeWhole(asideFile, joinLines(damaged));
  await writeWhole(file, escapeLineEnds(joinLines(sound).toString('utf8')));

  const parts: string[] = [];
  if (damaged.length === 1) parts.push('1 damaged record was set aside');
  if (damaged.length > 1) parts.push(`${damaged.length} damaged records were set aside`);
  if (torn) parts.push('a change that was cut off while being written was left out');
  if (parts.length === 0) parts.push('a missing line end was added');
  return {
    text: `${name}: ${parts.join(', and ')}; the original is kept as ${path.basename(original)}.`,
    ...(damaged.length > 0 && { setAside: { records: damaged.length, file: asideFile } }),
  };
}

/** The readable records of a data file, as the database would load them. */
export async function readRecords(file: string): Promise<unknown[]> {
  const records = new Map<string, unknown>();
  for (const { content } of linesOf((await readOrNull(file)) ?? Buffer.alloc(0))) {
    const value = parseLine(content);
    if (!value || typeof value._id !== 'string') continue;
    if (value.$$deleted === true) records.delete(value._id);
    else records.set(value._id, value);
  }
  return [...records.values()];
}

async function readOrNull(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function* linesOf(content: Buffer): Generator<{ content: Buffer; ended: boolean }> {
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf(newline, start);
    if (end < 0) {
      yield { content: content.subarray(start), ended: false };
      return;
    }
    yield { content: content.subarray(start, end), ended: true };
    start = end + 1;
  }
}

/** True for everything that the database itself writes: records, removals, index notes. */
function isRecord(line: Buffer): boolean {
  const value = parseLine(line);
  if (!value) return false;
  return (
    typeof value._id === 'string' ||
    isJsonObject(value.$$indexCreated) ||
    typeof value.$$indexRemoved === 'string'
  );
}

function parseLine(line: Buffer): Readonly<Record<string, unknown>> | null {
  if (!isUtf8(line)) return null;
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function joinLines(lines: readonly Buffer[]): Buffer {
  const end = Buffer.of(newline);
  return Buffer.concat(lines.flatMap((line) => [line, end]));
}
