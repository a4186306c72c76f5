/**
 * Projects over HTTP, each with its keys: list, make, change, remove. What is done is here for the window's routes,
 * too, which answer in their own form.
 */
import { z } from 'zod';
import { projectRows, webhookWords, type ProjectRecord } from '../../shared/api/projects.ts';
import { ApiError, type ErrorCode } from '../../shared/errors.ts';
import { checkWebhookAddress } from '../jobs/webhooks/webhook-call.ts';
import { firstProject, type Project, type ProjectChange } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import { sureChange } from '../system/parameters.ts';
import { many, one, type Operation, type WholeServer, serverRoutes } from './operation.ts';
import { date } from './answer-schemas.ts';
import { formatDate } from './serialize.ts';

const route = serverRoutes('projects');

type Key = ProjectRecord['keys'][number];

/** The project. @throws ApiError `project_not_found`. */
export function sureProject({ store }: WholeServer, id: string): Project {
  const project = store.projects.find(id);
  if (!project) throw new ApiError('project_not_found', { id });
  return project;
}

/** The keys of a project, oldest first. */
export function keysOf({ store }: WholeServer, project: string): readonly Key[] {
  return store.keys.list(project).map(({ id, name, key }) => ({ id, name, key }));
}

/** Makes a project with one key. @throws ApiError `cannot_save`. */
export async function makeProject({ store, events }: WholeServer, name: string): Promise<Project> {
  const project = await store.projects.insert(name);
  await store.keys.add(project.id, 'Default');
  events.emit({ type: 'projects.changed' });
  return project;
}

/**
 * Changes the given values.
 * @param addressName What requests call the address of webhooks. @throws ApiError `invalid_parameter`,
 * `project_not_found`, `cannot_save`.
 */
export async function changeProject(
  { store, events, address }: WholeServer,
  id: string,
  change: ProjectChange,
  addressName: string,
): Promise<Project> {
  if (change.webhookUrl)
    checkWebhookAddress(addressName, change.webhookUrl, address.addressRule(), webhookWords);
  const project = await store.projects.change(id, change);
  if (!project) throw new ApiError('project_not_found', { id });
  events.emit({ type: 'projects.changed' });
  return project;
}

/**
 * Removes an empty project.
 * @throws ApiError `project_not_found`, `first_project`, `project_not_empty`, `cannot_save`.
 */
export async function dropProject(server: WholeServer, id: string): Promise<void> {
  const { store, events } = server;
  sureProject(server, id);
  if (id === firstProject) throw new ApiError('first_project');
  if (!isEmpty(store, id)) throw new ApiError('project_not_empty');
  // Keys first: one left over after a crash would open a missing project.
  for (const key of store.keys.list(id)) await store.keys.remove(key.id);
  await store.projects.remove(id);
  events.emit({ type: 'projects.changed' });
}

/** True when nothing belongs to a project, the Trash included. */
function isEmpty(
  { templates, feeds, renders }: Pick<Store, 'templates' | 'feeds' | 'renders'>,
  project: string,
): boolean {
  return (
    templates.list([], project).length === 0 &&
    templates.listDeleted(project).length === 0 &&
    feeds.list(project).length === 0 &&
    renders.list().every((render) => render.project !== project)
  );
}

/** Makes a key for a project. @throws ApiError `project_not_found`, `cannot_save`. */
export async function makeKey(server: WholeServer, project: string, wanted: string): Promise<Key> {
  sureProject(server, project);
  const { id, name, key } = await server.store.keys.add(project, wanted);
  server.events.emit({ type: 'projects.changed' });
  return { id, name, key };
}

/** Removes a key. @throws ApiError `key_not_found`, `last_key`, `cannot_save`. */
export async function dropKey({ store, events }: WholeServer, id: string): Promise<void> {
  const key = store.keys.list().find((one) => one.id === id);
  if (!key) throw new ApiError('key_not_found', { id });
  if (store.keys.list(key.project).length === 1) throw new ApiError('last_key');
  await store.keys.remove(id);
  events.emit({ type: 'projects.changed' });
}

