/**
 * A file in the body of a request: the body itself with its name in the address, or the part `file` of
 * multipart/form-data. It is passed on while it arrives, never held in memory as a whole, and ends only once all of the
 * body was found to be right.
 */
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { engineLimits, mediaLibraryLimits } from '../../shared/limits.ts';

/** What to do with the file. Its content breaks off with an error if the rest of the request is wrong. */
export type TakeFile<Result> = (content: Readable, name: string) => Promise<Result>;

/** The part of a form that is the file. */
export const filePart = 'file';

/** More than any form needs; what exceeds it is refused or cut. */
const formLimits = {
  files: 2,
  fields: 20,
  parts: 24,
  fieldSize: 4 * mediaLibraryLimits.nameLength,
  headerPairs: 20,
  headerSize: 8_192,
};

/**
 * Reads the file of a request.
 *
 * @param given Its name, from the address; it counts before that of the form.
 * @throws ApiError `upload_refused`, `invalid_parameter`, `media_too_large`, `incomplete_body`, and what `take` throws.
 */
export async function readUpload<Result>(
  request: Request,
  given: string | undefined,
  take: TakeFile<Result>,
  reading = formReading,
): Promise<Result> {
  const { 'content-type': type = '', 'content-encoding': packing = 'identity' } = request.headers;
  if (packing.trim().toLowerCase() !== 'identity') {
    refuse(`expected the file as it is, found the Content-Encoding ${shown(packing)}`);
  }
  if (Number(request.headers['content-length']) > engineLimits.mediaBytes + formBytes) {
    throw new ApiError('media_too_large', { limit: `${engineLimits.mediaBytes / 1e9} GB` });
  }
  if (/^multipart\//i.test(type)) return readForm(request, type, given, take, reading);
  if (!hasBody(request)) refuse('the body is empty; expected a file');
  const name = nameOf(given, '?name=');
  return take(contentOf(request), name);
}

/** The body as a stream that may be given up: the request stays, so that it can be answered. */
export function contentOf(request: Request): Readable {
  const content = newContent();
  follow(request, content);
  return content;
}

/** How many bytes a form may have beside its file. */
const formBytes = 100_000;

/**
 * Bytes that the parser keeps of a part. With fewer than arrive at a time, it waits for ever for the rest of a part
 * that it skips (one without a disposition, say) and that ends with the same bytes as it begins with.
 */
const partBytes = 1_048_576;

/** How a form is read; tests shorten it. */
const formReading = {
  partBytes,
  /** Milliseconds for which it may hold up its request while nobody reads what it has. */
  stallTime: 10_000,
};

/** Pipes a request, and breaks off its reader with it. The request itself stays, so that a refusal can be answered. */
function follow(request: Request, reader: PassThrough | BusboyInstance): void {
  const breakOff = (): void => void reader.destroy(new ApiError('incomplete_body'));
  request.once('error', breakOff);
  request.once('close', () => {
    if (!request.complete) breakOff();
  });
  // Answered, or given up by a deadline: nobody waits for it any more.
  request.res?.once('close', breakOff);
  reader.once('close', () => {
    request.unpipe(reader);
    // What a form has behind its end.
    request.resume();
  });
  request.pipe(reader);
}

/** Whoever takes it hears of its error when reading begins; until then it must not end the program. */
function newContent(): PassThrough {
  return new PassThrough().on('error', () => undefined);
}

function readForm<Result>(
  request: Request,
  type: string,
  given: string | undefined,
  take: TakeFile<Result>,
  { partBytes: fileHwm, stallTime }: typeof formReading,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let form: BusboyInstance;
    try {
      form = new Busboy({
        headers: { 'content-type': type },
        limits: formLimits,
        fileHwm,
      });
    } catch {
      reject(refusal(`its Content-Type ${shown(type)} is no multipart/form-data with a boundary`));
      return;
    }
    let name = given;
    let content: PassThrough | null = null;
    const others: string[] = [];
    let taken: Promise<unknown> = Promise.resolve();
    const fail = (error: Error): void => {
      clearInterval(looking);
      content?.destroy(error);
      form.destroy();
      // An answer means that nothing of it is left.
      const answer = (): void => reject(error);
      taken.then(answer, answer);
    };
    const tooMany = (): never => refuse(`expected one part '${filePart}', found too many parts`);
    form.on(
      'field',
      // The parser's types promise a name, which a part need not have.
      guarded(fail, (part: string | undefined, value: string) => {
        if (part !== 'name') others.push(partNamed(part));
        else if (content) refuse(`expected the part 'name' before the part '${filePart}'`);
        else name ??= value;
      }),
    );
    form.on(
      'file',
      guarded(fail, (part: string | undefined, stream: Readable, fileName: string | undefined) => {
        // Without a listener, its error would end the program.
        stream.on('error', () => undefined);
        // Until someone reads it.
        stream.resume();
        if (part !== filePart) {
          refuse(`expected the file as the part '${filePart}', found it as ${partNamed(part)}`);
        }
        if (content) refuse(`expected one part '${filePart}', found two`);
        const checked = nameOf(name ?? fileName, `the file name of the part '${filePart}'`);
        content = newContent();
        // It ends with the form, which may be cut off behind the file.
        stream.pipe(content, { end: false });
        const work = take(content, checked);
        taken = work;
        work.then(resolve, fail);
      }),
    );
    form.on('partsLimit', guarded(fail, tooMany));
    form.on('filesLimit', guarded(fail, tooMany));
    form.on('fieldsLimit', guarded(fail, tooMany));
    form.on('error', (error) => fail(error instanceof ApiError ? error : brokenForm(request)));
    form.on(
      'finish',
      guarded(fail, () => {
        clearInterval(looking);
        if (content) content.end();
        else refuse(`expected a file as the part '${filePart}', found ${listed(others)}`);
      }),
    );
    const hasUnread = (): boolean => Boolean(content?.readableLength);
    const looking = watchStall(request, form, stallTime, hasUnread, fail);
    form.once('close', () => clearInterval(looking));
    follow(request, form);
  });
}

