/**
 * How encoders of graphics cards and processors code an mp4, a row for each family. The rest of the film's arguments is
 * that of software. Runs in the worker. None of our machines has one: the arguments are those of ffmpeg's documents,
 * and tests run them with a stand-in (test/helpers/hardware-ffmpeg.ts).
 */
import { readdir } from 'node:fs/promises';
import { encoderName, type HardwareCodec, type HardwareFamily } from '../../../shared/hardware.ts';
import { groupLength, type FilmCoding } from './film-formats.ts';

/** An encoder that was tried (hardware-trial.ts). */
export interface Hardware {
  readonly family: HardwareFamily;
  readonly codec: HardwareCodec;
  /** Of those that the family has several of; null: it finds its own. */
  readonly device: string | null;
}

interface Family {
  readonly platforms: readonly NodeJS.Platform[];
  /** @param quality As x264 and x265 count it: fewer is better, to 51. */
  readonly quality: (quality: number) => readonly string[];
  /** How it takes frames in memory; absent: as `upload` brings them. */
  readonly pixels?: string;
  /** Filters that bring frames to the device. */
  readonly upload?: string;
  /** The devices to try, and the arguments that name one. */
  readonly devices?: () => Promise<readonly string[]>;
  readonly open?: (device: string) => readonly string[];
}

export const families: Readonly<Record<HardwareFamily, Family>> = {
  nvenc: {
    platforms: ['linux', 'win32'],
    quality: (quality) => ['-rc', 'vbr', '-cq', String(quality), '-b:v', '0'],
    pixels: 'yuv420p',
  },
  qsv: {
    platforms: ['linux', 'win32'],
    quality: (quality) => ['-global_quality', String(quality)],
    pixels: 'nv12',
  },
  amf: {
    platforms: ['linux', 'win32'],
    quality: (quality) => ['-rc', 'cqp', '-qp_i', String(quality), '-qp_p', String(quality)],
    pixels: 'nv12',
  },
  // Its scale goes up, from 1 to 100; a constant quality needs a chip of Apple's own.
  videotoolbox: {
    platforms: ['darwin'],
    quality: (quality) => ['-q:v', String(Math.round(103 - (quality * 5) / 3))],
    pixels: 'nv12',
  },
  vaapi: {
    platforms: ['linux'],
    quality: (quality) => ['-qp', String(quality)],
    upload: 'format=nv12,hwupload',
    devices: renderNodes,
    open: (device) => ['-vaapi_device', device],
  },
};

const nodeFolder = '/dev/dri';
/** Several cards have a node each, of which not all code. */
const mostNodes = 4;

async function renderNodes(): Promise<readonly string[]> {
  const names = await readdir(nodeFolder).catch(() => []);
  const nodes = names.filter((name) => name.startsWith('renderD')).toSorted();
  // Without any, ffmpeg says so best.
  return (nodes.length === 0 ? ['renderD128'] : nodes)
    .slice(0, mostNodes)
    .map((name) => `${nodeFolder}/${name}`);
}

/** The coding of a film by hardware in place of software. Pure. */
export function hardwareCoding(
  software: FilmCoding,
  { family, codec, device }: Hardware,
): FilmCoding {
  const { quality, pixels, upload, open } = families[family];
  const encoder = encoderName(codec, family);
  const isHevc = codec === 'hevc';
  return {
    ...software,
    needs: { ...software.needs, video: encoder },
    // Nobody has proved that two cards, or two drivers, make equal pieces.
    isJoined: false,
    ...(open && device !== null && { before: open(device) }),
    ...(upload !== undefined && { upload }),
    video: ({ crf }) => [
      // As far from x264's scale as x265 is.
      ...['-c:v', encoder, ...quality(Math.min(51, isHevc ? crf + 3 : crf))],
      ...(pixels === undefined ? [] : ['-pix_fmt', pixels]),
      ...['-g', String(groupLength), ...(isHevc ? ['-tag:v', 'hvc1'] : [])],
      // Chroma sits where that of software does; most of them don't write it.
      ...['-bsf:v', `${codec}_metadata=chroma_sample_loc_type=1`],
    ],
  };
}
