/** The pictures of the animations: a document and a sheet for each type, and the sheets on the page of the language. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { galleryFolder, sampleFolder } from '../../server/paths.ts';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const names = [...animationTypes.keys()];

describe('the gallery', () => {
  test.each(names)('%s has a document that uses it, and a sheet', (name) => {
    const text = readFileSync(path.join(sampleFolder(), 'gallery', `${name}.json`), 'utf8');
    expect(text).toContain(`"type": "${name}"`);
    const source: unknown = JSON.parse(text);
    expect(isJsonObject(source) ? validate(source, {}) : 'no object').toEqual([]);
    for (const [, file = ''] of text.matchAll(/"source": "([^"]+)"/g))
      expect(existsSync(path.join(sampleFolder(), file)), file).toBe(true);
    expect(statSync(path.join(galleryFolder(), `${name}.jpg`)).size).toBeLessThanOrEqual(60_000);
  });

  test('stands on the page of the language', async () => {
    const { apiUrl } = server.running;
    const page = await fetch(`${apiUrl}/docs/renderscript`);
    expect(page.headers.get('content-security-policy')).toContain("img-src 'self'");
    const pictures = Array.from(
      (await page.text()).matchAll(/<img src="([^"]+)"/g),
      ([, src = '']) => src,
    );
    expect(pictures).toEqual(names.map((name) => `/docs/gallery/${name}.jpg`));
    for (const picture of pictures) {
      const answer = await fetch(`${apiUrl}${picture}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 2)).toEqual(
        Buffer.from([0xff, 0xd8]),
      );
    }
  });

  test.each(['/docs/gallery/nothing.jpg', '/docs/gallery/..%2Fpackage.json', '/docs/gallery/fade'])(
    '%s is not there',
    async (address) => {
      expect((await fetch(`${server.running.apiUrl}${address}`)).status).toBe(404);
    },
  );
});
