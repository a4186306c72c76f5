/** Records what an encoder receives, in tests that write no file. */
import type { FrameSink } from '../../server/engine/encode/encoder.ts';
import { Converter } from '../../server/engine/encode/pixels.ts';

/** A frame sink that keeps its frames. */
export function recorder(across: number, down: number): { sink: FrameSink; frames: Uint8Array[] } {
  const converter = new Converter(across, down, 3);
  const frames: Uint8Array[] = [];
  const keep = (frame: Uint8Array): Promise<void> => {
    frames.push(Uint8Array.from(frame));
    return Promise.resolve();
  };
  const never = (): never => {
    throw new Error('no file is written here');
  };
  const sink: FrameSink = {
    write: (pixels, changed) => keep(converter.convert(pixels, changed)),
    writeOver({ planes, bands, graphics: news }) {
      if (news) converter.setGraphics(news.pixels, news.changed);
      return keep(converter.compose(planes, bands));
    },
    pass: keep,
    times: () => ({ waited: 0, computed: null }),
    repeat: () => keep(frames.at(-1) ?? never()),
    drain: () => Promise.resolve(),
    lastPlanes: () => frames.at(-1) ?? null,
    finish: never,
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { sink, frames };
}

/** Likeness of two frames over all planes, in decibels; infinite if they are equal. */
export function likeness(one: Uint8Array, two: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += ((one[at] ?? 0) - (two[at] ?? 0)) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / one.length));
}
