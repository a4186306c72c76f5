/**
 * Diagnostics as one archive of files that people can read before passing it on: versions, the state, settings, counts,
 * the last lines of the log and the logs of the newest renders. It never contains keys, secrets, tokens, queries of
 * addresses, documents of templates, or the names of home folders.
 */
import { secretsIn, withoutSecrets } from '../../shared/settings.ts';
import { cpus, freemem, homedir, release, totalmem } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Router } from 'express';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { z } from 'zod';
import type { LogLine } from '../../shared/api/renders.ts';
import { diagnosticRows } from '../../shared/api/state.ts';
import type { ServerServices } from '../services.ts';
import { serveRows } from './rows.ts';
import { serverState } from './view.ts';
import { type RequestLimit, type RequestList, requestRows } from '../../shared/api/requests.ts';
import { ApiError } from '../../shared/errors.ts';
import { sendParts } from '../api/answer.ts';

/** Renders whose logs are included, and characters of one line and of one file; longer ones keep the newest part. */
const most = { renders: 20, line: 4_000, file: 200_000 };

/** Routes below `/api`. */
export function diagnosticRoutes(services: ServerServices): Router {
  return serveRows(diagnosticRows, {
    archive: async ({ response }) => {
      const archive = await archiveOf(await diagnosticsOf(services), redactor(secretsOf(services)));
      response.type('application/zip').send(archive);
    },
  });
}

/** The files by their names in the archive, before redaction. */
async function diagnosticsOf(services: ServerServices): Promise<Readonly<Record<string, string>>> {
  const { store, run } = services;
  const { renderLogs, fixedSettings } = run;
  // Without the key.
  const { api, ...state } = await serverState(services);
  const { state: apiIs, url, problem } = api;
  const settings = { ...withoutSecrets(store.settings.values), namedAtStart: fixedSettings };
  const files = {
    'program.txt': linesOf(programOf(services)),
    'state.json': jsonOf({ api: { state: apiIs, url, ...(problem && { problem }) }, ...state }),
    'settings.json': jsonOf(settings),
    'counts.txt': linesOf(countsOf(services)),
    'log.txt': logOf(renderLogs.tail),
    ...Object.fromEntries(
      renderLogs
        .newest(most.renders)
        .map((id) => [`renders/${id}.txt`, logOf(renderLogs.linesOf(id).map(lineOf))]),
    ),
  };
  return files;
}

/** One file a turn, 15 ms each: the API answers in between. */
async function archiveOf(
  files: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  // Everything is pushed whole, so the archive is complete after the last call.
  const archive = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  for (const [name, text] of Object.entries(files)) {
    const file = new ZipDeflate(name);
    archive.add(file);
    file.push(strToU8(redact(text)), true);
    await nextTurn();
  }
  archive.end();
  return Buffer.concat(pieces);
}

/** Everything that opens or signs something. */
function secretsOf({ store, run }: Pick<ServerServices, 'store' | 'run'>): readonly string[] {
  return [
    run.apiKey,
    ...store.keys.list().map(({ key }) => key),
    ...store.projects.list().flatMap(({ id }) => store.projects.secretsOf(id)),
    ...secretsIn(store.settings.values),
  ];
}

function programOf({
  run: { dataFolder, version },
  clock,
}: Pick<ServerServices, 'run' | 'clock'>): Record<string, unknown> {
  // The types know it as a text; under Node alone it is absent.
  const { electron } = process.versions as { readonly electron?: string };
  return {
    time: new Date(clock.now()).toISOString(),
    version,
    node: process.version,
    ...(electron !== undefined && { electron }),
    system: `${process.platform} ${release()} ${process.arch}`,
    processors: cpus().length,
    memory: `${megabytes(freemem())} of ${megabytes(totalmem())} free, ${megabytes(process.memoryUsage.rss())} used by the server`,
    running: `${Math.round(process.uptime())} s`,
    dataFolder,
  };
}

