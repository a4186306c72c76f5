/**
 * The ffmpeg that npm brings: one of 2018 in one file, which starts 50 times as fast as one of Debian's, of two hundred
 * libraries.
 */
import { createRequire } from 'node:module';

/** Its path; undefined where npm has none for this system. */
export function packagedFfmpeg() {
  try {
    return createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path;
  } catch {
    return undefined;
  }
}

/**
 * What tests are given in `FFMPEG_PATH`: the packaged one, for those to which its version means nothing. One that is
 * named for all tests stays.
 */
export function quickFfmpeg() {
  if (process.env.FFMPEG_PATH !== undefined) return {};
  const found = packagedFfmpeg();
  return found === undefined ? {} : { FFMPEG_PATH: found };
}
