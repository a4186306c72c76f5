/**
 * The recipes of the help: each a document of resources/samples/recipes/ with its pictures and how it is rendered. The documents
 * are files, so that the command line can render them and a test does.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { requestLimits } from '../../../shared/limits.ts';
import { sampleFolder } from '../../paths.ts';
import { sheetOf } from './pictures.ts';
import { codeBlock } from './start.ts';
import type { Topic } from './topic.ts';

/** The document of a recipe as text. */
function documentOf(name: string): string {
  return readFileSync(path.join(sampleFolder(), 'recipes', `${name}.json`), 'utf8').trim();
}

const shown = (name: string): string =>
  `${sheetOf(`recipes/${name}`, false)}\n\n${codeBlock('json', documentOf(name))}`;

/** The page. */
export const recipesTopic: Topic = {
  slug: 'recipes',
  title: 'Recipes',
  summary: 'Documents for common tasks, to be copied.',
  text: (apiUrl) => `
Every document here is whole: save it, e.g. as \`slideshow.json\`, and render it from the command line, or send it to \`POST /v2/renders\`. Files such as \`media/dawn.jpg\` come with the program; replace them by a file beside the document, the address of a file, or one from the library of the window.

## A slideshow with music

Scenes on one track follow one another. \`"transition": true\` lets a scene fade into the one before. The sound has \`"duration": null\`: it ends with the film.

${shown('slideshow')}

\`\`\`sh
framewright render slideshow.json slideshow.mp4
\`\`\`

## Captions that follow the speech

\`transcript_source\` takes SRT or WebVTT as text, the address of such a file, word timings, or the name of a video element whose speech is to be recognised ([Text](/docs/renderscript/text#transcript_source)).

${shown('captions')}

\`\`\`sh
framewright render captions.json captions.mp4
\`\`\`

## A social card

A still picture with named texts: the usual template for a website's previews.

${shown('social-card')}

\`\`\`sh
framewright render social-card.json card.png --set Title='A new title' --set Author='by Bo'
\`\`\`

## A batch from a table

One file for each row. Columns are named like modifications, and the name of the file is made of them:

\`\`\`sh
printf 'Title,Author\\nFirst steps,Ada\\nSecond thoughts,Bo\\n' > posts.csv
framewright render social-card.json 'cards/{n}-{Author}.png' --data posts.csv
\`\`\`

Over the API, one request creates up to ${requestLimits.batch} renders. A wrong row refuses only itself. With an \`Idempotency-Key\`, a batch that broke off can be sent again and makes nothing twice:

\`\`\`ts
import { Framewright } from 'framewright/client';

const framewright = new Framewright({ url: '${apiUrl}', key: 'YOUR_KEY' });
const rows = [
  { Title: 'First steps', Author: 'Ada' },
  { Title: 'Second thoughts', Author: 'Bo' },
];
const results = await framewright.renders.createBatch(
  rows.map((modifications) => ({ template_id: 'TEMPLATE_ID', modifications })),
  { idempotencyKey: 'posts-2026' },
);
for (const { render, error } of results) {
  if (error) console.error(error.message);
  else console.log((await framewright.renders.ended(render.id)).url);
}
\`\`\`

\`\`\`python
import json
import urllib.request

rows = [{"Title": "First steps"}, {"Title": "Second thoughts"}]
renders = [{"template_id": "TEMPLATE_ID", "modifications": row} for row in rows]
request = urllib.request.Request(
    "${apiUrl}/v2/renders/batch",
    data=json.dumps({"renders": renders}).encode(),
    headers={
        "Authorization": "Bearer YOUR_KEY",
        "Content-Type": "application/json",
        "Idempotency-Key": "python-posts",
        "Prefer": "wait=30",
    },
)
with urllib.request.urlopen(request) as answer:
    for result in json.load(answer)["results"]:
        print(result["status"], result.get("render", result.get("error")))
\`\`\`

\`\`\`sh
curl -X POST ${apiUrl}/v2/renders/batch \\
  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{"renders": [{"template_id": "TEMPLATE_ID", "modifications": {"Title": "First steps"}}]}'
\`\`\`

With a tag, one request renders all templates that carry it; the answer is a list of renders:

\`\`\`sh
curl ${apiUrl}/v1/renders \\
  -H "Authorization: Bearer YOUR_KEY" -H "Content-Type: application/json" \\
  -d '{ "tags": ["cards"], "modifications": { "Title": "For all of them" } }'
\`\`\`

## Subtitles from a file

A file of subtitles beside the document, without writing it into the document:

\`\`\`sh
printf '1\\n00:00:00,000 --> 00:00:02,000\\nFrom a file\\n' > words.srt
framewright render captions.json subtitled.mp4 --set Captions.transcript_source=words.srt
\`\`\`

## A GIF

A document without \`fill_color\` has no ground: the GIF is transparent around its contents. [Fewer frames, \`gif_compression\`](/docs/renderscript/document) and a smaller size keep it small.

${shown('gif-sticker')}

\`\`\`sh
framewright render gif-sticker.json sticker.gif
\`\`\`

## Transparent pictures and films

A png without \`fill_color\` is transparent, half transparent colors stay so. An mp4 can't be transparent: H.264 has no such channel. To lay graphics over a film, render them together with it, as in the next recipe, or use a GIF.

${shown('transparent')}

\`\`\`sh
framewright render transparent.json overlay.png
\`\`\`

## A lower third over a film

The film has no length of its own here (\`"duration": null\`) and repeats; the texts come in one after the other.

${shown('lower-third')}

\`\`\`sh
framewright render lower-third.json interview.mp4 --set Name='Grace Hopper' --set Role='Rear admiral'
\`\`\`

## A tune as a film

Keyframes of \`volume\`, a fade at the end, and a bar that grows with the time.

${shown('audio')}

\`\`\`sh
framewright render audio.json tune.mp4
\`\`\`

## A countdown

Keyframes of the text, and an outline that is taken back.

${shown('countdown')}

\`\`\`sh
framewright render countdown.json countdown.mp4
\`\`\`

## Two pictures side by side

${shown('split-screen')}

\`\`\`sh
framewright render split-screen.json compare.mp4 --scale 0.5
framewright render split-screen.json compare.png --frames 0.4,1,2
\`\`\`

## The same film for several places

\`max_width\` and \`max_height\` only shrink; a modification of \`width\` and \`height\` changes the shape, and everything that is placed in percent follows:

\`\`\`sh
framewright render slideshow.json square.mp4 --set width:=720 --set height:=720 --scale 0.5
\`\`\`
`,
};
