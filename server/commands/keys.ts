/**
 * `framewright keys`: the API keys of a server on this computer. The API itself can't change keys, so this asks the
 * window's listener, with the token from runtime.json, which only this user can read.
 */
import { z } from 'zod';
import { commandRows } from './command-rows.ts';
import { actionOf, CommandError, readOptions } from './option-rows.ts';
import { plainFetch } from './plain-fetch.ts';
import { localServer } from './running-server.ts';
import { onOneLine, sayTable } from './text-table.ts';

const row = commandRows.keys;

const keyRecord = z.object({ id: z.string(), name: z.string(), key: z.string() });
const projectRecord = z.object({ id: z.string(), name: z.string(), keys: z.array(keyRecord) });
type Project = z.infer<typeof projectRecord>;

/** @returns the exit status. @throws CommandError. */
export async function keysCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('keys', row, positionals);
  const ask = windowOf(localServer(values.data).windowUrl);
  const all = z.array(projectRecord).parse(await ask('GET', '/api/projects'));
  const projects = values.project === undefined ? all : [projectNamed(all, values.project)];
  const [word = ''] = rest;
  switch (action) {
    case 'list':
      list(projects, values.show === true, values.json === true);
      return 0;
    case 'create': {
      const path = `/api/projects/${projects[0]?.id ?? ''}/keys`;
      const made = keyRecord.parse(await ask('POST', path, { name: word }));
      console.log(values.json ? JSON.stringify(made) : made.key);
      return 0;
    }
    case 'remove': {
      const { id, name } = keyNamed(projects, word);
      await ask('DELETE', `/api/keys/${id}`);
      console.log(`Removed ${onOneLine(name)} (${id})`);
      return 0;
    }
  }
}

function list(projects: readonly Project[], isWhole: boolean, isJson: boolean): void {
  const all = projects.flatMap(({ name: project, keys }) =>
    keys.map(({ id, name, key }) => ({ id, name, project, key: isWhole ? key : shortened(key) })),
  );
  if (isJson) {
    console.log(JSON.stringify(all, null, 2));
    return;
  }
  const rows = all.map(({ id, name, project, key }) => [id, name, project, key]);
  sayTable(['ID', 'NAME', 'PROJECT', 'KEY'], rows, 'There are no keys.');
}

/** Enough to recognise the key. */
function shortened(key: string): string {
  return `${key.slice(0, 4)}…`;
}

function projectNamed(all: readonly Project[], word: string): Project {
  const found = all.find(({ id }) => id === word) ?? all.find(({ name }) => name === word);
  if (found) return found;
  const names = all.map(({ name }) => name).join(', ');
  throw new CommandError(`--project: There is no project '${word}'. There are: ${names}.`);
}

function keyNamed(projects: readonly Project[], word: string): z.infer<typeof keyRecord> {
  const keys = projects.flatMap((project) => project.keys);
  const byId = keys.find(({ id }) => id === word);
  if (byId) return byId;
  const named = keys.filter(({ name }) => name === word);
  const [only] = named;
  if (only && named.length === 1) return only;
  throw new CommandError(
    only
      ? `${named.length} keys are named '${word}'. Name one by its ID: ${named.map(({ id }) => id).join(', ')}.`
      : `There is no key '${word}'. framewright keys list shows those that there are.`,
  );
}

/** The body of a refusal. */
const refusal = z.object({ hint: z.string() });

/** Sends requests as the window does. @param windowUrl With its token. */
function windowOf(
  windowUrl: string,
): (method: string, path: string, body?: object) => Promise<unknown> {
  const { origin, hash } = new URL(windowUrl);
  const token = hash.replace('#token=', '');
  return async (method, path, body) => {
    const response = await plainFetch(`${origin}${path}`, {
      method,
      headers: {
        'x-framewright-token': token,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new CommandError(`No answer from ${origin}. Is Framewright still running?`, {
        cause: error,
      });
    });
    const text = await response.text();
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    if (response.ok) return value;
    const { data } = refusal.safeParse(value);
    throw new CommandError(data?.hint ?? `The server answered ${response.status}.`);
  };
}
