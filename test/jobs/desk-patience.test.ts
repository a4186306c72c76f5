/** How long a task of the desk may take: by what is computed, so that a busy computer refuses no innocent request. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Desk } from '../../server/jobs/desk/desk.ts';
import { JsonText } from '../../server/json-text.ts';
import { deskLimits } from '../../shared/limits.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A thread in place of the desk's own, that does this before each answer. */
function thread(name: string, before: string): string {
  const file = path.join(folder, `${name}.mjs`);
  const text = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', () => { ${before}; parentPort.postMessage({ kind: 'done', answer: [] }); });`;
  writeFileSync(file, text);
  return file;
}

const deadline = 1_000;
const waiting = (times: number): string =>
  `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${times * deadline})`;
const long = new JsonText(JSON.stringify({ text: 'x'.repeat(deskLimits.inlineCharacters) }));

/** What comes of a task that is too large to be done at once. */
async function outcome(name: string, before: string): Promise<unknown> {
  const desk = new Desk({ script: thread(name, before), deadline });
  try {
    return await desk.fieldsOf(long).catch((error: unknown) => (error as Error).message);
  } finally {
    await desk.close();
  }
}

test('a task that waits for the processor is done, one that computes or waits without end is refused', async () => {
  const tooLong = expect.stringContaining('takes longer than 1 seconds') as unknown;
  expect(await outcome('patient', waiting(2.5))).toEqual([]);
  expect(await outcome('computing', 'for (;;);')).toEqual(tooLong);
  expect(await outcome('still', waiting(1_000))).toEqual(tooLong);
});
