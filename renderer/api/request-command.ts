/** A request of the list as a shell command that sends it again. Pure; the key is a variable, never in it. */
import type { RequestDetails } from '../../shared/api.ts';

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
