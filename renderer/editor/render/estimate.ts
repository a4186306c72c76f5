/** What a render will take, estimated from finished renders. Pure. */
import type { WindowRender } from '../../../shared/api.ts';
import type { OutputFormat } from '../../../shared/renderscript/formats.ts';

/** The file to make. */
export interface WantedFile {
  readonly template: string;
  readonly format: OutputFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for pictures. */
  readonly duration: number;
}

/** The estimate. */
export interface Estimate {
  readonly bytes: number;
  readonly seconds: number;
}

/** How many of the newest renders are used. */
const most = 5;
/** A file larger or smaller by more than this factor says nothing about the wanted one. */
const farthest = 4;

/**
 * The middle one of the newest measured renders of the same template and format, else of the same size and format, each
 * scaled by how much more there is to draw. Null while nothing comparable was measured.
 *
 * @param renders newest first
 */
export function estimateOf(renders: readonly WindowRender[], wanted: WantedFile): Estimate | null {
  const measured = renders.flatMap((render) => measure(render, wanted));
  const own = measured.filter(({ isOwn }) => isOwn);
  const near = own.length > 0 ? own : measured.filter(({ isSameSize }) => isSameSize);
  const used = near.slice(0, most);
  if (used.length === 0) return null;
  return {
    bytes: middle(used.map(({ bytes }) => bytes)),
    seconds: middle(used.map(({ seconds }) => seconds)),
  };
}

interface Measured extends Estimate {
  readonly isOwn: boolean;
  readonly isSameSize: boolean;
}

function measure(render: WindowRender, wanted: WantedFile): readonly Measured[] {
  const { record, startedAt, finishedAt } = render;
  const { width, height, duration = 0, file_size: bytes } = record;
  if (record.status !== 'succeeded' || record.output_format !== wanted.format) return [];
  if (startedAt === undefined || finishedAt === undefined) return [];
  if (width === undefined || height === undefined || bytes === undefined) return [];
  const factor =
    amount(wanted.width, wanted.height, wanted.duration) / amount(width, height, duration);
  if (!(factor >= 1 / farthest && factor <= farthest)) return [];
  return [
    {
      bytes: bytes * factor,
      seconds: ((finishedAt - startedAt) / 1000) * factor,
      isOwn: record.template_id === wanted.template,
      isSameSize: width === wanted.width && height === wanted.height,
    },
  ];
}

/** Pixels of all frames, up to a factor that is the same for both. */
function amount(width: number, height: number, duration: number): number {
  return width * height * (duration > 0 ? duration : 1);
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
