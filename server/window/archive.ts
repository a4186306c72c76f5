/**
 * Several finished files as one zip. The window asks for it with its token, then fetches it once from an address that
 * nobody can guess, because a browser follows download links without a token. Files are packed uncompressed while they
 * are sent.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Router, type Response } from 'express';
import { Zip, ZipPassThrough } from 'fflate';
import { archiveRows, mostPacked } from '../../shared/api/renders.ts';
import { ApiError } from '../../shared/errors.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { largeJsonBody } from '../api/body.ts';
import type { OutputFiles } from '../jobs/files/output-files.ts';
import { describeError } from '../system/log.ts';
import type { ServerServices } from '../services.ts';
import type { StoredRender } from '../store/render-record.ts';
import { serveRows, type Handlers } from './rows.ts';

/** A plain zip holds less than 4 GiB. */
const mostBytes = 4_200_000_000;
/** How long an archive's address is valid, in ms, and how many may be open. */
const patience = { time: 60_000, archives: 20 };

/** One file of an archive. */
interface Packed {
  /** Opens it; null if it is gone. */
  readonly read: () => Promise<Readable | null>;
  readonly name: string;
}

/** Routes below `/api`, and the one without a token that sends an archive. */
export function archiveRoutes({
  store,
  library: { files },
  log,
  desk,
}: Pick<ServerServices, 'store' | 'library' | 'log' | 'desk'>): {
  readonly asking: Router;
  readonly fetching: Router;
} {
  const waiting = new Map<string, readonly Packed[]>();
  const pack = largeJsonBody(desk, { names: ['files'], lists: { files: mostPacked } });
  const handlers: Handlers<typeof archiveRows> = {
    pack: async ({ body, request }) => {
      const packed: Packed[] = [];
      const taken = new Set<string>();
      let bytes = 0;
      for (const { id, name } of body.files) {
        const render = store.renders.find(id);
        if (render?.status !== 'succeeded') continue;
        const found = await finished(files, render);
        if (!found) continue;
        bytes += found.bytes;
        const free = freeName(cleanFileName(name) || id, render.outputFormat, taken);
        packed.push({ read: found.read, name: free });
      }
      if (bytes > mostBytes) {
        const size = (bytes / 1e9).toFixed(1);
        throw new ApiError('archive_too_large', { size, limit: mostBytes / 1e9 });
      }
      if (packed.length === 0) throw new ApiError('file_not_found', { path: request.path });
      const ticket = randomUUID();
      waiting.set(ticket, packed);
      setTimeout(() => waiting.delete(ticket), patience.time).unref();
      for (const old of [...waiting.keys()].slice(0, -patience.archives)) waiting.delete(old);
      return { path: `/archives/${ticket}.zip`, missing: body.files.length - packed.length };
    },
  };
  const asking = serveRows(archiveRows, handlers, { pack });

  const fetching = Router({ caseSensitive: true });
  fetching.get('/archives/:name', async (request, response) => {
    const ticket = request.params.name.replace(/\.zip$/, '');
    const packed = waiting.get(ticket);
    if (!packed) throw new ApiError('file_not_found', { path: request.path });
    waiting.delete(ticket);
    const day = new Date().toISOString().slice(0, 10);
    response.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="Framewright ${day}.zip"`,
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    try {
      await send(packed, response);
    } catch (error) {
      // A half archive must not look like a whole one.
      response.destroy();
      log('warning', 'server', `An archive was not sent to its end: ${describeError(error)}`);
    }
  });
  return { asking, fetching };
}

/** A finished file with its size, from the output folder or from storage; null if it is gone. */
async function finished(
  files: OutputFiles,
  render: StoredRender,
): Promise<{ bytes: number; read: () => Promise<Readable | null> } | null> {
  const { storage } = files;
  const key = render.stored?.output;
  if (key !== undefined) {
    const found = await storage?.head(key);
    if (!storage || !found) return null;
    const read = async (): Promise<Readable | null> => (await storage.get(key))?.stream ?? null;
    return { bytes: found.bytes, read };
  }
  const file = files.outputPath(render);
  const found = await stat(file).catch(() => null);
  return found && { bytes: found.size, read: () => Promise.resolve(createReadStream(file)) };
}

/** `Promo.mp4`, and `Promo (2).mp4` where that is taken; cases count as the same, as on most drives. */
function freeName(name: string, ending: string, taken: Set<string>): string {
  let free = `${name}.${ending}`;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1)
    free = `${name} (${count}).${ending}`;
  taken.add(free.toLowerCase());
  return free;
}

/** Reads no faster than the receiver. */
async function send(packed: readonly Packed[], response: Response): Promise<void> {
  let isFull = false;
  const zip = new Zip((error, piece, isLast) => {
    if (error) throw error;
    if (!response.write(piece)) isFull = true;
    if (isLast) response.end();
  });
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const taken = async (): Promise<void> => {
    if (response.destroyed) throw new Error('the receiver went away');
    if (!isFull) return;
    isFull = false;
    await once(response, 'drain', { signal: gone.signal });
  };
  for (const { read, name } of packed) {
    const content = await read();
    if (!content) throw new Error(`${name} is gone`);
    const entry = new ZipPassThrough(name);
    zip.add(entry);
    for await (const piece of content) {
      // A stream without an encoding gives buffers.
      entry.push(piece as Buffer);
      await taken();
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
}
