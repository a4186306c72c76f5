/**
 * Files of the computer where the agent is, which only `framewright mcp` can reach: `add_media` sends one to the
 * server, `save_template` those of its document, and `get_render` saves or names the finished one.
 */
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Framewright } from '../../client/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import { makeFolders } from '../system/files.ts';
import { CommandError } from './option-rows.ts';
import { type ServerAddress, plainFetch } from './running-server.ts';
import { streamOf, withSentFiles } from './files.ts';

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

/** A call on its way to the server. */
interface PreparedCall {
  readonly body: string;
  /** Completes the result; null: it is complete. */
  readonly mend: ((result: JsonObject) => Promise<JsonObject>) | null;
}

/**
 * The message of a call as the server gets it: without the place to save to, which means nothing there, and with the
 * files of a template in its library.
 *
 * @param folders Where files of documents lie.
 */
export async function prepareCall(
  message: JsonObject,
  { name, input }: ToolCall,
  server: ServerAddress,
  folders: readonly string[],
): Promise<PreparedCall | null> {
  const withInput = (changed: JsonObject): string =>
    JSON.stringify({
      ...message,
      params: { ...(message.params as JsonObject), arguments: changed },
    }); // of a call
  if (name === 'get_render') {
    const { save_to: place, ...rest } = input;
    const mend = (result: JsonObject): Promise<JsonObject> =>
      withFile(result, typeof place === 'string' ? place : undefined, server.dataFolder);
    return { body: withInput(typeof place === 'string' ? rest : input), mend };
  }
  if (name !== 'save_template' || !isJsonObject(input.source)) return null;
  const { url, key } = server;
  const { source, left } = await withSentFiles(
    new Framewright({ url, key }),
    input.source,
    folders,
  );
  const mend = (result: JsonObject): Promise<JsonObject> => Promise.resolve(withLeft(result, left));
  return { body: withInput({ ...input, source }), mend: left.length === 0 ? null : mend };
}

/** The result of `save_template` that names the files which stay behind. */
function withLeft(result: JsonObject, left: readonly string[]): JsonObject {
  const { structuredContent: facts } = result;
  if (!isJsonObject(facts) || !Array.isArray(facts.problems)) return result;
  const problems: readonly Json[] = facts.problems;
  return { ...result, ...resultOf({ ...facts, problems: [...problems, ...left] }) };
}

/** Sends the file of `add_media`. @returns the result of the call. */
export async function addMedia({ url, key }: ServerAddress, file: string): Promise<JsonObject> {
  try {
    const body = streamOf(path.resolve(file));
    const media = await new Framewright({ url, key }).media.upload(body, {
      name: path.basename(file),
    });
    const { source, name, kind, width, height, duration } = media;
    return resultOf({ media: { source, name, kind, width, height, duration } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return failure(`file: ${error instanceof CommandError ? `${file} can't be read` : reason}`);
  }
}

/**
 * The result of `get_render` with the file where the agent is: saved there, or in the output folder of a server on this
 * computer.
 */
async function withFile(
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
  const response = await plainFetch(url, {});
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
