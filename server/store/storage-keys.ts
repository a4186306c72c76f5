/** The names of files in storage. Only these functions make keys, so that a look at a key says whose file it is. */

/** Segments of letters, digits, `.`, `_` and `-`, none of which begins with a dot: safe as paths and in addresses. */
const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Beginnings of the keys of each kind. */
export const prefixes = {
  renders: 'renders/',
  media: 'media/',
  fonts: 'fonts/',
  pieces: 'pieces/',
} as const;

/** What content is shared by its hash. */
export type ContentKind = 'media' | 'fonts';

/** One attempt of a render: its name tells it from every other, also from one that came back from the dead. */
export interface AttemptName {
  /** The render. */
  readonly id: string;
  /** Its number and what makes it unique, e.g. `2-5f0c1a9e`. */
  readonly attempt: string;
}

/** `renders/ID/ATTEMPT.mp4`: the file that an attempt made. @param ending The output format. */
export function outputKey({ id, attempt }: AttemptName, ending: string): string {
  return checkedKey(`${prefixes.renders}${id}/${attempt}.${ending}`);
}

/** `renders/ID/ATTEMPT-snapshot.jpg` */
export function snapshotKey({ id, attempt }: AttemptName): string {
  return checkedKey(`${prefixes.renders}${id}/${attempt}-snapshot.jpg`);
}

/** `renders/ID/`: the files of all attempts of a render. */
export function renderPrefix(id: string): string {
  return `${checkedKey(`${prefixes.renders}${id}`)}/`;
}

/** The render that a key under `renders/` belongs to; null for any other key. */
export function renderOf(key: string): string | null {
  return key.startsWith(prefixes.renders) ? (key.split('/')[1] ?? null) : null;
}

/** `media/HASH`. @param hash The content's SHA-256, or its beginning, in hexadecimal digits: an ID of the library. */
export function contentKey(kind: ContentKind, hash: string): string {
  return checkedKey(`${prefixes[kind]}${hash}`);
}

/** `pieces/ID/`: what workers have made of a long film. */
export function piecePrefix(id: string): string {
  return `${checkedKey(`${prefixes.pieces}${id}`)}/`;
}

/** `pieces/ID/NAME`: one file of it. */
export function pieceKey(id: string, name: string): string {
  return checkedKey(`${piecePrefix(id)}${name}`);
}

/** Whether a text has the form of a key. */
export function isKey(text: string): boolean {
  return text.length <= 512 && keyForm.test(text);
}

/**
 * Returns a key as it is.
 * @throws Error for any other text: a caller has a bug, or someone tries to get out of the storage.
 */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`'${key}' can't be the key of a file in storage`);
  return key;
}
