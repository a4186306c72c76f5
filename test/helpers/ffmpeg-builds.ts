/**
 * The ffmpegs of this machine. The start of an installed one costs as much as a small film (see
 * test/packaged-ffmpeg.mjs), so it gets the rows that a table names for it; in the long form, all.
 */
import { spawnSync } from 'node:child_process';
import { findFfmpeg, type Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { packagedFfmpeg } from '../packaged-ffmpeg.mjs';
import { named } from './long.ts';

const packagedName = 'the packaged build';

/** The one that tests use where its version means nothing; test/packaged-ffmpeg.mjs says which. */
export const usual = await findFfmpeg(undefined);

async function findBuilds(): Promise<[name: string, build: Ffmpeg][]> {
  const packaged = packagedFfmpeg();
  const isInstalled = spawnSync('ffmpeg', ['-version']).status === 0;
  const builds: [string, Ffmpeg][] = [];
  if (packaged !== undefined) builds.push([packagedName, await findFfmpeg(packaged)]);
  if (isInstalled) builds.push(['the installed build', await findFfmpeg('ffmpeg')]);
  // A named one may be neither.
  if (!builds.some(([, { path }]) => path === usual.path) && usual.path !== 'ffmpeg')
    builds.push(['the usual build', usual]);
  return builds;
}

/** Every one with its name, the packaged first. */
export const builds = await findBuilds();

/**
 * The rows of a table that a build is tried with: the packaged one with all, another with the named ones. Alone, any
 * has all.
 *
 * @param names Rows that once differed between the versions, or whose formats do.
 */
export function rowsFor<T extends readonly [name: string, ...rest: unknown[]]>(
  build: string,
  rows: readonly T[],
  names: readonly string[],
): T[] {
  return build === packagedName || builds.length === 1 ? [...rows] : named(rows, names);
}