/**
 * Fails a form that holds up its request though nobody has to read what it gave. The parser is foreign code: whatever
 * it waits for, the request is answered.
 */
function watchStall(
  { socket }: Request,
  form: BusboyInstance,
  stallTime: number,
  hasUnread: () => boolean,
  fail: (error: Error) => void,
): NodeJS.Timeout {
  let before = '';
  return setInterval(() => {
    const now = `${socket.bytesRead} ${form.writableLength}`;
    const isStalled = now === before && form.writableLength > 0;
    if (isStalled && !hasUnread()) fail(refusal('it has a part that can not be read'));
    before = now;
  }, stallTime).unref();
}

function brokenForm({ complete }: Request): ApiError {
  return refusal(`the form is broken or ends too early${complete ? '' : ' in its middle'}`);
}

/** A part in a sentence. */
function partNamed(name: string | undefined): string {
  return name === undefined ? 'a part without a name' : shown(name);
}

/** The file's name as a label: without folders and signs that can't be seen. It never becomes a path. */
function nameOf(given: string | undefined, place: string): string {
  const most = mediaLibraryLimits.nameLength;
  const [name = ''] = (given ?? '').split(/[/\\]/).slice(-1);
  const cleaned = name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '').trim();
  if (cleaned === '' || cleaned === '.' || cleaned === '..' || cleaned.length > most) {
    const found = given === undefined ? 'nothing' : shown(given);
    throw new ApiError('invalid_parameter', {
      name: 'name',
      what: `the name of the file, 1 to ${most} characters, as ${place}; found ${found}`,
    });
  }
  return cleaned;
}

function hasBody({ headers }: Request): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > 0;
}

function listed(parts: readonly string[]): string {
  if (parts.length === 0) return 'no part';
  return `only ${parts.slice(0, 5).join(', ')}`;
}

/** Something that was sent, in a sentence. */
function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
  return `'${plain.length > 60 ? `${plain.slice(0, 60)}…` : plain}'`;
}

function refusal(reason: string): ApiError {
  return new ApiError('upload_refused', { reason });
}

function refuse(reason: string): never {
  throw refusal(reason);
}

// What a handler of a stream throws has no caller to arrive at: it would end the server. So they are guarded (a lint
// rule asks for it).

/**
 * A handler of which `fail` gets what it throws.
 * @param fail Ends the work that the event belongs to; must not throw.
 */
function guarded<Arguments extends readonly unknown[]>(
  fail: (error: Error) => void,
  handler: (...given: Arguments) => void,
): (...given: Arguments) => void {
  return (...given) => {
    try {
      handler(...given);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
