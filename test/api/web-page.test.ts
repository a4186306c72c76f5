/**
 * F88: what a web page in a real browser can do to the API, i.e. nothing, unless a person allowed its address. Left out
 * where there is no Chromium.
 */
import { chromium, type Browser, type Page } from '@playwright/test';
import { createCanvas } from '@napi-rs/canvas';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

describe.skipIf(chromiumPath === undefined)('F88 a web page on another port', () => {
  let server: TestServer;
  let site: Server;
  let browser: Browser;
  let page: Page;
  let pageUrl: string;

  beforeAll(async () => {
    server = await startTestServer();
    site = createServer((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html><title>A page</title>${searchParams.get('html') ?? ''}`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
    // Another name for the same computer, as a page of a stranger would have.
    pageUrl = `http://localhost:${(site.address() as AddressInfo).port}`; // listens on a port
    browser = await chromium.launch({
      executablePath: chromiumPath!,
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    page = await browser.newPage();
    await page.goto(pageUrl);
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await server.stop();
  });

  const allow = (allowedOrigins: string[]): Promise<Answer> =>
    server.askWindow('PATCH', '/api/settings', { allowedOrigins });
  const count = async (): Promise<number> =>
    (await server.askWindow('GET', '/api/renders')).body.renders.length;

  /** The address of a page with this in it. */
  const holding = (html: string): string => `${pageUrl}/?html=${encodeURIComponent(html)}`;

  /** Asks from inside the page; the status, or `blocked` when the browser keeps the answer back. */
  const ask = (target: string, options: object): Promise<string> =>
    page.evaluate(
      async ([url, given]) => {
        try {
          const response = await fetch(url, given);
          return `${response.type} ${response.status}`;
        } catch {
          return 'blocked';
        }
      },
      [`${server.running.apiUrl}${target}`, options] as const,
    );

  const withKey = (): object => ({
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.running.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(document()),
  });

  test('fetch, with the key even, is blocked and changes nothing', async () => {
    expect(await ask('/v2/templates', {})).toBe('blocked');
    expect(await ask('/v2/renders', withKey())).toBe('blocked');
    // Without a preflight the request does arrive, and is refused there.
    const plain = { method: 'POST', mode: 'no-cors', body: JSON.stringify(document()) };
    expect(await ask('/v2/renders', plain)).toBe('opaque 0');
    expect(await count()).toBe(0);
  });

  test('a form post is refused', async () => {
    const form = await browser.newPage();
    const target = `${server.running.apiUrl}/v2/renders`;
    const [response] = await Promise.all([
      form.waitForResponse(target),
      form.goto(
        holding(
          `<form id="f" method="post" enctype="text/plain" action="${target}"><input name='{"elements":[],"x":"' value='"}'></form><script>f.submit()</script>`,
        ),
      ),
    ]);
    expect(response.status()).toBe(403);
    expect(response.headers()['access-control-allow-origin']).toBeUndefined();
    expect(await count()).toBe(0);
    await form.close();
  });

  test.each(['img', 'script'])('a %s tag gets nothing', async (tag) => {
    const { body } = await server.ask(
      'POST',
      '/v2/renders',
      document({}, { output_format: 'png' }),
    );
    const { url } = await server.ended(body.id);
    const tagged = await browser.newPage();
    await tagged.goto(
      holding(
        `<${tag} src="${url}" onload="document.title='loaded'" onerror="document.title='refused'"></${tag}>`,
      ),
    );
    await expect.poll(() => tagged.title()).toBe('refused');
    await tagged.close();
  });

  /** A finished picture that a browser can show. */
  const finished = async (): Promise<string> => {
    const { body } = await server.ask(
      'POST',
      '/v2/renders',
      document({}, { output_format: 'png' }),
    );
    const { url } = await server.ended(body.id);
    const picture = createCanvas(8, 4).toBuffer('image/png');
    await writeFile(server.fileOf(body.id, 'png'), picture);
    return url;
  };

  test('links to files and help open from any page, those to data do not', async () => {
    const opened = async (target: string): Promise<number | undefined> => {
      const other = await browser.newPage();
      await other.goto(holding(`<a id="a" href="${target}">A link</a>`));
      const [response] = await Promise.all([other.waitForResponse(target), other.click('#a')]);
      const status = response.status();
      await other.close();
      return status;
    };
    const { apiUrl } = server.running;
    expect(await opened(await finished())).toBe(200);
    expect(await opened(`${apiUrl}/docs`)).toBe(200);
    expect(await opened(`${apiUrl}/docs/errors`)).toBe(200);
    expect(await opened(`${apiUrl}/`)).toBe(302);
    expect(await opened(`${apiUrl}/v2/templates`)).toBe(403);
    // In a frame it would be part of the page.
    const framing = await browser.newPage();
    const [framed] = await Promise.all([
      framing.waitForResponse(`${apiUrl}/docs`),
      framing.goto(holding(`<iframe src="${apiUrl}/docs"></iframe>`)),
    ]);
    expect(framed.status()).toBe(403);
    await framing.close();
  });

  test('an allowed page may show files, also from the cache, and no other may after it', async () => {
    const url = await finished();
    const shows = async (from: string, attributes = ''): Promise<string> => {
      const other = await browser.newPage();
      const html = `<img ${attributes} src="${url}" onload="document.title='shown '+this.naturalWidth" onerror="document.title='refused'">`;
      await other.goto(`${from}/?html=${encodeURIComponent(html)}`);
      await expect.poll(() => other.title()).not.toBe('A page');
      const title = await other.title();
      await other.close();
      return title;
    };
    // The same page under its number is another site.
    const numbered = pageUrl.replace('localhost', '127.0.0.1');
    expect(await shows(pageUrl)).toBe('refused');
    await allow([pageUrl]);
    for (const attributes of ['', 'crossorigin']) {
      expect(await shows(pageUrl, attributes)).toBe('shown 8');
      expect(await shows(pageUrl, attributes)).toBe('shown 8');
    }
    await allow([]);
    expect(await shows(pageUrl)).toBe('refused');
    expect(await shows(numbered)).toBe('refused');
  });

  test('a page whose address was allowed may ask, and no other', async () => {
    expect((await allow(['not an address'])).status).toBe(400);
    expect((await allow([`${pageUrl}/path`])).status).toBe(400);
    expect((await allow([pageUrl])).status).toBe(200);
    const before = await count();
    expect(await ask('/v2/renders', withKey())).toBe('cors 202');
    expect(await count()).toBe(before + 1);
    expect(await ask('/v2/templates', {})).toBe('cors 401');
    await allow(['http://other.example']);
    expect(await ask('/v2/renders', withKey())).toBe('blocked');
    expect(await count()).toBe(before + 1);
  });
});
