/**
 * Rows of the fault table about documents, values and misuse of the API, by number; F81–F92 are in refusals.test.ts.
 */
import { writeFile, rm } from 'node:fs/promises';
import { request as httpRequest, Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { jsonBody } from '../../server/api/body.ts';
import { readUpload } from '../../server/api/uploads.ts';
import { answerErrors } from '../../server/api/errors.ts';
import { trustConnection } from '../../server/api/listener/connections.ts';
import { plainApp } from '../../server/app.ts';
import { listen } from '../../server/api/listener/listen.ts';
import { listenerLimits } from '../../shared/limits.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import {
  document,
  send,
  startTestServer,
  type Answer,
  type TestServer,
} from '../helpers/server.ts';
import { randomJson, seededRandom } from '../shared/random.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const base = (): string => server.running.apiUrl;
const port = (): number => Number(new URL(base()).port);
const create = (body: object): Promise<Answer> => server.ask('POST', '/v2/renders', body);
const text = (name: string, more: object = {}): object => ({
  type: 'text',
  name,
  text: 'a',
  ...more,
});

test('F20 an error that nobody expected is 500 with a reference that the log has; the next request works', async () => {
  const { templates } = server.running.services.store;
  const broken = vi.spyOn(templates, 'inProject').mockImplementation(() => {
    throw new TypeError('secret /home/person/data');
  });
  const { status, body, text: answer } = await server.ask('GET', '/v2/templates');
  broken.mockRestore();
  const [, reference = 'none'] = /\(reference ([\da-f]{8})\)/.exec(body.hint) ?? [];
  expect([status, body.hint]).toEqual([
    500,
    `Something went wrong in the app (reference ${reference}). The log has the details.`,
  ]);
  expect(answer).not.toMatch(/secret|TypeError|\bat /);
  const line = server.logged.find((one) => one.includes(reference));
  expect(line).toMatch(/^error api: .*GET \/v2\/templates: TypeError: secret/s);
  expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
});

