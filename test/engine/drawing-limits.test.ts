/** What drawing a frame may take: layers and decoders are bounded, and what is too much fails by name. */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { canvasSurface } from '../../server/engine/canvas-surface.ts';
import { Layers } from '../../shared/engine/paint/layers.ts';
import { identity } from '../../shared/engine/geometry.ts';
import { exactPicture, seenPart } from '../../shared/engine/paint/pictures.ts';
import { drawWith } from '../../shared/engine/surface.ts';
import { drawingLimits } from '../../shared/limits.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { isLong } from '../helpers/long.ts';
import { ffmpegChildren } from './ffmpeg-children.ts';

drawWith(canvasSurface);

const folder = mkdtempSync(path.join(tmpdir(), 'drawing-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('layers', () => {
  const large = { x: 0, y: 0, width: 8_000, height: 8_000 };

  test('beyond the limit are refused; what lies unused gives way first', () => {
    const layers = new Layers();
    const most = Math.floor(drawingLimits.layerBytes / (8_000 * 8_000 * 4));
    const taken = Array.from({ length: most }, () => layers.take(large));
    expect(() => layers.take(large)).toThrow(/more than 1200 MB of memory for layers/);
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

  test('of what is far longer than the picture hold what can be seen, however flat it is', () => {
    const layers = new Layers();
    const target = layers.take({ x: 0, y: 0, width: 140, height: 150 });
    const flat = { x: -50_000, y: 0, width: 120_000, height: 7 };
    const seen = seenPart(target, identity, flat, 1, 300);
    expect(seen?.width).toBeLessThan(1_000);
    const exact = exactPicture(target, identity, { ...flat, height: 0.1 }, 300);
    expect(exact?.pixels.width).toBeLessThan(1_000);
    // What is no longer than that stays whole: it serves wherever the element moves.
    const shorter = { ...flat, width: 8_000 };
    expect(seenPart(target, identity, shorter, 1, 300)).toBe(shorter);
    layers.give(target);
    layers.close();
  });
});

describe('frames that take much memory', () => {
  /** Sixteen elements inside each other, each finished by itself on a layer as large as the frame. */
  const nested = (side: number, own: JsonObject, beside: JsonObject[] = []): JsonObject => {
    const inner: JsonObject = { type: 'shape', ...square, fill_color: '#2060c0', width: '50%' };
    const elements = Array.from({ length: 15 }).reduce<JsonObject[]>(
      (elements, _, index) => [
        { type: 'composition', name: `Level ${15 - index}`, ...own, elements },
      ],
      [...beside, inner],
    );
    return { output_format: 'png', width: side, height: side, elements };
  };
  const square = { path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z', height: '90%' };
  const plain = { type: 'shape', ...square, width: '100%', fill_color: '#ffffff' };

  /** Colours at places that are tenths of the side. */
  async function colours(name: string, source: JsonObject): Promise<number[][]> {
    await renderInto(folder, name, source);
    const picture = await loadImage(path.join(folder, name));
    const ctx = createCanvas(picture.width, picture.height).getContext('2d');
    ctx.drawImage(picture, 0, 0);
    const at = (share: number): number => Math.round(picture.width * share);
    return [0.02, 0.11, 0.3, 0.5, 0.7, 0.97].flatMap((y) =>
      [0.03, 0.5, 0.8].map((x) => [...ctx.getImageData(at(x), at(y), 1, 1).data]),
    );
  }

  test.each([
    ['fading', { opacity: '95%' }, [plain]],
    ['masked by brightness', { opacity: '98%' }, [plain, { ...plain, mask_mode: 'luma' }]],
  ])(
    '%s elements inside each other look as they do in a small frame',
    async (kind, own, beside) => {
      let most = 0;
      const before = process.memoryUsage.rss();
      const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
      const large = await colours(`${kind}.png`, nested(4_500, own, beside));
      clearInterval(look);
      // 81 MB for each of fifteen: more than the limit, so that it is drawn in bands.
      expect(15 * 4_500 ** 2 * 4).toBeGreaterThan(drawingLimits.layerBytes);
      expect(most - before).toBeLessThan(2 * drawingLimits.layerBytes);
      expect(large).toEqual(await colours(`${kind} small.png`, nested(450, own, beside)));
    },
    120_000,
  );

  test('blurred elements beside each other are drawn, however many there are', async () => {
    const side = 1_000;
    const count = Math.ceil((1.3 * drawingLimits.keptLayerBytes) / (side * side * 4));
    const elements = Array.from({ length: count }, () => ({ ...plain, blur_radius: 2 }));
    const source = { output_format: 'jpg', width: side, height: side, elements };
    const { facts } = await renderInto(folder, 'blurs.jpg', source);
    expect(facts).toMatchObject({ width: side });
  }, 60_000);
});

describe.skipIf(process.platform !== 'linux')('decoders', () => {
  test('are bounded however many videos there are', async () => {
    const videos = 46;
    const cell = 16;
    const element = (index: number) => ({
      type: 'video',
      source: 'numbers.mp4',
      track: index + 1,
      fit: 'fill',
      width: cell,
      height: cell,
      x_anchor: 0,
      y_anchor: 0,
      x: (index % 10) * cell,
      y: Math.floor(index / 10) * cell,
      // Equal ones have a decoder together.
      trim_start: index / 100,
    });
    const source = (count: number) => ({
      output_format: 'gif',
      width: 10 * cell,
      height: 6 * cell,
      frame_rate: 5,
      // Each is opened anew in the second frame.
      duration: isLong ? 1.4 : 0.4,
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
