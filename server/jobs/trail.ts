/**
 * The trail of an attempt: where the drawing thread is, in a small file of the attempt's folder. It outlives a process that
 * crashes, so that it can be told afterwards whether a render dies at the same place each time, and at which element.
 * Written in the worker, read in the server.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const placeShape = z.object({
  phase: z.enum(['waiting', 'transcribing', 'rendering', 'finishing']),
  /** Frames drawn, or files fetched. */
  frame: z.number(),
  /** The element that is being laid out or drawn, e.g. `elements[2]`; only where it is followed so closely. */
  element: z.string().optional(),
});

/** Where a render is. */
export type Place = z.infer<typeof placeShape>;

/** Bytes of a line; longer places lose their element. */
const lineLength = 512;

const fileIn = (folder: string): string => path.join(folder, 'trail');

/** A file that holds one place, the newest. */
export class Trail {
  readonly #file: number;
  readonly #line = Buffer.alloc(lineLength);

  /** @param folder Of the attempt; exists. */
  constructor(folder: string) {
    this.#file = openSync(fileIn(folder), 'w');
  }

  /** A few microseconds: one write into the system's memory, never to the disk itself. */
  note(place: Place): void {
    let text = JSON.stringify(place);
    if (Buffer.byteLength(text) >= lineLength)
      text = JSON.stringify({ ...place, element: undefined });
    this.#line.fill(' ');
    this.#line.write(text);
    try {
      writeSync(this.#file, this.#line, 0, lineLength, 0);
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
    return placeShape.parse(JSON.parse(await readFile(fileIn(folder), 'utf8')));
  } catch {
    return null;
  }
}
