/**
 * The MCP server: the tools, resources and the prompt as the official library serves them, without sessions. Loaded
 * with the first request to /mcp.
 */
import { createMcpHandler, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import packageFile from '../../../package.json' with { type: 'json' };
import type { ErrorCode } from '../../../shared/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { JsonText } from '../../system/json-text.ts';
import type { Log } from '../../system/log.ts';
import { asRefusal } from '../errors.ts';
import type { ProjectServices } from '../project.ts';
import { addPrompt, addResources } from './resources.ts';
import { cut, type Tool, type ToolAnswer, type ToolContext } from './tool.ts';
import { tools } from './tools.ts';

/** What a request is answered with. */
export interface McpContext {
  readonly services: ProjectServices;
  /** What links in answers begin with. */
  readonly url: string;
  readonly log: Log;
  /** What stands in the message as `{}`. */
  readonly longArguments: Readonly<Record<string, JsonText>>;
}

const instructions =
  'Framewright renders videos, GIFs and pictures from RenderScript JSON on this computer. Begin with read_docs. Check documents with validate, look at them with preview_frame or contact_sheet, and only then render; get_render waits for the file.';

/**
 * Answers one message.
 *
 * @param body The message, parsed. @param request Headers, and a signal that aborts when nobody waits any more.
 */
export function answerMessage(
  context: McpContext,
  request: Request,
  body: unknown,
): Promise<Response> {
  // Changes of lists are not told, so that nobody needs to listen for them.
  const handler = createMcpHandler(() => serverFor(context, request.signal), {
    maxSubscriptions: 0,
  });
  return handler.fetch(request, { parsedBody: body });
}

/** What to do about a refusal, where its sentence does not say so to agents. */
const advice: Partial<Record<ErrorCode, string>> = {
  nothing_to_render: 'The document goes into source.',
  document_wrong: 'validate lists all of them, with repairs.',
  preview_failed: 'A render would fail with the same reason.',
  preview_off: 'It restarts automatically; try again in a moment.',
  busy: 'Try again in a few seconds.',
  template_not_found: 'list_templates has the IDs.',
};

/** A server for one message. */
function serverFor(context: McpContext, gone: AbortSignal): McpServer {
  const server = new McpServer(
    { name: 'framewright', title: 'Framewright', version: packageFile.version },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      instructions,
    },
  );
  for (const tool of tools) addTool(server, tool, context, gone);
  addResources(server);
  addPrompt(server);
  return server;
}

function addTool(
  server: McpServer,
  { name, title, description, input, output, isReadOnly, run }: Tool,
  { services, url, log, longArguments }: McpContext,
  gone: AbortSignal,
): void {
  const config = {
    title,
    description,
    // Those of answers are left out of the list: agents read the answers themselves.
    inputSchema: shortSchema(input),
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
  };
  server.registerTool(name, config, async (given, { mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    let told = -1;
    const tell: ToolContext['tell'] = (percent, message) => {
      const progress = Math.round(percent * 10) / 10;
      // Progress only goes up, also when a render begins again.
      if (progressToken === undefined || progress <= told) return;
      told = progress;
      const params = { progressToken, progress, total: 100, message };
      // A client that is gone hears nothing.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    };
    const signal = AbortSignal.any([gone, mcpReq.signal]);
    try {
      return resultOf(
        await run({ ...given, ...longArguments }, { services, url, signal, tell }),
        output !== null,
      );
    } catch (error) {
      const refusal = asRefusal(error, 'POST', `/mcp ${name}`, log);
      const next = advice[refusal.code];
      return failure(cut(next === undefined ? refusal.message : `${refusal.message} ${next}`));
    }
  });
}

function resultOf({ facts, text, picture }: ToolAnswer, isStructured: boolean): CallToolResult {
  return {
    content: [
      ...(picture === undefined
        ? []
        : [{ type: 'image' as const, data: picture, mimeType: 'image/jpeg' }]),
      { type: 'text', text: text ?? JSON.stringify(facts) },
    ],
    ...(isStructured && isJsonObject(facts) && { structuredContent: facts }),
  };
}

function failure(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/**
 * A shape that validates as before and is described in short: agents pay for every character of the list of tools, so
 * what says nothing to them is left out.
 */
function shortSchema<Shape extends z.ZodObject>(
  shape: Shape,
): { readonly '~standard': Shape['~standard'] } {
  const standard = shape['~standard'];
  const { jsonSchema } = standard;
  return {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (options) => shortened(jsonSchema.input(options) as JsonObject, false),
        output: (options) => shortened(jsonSchema.output(options) as JsonObject, true),
      },
    },
  };
}

/** @param isOutput Answers may have more than their shape says. */
function shortened(schema: JsonObject, isOutput: boolean): Record<string, Json> {
  const kept = Object.entries(schema).filter(([name, value]) => {
    if (name === '$schema' || name === 'propertyNames') return false;
    if (name === 'additionalProperties')
      return value === false ? !isOutput : isJsonObject(value) && Object.keys(value).length > 0;
    if (name === 'minimum' || name === 'maximum')
      return Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;
    // The format says the same.
    return name !== 'pattern' || schema.format !== 'uuid';
  });
  return Object.fromEntries(
    kept.flatMap(([name, value]): [string, Json][] => {
      if (value === undefined) return [];
      if (name === 'properties' || name === '$defs') {
        const parts = Object.entries(value as JsonObject);
        // Each is a schema.
        return [
          [
            name,
            Object.fromEntries(
              parts.map(([part, inner]) => [part, shortened(inner as JsonObject, isOutput)]),
            ),
          ],
        ];
      }
      if (name === 'items' && isJsonObject(value)) return [[name, shortened(value, isOutput)]];
      return [[name, value]];
    }),
  );
}
