/** Requests that are large, or ask for much with little: refused with the limit, or done, while others are answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  // What is refused here is refused for its work, however slow the computer is.
  server = await startTestServer({ desk: { deadline: 120_000 } });
});
afterAll(() => server.stop());

const render = (body: object | string): Promise<Answer> => server.ask('POST', '/v2/renders', body);

/** Sends a request and counts what another client is answered meanwhile. */
async function meanwhile(ask: () => Promise<Answer>): Promise<{ answer: Answer; others: number }> {
  let others = 0;
  let isDone = false;
  const asking = ask().finally(() => {
    isDone = true;
  });
  // What the client itself takes to write a large body is no answer's time.
  await pause(0);
  const other = async (): Promise<void> => {
    while (!isDone) {
      const { status } = await server.ask(
        'GET',
        '/v2/renders/00000000-0000-4000-8000-000000000000',
      );
      expect(status).toBe(404);
      others += 1;
      await pause(2);
    }
  };
  const [answer] = await Promise.all([asking, other()]);
  return { answer, others };
}

const named = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, () => ({ type: 'text', name: 'Same', text: 'a', ...more }));
const keys = (count: number, key: (index: number) => string): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), 1]));

describe('a little that asks for much is refused with the parameter and the limit', () => {
  test.each<[what: string, body: object, hint: RegExp]>([
    [
      'many keys for many namesakes',
      { source: { elements: named(9_000) }, modifications: keys(10_000, (i) => `Same.p${i}`) },
      /'modifications' asks for too much: applying it takes more than 2,000,000 steps, counted up to 'Same\.p\d+'/,
    ],
    [
      'a long value in many places',
      {
        source: { elements: [{ type: 'text', text: '{{a}}'.repeat(20_000) }] },
        modifications: { a: 'x'.repeat(20_000) },
      },
      /'modifications' asks for too much: the document would have more than 20,000,000 characters/,
    ],
    [
      'a variable of the document in many places',
      {
        variables: { a: 'x'.repeat(20_000) },
        elements: [{ type: 'text', text: '{{a}}'.repeat(20_000) }],
      },
      /'source' asks for too much: the document would have more than 20,000,000 characters/,
    ],
    [
      'copies of a large scene',
      {
        source: {
          elements: [
            { type: 'text', name: 'Scene', text: 'x'.repeat(50_000) },
            { type: 'composition', name: 'Show', elements: [] },
          ],
        },
        modifications: { Show: Array.from({ length: 9_000 }, () => ({ copy: 'Scene' })) },
      },
      /'modifications' asks for too much: the document would have more than 20,000,000 characters/,
    ],
  ])('%s', async (_what, body, hint) => {
    for (const more of [{ dry_run: true }, {}]) {
      const { answer, others } = await meanwhile(() => render({ ...body, ...more }));
      expect(answer.status).toBe(400);
      expect(answer.body.hint).toMatch(hint);
      expect(others).toBeGreaterThan(1);
    }
  });
});

describe('large bodies are like small ones', () => {
  const elements = Array.from({ length: 5_000 }, (_, index) => ({
    type: 'text',
    name: `T${index}`,
    text: 'Hi {{who}}',
    x: '50%',
    fill_color: '#ff0000',
  }));

  test('a document as the body, one in a field, and one of a template, with modifications', async () => {
    const { body: template } = await server.ask('POST', '/v2/templates', {
      name: 'Large',
      source: document({}, { elements }),
    });
    expect(template.source.elements).toEqual(elements);
    const modifications = { ...keys(5_000, (i) => `T${i}.y`), who: 'you' };
    for (const given of [
      document({}, { elements }),
      { source: document({}, { elements }) },
      { template_id: template.id },
    ]) {
      const { answer, others } = await meanwhile(() =>
        render({ ...given, modifications, dry_run: true }),
      );
      expect(answer.status).toBe(200);
      expect(answer.body.valid).toBe(true);
      expect((answer.body.source.elements as unknown[])[4_999]).toEqual({
        ...elements[4_999],
        text: 'Hi you',
        y: 1,
      });
      expect(others).toBeGreaterThan(1);
    }
    const created = await render({ template_id: template.id, modifications, metadata: 'm' });
    expect(created.status).toBe(202);
    expect(created.body).toMatchObject({ modifications, metadata: 'm', template_name: 'Large' });
    expect((await server.ended(created.body.id)).status).toBe('succeeded');
    const again = await server.ask('GET', `/v2/renders/${created.body.id}`);
    expect(again.body.modifications).toEqual(modifications);
    const batch = await server.ask('POST', '/v1/renders', {
      source: document({}, { elements }),
      modifications,
      dry_run: true,
    });
    expect(batch.list[0]!.valid).toBe(true);
  });

  const filler = 'x'.repeat(200_000);
  test.each<[what: string, body: string, hint: RegExp]>([
    [
      'no JSON',
      `{"elements":[],"a":"${filler}",}`,
      /not valid JSON: .* at line 1, column 2000\d\d/,
    ],
    ['a list', `["${filler}"]`, /Expected an object as the body, found an array/],
    ['a wrong parameter', `{"elements":[],"a":"${filler}","render_scale":99}`, /'render_scale'/],
    ['a long list of tags', `{"tags":[${'"a",'.repeat(50_000)}"b"]}`, /'tags'/],
    [
      '10,001 modifications',
      `{"source":{},"modifications":${JSON.stringify(keys(10_001, (i) => `key ${i}`.padEnd(20)))}}`,
      /'modifications' should be an object with at most 10000 keys/,
    ],
    [
      'modifications as a list',
      `{"source":{},"modifications":[${'1,'.repeat(100_000)}1]}`,
      /'modifications' should be/,
    ],
    ['too deep', `{"elements":[],"a":${'['.repeat(100_000)}`, /64 arrays and objects/],
    [
      'an infinite number',
      `{"elements":[${'1,'.repeat(100_000)}{"x":1e999}]}`,
      /too large to be kept at elements\[100000\]\.x/,
    ],
    [
      'a number of many digits',
      `{"elements":[{"x":${'9'.repeat(200_000)}}]}`,
      /too large to be kept at elements\[0\]\.x/,
    ],
  ])('%s is refused', async (_what, body, hint) => {
    const route = body.includes('"tags"') ? '/v1/renders' : '/v2/renders';
    const { status, body: refusal } = await server.ask('POST', route, body);
    expect(status).toBe(400);
    expect(refusal.hint).toMatch(hint);
  });

  test('a document of nothing but mistakes is answered with the first of them and their number', async () => {
    const x = Array.from({ length: 30_000 }, () => ({ time: 'q', value: 'w' }));
    const { answer } = await meanwhile(() =>
      render({ dry_run: true, elements: [{ type: 'text', name: 'T', text: 'a', x }] }),
    );
    expect(answer.body.errors).toHaveLength(501);
    expect(answer.body.errors[0]).toMatch(/^T\.x: Expected/);
    expect(answer.body.errors.at(-1)).toBe('59,500 more errors are not listed');
  });

  test('names that nobody knows are warned of, as far as that can be read', async () => {
    const unknown = keys(20_000, (i) => `unknown_${i}`);
    const { answer } = await meanwhile(() =>
      render({ dry_run: true, elements: [{ type: 'text', text: 'a', ...unknown }] }),
    );
    expect(answer.body.warnings).toHaveLength(501);
    expect(answer.body.warnings.at(-1)).toMatch(/^19,500 more/);
  });
});