// ---- the routes of the API ------------------------------------------------------------------------------------------

const { create, change: windowChange } = projectRows;
const { name } = create.body.shape;

const nameBody = z.object({ name }).meta({ id: 'NewName' });
const changeBody = z
  .object({
    name: windowChange.body.shape.name,
    webhook_url: windowChange.body.shape.webhookUrl.register(z.globalRegistry, {
      description: 'Called when a render ends that has no address of its own; null for none.',
    }),
  })
  .meta({
    id: 'ChangeProject',
    description: 'Fields that are left out keep their values; at least one is needed.',
  });

const keyAnswer = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    key: z.string().describe('What is sent as `Authorization: Bearer …`.'),
  })
  .meta({ id: 'ApiKey' });
const projectAnswer = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    created_at: date,
    webhook_url: z
      .string()
      .describe('Called when a render ends that has no address of its own.')
      .exactOptional(),
    keys: z.array(keyAnswer).describe('The oldest first.'),
  })
  .meta({ id: 'Project' });

function projectRecord(server: WholeServer, project: Project): z.infer<typeof projectAnswer> {
  const { id, name: called, createdAt, webhookUrl } = project;
  return {
    id,
    name: called,
    created_at: formatDate(new Date(createdAt)),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    keys: [...keysOf(server, id)],
  };
}

const saving: readonly ErrorCode[] = ['project_not_found', 'cannot_save'];

/** The routes of projects and keys. */
export const projectOperations: readonly Operation[] = [
  route('GET /v2/projects', {
    id: 'listProjects',
    summary: 'List projects',
    explanation: 'All of them with their keys, the oldest first.',
    answers: [many(200, projectAnswer, 'The projects.')],
    refusals: [],
    answer: (server) => server.store.projects.list().map((one) => projectRecord(server, one)),
  }),
  route('POST /v2/projects', {
    id: 'createProject',
    summary: 'Create a project',
    explanation: 'It has one key from the start.',
    body: nameBody,
    answers: [one(201, projectAnswer, 'The project with its key.')],
    refusals: ['cannot_save'],
    answer: async (server, { body }) => {
      const given = body;
      const project = await makeProject(server, given.name);
      return projectRecord(server, project);
    },
  }),
  route('PATCH /v2/projects/{id}', {
    id: 'changeProject',
    summary: 'Change a project',
    explanation: 'Its name, or the address that its webhooks go to.',
    body: changeBody,
    answers: [one(200, projectAnswer, 'The project.')],
    refusals: ['nothing_to_change', ...saving],
    answer: async (server, { id, body }) => {
      const { webhook_url: webhookUrl, ...given } = body;
      const wanted = { ...given, ...(webhookUrl !== undefined && { webhookUrl }) };
      sureChange(wanted, Object.keys(changeBody.shape));
      const project = await changeProject(server, id, wanted, 'webhook_url');
      return projectRecord(server, project);
    },
  }),
  route('DELETE /v2/projects/{id}', {
    id: 'deleteProject',
    summary: 'Delete a project',
    explanation: 'Only an empty one, with its keys. The first project stays.',
    answers: [{ status: 204, description: 'Deleted; no body.', content: null }],
    refusals: ['first_project', 'project_not_empty', ...saving],
    answer: (server, { id }) => dropProject(server, id),
  }),
  route('POST /v2/projects/{id}/keys', {
    id: 'createKey',
    summary: 'Create a key',
    body: nameBody,
    answers: [one(201, keyAnswer, 'The key.')],
    refusals: saving,
    answer: async (server, { id, body }) => {
      const given = body;
      return await makeKey(server, id, given.name);
    },
  }),
  route('DELETE /v2/keys/{id}', {
    id: 'deleteKey',
    summary: 'Delete a key',
    explanation:
      'By its ID. Requests with it are refused from then on, also if it is the key of this request. The last key of a project stays.',
    answers: [{ status: 204, description: 'Deleted; no body.', content: null }],
    refusals: ['key_not_found', 'last_key', 'cannot_save'],
    answer: (server, { id }) => dropKey(server, id),
  }),
];
