/**
 * The n8n node `n8n-nodes-creatomate` 0.2.0 (v2), unmodified, against a real server with the fake worker. n8n itself is
 * stood in for by the few functions that the node is given; its base address is an export that it reads at each call.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';
import {
  context as contextOf,
  Creatomate,
  generic,
  type Item,
  type Parameters,
} from './n8n-stand-in.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  generic.CREATOMATE_BASE_URL = `${server.running.apiUrl}/v2`;
});
afterAll(() => server.stop());

const context = (parameters: Parameters, key = server.running.apiKey): object =>
  contextOf(parameters, key);

async function run(parameters: Parameters, key?: string): Promise<Item[]> {
  const [items = []] = await new Creatomate().execute.call(context(parameters, key));
  return items;
}

const renders = (operation: string, more: Parameters): Promise<Item[]> =>
  run({ resource: 'renders', operation, ...more });
const templates = (operation: string, more: Parameters = {}): Promise<Item[]> =>
  run({ resource: 'templates', operation, ...more });

test('templates are created, listed by tag, read, patched and deleted', async () => {
  const source = JSON.stringify(document());
  const [made] = await templates('create', {
    name: 'Card',
    source,
    additionalFields: { tags: 'promo, square' },
  });
  const id = made!.json.id as string; // a UUID, checked below
  expect(made!.json).toMatchObject({ name: 'Card', tags: ['promo', 'square'], source: document() });
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  await templates('create', { name: 'Plain', source });

  const names = async (tags?: string): Promise<unknown[]> => {
    const items = await templates('getAll', { returnAll: true, filters: { tags } });
    return items.map(({ json }) => json.name);
  };
  expect(await names()).toEqual(['Plain', 'Card']);
  expect(await names('none, square')).toEqual(['Card']);
  expect(await names('none')).toEqual([]);
  expect(await templates('getAll', { limit: 1 })).toHaveLength(1);

  const [read] = await templates('getById', { templateId: id });
  expect(read!.json).toEqual(made!.json);
  const [patched] = await templates('update', {
    templateId: id,
    updateFields: { name: 'Card 2', tags: 'other' },
  });
  expect(patched!.json).toMatchObject({ id, name: 'Card 2', tags: ['other'] });

  const node = new Creatomate();
  const { searchTemplates } = node.methods.listSearch;
  const found = await searchTemplates.call(context({}), 'card');
  expect(found.results).toEqual([{ name: 'Card 2', value: id }]);
  const { getTemplateElements } = node.methods.loadOptions;
  const elements = await getTemplateElements.call(context({ templateId: id }));
  expect(elements.map(({ name }) => name)).toEqual(['Title']);

  const [deleted] = await templates('delete', { templateId: id });
  expect(deleted!.json).toEqual({ success: true, id });
  await expect(templates('getById', { templateId: id })).rejects.toMatchObject({
    status: 404,
    message: `There is no template with the ID ${id} in this project.`,
  });
});

test('a template is rendered with modifications, waited for and downloaded', async () => {
  const [made] = await templates('create', { name: 'Card', source: JSON.stringify(document()) });
  const [item] = await renders('createFromTemplate', {
    templateId: made!.json.id,
    modificationsMode: 'fields',
    modificationsUi: { modification: [{ name: 'Title', value: 'New' }] },
    additionalOptions: { downloadFile: true, renderScale: 2, metadata: 'm' },
  });
  expect(item!.json).toMatchObject({
    status: 'succeeded',
    template_name: 'Card',
    modifications: { Title: 'New' },
    render_scale: 2,
    metadata: 'm',
  });
  const id = item!.json.id as string; // always there
  expect(item!.binary).toEqual({ data: { fileName: `${id}.mp4`, bytes: 1000 } });
});

test('a script is rendered, and its state can be asked for', async () => {
  const [item] = await renders('createFromScript', { renderScript: JSON.stringify(document()) });
  expect(item!.json).toMatchObject({ status: 'planned', output_format: 'mp4' });
  const renderId = item!.json.id as string; // always there
  await server.ended(renderId);
  const [now] = await renders('getStatus', { renderId });
  expect(now!.json).toMatchObject({ id: renderId, status: 'succeeded', file_size: 1000 });
});

test('a failing script comes back failed, and can not be downloaded', async () => {
  const renderScript = JSON.stringify(document({ end: 'fail' }));
  const additionalOptions = { waitForCompletion: true };
  const [item] = await renders('createFromScript', { renderScript, additionalOptions });
  expect(item!.json).toMatchObject({
    status: 'failed',
    error_message: 'Source error: Clip.source: The server answered 404 Not Found',
  });
  await expect(
    renders('createFromScript', { renderScript, additionalOptions: { downloadFile: true } }),
  ).rejects.toThrow(/finished with status "failed"/);
});

describe('refusals reach the person', () => {
  test('400', async () => {
    const asked = renders('createFromTemplate', { templateId: 'abc', modifications: '{}' });
    await expect(asked).rejects.toMatchObject({
      status: 400,
      message: "The parameter 'template_id' should be a valid template ID.",
    });
  });

  test('401', async () => {
    const asked = run({ resource: 'templates', operation: 'getAll' }, 'wrong');
    await expect(asked).rejects.toMatchObject({ status: 401 });
  });

  test('404', async () => {
    const asked = renders('getStatus', { renderId: '00000000-0000-4000-8000-000000000000' });
    await expect(asked).rejects.toMatchObject({ status: 404 });
  });
});
