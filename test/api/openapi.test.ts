/** The OpenAPI document: whole, and in step with the routes of the running server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { topics } from '../../server/api/docs/pages.ts';
import { operations } from '../../server/api/operations.ts';
import { checkAnswer, openApi } from '../helpers/answers.ts';
import { refusedLines } from '../helpers/compiler.ts';
import { send, startTestServer, type TestServer } from '../helpers/server.ts';

interface Bodies {
  readonly requestBody?: { readonly content?: object };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('it is served without a key, with the address of the server', async () => {
  const { apiUrl } = server.running;
  const answer = await send(`${apiUrl}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ ...openApi(), servers: [{ url: apiUrl }] });
});

test('every reference leads somewhere, and every definition is used', () => {
  const text = JSON.stringify(openApi());
  const used = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect([...new Set(used)].sort()).toEqual(Object.keys(openApi().components.schemas).sort());
  const ids = operations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('the server has every route of the document', () => {
  test.each(operations.map(({ method, path }) => [method, path] as const))(
    '%s %s',
    async (method, path) => {
      const body = ['POST', 'PATCH'].includes(method) ? '{}' : undefined;
      const { apiUrl, apiKey } = server.running;
      const ends = new AbortController();
      const answer = await fetch(`${apiUrl}${path.replace('{id}', 'none')}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        signal: ends.signal,
        ...(body !== undefined && { body }),
      });
      // Refused for what was sent, not for where. A stream is not read to its end.
      if (answer.status >= 400) expect(await answer.text()).not.toContain('route-not-found');
      ends.abort();
    },
  );
});

test('answers that do not agree are found', () => {
  const headers = new Headers({ 'x-ratelimit-remaining': '30' });
  const check = (status: number, body: unknown): void =>
    checkAnswer('GET', '/v2/renders/x', { status, headers, text: JSON.stringify(body) });
  const id = '00000000-0000-4000-8000-000000000000';
  const render = { id, status: 'planned', url: 'http://x/y.mp4', output_format: 'mp4' };
  expect(() => check(200, render)).not.toThrow();
  expect(() => check(200, { ...render, metadata: null })).toThrow(/metadata/);
  expect(() => check(200, { ...render, other: 1 })).toThrow(/other/);
  expect(() => check(200, { ...render, status: 'cancelled' })).toThrow(/status/);
  expect(() => check(201, render)).toThrow(/no such status/);
  expect(() => check(404, { hint: 'x' })).toThrow(/documentation/);
  const wrong = { hint: 'x', documentation: 'http://127.0.0.1:1/docs/errors/template-not-found' };
  expect(() => check(404, wrong)).toThrow(/not one of the refusals/);
});

test('generators make types of every body: forms with names, none that only says what is required', () => {
  const { schemas } = openApi().components as unknown as {
    schemas: Record<string, Record<string, unknown>>;
  };
  for (const shape of ['CreateRender', 'CreateRenders']) {
    const forms = schemas[shape]?.oneOf as { $ref: string }[];
    expect(forms).toHaveLength(3);
    for (const { $ref } of forms) {
      const form = schemas[$ref.split('/').at(-1) ?? ''];
      expect(form).toMatchObject({ type: 'object' });
      expect((form?.required as string[]).length).toBe(1);
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    for (const one of (schema.anyOf ?? []) as object[]) {
      expect(Object.keys(one)).not.toEqual(['required']);
    }
    // openapi-python-client drops forms without a name, and its modules that use them then don't load.
    for (const one of (schema.oneOf ?? []) as { type?: string }[]) {
      expect(one.type, name).not.toBe('object');
    }
  }
});

test('generators find a name for everything: operations with tags, shapes, and choices that stay apart as constants', () => {
  const { paths } = openApi() as unknown as {
    paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
  };
  const routes = Object.values(paths).flatMap((path) => Object.values(path));
  const ids = routes.map(({ operationId = '' }) => operationId);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  // Functions of Python are named in snake case.
  const snake = ids.map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  expect(new Set(snake).size).toBe(ids.length);
  expect(routes.filter(({ tags = [] }) => tags.length !== 1)).toEqual([]);
  for (const name of Object.keys(openApi().components.schemas))
    expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  const enums = [...JSON.stringify(openApi()).matchAll(/"enum":(\[[^\]]*\])/g)];
  expect(enums.length).toBeGreaterThan(5);
  for (const [, text = '[]'] of enums) {
    const names = (JSON.parse(text) as unknown[]).map((value) =>
      String(value).toUpperCase().replace(/\W+/g, '_'),
    );
    expect(new Set(names).size, text).toBe(names.length);
  }
});

test('openapi-python-client knows every kind of body, or the help tells it what to take it for', () => {
  const native = ['application/json', 'application/octet-stream', 'multipart/form-data'];
  const told = topics.map(({ text }) => text('http://127.0.0.1')).join('\n');
  const overrides = /content_type_overrides:\n((?: {2}.+\n)+)/.exec(told)?.[1] ?? '';
  const kinds = new Set(
    Object.values(openApi().paths)
      .flatMap((path) => Object.values(path as Record<string, Bodies>))
      .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
      .flatMap((body) => Object.keys(body?.content ?? {})),
  );
  const unknown = [...kinds].filter(
    (kind) =>
      !native.includes(kind) && !kind.startsWith('text/') && !overrides.includes(`  ${kind}: `),
  );
  expect(unknown).toEqual([]);
  expect(kinds.size).toBeGreaterThan(5);
});

test('types made from it take good requests, refuse bad ones, and know the fields of answers', () => {
  const good = [
    `const a: CreateRender = { template_id: 'x', modifications: { Title: 'Hi' }, render_scale: 2 };`,
    `const b: CreateRender = { elements: [{ type: 'text', text: 'Hi', x: '5%' }], width: 9, crf: 20 };`,
    `const c: CreateRender = { source: { elements: [] }, dry_run: true };`,
    `const d: CreateRenders = { tags: ['a'], transcripts: { Voice: 'x' } };`,
    `const e: CreateRenders = { source: { elements: [] }, output_format: 'png' };`,
    `const f: CreateTemplate = { name: 'Card', source: { elements: [] }, tags: ['a'] };`,
    `const g: ChangeTemplate = { name: 'Card' };`,
    `declare const made: CreatedRender, dry: DryRun, wrong: Refusal, fields: TemplateFields;`,
    `const h: [string, readonly string[] | undefined, number | undefined] = [made.url, made.warnings, made.width];`,
    `const i: 'planned' | 'waiting' | 'transcribing' | 'rendering' | 'succeeded' | 'failed' = made.status;`,
    `const j: [boolean, string, string | undefined] = [dry.valid, wrong.hint, fields.fields[0]?.id];`,
    `const k: 'mp4' | 'gif' | 'jpg' | 'png' | 'webm' | 'mov' | 'webp' | 'avif' | 'mp3' | 'wav' | 'm4a' | 'webp-animated' | 'png-sequence' = made.output_format;`,
  ];
  const bad = [
    `const A: CreateRender = {};`,
    `const B: CreateRender = 'text';`,
    `const C: CreateRender = { template_id: 5 };`,
    `const D: CreateRender = { template: 'x' };`,
    `const E: CreateRender = { template_id: 'x', render_scale: '2' };`,
    `const F: CreateRender = { elements: [{ type: 'txt' }] };`,
    `const G: CreateRender = { elements: [{ text: 'without a type' }] };`,
    `const H: CreateRender = { elements: [], output_format: 'avi' };`,
    `const I: CreateRender = { elements: [], webhook_url: 5 };`,
    `const J: CreateRenders = { elements: [] };`,
    `const K: CreateRenders = { tags: 'a' };`,
    `const L: CreateTemplate = { name: 'Card' };`,
    `made.nothing;`,
  ];
  const names =
    'CreateRender, CreateRenders, CreateTemplate, ChangeTemplate, CreatedRender, DryRun';
  const head = `import type { ${names}, Refusal, TemplateFields } from './generated/api-types.ts';`;
  const lines = [...refusedLines([head, ...good, ...bad]).keys()];
  expect(lines).toEqual(bad.map((_, index) => 1 + good.length + index + 1));
});

test('files, and what webhooks carry, are described', () => {
  const text = JSON.stringify(openApi());
  expect(Object.keys(openApi().paths)).toContain('/renders/{file}');
  for (const word of ['webhook-id', 'webhook-timestamp', 'webhook-signature', '5, 300, 1800']) {
    expect(text).toContain(word);
  }
});
