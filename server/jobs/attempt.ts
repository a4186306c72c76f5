/**
 * One attempt of a render, from its first write to the store to its last: sent to a worker as one start message,
 * followed while it runs, and recorded however it ends.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { messageAt } from '../../shared/renderscript/source.ts';
import { engineLimits, progressInterval } from '../../shared/limits.ts';
import type { JsonText } from '../system/json-text.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { HiddenMedia } from '../system/media-folders.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { RenderStore } from '../store/renders.ts';
import type { EventBus } from './events.ts';
import type { LastFrames } from './files/last-frames.ts';
import type { OutputFiles } from './files/output-files.ts';
import { storeFiles, type Saver } from './files/storing.ts';
import { ProgressMeter, type WorkerProgress } from './progress.ts';
import type { Offer, RenderInput, SplitFilm } from './worker/render-protocol.ts';
import type { Slot } from './slot.ts';
import type { Place } from './trail.ts';
import {
  failureOf,
  isEnough,
  type Loss,
  type Outcome,
  wholeOf,
  type WholeOutcome,
} from './verdict.ts';
import type { Entry } from './waiting-line.ts';
import { failures, type Failure, type RenderStatusChanges } from './status.ts';

/** What every start message contains. */
export type EngineSettings = Pick<
  RenderInput,
  | 'cacheFolder'
  | 'cacheLimit'
  | 'piecesLimit'
  | 'paintingThreads'
  | 'voices'
  | 'mediaFolders'
  | 'fontFolder'
  | 'addedFonts'
  | 'ffmpegPath'
  | 'encodeWith'
  | 'allowPrivateAddresses'
  | 'ownPorts'
>;

/** What attempts work with. */
export interface AttemptContext {
  readonly renders: Pick<RenderStore, 'readSource' | 'sourceFile'>;
  readonly status: RenderStatusChanges;
  readonly events: Pick<EventBus, 'emit'>;
  readonly files: OutputFiles;
  readonly lastFrames: Pick<LastFrames, 'keep'>;
  readonly engine: EngineSettings;
  /** What documents of a project must not see of the media library. */
  readonly hiddenMedia: (project: string) => HiddenMedia;
  /** The speech recogniser set now; read for each render. Default: none. */
  readonly transcriber?: () => Pick<RenderInput, 'transcriber'>;
  /** Each attempt has a folder below this one. */
  readonly workFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly saver: Saver;
  /** No side of a file gets longer than this, in pixels, whatever the request says. Default: no limit. */
  readonly largestSide?: number | undefined;
  /** The name of the element at a path of a document, which may be large. */
  readonly elementName: (source: JsonText, path: string) => Promise<string | undefined>;
  /** With several workers: how they make a film together. */
  readonly sharing?: Sharing;
  /** True while the program ends: an attempt lost now is not the render's fault. */
  readonly isClosed: () => boolean;
}

/** How workers make a film together. */
export interface Sharing {
  /** Who could make this render; null: one worker alone should. One that was made together before goes on so. */
  offer(render: StoredRender): Promise<Offer | null>;
  /**
   * Has a divided film made.
   *
   * @param start The message for the whole of it.
   * @returns null if one worker should make it after all.
   */
  make(
    slot: Slot,
    start: RenderInput,
    split: SplitFilm,
    onProgress: (event: WorkerProgress) => void,
  ): Promise<WholeOutcome | null>;
}

/** A render to try again. */
export interface Again {
  readonly render: StoredRender;
  /** Why ffmpeg was missing, in words. The attempt then does not count. */
  readonly withoutEncoder?: string;
  /** How the attempt was lost, if it was. */
  readonly loss?: Loss;
}

/** The failure of a cancelled render. */
export const cancelled: Failure = { message: failures.cancelled, cancelled: true };

/**
 * Carries out one attempt in a slot.
 *
 * @returns null when the render has ended or is left for the next start.
 * @throws ApiError `cannot_save`, and errors of the folders: then nothing has begun, or nothing was stored.
 */
