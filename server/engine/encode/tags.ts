/**
 * Tags: the template that a file was made from, written where players and picture viewers look for it. Nothing else
 * about the render: no keys, paths, dates or versions, so that equal renders stay equal files.
 */
import { crc32 } from 'node:zlib';
import type { PictureFormat } from '../../../shared/renderscript/formats.ts';

/** A template as named in a file. */
export interface MadeFrom {
  readonly id: string;
  readonly name: string;
}

/** What is written. */
export interface FileTags {
  readonly title: string;
  readonly comment: string;
}

/** Characters of a title: a format's block may be short. */
const longest = 200;

/** The tags of a file; null for a document without a template. */
export function tagsOf(template: MadeFrom | undefined): FileTags | null {
  if (!template) return null;
  return {
    title: plain(template.name),
    comment: `Made with Framewright from template ${plain(template.id)}`,
  };
}

/** One line without control characters. */
function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- they are what is taken out
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return Array.from(line).slice(0, longest).join('');
}

/** Options for a film; an argument list, so nothing in a name can become another option. */
export function tagArguments(tags: FileTags | null): string[] {
  if (!tags) return [];
  return ['-metadata', `title=${tags.title}`, '-metadata', `comment=${tags.comment}`];
}

/** Adds tags to the bytes of a file, for each picture format. */
export const tagged: Readonly<Record<PictureFormat, (file: Buffer, tags: FileTags) => Buffer>> = {
  jpg: (file, tags) => insert(file, endOfMarkers(file), jpgComment(textOf(tags))),
  // Right after the header, which is always 33 bytes.
  png: (file, { title, comment }) =>
    insert(file, 33, Buffer.concat([pngText('Title', title), pngText('Comment', comment)])),
  gif: (file, tags) => insert(file, file.length - 1, gifComment(textOf(tags))),
  // Their metadata stands for a camera's; viewers show no title of it.
  webp: (file) => file,
  'webp-animated': (file) => file,
  avif: (file) => file,
};

/** In lines, for formats with one text. */
export function textOf({ title, comment }: FileTags): Buffer {
  return Buffer.from(`${title}\n${comment}`, 'utf8');
}

function insert(file: Buffer, at: number, bytes: Buffer): Buffer {
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}

/** Where the application markers (JFIF, colour profile) at the start of a jpg end. */
function endOfMarkers(file: Buffer): number {
  let at = 2;
  while (file[at] === 0xff && ((file[at + 1] ?? 0) & 0xf0) === 0xe0)
    at += 2 + file.readUInt16BE(at + 2);
  return at;
}

function jpgComment(text: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xfe, 0, 0]);
  head.writeUInt16BE(text.length + 2, 2);
  return Buffer.concat([head, text]);
}

/** An international text chunk: keyword, no compression, no language, UTF-8. */
export function pngText(keyword: string, text: string): Buffer {
  const content = Buffer.from(`iTXt${keyword}\0\0\0\0\0${text}`, 'utf8');
  const chunk = Buffer.alloc(content.length + 8);
  chunk.writeUInt32BE(content.length - 4, 0);
  content.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(content), chunk.length - 4);
  return chunk;
}

/** Comments are cut into blocks of up to 255 bytes. */
function gifComment(text: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x21, 0xfe])];
  for (let at = 0; at < text.length; at += 255) {
    const block = text.subarray(at, at + 255);
    parts.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}
