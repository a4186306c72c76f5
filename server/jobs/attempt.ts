/**
 * One attempt of a render, from its first write to the store to its last: handed to a worker as one start message,
 * followed while it runs, and written down however it ends.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { engineLimits, progressInterval, workLimits } from '../../shared/limits.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import type { RenderStore, StoredRender } from '../store/renders.ts';
import { elementNameAt } from './element-name.ts';
import type { EventBus } from './events.ts';
import type { LastFrames } from './last-frames.ts';
import type { OutputFiles } from './output-files.ts';
import { ProgressMeter, type WorkerProgress } from './progress.ts';
import type { StartMessage } from './protocol.ts';
import type { Saver } from './saving.ts';
import type { Slot } from './slot.ts';
import { failures, type Failure, type RenderStatusChanges } from './status.ts';
import type { Outcome } from './worker-client.ts';

/** What every start message holds, whatever the render. */
export type EngineSettings = Pick<
  StartMessage,
  | 'cacheFolder'
  | 'mediaFolders'
  | 'fontFolder'
  | 'ffmpegPath'
  | 'allowPrivateAddresses'
  | 'ownPorts'
>;

/** What attempts work with. */
export interface AttemptContext {
  readonly renders: RenderStore;
  readonly status: RenderStatusChanges;
  readonly events: EventBus;
  readonly files: OutputFiles;
  readonly lastFrames: LastFrames;
  readonly engine: EngineSettings;
  /** The speech recogniser as it is set now; asked for every render. Default: none. */
  readonly transcriber?: () => Pick<StartMessage, 'transcriber'>;
  /** Attempts have a folder each below this. */
  readonly workFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly saver: Saver;
  /** The program ends: an attempt that is lost now is not the render's fault. */
  readonly isClosed: () => boolean;
}

/** A render that is to be done again. */
export interface Again {
  readonly render: StoredRender;
  /** ffmpeg was missing: why, in words. The attempt does not count then. */
  readonly withoutEncoder?: string;
}

/** The failure of a render that someone stopped. */
export const cancelled: Failure = { message: failures.cancelled, cancelled: true };

/**
 * Carries out one attempt in a slot.
 *
 * @returns null when the render has ended, or is left to the next start.
 * @throws ApiError `cannot_save`, and what the folders throw: nothing was begun then, or nothing was stored.
 */
export async function runAttempt(
  slot: Slot,
  id: string,
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
  const render = await status.begin(id);
  if (!render) return null;
  const workFolder = path.join(context.workFolder, `${id}-${render.attempts}`);
  const outcome: Outcome = slot.cancelled
    ? { kind: 'cancelled' }
    : await work(slot, render, source, workFolder, context);
  // The worker removes it too, unless it was ended by force.
  await rm(workFolder, { recursive: true, force: true });
  if (outcome.kind !== 'done') await files.remove(render);
  return settle(render, source, outcome, slot.picture, context);
}

/** Has the worker carry it out, and tells how far it is. */
async function work(
  slot: Slot,
  render: StoredRender,
  source: Source,
  workFolder: string,
  context: AttemptContext,
): Promise<Outcome> {
  const { files, engine, clock, status, events, log } = context;
  const { renderScale, maxWidth, maxHeight, template } = render.request;
  const meter = new ProgressMeter();
  let toldAt = -Infinity;
  let saved = Promise.resolve();
  const onProgress = (event: WorkerProgress): void => {
    const before = slot.progress?.phase;
    slot.progress = meter.update(event, clock.steady());
    const phase = event.phase === 'finishing' ? 'rendering' : event.phase;
    if (event.phase !== before) {
      // One after the other, and none after the end: the attempt waits for them below.
      saved = saved.then(async () => {
        await status.proceed(render.id, phase);
      });
      saved.catch((error: unknown) => log('error', 'queue', describeError(error)));
    } else if (clock.steady() - toldAt < progressInterval) {
      return;
    }
    toldAt = clock.steady();
    events.emit({ type: 'render.progress', id: render.id, progress: slot.progress });
  };
  const outcome = await slot.client.run(
    {
      type: 'start',
      id: render.id,
      source,
      scaling: { renderScale, maxWidth, maxHeight },
      outputPath: files.outputPath(render),
      snapshotPath: files.snapshotPath(render),
      ...(template && { madeFrom: { id: template.id, name: template.name } }),
      workFolder,
      ...engine,
      ...context.transcriber?.(),
      limits: engineLimits,
    },
    onProgress,
    (jpg) => {
      slot.picture = jpg;
    },
  );
  await saved.catch(() => undefined);
  return slot.cancelled && outcome.kind === 'lost' ? { kind: 'cancelled' } : outcome;
}

/** Writes down how an attempt ended; does not give up before the disk has taken it. Returns what `runAttempt` does. */
async function settle(
  render: StoredRender,
  source: Source,
  outcome: Outcome,
  picture: Buffer | null,
  { status, lastFrames, log, saver, isClosed }: AttemptContext,
): Promise<Again | null> {
  const { id, attempts } = render;
  const fail = async (failure: Failure): Promise<null> => {
    // First the picture: who hears of the failure may ask for it.
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
    case 'done':
      for (const warning of outcome.warnings) log('warning', `render ${id}`, warning);
      await saver.untilSaved(() => status.succeed(id, outcome.facts));
      return null;
    case 'failed':
      // Not the render's fault, and it can be put right: the render waits.
      if (outcome.code === 'encoder_missing') {
        return again(false, { withoutEncoder: outcome.message });
      }
      return fail(failureAt(source, outcome));
    case 'cancelled':
      return fail(cancelled);
    case 'lost':
      if (isClosed()) {
        await status.putBack(id, false);
        return null;
      }
      log('warning', 'queue', `render ${id} lost attempt ${attempts}: ${outcome.reason}`);
      if (attempts >= workLimits.attempts) {
        return fail({ message: failures[outcome.reason], stopsRenderer: true });
      }
      return again(true);
  }
}

function failureAt(source: Source, outcome: Extract<Outcome, { kind: 'failed' }>): Failure {
  const { message, path: place } = outcome;
  if (place === undefined) return { message };
  return { message, path: place, element: elementNameAt(source, place) };
}
