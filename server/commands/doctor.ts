/**
 * `framewright doctor`: checks what the program needs on this computer and says for each item what it found and what to
 * do. Changes nothing. Plain Node; may import the engine, and opens no store.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import packageFile from '../../package.json' with { type: 'json' };
import { isStill, outputFormats, videoCodecNames } from '../../shared/renderscript/formats.ts';
import { encoderName } from '../../shared/hardware.ts';
import { outputLimits, windowPort } from '../../shared/limits.ts';
import { commandRows } from './command-rows.ts';
import { readOptions } from './option-rows.ts';
import { readsOwnFilesOnly } from '../engine/assets/examine/old-ffmpeg.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { lackedEncoders } from '../engine/encode/film-formats.ts';
import { tryFamilies } from '../engine/encode/hardware-trial.ts';
import { findFfmpeg, type Ffmpeg } from '../engine/ffmpeg.ts';
import { fontFolder, defaultDataFolder } from '../system/paths.ts';
import { exists } from '../system/files.ts';

/** `wrong`: something will not work; `note`: it works, with a limit worth knowing. */
interface Finding {
  readonly state: 'ok' | 'note' | 'wrong';
  readonly what: string;
  readonly found: string;
  /** What to do; absent when all is well. */
  readonly advice?: string;
}

interface Places {
  readonly dataFolder: string;
  readonly outputFolder: string;
  readonly port: number;
  readonly ffmpeg: string | undefined;
}

/** ffmpeg's decoders for the videos and sounds that people bring. */
const wantedDecoders = ['h264', 'hevc', 'vp8', 'vp9', 'av1', 'prores', 'aac', 'mp3', 'opus'];
/** Where ffmpeg has several decoders for one format. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  av1: ['libdav1d', 'libaom-av1'],
  vp8: ['libvpx'],
  vp9: ['libvpx-vp9'],
  opus: ['libopus'],
};

/** Runs it. @returns the exit status: 1 when something will not work. */
export async function doctorCommand(args: readonly string[]): Promise<number> {
  const { values } = readOptions(commandRows.doctor, args);
  const dataFolder = path.resolve(values.data ?? defaultDataFolder());
  const places: Places = {
    dataFolder,
    outputFolder: path.resolve(values.output ?? path.join(dataFolder, 'output')),
    port: Number(values.port ?? '4820'),
    ffmpeg: values.ffmpeg,
  };
  const findings = await examine(places);
  const width = Math.max(...findings.map(({ what }) => what.length));
  const marks = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' };
  for (const { state, what, found, advice } of findings) {
    console.log(`${marks[state]}  ${what.padEnd(width)}  ${found}`);
    if (advice !== undefined) console.log(`${' '.repeat(width + 9)}→ ${advice}`);
  }
  return findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}

async function examine(places: Places): Promise<Finding[]> {
  return [
    {
      state: 'ok',
      what: 'Framewright',
      found: `${packageFile.version}, Node ${process.versions.node}, ${os.type()} ${os.release()} ${os.arch()}`,
    },
    ...(await ffmpegFindings(places.ffmpeg)),
    await drawing(),
    await fonts(),
    await folder('Data folder', places.dataFolder, '--data'),
    await folder('Output folder', places.outputFolder, '--output'),
    await space(places.outputFolder),
    await port('API port', places.port, 'Name another one with --port.'),
    await port('Window port', windowPort, 'The window takes another one by itself.'),
  ];
}