describe('documents and values', () => {
  test('F67 10,000 levels are refused at once, and the server lives', async () => {
    const body = '{"elements":['.repeat(5_000) + ']}'.repeat(5_000);
    const { status, body: refusal } = await server.ask('POST', '/v2/renders', body);
    expect(status).toBe(400);
    expect(refusal.hint).toMatch(/64 arrays and objects/);
    expect((await server.ask('GET', '/v2/templates')).status).toBe(200);
  });

  test('F68 10,000 elements are accepted, checked and rendered; others are answered meanwhile', async () => {
    const elements = Array.from({ length: documentLimits.elements }, (_, index) =>
      text(`Text-${index}`, { x: '50%', y: '50%', fill_color: '#ff0000', track: index + 1 }),
    );
    const body = document({}, { elements });
    expect(JSON.stringify(body).length).toBeGreaterThan(1_000_000);
    const ends: string[] = [];
    const noted = async (name: string, answer: Promise<Answer>): Promise<Answer> => {
      const got = await answer;
      ends.push(name);
      return got;
    };
    const [created, other] = await Promise.all([
      noted('large', create(body)),
      noted('other', server.ask('GET', '/v2/templates')),
    ]);
    expect([created.status, other.status, ends]).toEqual([202, 200, ['other', 'large']]);
    expect(created.body.errors).toBeUndefined();
    expect((await server.ended(created.body.id)).status).toBe('succeeded');
  });

  test('F69 one element or one composition too many', async () => {
    const many = { elements: Array.from({ length: 10_001 }, () => ({ type: 'text' })) };
    const refused = await create(many);
    expect([refused.status, refused.body.hint]).toEqual([
      400,
      'The source has 10001 elements; the limit is 10000.',
    ]);
    const nested = (levels: number): object =>
      levels === 0
        ? text('Inside')
        : { type: 'composition', name: `Level-${levels}`, elements: [nested(levels - 1)] };
    const allowed = await create(document({}, { elements: [nested(16)] }));
    expect(allowed.body.errors).toBeUndefined();
    const { body } = await create(document({}, { elements: [nested(17)] }));
    expect((await server.ended(body.id)).error_message).toMatch(
      /^Source error: Level-\d+\.elements: More than 16 compositions inside each other$/,
    );
  });

  test('F73 names that several have, with dots, empty, or of the program', async () => {
    const elements = [text('Same'), text('Same'), text('a.text'), text(''), text('__proto__')];
    const changed = async (modifications: string): Promise<unknown[]> => {
      const source = JSON.stringify(document({}, { elements }));
      const { body } = await server.ask(
        'POST',
        '/v2/renders',
        `{"source":${source},"modifications":${modifications},"dry_run":true}`,
      );
      return (body.source.elements as { text: string }[]).map(({ text: shown }) => shown);
    };
    expect(await changed('{"Same":"b"}')).toEqual(['b', 'b', 'a', 'a', 'a']);
    expect(await changed('{"Same.text":"b"}')).toEqual(['b', 'b', 'a', 'a', 'a']);
    expect(await changed('{"a.text":"b"}')).toEqual(['a', 'a', 'b', 'a', 'a']);
    expect(await changed('{"a.text.text":"b"}')).toEqual(['a', 'a', 'b', 'a', 'a']);
    expect(await changed('{"__proto__":"b"}')).toEqual(['a', 'a', 'a', 'a', 'b']);
    expect(await changed('{"__proto__.polluted":"b","constructor.polluted":"b"}')).toHaveLength(5);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('F74 a modification for a name that does not exist is accepted with a warning', async () => {
    const { status, body } = await create({
      ...document(),
      modifications: { 'Text-9': 'x', 'Text-9.fill_color': '#fff' },
    });
    expect(status).toBe(202);
    expect(body.warnings).toEqual([
      "Modification 'Text-9' matched no element",
      "Modification 'Text-9.fill_color' matched no element",
    ]);
    expect((await server.ended(body.id)).status).toBe('succeeded');
  });

  test('F75 any key and any value come back exactly, also after a restart', async () => {
    const odd = {
      'a.b': 1,
      $set: { $$date: 5, 'c.d': [null, true, -0.5, 1e300] },
      ['k'.repeat(5_000)]: 'v'.repeat(5_000),
      // The last three are ends of lines to some readers.
      '😀': '👩‍👩‍👧 \ud800 \u0000 \u0085\u2028\u2029',
      '': '',
    };
    const metadata = '$$date.\u0000 \udfff 😀';
    const source = { ...document(), odd };
    const { body: template } = await server.ask('POST', '/v2/templates', {
      name: '$name.\u0000😀',
      tags: ['$a.b', '😀'],
      source,
    });
    const { body } = await create({ template_id: template.id, modifications: odd, metadata });
    await server.ended(body.id);
    await server.restart();
    const render = (await server.ask('GET', `/v2/renders/${body.id}`)).body;
    expect(render.modifications).toEqual(odd);
    expect(render.metadata).toBe(metadata);
    expect(render).toMatchObject({
      template_name: '$name.\u0000😀',
      template_tags: ['$a.b', '😀'],
    });
    expect((await server.ask('GET', `/v2/templates/${template.id}`)).body.source).toEqual(source);
    // The data file is sound: it takes changes after it was opened again.
    const more = await server.ask('PATCH', `/v2/templates/${template.id}`, { tags: ['a\u2028b'] });
    expect(more.status).toBe(200);
    await server.restart();
    const { tags } = (await server.ask('GET', `/v2/templates/${template.id}`)).body;
    expect(tags).toEqual(['a\u2028b']);
  });

  test('F78 a queued render keeps the document of the template as it was', async () => {
    const source = document({}, { width: 100 });
    const { body: template } = await server.ask('POST', '/v2/templates', { name: 'Old', source });
    const busy = await create(document({ frames: 30, pause: 20 }));
    const first = await create({ template_id: template.id });
    const changed = document({}, { width: 200 });
    await server.ask('PATCH', `/v2/templates/${template.id}`, { name: 'New', source: changed });
    const second = await create({ template_id: template.id });
    await server.ask('DELETE', `/v2/templates/${template.id}`);
    expect((await server.ask('GET', `/v2/renders/${first.body.id}`)).body.status).toBe('planned');
    await server.ended(busy.body.id);
    expect(await server.ended(first.body.id)).toMatchObject({ width: 100, template_name: 'Old' });
    expect(await server.ended(second.body.id)).toMatchObject({ width: 200, template_name: 'New' });
  });

  test('F79 1,000 documents come back with equal values and arrays in order', async () => {
    const keys = ['elements', 'type', 'text', 'a.b', '$set', '10', '2', '__proto__', '😀'];
    const numbers = '{"elements":[],"n":[1.0,1e2,9007199254740991,1e21,0.1,-0]}';
    for (let first = 1; first <= 1_000; first += 50) {
      const samples = Array.from({ length: 50 }, (_, index) =>
        randomJson(seededRandom(first + index), keys),
      );
      const sent = `{"numbers":${numbers},"samples":${JSON.stringify(samples)}}`;
      const { body } = await server.ask('POST', '/v2/templates', `{"name":"x","source":${sent}}`);
      const { source } = (await server.ask('GET', `/v2/templates/${body.id}`)).body;
      expect(JSON.stringify(source)).toBe(JSON.stringify(JSON.parse(sent)));
    }
  });

  test('F80 a template that breaks the rules of today is listed, read, and its problems are told', async () => {
    const source = document(
      {},
      { elements: [text('Title', { opacity: '20px' }), { type: 'lens' }] },
    );
    const made = await server.ask('POST', '/v2/templates', { name: 'From before', source });
    expect(made.status).toBe(201);
    await server.restart();
    const { list } = await server.ask('GET', '/v2/templates');
    expect(list.map(({ id }) => id)).toContain(made.body.id);
    const { body } = await server.ask('GET', `/v2/templates/${made.body.id}`);
    expect(body.source).toEqual(source);
    const checked = await create({ template_id: made.body.id, dry_run: true });
    expect(checked.body).toMatchObject({ valid: false, source });
    expect(checked.body.errors).toHaveLength(2);
  });
});

describe('slow and broken connections', () => {
  const limits = { ...listenerLimits, headerTime: 300, requestTime: 2_000, bodyRate: 10_000 };

  test('the real bounds', () => {
    const { headerTime, requestTime, answerTime, connections, settling } = listenerLimits;
    expect([headerTime, requestTime, connections, settling]).toEqual([10_000, 30_000, 200, 100]);
    expect(answerTime).toBe(660_000);
  });

  test('F84 a body that never ends, or is shorter than announced, is given up', async () => {
    const app = plainApp();
    app.post('/', jsonBody, (_request, response) => void response.json({}));
    app.use(
      answerErrors(
        () => 'http://127.0.0.1',
        () => undefined,
      ),
    );
    const listener = await listen(app, { port: 0, limits });
    try {
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
      const rows = [
        `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n`,
        `${head}Content-Length: 100\r\n\r\n{}`,
      ];
      for (const row of rows) {
        const started = performance.now();
        const answer = await conversation(listener.port, row);
        expect(answer).toMatch(/^HTTP\/1\.1 (408|400) /);
        expect(performance.now() - started).toBeLessThan(5_000);
      }
      // A large body that keeps coming has as long as it needs: 20 pieces take longer than any body may.
      const size = 120_000;
      const slow = connect(listener.port, '127.0.0.1');
      const said: string[] = [];
      slow.on('data', (piece: Buffer) => said.push(piece.toString()));
      slow.write(`${head}Connection: close\r\nContent-Length: ${size}\r\n\r\n`);
      for (let sent = 0; sent < size; sent += size / 20) {
        await pause(150);
        slow.write(sent === 0 ? '{}'.padEnd(size / 20) : ' '.repeat(size / 20));
      }
      await expect.poll(() => said.join('')).toMatch(/^HTTP\/1\.1 200 /);
      // More than announced is the beginning of a next request, and no request at all.
      const long = await conversation(listener.port, `${head}Content-Length: 2\r\n\r\n{}trailing`);
      expect(long).toMatch(/HTTP\/1\.1 400 /);
    } finally {
      await listener.close();
    }
  });

  test('F140 a request that nothing answers gets 503; one whose body still arrives, or whose answer has begun, goes on', async () => {
    const app = plainApp();
    app.post('/never', () => undefined);
    app.post('/begun', (_request, response) => {
      response.write('begun');
      setTimeout(() => response.end(' and ended'), 300);
    });
    const listener = await listen(app, { port: 0, limits: { ...limits, answerTime: 100 } });
    try {
      const head = 'HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n';
      const started = performance.now();
      const never = await conversation(listener.port, `POST /never ${head}0123456789`);
      expect(never).toMatch(/^HTTP\/1\.1 503 .*did not get done with this request/s);
      expect(performance.now() - started).toBeGreaterThan(90);
      expect(await conversation(listener.port, `POST /begun ${head}0123456789`)).toContain('ended');
      const slow = connect(listener.port, '127.0.0.1');
      let said = '';
      slow.on('data', (piece: Buffer) => (said += piece.toString()));
      slow.write(`POST /never ${head}`);
      for (let sent = 0; sent < 9; sent++) {
        await pause(50);
        slow.write('x');
      }
      expect(said).toBe('');
      await expect.poll(() => said, { timeout: 3_000 }).toMatch(/^HTTP\/1\.1 503 /);
    } finally {
      await listener.close();
    }
  });

  test('F140 a form that its reader never gets through is refused', async () => {
    const app = plainApp();
    app.post('/', (request, response, next) => {
      const reading = { partBytes: 1_000, stallTime: 50 };
      const take = (): Promise<void> => Promise.resolve();
      readUpload(request, undefined, take, reading).then(() => response.end('read'), next);
    });
    app.use(
      answerErrors(
        () => 'http://127.0.0.1',
        () => undefined,
      ),
    );
    const listener = await listen(app, { port: 0, limits });
    try {
      const body = `--XX\r\nContent-Type: text/plain\r\n\r\n${'a'.repeat(17_000)}\r\n--XX--\r\n`;
      const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`;
      const type = 'Content-Type: multipart/form-data; boundary=XX\r\n\r\n';
      const answer = await conversation(listener.port, `${head}${type}${body}`);
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*it has a part that can not be read/s);
    } finally {
      await listener.close();
    }
  });

  test('an idle connection outlives the time that answers name, so that a client who believes it is answered', async () => {
    const app = plainApp();
    app.get('/', (_request, response) => void response.json({ fine: true }));
    const short = { ...limits, keepAliveTime: 1_000, keepAliveGrace: 10_000 };
    const listener = await listen(app, { port: 0, limits: short });
    const socket = connect(listener.port, '127.0.0.1');
    try {
      const said: string[] = [];
      socket.on('data', (piece: Buffer) => said.push(piece.toString()));
      const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
      socket.write(ask);
      await expect.poll(() => said.join('')).toMatch(/Keep-Alive: timeout=1\r\n/);
      await pause(1_500);
      expect(socket.readyState).toBe('open');
      socket.write(ask);
      await expect.poll(() => said.join('').match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    } finally {
      socket.destroy();
      await listener.close();
    }
  });

  test('F86 300 idle connections: 200 stay open, the oldest give way, working clients go on, idle ones are closed', async () => {
    const app = plainApp();
    app.get('/', (_request, response) => void response.json({ fine: true }));
    const listener = await listen(app, { port: 0, limits: { ...limits, headerTime: 1_500 } });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const closed: number[] = [];
    const idle: Socket[] = [];
    try {
      expect(await getStatus(listener.port, agent)).toBe(200);
      for (let count = 0; count < 300; count++) {
        idle.push(await holding(listener.port, count % 2 === 0, () => closed.push(count)));
      }
      await expect.poll(() => closed.length, { timeout: 1_000 }).toBe(100);
      expect([...closed].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
      expect(await getStatus(listener.port, undefined)).toBe(200);
      await expect.poll(() => closed.length, { timeout: 8_000 }).toBe(300);
      expect(await getStatus(listener.port, agent)).toBe(200);
    } finally {
      for (const socket of idle) socket.destroy();
      agent.destroy();
      await listener.close();
    }
  }, 20_000);

  /** The whole answers to as many requests at the same time, each on its own connection. */
  const answersTo = (count: number, port: number, head: string): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, () =>
        conversation(port, `GET ${head}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
      ),
    );

  test('F86, D15: 500 requests with a key at once, each on its own connection, are all answered', async () => {
    const own = await startTestServer({ rateLimit: true });
    try {
      const to = Number(new URL(own.running.apiUrl).port);
      const head = `/v2/templates HTTP/1.1\r\nAuthorization: Bearer ${own.running.apiKey}`;
      const answers = await answersTo(500, to, head);
      expect(answers.filter((text) => !/^HTTP\/1\.1 (200|429) /.test(text))).toEqual([]);
      const refused = answers.filter((text) => text.startsWith('HTTP/1.1 429 '));
      expect(refused.every((text) => /^Retry-After: \d+\r$/m.test(text))).toBe(true);
    } finally {
      await own.stop();
    }
  }, 20_000);

  test('F86 more than can wait, all working: the others hear when to try again', async () => {
    const app = plainApp();
    app.get('/', (request, response) => {
      trustConnection(request);
      setTimeout(() => response.json({ fine: true }), 300);
    });
    const listener = await listen(app, { port: 0, limits: { ...limits, connections: 10 } });
    try {
      const answers = await answersTo(80, listener.port, '/ HTTP/1.1');
      const refused = answers.filter((text) => text.startsWith('HTTP/1.1 503 '));
      expect(refused.length).toBeGreaterThan(10);
      expect(refused.every((text) => /^Retry-After: 1\r$/m.test(text))).toBe(true);
      const others = answers.filter((text) => text.startsWith('HTTP/1.1 200 '));
      expect(others.length + refused.length).toBe(80);
    } finally {
      await listener.close();
    }
  });

  test('F86 300 connections are held without a key: every new client is served, old ones go on', async () => {
    const own = await startTestServer();
    const to = Number(new URL(own.running.apiUrl).port);
    const key = { authorization: `Bearer ${own.running.apiKey}` };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const held: Socket[] = [];
    let isHolding = true;
    try {
      expect(await getStatus(to, agent, '/v2/templates', key)).toBe(200);
      // As many as can be opened, again as soon as one is closed.
      const hold = async (count: number): Promise<void> => {
        const socket = await holding(to, count % 3 === 0, () => {
          if (isHolding) setTimeout(() => void hold(count), 100);
        });
        held.push(socket);
      };
      await Promise.all(Array.from({ length: 300 }, (_, count) => hold(count)));
      for (let round = 0; round < 30; round++) {
        expect(await getStatus(to, undefined, '/v2/templates', key), `new ${round}`).toBe(200);
        expect(await getStatus(to, agent, '/v2/templates', key), `old ${round}`).toBe(200);
      }
    } finally {
      isHolding = false;
      for (const socket of held) socket.destroy();
      agent.destroy();
      await own.stop();
    }
  }, 60_000);

  test('F86 who connects before 210 others that ask for nothing, and asks after them, is answered', async () => {
    const app = plainApp();
    app.get('/', (_request, response) => void response.json({ fine: true }));
    const listener = await listen(app, { port: 0, limits: { ...listenerLimits, settling: 2_000 } });
    let closed = 0;
    const held: Socket[] = [];
    try {
      const early = connect(listener.port, '127.0.0.1');
      held.push(early);
      const answer = new Promise<string>((resolve) => {
        early.setEncoding('utf8').once('data', resolve);
        early.on('error', () => undefined).on('close', () => resolve('closed'));
      });
      for (let count = 0; count < 210; count++)
        held.push(await holding(listener.port, false, () => closed++));
      early.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
      await expect.poll(() => closed, { timeout: 20_000 }).toBeGreaterThan(0);
    } finally {
      for (const socket of held) socket.destroy();
      await listener.close();
    }
  }, 60_000);

  test('F86 requests with wrong keys, which are answered late, keep nobody with a key out', async () => {
    const own = await startTestServer();
    const to = Number(new URL(own.running.apiUrl).port);
    const key = { authorization: `Bearer ${own.running.apiKey}` };
    let isGuessing = true;
    let refused = 0;
    try {
      const guess = async (): Promise<void> => {
        while (isGuessing) {
          const wrong = { authorization: 'Bearer wrong' };
          const status = await getStatus(to, undefined, '/v2/templates', wrong).catch(() => null);
          if (status === 401) refused += 1;
          else await pause(300);
        }
      };
      const guessing = Array.from({ length: 260 }, guess);
      await pause(200);
      for (let round = 0; round < 20; round++) {
        expect(await getStatus(to, undefined, '/v2/templates', key), `${round}`).toBe(200);
      }
      isGuessing = false;
      await Promise.all(guessing);
      expect(refused).toBeGreaterThan(20);
    } finally {
      isGuessing = false;
      await own.stop();
    }
  }, 60_000);
});

describe('use and misuse', () => {
  test('F93 a client that goes away before the answer: what was stored stays, without noise', async () => {
    const before = server.logged.length;
    const body = JSON.stringify(document({}, { metadata: 'gone' }));
    await new Promise<void>((resolve) => {
      const socket = connect(port(), '127.0.0.1', () => {
        socket.write(
          `POST /v2/renders HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nAuthorization: Bearer ${server.running.apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          () => socket.destroy(),
        );
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
    await pause(300);
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    // Either nothing was read yet, or all of it was stored; both are whole.
    const found = renders.filter(({ record }) => record.metadata === 'gone');
    expect(found.length).toBeLessThanOrEqual(1);
    for (const { id } of found) expect((await server.ended(id)).status).toBe('succeeded');
    expect(server.logged.slice(before).filter((line) => line.startsWith('error'))).toEqual([]);
    // A file that is read half.
    const { body: render } = await create(document());
    await server.ended(render.id);
    const reader = new AbortController();
    const response = await fetch(render.url, { signal: reader.signal });
    expect(response.status).toBe(200);
    reader.abort();
    await pause(50);
    expect(server.logged.slice(before).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('F94 the same create sent twice makes two renders', async () => {
    const [one, other] = await Promise.all([create(document()), create(document())]);
    expect(one.body.id).not.toBe(other.body.id);
    expect((await server.ended(one.body.id)).status).toBe('succeeded');
    expect((await server.ended(other.body.id)).status).toBe('succeeded');
  });

  test('F95 what was created is found at once', async () => {
    for (let count = 0; count < 20; count++) {
      const { body } = await create(document());
      expect((await server.ask('GET', `/v2/renders/${body.id}`)).status).toBe(200);
    }
  });

  test('F96 a file that goes while it is read is whole or a 404', async () => {
    const { body } = await create(document());
    await server.ended(body.id);
    const file = server.fileOf(body.id, 'mp4');
    const bytes = Buffer.alloc(3_000_000, 7);
    for (let round = 0; round < 10; round++) {
      await writeFile(file, bytes);
      const [answer] = await Promise.all([
        fetch(body.url, { headers: { range: 'bytes=1000-2999999' } }).then(async (response) => ({
          status: response.status,
          size: (await response.arrayBuffer()).byteLength,
        })),
        rm(file),
      ]);
      if (answer.status === 206) expect(answer.size).toBe(2_999_000);
      else expect(answer.status).toBe(404);
      expect((await send(body.url)).status).toBe(404);
    }
  });

  test('F97 every list is whole while 1,000 templates are written', async () => {
    const own = await startTestServer();
    try {
      let written = 0;
      const writer = async (): Promise<void> => {
        while (written < 1_000) {
          const name = `T${written++}`;
          await own.ask('POST', '/v2/templates', { name, tags: ['x'], source: document() });
        }
      };
      const writers = Array.from({ length: 20 }, writer);
      let highest = 0;
      let reading = true;
      const reader = async (): Promise<void> => {
        while (reading) {
          // `ask` holds each of them against the document.
          const { list } = await own.ask('GET', '/v2/templates?tags=x');
          expect(list.length).toBeGreaterThanOrEqual(highest);
          highest = list.length;
          await pause(20);
        }
      };
      const read = reader();
      await Promise.all(writers);
      reading = false;
      await read;
      expect((await own.ask('GET', '/v2/templates')).list).toHaveLength(written);
      expect(written).toBeGreaterThanOrEqual(1_000);
    } finally {
      await own.stop();
    }
  });

  test('F98 filters that are empty, unknown, with blanks, too long', async () => {
    const { body } = await server.ask('POST', '/v2/templates', {
      name: 'Tagged',
      tags: ['only-here', 'b'],
      source: {},
    });
    const count = async (query: string): Promise<number> =>
      (await server.ask('GET', `/v2/templates?tags=${query}`)).list.length;
    expect(await count('')).toBe((await server.ask('GET', '/v2/templates')).list.length);
    expect(await count(',,%20,')).toBe(await count(''));
    expect(await count('nowhere')).toBe(0);
    expect(await count('only-here,,%20nowhere')).toBe(1);
    expect(await count('only-here%2Cnowhere')).toBe(1);
    expect(await count('ONLY-HERE')).toBe(0);
    expect((await server.ask('GET', `/v2/templates?tags=${'a'.repeat(10_000)}`)).status).toBe(400);
    await server.ask('DELETE', `/v2/templates/${body.id}`);
  });

  test('F99 deleting twice, changing what is gone, changing nothing', async () => {
    const sent = { name: 'Short-lived', source: {} };
    const { id } = (await server.ask('POST', '/v2/templates', sent)).body;
    const target = `/v2/templates/${id}`;
    expect((await server.ask('PATCH', target, {})).status).toBe(400);
    expect((await server.ask('PATCH', target, { colour: 'red' })).status).toBe(400);
    expect((await server.ask('DELETE', target)).status).toBe(204);
    expect((await server.ask('DELETE', target)).status).toBe(404);
    expect((await server.ask('PATCH', target, { name: 'x' })).status).toBe(404);
  });

  test('F100 no credits left: 402, dry runs go on, and nothing is taken', async () => {
    const settings = (creditAllowance: number | null): Promise<Answer> =>
      server.askWindow('PATCH', '/api/settings', { creditAllowance });
    const used = async (): Promise<string> => (await server.askWindow('GET', '/api/credits')).text;
    await settings(0);
    const before = await used();
    const refused = await create(document());
    expect(refused.status).toBe(402);
    expect(refused.body.hint).toMatch(/^No credits left\. The request needs \d+; 0 are left\.$/);
    expect((await create({ ...document(), dry_run: true })).status).toBe(200);
    expect(await used()).toBe(before);
    await settings(null);
    expect((await create(document())).status).toBe(202);
  });
});

/** Sends bytes and reads until the other side closes. */
function conversation(to: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (answer += part));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** A connection that asks for nothing, or begins to ask and goes on no more. */
function holding(to: number, begins: boolean, onClose: () => void): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(to, '127.0.0.1', () => {
      if (begins) socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      resolve(socket);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      onClose();
      resolve(socket);
    });
    socket.resume();
  });
}

/** The status of a GET, over a connection that the agent keeps. */
function getStatus(
  to: number,
  agent: Agent | undefined,
  target = '/',
  headers: Record<string, string> = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: to, path: target, headers, agent: agent ?? false };
    const sent = httpRequest(options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.end();
  });
}
