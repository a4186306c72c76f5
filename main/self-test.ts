/**
 * Tries the parts that are easily lost when packing: the drawing library, fonts, and the encoder. Main process.
 * A worker draws one picture and makes one short film, exactly as it would for a render; nothing is kept.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LoneRenders } from '../server/jobs/lone-renders.ts';
import type { ForkWorker } from '../server/jobs/worker/protocol.ts';

/** The result of one part; `problem` null: it works. */
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
  const renders = new LoneRenders(fork, () => undefined);
  try {
    return [
      { part: 'drawing', problem: await tryPart(renders, folder, 'drawing') },
      { part: 'encoder', problem: await tryPart(renders, folder, 'encoder') },
    ];
  } finally {
    renders.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns what is wrong; null when a file came out. */
async function tryPart(
  renders: LoneRenders,
  folder: string,
  part: keyof typeof tests,
): Promise<string | null> {
  const source = tests[part];
  const outputPath = path.join(folder, `${part}.${source.output_format}`);
  const signal = AbortSignal.timeout(patience);
  const outcome = await renders.run(
    {
      source: JSON.stringify(source),
      outputPath,
      mediaFolders: [],
      allowPrivateAddresses: false,
    },
    { signal },
  );
  if (outcome.kind === 'failed') {
    return signal.aborted ? `No answer within ${patience / 1000} s` : outcome.message;
  }
  return existsSync(outputPath) ? (outcome.warnings[0] ?? null) : 'There is no file';
}
