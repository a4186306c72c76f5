/**
 * Sends an opened archive to the server, from the drive and in pieces. Main process; main/ipc.ts calls it for the page.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { windowTokenHeader, type ErrorRecord, type ImportedTemplate } from '../shared/api.ts';
import { say } from './say.ts';

/**
 * Creates a template from an archive.
 *
 * @param windowUrl address of the window's page, with its token
 * @param project ID of the project to put it into
 * @throws Error with the server's own sentence, or that the file can't be read
 */
export async function sendTemplate(
  windowUrl: string,
  file: string,
  project: string,
): Promise<ImportedTemplate> {
  const { origin, hash } = new URL(windowUrl);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const content = createReadStream(file);
  let answer: Response;
  try {
    answer = await fetch(`${origin}/api/templates/import?project=${encodeURIComponent(project)}`, {
      method: 'POST',
      headers: { [windowTokenHeader]: token },
      // Node's streams of the web and those of the DOM's types are the same objects.
      body: Readable.toWeb(content) as ReadableStream,
      duplex: 'half',
    });
  } catch (cause) {
    // Its own failure, if it has one.
    const { errored } = content;
    content.destroy();
    throw new Error(say(errored ? 'import.unreadable' : 'import.noAnswer'), { cause });
  }
  // The same version of the same program sends one of the two.
  const body = (await answer.json()) as ImportedTemplate | ErrorRecord;
  if ('hint' in body) throw new Error(body.hint);
  return body;
}
