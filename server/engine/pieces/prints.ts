/**
 * Prints: short texts that stand for everything that something follows from. Frames with the same print have the same
 * pixels in the encoder's format; pieces and sounds with the same print are the same files. Runs in a worker.
 *
 * A frame is what its boxes are after layout, so a print needs only the names in them resolved: files by their content,
 * fonts by their files, decoded videos by their size. Where an element stands in the document, what it is called and
 * when the frame is shown don't matter.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type {
  Box,
  Content,
  Frame,
  MediaContent,
  TextRun,
} from '../../../shared/engine/layout/box.ts';
import { motionKind } from '../../../shared/engine/paint/motion.ts';
import { contentDigest } from '../../system/files.ts';
import { engineBuild } from '../build.ts';
import { audibleSounds } from '../encode/audio.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import type { FramePlan, FrameRange } from '../plan.ts';
import type { RenderJob } from '../render-job.ts';
import type { Stage } from '../stage.ts';

/** Raise it when the same frames or sounds would become other files. */
const version = 1;

/** The prints of one film. */
export interface Prints {
  /** The print of each piece in turn. @param frames In order, all of the film. @param ranges Likewise. */
  pieces(
    frames: Iterable<FramePlan>,
    ranges: readonly FrameRange[],
    signal: AbortSignal,
  ): AsyncIterableIterator<string>;
  /** Of its whole sound. */
  sound(): string;
}

/**
 * Reads what the prints of a film follow from beside its frames.
 *
 * @param isOneProcess As in `Split`.
 */
export async function openPrints(
  job: RenderJob,
  stage: Stage,
  ffmpeg: Ffmpeg,
  isOneProcess: boolean,
): Promise<Prints> {
  const { timeline } = stage;
  const { assets } = stage.materials;
  const programs = await programsOf(ffmpeg, job.fontFolder);
  const files = new Map<string, string>();
  for (const [source, { path: file }] of assets.media) files.set(source, await hashOf(file));
  for (const [source, file] of assets.luts ?? []) files.set(lutKey(source), await hashOf(file));
  const fonts = await Promise.all([...(assets.fonts ?? []).values()].map(hashOf));
  // Names of added fonts contain their contents' hashes.
  const added = (job.addedFonts ?? []).map((font) => path.basename(font.path));
  const ownFonts = digest([...fonts, ...added].toSorted().join());
  const { format, width, height, frameRate, crf, hasSlowGradients, loudness } = timeline.output;
  const settings = [version, programs, format, width, height, frameRate, crf, hasSlowGradients];
  const film = JSON.stringify([...settings, isOneProcess, timeline.width, timeline.height]);
  const printer = new FramePrinter(stage, files, ownFonts);
  return {
    async *pieces(planned, ranges, signal) {
      const frames = inTurns(planned, signal);
      for (const { first, end } of ranges) {
        const hash = createHash('sha256').update(film);
        let last: FramePlan | null = null;
        let print = '';
        for (let frame = first; frame < end; frame++) {
          const { value: plan } = await frames.next();
          if (!plan) throw new Error('a film has fewer frames than its pieces');
          if (plan.frame !== last?.frame || plan.ground !== last.ground)
            print = printer.print(plan);
          hash.update(print).update('\n');
          last = plan;
        }
        yield named(hash.digest('hex'));
      }
    },
    sound() {
      const duration = timeline.output.frameCount / frameRate;
      const sounds = audibleSounds(timeline.sounds, duration).map((sound) => [
        files.get(sound.source),
        { ...sound, path: '', name: '', source: '' },
      ]);
      return digest(JSON.stringify([version, programs, duration, loudness, sounds]));
    },
  };
}

/** How long frames are laid out before other events get their turn, milliseconds. */
const turn = 50;

async function* inTurns(
  frames: Iterable<FramePlan>,
  signal: AbortSignal,
): AsyncGenerator<FramePlan, undefined> {
  let since = performance.now();
  for (const plan of frames) {
    yield plan;
    if (performance.now() - since <= turn) continue;
    await nextTurn();
    signal.throwIfAborted();
    since = performance.now();
  }
  return undefined;
}

/** Of all that is not a document's: ours, ffmpeg, x264, the drawing library, the shipped fonts. */
async function programsOf(ffmpeg: Ffmpeg, fontFolder: string): Promise<string> {
  code ??= hashCode(path.dirname(fileURLToPath(import.meta.url)));
  return digest(JSON.stringify([await engineBuild(ffmpeg, fontFolder), await code]));
}

/** Our own code stays the same as long as it runs. */
let code: Promise<string> | undefined;

/** The hash of a folder's code, as the build puts it side by side: which file has what is the bundler's choice. */
export async function hashCode(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.m?[jt]s$/.test(name));
  const hash = createHash('sha256');
  for (const name of names.toSorted())
    hash.update(name).update(await readFile(path.join(folder, name)));
  return hash.digest('hex');
}

