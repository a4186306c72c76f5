/**
 * How transcribing for the editor can end: each way says why, ends the recogniser, leaves nothing, and holds up nobody.
 * Needs dist/.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { engineLimits } from '../../shared/limits.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { WorkerPort } from '../../server/jobs/worker/protocol.ts';
import { TranscriptionService } from '../../server/jobs/worker/transcriptions.ts';
import { runFfmpegSync } from '../helpers/media.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-ends-'));
const model = path.join(folder, 'model.bin');
const work = path.join(folder, 'work');
const program = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
const sound = path.join(folder, 'speech.wav');
const services: TranscriptionService[] = [];

beforeAll(() => {
  writeFileSync(model, 'model');
  runFfmpegSync('-f', 'lavfi', '-i', 'sine=frequency=200:duration=1', sound);
});
beforeEach(() => {
  rmSync(`${model}.calls`, { force: true });
  // Words that are known would not be asked for again.
  rmSync(path.join(folder, 'cache'), { recursive: true, force: true });
});
afterAll(() => {
  for (const service of services) service.close();
  rmSync(folder, { recursive: true, force: true });
});

const behave = (mode: string): void => writeFileSync(`${model}.mode`, mode);
/** The process of the last call of the recogniser; 0 before there was one. */
const lastCall = (): number => {
  if (!existsSync(`${model}.calls`)) return 0;
  const lines = readFileSync(`${model}.calls`, 'utf8').trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '{"pid":0}') as { pid: number }).pid;
};
const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A process that has ended stays in the table until it is waited for.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

function made(more: { longest?: number; onFork?: (port: WorkerPort) => void } = {}) {
  const { longest, onFork } = more;
  const service = new TranscriptionService({
    fork: () => {
      const port = forkWorker();
      onFork?.(port);
      return port;
    },
    engine: {
      cacheFolder: path.join(folder, 'cache'),
      ...{ mediaFolders: [], allowPrivateAddresses: false, ownPorts: [], limits: engineLimits },
    },
    hiddenMedia: () => undefined,
    transcriber: () => ({ transcriber: { kind: 'program', path: program, model } }),
    folder: work,
    log: () => undefined,
    ...(longest !== undefined && { longest }),
  });
  services.push(service);
  const make = (signal = new AbortController().signal) =>
    service.make({ filePath: sound }, signal, () => undefined);
  return { service, make };
}

/** The recogniser has been started, and will not end by itself. */
async function isListening(): Promise<number> {
  await expect.poll(lastCall, { timeout: 60_000 }).toBeGreaterThan(0);
  expect(runs(lastCall())).toBe(true);
  return lastCall();
}

/** Nothing is left of it, and the next one has its words. */
async function isOver(pid: number, make: ReturnType<typeof made>['make']): Promise<void> {
  await expect.poll(() => runs(pid), { timeout: 30_000 }).toBe(false);
  await expect.poll(() => existsSync(work), { timeout: 30_000 }).toBe(false);
  behave('words');
  expect(await make()).toMatchObject({ kind: 'made' });
}

test('a recogniser that crashes half-way is said to have crashed', async () => {
  behave('crash');
  const { make } = made();
  expect(await make()).toEqual({
    kind: 'failed',
    why: 'recogniser',
    message: 'The speech recogniser stopped: it crashed (SIGSEGV)',
  });
  await isOver(lastCall(), make);
});

test('one that takes too long is ended', async () => {
  behave('hang');
  const first = made({ longest: 15_000 });
  expect(await first.make()).toMatchObject({ kind: 'failed', why: 'late' });
  const pid = lastCall();
  expect(pid).toBeGreaterThan(0);
  await isOver(pid, made().make);
});

test('when its worker is lost, it ends with it', async () => {
  behave('hang');
  let port: WorkerPort | undefined;
  const { make } = made({ onFork: (started) => (port ??= started) });
  const outcome = make();
  const pid = await isListening();
  process.kill(port?.pid ?? 0, 'SIGKILL');
  expect(await outcome).toMatchObject({ kind: 'failed', why: 'crash' });
  await isOver(pid, make);
});

test('when it is cancelled, it ends; who waits behind it comes next', async () => {
  behave('hang');
  const { make } = made();
  const cancel = new AbortController();
  const outcome = make(cancel.signal);
  const pid = await isListening();
  const next = make();
  behave('words');
  cancel.abort();
  expect(await outcome).toMatchObject({ kind: 'failed' });
  await expect.poll(() => runs(pid), { timeout: 30_000 }).toBe(false);
  expect(await next).toMatchObject({ kind: 'made' });
});

test('when the program closes, it ends', async () => {
  behave('hang');
  const { service, make } = made();
  const outcome = make();
  const pid = await isListening();
  service.close();
  expect(await outcome).toMatchObject({ kind: 'failed' });
  await isOver(pid, made().make);
});
