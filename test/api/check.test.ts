/** A dry run that looks at the media, too, over HTTP with real workers. Needs dist/. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { DryRun } from '../../shared/api.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

const title: JsonObject = { type: 'text', name: 'Title', text: 'Hello', fill_color: '#ffffff' };
const film = {
  ...{ output_format: 'mp4', width: 640, height: 360, duration: 2, fill_color: '#102030' },
  elements: [{ ...title, font_size: 40 }],
};
const faulty = {
  ...film,
  elements: [
    { ...title, font_size: 40, fill_color: '#203040' },
    { type: 'image', name: 'Photo', source: 'gone.jpg' },
  ],
};

test('finds what a render would fail with, and what would not look as meant', async () => {
  const asked = { source: faulty, dry_run: true, check: 'media' };
  const { status, body } = await server.ask('POST', '/v2/renders', asked);
  const found = body as unknown as DryRun;
  expect(status).toBe(200);
  expect(found.valid).toBe(false);
  // The document itself is right.
  expect(found.errors).toEqual([]);
  expect(found.findings?.map(({ level, code, path }) => [level, code, path])).toEqual([
    ['error', 'media_missing', 'elements[1].source'],
    ['warning', 'low_contrast', 'elements[0].fill_color'],
  ]);
  expect(found.estimate).toMatchObject({ width: 640, height: 360, duration: 2 });
  const renders = await server.ask('GET', '/v2/renders');
  expect(renders.list.length + Object.keys(renders.body).length).toBeGreaterThan(0);
});

test('says of a good document what its render will take, at the size that is asked for', async () => {
  const asked = { source: film, dry_run: true, check: 'media', render_scale: 0.5 };
  const { body } = await server.ask('POST', '/v2/renders', asked);
  const found = body as unknown as DryRun;
  expect(found).toMatchObject({ valid: true, findings: [], more_findings: 0 });
  expect(found.estimate).toMatchObject({ width: 320, height: 180 });
});

test('says of a sound how long and large it gets; nobody sees its texts', async () => {
  const source = { ...faulty, elements: faulty.elements.slice(0, 1), output_format: 'wav' };
  const asked = { source, dry_run: true, check: 'media' };
  const found = (await server.ask('POST', '/v2/renders', asked)).body as unknown as DryRun;
  expect(found).toMatchObject({ valid: true, findings: [] });
  expect(found.estimate).toMatchObject({ width: 0, height: 0, frames: 0, bytes: 384_000 });
});

test('is not made unless it is asked for', async () => {
  for (const check of [{}, { check: 'document' }]) {
    const asked = { source: faulty, dry_run: true, ...check };
    const { body } = await server.ask('POST', '/v2/renders', asked);
    expect(Object.keys(body).sort()).toEqual(['errors', 'source', 'valid', 'warnings']);
    expect(body.valid).toBe(true);
  }
  const wrong = { source: film, dry_run: true, check: 'everything' };
  const { status, body } = await server.ask('POST', '/v2/renders', wrong);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('check');
});

test('is made for each document of older requests and of batches', async () => {
  const sent = { source: film, dry_run: true, check: 'media' };
  const { list } = await server.ask('POST', '/v1/renders', sent);
  expect(list).toMatchObject([{ valid: true, findings: [] }]);
  const batch = { renders: [sent, { ...sent, source: faulty }] };
  const { body } = await server.ask('POST', '/v2/renders/batch', batch);
  const { results } = body as unknown as { results: { check: DryRun }[] };
  expect(results.map(({ check }) => check.findings?.length)).toEqual([0, 2]);
});

test('has a fault of the document with its repair, and then no estimate', async () => {
  const source = { ...film, elements: [{ ...title, font_sise: 40 }] };
  const { body } = await server.ask('POST', '/v2/renders', {
    source: { ...source, width: 'wide' },
    ...{ dry_run: true, check: 'media' },
  });
  const found = body as unknown as DryRun;
  expect(found.estimate).toBeNull();
  const misspelt = found.findings?.find(({ code }) => code === 'unknown_property');
  expect(misspelt?.patch).toEqual([
    { op: 'move', from: '/elements/0/font_sise', path: '/elements/0/font_size' },
  ]);
});