/** Writes frames as text, in which all that is drawn has its name resolved. */
class FramePrinter {
  readonly #stage: Stage;
  readonly #files: ReadonlyMap<string, string>;
  readonly #ownFonts: string;
  /** Contents that stand still keep their object. */
  readonly #contents = new WeakMap<Content, string>();

  constructor(stage: Stage, files: ReadonlyMap<string, string>, ownFonts: string) {
    this.#stage = stage;
    this.#files = files;
    this.#ownFonts = ownFonts;
  }

  print({ frame, ground }: FramePlan): string {
    if (!ground) return this.#frame(frame);
    const { elementPath, content, place, veil, graphics } = ground;
    return `over ${this.#media(content, elementPath)} ${written([place, veil])} ${this.#frame(graphics)}`;
  }

  #frame({ width, height, fill, boxes }: Frame): string {
    return `${written([width, height, fill])}${boxes.map((box) => this.#box(box)).join('')}`;
  }

  #box({ element, content, ...drawn }: Box): string {
    const { effects } = drawn;
    const lut = effects?.lut && {
      ...effects.lut,
      source: this.#files.get(lutKey(effects.lut.source)),
    };
    const named = lut ? { ...drawn, effects: { ...effects, lut } } : drawn;
    return `(${motionKind(element)} ${written(named)} ${this.#content(content, element.path)})`;
  }

  #content(content: Content, elementPath: string): string {
    if (content.kind === 'media') return this.#media(content, elementPath);
    if (content.kind === 'composition') {
      const { children, ...placed } = content;
      return `${written(placed)}[${children.map((box) => this.#box(box)).join('')}]`;
    }
    let known = this.#contents.get(content);
    if (known === undefined) {
      const fonts = content.kind === 'text' ? this.#fontsOf(content.pieces) : '';
      known = digest(`${written(content)} ${fonts}`);
      this.#contents.set(content, known);
    }
    return known;
  }

  #media({ source, ...placed }: MediaContent, elementPath: string): string {
    const { media, clipSizes } = this.#stage;
    // A vector picture's words are set in the document's own fonts.
    const { format = '' } = media.get(source) ?? {};
    const fonts = format === 'svg' || format === 'lottie' ? this.#ownFonts : '';
    const decoded = placed.media === 'video' ? clipSizes.get(elementPath) : undefined;
    return `${this.#files.get(source) ?? 'missing'} ${fonts} ${written([placed, decoded])}`;
  }

  #fontsOf(pieces: readonly { readonly runs: readonly TextRun[] }[]): string {
    const fonts = new Set(pieces.flatMap(({ runs }) => runs.map((run) => this.#fontOf(run))));
    return [...fonts].join();
  }

  /** The files that may draw a run. Those after its family's own only matter where that lacks a letter. */
  #fontOf({ text, font, emoji, around }: TextRun): string {
    const { fonts } = this.#stage;
    const chain = fonts.chain(font);
    const [main] = chain;
    const letters = Array.from(`${text}${around?.text ?? ''}`);
    const isWhole = !emoji && !letters.some((letter) => fonts.lacks(letter, font.family));
    const used = isWhole && main && main.faces.length > 0 ? [main] : chain;
    const names = used.map(({ alias, weight, style }) => `${alias} ${weight} ${style}`);
    const slants = /^italic/.test(fonts.css(font));
    return `${names.join()} ${slants} ${emoji === true && fonts.drawsEmoji}`;
  }
}

/** An address may lead to a picture elsewhere in the document. */
const lutKey = (source: string): string => `lut ${source}`;

/** Plain data as text; unlike JSON, every number has its own. */
function written(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'object': {
      if (value === null) return '-';
      if (Array.isArray(value)) return `[${value.map(written).join()}]`;
      let all = '';
      for (const [key, part] of Object.entries(value))
        if (part !== undefined) all += `${key}:${written(part)},`;
      return `{${all}}`;
    }
    default:
      return String(value);
  }
}

/** The print of a text. */
export function digest(content: string): string {
  return named(createHash('sha256').update(content).digest('hex'));
}

/** Long enough that no two of the same length of digits ever meet. */
function named(hash: string): string {
  return hash.slice(0, 40);
}

/** Hashes of files read lately, by path and what changes with the content: films often have the same ones. */
const hashes = new Map<string, string>();
const mostHashes = 1_000;

/** The hash of a file's content. */
export async function hashOf(filePath: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(filePath, { bigint: true });
  const state = [filePath, dev, ino, size, mtimeNs, ctimeNs].join('\n');
  const known = hashes.get(state);
  if (known !== undefined) return known;
  const content = await contentDigest(filePath);
  if (hashes.size >= mostHashes) hashes.clear();
  hashes.set(state, content);
  return content;
}
