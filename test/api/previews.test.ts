/** Previews over the public API with a real worker that draws, also of what is only heard. Needs dist/. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { send, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

/** Red in its first second, then blue; 400 × 200. */
const source = {
  output_format: 'mp4',
  width: 400,
  height: 200,
  fill_color: '#ffffff',
  elements: [
    {
      type: 'shape',
      name: 'Box',
      track: 1,
      duration: 1,
      path: 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z',
      width: '100%',
      height: '100%',
      fill_color: '#ff0000',
    },
    {
      type: 'shape',
      track: 1,
      duration: 1,
      path: 'M 0 0 L 100% 0 L 100% 100% L 0 100% Z',
      width: '100%',
      height: '100%',
      fill_color: '#0000ff',
    },
  ],
};

async function picture(
  body: object,
): Promise<{ type: string; size: string; rgb: readonly number[] }> {
  const { apiUrl, apiKey } = server.running;
  const response = await fetch(`${apiUrl}/v2/previews`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const image = await loadImage(bytes);
  const { width, height } = image;
  const drawing = createCanvas(width, height).getContext('2d');
  drawing.drawImage(image, 0, 0);
  const { data } = drawing.getImageData(0, 0, width, height);
  const middle = 4 * (Math.floor(height / 2) * width + Math.floor(width / 2));
  return {
    type: response.headers.get('content-type') ?? '',
    size: `${width}×${height}`,
    rgb: [...data.subarray(middle, middle + 3)].map((value) => Math.round(value / 64)),
  };
}

test('of a document, a template and modifications: the moment, the size, the kind', async () => {
  expect(await picture({ source })).toEqual({
    type: 'image/jpeg',
    size: '400×200',
    rgb: [4, 0, 0],
  });
  expect((await picture({ source, time: 1.5 })).rgb).toEqual([0, 0, 4]);
  expect((await picture({ source, time: 99, max_side: 100 })).size).toBe('100×50');
  const { body } = await server.ask('POST', '/v2/templates', { name: 'Box', source });
  const modifications = { 'Box.fill_color': '#00ff00' };
  expect((await picture({ template_id: body.id, modifications })).rgb).toEqual([0, 4, 0]);
  const open = { ...source, fill_color: undefined, output_format: 'png', elements: [] };
  expect((await picture({ source: open })).type).toBe('image/png');
  // Several at once: none takes the place of another.
  const many = await Promise.all([0, 0.5, 1, 1.9].map((time) => picture({ source, time })));
  expect(many.map(({ rgb }) => rgb[0])).toEqual([4, 4, 0, 0]);
});

test('a sound is seen in previews, and is a file that is only heard', async () => {
  for (const [format, type] of [
    ['mp3', 'audio/mpeg'],
    ['wav', 'audio/wav'],
    ['m4a', 'audio/mp4'],
  ] as const) {
    const heard = { ...source, output_format: format, snapshot_time: 1 };
    expect((await picture({ source: heard, time: 1.5 })).rgb).toEqual([0, 0, 4]);
    const asked = await server.ask('POST', '/v2/renders', { source: heard, render_scale: 0.5 });
    expect([asked.status, asked.body.output_format]).toEqual([202, format]);
    const record = await server.ended(asked.body.id);
    expect(record).toEqual({
      ...{ id: record.id, status: 'succeeded', output_format: format, render_scale: 0.5 },
      url: `${server.running.apiUrl}/renders/${record.id}.${format}`,
      ...{ duration: 2, file_size: record.file_size },
    });
    const file = await fetch(record.url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, type]);
    expect((await file.arrayBuffer()).byteLength).toBe(record.file_size);
    const { renders } = (await server.askWindow('GET', '/api/renders')).body as unknown as {
      renders: { id: string; picturePath?: string; filePath?: string }[];
    };
    const shown = renders.find(({ id }) => id === record.id);
    expect(shown).toMatchObject({ filePath: `/renders/${record.id}.${format}` });
    expect(shown?.picturePath).toBeUndefined();
  }
});

test('a file that is missing is told of', async () => {
  const { headers, status } = await server.ask('POST', '/v2/previews', { source: missing });
  expect(status).toBe(200);
  const told = JSON.parse(decodeURIComponent(headers.get('preview-warnings') ?? '')) as string[];
  expect(told).toEqual(['Image 1.source: The file does not exist']);
});

const missing = { ...source, elements: [{ type: 'image', source: 'not-there.png' }] };
const wrong = { ...source, elements: [{ type: 'text', text: 'x', x: 'wide' }] };
test.each([
  ['neither', {}, 400, /^Send a 'template_id'/],
  [
    'a wrong value',
    { source: wrong },
    400,
    /^The document has 1 error\. The first: .*elements\[0\]\.x/,
  ],
  [
    'a time before the beginning',
    { source, time: -1 },
    400,
    /'time' should be a number of seconds/,
  ],
  [
    'a side that is too long',
    { source, max_side: 5_000 },
    400,
    /'max_side' should be a whole number/,
  ],
  [
    'an unknown template',
    { template_id: '00000000-0000-4000-8000-000000000000' },
    404,
    /^There is no template/,
  ],
])('refused: %s', async (_name, body, status, hint) => {
  const answer = await server.ask('POST', '/v2/previews', body);
  expect(answer.status).toBe(status);
  expect(answer.body.hint).toMatch(hint);
});

test('the same body as everywhere: no key, no preview', async () => {
  expect((await send(`${server.running.apiUrl}/v2/previews`, { method: 'POST' })).status).toBe(401);
});
