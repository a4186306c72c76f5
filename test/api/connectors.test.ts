/** What scripts and automation tools ask of templates: IDs that stay, lists of tags, forms for fields. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MapperFields } from '../../server/api/connectors.ts';
import { document, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const create = (more: object): Promise<Answer> =>
  server.ask('POST', '/v2/templates', { name: 'Card', source: document(), ...more });

describe('a template keeps the ID that a script has for it', () => {
  const id = '7d0cbf0a-98a5-4a0c-9d8b-8bd9f4f7e0a1';

  test('as long as it is free; upper and lower case are the same', async () => {
    const made = await create({ id: id.toUpperCase() });
    expect([made.status, made.body.id]).toEqual([201, id]);
    for (const taken of [id, id.toUpperCase()]) {
      const { status, body } = await create({ id: taken });
      expect([status, body.hint]).toEqual([
        409,
        `The ID ${taken} is used by another template, perhaps in the Trash or of another project.`,
      ]);
    }
    expect((await create({ id: 'promo' })).body.hint).toBe(
      "The parameter 'id' should be a UUID, or left out.",
    );
    const rendered = await server.ask('POST', '/v2/renders', { template_id: id.toUpperCase() });
    expect(rendered.body.template_id).toBe(id);
    const shown = await server.ask('GET', `/v2/renders/${rendered.body.id.toUpperCase()}`);
    expect(shown.body.id).toBe(rendered.body.id);
    const { url } = await server.ended(rendered.body.id);
    const upper = url.replace(/[^/]+$/, (file) => file.toUpperCase());
    expect((await fetch(upper)).status).toBe(200);
    const change = { name: 'Changed' };
    const changed = await server.ask('PATCH', `/v2/templates/${id.toUpperCase()}`, change);
    expect(changed.body).toMatchObject({ id, ...change });
    expect((await server.ask('DELETE', `/v2/templates/${id.toUpperCase()}`)).status).toBe(204);
    // It can still be brought back.
    expect((await create({ id })).status).toBe(409);
    await server.askWindow('DELETE', `/api/deleted-templates/${id}`);
    expect((await create({ id })).status).toBe(201);
  });

  test('of two that come at the same time, one gets it', async () => {
    const other = '0b3a9d53-58e5-4a63-8b8e-1f0a3a3f6b77';
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ id: other })));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ]);
  });

  test('also when it is imported in the window; where it is used, the import gets a new one', async () => {
    const kept = '5cf3c1a2-3b7e-4c55-9c7a-2d1c9b1e8f90';
    const sent = { project: 'default', name: 'Imported', source: document(), id: kept };
    const first = await server.askWindow('POST', '/api/templates', sent);
    expect([first.status, first.body.id]).toEqual([201, kept]);
    const second = await server.askWindow('POST', '/api/templates', sent);
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(kept);
  });
});

test('lists of tags in every form that clients write', async () => {
  const tagged = async (tag: string): Promise<string> =>
    (await create({ name: tag, tags: [tag] })).body.id;
  const [one, two] = [await tagged('one'), await tagged('two')];
  const found = async (query: string): Promise<string[]> =>
    (await server.ask('GET', `/v2/templates?${query}`)).list.map(({ id }) => id).sort();
  const both = [one, two].sort();
  for (const query of [
    'tags=one,two',
    'tags=one&tags=two',
    'tags[]=one&tags[]=two',
    'tags%5B%5D=one&tags%5B%5D=two',
    'tags[0]=one&tags[1]=two',
  ]) {
    expect(await found(query), query).toEqual(both);
  }
  expect(await found('tags[]=one')).toEqual([one]);
  expect(await found('tags=none&tags[]=none')).toEqual([]);
});

test('whether a key works', async () => {
  const { status, body } = await server.ask('GET', '/v1/projects/data');
  expect([status, body.id]).toEqual([200, 'default']);
  const wrong = await server.ask('GET', '/v1/projects/data', undefined, { authorization: 'x' });
  expect(wrong.status).toBe(401);
});

describe('the fields of a template for a form', () => {
  const fieldsOf = async (source: object): Promise<MapperFields['fields']> => {
    const { body } = await create({ source });
    const answer = await server.ask('GET', `/v1/internal/n8n/fields?template-id=${body.id}`);
    expect(answer.status).toBe(200);
    return (answer.body as unknown as MapperFields).fields;
  };
  const plain = {
    required: false,
    display: true,
    defaultMatch: false,
    removed: false,
    readOnly: false,
  };

  test('elements with names, on all levels, then placeholders and the document', async () => {
    const fields = await fieldsOf({
      output_format: 'mp4',
      width: 100,
      elements: [
        { type: 'text', name: 'Title', text: 'Hello {{who}}', fill_color: '#fff', x: [] },
        { type: 'shape' },
        {
          type: 'composition',
          name: 'Scene',
          elements: [{ type: 'image', name: 'Photo', fit: 'cover', clip: true, aspect_ratio: 2 }],
        },
        { type: 'text', name: 'Title', text: 'Again' },
      ],
    });
    expect(fields[0]).toEqual({ id: 'Title.text', displayName: 'Title', type: 'string', ...plain });
    expect(fields.map(({ id, displayName, type }) => [id, displayName, type])).toEqual([
      ['Title.text', 'Title', 'string'],
      ['Title.fill_color', 'Title: Fill color', 'string'],
      ['Photo.source', 'Photo', 'string'],
      ['Photo.fit', 'Photo: Fit', 'options'],
      ['Photo.clip', 'Photo: Clip', 'boolean'],
      ['Photo.aspect_ratio', 'Photo: Aspect ratio', 'number'],
      ['who', 'who', 'string'],
      ['output_format', 'Output format', 'options'],
      ['width', 'Width', 'number'],
    ]);
    const fit = fields.find(({ id }) => id === 'Photo.fit');
    expect(fit?.options).toContainEqual({ name: 'contain', value: 'contain' });
  });

  test('every field is a modification that is taken', async () => {
    const source = document({}, { elements: [{ type: 'text', name: 'A.b', text: '{{x}}' }] });
    const { body } = await create({ source });
    const { fields } = (await server.ask('GET', `/v1/internal/n8n/fields?template-id=${body.id}`))
      .body as unknown as MapperFields;
    const texts = fields.filter(({ type }) => type === 'string');
    expect(texts.map(({ id }) => id)).toEqual(['A.b.text', 'x']);
    for (const { id } of texts) {
      const sent = { template_id: body.id, modifications: { [id]: 'new' }, dry_run: true };
      expect((await server.ask('POST', '/v2/renders', sent)).body.warnings, id).toEqual([]);
    }
  });

  test('only those that the editor has marked, where it has', async () => {
    const fields = await fieldsOf({
      elements: [
        { type: 'text', name: 'Fixed', text: 'a' },
        { type: 'text', name: 'Open', text: 'b', dynamic: true },
      ],
    });
    expect(fields.map(({ id }) => id)).toEqual(['Open.text']);
  });

  test('nothing to change is no error; odd documents end nothing', async () => {
    expect(await fieldsOf({})).toEqual([]);
    expect(await fieldsOf({ elements: 'none' })).toEqual([]);
    const many = Array.from({ length: 9_000 }, (_, at) => ({ type: 'text', name: `T${at}` }));
    expect(await fieldsOf({ elements: many })).toHaveLength(500);
    const odd = [null, 5, { type: 7, name: 8 }, { type: '__proto__', name: '__proto__' }];
    expect(await fieldsOf({ elements: odd })).toEqual([]);
  });

  test('refusals', async () => {
    const ask = async (query: string): Promise<[number, string]> => {
      const { status, body } = await server.ask('GET', `/v1/internal/n8n/fields${query}`);
      return [status, body.hint];
    };
    expect(await ask('')).toEqual([
      400,
      "The parameter 'template-id' should be a valid template ID.",
    ]);
    expect((await ask('?template-id=abc'))[0]).toBe(400);
    expect((await ask('?template-id=00000000-0000-4000-8000-000000000000'))[0]).toBe(404);
  });
});
