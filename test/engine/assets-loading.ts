/** What the tests of the first phase share: a folder of their own, and loading documents from it. */
import { createCanvas } from '@napi-rs/canvas';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { AssetOptions, Assets } from '../../server/engine/assets/assets.ts';
import { loadAssets, type LoadTuning } from '../../server/engine/assets/load.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import type { Source } from '../../shared/renderscript/source.ts';

/** `useFolder` makes and removes it. */
export const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'assets-test-')));
export const mediaFolder = path.join(folder, 'media');

export const png = createCanvas(40, 30).toBuffer('image/png');
export const ffmpeg = await findFfmpeg(undefined);

let attempts = 0;
/** Milliseconds, short. */
export const times = {
  connect: 400,
  firstByte: 400,
  silence: 400,
  whole: 900,
  pauses: [5, 10],
  longestPause: 30,
};

/** Gives a test file the empty folder, which it shares with the others of its process. */
export function useFolder(): void {
  mkdirSync(mediaFolder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** Options with folders of their own. */
export function options(changes: Partial<AssetOptions> = {}): AssetOptions {
  return {
    workFolder: path.join(folder, `work-${++attempts}`),
    cacheFolder: path.join(folder, `cache-${attempts}`),
    mediaFolders: [mediaFolder],
    allowPrivateAddresses: true,
    ownPorts: [],
    pictureMegapixels: 100,
    mediaBytes: 4_000_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** A document with one element, named Photo. */
export const photo = (address: string, type = 'image'): Source => ({
  elements: [{ type, name: 'Photo', source: address }],
});

/** Loads a document as the engine does. */
export async function load(
  source: Source,
  changes: Partial<AssetOptions> = {},
  tuning: LoadTuning = {},
): Promise<Assets> {
  return loadAssets(source, options(changes), ffmpeg, { times, ...tuning });
}

/** The error that a render fails with. */
export async function failure(
  source: Source,
  changes: Partial<AssetOptions> = {},
  tuning: LoadTuning = {},
): Promise<RenderError> {
  const error = await load(source, changes, tuning).then(
    () => new Error('nothing was wrong'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof RenderError)) throw error;
  return error;
}
