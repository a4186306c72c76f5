/**
 * The command with which a person tries the API for the first time: complete, offline, and short enough to read. Pure.
 */
import type { ServerState } from '../../shared/api.ts';

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