export async function runAttempt(
  slot: Slot,
  { id, loss }: Entry,
  context: AttemptContext,
): Promise<Again | null> {
  const { renders, status, files, saver } = context;
  // Before the attempt counts: a folder that can't be written is not the render's fault.
  await files.prepare();
  await mkdir(context.workFolder, { recursive: true, mode: 0o700 });
  const source = await renders.readSource(id);
  if (!source) {
    await saver.untilSaved(() => status.fail(id, { message: failures.sourceLost }));
    return null;
  }
  const render = await status.begin(id, namesOthers(source) ? 'waiting' : 'rendering');
  if (!render) return null;
  const workFolder = path.join(context.workFolder, `${id}-${render.attempts}`);
  const outcome: WholeOutcome = slot.cancelled
    ? { kind: 'cancelled' }
    : await work(slot, render, source, workFolder, context);
  if (outcome.kind !== 'done') await files.removeLocal(render);
  return settle({ render, source, outcome, picture: slot.picture, before: loss }, context);
}

/** Whether a stored document names files of other computers, which a render waits for. */
function namesOthers({ content }: JsonText): boolean {
  const bytes =
    typeof content === 'string'
      ? content
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return bytes.includes('source":"http');
}

/** What a worker is sent for an attempt at a whole file. */
export function startMessageOf(
  render: StoredRender,
  source: JsonText,
  workFolder: string,
  { renders, files, engine, hiddenMedia, transcriber, largestSide }: StartContext,
): RenderInput {
  const { template, renderScale, maxWidth, maxHeight, batch, isShared } = render.request;
  return {
    id: render.id,
    // Sending a long one in a message would block everyone.
    source: source.isShort ? source.text : { file: renders.sourceFile(render.id) },
    scaling: { renderScale, maxWidth, maxHeight, largestSide },
    outputPath: files.outputPath(render),
    snapshotPath: files.snapshotPath(render),
    firstPicture: true,
    receiptPath: files.receiptPath(render),
    ...(template && { madeFrom: { id: template.id, name: template.name } }),
    ...(render.attempts > 1 && { closely: true }),
    ...((batch ?? isShared) && { isShared: true }),
    workFolder,
    ...engine,
    hiddenMedia: hiddenMedia(render.project),
    ...transcriber?.(),
    limits: engineLimits,
  };
}

/** What start messages are made of. */
type StartContext = Pick<
  AttemptContext,
  'renders' | 'files' | 'engine' | 'hiddenMedia' | 'transcriber' | 'largestSide'
>;

/** Lets the worker run it, and reports progress. */
async function work(
  slot: Slot,
  render: StoredRender,
  source: JsonText,
  workFolder: string,
  context: AttemptContext,
): Promise<WholeOutcome> {
  const { clock, status, events, log, sharing } = context;
  const meter = new ProgressMeter();
  let toldAt = -Infinity;
  let saved = Promise.resolve();
  const onProgress = (event: WorkerProgress): void => {
    const before = slot.progress?.phase;
    slot.progress = meter.update(event, clock.steady());
    const phase = event.phase === 'finishing' ? 'rendering' : event.phase;
    // Files of this computer are no reason to wait.
    if (phase !== 'waiting' && event.phase !== before) {
      // One after the other, none after the end: the attempt waits for them below.
      saved = saved.then(async () => {
        await status.proceed(render.id, phase);
      });
      saved.catch((error: unknown) => log('error', 'queue', describeError(error)));
    } else if (event.phase === before && clock.steady() - toldAt < progressInterval) {
      return;
    }
    toldAt = clock.steady();
    events.emit({ type: 'render.progress', id: render.id, progress: slot.progress });
  };
  const start = startMessageOf(render, source, workFolder, context);
  const offer = await sharing?.offer(render);
  const run = (order: RenderInput): Promise<Outcome> =>
    slot.client.run(order, onProgress, (jpg) => {
      slot.picture = jpg;
    });
  const plainly = { ...start, closely: false };
  const first = await run(offer ? { ...plainly, task: { kind: 'offer', ...offer } } : start);
  const shared =
    first.kind === 'split' ? await sharing?.make(slot, plainly, first.split, onProgress) : first;
  const outcome = wholeOf(shared ?? (await run(start)));
  await saved.catch(() => undefined);
  return slot.cancelled && outcome.kind === 'lost' ? { kind: 'cancelled' } : outcome;
}

