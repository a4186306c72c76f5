/**
 * Pictures that keep the drawing library busy for ever or fill the memory: each fails its own render at the first
 * attempt, by name, and plain renders in between go on. The real worker and the real limits. Needs dist/.
 */
import { createCanvas } from '@napi-rs/canvas';
import { afterEach, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { trialLimits } from '../../shared/limits.ts';
import { startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
afterEach(() => server.stop());

const open = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600">';

/** Masks inside of each other, each of which is drawn twice by the next. */
const masks = (depth: number): string =>
  `${open}<defs>${Array.from({ length: depth }, (_, level) => {
    const below = level === 0 ? '' : `mask="url(#m${level - 1})"`;
    return `<mask id="m${level}">${`<rect width="600" height="600" fill="#fff" ${below}/>`.repeat(2)}</mask>`;
  }).join('')}</defs><rect width="600" height="600" fill="red" mask="url(#m${depth - 1})"/></svg>`;

/** A line that crosses itself so often that no row of pixels is ever finished. */
const tangle = (points: number): string =>
  `${open}<path fill-rule="evenodd" d="M0 0${Array.from({ length: points }, (_, at) => `L${(at * 7_919) % 600} ${(at * 104_729) % 600}`).join('')}"/></svg>`;

/** See-through groups inside of each other, each of which takes a layer of 64 MB. */
const layers = (depth: number): string =>
  `${open.replaceAll('600', '4000')}${'<g opacity="0.9"><rect width="4000" height="4000"/>'.repeat(depth)}${'</g>'.repeat(depth)}</svg>`;

const document = (svg: string, side = 600): object => ({
  output_format: 'png',
  width: side,
  height: side,
  elements: [
    {
      type: 'image',
      name: 'Emblem',
      source: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    },
  ],
});

const create = async (source: object): Promise<string> =>
  (await server.ask('POST', '/v2/renders', source)).body.id;
const shown = async (id: string): Promise<Body['renders'][number]> => {
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  return renders.find((render) => render.id === id)!;
};

/** Real workers, and how many of them were ready each time that one of them had to be given up. */
function watchedWorkers(): { readonly fork: typeof forkWorker; readonly ready: number[] } {
  const living = new Set<object>();
  const ready: number[] = [];
  const fork: typeof forkWorker = () => {
    const port = forkWorker();
    port.onMessage((message) => {
      const { type, spoilt } = message as { type: string; spoilt?: boolean };
      if (type === 'ready') living.add(port);
      if (spoilt) ready.push(living.size - 1);
    });
    port.onExit(() => void living.delete(port));
    return port;
  };
  return { fork, ready };
}

test('vector pictures without end fail by name at the first attempt, and costly ones that end are drawn', async () => {
  const workers = watchedWorkers();
  server = await startTestServer({ forkWorker: () => workers.fork() });
  const bad = [await create(document(masks(30)))];
  const good = [await create(document(masks(3)))];
  bad.push(await create(document(tangle(300_000))));
  good.push(await create(document(`${open}<circle cx="300" cy="300" r="200"/></svg>`)));
  for (const id of bad) {
    const { status, error_message: message } = await server.ended(id);
    expect([status, message]).toEqual([
      'failed',
      `Source error: Emblem.source: Drawing the picture takes more than ${trialLimits.time / 1_000} seconds of computing, which is the limit`,
    ]);
    expect((await shown(id)).attempts).toBe(1);
  }
  for (const id of good) {
    const { status, error_message: message } = await server.ended(id);
    expect([status, message]).toEqual(['succeeded', undefined]);
    expect((await shown(id)).attempts).toBe(1);
  }
  // The renders behind them waited for no start of a worker.
  expect(workers.ready.length).toBe(2);
  expect(Math.min(...workers.ready)).toBeGreaterThan(0);
}, 300_000);

test('a vector picture with too much of both fails by name at the first attempt', async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
  const bad = await create(document(layers(45), 4_000));
  const good = await create(document(layers(3)));
  const { status, error_message: message } = await server.ended(bad);
  expect(status).toBe('failed');
  expect(message).toMatch(
    /^Source error: Emblem.source: Drawing the picture takes more than \d+ (?:MB of memory|seconds of computing), which is the limit$/,
  );
  expect((await shown(bad)).attempts).toBe(1);
  expect((await server.ended(good)).status).toBe('succeeded');
}, 120_000);

/** A GIF of one colour: every frame is 25 bytes, and is decoded to as many pixels as it says. */
function flatGif(canvas: number, frame: number, frames: number): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\xff\0\0\0\xff\0', 'latin1');
  head.writeUInt16LE(canvas, 6);
  head.writeUInt16LE(canvas, 8);
  const place = Buffer.alloc(10);
  place.writeUInt8(0x2c, 0);
  place.writeUInt16LE(frame, 5);
  place.writeUInt16LE(frame, 7);
  const control = Buffer.from([0x21, 0xf9, 4, 1, 5, 0, 1, 0]);
  const pixels = Buffer.from([2, 2, 0x44, 0x01, 0]);
  const one = Buffer.concat([control, place, pixels]);
  // What follows the end makes it no file that was cut short.
  const end = Buffer.concat([Buffer.from([0x3b]), Buffer.alloc(10_000)]);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => one), end]);
}

/** A WebP of a large picture in a file that says it is small. */
async function lyingWebp(): Promise<Buffer> {
  const whole = await createCanvas(4_000, 4_000).encode('webp', 100);
  const data = whole.subarray(12);
  const extended = Buffer.alloc(18);
  extended.write('VP8X', 'latin1');
  extended.writeUInt32LE(10, 4);
  extended.writeUIntLE(9, 12, 3);
  extended.writeUIntLE(9, 15, 3);
  const inside = data.toString('latin1', 0, 4) === 'VP8X' ? data.subarray(18) : data;
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + extended.length + inside.length, 4);
  return Buffer.concat([head, extended, inside]);
}

test('pictures of little that unfold to much fail by name at the first attempt, without being unfolded', async () => {
  const starts: number[] = [];
  server = await startTestServer({
    forkWorker: () => {
      starts.push(1);
      return forkWorker();
    },
  });
  const unreadable = 'The file is not a video, image or audio file we can read';
  const cases: [what: string, bytes: Buffer, type: string, more: object, reason: string][] = [
    ['a frame larger than its picture', flatGif(10, 30_000, 1), 'gif', {}, unreadable],
    ['a picture that says it is small', await lyingWebp(), 'webp', {}, unreadable],
    [
      'thousands of large frames on each other',
      flatGif(8_000, 8_000, 9_999),
      'gif',
      { type: 'video', trim_start: 900 },
      'One moment of the animated picture is built of frames with 639872 megapixels together',
    ],
    [
      'more frames than may be',
      flatGif(10, 10, 20_000),
      'gif',
      {},
      'The animated picture has more',
    ],
  ];
  for (const [what, bytes, type, more, reason] of cases) {
    const source = `data:image/${type};base64,${bytes.toString('base64')}`;
    const film = { output_format: 'mp4', width: 64, height: 64, duration: 1, frame_rate: 5 };
    const elements = [{ type: 'image', name: 'Emblem', source, ...more }];
    const id = await create({ ...film, elements });
    const { status, error_message: message } = await server.ended(id);
    expect([what, status, message]).toEqual([
      what,
      'failed',
      expect.stringContaining(`Emblem.source: ${reason}`),
    ]);
    expect((await shown(id)).attempts).toBe(1);
  }
  // One worker did all of it; where the computer is slow, a spare one stands by.
  expect(starts.length).toBeLessThanOrEqual(2);
}, 120_000);
