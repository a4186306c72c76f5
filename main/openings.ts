/**
 * What the program was opened with: `.framewright` and `.renderscript` files, and links. Main process. Both come from
 * outside, so they only show something: a file opens the import dialog, a link goes to a page.
 */
import { open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestLimits } from '../shared/limits.ts';
import { readKit } from '../shared/kit-contents.ts';
import type { DesktopMessage, OpenedArchive, OpenedFile } from '../shared/desktop.ts';
import { say } from './say.ts';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { windowTokenHeader, type ImportedTemplates } from '../shared/api.ts';
import type { ErrorRecord } from '../server/api/answer-schemas.ts';

/** The program's own URL scheme: `framewright://template/{id}`, also with `render` and `sample`. */
export const linkScheme = 'framewright';
/** The ending of templates with their files. */
const archiveEnding = '.framewright';
/** Endings of files that are opened; the first two are registered with the system. */
const fileEndings = [archiveEnding, '.renderscript', '.json'];
/** At most so many files are opened at once. */
const mostFiles = 100;

/** Files and links of a command line. */
export interface Openings {
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly links: readonly string[];
}

/**
 * Finds files and links among the arguments of a start; ignores everything else (switches, the program's own folder).
 *
 * @param folder what relative paths start from
 */
export function readArguments(args: readonly string[], folder: string): Openings {
  const links = args.filter((arg) => arg.startsWith(`${linkScheme}:`));
  const files = args
    .map(asPath)
    .filter((arg) => !arg.startsWith('-') && fileEndings.includes(path.extname(arg).toLowerCase()));
  return { files: files.slice(0, mostFiles).map((file) => path.resolve(folder, file)), links };
}

/** Linux desktops pass a file as a URL: the installed entry says `%U`. Other arguments stay unchanged. */
function asPath(arg: string): string {
  if (!/^file:/i.test(arg)) return arg;
  try {
    return fileURLToPath(arg);
  } catch {
    // From another computer, or no URL at all.
    return '';
  }
}

const targets = {
  template: 'show-template',
  render: 'show-render',
  sample: 'offer-sample',
} as const;

const isTarget = (name: string): name is keyof typeof targets => name in targets;

/** What a link shows; null for others. Queries and fragments are ignored. */
export function readLink(link: string): DesktopMessage | null {
  const found =
    /^framewright:\/\/(template|render|sample)\/([0-9A-Za-z][0-9A-Za-z_-]{0,127})\/?(?:[?#]|$)/.exec(
      link,
    );
  const [, target, id] = found ?? [];
  if (target === undefined || !isTarget(target) || id === undefined) return null;
  return { type: targets[target], id };
}

/** Reads files for the import dialog; an unreadable one says why and does not affect the others. */
export async function readFiles(paths: readonly string[]): Promise<readonly OpenedFile[]> {
  return Promise.all(paths.map(readOne));
}

/** Archives that were opened in this run. The page gets their numbers, so that it can name no other file. */
const archives: string[] = [];

/** The path of an archive by its number; undefined if there is none. */
export function openedArchive(number: number): string | undefined {
  return archives[number];
}

async function readOne(file: string): Promise<OpenedFile> {
  const name = path.basename(file);
  try {
    const found = await stat(file);
    const { size } = found;
    if (found.isFile() && path.extname(name).toLowerCase() === archiveEnding) {
      return { name, size, archive: archives.push(file) - 1, kit: await kitOf(file, size) };
    }
    if (size > requestLimits.bodyBytes) {
      return {
        name,
        problem: say('import.fileTooLarge', {
          size: Math.floor(requestLimits.bodyBytes / 1_000_000),
        }),
      };
    }
    return { name, text: await readFile(file, 'utf8') };
  } catch {
    return { name, problem: say('import.unreadable') };
  }
}

/** What is in a kit, for the import dialog. */
async function kitOf(file: string, size: number): Promise<OpenedArchive['kit']> {
  const opened = await open(file, 'r');
  try {
    const read = async (start: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
      // Lengths come from the file itself.
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - start)));
      await opened.read(bytes, 0, bytes.length, start);
      return bytes;
    };
    const found = (await readKit({ size, read })) ?? [];
    return found.map(({ name, picture }) => ({ name, picture: picture ? dataOf(picture) : '' }));
  } finally {
    await opened.close();
  }
}

const dataOf = (picture: Uint8Array): string =>
  `data:image/${picture[0] === 0x89 ? 'png' : 'jpeg'};base64,${Buffer.from(picture).toString('base64')}`;

/** Messages on their way to the page: kept until it listens. */
export interface Messenger {
  /** Sends a message, or keeps it until the page listens. */
  send(message: DesktopMessage): void;
  /** True while the page listens. */
  readonly isHeard: boolean;
  /** The page listens; `null`: it is gone or reloading. */
  connect(deliver: ((message: DesktopMessage) => void) | null): void;
}

/** Most messages kept; older ones are dropped. */
const mostKept = 20;

export function createMessenger(): Messenger {
  let deliver: ((message: DesktopMessage) => void) | null = null;
  const kept: DesktopMessage[] = [];
  return {
    send(message) {
      if (deliver) {
        deliver(message);
        return;
      }
      kept.push(message);
      if (kept.length > mostKept) kept.shift();
    },
    get isHeard() {
      return deliver !== null;
    },
    connect(next) {
      deliver = next;
      if (next) for (const message of kept.splice(0)) next(message);
    },
  };
}

/*
 * Sends an opened archive to the server, from the drive and in pieces. Main process; main/ipc.ts calls it for the page.
 */

/**
 * Creates the templates of an archive.
 *
 * @param windowUrl address of the window's page, with its token
 * @param project ID of the project to put them into
 * @param only numbers of a kit's templates with commas between them; default: all
 * @throws Error with the server's own sentence, or that the file can't be read
 */
export async function sendTemplate(
  windowUrl: string,
  file: string,
  project: string,
  only?: string,
): Promise<ImportedTemplates> {
  const { origin, hash } = new URL(windowUrl);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  const content = createReadStream(file);
  let answer: Response;
  try {
    const query = new URLSearchParams({ project, ...(only !== undefined && { only }) });
    answer = await fetch(`${origin}/api/templates/import?${query.toString()}`, {
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
  const body = (await answer.json()) as ImportedTemplates | ErrorRecord;
  if ('hint' in body) throw new Error(body.hint);
  return body;
}
