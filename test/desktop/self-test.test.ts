/** The self-test of the packed program, with the built worker under Node. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { selfTest } from '../../main/self-test.ts';

test('F125: drawing and encoder work, one after the other', async () => {
  expect(await selfTest(() => forkWorker())).toEqual([
    { part: 'drawing', problem: null },
    { part: 'encoder', problem: null },
  ]);
});

test('F128: a lost encoder is named, and drawing works all the same', async () => {
  const chosen = process.env['FFMPEG_PATH'];
  process.env['FFMPEG_PATH'] = '/nowhere/ffmpeg';
  try {
    const [drawing, encoder] = await selfTest(() => forkWorker());
    expect(drawing?.problem).toBeNull();
    expect(encoder?.problem).toContain('/nowhere/ffmpeg');
  } finally {
    if (chosen === undefined) delete process.env['FFMPEG_PATH'];
    else process.env['FFMPEG_PATH'] = chosen;
  }
});

test('a worker that ends by itself is said', async () => {
  const script = path.join(import.meta.dirname, '../helpers/broken-worker.mjs');
  const results = await selfTest(() => forkWorker(script));
  expect(results.map(({ problem }) => problem)).toEqual([
    'Render error: the worker ended while starting (code 1)',
    'Render error: the worker ended while starting (code 1)',
  ]);
});
