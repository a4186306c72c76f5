/**
 * Documents that fuzzers found (test/fuzz/render.fuzz.ts), in a real worker process: each ends well now. Needs dist/.
 */
import { afterAll, expect, test } from 'vitest';
import { AttackedWorker } from '../fuzz/attacked-worker.ts';
import { mediaFolders } from '../fuzz/small-documents.ts';

const worker = new AttackedWorker(500_000_000);
/** For pictures that are large for a moment. */
const largeWorker = new AttackedWorker(1_500_000_000);
afterAll(() => {
  worker.stop();
  largeWorker.stop();
});

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

test('bent pictures of many triangles take no more than a moment where one is larger than the drawing library keeps', async () => {
  const corners = (points: readonly (readonly [string, string])[][]): unknown =>
    points.map((row) => row.map(([x, y]) => ({ x, y })));
  const inner = {
    type: 'composition',
    fill_color: '#3060c0',
    y_padding: '88 vw',
    y_scale: 1000,
    x_rotation: 70,
    warp_matrix: corners([
      [
        ['101 px', '37 px'],
        ['9 vw', '80 vw'],
        ['50 px', '98 %'],
        ['94 px', '359 px'],
      ],
      [
        ['0 px', '99 px'],
        ['25 %', '51 px'],
        ['56 px', '101 px'],
        ['45 vw', '64 px'],
      ],
    ]),
    elements: [{ type: 'image', source: 'rings.png' }],
  };
  const outer = {
    type: 'composition',
    y_rotation: 51,
    z_rotation: '3 °',
    x: '68 vw',
    elements: [inner],
  };
  const ending = await largeWorker.render(
    { output_format: 'jpg', width: 151, height: 123, elements: [outer] },
    mediaFolders,
  );
  expect(ending).toMatchObject({ wrong: null, failure: null });
}, 60_000);
