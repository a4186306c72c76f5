/** Documents that fuzzers found (test/fuzz/render.fuzz.ts), in a real worker process: each ends well now. Needs dist/. */
import { afterAll, expect, test } from 'vitest';
import { AttackedWorker } from '../fuzz/attacked-worker.ts';

const worker = new AttackedWorker(500_000_000);
afterAll(() => worker.stop());

const small = { output_format: 'png', width: 71, height: 88 };

test('a warp that tears its element into hundreds of pieces takes no more memory than another', async () => {
  const points = [
    [88.6, '21.9 px', '52.8 px', 36.2, '54.3 px', -10_000, '3.7 px', '71.4 vw'],
    [1e9, '7.8 px', '43.1', '1e-9 px', '99 %', 0.001, 52.1, '24.7 vw'],
    ['82.1 vw', '87.3 vw', 21.7, 23.5, 33, 39.7, '82.3', '101 px'],
  ];
  const warp = points.map((row) =>
    [0, 2, 4, 6].map((index) => ({ x: row[index], y: row[index + 1] })),
  );
  const text = { type: 'text', text: 'Some text', warp_matrix: warp, x_skew: 11.8 };
  const ending = await worker.render({ ...small, elements: [text] });
  expect(ending).toMatchObject({ wrong: null, failure: null });
}, 60_000);