test('work that takes too long, or too much memory, is ended, and the next is done', async () => {
  const slow = await startTestServer({ desk: { deadline: 300 } });
  const small = await startTestServer({ desk: { memory: 24 } });
  try {
    const heavy = {
      source: { elements: named(9_000) },
      modifications: keys(10_000, (i) => `Same.p${i}`),
    };
    const late = await slow.ask('POST', '/v2/renders', { ...heavy, dry_run: true });
    expect([late.status, late.body.hint]).toEqual([
      400,
      expect.stringMatching(/takes longer than 0.3 seconds/),
    ]);
    const full = await small.ask('POST', '/v2/renders', { ...heavy, dry_run: true });
    expect([full.status, full.body.hint]).toEqual([
      400,
      expect.stringMatching(/needs more than 24 MB of memory/),
    ]);
    for (const one of [slow, small]) {
      const light = {
        elements: [{ type: 'text', text: 'x'.repeat(90_000), note: 'y'.repeat(90_000) }],
      };
      // On a busy machine the short deadline may meet a light one, too: not every time.
      const ask = async (): Promise<number> =>
        (await one.ask('POST', '/v2/renders', { ...light, dry_run: true })).status;
      await expect.poll(ask).toBe(200);
    }
  } finally {
    await Promise.all([slow.stop(), small.stop()]);
  }
});

describe('values that no comparison understands are refused, never an error of the app', () => {
  const traps = [
    '{"length":{"toString":{}}}',
    '{"length":{"valueOf":1,"toString":1}}',
    '[{"length":{"toString":{}}}]',
    '{"size":{"toString":{}}}',
    '{"__proto__":{"length":1}}',
  ];
  const routes: [method: string, path: string, names: string[]][] = [
    [
      'POST',
      '/v2/renders',
      [
        'template_id',
        'modifications',
        'render_scale',
        'max_width',
        'webhook_url',
        'metadata',
        'dry_run',
        'strict',
        'source',
      ],
    ],
    ['POST', '/v1/renders', ['tags', 'transcripts', 'output_format', 'frame_rate', 'webhook_url']],
    ['POST', '/v2/templates', ['name', 'tags', 'source']],
    ['PATCH', '/v2/templates/00000000-0000-4000-8000-000000000000', ['name', 'tags', 'source']],
  ];
  test.each(
    routes.flatMap(([method, path, names]) => names.map((name) => [method, path, name] as const)),
  )('%s %s: %s', async (method, path, name) => {
    for (const trap of traps) {
      const beside = name === 'tags' || name === 'source' ? '' : '"elements":[],';
      const rest = path.endsWith('templates') && name !== 'name' ? '"name":"n",' : '';
      const { status } = await server.ask(method, path, `{${rest}${beside}"${name}":${trap}}`);
      expect(status, trap).toBeLessThan(500);
    }
    const told = await server.ask(
      'POST',
      '/v2/renders',
      `{"elements":[],"webhook_url":${traps[0]!}}`,
    );
    expect(told.body.hint).toContain(
      "The parameter 'webhook_url' should be an http or https address",
    );
  });
});
