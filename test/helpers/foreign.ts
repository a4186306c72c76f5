/** Documents from elsewhere in tests, changed to use local media. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type Json, type Source } from '../../shared/renderscript/source.ts';

/** Reads a document from a file. */
export function readJson(file: string): Source {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${file} should hold an object`);
  return value;
}

/** Makes a folder of media that replace those on the internet. */
export function makePlaceholders(placeholders: string, ffmpegPath: string): void {
  mkdirSync(placeholders);
  const run = (file: string, ...words: string[]): void => {
    execFileSync(ffmpegPath, [
      ...['-y', '-loglevel', 'error'],
      ...words,
      path.join(placeholders, file),
    ]);
  };
  const clip = (file: string, picture: string): void =>
    run(
      file,
      ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=f=440:d=8', '-shortest'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    );
  clip('wide.mp4', 'color=s=1280x720:r=30:d=8');
  clip('tall.mp4', 'color=s=720x1280:r=25:d=6');
  run('photo.jpg', ...['-f', 'lavfi', '-i', 'mandelbrot=s=1600x1067', '-frames:v', '1']);
  run(
    'logo.png',
    ...['-f', 'lavfi', '-i', 'color=c=orange@0.8:s=600x400,format=rgba'],
    '-frames:v',
    '1',
  );
  run('loop.gif', ...['-f', 'lavfi', '-i', 'testsrc=s=320x240:r=10:d=2']);
  run('music.mp3', ...['-f', 'lavfi', '-i', 'sine=f=220:d=24']);
}

let clips = 0;

/** A document with the placeholder files as its media. */
export function localised(source: Source): Source {
  const { type, source: address, provider, ...rest } = source;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, value === undefined ? value : inside(value)]),
  );
  const name =
    typeof type === 'string' && typeof address === 'string' && address !== ''
      ? placeholderFor(type, address)
      : null;
  return {
    ...(type !== undefined && { type }),
    ...(name !== null ? { source: name } : address !== undefined && { source: address }),
    ...(provider !== undefined && name === null && { provider }),
    ...inner,
  };
}

function inside(value: Json): Json {
  if (Array.isArray(value)) return value.map((part: Json) => inside(part));
  return isJsonObject(value) ? localised(value) : value;
}

function placeholderFor(type: string, address: string): string | null {
  const [, ending = ''] = /\.(png|gif|svg)(?:$|[?#])/i.exec(address) ?? [];
  if (type === 'audio') return 'music.mp3';
  if (type === 'video') return clips++ % 3 === 2 ? 'tall.mp4' : 'wide.mp4';
  if (type !== 'image') return null;
  return { png: 'logo.png', gif: 'loop.gif' }[ending.toLowerCase()] ?? 'photo.jpg';
}
