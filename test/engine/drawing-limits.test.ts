/** What drawing a frame may take: layers and decoders are bounded, and what is too much fails by name. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { Layers } from '../../server/engine/paint/layers.ts';
import { drawingLimits } from '../../shared/limits.ts';
import { renderInto } from '../helpers/engine.ts';
import { ffmpegChildren } from './ffmpeg-children.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'drawing-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('layers', () => {
  const large = { x: 0, y: 0, width: 8_000, height: 8_000 };

  test('beyond the limit are refused; what lies unused gives way first', () => {
    const layers = new Layers();
    const most = Math.floor(drawingLimits.layerBytes / (8_000 * 8_000 * 4));
    const taken = Array.from({ length: most }, () => layers.take(large));
    expect(() => layers.take(large)).toThrow(/more than 2000 MB of memory for layers/);
    for (const layer of taken) layers.give(layer);
    // None of them fits: they are too large for it by far.
    expect(() =>
      layers.with({ x: 0, y: 0, width: 100, height: 100 }, () => undefined),
    ).not.toThrow();
    layers.endFrame();
    for (const layer of Array.from({ length: most - 1 }, () => layers.take(large)))
      layers.give(layer);
    layers.close();
  });
});

describe.skipIf(process.platform !== 'linux')('decoders', () => {
  test('are bounded however many videos there are', async () => {
    const videos = 46;
    const cell = 16;
    const element = (index: number) => ({
      ...{ type: 'video', source: 'numbers.mp4', track: index + 1, fit: 'fill' },
      ...{ width: cell, height: cell, x_anchor: 0, y_anchor: 0 },
      ...{ x: (index % 10) * cell, y: Math.floor(index / 10) * cell },
      trim_start: (index % 3) * 0.2,
    });
    const source = (count: number) => ({
      ...{ output_format: 'gif', width: 10 * cell, height: 6 * cell, frame_rate: 5, duration: 0.2 },
      elements: Array.from({ length: count }, (_, index) => element(index)),
    });
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, ffmpegChildren())), 10);
    const { facts } = await renderInto(folder, 'many.gif', source(videos));
    clearInterval(look);
    expect(facts).toMatchObject({ width: 10 * cell });
    // One more is the encoder.
    expect(most).toBeGreaterThan(drawingLimits.decoders / 2);
    expect(most).toBeLessThanOrEqual(drawingLimits.decoders + drawingLimits.passingDecoders + 1);
  }, 90_000);
});
