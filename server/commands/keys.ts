/**
 * `framewright keys`: the API keys of a server. Of one on this computer it asks the window's listener, with the token
 * from runtime.json, which only this user can read: so they can be changed though the key of that file is gone. Others
 * are asked with a key of their first project.
 */
import { z } from 'zod';
import { commandRows } from './command-rows.ts';
import { localServer, named, namedServer, serverClient, plainFetch } from './running-server.ts';
import { actionOf, CommandError, readOptions } from './option-rows.ts';
import { onOneLine, sayTable } from './text-table.ts';

const row = commandRows.keys;

const keyRecord = z.object({ id: z.string(), name: z.string(), key: z.string() });
const projectRecord = z.object({ id: z.string(), name: z.string(), keys: z.array(keyRecord) });
type Project = Readonly<Omit<z.infer<typeof projectRecord>, 'keys'>> & {
  readonly keys: readonly z.infer<typeof keyRecord>[];
};

/** @returns the exit status. @throws CommandError. */
export async function keysCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('keys', row, positionals);
  const keeper = namedServer(values)
    ? serverClient(values).client.projects
    : ofThisComputer(values.data);
  const all = await keeper.list();
  const projects =
    values.project === undefined
      ? all
      : [named(all, values.project, { kind: 'project', listing: 'projects list' })];
  const [word = ''] = rest;
  switch (action) {
    case 'list':
      list(projects, values.show === true, values.json === true);
      return 0;
    case 'create': {
      const made = await keeper.createKey(projects[0]?.id ?? '', word);
      console.log(values.json ? JSON.stringify(made) : made.key);
      return 0;
    }
    case 'remove': {
      const keys = projects.flatMap((project) => project.keys);
      const { id, name } = named(keys, word, { kind: 'key', listing: 'keys list' });
      await keeper.deleteKey(id);
      console.log(`Removed ${onOneLine(name)} (${id})`);
      return 0;
    }
  }
}

/** Who knows the keys. */
interface KeyKeeper {
  list(): Promise<readonly Project[]>;
  createKey(project: string, name: string): Promise<z.infer<typeof keyRecord>>;
  deleteKey(id: string): Promise<void>;
}

function ofThisComputer(folder: string | undefined): KeyKeeper {
  const ask = windowOf(localServer(folder).windowUrl);
  return {
    list: async () => z.array(projectRecord).parse(await ask('GET', '/api/projects')),
    createKey: async (project, name) =>
      keyRecord.parse(await ask('POST', `/api/projects/${project}/keys`, { name })),
    deleteKey: async (id) => {
      await ask('DELETE', `/api/keys/${id}`);
    },
  };
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
