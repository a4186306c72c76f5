/**
 * The desktop program's log: plain lines with time and level, in Electron's log folder and on the terminal. Main
 * process.
 */
import { app } from 'electron';
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Log } from '../server/system/log.ts';

/** A log file is rotated at this size, in bytes. */
const fullAt = 5_000_000;
/** Older files kept beside the current one. */
const kept = 4;

/** Opens the log, and rotates full ones. Without room on the disk, lines only go to the terminal. */
export function openLog(): Log {
  const folder = app.getPath('logs');
  const file = path.join(folder, 'framewright.log');
  let size = 0;
  try {
    mkdirSync(folder, { recursive: true });
    size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  } catch (error) {
    console.error(`There is no log: ${String(error)}`);
  }
  return (level, place, text) => {
    const line = `${new Date().toISOString()} ${level.padEnd(7)} ${place}: ${text}\n`;
    if (level === 'error') console.error(line.trimEnd());
    try {
      if (size >= fullAt) {
        rotate(file);
        size = 0;
      }
      appendFileSync(file, line);
      size += Buffer.byteLength(line);
    } catch {
      // A full disk must not stop the program because of its log.
    }
  };
}

/** `framewright.log` → `.1`, `.1` → `.2`, …; the oldest is overwritten. */
function rotate(file: string): void {
  for (let age = kept - 1; age >= 0; age -= 1) {
    const from = age === 0 ? file : `${file}.${age}`;
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${file}.${age + 1}`);
  }
}
