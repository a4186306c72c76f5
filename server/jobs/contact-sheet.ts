/** Several moments in one picture: a document that shows pictures side by side with their times. Pure. */
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';

/** Pixels. */
const cell = 360;
const smallestCell = 60;
const gap = 20;
const label = 34;
/** Room for the time below a picture. */
const narrowest = 90;
/** The target ratio of a sheet's width to its height. */
const shape = 1.6;

/** A picture of a moment. */
export interface SheetFrame {
  /** A source: the name of a file, or an address. */
  readonly file: string;
  /** Seconds. */
  readonly moment: number;
}

/** Width and height of each picture, from one to the next, and how many there are. */
interface Plan {
  readonly width: number;
  readonly height: number;
  readonly step: { readonly x: number; readonly y: number };
  readonly columns: number;
  readonly rows: number;
}

/** Pixels of the document that a sheet is made from. */
interface SheetSize {
  readonly width: number;
  readonly height: number;
}

/**
 * @param size of each picture, pixels.
 * @param side Most pixels of the sheet's longer side; the pictures shrink, their times stay as large. Default: any
 * number.
 */
export function contactSheet(
  frames: readonly SheetFrame[],
  size: SheetSize,
  side = Infinity,
): Source {
  let plan = planOf(frames.length, size, cell);
  for (let next = cell - 10; next >= smallestCell && longest(plan) > side; next -= 10) {
    plan = planOf(frames.length, size, next);
  }
  const { width, height, step, columns, rows } = plan;
  const elements = frames.flatMap(({ file, moment }, index): JsonObject[] => {
    const x = gap + (index % columns) * step.x;
    const y = gap + Math.floor(index / columns) * step.y;
    const place = { x_anchor: 0, y_anchor: 0, x, width };
    return [
      { type: 'image', source: file, fit: 'contain', ...place, y, height },
      {
        type: 'text',
        text: `${Number(moment.toFixed(3))} s`,
        ...place,
        y: y + height,
        height: label,
        y_alignment: '50%',
        font_family: 'Inter',
        font_size: 18,
        fill_color: '#ffffff',
      },
    ];
  });
  return {
    width: gap + columns * step.x,
    height: gap + rows * step.y,
    fill_color: '#6f7680',
    elements,
  };
}

/** How the pictures lie. @param most Pixels of the longer side of one. */
function planOf(count: number, size: SheetSize, most: number): Plan {
  const scale = Math.min(1, most / Math.max(size.width, size.height));
  const width = Math.max(narrowest, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const step = { x: width + gap, y: height + label + gap };
  const ideal = Math.sqrt((count * shape * step.y) / step.x);
  const columns = Math.max(1, Math.min(count, Math.round(ideal)));
  return { width, height, step, columns, rows: Math.ceil(count / columns) };
}

function longest({ step, columns, rows }: Plan): number {
  return gap + Math.max(columns * step.x, rows * step.y);
}
