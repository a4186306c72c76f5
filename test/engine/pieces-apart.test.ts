/** What the add panel adds stands apart by itself, in every shape of picture, by the engine's own layout. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { intersection } from '../../shared/engine/geometry.ts';
import { standingElements, type StandingMoment } from '../../shared/engine/layout/standing.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { newCaptions } from '../../renderer/editor/captions/looks.ts';
import { safeAreas } from '../../shared/safe-areas.ts';
import { atFreePlace } from '../../renderer/editor/making/free-place.ts';
import { contextFor, pieceGroups } from '../../renderer/editor/making/pieces.ts';
import { openDrawing } from '../helpers/drawing.ts';

let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'framewright-pieces-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const shapes = [
  ['9:16', 1080, 1920],
  ['16:9', 1920, 1080],
  ['1:1', 1080, 1080],
] as const;
const spoken = [{ time: 0, duration: 4, value: 'Long captions take two lines here' }];
/** Backgrounds and sounds are what others lie on, and what is not seen. */
const beneath = new Set(['picture', 'video', 'color', 'sound', 'music', 'shade']);
/** All that is added and lies on the picture, by name, for pictures of a shape. */
const pieces: ReadonlyMap<string, (width: number, height: number) => JsonObject> = new Map([
  ...pieceGroups
    .flatMap((group) => group.pieces)
    .filter(({ id }) => !beneath.has(id))
    .map(({ id, make }) => {
      const made = (width: number, height: number): JsonObject =>
        make(contextFor({ output_format: 'mp4', width, height, elements: [] }));
      return [id, made] as const;
    }),
  ['captions of the pane', (width, height) => newCaptions(spoken, height > width)],
]);

/** The elements of a document to which pieces were added one after the other. */
function added(ids: readonly string[], width: number, height: number): readonly JsonObject[] {
  return ids.reduce<readonly JsonObject[]>((elements, id) => {
    const made = pieces.get(id)?.(width, height);
    if (!made) throw new Error(`There is no piece ${id}.`);
    // A logo without a file has no picture; its room is what counts.
    const element =
      made.type === 'image'
        ? { ...made, type: 'shape', source: undefined, fill_color: '#fff' }
        : made;
    return [...elements, atFreePlace({ ...element, name: id }, elements, { width, height })];
  }, []);
}

async function measured(
  elements: readonly JsonObject[],
  width: number,
  height: number,
): Promise<readonly StandingMoment[]> {
  const source: Source = {
    ...{ output_format: 'mp4', width, height, duration: 4, frame_rate: 25 },
    elements: JSON.parse(JSON.stringify(elements)) as JsonObject[],
  };
  const drawing = await openDrawing(source, { scratch, mediaFolders: [], renderScale: 1 });
  try {
    return standingElements(drawing.timeline, drawing.context);
  } finally {
    drawing.close();
  }
}

/** Pairs of the document's own elements that lie over each other at some moment. */
function overlaps(moments: readonly StandingMoment[], ids: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const moment of moments) {
    const own = moment.filter(({ parent }) => parent === '');
    for (const [index, one] of own.entries()) {
      for (const other of own.slice(index + 1)) {
        const { width, height } = intersection(one.area, other.area);
        if (width > 1 && height > 1)
          found.add(`${ids[indexOf(one.path)] ?? ''} + ${ids[indexOf(other.path)] ?? ''}`);
      }
    }
  }
  return [...found];
}

const indexOf = (at: string): number => Number(/\d+/.exec(at)?.[0]);

/** Those that leave the picture. */
const outside = (moments: readonly StandingMoment[]): readonly string[] =>
  moments
    .flat()
    .filter(({ parent }) => parent === '')
    .filter(({ area, room }) => {
      const { x, y, width, height } = area;
      return x < -1 || y < -1 || x + width > room.width + 1 || y + height > room.height + 1;
    })
    .map(({ path: at }) => at);

