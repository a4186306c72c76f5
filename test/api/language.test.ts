/** What the API serves about the language: the schema and the reference page, both without a key. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import { properties } from '../../shared/renderscript/properties.ts';
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';
import { document, send, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('the JSON Schema', async () => {
  const answer = await send(`${server.running.apiUrl}/renderscript.schema.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/schema+json; charset=utf-8');
  expect(JSON.parse(answer.text)).toEqual(renderScriptSchema());
});

test('percent sizes of texts come back as they were given', async () => {
  const source = document({}, { elements: [{ type: 'text', name: 'Title', text: 'a' }] });
  const modifications = { 'Title.font_size': '12.50 %', 'Title.stroke_width': '3%' };
  const dry = await server.ask('POST', '/v2/renders', { ...source, modifications, dry_run: true });
  expect(dry.body.source.elements).toMatchObject([{ font_size: '12.50 %', stroke_width: '3%' }]);
  const { body } = await server.ask('POST', '/v2/renders', { source, modifications });
  expect(await server.ended(body.id)).toMatchObject({ status: 'succeeded', modifications });
});

test('the property reference', async () => {
  const { status, headers, text } = await send(`${server.running.apiUrl}/docs/renderscript`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const { name } of properties) expect(text).toContain(`<td><code>${name}</code></td>`);
  for (const name of animationTypes.keys())
    expect(text).toContain(`<h3 id="${name}"><code>${name}</code></h3>`);
  // Every link leads somewhere, and no mark of Markdown is left over.
  for (const [, id = ''] of text.matchAll(/href="#([^"]+)"/g))
    expect(text.split(`id="${id}"`)).toHaveLength(2);
  expect(text.replace(/<style>[^]*?<\/style>/, '')).not.toMatch(/[`|]|\*\w/);
});
