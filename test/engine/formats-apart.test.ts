/** A document in another format: what stood apart stands apart, by the engine's own layout. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { standingElements, type StandingMoment } from '../../shared/engine/layout/standing.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { examine } from '../../renderer/editor/making/apart.ts';
import { resized, resizedApart } from '../../renderer/editor/making/resized.ts';
import { sizeGroups } from '../../renderer/editor/making/sizes.ts';
import { PatchedText } from '../../renderer/editor/source/patch.ts';
import { openDrawing } from '../helpers/drawing.ts';

let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'framewright-formats-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

async function measure(source: Source): Promise<readonly StandingMoment[]> {
  const drawing = await openDrawing(source, { scratch, mediaFolders: [], renderScale: 1 });
  try {
    return standingElements(drawing.timeline, drawing.context);
  } finally {
    drawing.close();
  }
}

const changed = (source: Source, patch: Parameters<PatchedText['with']>[0]): Source =>
  JSON.parse(new PatchedText(JSON.stringify(source)).with(patch)) as Source;

const collisions = (before: readonly StandingMoment[], after: readonly StandingMoment[]): number =>
  examine(before, after).collisions;

const film = { output_format: 'mp4', duration: 6, frame_rate: 25 } as const;
const sizes = sizeGroups.flatMap((group) => group.sizes);
const words =
  'Four quiet nights under the stars of the northern hills and one long road home'.split(' ');

/** Numbers from 0 to 1, the same for a seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A design as people make them: a ground, then texts, panels with a text, marks and groups, each in its own row. */
function design(seed: number, width: number, height: number): Source {
  const next = chance(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
  const rows = 4 + Math.floor(next() * 4);
  const path1 = 'M 0 0 L 100 0 L 100 100 L 0 100 Z';
  const elements: JsonObject[] = [
    { type: 'shape', path: path1, width: '100%', height: '100%', fill_color: '#27465f' },
  ];
  for (let row = 0; row < rows; row++) {
    const top = (row + 0.12) / rows;
    const room = 0.76 / rows;
    const y = { y: `${((top + room / 2) * 100).toFixed(2)}%`, y_anchor: '50%' };
    const x = pick([
      { x: '6%', x_anchor: '0%' },
      { x: '50%', x_anchor: '50%' },
      { x: '94%', x_anchor: '100%' },
    ]);
    const size = Math.round(Math.min(height * room * 0.45, width * 0.07));
    const said = words.slice(0, 1 + Math.floor(next() * 4)).join(' ');
    const text: JsonObject = {
      ...{ type: 'text', text: said, font_family: pick(['Inter', 'Lora', 'Oswald']), ...x, ...y },
      ...{ font_size: pick([size, `${((size / Math.min(width, height)) * 100).toFixed(2)} vmin`]) },
      ...{ fill_color: '#ffffff', x_alignment: x.x_anchor, width: pick(['80%', null]) },
    };
    const mark = { type: 'shape', path: path1, fill_color: '#f0a030', ...x, ...y };
    const side = Math.round(Math.min(height * room * 0.8, width * 0.2));
    const moving = {
      type: 'text-slide',
      scope: 'element',
      split: 'word',
      duration: 1,
      time: 'start',
    };
    const time: JsonObject = {
      ...pick([{}, { time: 1 }, { time: 0, duration: 4 }]),
      animations: pick([[], [moving], [{ type: 'slide', time: 'start', duration: 1 }]]),
    };
    const kind = pick(['text', 'text', 'panel', 'mark', 'group'] as const);
    if (kind === 'text') elements.push({ ...text, ...time });
    else if (kind === 'mark') elements.push({ ...mark, width: side, height: side, ...time });
    else if (kind === 'panel') {
      const high = `${(room * 100).toFixed(2)}%`;
      elements.push({ ...mark, width: '88%', height: high, x: '50%', x_anchor: '50%', ...time });
      elements.push({
        ...text,
        x: '50%',
        x_anchor: '50%',
        x_alignment: '50%',
        width: '80%',
        ...time,
      });
    } else {
      const inside = {
        type: 'shape',
        path: path1,
        fill_color: '#c04040',
        height: '40%',
        width: '100%',
      };
      elements.push({
        ...{ type: 'composition', ...x, ...y, ...time, width: side * 2, height: side },
        elements: [
          { ...inside, y: '0%', y_anchor: '0%' },
          { ...inside, y: '100%', y_anchor: '100%', fill_color: '#40c080' },
        ],
      });
    }
  }
  return { ...film, width, height, elements };
}

/** By document: in how many formats something lies over something new without corrections. */
const collided: number[] = [];

describe('what stood apart stands apart in every format', () => {
  const shapes = [
    [1080, 1920],
    [1920, 1080],
    [1080, 1080],
  ] as const;
  const documents = shapes.flatMap(([width, height]) =>
    Array.from(
      { length: 8 },
      (_, seed) => [`${width} × ${height}, ${seed}`, width, height, seed] as const,
    ),
  );
  test.each(documents)('%s', async (_name, width, height, seed) => {
    const source = design(seed * 7919 + width, width, height);
    expect(validate(source).filter(({ severity }) => severity === 'error')).toEqual([]);
    const before = await measure(source);
    let crowded = 0;
    for (const size of sizes) {
      const plain = changed(source, resized(source, size));
      if (collisions(before, await measure(plain)) > 0) crowded++;
      const { patch, left } = await resizedApart(source, size, measure);
      expect(left).toBe(0);
      const made = changed(source, patch);
      expect(collisions(before, await measure(made)), size.id).toBe(0);
    }
    collided.push(crowded);
  });
});

test('the designs need it', () => {
  expect(collided.filter((count) => count > 0).length).toBeGreaterThan(collided.length / 4);
});

test('title, lower third, captions and logo of a tall reel stand apart in a wide and a square one', async () => {
  const text = {
    type: 'text',
    font_family: 'Inter',
    fill_color: '#fff',
    x: '50%',
    width: '86%',
    x_alignment: '50%',
  };
  const source = {
    ...{ ...film, width: 1080, height: 1920 },
    elements: [
      {
        type: 'shape',
        path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z',
        width: '100%',
        height: '100%',
        fill_color: '#234',
      },
      {
        ...text,
        name: 'Title',
        text: 'Four nights under the stars',
        y: '22%',
        font_size: '9 vmin',
      },
      {
        ...text,
        name: 'Third',
        text: 'Ridge walk\nA short guide',
        y: '62%',
        font_size: '6 vmin',
        time: 1,
      },
      { ...text, name: 'Captions', text: 'and then we saw it', y: '82%', font_size: '7 vmin' },
      {
        type: 'shape',
        name: 'Logo',
        path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z',
        x: '92%',
        y: '5%',
        x_anchor: '100%',
        y_anchor: '0%',
        width: 160,
        height: 160,
        fill_color: '#fa0',
      },
    ],
  } satisfies Source;
  const before = await measure(source);
  for (const size of [
    { width: 1920, height: 1080 },
    { width: 1080, height: 1080 },
  ]) {
    const plain = changed(source, resized(source, size));
    expect(collisions(before, await measure(plain))).toBeGreaterThan(0);
    const made = changed(source, (await resizedApart(source, size, measure)).patch);
    expect(collisions(before, await measure(made))).toBe(0);
    // The logo keeps to its corner, and letters are still letters.
    const [, title, , , logo] = made.elements as JsonObject[];
    expect(parseFloat(logo?.x as string)).toBeGreaterThan(85);
    expect(parseFloat(title?.font_size as string)).toBeGreaterThan(4);
  }
});

test('documents of thousands of elements are changed without corrections', () => {
  const room = { width: 1000, height: 1000 };
  const area = (index: number) => ({ x: index % 7, y: index % 5, width: 400, height: 400 });
  const moment = (count: number, parent: string) =>
    Array.from({ length: count }, (_, index) => {
      return { path: `${parent}elements[${index}]`, parent, area: area(index), room };
    });
  for (const moments of [
    Array.from({ length: 48 }, () => moment(4_000, '')),
    [Array.from({ length: 40 }, (_, group) => moment(100, `elements[${group}]`)).flat()],
  ]) {
    const { collisions: count, isWhole, corrected } = examine(moments, moments);
    expect([count, isWhole, corrected(new Map())]).toEqual([0, false, null]);
  }
});

test('what can’t be set right is told, and what can’t be known', async () => {
  const source = { ...film, width: 1000, height: 1000, elements: [] } satisfies Source;
  const size = { width: 1000, height: 600 };
  const room = { width: 1000, height: 600 };
  const stands = (...tops: readonly number[]) => [
    tops.map((y, index) => {
      const area = { x: 0, y, width: 400, height: 200 };
      return { path: `elements[${index}]`, parent: '', area, room };
    }),
  ];
  let asked = 0;
  // Two that stay one on the other, whatever becomes of them.
  const stubborn = () => Promise.resolve(asked++ === 0 ? stands(0, 300) : stands(0, 100));
  expect((await resizedApart(source, size, stubborn)).left).toBe(1);
  expect((await resizedApart(source, size, () => Promise.resolve(null))).left).toBeNull();
});