/** An attempt that is over. */
interface Ended {
  readonly render: StoredRender;
  readonly source: JsonText;
  readonly outcome: WholeOutcome;
  /** The last frame received. */
  readonly picture: Buffer | null;
  /** How the attempt before it was lost. */
  readonly before: Loss | null;
}

/** Records how an attempt ended; repeats until the disk takes it. Returns what `runAttempt` does. */
async function settle(
  { render, source, outcome, picture, before }: Ended,
  { status, files, lastFrames, log, saver, isClosed, elementName }: AttemptContext,
): Promise<Again | null> {
  const { id, attempts } = render;
  const fail = async (failure: Failure): Promise<null> => {
    // The picture first: listeners to the failure may request it.
    if (picture) await lastFrames.keep(id, picture);
    await saver.untilSaved(() => status.fail(id, failure));
    return null;
  };
  const again = async (
    counted: boolean,
    more: Omit<Again, 'render'> = {},
  ): Promise<Again | null> => {
    const planned = await saver.untilSaved(() => status.putBack(id, counted));
    return planned && { render: planned, ...more };
  };
  switch (outcome.kind) {
    case 'done': {
      for (const warning of outcome.warnings) log('warning', `render ${id}`, warning);
      const { facts } = outcome;
      const pause = (milliseconds: number): Promise<void> => saver.pause(milliseconds);
      const storing = await storeFiles(render, facts.snapshot, { files, log, pause, isClosed });
      if (storing.kind === 'closed') {
        await status.putBack(id, false);
        return null;
      }
      if (storing.kind === 'failed') {
        await files.removeLocal(render);
        return fail({ message: storing.message });
      }
      await saver.untilSaved(() => status.succeed(id, facts, storing.stored));
      if (storing.stored) await files.removeLocal(render).catch(() => undefined);
      return null;
    }
    case 'failed':
      // Ended from outside, which may not happen again (F9).
      if (outcome.code === 'encoder_killed' && attempts === 1) {
        log('warning', `render ${id}`, 'the encoder was ended from outside; it is tried again');
        return again(true);
      }
      // Not the render's fault, and someone can fix it: the render waits.
      if (outcome.code === 'encoder_missing') {
        return again(false, { withoutEncoder: outcome.message });
      }
      return fail(await failureAt(source, outcome, elementName));
    case 'cancelled':
      return fail(cancelled);
    case 'lost': {
      if (isClosed()) {
        await status.putBack(id, false);
        return null;
      }
      const { loss } = outcome;
      const { reason, place } = loss;
      log('warning', `render ${id}`, `lost attempt ${attempts}: ${reason} ${placeWords(place)}`);
      if (!isEnough(loss, attempts, before)) return again(true, { loss });
      return fail(failureOf(loss, attempts, await elementOf(source, place, elementName)));
    }
  }
}

/** The element at which an attempt was lost, if it was traced that closely. */
async function elementOf(
  source: JsonText,
  place: Place | null,
  elementName: AttemptContext['elementName'],
): Promise<{ path: string; element: string } | null> {
  if (place?.element === undefined) return null;
  const name = await elementName(source, place.element);
  return name === undefined || name === '' ? null : { path: place.element, element: name };
}

function placeWords(place: Place | null): string {
  if (!place) return 'before it began';
  const { phase, frame, element } = place;
  return `in ${phase} ${frame}${element === undefined ? '' : `, ${element}`}`;
}

async function failureAt(
  source: JsonText,
  outcome: Extract<WholeOutcome, { kind: 'failed' }>,
  elementName: AttemptContext['elementName'],
): Promise<Failure> {
  const { code, message, path: place } = outcome;
  if (place === undefined) return { message };
  const element = await elementName(source, place);
  // A fault of ours knows only where it was.
  const isNamed = code !== 'internal_error' || element === undefined || element === '';
  return { message: isNamed ? message : messageAt(message, element), path: place, element };
}
