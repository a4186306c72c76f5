/**
 * Documents by the property table, rendered small in a real worker process. Whatever the values are, there is a file or
 * a sentence; the process lives, and takes no more memory than so small a picture can need.
 */
import { AttackedWorker } from './attacked-worker.ts';
import { runCases, type FuzzOptions, type FuzzResult } from './cases.ts';
import { mediaFolders, smallDocument } from './small-documents.ts';

export const name = 'render';

/** Bytes of the worker with its encoder and decoders. */
const mostMemory = 1_500_000_000;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const worker = new AttackedWorker(mostMemory);
  try {
    return await runCases(options, async (random) => {
      const source = smallDocument(random);
      const { wrong } = await worker.render(source, mediaFolders);
      return wrong === null ? null : `${wrong}\n${JSON.stringify(source).slice(0, 6_000)}`;
    });
  } finally {
    worker.stop();
  }
}
