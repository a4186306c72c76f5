/** What the API serves about the language for editors, without a key; docs.test.ts has its pages. */
import { afterAll, beforeAll, expect, test } from 'vitest';
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
