/** What setting text costs: how often is measured, and, printed for whoever wonders, in which time. */
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, test } from 'vitest';
import { fontsOf } from '../../server/engine/assets/fonts/font-needs.ts';
import { FontBook } from '../../server/engine/assets/fonts/fonts.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { createLayout, type Layout } from '../../shared/engine/layout/layout.ts';
import { createMeasurer } from '../helpers/painter.ts';
import type { Measurer } from '../../shared/engine/text/measurer.ts';
import type { Source } from '../../shared/renderscript/source.ts';

const fontFolder = path.resolve('resources/fonts');
beforeAll(() => {
  execFileSync(process.execPath, [path.resolve('resources/copy-fonts.mjs'), fontFolder]);
});

const words = 'Ten titles of several words each are fitted into boxes of their own'.split(' ');

/** A 1080p document with ten texts of automatic size. They turn; with `growing` their boxes grow too. */
function document(growing: boolean): Source {
  return {
    output_format: 'mp4',
    width: 1920,
    height: 1080,
    duration: 4,
    elements: Array.from({ length: 10 }, (_, index) => ({
      type: 'text',
      text: [...words.slice(index), ...words.slice(0, index)].join(' '),
      font_family: 'Montserrat',
      font_weight: '700',
      x: `${10 * index}%`,
      width: growing
        ? [
            { time: 0, value: 300 },
            { time: 4, value: 900 },
          ]
        : 400 + 20 * index,
      height: 260,
      z_rotation: [
        { time: 0, value: 0 },
        { time: 4, value: 90 },
      ],
    })),
  };
}

/** A layout with real fonts that says how often was measured. */
async function open(source: Source): Promise<{ layout: Layout; asked: () => number }> {
  const fonts = await FontBook.open({ fontFolder, ...fontsOf(source, {}) });
  const inner = createMeasurer(fonts);
  let asked = 0;
  const measurer: Measurer = {
    width(text, font) {
      asked++;
      return inner.width(text, font);
    },
    metrics: (font) => inner.metrics(font),
  };
  const timeline = compileTimeline(source, { media: new Map(), scaling: {} });
  return {
    layout: createLayout(timeline, { measurer, media: new Map() }),
    asked: () => asked,
  };
}

test('still text is measured for the first frame alone, whatever moves around it', async () => {
  const { layout, asked } = await open(document(false));
  const first = layout.frameAt(0);
  const before = asked();
  expect(before).toBeGreaterThan(100);
  const second = layout.frameAt(0.5);
  expect(asked() - before).toBe(0);
  // The very same lines, in boxes that have turned.
  expect(second.boxes.map(({ content }) => content)).toEqual(
    first.boxes.map(({ content }) => content),
  );
  second.boxes.forEach(({ content }, index) => expect(content).toBe(first.boxes[index]?.content));
  expect(second.boxes[0]?.transform).not.toEqual(first.boxes[0]?.transform);
});

test('the size of a text is the same in every frame in which its box is', async () => {
  const { layout } = await open(document(true));
  const sizes = (time: number): number[] =>
    layout
      .frameAt(time)
      .boxes.map(({ content }) =>
        content.kind === 'text' ? (content.pieces[0]?.runs[0]?.font.size ?? 0) : 0,
      );
  const at = [0, 1, 2, 3].map(sizes);
  expect([0, 1, 2, 3].map(sizes)).toEqual(at);
  // Boxes that only grow never shrink their text.
  for (let index = 0; index < 10; index++) {
    const growing = at.map((frame) => frame[index]);
    expect(growing).toEqual(growing.toSorted((a = 0, b = 0) => a - b));
  }
});

test('figures', async () => {
  const milliseconds = async (growing: boolean): Promise<[number, number]> => {
    const { layout } = await open(document(growing));
    // Of this process alone: what else the computer does is no matter.
    const spent = (): number => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    const started = spent();
    layout.frameAt(0);
    const first = spent() - started;
    const frames = 120;
    for (let frame = 1; frame <= frames; frame++) layout.frameAt(frame / 30);
    return [first, (spent() - started - first) / frames];
  };
  const [first, still] = await milliseconds(false);
  const [, growing] = await milliseconds(true);
  console.log(
    `ten fitted texts in 1080p: first frame ${first.toFixed(1)} ms, later ones ${still.toFixed(3)} ms, ` +
      `with boxes that grow ${growing.toFixed(2)} ms`,
  );
  expect(still).toBeLessThan(first);
});
