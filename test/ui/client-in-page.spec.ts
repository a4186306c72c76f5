/** The built client in a page of another origin: works where the user has allowed the page, and says so where not. */
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type * as Client from '../../client/index.ts';
import { expect, test } from './program.ts';

const dist = path.resolve(import.meta.dirname, '../../dist/client');

/** A web server that serves the client's files to its page. */
let site: Server;
let origin = '';
test.beforeAll(async () => {
  site = createServer((request, response) => {
    const name = path.basename(request.url ?? '');
    const isCode = name.endsWith('.mjs');
    response.setHeader('Content-Type', isCode ? 'text/javascript' : 'text/html');
    response.end(
      isCode ? readFileSync(path.join(dist, name)) : '<!doctype html><title>A page</title>',
    );
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  // Another name for the same computer: an origin of its own. A listening server has a port.
  origin = `http://localhost:${(site.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  site.close();
});

/** What the page's script learned. */
interface Learned {
  readonly status: string;
  readonly reports: number;
  readonly bytes: number;
  readonly preview: string;
  readonly warnings: readonly string[];
  readonly missing: readonly string[];
  readonly refusal: string;
}

/** Renders a film in the page, with progress, and loads it. */
function useClient(page: Page, url: string, key: string): Promise<Learned> {
  return page.evaluate(
    async ([address, apiKey]) => {
      const file = '/index.mjs';
      const { Framewright, NotFoundError } = (await import(file)) as typeof Client;
      const framewright = new Framewright({ url: address, key: apiKey });
      const source = {
        output_format: 'mp4',
        width: 128,
        height: 128,
        // Long enough that even a fast computer is asked for its progress before the end.
        duration: 40,
        frame_rate: 30,
        elements: [
          { type: 'text', text: 'In a page', animations: [{ type: 'spin', duration: 40 }] },
          { type: 'image', source: '/no/such.png' },
        ],
      } as const;
      let reports = 0;
      const onProgress = (): void => {
        reports += 1;
      };
      const sound = { ...source, elements: [source.elements[0]] };
      const render = await framewright.render({ source: sound }, { onProgress });
      const preview = await framewright.preview({ source, time: 0 });
      const template = await framewright.templates.create({ name: 'From a page', source });
      const { content, missing } = await framewright.templates.share(template.id);
      await content.cancel();
      const refusal: unknown = await framewright.renders.get(template.id).then(
        () => 'none',
        (error: unknown) => error,
      );
      return {
        status: render.status,
        reports,
        bytes: (await framewright.renders.download(render)).length,
        preview: preview.type,
        warnings: preview.warnings,
        missing,
        refusal: refusal instanceof NotFoundError ? refusal.message : String(refusal),
      };
    },
    [url, key] as const,
  );
}

test('a page that is allowed renders with progress and loads the file', async ({
  page,
  program,
}) => {
  await program.allowPages([origin]);
  await page.goto(origin);
  const learned = await useClient(page, program.apiUrl, program.apiKey);
  expect(learned).toMatchObject({ status: 'succeeded', preview: 'image/jpeg' });
  expect(learned.reports).toBeGreaterThan(0);
  expect(learned.bytes).toBeGreaterThan(1000);
  // What answers tell in headers reaches the page, too.
  expect(learned.warnings.join()).toContain('Image 1');
  expect(learned.missing.join()).toContain('/no/such.png');
  expect(learned.refusal).toContain('There is no render');
});

test('a page without HTTPS on another computer is served as well', async ({ page, program }) => {
  // Browsers keep this function from such pages.
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'));
  await program.allowPages([origin]);
  await page.goto(origin);
  expect((await useClient(page, program.apiUrl, program.apiKey)).status).toBe('succeeded');
});

test('a page that is not allowed is refused, and told where to allow it', async ({
  page,
  program,
}) => {
  await program.allowPages(['http://localhost:1']);
  await page.goto(origin);
  const told = await page.evaluate(
    async ([address, apiKey]) => {
      const file = '/index.mjs';
      const { ConnectionError, Framewright } = (await import(file)) as typeof Client;
      const framewright = new Framewright({ url: address, key: apiKey, retries: 0 });
      const error: unknown = await framewright.templates.list().then(
        () => null,
        (reason: unknown) => reason,
      );
      return error instanceof ConnectionError ? error.message : String(error);
    },
    [program.apiUrl, program.apiKey] as const,
  );
  expect(told).toContain(`No answer from ${program.apiUrl}.`);
  expect(told).toContain(`the page ${origin} allowed`);
  expect(told).toContain('Settings ▸ API ▸ Allowed web pages');
});
