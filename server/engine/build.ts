/**
 * What a computer's pixels and files follow from besides a document: ffmpeg and x264, the drawing library, the shipped
 * fonts. Two with the same make the same pieces of a film. Runs in the worker.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runFfmpeg, type Ffmpeg } from './ffmpeg.ts';

/** See above. Names of versions, as the programs themselves give them. */
export interface EngineBuild {
  /** libavcodec's and libavformat's, which tell more than ffmpeg's own: `Lavc59.37.100 Lavf59.27.100`. */
  readonly ffmpeg: string;
  /** `164 r3095 baee400` */
  readonly x264: string;
  /** The drawing library and the kind of processor: `1.1.1 linux x64`. */
  readonly drawing: string;
  /** Hash of the list of shipped fonts and of the sizes of their files. */
  readonly fonts: string;
}

/** Programs and fonts stay the same as long as the worker runs. By what was asked for. */
const builds = new Map<string, Promise<EngineBuild>>();
const drawings = new Map<string, DrawingBuild>();

/** Finds it out, once: that takes a tenth of a second. @throws RenderError if ffmpeg can't code a picture. */
export function engineBuild(ffmpeg: Ffmpeg, fontFolder: string): Promise<EngineBuild> {
  const key = `${ffmpeg.path}\n${fontFolder}`;
  const known = builds.get(key);
  if (known) return known;
  const build = findBuild(ffmpeg, fontFolder);
  builds.set(key, build);
  build.catch(() => builds.delete(key));
  return build;
}

async function findBuild(ffmpeg: Ffmpeg, fontFolder: string): Promise<EngineBuild> {
  const report = await runFfmpeg(ffmpeg, [
    ...['-loglevel', 'info', '-protocol_whitelist', 'file,pipe'],
    ...['-f', 'lavfi', '-i', 'color=s=64x64:r=25:d=0.04', '-c:v', 'libx264', '-f', 'mp4'],
    ...['-movflags', 'empty_moov', '-y', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ]);
  const coder = /Lavc[\d.]+/.exec(report)?.[0] ?? 'unknown';
  const writer = /Lavf[\d.]+/.exec(report)?.[0] ?? 'unknown';
  return {
    ffmpeg: `${coder} ${writer}`,
    x264: /264 - core (.+?) - H\.264/.exec(report)?.[1] ?? 'unknown',
    ...drawingBuild(fontFolder),
  };
}

/** How the library of an encoder says its version while it codes; others are parts of ffmpeg, or say none. */
const versions: Readonly<Record<string, RegExp>> = {
  libx265: /HEVC encoder version (\S+)/,
  libsvtav1: /SVT-AV1 Encoder Lib (\S+)/,
  'libvpx-vp9': /\[libvpx-vp9 @ \w+\] (v\d\S*)/,
};
/** By program and encoder. */
const encoders = new Map<string, Promise<string>>();

/**
 * The name and version of an encoder, found out once: `libx265 3.5+1`. Null: ffmpeg's own, x264, or one that doesn't
 * say it.
 */
export async function encoderVersion(ffmpeg: Ffmpeg, name: string): Promise<string | null> {
  const said = versions[name];
  if (!said) return null;
  const key = `${ffmpeg.path}\n${name}`;
  const report =
    encoders.get(key) ??
    runFfmpeg(ffmpeg, [
      ...['-loglevel', 'info', '-protocol_whitelist', 'file,pipe'],
      ...['-f', 'lavfi', '-i', 'color=s=64x64:r=25:d=0.04', '-c:v', name, '-f', 'null', '-'],
    ]);
  encoders.set(key, report);
  report.catch(() => encoders.delete(key));
  const version = said.exec(await report)?.[1];
  return `${name} ${version ?? 'unknown'}`;
}

/** What pictures without ffmpeg follow from. */
type DrawingBuild = Pick<EngineBuild, 'drawing' | 'fonts'>;

/** Finds it out, once: looking at all shipped fonts takes as long as half a picture. */
export function drawingBuild(fontFolder: string): DrawingBuild {
  const build = drawings.get(fontFolder) ?? {
    drawing: `${canvasVersion()} ${process.platform} ${process.arch}`,
    fonts: fontsOf(fontFolder),
  };
  drawings.set(fontFolder, build);
  return build;
}

function canvasVersion(): string {
  const facts = createRequire(import.meta.url)('@napi-rs/canvas/package.json') as {
    version: string;
  };
  return facts.version;
}

function fontsOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  for (const name of files) {
    const facts = statSync(path.join(folder, name));
    if (facts.isFile()) hash.update(`${name.replaceAll('\\', '/')} ${facts.size}\n`);
  }
  hash.update(readFileSync(path.join(folder, 'fonts.json')));
  return hash.digest('hex').slice(0, 12);
}
