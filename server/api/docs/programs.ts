/** The help for programs that use the API: the client, Python, n8n, the command line, and tests. */
import { commandRows } from '../../commands/command-rows.ts';
import type { CommandRow } from '../../commands/option-rows.ts';
import { codeBlock } from './start.ts';
import { playwrightExample, vitestExample } from './test-examples.ts';
import type { Topic } from './topic.ts';

/** A row as the table's own type, which is narrower. */
const commands: readonly (readonly [string, CommandRow])[] = Object.entries(commandRows);

/** Lines that go on where one does not end a sentence are one paragraph; commands are code. */
function aboutText(about: string): string {
  const isCommand = (line: string): boolean => line.startsWith('framewright ');
  const parts: string[] = [];
  for (const line of about.split('\n')) {
    const before = parts.at(-1);
    const goesOn = before !== undefined && !isCommand(line) && /[^.:`]$/.test(before);
    if (goesOn) parts[parts.length - 1] = `${before} ${line}`;
    else parts.push(isCommand(line) ? `\`${line}\`` : line);
  }
  return parts.join('\n\n');
}

function commandText([name, { summary, takes, about, actions = [], options }]: readonly [
  string,
  CommandRow,
]): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const actionRows = actions.map(
    (action) =>
      `| \`${action.name}${action.takes === '' ? '' : ` ${action.takes}`}\` | ${cell(action.summary)} |`,
  );
  const optionRows = options.map(
    (option) =>
      `| \`--${option.name}${option.value === undefined ? '' : ` ${option.value}`}\` | ${cell(option.help)} |`,
  );
  return [
    `## framewright ${name}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    `\`framewright ${name} ${takes}\``,
    ...(about === undefined ? [] : [aboutText(about)]),
    ...(actionRows.length === 0
      ? []
      : [['| Action | Does |', '|---|---|', ...actionRows].join('\n')]),
    ...(optionRows.length === 0
      ? []
      : [['| Option | Means |', '|---|---|', ...optionRows].join('\n')]),
  ].join('\n\n');
}

