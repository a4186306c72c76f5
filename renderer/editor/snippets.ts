/** A render request as a command or a few lines of code. Pure; the key is never in it. */
import type { JsonObject } from '../../shared/renderscript/source.ts';

/** The languages on offer. */
export const snippetLanguages = ['cURL', 'Node', 'Python', 'PHP'] as const;

/** One of them. */
export type SnippetLanguage = (typeof snippetLanguages)[number];

/**
 * The request in a language, e.g. `snippet('cURL', { url: 'http://127.0.0.1:4820', body: { template_id: '…' } })`.
 *
 * @param url The API's address without a path.
 */
export function snippet(
  language: SnippetLanguage,
  { url, body }: { url: string; body: JsonObject },
): string {
  const address = `${url}/v2/renders`;
  const json = JSON.stringify(body, null, 2);
  switch (language) {
    case 'cURL':
      return [
        `curl -X POST ${address} \\`,
        '  -H "Authorization: Bearer $API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        // A single quote ends the shell's text, so each is written outside of it.
        `  -d '${json.replaceAll("'", `'"'"'`)}'`,
      ].join('\n');
    case 'Node':
      return [
        `const response = await fetch('${address}', {`,
        "  method: 'POST',",
        '  headers: {',
        '    Authorization: `Bearer ${process.env.API_KEY}`,',
        "    'Content-Type': 'application/json',",
        '  },',
        `  body: JSON.stringify(${indented(json, 2)}),`,
        '});',
        'console.log(await response.json());',
      ].join('\n');
    case 'Python':
      return [
        'import json, os, urllib.request',
        '',
        // JSON in a raw text: true, false and null are written differently in Python.
        `body = json.loads(${pythonText(JSON.stringify(body))})`,
        'request = urllib.request.Request(',
        `    "${address}",`,
        '    data=json.dumps(body).encode(),',
        '    headers={',
        '        "Authorization": f"Bearer {os.environ[\'API_KEY\']}",',
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
        "        'Authorization: Bearer ' . getenv('API_KEY'),",
        "        'Content-Type: application/json',",
        '    ],',
        `    CURLOPT_POSTFIELDS => '${JSON.stringify(body).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}',`,
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
