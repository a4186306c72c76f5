/** The first help pages: what is where, and the first render in several languages. */
import { quickStarts } from '../../../shared/quick-start.ts';
import type { Topic } from './topic.ts';

/** A text as a block of code. */
export function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``;
}

/** What is said before the code of a language. */
const advice: Readonly<Record<string, string>> = {
  curl: 'The answer has the `url` of the file. Loading it needs no key.',
  TypeScript:
    'With the client, which this server hands out, for Node 20 and newer, Deno, Bun and browsers: see [the client](/docs/client). Its types know the language: what is misspelt does not compile.',
  Python:
    'Nothing but the standard library. For a client with types, [generate one](/docs/python).',
  n8n: 'Copy this and paste it into the editor of a workflow. If n8n runs in Docker, see [n8n](/docs/n8n) for the address.',
};

/** The pages. */
export const startTopics: readonly Topic[] = [
  {
    slug: '',
    title: 'Framewright help',
    summary: 'What is where.',
    text: (apiUrl) => `
Programs and agents send a document to this computer and get a video, a picture or a GIF. The address of this server is \`${apiUrl}\`. Nothing here needs the network, these pages included.

\`\`\`sh
curl -X POST ${apiUrl}/v2/renders -H "Prefer: wait=30" \\
  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"output_format": "png", "width": 640, "height": 360,
       "elements": [{"type": "text", "text": "Hello", "fill_color": "#2451c4"}]}'
\`\`\`

- **[Quick start](/docs/quick-start)**: the first render in curl, TypeScript, Python and n8n.
- **[Recipes](/docs/recipes)**: slideshow, captions, batch from a table, social card, GIF, sound and more, to be copied.
- **[RenderScript](/docs/renderscript)**: every property and every animation, with pictures.
- **[Renders](/docs/renders)** and the other pages of the API: requests, answers, limits. Also as [OpenAPI 3.1](/openapi.json).
- **[Agents](/docs/agents)**, **[the client](/docs/client)**, **[the command line](/docs/command-line)**, **[tests](/docs/testing)**: other ways in.
- **[Fonts](/docs/fonts)**: all that are shipped, with pictures.
- **[Install](/docs/install)**, **[upgrade](/docs/upgrade)**, **[uninstall](/docs/uninstall)**; **[where data lie](/docs/data)**, **[back up and restore](/docs/back-up)**, **[behind a proxy](/docs/proxy)**, **[many machines](/docs/many-machines)**.
- **[Refusals](/docs/errors)**: what an answer means that says no.
`,
  },
  {
    slug: 'quick-start',
    title: 'Quick start',
    summary: 'The first render in curl, TypeScript, Python and n8n.',
    text: (apiUrl) => `
The window shows your key under Settings ▸ API. Put it where \`YOUR_KEY\` stands. Each of these makes the same picture.

${quickStarts
  .map(
    ({ name, language, text }) =>
      `## ${name}\n\n${advice[name] ?? ''}\n\n${codeBlock(language, text({ url: apiUrl, key: 'YOUR_KEY' }))}`,
  )
  .join('\n\n')}

## From a template

Store a document once, give the elements that change a \`name\`, and send only what is new:

\`\`\`sh
curl ${apiUrl}/v2/renders -H "Prefer: wait=30" \\
  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{ "template_id": "TEMPLATE_ID", "modifications": { "Title": "Today only" } }'
\`\`\`

The window lists the IDs; [Modifications](/docs/modifications) has what can be replaced.

## Where to go on

- Long renders: [events and webhooks](/docs/renders) instead of waiting.
- A document that someone else writes: [check it](/docs/renders) with \`"dry_run": true\`, look at it with [a preview](/docs/previews).
`,
  },
];