async function ffmpegFindings(chosen: string | undefined): Promise<Finding[]> {
  const what = 'ffmpeg';
  let ffmpeg: Ffmpeg;
  try {
    ffmpeg = await findFfmpeg(chosen);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const advice = 'Install ffmpeg 5 or newer. Until then films wait; pictures are still made.';
    return [{ state: 'wrong', what, found: error.message, advice }];
  }
  const found = `${ffmpeg.major}.${ffmpeg.minor}, ${ffmpeg.path}, ${originOf(ffmpeg, chosen)}`;
  const first: Finding = readsOwnFilesOnly(ffmpeg)
    ? {
        state: 'note',
        what,
        found,
        advice:
          'Too old to read videos and sounds from other computers safely; those of this computer it reads. Install ffmpeg 5 or newer.',
      }
    : { state: 'ok', what, found };
  const { stdout } = await promisify(execFile)(ffmpeg.path, ['-hide_banner', '-decoders'], {
    maxBuffer: 1 << 22,
  }).catch(() => ({ stdout: '' }));
  const has = (name: string): boolean => new RegExp(`^ [A-Z.]{6} ${name} `, 'm').test(stdout);
  const missing = wantedDecoders.filter(
    (name) => ![name, ...(otherNames[name] ?? [])].some((one) => has(one)),
  );
  const codecs = 'Codecs';
  const cage = cageFinding(ffmpeg);
  const rest = [formatsFinding(ffmpeg), await hardwareFinding(ffmpeg), cage];
  if (missing.length === 0) {
    const found = `reads ${wantedDecoders.join(', ')}`;
    return [first, { state: 'ok', what: codecs, found }, ...rest];
  }
  const lacks = `this ffmpeg does not read ${missing.join(', ')}`;
  const advice = 'Documents with such files fail and say so; a full build of ffmpeg reads them.';
  return [first, { state: 'note', what: codecs, found: lacks, advice }, ...rest];
}

/** What this ffmpeg can make beside pictures, and what it lacks for the others. */
function formatsFinding(ffmpeg: Ffmpeg): Finding {
  const what = 'Formats';
  const made = outputFormats
    .filter((format) => !isStill(format))
    .map((format) => ({ name: format, format }));
  const coded = videoCodecNames
    .slice(1)
    .map((videoCodec) => ({ name: `mp4 of ${videoCodec}`, format: 'mp4', videoCodec }) as const);
  const all = [...made, ...coded];
  const lacking = all.flatMap(({ name, ...file }) => {
    const names = lackedEncoders(ffmpeg, file);
    return names.length === 0 ? [] : [`${name}: ${names.join(' and ')}`];
  });
  const written = all.map(({ name }) => name).join(', ');
  if (lacking.length === 0) return { state: 'ok', what, found: `writes ${written}` };
  const found = `this ffmpeg lacks encoders (${lacking.join('; ')})`;
  const advice = 'Renders of such a format fail and say so; a full build of ffmpeg makes them.';
  return { state: 'note', what, found, advice };
}

