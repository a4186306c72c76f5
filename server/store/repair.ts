/**
 * Repairs a data file damaged by a power cut or a bad disk: cuts off a torn last line, moves unreadable lines to
 * `damaged-FILE-DATE.jsonl`, and keeps a copy of the original.
 */
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { isOurs, parseLine, readLines, type DataFile, type Line } from './data-file.ts';
import { copyRange, writeInParts, type AddPart } from './files.ts';

/** What happened to the data when it was opened, for people. */
export interface StoreNotice {
  /** A sentence. */
  readonly text: string;
  /** The file with the records that could not be read. */
  readonly setAside?: {
    readonly records: number;
    /** Its path. */
    readonly file: string;
  };
}

/** True if a data file must be repaired before anything is appended. */
export function needsRepair({ damaged, torn, unended }: DataFile): boolean {
  return damaged > 0 || torn || unended;
}

/** Repairs a data file with the content `found`. @returns what was done. @throws the disk's error. */
export async function repairDataFile(
  file: string,
  found: DataFile,
  now: Date,
): Promise<StoreNotice> {
  const name = path.basename(file);
  const stamp = now.toISOString().replace(/[:.]/g, '-');
  const original = path.join(path.dirname(file), `${name}.before-repair-${stamp}`);
  await copyFile(file, original);
  // Also named after the data file: several may be repaired at the same moment.
  const aside = `damaged-${path.basename(name, '.db')}-${stamp}.jsonl`;
  const asideFile = path.join(path.dirname(file), aside);
  const { damaged, torn } = found;
  if (damaged > 0) {
    await writeInParts(asideFile, (add) => copyLines(original, add, (line) => !isSound(line)));
  }
  await writeInParts(file, (add) => copyLines(original, add, isSound));

  const parts: string[] = [];
  if (damaged === 1) parts.push('1 damaged record was set aside');
  if (damaged > 1) parts.push(`${damaged} damaged records were set aside`);
  if (torn) parts.push('a change that was cut off while being written was left out');
  if (parts.length === 0) parts.push('a missing line end was added');
  return {
    text: `${name}: ${parts.join(', and ')}; the original is kept as ${path.basename(original)}.`,
    ...(damaged > 0 && { setAside: { records: damaged, file: asideFile } }),
  };
}

function isSound(line: Line): boolean {
  const value = parseLine(line);
  return value !== null && isOurs(value);
}

/** Copies lines of a file, each with an end. A torn one is left out: the original has it. */
async function copyLines(
  file: string,
  add: AddPart,
  wanted: (line: Line) => boolean,
): Promise<void> {
  const end = Buffer.of(0x0a);
  for await (const lines of readLines(file)) {
    const parts: Buffer[] = [];
    for (const line of lines) {
      if (line.length === 0 || !wanted(line) || (!line.ended && !isSound(line))) continue;
      if (line.content) {
        parts.push(line.content, end);
        continue;
      }
      await add(Buffer.concat(parts.splice(0)));
      await copyRange(file, line.start, line.length, add);
      parts.push(end);
    }
    if (parts.length > 0) await add(Buffer.concat(parts));
  }
}
