/**
 * What electron-builder runs before it packs: the program that people install brings a current ffmpeg and, on macOS,
 * the parts of both processors, or is not made. The ffmpeg of 2018, which a clone falls back on, is not packed at all.
 * Runs while packing; knows nothing of the program.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * libavcodec of ffmpeg 5.0: from then on it may read files of strangers (server/engine/assets/examine/old-ffmpeg.ts).
 */
const firstTrusted = [59, 18];
const names = { darwin: 'macOS', linux: 'Linux', win32: 'Windows' };

/**
 * @param {{
 *   electronPlatformName: string,
 *   targets: readonly object[],
 *   appOutDir: string,
 *   packager: { projectDir: string, platformSpecificBuildOptions: { identity?: string } },
 * }} context
 * @throws when there is no ffmpeg to pack, or an old one; when packing for another system, whose native parts are not
 * here.
 */
export default async function beforePack({ electronPlatformName, targets, appOutDir, packager }) {
  chooseSignature(electronPlatformName, packager.platformSpecificBuildOptions);
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
  // `--dir` makes no installer: its program is for this computer alone, unless `--universal` asks for more.
  const isUniversal = targets.length > 0 || path.basename(appOutDir).includes('universal');
  if (process.platform === 'darwin' && isUniversal) {
    requireBothProcessors(packager.projectDir, file);
  }
  const { stdout, stderr } = await promisify(execFile)(file, ['-version'], { timeout: 30_000 });
  const version = /libavcodec\s+(\d+)\.\s*(\d+)\./.exec(stdout + stderr);
  if (version === null) throw new Error(`${file} did not answer as ffmpeg does.`);
  const [major, minor] = version.slice(1).map(Number);
  const isTrusted =
    major > firstTrusted[0] || (major === firstTrusted[0] && minor >= firstTrusted[1]);
  if (!isTrusted) throw new Error(`${file} is too old: ffmpeg 5 or newer is packed.`);
}

/**
 * The settings sign ad hoc; a certificate that the environment names is looked for by electron-builder when they say
 * nothing.
 */
function chooseSignature(platform, options) {
  const { CSC_LINK = '', CSC_NAME = '' } = process.env;
  if (platform === 'darwin' && (CSC_LINK !== '' || CSC_NAME !== '')) delete options.identity;
}

/** Processors of Macs, as native packages name them, with their numbers in programs. */
const processors = { x64: 0x01000007, arm64: 0x0100000c };

/**
 * @param {string} root
 * @param {string} ffmpeg
 * @throws when a part of a universal program is there for one processor only
 */
export function requireBothProcessors(root, ffmpeg) {
  const has = processorsOf(ffmpeg);
  for (const [name, number] of Object.entries(processors)) {
    const canvas = path.join('node_modules', '@napi-rs', `canvas-darwin-${name}`);
    if (!existsSync(path.join(root, canvas))) {
      throw new Error(`A universal program needs ${canvas}: node main/mac-parts.mjs fetches it.`);
    }
    if (!has.includes(number)) {
      throw new Error(
        `A universal program needs an ffmpeg for ${name}, too: node main/mac-parts.mjs makes one of both.`,
      );
    }
  }
}

/** Numbers of the processors that a universal program is for; none for a program of one alone. */
function processorsOf(file) {
  const bytes = readFileSync(file);
  if (bytes.length < 8 || bytes.readUInt32BE(0) !== 0xcafebabe) return [];
  const places = Array.from({ length: bytes.readUInt32BE(4) % 64 }, (_, at) => 8 + at * 20);
  return places.filter((at) => at + 4 <= bytes.length).map((at) => bytes.readUInt32BE(at));
}
