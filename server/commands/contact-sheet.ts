/** Several moments in one picture: a document that shows pictures side by side with their times. Pure. */
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';

/** Pixels. */
const cell = 360;
const gap = 20;
const label = 34;
/** The target ratio of a sheet's width to its height. */
const shape = 1.6;

/** A picture of a moment. */
export interface SheetFrame {
  readonly file: string;
  /** Seconds. */
  readonly moment: number;
}

/** @param size of each picture, pixels. */
export function contactSheet(
  frames: readonly SheetFrame[],
  size: { readonly width: number; readonly height: number },
): Source {
  const scale = Math.min(1, cell / Math.max(size.width, size.height));
  const width = Math.max(90, Math.round(size.width * scale));
  const height = Math.round(size.height * scale);
  const step = { x: width + gap, y: height + label + gap };
  const ideal = Math.sqrt((frames.length * shape * step.y) / step.x);
  const columns = Math.max(1, Math.min(frames.length, Math.round(ideal)));
  const rows = Math.ceil(frames.length / columns);
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
