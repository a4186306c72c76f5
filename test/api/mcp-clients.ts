/**
 * The official client of the Model Context Protocol against a server, over HTTP or over `framewright mcp`, and what it
 * says.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import { cli } from '../helpers/cli.ts';

/** The revisions of the protocol: with its handshake (2025), and without (2026). */
export const revisions = ['legacy', 'auto'] as const;
export type Revision = (typeof revisions)[number];

function newClient(revision: Revision): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: revision } });
}

/** A client over HTTP. */
export async function overHttp(url: string, key: string, revision: Revision): Promise<Client> {
  const client = newClient(revision);
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  );
  return client;
}

/** A client of `framewright mcp`, which is started in a folder. */
export async function overStdio(
  folder: string,
  args: readonly string[],
  revision: Revision,
  environment: Record<string, string> = {},
): Promise<{ readonly client: Client; readonly pid: number }> {
  const client = newClient(revision);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp', ...args],
    cwd: folder,
    env: { ...getDefaultEnvironment(), ...environment },
    stderr: 'inherit',
  });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

const answer = z.object({
  isError: z.boolean().optional(),
  content: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string() }),
    ]),
  ),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});

/** What a tool answers. */
export interface Said {
  readonly isError: boolean;
  readonly text: string;
  readonly picture: { readonly bytes: Buffer; readonly type: string } | null;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Characters of the whole answer. */
  readonly length: number;
}

/** Calls a tool. @param onTold Hears the progress. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  onTold?: (progress: { progress: number; message?: string | undefined }) => void,
): Promise<Said> {
  const given = await client.callTool(
    { name, arguments: args },
    { timeout: 120_000, ...(onTold && { onprogress: onTold }) },
  );
  const { isError = false, content, structuredContent = {} } = answer.parse(given);
  const picture = content.find((part) => part.type === 'image');
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return {
    isError,
    text,
    picture: picture
      ? { bytes: Buffer.from(picture.data, 'base64'), type: picture.mimeType }
      : null,
    facts: structuredContent,
    length: JSON.stringify(given).length,
  };
}

type Step = { op: string; path: string; from?: string; value?: unknown };

/** Applies the repairs of an answer of `validate` as any library for JSON Patch would. */
export function repaired(document: object, { facts }: Said): Record<string, unknown> {
  const made = structuredClone(document) as Record<string, unknown>;
  const problems = [facts['errors'], facts['warnings']].flat() as { fix?: Step[] }[];
  const place = (pointer: string): [Record<string, unknown>, string] => {
    const keys = pointer.split('/').slice(1);
    const last = keys.pop() ?? '';
    const owner = keys.reduce((value, key) => value[key] as Record<string, unknown>, made);
    return [owner, last];
  };
  for (const { op, path, from, value } of problems.flatMap(({ fix = [] }) => fix)) {
    const [owner, key] = place(path);
    if (op === 'move') {
      const [source, name] = place(from ?? '');
      owner[key] = source[name];
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- as a patch does
      delete source[name];
    } else owner[key] = value;
  }
  return made;
}
