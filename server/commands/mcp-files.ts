/**
 * Files of the computer where the agent is, which only `framewright mcp` can reach: `add_media` sends one to the
 * server, and `get_render` saves or names the finished one.
 */
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Framewright } from '../../client/index.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { makeFolders } from '../system/files.ts';
import type { ServerAddress } from './running-server.ts';

/** A call of a tool; null for other messages. */
export interface ToolCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** The call in a message. */
export function callIn({ method, params }: JsonObject): ToolCall | null {
  if (method !== 'tools/call' || !isJsonObject(params)) return null;
  const { name, arguments: input } = params;
  return typeof name === 'string' ? { name, input: isJsonObject(input) ? input : {} } : null;
}

/** The same message without the place to save to, which means nothing to the server. */
export function withoutPlace(message: JsonObject): string {
  const params = message.params as JsonObject; // of a call
  const given = Object.entries(params.arguments as JsonObject);
  const input = Object.fromEntries(given.filter(([name]) => name !== 'save_to'));
  return JSON.stringify({ ...message, params: { ...params, arguments: input } });
}

/** Sends the file of `add_media`. @returns the result of the call. */
export async function addMedia({ url, key }: ServerAddress, file: string): Promise<JsonObject> {
  try {
    const content = createReadStream(path.resolve(file));
    await new Promise((resolve, reject) => content.once('open', resolve).once('error', reject));
    // Node's streams of the web and those of the DOM's types are the same objects.
    const body = Readable.toWeb(content) as ReadableStream<Uint8Array>;
    const media = await new Framewright({ url, key }).media.upload(body, {
      name: path.basename(file),
    });
    const { source, name, kind, width, height, duration } = media;
    return resultOf({ media: { source, name, kind, width, height, duration } });
  } catch (error) {
    const isSystem = error instanceof Error && 'syscall' in error;
    const reason = isSystem ? `${file} can't be read` : error instanceof Error ? error.message : '';
    return failure(`file: ${reason}`);
  }
}

/**
 * The result of `get_render` with the file where the agent is: saved there, or in the output folder of a server on this
 * computer.
 */
export async function withFile(
  result: JsonObject,
  place: string | undefined,
  dataFolder: string | undefined,
): Promise<JsonObject> {
  const facts = result.structuredContent;
  const render = isJsonObject(facts) ? facts.render : undefined;
  if (!isJsonObject(facts) || !isJsonObject(render) || render.status !== 'succeeded') return result;
  const { url } = render;
  if (typeof url !== 'string') return result;
  if (place !== undefined) {
    const file = path.resolve(place);
    try {
      await save(url, file);
    } catch {
      const text = `save_to: ${place} can't be written. The file is at ${url}`;
      return { ...result, ...failure(text), structuredContent: undefined };
    }
    return { ...result, ...resultOf({ ...facts, file }) };
  }
  const file = path.join(dataFolder ?? '', 'output', path.basename(new URL(url).pathname));
  return dataFolder !== undefined && existsSync(file)
    ? { ...result, ...resultOf({ ...facts, file }) }
    : result;
}

/** The latest revision of the protocol wants a kind of result; earlier ones know none. */
const resultType = 'complete';

function resultOf(facts: JsonObject): JsonObject {
  const content = [{ type: 'text', text: JSON.stringify(facts) }];
  return { resultType, content, structuredContent: facts };
}

function failure(text: string): JsonObject {
  return { resultType, isError: true, content: [{ type: 'text', text }] };
}

/** Half a file never has its name. */
async function save(url: string, file: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`${response.status}`);
  makeFolders(path.dirname(file));
  const part = `${file}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body), createWriteStream(part));
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}