/** The pages. */
export const programTopics: readonly Topic[] = [
  {
    slug: 'client',
    title: 'TypeScript client',
    summary: 'The package for Node, Deno, Bun and browsers.',
    text: (apiUrl) => `
\`framewright/client\` needs nothing but \`fetch\`: Node 20 and newer, Deno, Bun and browsers, whose page has to be allowed under Settings ▸ API. Its types are made from the same tables as this help: a document with a wrong name, unit or word does not compile.

This server hands it out, without a registry or a key:

\`\`\`sh
npm install ${apiUrl}/client.tgz
\`\`\`

The package \`framewright\` brings it, too, with the same imports: \`npm install framewright\`. Both work with \`import\` and with \`require\`.

## Render, with progress

\`\`\`ts
import { Framewright, RefusedError, RenderFailedError } from 'framewright/client';

const framewright = new Framewright({ url: '${apiUrl}', key: 'YOUR_KEY' });
try {
  const render = await framewright.render(
    { template_id: 'TEMPLATE_ID', modifications: { Title: 'Today only' } },
    { onProgress: ({ percent }) => console.log(\`\${Math.round(percent)} %\`) },
  );
  console.log(render.url, render.width, render.height);
} catch (error) {
  if (error instanceof RenderFailedError) console.error('The render failed:', error.message);
  else if (error instanceof RefusedError) console.error(error.status, error.message);
  else throw error;
}
\`\`\`

\`render\` follows the events of the render and falls back to polling. It sends its own \`Idempotency-Key\`, so a lost connection makes nothing twice.

## Check and look before rendering

\`\`\`ts
import { writeFile } from 'node:fs/promises';
import { Framewright, type RenderScript } from 'framewright/client';

const framewright = new Framewright({ url: '${apiUrl}', key: 'YOUR_KEY' });
const source: RenderScript = {
  output_format: 'mp4',
  width: 640,
  height: 360,
  duration: 2,
  elements: [{ type: 'text', text: 'Look first', fill_color: '#e11d48' }],
};
const { valid, errors, warnings } = await framewright.validate({ source });
console.log(valid, errors, warnings);
const frame = await framewright.preview({ source, time: 1 });
await writeFile('frame.jpg', frame.bytes);
\`\`\`

A document from a file or another program has no type: \`asRenderScript(JSON.parse(text))\` gives it one.

## Start now, wait later, cancel

\`\`\`ts
import { Framewright } from 'framewright/client';

const framewright = new Framewright({ url: '${apiUrl}', key: 'YOUR_KEY' });
const source = { output_format: 'gif', width: 64, height: 64, duration: 1, elements: [] } as const;
const { id } = await framewright.renders.create({ source, metadata: 'order 17' });
const render = await framewright.renders.ended(id); // in another process, if you like
console.log(render.status, (await framewright.renders.cancel(id)).status);
for await (const { id: one, status } of framewright.renders.all({ metadata: 'order 17' })) {
  console.log(one, status);
}
\`\`\`

## Templates

\`\`\`ts
import { Framewright } from 'framewright/client';

const framewright = new Framewright({ url: '${apiUrl}', key: 'YOUR_KEY' });
const template = await framewright.templates.create({
  name: 'Card',
  tags: ['cards'],
  source: {
    output_format: 'png',
    width: 320,
    height: 180,
    elements: [{ type: 'text', name: 'Title', text: 'Hello' }],
  },
});
console.log(await framewright.templates.fields(template.id));
await framewright.templates.change(template.id, { tags: ['cards', 'old'] });
await framewright.templates.delete(template.id);
\`\`\`

## Webhooks

\`verifyWebhook\` checks the signature and returns the render that a call reports:

\`\`\`ts
import { createServer } from 'node:http';
import { verifyWebhook, WebhookError } from 'framewright/client';

const receiver = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    const render = await verifyWebhook({
      secret: 'whsec_c2VjcmV0',
      headers: request.headers,
      body: Buffer.concat(parts).toString(),
    });
    console.log(render.id, render.status);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
  }
});
receiver.listen(0, '127.0.0.1', () => receiver.close());
\`\`\`

## In a browser

The page's address has to be in the settings (Settings ▸ API ▸ Allowed web pages); otherwise the client's error says so. Let your bundler find \`framewright/client\`, or serve \`index.mjs\` and \`framewright.mjs\` of \`node_modules/framewright/dist/client\` with your page. A key in a page is visible to everyone who opens it.
`,
  },
  {
    slug: 'python',
    title: 'Python',
    summary: 'With the standard library, or with a generated client.',
    text: (apiUrl) => `
Python needs no package: the [quick start](/docs/quick-start#python) uses its standard library. These are the other usual steps.

## A template with other words

\`\`\`python
import json
import urllib.request

request = urllib.request.Request(
    "${apiUrl}/v2/renders",
    data=json.dumps({"template_id": "TEMPLATE_ID", "modifications": {"Title": "From Python"}}).encode(),
    headers={
        "Authorization": "Bearer YOUR_KEY",
        "Content-Type": "application/json",
        "Prefer": "wait=30",
    },
)
with urllib.request.urlopen(request) as answer:
    render = json.load(answer)
print(render["status"], render["url"])
\`\`\`

## What went wrong

A refusal is an \`HTTPError\`. Its body says what to do in \`hint\`:

\`\`\`python
import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    "${apiUrl}/v2/renders/00000000-0000-4000-8000-000000000000",
    headers={"Authorization": "Bearer YOUR_KEY"},
)
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    print(error.code, json.load(error)["hint"])
\`\`\`

## A frame to look at

\`\`\`python
import json
import urllib.request

source = {"elements": [{"type": "text", "text": "Hello", "fill_color": "#2451c4"}]}
request = urllib.request.Request(
    "${apiUrl}/v2/previews",
    data=json.dumps({"source": source, "time": 1.5}).encode(),
    headers={"Authorization": "Bearer YOUR_KEY", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as answer, open("python-frame.jpg", "wb") as file:
    file.write(answer.read())
\`\`\`

## Webhooks

\`\`\`python
import base64
import hashlib
import hmac
import time


def is_genuine(secret: str, headers: dict, body: bytes) -> bool:
    """True if a call comes from the server with this secret and is not older than five minutes."""
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    head = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode()
    code = base64.b64encode(hmac.new(key, head + body, hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(signature, f"v1,{code}")
        for signature in headers["webhook-signature"].split(" ")
    )
\`\`\`

## A client with types

[/openapi.json](/openapi.json) describes every route, with names for all operations and shapes, and \`openapi-python-client\` makes a package of it:

\`\`\`
pipx run openapi-python-client generate --url ${apiUrl}/openapi.json --config config.yml
\`\`\`

The generator knows JSON and text. This \`config.yml\` tells it to take pictures, films and archives as bytes:

\`\`\`yaml
content_type_overrides:
  application/zip: application/octet-stream
  image/gif: application/octet-stream
  image/jpeg: application/octet-stream
  image/png: application/octet-stream
  video/mp4: application/octet-stream
\`\`\`

The package \`framewright_client\` then has a module for each operation, a class for each shape, and functions that wait or don't:

\`\`\`py
from uuid import UUID

from framewright_client import AuthenticatedClient
from framewright_client.api.renders import create_render, list_renders, read_file
from framewright_client.models import CreatedRender, RenderPage, RenderTemplate, RenderTemplateModifications
from framewright_client.types import File

with AuthenticatedClient(base_url="${apiUrl}", token="YOUR_KEY") as client:
    order = RenderTemplate(template_id=UUID("TEMPLATE_ID"))
    order.modifications = RenderTemplateModifications.from_dict({"Title": "Today only"})
    render = create_render.sync(client=client, body=order, prefer="wait=30")
    if not isinstance(render, CreatedRender):
        raise SystemExit(render)  # the refusal, with a hint
    print(render.status, render.url)
    file = read_file.sync(render.url.rsplit("/", 1)[1], client=client)
    if isinstance(file, File):
        with open("generated.png", "wb") as target:
            target.write(file.payload.read())
    page = list_renders.sync(client=client, limit=3)
    if isinstance(page, RenderPage):
        print([one.status for one in page.renders])
\`\`\`

It does not read event streams: wait with \`prefer\`, also in \`read_render\`, or let a webhook tell you.
`,
  },
  {
    slug: 'n8n',
    title: 'n8n',
    summary: 'In workflows of n8n.',
    text: (apiUrl) => `
The node **HTTP Request** does it all: the workflow of the [quick start](/docs/quick-start#n8n) renders a document, waits, and loads the file. For a template, its body is this:

\`\`\`json
{ "template_id": "TEMPLATE_ID", "modifications": { "Title": "={{ $json.title }}" } }
\`\`\`

- Keep the key in a credential of the type **Header Auth** with the name \`Authorization\` and the value \`Bearer YOUR_KEY\`, not in the node.
- With \`Prefer: wait=60\` the answer comes when the render has ended. For longer renders, use a **Webhook** node, and give its address as \`webhook_url\`.
- Turn on **Retry On Fail**, and send an \`Idempotency-Key\` such as \`={{ $execution.id }}-{{ $itemIndex }}\`, so that a repeated request makes nothing twice.

## n8n in Docker

From inside a container, this computer is not \`127.0.0.1\`. Start the server so that it listens there and answers to the name that Docker uses, and put \`http://host.docker.internal:4820\` in place of \`${apiUrl}\`:

\`\`\`sh
framewright serve --host 0.0.0.0 --allow-host host.docker.internal
\`\`\`

## The node for Creatomate

The community node \`n8n-nodes-creatomate\` speaks the same API, and this server answers it unchanged: its tests run against it. But its address is fixed in its code. Where you can change that, in \`dist/nodes/creatomate/GenericFunctions.js\`, \`CREATOMATE_BASE_URL\` becomes \`${apiUrl}/v2\`; these are then its parameters:

\`\`\`json
{
  "resource": "renders",
  "operation": "createFromTemplate",
  "templateId": "TEMPLATE_ID",
  "modificationsMode": "fields",
  "modificationsUi": { "modification": [{ "name": "Title", "value": "From n8n" }] },
  "additionalOptions": { "waitForCompletion": true }
}
\`\`\`
`,
  },
  {
    slug: 'command-line',
    title: 'Command line',
    summary: 'All commands with their options.',
    text: () => `
Without a server:

\`\`\`sh
printf '{ "output_format": "png", "elements": [{ "type": "text", "name": "Title", "text": "Hello" }] }' > card.json
framewright validate card.json
framewright render card.json today.png --set Title='Today only'
cat card.json | framewright render - piped.png
\`\`\`

With a running server, which the command finds by itself on this computer:

\`\`\`sh
framewright templates put card.json Card
framewright render --template Card shelf.png --set Title='From the shelf'
framewright renders list --limit 3
\`\`\`

A server without a window is run by commands, too: \`webhooks\`, \`backups\`, \`settings\`, and \`templates restore\`. With \`--url\` and \`--key\` they ask a server elsewhere.

Exit status: 0 if all went well, 1 if something failed, 2 if \`validate\` could not read a file or does not know an option. \`source <(framewright completion bash)\` completes commands and options; also zsh and fish.

${commands.map(commandText).join('\n\n')}
`,
  },
  {
    slug: 'testing',
    title: 'In your tests',
    summary: 'A real server for tests of other programs.',
    text: () => `
\`framewright/testing\` starts the real server on free ports with a temporary folder, in half a second. Files are at most 64 pixels on each side, so that a film takes a moment. Everything else is real: refusals, warnings, webhooks, events, the window. \`webhookSecret\` is what its calls are signed with, for \`verifyWebhook\`. \`stop()\` removes everything.

Install the whole program in the project (\`npm install --save-dev framewright\`). With [the client alone](/docs/client) it starts the program that \`npm install -g framewright\` put on the PATH, or the \`dist/server/cli.mjs\` that the option \`program\` names.

\`\`\`ts
import { startFramewright } from 'framewright/testing';

const framewright = await startFramewright();
try {
  const render = await framewright.client.render({
    source: { output_format: 'png', width: 1200, height: 630, elements: [] },
  });
  console.log(render.status, render.width, render.height);
} finally {
  await framewright.stop();
}
\`\`\`

With Vitest:

${codeBlock('ts', vitestExample)}

With Playwright, to test the window, too:

${codeBlock('ts', playwrightExample)}
`,
  },
];
