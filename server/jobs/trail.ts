/**
 * The trail of an attempt: where the drawing thread is, in a small file in the attempt's folder. It survives a crash,
 * so that the server can tell whether a render dies at the same place each time, and at which element. Written in the
 * worker, read in the server.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const placeShape = z.object({
  phase: z.enum(['waiting', 'transcribing', 'rendering', 'finishing']),
  /** Frames drawn, or files fetched. */
  frame: z.number(),
  /** The element being read, laid out or drawn, e.g. `elements[2]`; only if it is a single one. */
  element: z.string().optional(),
});

/** Where a render is. */
export type Place = z.infer<typeof placeShape>;

/** Bytes for the place, and as many for the element after it; longer paths are left out. */
const partLength = 512;
/** How many paths are cached in their written form. */
const keptPaths = 1_000;

const fileIn = (folder: string): string => path.join(folder, 'trail');
const padded = (text: string): Buffer => {
  const part = Buffer.alloc(partLength, ' ');
  if (Buffer.byteLength(text) <= partLength) part.write(text);
  return part;
};

/** A file that contains one place, the newest. */
export class Trail {
  readonly #file: number;
  readonly #parts = new Map<string, Buffer>();

  /** @param folder Of the attempt; exists. */
  constructor(folder: string) {
    this.#file = openSync(fileIn(folder), 'w');
  }

  /** A few microseconds: one write into the system's memory, never to the disk itself. */
  note({ phase, frame }: Place): void {
    this.#write(padded(JSON.stringify({ phase, frame })), 0);
  }

  /** Sets the element being read, laid out or drawn; null: none. Called for every element of every frame: 1 µs. */
  at(element: string | null): void {
    const text = element ?? '';
    let part = this.#parts.get(text);
    if (!part) {
      part = padded(text);
      if (this.#parts.size < keptPaths) this.#parts.set(text, part);
    }
    this.#write(part, partLength);
  }

  #write(part: Buffer, at: number): void {
    try {
      writeSync(this.#file, part, 0, partLength, at);
    } catch {
      // A full disk ends the render elsewhere, with a reason.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The last place of an attempt; null when it left none. */
export async function readTrail(folder: string): Promise<Place | null> {
  try {
    const bytes = await readFile(fileIn(folder));
    const place = placeShape.parse(JSON.parse(bytes.toString('utf8', 0, partLength)));
    const element = bytes.toString('utf8', partLength).trim();
    return element === '' ? place : { ...place, element };
  } catch {
    return null;
  }
}
