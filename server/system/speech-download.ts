/**
 * Fetches speech models, only when a person asks: goes on where it stopped, looks for room first, and knows what must
 * arrive. Server and command line.
 */
import { mkdir, open, rm, stat, statfs } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { modelAddress, type SpeechModel } from '../../shared/speech-models.ts';
import { contentDigest, refusalWords, renameOver } from './files.ts';
import { openPlainly } from './through-proxy.ts';

/** A model that could not be fetched, in a sentence with the way out. */
export class ModelNotFetched extends Error {
  override readonly name = 'ModelNotFetched';
}

/** How a model is fetched. */
export interface ModelOrder {
  /** Made where it is missing. */
  readonly folder: string;
  /** In place of the publisher; null = from there. */
  readonly mirror: string | null;
  readonly signal: AbortSignal;
  /** Told the bytes that are there. */
  readonly onProgress: (bytes: number) => void;
  /** How long it waits after a connection that was lost, in ms: first after one that brought something. */
  readonly pauses?: readonly number[];
}

/** Bytes that stay free beside the model. */
const spare = 50e6;
/** After so many tries in vain it gives up. */
const usualPauses = [1_000, 5_000, 15_000];
const mostRedirects = 5;
/** Milliseconds without a byte. */
const patience = 60_000;

/**
 * Fetches a model, unless it is there. What was fetched of it before is kept beside it as `.part`.
 *
 * @returns its file
 * @throws ModelNotFetched; the signal's reason
 */
export async function fetchModel(model: SpeechModel, order: ModelOrder): Promise<string> {
  const { folder, signal, onProgress } = order;
  const file = path.join(folder, model.file);
  const part = `${file}.part`;
  try {
    await mkdir(folder, { recursive: true });
    if ((await sizeOf(file)) === model.bytes) return file;
    if ((await sizeOf(part)) > model.bytes) await rm(part);
    await checkSpace(folder, model.bytes - (await sizeOf(part)));
    await fetchPart(model, part, order);
    onProgress(model.bytes);
    const found = await contentDigest(part, signal);
    if (found !== model.sha256) {
      await rm(part);
      const cure = 'Try again; if it stays so, fetch from another address (--mirror)';
      throw new ModelNotFetched(
        `What arrived as ${model.file} is something else: expected SHA-256 ${model.sha256}, found ${found}. ${cure}.`,
      );
    }
    await renameOver(part, file);
    return file;
  } catch (error) {
    signal.throwIfAborted();
    const why = refusalWords(error, 'the folder');
    if (why === undefined) throw error;
    throw new ModelNotFetched(`${folder} can’t be used: ${why}.`, { cause: error });
  }
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** Before gigabytes are fetched in vain. */
async function checkSpace(folder: string, needed: number): Promise<void> {
  const facts = await statfs(folder).catch(() => null);
  const free = facts ? facts.bavail * facts.bsize : Infinity;
  if (free >= needed + spare) return;
  const shown = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;
  throw new ModelNotFetched(
    `${folder} has too little room: expected ${shown(needed + spare)}, found ${shown(free)}. Free some, or name another folder in FRAMEWRIGHT_MODELS.`,
  );
}

/** Goes on until the part is complete; a connection that was lost is no failure while more arrives. */
async function fetchPart(model: SpeechModel, part: string, order: ModelOrder): Promise<void> {
  const address = `${(order.mirror ?? modelAddress).replace(/\/+$/, '')}/${model.repository}/${model.file}`;
  const { pauses = usualPauses } = order;
  let inVain = 0;
  for (let before = await sizeOf(part); before < model.bytes;) {
    let failure: unknown = null;
    try {
      await fetchRest(new URL(address), part, before, model.bytes, order);
    } catch (error) {
      if (error instanceof ModelNotFetched) throw error;
      order.signal.throwIfAborted();
      failure = error;
    }
    const after = await sizeOf(part);
    inVain = after > before ? 0 : inVain + 1;
    const wait = pauses[inVain];
    if (after < model.bytes && inVain > 0 && wait === undefined) throw notReached(address, failure);
    if (after < model.bytes) await pause(pauses[inVain] ?? 0, undefined, { signal: order.signal });
    before = after;
  }
}

function notReached(address: string, cause: unknown): ModelNotFetched {
  const why = cause instanceof Error ? cause.message : 'the connection was lost';
  const cure =
    'Check the connection (HTTPS_PROXY names a proxy), name another address with --mirror, or put the file into the folder yourself';
  return new ModelNotFetched(`${address} could not be fetched: ${why}. ${cure}.`, { cause });
}

/** Asks for what is missing, and appends it. */
async function fetchRest(
  url: URL,
  part: string,
  from: number,
  bytes: number,
  { signal, onProgress }: ModelOrder,
): Promise<void> {
  const response = await follow(url, from === 0 ? {} : { range: `bytes=${from}-` }, signal);
  const { statusCode: status = 0, headers } = response;
  const goesOn = status === 206 && headers['content-range']?.startsWith(`bytes ${from}-`) === true;
  if (status === 416 || (status === 206 && !goesOn)) {
    response.destroy();
    await rm(part, { force: true });
    return;
  }
  if (status !== 200 && status !== 206) {
    response.destroy();
    if (status === 429 || status >= 500) throw new Error(`status ${status}`);
    throw new ModelNotFetched(
      `${url.href} answers with status ${status}, expected the file. Name another address with --mirror.`,
    );
  }
  let there = goesOn ? from : 0;
  response.setTimeout(patience, () => response.destroy(new Error('no byte for a minute')));
  // Closed before its size is asked for: a write that was under way would come behind what is then appended.
  const file = await open(part, goesOn ? 'a' : 'w');
  try {
    for await (const chunk of addAbortSignal(signal, response)) {
      const some = chunk as Buffer;
      there += some.length;
      // A page of words, or another file.
      if (there > bytes) throw new ModelNotFetched(`${url.href} sends more than the file.`);
      await file.appendFile(some);
      onProgress(there);
    }
  } finally {
    await file.close();
  }
}

/** Follows redirects: the publisher's files lie elsewhere. */
async function follow(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  for (let at = url, count = 0; ; count++) {
    const response = await openPlainly(at, headers, signal);
    const { statusCode = 0, headers: answered } = response;
    const { location } = answered;
    if (statusCode < 300 || statusCode >= 400 || location === undefined) return response;
    response.destroy();
    if (count === mostRedirects || !URL.canParse(location, at.href))
      throw new ModelNotFetched(
        `${url.href} leads in a circle. Name another address with --mirror.`,
      );
    at = new URL(location, at);
  }
}
