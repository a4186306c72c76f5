/**
 * Phase 1: keeps old builds of ffmpeg away from strangers' files. The user put the files on this computer, or served by
 * it; files from elsewhere may attack a decoder, and versions before 5 have known faults that nobody fixes.
 */
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { Ffmpeg } from '../../ffmpeg.ts';
import { can, firstWith, type Release } from '../../ffmpeg-builds.ts';
import { sniffFile } from './sniff.ts';

const ability = 'read files from elsewhere';
/** Set to `allow` to accept the risk. */
const variable = 'FRAMEWRIGHT_OLD_FFMPEG';

/** Whether this ffmpeg reads only files of this computer. */
export function readsOwnFilesOnly(build: Release): boolean {
  return !can(build, ability) && process.env[variable] !== 'allow';
}

/** Whether an ffmpeg may read a fetched file. */
export function mayRead(source: string, ffmpeg: Ffmpeg): boolean {
  return !isFromElsewhere(source) || !readsOwnFilesOnly(ffmpeg);
}

/**
 * Checks whether a fetched file may be read; pictures always may, since ffmpeg does not read them.
 *
 * @param source The address as in the document.
 * @throws RenderError `media_refused`.
 */
export async function refuseForOldFfmpeg(
  source: string,
  filePath: string,
  ffmpeg: Ffmpeg | null,
): Promise<void> {
  if (ffmpeg === null || mayRead(source, ffmpeg)) return;
  const format = await sniffFile(filePath);
  if (format?.kind !== 'media') return;
  throw new RenderError(
    'media_refused',
    `ffmpeg ${ffmpeg.major}.${ffmpeg.minor} is too old to read files from other computers safely: install ffmpeg ` +
      `${firstWith(ability)} or newer, or set ${variable}=allow`,
  );
}

function isFromElsewhere(source: string): boolean {
  if (!URL.canParse(source)) return false;
  const { protocol, hostname } = new URL(source);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
