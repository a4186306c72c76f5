/**
 * Pictures that keep the drawing library busy for ever or fill the memory: each fails its own render at the first attempt,
 * by name, and plain renders in between go on. The real worker and the real limits. Needs dist/.
 */
import { afterEach, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/fork-worker.ts';
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
  ...{ output_format: 'png', width: side, height: side },
  elements: [
    {
      ...{ type: 'image', name: 'Emblem' },
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

test('a vector picture that takes too much memory fails by name at the first attempt', async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
  const bad = await create(document(layers(45), 4_000));
  const good = await create(document(layers(3)));
  const { status, error_message: message } = await server.ended(bad);
  expect([status, message]).toEqual([
    'failed',
    `Source error: Emblem.source: Drawing the picture takes more than ${trialLimits.memory / 1e6} MB of memory, which is the limit`,
  ]);
  expect((await shown(bad)).attempts).toBe(1);
  expect((await server.ended(good)).status).toBe('succeeded');
}, 120_000);