/** Which encoders of hardware code a second of a test picture here, and why the others don't. */
async function hardwareFinding(ffmpeg: Ffmpeg): Promise<Finding> {
  const what = 'Hardware';
  const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-doctor-'));
  try {
    const { signal } = new AbortController();
    const place = { cacheFolder: folder, workFolder: folder, signal };
    const trials = await tryFamilies(ffmpeg, null, place);
    const tried = trials.flatMap(({ family, codecs }) =>
      codecs.map(({ codec, reason }) => ({ name: encoderName(codec, family), reason })),
    );
    const works = tried.flatMap(({ name, reason }) => (reason === null ? [name] : []));
    const fails = tried.flatMap(({ name, reason }) =>
      reason === null ? [] : [`${name}: ${reason}`],
    );
    const first =
      works.length === 0 ? 'no encoder of hardware works here' : `codes with ${works.join(', ')}`;
    const rest = fails.length === 0 ? '' : ` (${fails.join('; ')})`;
    const found = `${first}${rest}`;
    if (works.length === 0) return { state: 'ok', what, found: `${found}; films need none` };
    const advice = 'Faster than software, with larger files: framewright settings set encode_with';
    return { state: 'ok', what, found, advice };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the system keeps ffmpeg from; the window's settings say it in one sentence (`settings.ffmpeg.cage`). */
function cageFinding({ cage }: Ffmpeg): Finding {
  const what = 'Cage';
  const has = [
    ...(cage && cage.network.length > 0 ? ['no network (unshare)'] : []),
    ...(cage?.most ? ['limits of memory and files (prlimit)'] : []),
    ...(cage && cage.lifeline.length > 0 ? ['the same end as its worker (setpriv)'] : []),
  ];
  const list = new Intl.ListFormat('en').format(has);
  if (has.length === 3) return { state: 'ok', what, found: `ffmpeg has ${list}` };
  const found =
    has.length === 0
      ? 'the system bounds neither network nor memory nor life of ffmpeg; Framewright does it alone'
      : `ffmpeg has ${list}; nothing more from the system`;
  return { state: 'note', what, found };
}

/** Where an ffmpeg came from, in search order. */
function originOf({ path: file }: Ffmpeg, chosen: string | undefined): string {
  if (chosen !== undefined) return 'named by --ffmpeg';
  if (process.env['FFMPEG_PATH']) return 'named by FFMPEG_PATH';
  const parts = file.split(path.sep);
  if (parts.includes('ffmpeg-static')) return 'from the package ffmpeg-static';
  if (parts.includes('@ffmpeg-installer')) return 'from the package @ffmpeg-installer/ffmpeg';
  return 'from the PATH';
}

async function drawing(): Promise<Finding> {
  const what = 'Drawing';
  try {
    const { createCanvas } = await import('@napi-rs/canvas');
    const context = createCanvas(1, 1).getContext('2d');
    context.fillStyle = '#ff0000';
    context.fillRect(0, 0, 1, 1);
    if (context.getImageData(0, 0, 1, 1).data[0] === 255) {
      return { state: 'ok', what, found: 'the drawing library works' };
    }
    const advice = 'Install the packages on this computer again: npm ci';
    return { state: 'wrong', what, found: 'the drawing library draws nothing', advice };
  } catch (error) {
    return {
      state: 'wrong',
      what,
      found: `the drawing library does not load: ${wordsOf(error)}`,
      advice: 'Install the packages on this computer: npm ci',
    };
  }
}

const fontList = z.object({ families: z.array(z.unknown()) });

async function fonts(): Promise<Finding> {
  const what = 'Fonts';
  const file = path.join(fontFolder(), 'fonts.json');
  try {
    const { families } = fontList.parse(JSON.parse(await readFile(file, 'utf8')));
    return { state: 'ok', what, found: `${families.length} families in ${fontFolder()}` };
  } catch (error) {
    const found = `${file} can't be read: ${wordsOf(error)}`;
    return { state: 'wrong', what, found, advice: 'Build again: npm run build' };
  }
}

/** The folder, or where it would be made. */
async function folder(what: string, place: string, option: string): Promise<Finding> {
  const at = await nearestFolder(place);
  const isWritable = await access(at, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    const advice = `Give this user the right to write ${at}, or name another folder with ${option}.`;
    return { state: 'wrong', what, found: `${place} can't be written`, advice };
  }
  return { state: 'ok', what, found: at === place ? place : `${place} (made at the first start)` };
}

async function nearestFolder(place: string): Promise<string> {
  for (let at = place; ; at = path.dirname(at)) {
    if ((await exists(at)) || at === path.dirname(at)) return at;
  }
}

async function space(place: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(await nearestFolder(place));
  const free = bavail * bsize;
  const found = `${(free / 1e9).toFixed(1)} GB free`;
  if (free > outputLimits.freeBytes) return { state: 'ok', what: 'Disk', found };
  const advice = `Make room: below ${outputLimits.freeBytes / 1e9} GB renders wait.`;
  return { state: 'wrong', what: 'Disk', found, advice };
}

async function port(what: string, number: number, advice: string): Promise<Finding> {
  if (!Number.isInteger(number) || number < 0 || number > 65_535) {
    const found = 'is no number from 0 to 65535';
    return { state: 'wrong', what, found, advice: 'Name one with --port.' };
  }
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(number, '127.0.0.1', () => resolve(null));
  });
  server.close();
  if (code === null) return { state: 'ok', what, found: `${number} is free` };
  const found =
    code === 'EADDRINUSE'
      ? `${number} is taken: by a running Framewright, or by another program`
      : `${number} can't be opened (${code})`;
  return { state: 'note', what, found, advice };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
