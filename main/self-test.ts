/**
 * Tries the parts that are easily lost when packing: the drawing library, fonts, and the encoder. Main process.
 * A worker draws one picture and makes one short film, exactly as it would for a render; nothing is kept.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ForkWorker, StartMessage } from '../server/jobs/worker/protocol.ts';
import { workerEvent } from '../server/jobs/worker/protocol.ts';
import { fontFolder } from '../server/paths.ts';
import { engineLimits } from '../shared/limits.ts';

/** How one part did; `problem` null: it works. */
export interface TestResult {
  readonly part: 'drawing' | 'encoder';
  readonly problem: string | null;
}

/** Milliseconds for one part. */
const patience = 30_000;

const text = {
  type: 'text',
  text: 'Test',
  fill_color: '#ffffff',
  width: '100%',
  height: '100%',
  x_alignment: '50%',
  y_alignment: '50%',
};
const page = { width: 160, height: 90, fill_color: '#2446d8', elements: [text] };
const tests = {
  drawing: { ...page, output_format: 'png' },
  encoder: { ...page, output_format: 'mp4', duration: 0.2, frame_rate: 10 },
} as const;

/** Runs both, one after the other. Never fails; problems are in the results. */
export async function selfTest(fork: ForkWorker): Promise<readonly TestResult[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-self-test-'));
  try {
    return [
      { part: 'drawing', problem: await tryPart(fork, folder, 'drawing') },
      { part: 'encoder', problem: await tryPart(fork, folder, 'encoder') },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns what is wrong; null when a file came out. */
async function tryPart(
  fork: ForkWorker,
  folder: string,
  part: keyof typeof tests,
): Promise<string | null> {
  const source = tests[part];
  const outputPath = path.join(folder, `${part}.${source.output_format}`);
  const start: StartMessage = {
    type: 'start',
    id: part,
    source: JSON.stringify(source),
    scaling: {},
    outputPath,
    snapshotPath: path.join(folder, `${part}-snapshot.jpg`),
    workFolder: path.join(folder, 'work'),
    cacheFolder: path.join(folder, 'cache'),
    mediaFolders: [],
    fontFolder: fontFolder(),
    allowPrivateAddresses: false,
    ownPorts: [],
    limits: engineLimits,
  };
  const worker = fork();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string | null>((resolve) => {
      timer = setTimeout(() => resolve(`No answer within ${patience / 1000} s`), patience);
      worker.onExit(({ code }) => resolve(`The renderer ended with code ${code ?? 'none'}`));
      worker.onMessage((message) => {
        const { data: event } = workerEvent.safeParse(message);
        if (event?.type === 'failed') resolve(event.message);
        if (event?.type === 'done') {
          resolve(existsSync(outputPath) ? (event.warnings[0] ?? null) : 'There is no file');
        }
      });
      worker.send(start);
    });
  } finally {
    clearTimeout(timer);
    worker.kill();
  }
}
