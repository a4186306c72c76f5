/** A render request as a command or a few lines of code. Pure. */
import type { JsonObject } from '../../shared/renderscript/source.ts';

/** The languages on offer. */
export const snippetLanguages = ['cURL', 'Node', 'Python', 'PHP'] as const;

/** One of them. */
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
