/**
 * Tables of colours of a document: read and checked, kept by content while the process lives. Phase 1, in the worker
 * and its painting threads.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { RenderError } from '../../../shared/engine/errors.ts';
import { lutBytes, parseLut, type Lut, type Luts } from '../../../shared/engine/lut.ts';
import type { Assets } from './assets.ts';
import { lookAtStart } from './examine/sniff.ts';

/** By digest, the longest unused first. */
const kept = new Map<string, Lut>();
const mostKept = 8;

/** True if a file begins as a table of colours does. */
export async function isLut(filePath: string): Promise<boolean> {
  const { head } = await lookAtStart(filePath);
  return /^\s*LUT_[13]D_SIZE\s/m.test(head.toString('latin1'));
}

/** Reads the file of a table. @throws RenderError `media_unreadable` with its line, `limit_exceeded` */
export async function readLut(filePath: string): Promise<Lut> {
  if ((await stat(filePath)).size > lutBytes)
    throw new RenderError('limit_exceeded', `The color table has more than ${lutBytes / 1e6} MB`);
  const bytes = await readFile(filePath);
  if (bytes.includes(0)) {
    const message = 'The file is no .cube color table: it is not plain text in UTF-8';
    throw new RenderError('media_unreadable', message);
  }
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 40);
  const lut = kept.get(name) ?? parseLut(bytes.toString('utf8'), name);
  kept.delete(name);
  kept.set(name, lut);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return lut;
}

/** All tables of a document. */
export async function openLuts({ luts }: Assets): Promise<Luts> {
  const read = new Map<string, Lut>();
  for (const [source, file] of luts ?? []) read.set(source, await readLut(file));
  return (source) => read.get(source) ?? null;
}
