/**
 * The first render of programs in several languages: whole texts to be copied. The help shows them, and a test runs
 * each. Pure.
 */

/** Where the program finds the server. */
export interface QuickStartPlace {
  /** Address of the API, e.g. `http://127.0.0.1:4820`. */
  readonly url: string;
  readonly key: string;
}

/** One language. */
export interface QuickStart {
  /** For people. */
  readonly name: string;
  /** As code blocks name it. */
  readonly language: 'sh' | 'ts' | 'python' | 'json';
  readonly text: (place: QuickStartPlace) => string;
}

const curl: QuickStart = {
  name: 'curl',
  language: 'sh',
  text: ({ url, key }) => `
curl ${url}/v2/renders \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -H "Prefer: wait=30" \\
  -d '{
    "output_format": "png", "width": 640, "height": 360, "fill_color": "#14213d",
    "elements": [
      { "type": "text", "text": "Hello", "width": "80%", "height": "40%",
        "x_alignment": "50%", "y_alignment": "50%", "fill_color": "#ffffff" }
    ]
  }'`,
};

const typeScript: QuickStart = {
  name: 'TypeScript',
  language: 'ts',
  text: ({ url, key }) => `
import { writeFile } from 'node:fs/promises';
import { Framewright, type RenderScript } from 'framewright/client';

const framewright = new Framewright({ url: '${url}', key: '${key}' });

const source: RenderScript = {
  output_format: 'png',
  width: 640,
  height: 360,
  fill_color: '#14213d',
  elements: [
    {
      type: 'text',
      text: 'Hello',
      width: '80%',
      height: '40%',
      x_alignment: '50%',
      y_alignment: '50%',
      fill_color: '#ffffff',
    },
  ],
};
const render = await framewright.render({ source });
await writeFile('hello.png', await framewright.renders.download(render));`,
};

const python: QuickStart = {
  name: 'Python',
  language: 'python',
  text: ({ url, key }) => `
import json
import urllib.request

API = "${url}"
KEY = "${key}"


def call(method, path, body=None):
    """Sends a request and returns the answer. A refusal raises HTTPError; its body has a hint."""
    request = urllib.request.Request(
        API + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Prefer": "wait=30",
        },
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


title = {
    "type": "text", "text": "Hello", "width": "80%", "height": "40%",
    "x_alignment": "50%", "y_alignment": "50%", "fill_color": "#ffffff",
}
render = call("POST", "/v2/renders", {
    "output_format": "png", "width": 640, "height": 360, "fill_color": "#14213d",
    "elements": [title],
})
while render["status"] not in ("succeeded", "failed"):
    render = call("GET", f"/v2/renders/{render['id']}")
if render["status"] == "failed":
    raise SystemExit(render["error_message"])
urllib.request.urlretrieve(render["url"], "hello-from-python.png")`,
};

/** A workflow of n8n, as its editor takes it from the clipboard: ask for the render, wait for it, load the file. */
const n8n: QuickStart = {
  name: 'n8n',
  language: 'json',
  text: ({ url, key }) => `
{
  "nodes": [
    {
      "name": "Start",
      "type": "n8n-nodes-base.manualTrigger",
      "typeVersion": 1,
      "position": [0, 0],
      "parameters": {}
    },
    {
      "name": "Render",
      "type": "n8n-nodes-base.httpRequest",
      "typeVersion": 4.2,
      "position": [220, 0],
      "parameters": {
        "method": "POST",
        "url": "${url}/v2/renders",
        "sendHeaders": true,
        "headerParameters": {
          "parameters": [
            { "name": "Authorization", "value": "Bearer ${key}" },
            { "name": "Prefer", "value": "wait=60" }
          ]
        },
        "sendBody": true,
        "specifyBody": "json",
        "jsonBody": "{ \\"output_format\\": \\"png\\", \\"width\\": 640, \\"height\\": 360, \\"fill_color\\": \\"#14213d\\", \\"elements\\": [{ \\"type\\": \\"text\\", \\"text\\": \\"Hello\\", \\"fill_color\\": \\"#ffffff\\" }] }"
      }
    },
    {
      "name": "Load the file",
      "type": "n8n-nodes-base.httpRequest",
      "typeVersion": 4.2,
      "position": [440, 0],
      "parameters": {
        "url": "={{ $json.url }}",
        "options": { "response": { "response": { "responseFormat": "file" } } }
      }
    }
  ],
  "connections": {
    "Start": { "main": [[{ "node": "Render", "type": "main", "index": 0 }]] },
    "Render": { "main": [[{ "node": "Load the file", "type": "main", "index": 0 }]] }
  }
}`,
};

/** In the order of the help. */
export const quickStarts: readonly QuickStart[] = [curl, typeScript, python, n8n];
