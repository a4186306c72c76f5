/** The help page for agents, made from the table of their tools. */
import { requestLimits } from '../../../shared/limits.ts';
import type { Topic } from './topic.ts';
import { tools } from '../mcp/tools.ts';

/** The page. */
export const agentsTopic: Topic = {
  slug: 'agents',
  title: 'Agents (MCP)',
  summary: 'Tools for agents that write, look at and render documents.',
  text: (apiUrl) => `
Agents use Framewright through the Model Context Protocol: they read the language, write a document, have it checked, look at it, and render it, all on this computer.

## As a command

\`framewright mcp\` speaks the protocol over stdin and stdout. It passes everything on to the running server, and starts one, without a window, if none runs. Programs such as Claude Desktop or Cursor start it themselves; this is their setting:

\`\`\`
{ "mcpServers": { "framewright": { "command": "framewright", "args": ["mcp"] } } }
\`\`\`

In Claude Code: \`claude mcp add framewright -- framewright mcp\`. Where programs don't know the command, name both files: the path of \`node\` as \`command\`, and the path of \`dist/server/cli.mjs\` before \`mcp\` in \`args\`.

## Over HTTP

\`POST ${apiUrl}/mcp\` takes the same messages, with the key of a project as for all requests: \`Authorization: Bearer YOUR_KEY\`. Agents see the templates and renders of that project. There are no sessions; GET and DELETE answer 405. A message has at most ${requestLimits.bodyBytes / 1_000_000} MB, nearly all of it for \`source\` and \`modifications\`; nobody needs to repeat a long document, because \`save_template\` gives it an ID. Requests count for the rate limit.

## Tools

| Tool | Does |
|---|---|
${tools.map(({ name, description }) => `| \`${name}\` | ${description} |`).join('\n')}

Pictures are JPEGs of at most 768 pixels. Lists come in pages. A wrong call is answered with the place of the mistake and what to write instead.

## Resources and a prompt

\`framewright://guide\` is the language in a few kilobytes, \`framewright://schema\` its JSON Schema, and \`framewright://samples/…\` are finished documents. The prompt \`make_video\` describes the way from an idea to a file.
`,
};
