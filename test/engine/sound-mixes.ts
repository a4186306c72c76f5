/** Mixes of documents in tests, before any coding. */
import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import { mixSounds } from '../../server/engine/encode/audio.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { usual } from '../helpers/ffmpeg-builds.ts';
import { sidesOf, type Sides } from '../helpers/media.ts';

/** Compiles a document whose files are in `folder` and mixes its sound. @param duration seconds */
export async function mixIn(
  folder: string,
  duration: number,
  elements: readonly JsonObject[],
  ffmpeg = usual,
): Promise<Sides> {
  const files = new Map<string, string>();
  const find = (list: readonly JsonObject[]): void =>
    list.forEach(({ source, elements: inside }) => {
      if (typeof source === 'string') files.set(source, path.join(folder, source));
      if (Array.isArray(inside)) find(inside as JsonObject[]);
    });
  find(elements);
  const media = new Map(
    await Promise.all(
      [...files].map(async ([name, file]) => [name, await probeFile(file, ffmpeg)] as const),
    ),
  );
  const source = { output_format: 'mp4', width: 32, height: 32, duration, elements };
  const { sounds } = compileTimeline(source, { media, scaling: {} });
  const workFolder = mkdtempSync(path.join(folder, 'work-'));
  const signal = new AbortController().signal;
  const mix = await mixSounds(sounds, { paths: files, duration, ffmpeg, workFolder, signal });
  if (!mix) throw new Error('nothing sounds');
  const bytes = readFileSync(mix.path).subarray(58);
  const both = new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  );
  return sidesOf(both);
}
