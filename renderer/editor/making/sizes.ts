/** THE TABLE of named sizes: what the usual platforms show, and what a new template of each begins with. Pure. */
import type { OutputFormat } from '../../../shared/renderscript/formats.ts';

export interface NamedSize {
  /** Its text is `size.ID`. */
  readonly id: SizeId;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** What is usually made in this size. */
  readonly format: OutputFormat;
}

/** Sizes that are offered together. */
export interface SizeGroup {
  /** Its text is `sized.group.ID`. */
  readonly id: (typeof rows)[number]['id'];
  readonly sizes: readonly NamedSize[];
}

const size = <const Id extends string>(
  id: Id,
  width: number,
  height: number,
  format: OutputFormat = 'mp4',
) => ({ id, width, height, format }) as const;

const rows = [
  {
    id: 'vertical',
    sizes: [
      size('reel', 1080, 1920),
      size('tiktok', 1080, 1920),
      size('short', 1080, 1920),
      size('story', 1080, 1920),
    ],
  },
  {
    id: 'wide',
    sizes: [
      size('hd', 1920, 1080),
      size('uhd', 3840, 2160),
      size('hd720', 1280, 720),
      size('cinema', 2560, 1080),
    ],
  },
  {
    id: 'posts',
    sizes: [
      size('square', 1080, 1080),
      size('portrait', 1080, 1350),
      size('x', 1600, 900),
      size('linkedin', 1200, 628, 'png'),
      size('facebook', 1200, 630, 'png'),
    ],
  },
  {
    id: 'pictures',
    sizes: [
      size('thumbnail', 1280, 720, 'jpg'),
      size('pin', 1000, 1500, 'jpg'),
      size('gif', 480, 480, 'gif'),
      size('gifWide', 640, 360, 'gif'),
    ],
  },
] as const;

export type SizeId = (typeof rows)[number]['sizes'][number]['id'];

/** All groups in the order in which they are shown. */
export const sizeGroups: readonly SizeGroup[] = rows;

/** `9:16`, or `1.91:1` where whole numbers would be long. */
export function ratioOf(width: number, height: number): string {
  const by = divisor(width, height);
  const [across, down] = [width / by, height / by];
  if (Math.max(across, down) <= 21) return `${across}:${down}`;
  const share = (value: number): string => String(Math.round(value * 100) / 100);
  return width > height ? `${share(width / height)}:1` : `1:${share(height / width)}`;
}

function divisor(a: number, b: number): number {
  return b === 0 ? Math.max(1, a) : divisor(b, a % b);
}
