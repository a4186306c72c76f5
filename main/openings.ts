/**
 * What the program was opened with: `.framewright` and `.renderscript` files, and links. Main process. Both come from
 * outside, so they only show something: a file opens the import dialog, a link goes to a page.
 */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { requestLimits } from '../shared/limits.ts';
import type { DesktopMessage, OpenedFile } from '../shared/desktop.ts';
import { say } from './say.ts';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { windowTokenHeader, type ImportedTemplate } from '../shared/api.ts';
import type { ErrorRecord } from '../server/api/answer-schemas.ts';

/** The program's own URL scheme: `framewright://template/{id}`. */
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

const targets = { template: 'show-template', render: 'show-render' } as const;

/** What a link shows; null for others. Queries and fragments are ignored. */
export function readLink(link: string): DesktopMessage | null {
  const found =
    /^framewright:\/\/(template|render)\/([0-9A-Za-z][0-9A-Za-z_-]{0,127})\/?(?:[?#]|$)/.exec(link);
  const [, target, id] = found ?? [];
  if ((target !== 'template' && target !== 'render') || id === undefined) return null;
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
      return { name, size, archive: archives.push(file) - 1 };
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
