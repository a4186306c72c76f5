/** A render request as a command or a few lines of code. Pure. */
import type { JsonObject } from '../../shared/renderscript/source.ts';
import type { RequestDetails, ServerState } from '../../shared/api.ts';

/** The languages on offer. */
export const snippetLanguages = ['cURL', 'Node', 'Python', 'PHP'] as const;

export type SnippetLanguage = (typeof snippetLanguages)[number];

/**
 * The request in a language, e.g. `snippet('cURL', { url: 'http://127.0.0.1:4820', body: { template_id: '…' } })`.
 *
 * @param url The API's address without a path.
 * @param key The key to write into the code. Default: the code reads the environment variable `API_KEY`.
 */
export function snippet(
  language: SnippetLanguage,
  { url, body, key }: { url: string; body: JsonObject; key?: string },
): string {
  const address = `${url}/v2/renders`;
  const json = JSON.stringify(body, null, 2);
  switch (language) {
    case 'cURL':
      return [
        `curl -X POST ${address} \\`,
        `  -H "Authorization: Bearer ${key ?? '$API_KEY'}" \\`,
        '  -H "Content-Type: application/json" \\',
        // A single quote ends the shell's text, so each is written outside of it.
        `  -d '${json.replaceAll("'", `'"'"'`)}'`,
      ].join('\n');
    case 'Node':
      return [
        `const response = await fetch('${address}', {`,
        "  method: 'POST',",
        '  headers: {',
        key === undefined
          ? '    Authorization: `Bearer ${process.env.API_KEY}`,'
          : `    Authorization: ${JSON.stringify(`Bearer ${key}`)},`,
        "    'Content-Type': 'application/json',",
        '  },',
        `  body: JSON.stringify(${indented(json, 2)}),`,
        '});',
        'console.log(await response.json());',
      ].join('\n');
    case 'Python':
      return [
        key === undefined ? 'import json, os, urllib.request' : 'import json, urllib.request',
        '',
        // JSON in a raw text: true, false and null are written differently in Python.
        `body = json.loads(${pythonText(JSON.stringify(body))})`,
        'request = urllib.request.Request(',
        `    "${address}",`,
        '    data=json.dumps(body).encode(),',
        '    headers={',
        key === undefined
          ? '        "Authorization": f"Bearer {os.environ[\'API_KEY\']}",'
          : `        "Authorization": ${JSON.stringify(`Bearer ${key}`)},`,
        '        "Content-Type": "application/json",',
        '    },',
        ')',
        'print(json.load(urllib.request.urlopen(request)))',
      ].join('\n');
    case 'PHP':
      return [
        '<?php',
        `$request = curl_init('${address}');`,
        'curl_setopt_array($request, [',
        '    CURLOPT_RETURNTRANSFER => true,',
        '    CURLOPT_HTTPHEADER => [',
        key === undefined
          ? "        'Authorization: Bearer ' . getenv('API_KEY'),"
          : `        '${phpText(`Authorization: Bearer ${key}`)}',`,
        "        'Content-Type: application/json',",
        '    ],',
        `    CURLOPT_POSTFIELDS => '${phpText(JSON.stringify(body))}',`,
        ']);',
        'echo curl_exec($request);',
      ].join('\n');
  }
}

function indented(text: string, by: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}

/** A text in double quotes: JSON's escapes are Python's, too. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}

/** The content of a text in single quotes. */
function phpText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}

/** Three seconds of moving text: needs no file, no font of its own and no network. */
export const firstSource = {
  output_format: 'mp4',
  width: 1280,
  height: 720,
  duration: 3,
  fill_color: '#2447d8',
  elements: [
    {
      type: 'text',
      text: 'Hello',
      fill_color: '#ffffff',
      font_size: '24 vmin',
      font_weight: '700',
      width: '100%',
      height: '100%',
      x_alignment: '50%',
      y_alignment: '50%',
      animations: [{ time: 'start', duration: 1, easing: 'quadratic-out', type: 'text-slide' }],
    },
  ],
};

/** The command for this server; Windows' own shells take other quotes than the rest. */
export function firstCommand(
  { url, key }: Pick<ServerState['api'], 'url' | 'key'>,
  isWindows: boolean,
): string {
  const address = `${url}/v2/renders`;
  if (isWindows) {
    const body = JSON.stringify(firstSource).replaceAll('"', '\\"');
    return `curl.exe ${address} -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d "${body}"`;
  }
  return [
    `curl ${address}`,
    `  -H 'Authorization: Bearer ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${bodyInLines()}'`,
  ].join(' \\\n');
}

/** Characters of a line, its indent left out: what the page shows at the usual size of the window without wrapping. */
const lineLength = 54;

/** The source as JSON, broken after commas into lines that fit the page. */
function bodyInLines(): string {
  const lines = [''];
  for (const piece of JSON.stringify(firstSource).split(/(?<=,)/)) {
    const line = lines.at(-1) ?? '';
    if (line.length + piece.length <= lineLength) lines[lines.length - 1] = line + piece;
    else lines.push(piece);
  }
  return lines.join('\n      ');
}

/**
 * The command. A path or body with quotes stays what it is.
 *
 * @param url The API's address without a path.
 * @param body As it was sent; undefined: none was.
 */
export function requestCommand(
  { method, path, requestHeaders }: Pick<RequestDetails, 'method' | 'path' | 'requestHeaders'>,
  url: string,
  body: string | undefined,
): string {
  const lines = [
    `curl${method === 'GET' ? '' : method === 'HEAD' ? ' -I' : ` -X ${method}`} ${quoted(`${url}${path}`)}`,
  ];
  if ('authorization' in requestHeaders || /^\/v[12]\//.test(path)) {
    lines.push('-H "Authorization: Bearer $API_KEY"');
  }
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d ${quoted(body)}`);
  }
  return lines.join(' \\\n  ');
}

/** Text in single quotes; a single quote ends the shell's text, so each is written outside of it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
