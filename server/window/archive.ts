/**
 * Several finished files as one zip, and templates as one file. The window asks for either with its token, then fetches
 * it once from an address that nobody can guess, because a browser follows download links without a token. Finished
 * files are packed uncompressed while they are sent.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Router, type Response } from 'express';
import { Zip, ZipPassThrough } from 'fflate';
import { archiveRows, mostPacked } from '../../shared/api/renders.ts';
import { templateShareRows } from '../../shared/api/templates.ts';
import { ApiError } from '../../shared/errors.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { fileEnding } from '../../shared/renderscript/formats.ts';
import { largeJsonBody } from '../api/body.ts';
import { inProject } from '../api/project.ts';
import { planShare, receiveTemplates, sendShare } from '../api/template-shares.ts';
import type { Packing } from '../jobs/share/share-writer.ts';
import type { OutputFiles } from '../jobs/files/output-files.ts';
import { describeError } from '../system/log.ts';
import type { ServerServices } from '../services.ts';
import type { StoredRender } from '../store/render-record.ts';
import { serveRows, type Handlers } from './rows.ts';
import { windowTemplate } from './view.ts';

/** A plain zip holds less than 4 GiB. */
const mostBytes = 4_200_000_000;
/** How long an address is valid, in ms, and how many may be open. */
const patience = { time: 60_000, open: 20 };

/** One file of an archive. */
interface Packed {
  /** Opens it; null if it is gone. */
  readonly read: () => Promise<Readable | null>;
  readonly name: string;
}

/** Routes below `/api`, and the one without a token that sends a file. */
interface FileRoutes {
  readonly asking: Router;
  readonly fetching: Router;
}

/** What waits to be fetched, by words that nobody can guess. */
class Tickets<Thing> {
  readonly #waiting = new Map<string, Thing>();

  /** @returns the words. */
  issue(thing: Thing): string {
    const ticket = randomUUID();
    this.#waiting.set(ticket, thing);
    setTimeout(() => this.#waiting.delete(ticket), patience.time).unref();
    for (const old of [...this.#waiting.keys()].slice(0, -patience.open)) this.#waiting.delete(old);
    return ticket;
  }

  /** The route that gives a thing out once. @param send Sends it. */
  route(
    folder: string,
    ending: string,
    send: (thing: Thing, response: Response) => Promise<void>,
  ): Router {
    const fetching = Router({ caseSensitive: true });
    fetching.get(`/${folder}/:name`, async (request, response) => {
      const { name } = request.params;
      const ticket = name.endsWith(ending) ? name.slice(0, -ending.length) : name;
      const thing = this.#waiting.get(ticket);
      if (thing === undefined) throw new ApiError('file_not_found', { path: request.path });
      this.#waiting.delete(ticket);
      await send(thing, response);
    });
    return fetching;
  }
}

/** Archives of finished files. */
export function archiveRoutes({
  store,
  library: { files },
  log,
  desk,
}: Pick<ServerServices, 'store' | 'library' | 'log' | 'desk'>): FileRoutes {
  const tickets = new Tickets<readonly Packed[]>();
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
        const free = freeName(cleanFileName(name) || id, fileEnding(render.outputFormat), taken);
        packed.push({ read: found.read, name: free });
      }
      if (bytes > mostBytes) {
        const size = (bytes / 1e9).toFixed(1);
        throw new ApiError('archive_too_large', { size, limit: mostBytes / 1e9 });
      }
      if (packed.length === 0) throw new ApiError('file_not_found', { path: request.path });
      return {
        path: `/archives/${tickets.issue(packed)}.zip`,
        missing: body.files.length - packed.length,
      };
    },
  };
  const asking = serveRows(archiveRows, handlers, { pack });
  const fetching = tickets.route('archives', '.zip', async (packed, response) => {
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

/** Templates as one file. */
export function templateShareRoutes(services: ServerServices): FileRoutes {
  const { store } = services;
  const { shares } = services.library;
  const tickets = new Tickets<Packing>();
  const asking = serveRows(templateShareRows, {
    share: async ({ params: { id }, query: { also = '' } }) => {
      const { templates, projects } = store;
      const packing = await planShare(id, also, {
        ...{ shares, templates, project: null },
        brandOf: ({ project }) => projects.find(project)?.brand,
      });
      const { missing, files, bytes } = packing;
      const path = `/shares/${tickets.issue(packing)}.framewright`;
      return { path, files: files.length, bytes, missing };
    },
    import: async ({ query: { project, only }, request }) => {
      if (!store.projects.find(project)) throw new ApiError('project_not_found', { id: project });
      const received = await receiveTemplates(inProject(services, project), request, null, only);
      const { stored, files, missing, unreadable, brand } = received;
      const templates = stored.map(({ template }) => windowTemplate(template));
      return { templates, files, missing: [...missing], unreadable: [...unreadable], brand };
    },
  });
  const fetching = tickets.route('shares', '.framewright', (packing, response) =>
    sendShare(shares, packing, response),
  );
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