function countsOf({ store }: Pick<ServerServices, 'store'>): Readonly<Record<string, number>> {
  const renders: Record<string, number> = {};
  for (const { status } of store.renders.list()) {
    renders[`renders ${status}`] = (renders[`renders ${status}`] ?? 0) + 1;
  }
  return {
    ...renders,
    templates: store.templates.list().length,
    'templates in the Trash': store.templates.listDeleted().length,
    projects: store.projects.list().length,
    keys: store.keys.list().length,
    feeds: store.feeds.list().length,
    'media files': store.media.list().length,
    webhooks: store.deliveries.list().length,
  };
}

function linesOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
    )
    .join('');
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function lineOf({ time, level, text }: LogLine): string {
  return `${new Date(time).toISOString()} ${level}: ${text}`;
}

/** The newest lines that fit; of a long one its beginning. */
function logOf(lines: readonly string[]): string {
  const kept: string[] = [];
  let room = most.file;
  for (const line of lines.toReversed()) {
    const short = line.length > most.line ? `${line.slice(0, most.line)} …` : line;
    room -= short.length + 1;
    if (room < 0) break;
    kept.push(short);
  }
  const isCut = kept.length < lines.length;
  return [...(isCut ? ['(older lines are left out)'] : []), ...kept.toReversed(), ''].join('\n');
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** What stands for what others must not read. */
const gone = '…';

const rules: readonly (readonly [RegExp, string])[] = [
  // Name and password, and what follows the path: signatures and tokens.
  [/(\bhttps?:\/\/)[^\s/"'<>@]+@/gi, `$1${gone}@`],
  [/(\bhttps?:\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, `$1?${gone}`],
  // Home folders of anyone, however their slashes are written.
  [/((?:\/|%2F)(?:home|Users)(?:\/|%2F))[^\s/"'%:]+/gi, `$1${gone}`],
  [/(\b[A-Z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^\r\n\\/"']+/gi, `$1${gone}`],
];

/**
 * Removes from a text what others must not read: secrets, queries of addresses, names of home folders.
 *
 * @param secrets Texts to remove wherever they occur.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const home = homedir();
  // Plain, and as in JSON and addresses.
  const homes = [home, JSON.stringify(home).slice(1, -1), encodeURI(home)];
  const wanted = secrets.filter((secret) => secret !== '');
  return (text) => {
    let told = text;
    for (const secret of wanted) told = told.replaceAll(secret, gone);
    // Not a home that is a whole drive.
    if (home.length > 3) for (const one of homes) told = told.replaceAll(one, '~');
    for (const [pattern, left] of rules) told = told.replace(pattern, left);
    return told;
  };
}

const bodyPart = z.enum(['request', 'answer']);

/** Routes below `/api`. */
export function requestRoutes({
  requests: { requestLog, limiter },
  store,
}: Pick<ServerServices, 'requests' | 'store'>): Router {
  const limit = (): RequestLimit => {
    const isLimited = Number.isFinite(limiter.limit);
    return {
      left: isLimited ? limiter.remaining : null,
      most: isLimited ? limiter.limit : null,
      window: limiter.window,
    };
  };
  const list = (): RequestList => ({
    recording: requestLog.recording,
    requests: requestLog.list(),
    keysUsed: Object.fromEntries(requestLog.keysUsed),
    size: store.settings.values.requestLogSize,
    limit: limit(),
  });

  return serveRows(requestRows, {
    list,
    limit,
    details: ({ params, request }) => {
      const found = requestLog.find(Number(params.number));
      if (!found) throw new ApiError('route_not_found', { method: 'GET', path: request.path });
      return found;
    },
    wholeBody: ({ params: { number, part }, request, response }) => {
      const known = bodyPart.safeParse(part).data;
      const pieces = known ? requestLog.wholeBody(Number(number), known) : null;
      if (pieces === null)
        throw new ApiError('route_not_found', { method: 'GET', path: request.path });
      sendParts(response.type('text/plain'), pieces);
    },
    record: ({ body }) => {
      requestLog.recording = body.recording;
      return list();
    },
    clear: () => requestLog.clear(),
  });
}
