/** A .lottie file, a zip with animations and pictures, as one animation. Phase 1, in the worker. */
import { Unzip, UnzipInflate } from 'fflate';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { lottieLimits } from '../../../../shared/limits.ts';
import { isNode, nodesIn, refuseMore, type LottieNode } from './lottie-tree.ts';

/** An animation's text, and the pictures that lie beside it, by their names. */
export interface UnpackedLottie {
  readonly text: string;
  readonly pictures: ReadonlyMap<string, Buffer>;
  /** How many animations the archive has. */
  readonly animations: number;
  /** The name of this one; empty without an archive. */
  readonly name: string;
}

/** Bytes that are unpacked at a time: those that come out of them are counted before the next. */
const step = 16 * 1024;
/** Files of an archive. */
const mostEntries = 1_000;

/** True for the first bytes of a .lottie file. */
export function isLottieArchive(head: Buffer): boolean {
  if (head.length < 30 || !head.toString('latin1', 0, 4).startsWith('PK\x03\x04')) return false;
  const name = head.toString('latin1', 30, 30 + head.readUInt16LE(26));
  return name === 'manifest.json' || /^(?:animations|images|a|i)\//.test(name);
}

/** @throws RenderError with the reason alone */
export function unpackLottie(bytes: Buffer): UnpackedLottie {
  if (bytes.length > lottieLimits.bytes) throw tooLarge();
  const plain = { pictures: new Map<string, Buffer>(), animations: 1, name: '' };
  if (!isLottieArchive(bytes)) return { ...plain, text: bytes.toString('utf8') };
  const entries = unzip(bytes);
  const names = [...entries.keys()].filter((name) => /^(?:animations|a)\/.+\.json$/.test(name));
  const chosen = activeName(entries.get('manifest.json'));
  const name = names.find((one) => one.endsWith(`/${chosen}.json`)) ?? names[0];
  const text = name === undefined ? undefined : entries.get(name)?.toString('utf8');
  if (name === undefined || text === undefined)
    throw new RenderError('media_unreadable', 'The archive has no Lottie animation in it');
  const pictures = [...entries].flatMap(([path, data]): [string, Buffer][] =>
    /^(?:images|i)\//.test(path) ? [[path.slice(path.indexOf('/') + 1), data]] : [],
  );
  return { text, pictures: new Map(pictures), animations: names.length, name };
}

function tooLarge(): RenderError {
  const most = Math.round(lottieLimits.bytes / 1024 ** 2);
  return new RenderError('limit_exceeded', `The Lottie animation has more than ${most} MB`);
}

function unzip(bytes: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer[]>();
  let left: number = lottieLimits.bytes;
  const reader = new Unzip((file) => {
    const parts: Buffer[] = [];
    refuseMore('files in its archive', entries.size + 1, mostEntries);
    entries.set(file.name, parts);
    file.ondata = (error, part) => {
      if (error) throw error;
      left -= part.length;
      if (left < 0) throw tooLarge();
      parts.push(Buffer.from(part));
    };
    file.start();
  });
  reader.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += step)
      reader.push(bytes.subarray(at, at + step), at + step >= bytes.length);
  } catch (cause) {
    if (cause instanceof RenderError) throw cause;
    const message = 'The .lottie file is damaged, or locked with a password';
    throw new RenderError('media_unreadable', message, { cause });
  }
  return new Map([...entries].map(([name, parts]) => [name, Buffer.concat(parts)]));
}

/** The animation that the manifest names, or its first. */
function activeName(manifest: Buffer | undefined): string {
  const parsed = manifest === undefined ? null : parseNode(manifest.toString('utf8'));
  if (!parsed) return '';
  const { activeAnimationId, initial } = parsed;
  const first = nodesIn(parsed['animations'])[0]?.['id'];
  const named = isNode(initial) ? initial['animation'] : activeAnimationId;
  return [named, first].find((name) => typeof name === 'string') ?? '';
}

/** A JSON object; null for anything else. */
export function parseNode(text: string): LottieNode | null {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isNode(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
