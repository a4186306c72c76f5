/**
 * The help pages of the API. The prose is here; routes and fields come from the schemas, limits from their tables. Written in the Markdown of markdown.ts.
 */
import { counted } from '../../../shared/counted.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { errorCatalogue } from '../../../shared/errors.ts';
import {
  engineLimits,
  mediaLibraryLimits,
  openLimits,
  rateLimit,
  requestLimits,
  retention,
  webhookLimits,
} from '../../../shared/limits.ts';
import { formats, movingFormats } from '../../../shared/renderscript/formats.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import { fieldTable, refusalList, routeReference } from './api-reference.ts';
import type { Topic } from './topic.ts';

const daysOf = (milliseconds: number): number => milliseconds / (24 * 60 * 60 * 1000);
/** `5 seconds`, `30 minutes`, `2 hours`. */
function timeText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return counted(seconds, 'second');
  return seconds < 3600 ? counted(seconds / 60, 'minute') : counted(seconds / 3600, 'hour');
}

const codes = Object.keys(errorCatalogue) as ErrorCode[]; // the keys of a const object

/** In the order of the list. */
export const apiTopics: readonly Topic[] = [
  {
    slug: 'authentication',
    title: 'Keys and addresses',
    summary: 'Who may call, and from where.',
    text: () => `
Every request to \`/v1\` and \`/v2\` carries the key of a project:

\`\`\`
Authorization: Bearer YOUR_KEY
\`\`\`

The window shows the key; the server prints it when it starts in a terminal, and writes it to \`runtime.json\` in the data folder. A key in the address is not accepted. Templates and renders belong to the project of the key; the IDs of other projects are unknown to it.

## Only this computer

The server listens at 127.0.0.1 and [::1] and answers only to these and to \`localhost\`, with its own port. Requests from web pages are refused unless the settings allow the page's address. Finished files, these pages and the OpenAPI document need no key, and any page may link to them; an allowed page may also show files in \`<img>\` and \`<video>\`.

## Other computers

\`framewright serve --host 0.0.0.0\` listens on all networks, and so does "All networks" under Settings ▸ Network in the window. The server then also answers to this computer's IP addresses, and to names allowed with \`--allow-host server.lan\`. Only the key guards it, and nothing is encrypted on the way. Media and webhooks can then no longer reach this computer and its network, unless the server is started with \`--local-addresses always\`, or "Media and webhooks may use local addresses" is set to "Always" under Settings ▸ Network. \`never\` refuses them in any case.

In a container the server listens on all networks, and the port may be another one outside: with \`docker run -p 8080:4820\` it answers at \`http://localhost:8080\`, and links lead there.

\`/healthz\`, \`/readyz\` and \`/metrics\` answer under every name and address. For a name with TLS, see [behind a proxy](/docs/proxy).

${refusalList(['invalid_key', 'wrong_host', 'wrong_origin'])}
`,
  },
  {
    slug: 'renders',
    title: 'Renders',
    summary: 'Creating renders and following their status.',
    text: (apiUrl) => `
A render is one file made from a document. It is \`planned\` first, then \`waiting\` while media is fetched, \`transcribing\` while speech is recognised, \`rendering\`, and finally \`succeeded\` or \`failed\`, which never change again.

## Instead of polling

\`Prefer: wait=30\` on the create request holds the answer back until the render has ended: one request for a picture. Event streams report each state and the progress, and webhooks call you. You can also ask every few seconds.

\`\`\`sh
curl -X POST ${apiUrl}/v2/renders -H "Prefer: wait=30" \\
  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"output_format": "png", "elements": [{"type": "text", "text": "Hello"}]}'
\`\`\`

## Sending a request again

When an answer does not arrive, you can't know whether the render was created. With a key of your own in \`Idempotency-Key\`, you can send the same request again: it gets the first answer again and creates nothing. The key is kept with the render, for ${retention.idempotencyKeys / 3_600_000} hours. While the first request is still running, a second one gets 409; with another body, 422. Refused requests and dry runs don't use up a key.

${routeReference('renders')}

## The Render object

Fields without a value are left out; none is ever null.

${fieldTable('Render')}

## Size of the file

\`render_scale\` multiplies width and height. \`max_width\` and \`max_height\` only shrink the file and keep its ratio; with them, \`render_scale\` has no effect. The sides of an mp4 are even numbers.
`,
  },
  {
    slug: 'previews',
    title: 'Previews',
    summary: 'A picture of one moment, at once.',
    text: (apiUrl) => `
A preview shows one moment of a document as the film will show it, in a second or less and without a render: to check a generated document before rendering it.

\`\`\`sh
curl -X POST ${apiUrl}/v2/previews -o frame.jpg \\
  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"source": {"elements": [{"type": "text", "text": "Hello", "fill_color": "#2451c4"}]}, "time": 1.5}'
\`\`\`

${routeReference('previews')}
`,
  },
  {
    slug: 'modifications',
    title: 'Modifications',
    summary: 'Changing a template for one render.',
    text: () => `
\`modifications\` is an object; each key names what its value replaces.

| Key | Replaces |
|---|---|
| \`Name.property\` | that property of the elements with this name or ID |
| \`Name\` | the \`text\` of texts, the \`source\` of pictures, videos and sounds, the \`elements\` of compositions |
| \`Name.property.0.value\` | one keyframe |
| \`width\`, \`duration\`, … | a property of the document |
| \`elements.add\` | nothing: the elements of the array are added to the document |
| a placeholder | \`{{placeholder}}\` in every text |

The whole key is tried as a name first, then its longest part before a dot. Elements inside compositions are found too; if several share the name, all of them change. A key that matches nothing gives a warning, not an error. The value \`null\` means automatic for properties that support it.

\`\`\`json
{"template_id": "…", "modifications": {"Title": "Today only", "Title.fill_color": "#e11d48"}}
\`\`\`
`,
  },
  {
    slug: 'templates',
    title: 'Templates',
    summary: 'Named documents, stored here.',
    text: () => `
${routeReference('templates')}

## The Template object

${fieldTable('Template')}

The list has the same without \`source\`. A deleted template can be restored for ${daysOf(retention.deletedTemplates)} days: here, with \`framewright templates restore\`, or in the Trash of the app. Renders keep the document as it was at their creation.
`,
  },
  {
    slug: 'media',
    title: 'Media',
    summary: 'Files that documents name, stored once.',
    text: (apiUrl) => `
A file that is sent once can be named in any document, by the \`source\` of its answer:

\`\`\`sh
echo '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">' > logo.svg
echo '<rect width="8" height="8"/></svg>' >> logo.svg
curl -F file=@logo.svg ${apiUrl}/v2/media -H "Authorization: Bearer YOUR_KEY"
curl --data-binary @logo.svg "${apiUrl}/v2/media?name=logo.svg" \\
  -H "Authorization: Bearer YOUR_KEY"
\`\`\`

\`\`\`json
{"elements": [{"type": "image", "source": "media:0123456789abcdef0123456789abcdef"}]}
\`\`\`

${routeReference('media')}

## The Media object

${fieldTable('Media')}
`,
  },
  {
    slug: 'feeds',
    title: 'Feeds',
    summary: 'Tables whose rows become renders.',
    text: () => `
Feeds are filled and rendered in the app; the API reads them.

${routeReference('feeds')}

## The Feed object

${fieldTable('Feed')}

The list has the same without \`columns\` and \`template_id\`.
`,
  },
  {
    slug: 'webhooks',
    title: 'Webhooks',
    summary: 'Calls when a render has ended.',
    text: () => `
With \`webhook_url\`, the server sends a POST with the Render object as JSON to that address once the render has \`succeeded\` or \`failed\`. Any answer with a status from 200 to 299 within ${webhookLimits.timeout / 1000} seconds completes the delivery; otherwise the call is repeated with growing pauses. Redirects are not followed.

The same call can arrive twice: compare the \`id\`. The call repeats \`metadata\`, and the address keeps its query.

Every call carries \`webhook-id\` (the same for all tries), \`webhook-timestamp\` (seconds) and \`webhook-signature\`: \`v1,\` and the base64 of the HMAC-SHA256 of id, timestamp and body with dots between them. The key is what follows \`whsec_\` in the project's secret, decoded from base64. For a day after the secret is replaced, two signatures are sent with a blank between them. Refuse calls whose timestamp is more than five minutes off.

The address may be on this computer or in its network while only this computer reaches the API, or with \`--local-addresses always\`. It may never be this program itself, link-local, or where a cloud keeps its metadata.

## Pauses

Tries come at once, then after ${webhookLimits.pauses.map(timeText).join(', ')}, each up to ${webhookLimits.spread * 100} % sooner or later; after the last one the call is given up. \`Retry-After\` of a 429 or 503 is respected, up to ${daysOf(webhookLimits.longestRetryAfter) * 24} hours. A 410 ends the delivery at once.

## Without the window

\`framewright webhooks secret\` prints the secret of the running server; \`rotate\` replaces it. \`framewright serve --webhook-secret SECRET\`, or the variable \`FRAMEWRIGHT_WEBHOOK_SECRET\`, sets that of the first project, so that a server in a container and its receivers know the same one from the start. \`"whsec_$(openssl rand -base64 24)"\` makes one.

${routeReference('webhooks')}
`,
  },
  {
    slug: 'backups',
    title: 'Backups',
    summary: 'Making backups, and putting one back.',
    text: (apiUrl) => `
[Back up and restore](/docs/back-up) says what a backup has, and when one is made by itself. These routes and commands make more of them. Put the setting \`backup_folder\` on another drive: those of the data folder are lost with it.

\`\`\`sh
framewright backups create
framewright backups list
curl -X POST ${apiUrl}/v2/backups -H "Authorization: Bearer YOUR_KEY"
\`\`\`

\`framewright backups restore NAME\` puts templates and feeds back, with \`--all\` everything, and waits until the server has started again.

Backups are those of all projects, so only keys of the first project, which every server has from the start, may use these routes. With \`--database\`, the records are not in the data folder: back them up with \`pg_dump\`; these routes then answer 409.

${routeReference('backups')}

## The Backup object

${fieldTable('Backup')}

## The list

${fieldTable('BackupList')}
`,
  },
  {
    slug: 'settings',
    title: 'Settings',
    summary: 'What the server does for all projects.',
    text: () => `
The same settings as in the window, for servers without one. An option that was named at the start of the server goes before its setting. Several servers on one database have the same settings.

## On the command line

\`\`\`sh
framewright settings list
framewright settings get concurrency
framewright settings set concurrency 2
framewright settings set concurrency null
\`\`\`

## Which key, and from where

They are those of the whole server, so only keys of the first project, which every server has from the start, may use these routes. Give programs that only render the key of another project. Settings that decide which files, programs and private addresses the server uses are changed from its own computer only: in a container with \`docker exec\`.

${routeReference('settings')}
`,
  },
  {
    slug: 'limits',
    title: 'Limits',
    summary: 'How much, how large, how long.',
    text: () => `
| What | Limit |
|---|---|
| Requests to \`/v1\` and \`/v2\` | ${rateLimit.requests} in any ${rateLimit.window / 1000} seconds, over all keys; \`--no-rate-limit\` or Settings ▸ API switches it off |
| Body | ${requestLimits.bodyBytes / 1_000_000} MB, also after decompression |
| Arrays and objects inside each other | ${requestLimits.jsonDepth} |
| Elements of a document | ${documentLimits.elements} |
| Compositions inside each other | ${documentLimits.compositionDepth} |
| Keys in \`modifications\` | ${requestLimits.modifications} |
| \`metadata\` | ${requestLimits.metadataLength} characters |
| \`webhook_url\` | ${requestLimits.webhookUrlLength} characters |
| Name of a template | ${requestLimits.nameLength} characters |
| Tags of a template | ${requestLimits.tags} of ${requestLimits.tagLength} characters |
| \`render_scale\` | ${requestLimits.renderScale.min} to ${requestLimits.renderScale.max} |
| \`Idempotency-Key\` | ${requestLimits.idempotencyKeyLength} characters, kept ${retention.idempotencyKeys / 3_600_000} hours |
| \`Prefer: wait=N\` | ${requestLimits.wait} seconds, ${openLimits.waits} requests at a time; more are answered at once |
| Event streams | ${openLimits.streams} at a time |
| Previews | ${openLimits.previews} at a time |
| Renders of a batch | ${requestLimits.batch} |
| Uploaded file | ${engineLimits.mediaBytes / 1e9} GB; ${mediaLibraryLimits.uploads} at a time; ${mediaLibraryLimits.files} in the library |
| Renders or files on a page of a list | ${requestLimits.page.most} |
| Sides of the file | ${documentLimits.side} pixels |
| Frames per second | ${movingFormats.map((format) => `${format} ${formats[format].most.frameRate}`).join(', ')} |
| Length | ${movingFormats.map((format) => `${format} ${formats[format].most.seconds / 60} minutes`).join(', ')} |
| Renders and their files | kept ${daysOf(retention.renders)} days |

Every answer carries \`X-RateLimit-Remaining\`. A 429 also carries \`Retry-After\`: wait for that many seconds. The [client](/docs/client) does so by itself.

The limit of requests is there so that scripts learn to wait, as hosted services make them. On your own computer you need none: start the server with \`--no-rate-limit\`, or switch off "Limit to ${rateLimit.requests} requests in ${rateLimit.window / 1000} seconds" under Settings ▸ API in the window.
`,
  },
  {
    slug: 'errors',
    title: 'Refusals',
    summary: 'Every sentence that a failing answer can contain.',
    text: () => `
Every failing answer is an object with two strings: \`hint\` says what went wrong, \`documentation\` is the address of one of these pages.

A render that fails while it runs is not a refusal: its status becomes \`failed\`, and \`error_message\` says why. Wrong values inside a document are accepted, listed under \`errors\` of the answer, and fail the render.

${refusalList(codes)}
`,
  },
];