describe.each(shapes)('in %s', (_, width, height) => {
  test.each([...pieces.keys()])('nothing that is added after %s lies on it', async (first) => {
    for (const second of pieces.keys()) {
      const ids = [first, second];
      const moments = await measured(added(ids, width, height), width, height);
      expect(overlaps(moments, ids)).toEqual([]);
      expect(outside(moments), ids.join(' + ')).toEqual([]);
    }
  });

  test.each([
    [['title', 'subtitle', 'lowerThird', 'captions', 'logo', 'progress']],
    [['captions', 'lowerThird', 'title', 'body', 'logo']],
    [['lowerThird', 'captions of the pane', 'title', 'logo', 'label']],
    [['title', 'lowerThird', 'captions of the pane', 'logo', 'progress']],
    [['captions of the pane', 'title', 'logo', 'lowerThird', 'subtitle']],
    [['quote', 'label', 'line', 'logo', 'lowerThird']],
  ])('a whole reel stands apart: %j', async (ids) => {
    const moments = await measured(added(ids, width, height), width, height);
    expect(overlaps(moments, ids)).toEqual([]);
    expect(outside(moments)).toEqual([]);
  });
});

describe('which place it is', () => {
  const frame = { width: 1920, height: 1080 };
  const share = ({ y }: JsonObject): number => Number.parseFloat(y as string);
  const usual = (id: string): JsonObject => pieces.get(id)?.(frame.width, frame.height) ?? {};

  test('the usual one where nothing stands, and over what others lie on', () => {
    const photo = { type: 'image', width: '100%', height: '100%' };
    const shade = { type: 'shape', width: '100%', height: '55%', y: '100%', y_anchor: '100%' };
    for (const id of pieces.keys())
      expect(atFreePlace(usual(id), [photo, shade], frame)).toEqual(usual(id));
  });

  test('captions go above a lower third, which goes above captions', () => {
    const [third, captions] = added(['lowerThird', 'captions'], 1920, 1080);
    expect(third).toMatchObject({ y: '90%' });
    expect(share(captions ?? {})).toBeLessThan(72);
    const [first, second] = added(['captions of the pane', 'lowerThird'], 1920, 1080);
    expect(first).toMatchObject({ y: '78%' });
    expect(share(second ?? {})).toBeLessThan(66);
    expect(second).toMatchObject({ x: '6%' });
  });

  test('in a tall picture all of a reel keeps clear of what apps lay over it', async () => {
    const ids = ['title', 'subtitle', 'captions of the pane', 'lowerThird', 'logo'];
    const moments = await measured(added(ids, 1080, 1920), 1080, 1920);
    const own = moments.flat().filter(({ parent }) => parent === '');
    expect(new Set(own.map(({ path: at }) => at)).size).toBe(ids.length);
    for (const name of ['tiktok', 'stories'] as const) {
      const [{ top, bottom }] = safeAreas[name].margins;
      for (const { area, path: at } of own) {
        expect(area.y, `${name} ${at}`).toBeGreaterThanOrEqual(top * 1920 - 1);
        expect(area.y + area.height, `${name} ${at}`).toBeLessThanOrEqual((1 - bottom) * 1920 + 1);
      }
    }
  });

  test('a subtitle goes beneath its title, one of two logos beneath the other', () => {
    const [title, subtitle] = added(['title', 'subtitle'], 1080, 1920);
    expect(share(subtitle ?? {})).toBeGreaterThan(share(title ?? {}));
    const [one, other] = added(['logo', 'logo'], 1080, 1920);
    expect(other).toMatchObject({ x: one?.x });
    expect(share(other ?? {})).toBeGreaterThan(share(one ?? {}));
  });

  test('what moves is kept clear of on its whole way', () => {
    const y = [
      { time: 0, value: '20%' },
      { time: 2, value: '50%' },
    ];
    const mark = { type: 'shape', width: '20 vmin', height: '20 vmin', y };
    expect(share(atFreePlace(usual('title'), [mark], frame))).toBeGreaterThan(60);
  });

  test('a full picture leaves it where it would be', () => {
    const full = Array.from({ length: 10 }, (_, row) => ({
      ...{ type: 'shape', width: '100%', height: '9.5%' },
      y: `${row * 10 + 5}%`,
    }));
    expect(atFreePlace(usual('title'), full, frame)).toEqual(usual('title'));
  });
});
