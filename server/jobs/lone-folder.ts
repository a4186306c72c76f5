/**
 * The temporary folder of a program that renders without a queue. It says whose it is and which files are being made,
 * so that the next one removes what one that was killed has left.
 */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isAlive } from '../system/is-alive.ts';

/** How its name begins. */
const beginning = 'framewright-render-';
const ownerFile = 'owner.json';
/** Processes are known by their IDs on their own computer only; containers can share a folder. */
const owner = z.object({ host: z.string(), pid: z.int().positive(), making: z.array(z.string()) });

/** See above. */
export class LoneFolder {
  readonly path: string;
  readonly #making = new Set<string>();

  /** Makes one, and removes those whose programs have ended. @param place For tests. */
  constructor(place: string = tmpdir()) {
    for (const name of readdirSync(place)) {
      if (name.startsWith(beginning)) removeDead(path.join(place, name));
    }
    this.path = mkdtempSync(path.join(place, beginning));
    this.#note();
  }

  /** A file is being made; until `made`, half of it may lie beside it. */
  making(file: string): void {
    this.#making.add(file);
    this.#note();
  }

  made(file: string): void {
    this.#making.delete(file);
    this.#note();
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5 });
  }

  #note(): void {
    const note = { host: hostname(), pid: process.pid, making: [...this.#making] };
    try {
      writeFileSync(path.join(this.path, ownerFile), JSON.stringify(note));
    } catch {
      // A full disk: what needs it says so, and only if it is killed something stays.
    }
  }
}

/** Removes the folder of a program that has ended, and what it was making. What can't be removed or read stays. */
function removeDead(folder: string): void {
  try {
    const facts = lstatSync(folder);
    // Everybody may write there: only what we have made ourselves says the truth.
    if (!facts.isDirectory() || (process.getuid && facts.uid !== process.getuid())) return;
    const text = readFileSync(path.join(folder, ownerFile), 'utf8');
    const { host, pid, making } = owner.parse(JSON.parse(text));
    if (host !== hostname() || isAlive(pid)) return;
    for (const file of making) rmSync(`${file}.part`, { force: true });
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another one removes it in this moment, or it is no such folder.
  }
}
