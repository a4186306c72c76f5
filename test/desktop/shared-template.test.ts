/** Opened `.framewright` files on their way to a real server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { manifestOf, templateOf, zipOf } from '../helpers/shared-archive.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

vi.mock('electron', () => import('./electron-stand-in.ts'));
const { sendTemplate } = await import('../../main/openings.ts');

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-test-'));
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

test('one is sent in pieces, and what the server says comes back', async () => {
  const { windowUrl } = server.running;
  const file = path.join(folder, 'opened.framewright');
  const document = { elements: [{ type: 'text', text: 'x'.repeat(300_000) }] };
  writeFileSync(file, zipOf([templateOf(document, 'Sent'), manifestOf([])]));
  const { templates, files, missing } = await sendTemplate(windowUrl, file, 'default');
  const [template] = templates;
  expect([template?.name, files, missing]).toEqual(['Sent', 0, []]);
  expect((await server.ask('GET', `/v2/templates/${template?.id}`)).body.source).toEqual(document);

  await expect(sendTemplate(windowUrl, file, 'none')).rejects.toThrow('none');
  writeFileSync(file, 'PK');
  await expect(sendTemplate(windowUrl, file, 'default')).rejects.toThrow('it is no zip archive');
  const gone = path.join(folder, 'gone.framewright');
  await expect(sendTemplate(windowUrl, gone, 'default')).rejects.toThrow('It can’t be read.');
  const nobody = 'http://127.0.0.1:9/#token=x';
  await expect(sendTemplate(nobody, file, 'default')).rejects.toThrow(
    'The server does not answer.',
  );
});
