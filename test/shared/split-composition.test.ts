/** A composition cut in two: what is seen goes on where it was, or a reason says why it can't. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { clipsOf, endOf, type Clip, type Clips } from '../../renderer/editor/timeline/clips.ts';
import { splitComposition, type Cut } from '../../renderer/editor/timeline/split-composition.ts';
import { seededRandom } from './random.ts';

const lengths = { 'a.mp4': 8 };

const shape = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'shape',
  name,
  ...more,
});
const group = (elements: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'composition',
  name: 'Group',
  time: 2,
  duration: 6,
  ...more,
  elements,
});

const clipsIn = (text: string): Clips => {
  const clips = clipsOf(JSON.parse(text) as Source, lengths);
  if (!clips) throw new Error('The document has no schedule.');
  return clips;
};

function cut(element: JsonObject, at: number): { readonly before: string; readonly made: Cut } {
  const before = JSON.stringify({ duration: 12, elements: [element, shape('Other')] }, null, 2);
  const clips = clipsIn(before);
  const [clip] = clips.top;
  if (!clip) throw new Error('There is nothing to split.');
  const names = new Set([...clips.byPath.values()].map(({ name }) => name));
  return { before, made: splitComposition(before, clip, at, names, lengths) };
}

/** Names and times of all that is in a document, from the front of its list on. */
const listed = (clips: readonly Clip[], level = 0): readonly string[] =>
  clips.flatMap((clip) => [
    `${'>'.repeat(level)}${clip.name} ${Number(clip.start.toFixed(3))}–${Number(endOf(clip).toFixed(3))}`,
    ...listed(clip.children, level + 1),
  ]);

describe('splitComposition', () => {
  it.each<[string, JsonObject, number, readonly string[]]>([
    [
      'each element goes where it is seen, and one on both sides is cut',
      group([
        shape('Early', { time: 0, duration: 2 }),
        shape('Through', { time: 1, duration: 4 }),
        shape('Late', { time: 4, duration: 1 }),
      ]),
      5,
      ['Group 2–5', '>Early 2–4', '>Through 3–5', 'Group 2 5–8', '>Through 2 5–7', '>Late 6–7'],
    ],
    [
      'those of a track follow each other as they did',
      group([
        shape('One', { track: 1, duration: 2 }),
        shape('Two', { track: 1, duration: 2 }),
        shape('Three', { track: 1, duration: 2 }),
      ]),
      5,
      ['Group 2–5', '>One 2–4', '>Two 4–5', 'Group 2 5–8', '>Two 2 5–6', '>Three 6–8'],
    ],
    [
      'shares of the composition and its end',
      group([
        shape('Half', { time: '50%', duration: '25%' }),
        shape('All'),
        shape('Last', { time: 'end', duration: 1 }),
      ]),
      6,
      [
        'Group 2–6',
        '>Half 5–6',
        '>All 2–6',
        'Group 2 6–8',
        '>Half 2 6–6.5',
        '>All 2 6–8',
        '>Last 7–8',
      ],
    ],
    [
      'shares of a track',
      group([
        shape('A', { track: 1, duration: '1 fr' }),
        shape('B', { track: 1, duration: '2 fr' }),
      ]),
      6,
      ['Group 2–6', '>A 2–4', '>B 4–6', 'Group 2 6–8', '>B 2 6–8'],
    ],
    [
      'compositions inside, cut with it',
      group([
        {
          type: 'composition',
          name: 'Inner',
          time: 1,
          elements: [shape('Deep', { time: 1, duration: 3 })],
        },
      ]),
      5,
      ['Group 2–5', '>Inner 3–5', '>>Deep 4–5', 'Group 2 5–8', '>Inner 2 5–7', '>>Deep 2 5–7'],
    ],
  ])('%s', (_, element, at, gives) => {
    const { made } = cut(element, at);
    if ('why' in made) throw new Error(made.why);
    expect(listed(clipsIn(made.text).top)).toEqual([...gives, 'Other 0–12']);
  });

  it('goes on in a file where it was', () => {
    const { made } = cut(
      group([{ type: 'video', name: 'Film', source: 'a.mp4', trim_start: 1, duration: 5 }]),
      4,
    );
    if ('why' in made) throw new Error(made.why);
    const { elements = [] } = JSON.parse(made.text) as Source;
    expect(JSON.stringify(elements)).toContain('"trim_start":3');
  });

  it('leaves what it does not touch as it is written', () => {
    const { before, made } = cut(group([shape('Early', { time: 0, duration: '1.50 s' })]), 6);
    if ('why' in made) throw new Error(made.why);
    expect(made.text).toContain('"duration": "1.50 s"');
    expect(made.text.endsWith(before.slice(before.indexOf('"name": "Other"')))).toBe(true);
  });

  it.each([
    ['loops', group([shape('A', { duration: 1 })], { loop: true }), 'Group'],
    ['flows', group([shape('A', { y: null })]), 'A'],
    ['masks', group([shape('A'), shape('B', { mask_mode: 'alpha' })]), 'B'],
    ['locked', group([shape('A', { locked: true })]), 'A'],
    ['expression', group([shape('A', { time: '{{start}}' })]), 'A'],
  ])('says why not: %s', (why, element, of) => {
    expect(cut(element, 5).made).toEqual({ why, of });
  });

  it('keeps what is seen when of any composition, or refuses', () => {
    const random = seededRandom(41);
    const some = (depth: number): JsonObject => {
      const time = random.pick([undefined, undefined, 0, 1, '1.5 s', '20%', 'end'] as const);
      const duration = random.pick([undefined, 1, '2 s', '40%', '1 fr', 'auto'] as const);
      const track = random.pick([undefined, undefined, 1, 2] as const);
      const isGroup = depth > 0 && random.below(4) === 0;
      return Object.fromEntries(
        Object.entries({
          type: isGroup ? 'composition' : random.pick(['shape', 'video', 'text']),
          name: `E${random.below(1e6)}`,
          source: 'a.mp4',
          time,
          duration,
          track,
          ...(isGroup && {
            elements: Array.from({ length: 1 + random.below(3) }, () => some(depth - 1)),
          }),
        }).filter(([, value]) => value !== undefined),
      );
    };
    let cuts = 0;
    for (let turn = 0; turn < 400; turn++) {
      const element = group(Array.from({ length: 1 + random.below(4) }, () => some(2)));
      const at = 2.5 + random.below(50) / 10;
      const { before, made } = cut(element, at);
      if ('why' in made) continue;
      cuts += 1;
      // At any moment the same kinds of elements are seen.
      for (const moment of [2.1017, at - 0.0931, at + 0.0931, 7.9013, (at + 8) / 2 + 0.0137])
        expect(seenAt(clipsIn(made.text).top, moment), `${at} of ${before}`).toEqual(
          seenAt(clipsIn(before).top, moment),
        );
    }
    expect(cuts).toBeGreaterThan(200);
  });
});

/** Kinds of what is seen at a moment. */
const seenAt = (clips: readonly Clip[], at: number): readonly string[] =>
  clips
    .filter((clip) => clip.start <= at && endOf(clip) > at)
    .flatMap(({ type, children }) => (type === 'composition' ? seenAt(children, at) : [type]));
