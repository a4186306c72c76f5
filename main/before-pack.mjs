/**
 * What electron-builder runs before it packs: the program that people install brings a current ffmpeg, or is not made. The one
 * of 2018, which a clone falls back on, is not packed at all. Runs while packing; knows nothing of the program.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** libavcodec of ffmpeg 5.0: from then on it may read files of strangers (server/engine/assets/old-ffmpeg.ts). */
const firstTrusted = [59, 18];
const names = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' };

/**
 * @param {{ electronPlatformName: string, packager: { projectDir: string } }} context
 * @throws when there is no ffmpeg to pack, or an old one; when packing for another system, whose native parts are not here.
 */
export default async function beforePack({ electronPlatformName, packager }) {
  if (electronPlatformName !== process.platform) {
    const name = names[electronPlatformName] ?? electronPlatformName;
    throw new Error(
      `Pack on ${name} itself: drawing library and ffmpeg here are for another system.`,
    );
  }
  const program = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  const file = path.join(packager.projectDir, 'node_modules', 'ffmpeg-static', program);
  if (!existsSync(file)) {
    throw new Error(
      `There is no current ffmpeg to pack: ${file} is missing. Its package downloads it when it is installed; ` +
        'npm rebuild ffmpeg-static tries again.',
    );
  }
  const { stdout, stderr } = await promisify(execFile)(file, ['-version'], { timeout: 30_000 });
  const version = /libavcodec\s+(\d+)\.\s*(\d+)\./.exec(stdout + stderr);
  if (version === null) throw new Error(`${file} did not answer as ffmpeg does.`);
  const [major, minor] = version.slice(1).map(Number);
  const isTrusted =
    major > firstTrusted[0] || (major === firstTrusted[0] && minor >= firstTrusted[1]);
  if (!isTrusted) throw new Error(`${file} is too old: ffmpeg 5 or newer is packed.`);
}
