/** The timeline's arithmetic: what gestures do to times, tracks and order, in the units that stood there. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, Source } from '../../shared/renderscript/source.ts';
import { parseAmount } from '../../shared/renderscript/units.ts';
import { regionsOf, stretched } from '../../renderer/editor/timeline/animations.ts';
import {
  boundedKeys,
  keyMomentsOf,
  movedKeys,
  withoutKeys,
} from '../../renderer/editor/timeline/keys.ts';
import {
  changedSource,
  changedText,
  pathAfter,
  textAfter,
  type Change,
} from '../../renderer/editor/timeline/change.ts';
import {
  clipsOf,
  endOf,
  type Clip,
  type Clips,
  neighbour,
} from '../../renderer/editor/timeline/clips.ts';
import { sped } from '../../renderer/editor/timeline/tempo.ts';
import { lanesOf } from '../../shared/renderscript/tracks.ts';
import { tried, type ClipGesture } from '../../renderer/editor/timeline/gestures.ts';
import { withKeysAt } from '../../renderer/editor/canvas/keyed.ts';
import { loudnessKeys } from '../../renderer/editor/timeline/sound.ts';
import { fileTimeAt } from '../../renderer/editor/timeline/file-time.ts';
import { movedClips, type Target } from '../../renderer/editor/timeline/move.ts';
import { marksOf } from '../../renderer/editor/timeline/ruler.ts';
import { timelineRows } from '../../renderer/editor/timeline/rows.ts';
import { secondsLike, tidySeconds } from '../../renderer/editor/timeline/seconds.ts';
import { snapTo } from '../../renderer/editor/timeline/snap.ts';
import { splitsAt, splitText } from '../../renderer/editor/timeline/split.ts';
import { seededRandom } from './random.ts';
import {
  boundedTrim,
  closedUp,
  rolledCut,
  trimmedClip,
  type Edge,
} from '../../renderer/editor/timeline/trim.ts';
import { cutsOf } from '../../renderer/editor/timeline/cuts.ts';
import {
  kindOf,
  transitionKinds,
  withAllTransitions,
  withTransition,
  type Transitioned,
  type Wish,
} from '../../renderer/editor/timeline/transitions.ts';
import { mediaObstacleOf, obstacleOf } from '../../renderer/editor/timeline/wishes.ts';

const lengths = { 'ten.mp4': 10, 'song.mp3': 30 };
/** A document of ten seconds. */
const of = (...elements: readonly JsonObject[]): Source => ({ duration: 10, elements });
const shape = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'shape',
  name,
  ...more,
});
const video = (name: string, more: JsonObject = {}): JsonObject => ({
  type: 'video',
  name,
  source: 'ten.mp4',
  ...more,
});

function clipsIn(source: Source): Clips {
  const clips = clipsOf(source, lengths);
  if (!clips) throw new Error('The document can’t be placed.');
  return clips;
}
function named({ byPath }: Clips, name: string): Clip {
  const clip = [...byPath.values()].find((one) => one.name === name);
  if (!clip) throw new Error(`There is no ${name}.`);
  return clip;
}
/** Where clips are, as `name start–end`, by their tracks. */
function places(source: Source): readonly string[] {
  return clipsIn(source).top.map(
    (clip) =>
      `${clip.name} ${clip.track ?? '-'} ${+clip.start.toFixed(3)}–${+endOf(clip).toFixed(3)}`,
  );
}

/** Both ways of making a change give the same document. */
function made(source: Source, change: Change): Source {
  const text = JSON.stringify(source, null, 2);
  const object = changedSource(source, change);
  for (const after of [changedText(text, change), textAfter(text, [change])])
    expect(JSON.parse(after)).toEqual(JSON.parse(JSON.stringify(object)));
  return object;
}

describe('times keep their unit and spelling', () => {
  test.each<[Json | undefined, Json]>([
    [2, 3],
    ['2', '3'],
    ['2 s', '3 s'],
    ['2s', '3s'],
    ['25%', '30%'],
    ['25 %', '30 %'],
    ['end', 3],
    ['media', 3],
    ['1 fr', 3],
    [null, 3],
    [undefined, 3],
  ])('%j', (before, after) => {
    expect(secondsLike(before, 3, 10)).toBe(after);
  });

  test('to a thousandth, never after the frame that is meant', () => {
    expect(tidySeconds(5 / 3)).toBe(1.666);
    expect(tidySeconds(4.35)).toBe(4.35);
    expect(tidySeconds(0.1 + 0.2)).toBe(0.3);
    expect(Object.is(tidySeconds(-0), 0)).toBe(true);
  });
});

describe('moving', () => {
  const three = of(
    shape('A', { track: 1, duration: 2 }),
    shape('B', { track: 1, duration: 1 }),
    shape('C', { track: 1, duration: 3 }),
  );
  const cases: readonly [
    string,
    Source,
    readonly string[],
    number,
    Target | null,
    readonly string[],
  ][] = [
    [
      'a time of its own',
      of(shape('A', { time: '1 s', duration: 2 })),
      ['A'],
      1.5,
      null,
      ['A - 2.5–4.5'],
    ],
    ['in percent', of(shape('A', { time: '10%', duration: '20%' })), ['A'], 1, null, ['A - 2–4']],
    [
      'not before the beginning',
      of(shape('A', { time: 1, duration: 2 })),
      ['A'],
      -4,
      null,
      ['A - 0–2'],
    ],
    ['from the end', of(shape('A', { time: 'end', duration: 2 })), ['A'], -1, null, ['A - 7–9']],
    ['to the end still lasts to the end', of(shape('A')), ['A'], 1, null, ['A - 1–10']],
    [
      'moved to the left it keeps its length',
      of(shape('A', { time: 4 })),
      ['A'],
      -1,
      null,
      ['A - 3–9'],
    ],
    ['a gap before what follows', three, ['C'], 1.5, null, ['A 1 0–2', 'B 1 2–3', 'C 1 4.5–7.5']],
    ['past the next one', three, ['B'], 2, null, ['A 1 0–2', 'C 1 2–5', 'B 1 5–6']],
    ['past two', three, ['A'], 4, null, ['B 1 0–1', 'C 1 1–4', 'A 1 4–6']],
    ['back to the front', three, ['C'], -3, null, ['C 1 0–3', 'A 1 3–5', 'B 1 5–6']],
    ['far behind the last one', three, ['B'], 6, null, ['A 1 0–2', 'C 1 2–5', 'B 1 8–9']],
    ['two that follow each other', three, ['B', 'C'], 1, null, ['A 1 0–2', 'B 1 3–4', 'C 1 4–7']],
    [
      'to another track, at its time',
      of(
        shape('A', { track: 1, time: 1, duration: 1 }),
        shape('B', { track: 2, time: 5, duration: 1 }),
      ),
      ['A'],
      0.5,
      { kind: 'track', track: 2 },
      ['B 2 5–6', 'A 2 1.5–2.5'],
    ],
    [
      'into a row of others, which make room',
      of(
        shape('A', { track: 1, duration: 2 }),
        shape('B', { track: 1, duration: 2 }),
        shape('N', { track: 2, duration: 1 }),
      ),
      ['N'],
      1.5,
      { kind: 'track', track: 1 },
      ['A 1 0–2', 'N 1 2–3', 'B 1 3–5'],
    ],
    [
      'to a new track',
      of(shape('A', { track: 1, duration: 2 }), shape('B', { track: 3, duration: 2 })),
      ['A'],
      0,
      { kind: 'front' },
      ['A 4 0–2', 'B 3 0–2'],
    ],
    [
      'without a track, to the front',
      of(shape('A', { duration: 1 }), shape('B', { duration: 2 }), shape('C', { duration: 3 })),
      ['A'],
      0,
      { kind: 'front' },
      ['B - 0–2', 'C - 0–3', 'A - 0–1'],
    ],
    [
      'without a track, to the place of another one',
      of(shape('A', { duration: 1 }), shape('B', { duration: 2 }), shape('C', { duration: 3 })),
      ['C'],
      1,
      { kind: 'lane', index: 1 },
      ['A - 0–1', 'C - 1–4', 'B - 0–2'],
    ],
  ];
  test.each(cases)('%s', (_what, source, names, by, target, after) => {
    const clips = clipsIn(source);
    const held = names.map((name) => named(clips, name));
    expect(places(made(source, movedClips(clips, held, by, target)))).toEqual(after);
  });

  test('in a composition it is its clock that counts', () => {
    const source = of({
      type: 'composition',
      name: 'Group',
      time: 3,
      duration: 5,
      elements: [shape('Inner', { time: '20%', duration: 1 })],
    });
    const clips = clipsIn(source);
    const after = made(source, movedClips(clips, [named(clips, 'Inner')], 1, null));
    expect(named(clipsIn(after), 'Inner')).toMatchObject({ start: 5, duration: 1 });
    expect(JSON.stringify(after)).toContain('"40%"');
  });

  test('no move leads to another document while it comes back to where it began', () => {
    const clips = clipsIn(three);
    for (const clip of clips.top)
      expect(movedClips(clips, [clip], 0, null)).toEqual({ values: {}, order: null });
  });

  test('paths follow a new order', () => {
    const clips = clipsIn(three);
    const change = movedClips(clips, [named(clips, 'A')], 4, null);
    const after = made(three, change);
    for (const { path, name } of clips.top)
      expect(clipsIn(after).byPath.get(pathAfter(path, change))?.name).toBe(name);
    expect(pathAfter('elements[0].elements[3].x', change)).toBe('elements[2].elements[3].x');
  });
});

describe('trimming', () => {
  const cases: readonly [string, JsonObject, Edge, number, JsonObject, string][] = [
    [
      'the end',
      shape('A', { time: 1, duration: '4 s' }),
      'end',
      -1,
      { time: 1, duration: '3 s' },
      'A - 1–4',
    ],
    ['the end of what lasts to the end', shape('A'), 'end', -2, { duration: 8 }, 'A - 0–8'],
    ['the start of what lasts to the end', shape('A'), 'start', 2, { time: 2 }, 'A - 2–10'],
    [
      'what ends with the document',
      shape('A', { time: 'end', duration: 4 }),
      'end',
      -1,
      { time: 6, duration: 3 },
      'A - 6–9',
    ],
    [
      'the start of a video',
      video('A', { time: 1 }),
      'start',
      2,
      { time: 3, trim_start: 2 },
      'A - 3–11',
    ],
    [
      'a video that plays twice as fast',
      video('A', { speed: '200%', trim_start: '1 s' }),
      'start',
      1.5,
      { time: 1.5, trim_start: '4 s' },
      'A - 1.5–4.5',
    ],
    [
      'a part of a video',
      video('A', { trim_start: 1, trim_duration: '4 s' }),
      'start',
      1,
      { time: 1, trim_start: 2, trim_duration: '3 s' },
      'A - 1–4',
    ],
    [
      'the end of a part',
      video('A', { trim_duration: 4 }),
      'end',
      -1,
      { trim_duration: 3 },
      'A - 0–3',
    ],
    ['the end of a whole video', video('A'), 'end', -4, { duration: 6 }, 'A - 0–6'],
    [
      'a loop keeps its beginning',
      video('A', { loop: true, duration: 8 }),
      'start',
      2,
      { time: 2, duration: 6 },
      'A - 2–8',
    ],
  ];
  test.each(cases)('%s', (_what, element, edge, by, values, after) => {
    const source = of(element);
    const clips = clipsIn(source);
    const changed = made(source, trimmedClip(clips, named(clips, 'A'), edge, by, false));
    expect((changed.elements as readonly JsonObject[])[0]).toEqual({ ...element, ...values });
    expect(places(changed)).toEqual([after]);
  });

  test('what comes later on the track moves along where it ripples', () => {
    const source = of(
      video('A', { track: 1, duration: 4 }),
      shape('B', { track: 1, time: 5, duration: 1 }),
      shape('C', { track: 1, time: '70%', duration: 1 }),
      shape('D', { track: 2, time: 6, duration: 1 }),
    );
    const clips = clipsIn(source);
    const by = (edge: Edge, seconds: number): readonly string[] =>
      places(made(source, trimmedClip(clips, named(clips, 'A'), edge, seconds, true)));
    expect(by('end', 1)).toEqual(['A 1 0–5', 'B 1 6–7', 'C 1 8–9', 'D 2 6–7']);
    expect(by('start', 1)).toEqual(['A 1 0–3', 'B 1 4–5', 'C 1 6–7', 'D 2 6–7']);
    const gone = closedUp(clips, [named(clips, 'A')]);
    expect(gone).toEqual({ 'elements[1].time': 1, 'elements[2].time': '30%' });
    expect(closedUp(clips, [named(clips, 'A'), named(clips, 'B')])).toEqual({
      'elements[2].time': '20%',
    });
  });

  test('the cut between two is rolled: the rest of the track stays where it is', () => {
    const source = of(
      shape('A', { track: 1, duration: 2 }),
      video('B', { track: 1, trim_start: 1, duration: 3 }),
      shape('C', { track: 1, time: 5, duration: 2 }),
      shape('D', { track: 2, duration: 2 }),
    );
    const clips = clipsIn(source);
    const roll = (name: string, edge: Edge, by: number): readonly string[] | null => {
      const rolled = rolledCut(clips, named(clips, name), edge, by, 0.04);
      return rolled && places(made(source, rolled.change));
    };
    const after = ['A 1 0–3', 'B 1 3–5', 'C 1 5–7', 'D 2 0–2'];
    expect(roll('A', 'end', 1)).toEqual(after);
    expect(roll('B', 'start', 1)).toEqual(after);
    // Its file has no more than a second before.
    expect(roll('A', 'end', -1.5)?.slice(0, 2)).toEqual(['A 1 0–1', 'B 1 1–5']);
    expect(roll('C', 'start', 0.5)?.slice(1, 3)).toEqual(['B 1 2–5.5', 'C 1 5.5–7']);
    expect(roll('C', 'end', 1)).toBeNull();
    expect(roll('D', 'start', 1)).toBeNull();
  });

  test.each<[string, JsonObject, Edge, number, number]>([
    ['a frame stays', shape('A', { duration: 2 }), 'end', -5, -1.96],
    ['a frame stays at the start', shape('A', { duration: 2 }), 'start', 5, 1.96],
    ['not before the document', shape('A', { time: 1, duration: 2 }), 'start', -3, -1],
    ['not before the file', video('A', { time: 5, trim_start: 1 }), 'start', -3, -1],
    ['not beyond the file', video('A', { trim_start: 1, duration: 5 }), 'end', 9, 4],
    ['a loop has no end', video('A', { loop: true, duration: 5 }), 'end', 9, 9],
    ['what holds its last picture', video('A', { duration: 12 }), 'end', 3, 3],
  ])('%s', (_what, element, edge, by, bounded) => {
    expect(boundedTrim(named(clipsIn(of(element)), 'A'), edge, by, 0.04)).toBeCloseTo(bounded, 6);
  });
});

test('without a track, what comes later on the same row moves along, too', () => {
  const source = of(
    video('A', { duration: 4 }),
    video('B', { time: 4, trim_start: 4, duration: 2 }),
    video('C', { time: 6, trim_start: 6 }),
    shape('Title', { time: 6, duration: 1 }),
  );
  const clips = clipsIn(source);
  const gone = closedUp(clips, [named(clips, 'B')]);
  expect(gone).toEqual({ 'elements[2].time': 4 });
  const trimmed = made(source, trimmedClip(clips, named(clips, 'B'), 'end', -1, true));
  expect(places(trimmed)).toEqual(['A - 0–4', 'B - 4–5', 'C - 5–9', 'Title - 6–7']);
  const begun = made(source, trimmedClip(clips, named(clips, 'B'), 'start', 1, true));
  expect(places(begun)).toEqual(['A - 0–4', 'B - 4–5', 'C - 5–9', 'Title - 6–7']);
  expect(rolledCut(clips, named(clips, 'A'), 'end', 1, 0.04)?.by).toBe(1);
});

describe('transitions', () => {
  const frame = 0.04;
  const photo = (name: string, more: JsonObject = {}): JsonObject =>
    shape(name, { duration: 4, ...more });
  const film = (...elements: readonly JsonObject[]): Source => ({ elements });
  const result = (source: Source, done: Transitioned): Source => {
    if ('why' in done) throw new Error(done.why);
    return done.changes.reduce((so, change) => made(so, change), source);
  };
  const apply = (source: Source, after: number, wish: Wish): Source =>
    result(source, withTransition({ source, lengths }, `elements[${after}]`, wish, frame));
  const slide: Wish = { values: { type: 'slide', direction: '180°' } };

  const cases: readonly [string, Source, number, readonly string[]][] = [
    [
      'a picture before is shown longer, and nothing else moves',
      film(
        photo('A', { track: 1 }),
        photo('B', { track: 1 }),
        photo('C', { track: 1 }),
        shape('Title', { time: 5, duration: 2 }),
      ),
      1,
      ['A 1 0–5', 'B 1 4–8', 'C 1 8–12', 'Title - 5–7'],
    ],
    [
      'the same where times are written, in their spelling',
      film(photo('A', { track: 1, duration: '4 s' }), photo('B', { track: 1, time: '4 s' })),
      1,
      ['A 1 0–5', 'B 1 4–8'],
    ],
    [
      'a video has more of its file to show',
      film(video('A', { track: 1, duration: 4 }), photo('B', { track: 1 })),
      1,
      ['A 1 0–5', 'B 1 4–8'],
    ],
    [
      'of a video that is over, the next clips come earlier',
      film(
        video('A', { track: 1 }),
        photo('B', { track: 1, time: 10 }),
        photo('C', { track: 1, time: 14 }),
      ),
      1,
      ['A 1 0–10', 'B 1 9–13', 'C 1 13–17'],
    ],
    [
      'what lasts up to the next one lasts through the transition',
      film(shape('A', { track: 1 }), photo('B', { track: 1, time: 4 })),
      1,
      ['A 1 0–5', 'B 1 4–8'],
    ],
    [
      'what the next one cuts is cut later',
      film(photo('A', { track: 1, duration: 9 }), photo('B', { track: 1, time: 4 })),
      1,
      ['A 1 0–5', 'B 1 4–8'],
    ],
    [
      'a gap of less than a frame goes',
      film(photo('A', { track: 1 }), photo('B', { track: 1, time: 4.02 })),
      1,
      ['A 1 0–5.02', 'B 1 4.02–8.02'],
    ],
    [
      'without a track, all of the row gets one beneath what lay above',
      film(
        shape('Ground', { track: 1, duration: 9 }),
        photo('A'),
        photo('B', { time: 4 }),
        shape('Title', { track: 2, time: 2, duration: 4 }),
      ),
      2,
      ['Ground 1 0–9', 'A 2 0–5', 'B 2 4–8', 'Title 3 2–6'],
    ],
    [
      'two videos on different tracks get the first one’s',
      film(video('A', { track: 2, duration: 4 }), video('B', { track: 3, time: 4, duration: 4 })),
      1,
      ['A 2 0–5', 'B 2 4–8'],
    ],
    [
      'of short clips it is as long as both bear',
      film(photo('A', { track: 1, duration: 1 }), photo('B', { track: 1, duration: 0.8 })),
      1,
      ['A 1 0–1.4', 'B 1 1–1.8'],
    ],
  ];
  test.each(cases)('%s', (_what, source, after, expected) => {
    expect(places(apply(source, after, slide))).toEqual(expected);
  });

  test('it is written once, changed in place, and taken away without a trace', () => {
    const source = film(
      photo('A', { track: 1 }),
      photo('B', { track: 1 }),
      photo('C', { track: 1 }),
    );
    const first = apply(source, 1, slide);
    expect((first.elements as readonly JsonObject[])[1]).toMatchObject({
      animations: [
        { time: 'start', duration: 1, transition: true, type: 'slide', direction: '180°' },
      ],
    });
    const other = apply(first, 1, { values: { type: 'wipe', fade: false } });
    expect((other.elements as readonly JsonObject[])[1]).toMatchObject({
      animations: [{ time: 'start', duration: 1, transition: true, type: 'wipe', fade: false }],
    });
    const longer = apply(other, 1, { length: 2 });
    expect(places(longer)).toEqual(['A 1 0–6', 'B 1 4–8', 'C 1 8–12']);
    expect(apply(longer, 1, { values: null })).toEqual(source);
  });

  test('other animations of the clip stay', () => {
    const fade = { type: 'fade', time: 'end', duration: 0.5 };
    const source = film(photo('A', { track: 1 }), photo('B', { track: 1, animations: [fade] }));
    const done = apply(source, 1, slide);
    expect((done.elements as readonly JsonObject[])[1]?.animations).toMatchObject([
      fade,
      { type: 'slide' },
    ]);
    expect(apply(done, 1, { values: null })).toEqual(source);
  });

  test('a video that had to be overlapped is given back what that took', () => {
    const source = film(video('A', { track: 1 }), photo('B', { track: 1, time: 10 }));
    expect(apply(apply(source, 1, slide), 1, { values: null })).toEqual(source);
  });

  test('its handle in the timeline keeps both sides together', () => {
    const source = apply(
      film(photo('A', { track: 1 }), photo('B', { track: 1, time: 4 })),
      1,
      slide,
    );
    const clips = clipsIn(source);
    const { change } = tried({ kind: 'animation', index: 0 }, clips, [named(clips, 'B')], {
      by: 0.6,
      target: null,
      ripples: false,
      rolls: false,
      frame,
    });
    expect(places(made(source, change))).toEqual(['A 1 0–5.6', 'B 1 4–8']);
  });

  test('what lies between two tracks, is locked or too short says so', () => {
    const why = (source: Source, after: number): string | null => {
      const done = withTransition({ source, lengths }, `elements[${after}]`, slide, frame);
      return 'why' in done ? done.why : null;
    };
    const between = film(photo('Z'), photo('A'), photo('X', { time: 4 }), photo('B', { time: 4 }));
    expect(cutsOf(clipsIn(between).top, frame).length).toBeGreaterThan(0);
    expect(why(between, 3)).toBe('between');
    expect(why(film(photo('A', { track: 1, locked: true }), photo('B', { track: 1 })), 1)).toBe(
      'locked',
    );
    expect(why(film(photo('A', { track: 1 }), photo('B', { track: 1, duration: 0.05 })), 1)).toBe(
      'short',
    );
  });

  test('each that is offered says what it is, and no wipe is half transparent', () => {
    for (const { id, values } of transitionKinds) {
      expect(kindOf({ time: 'start', duration: 2, transition: true, ...values })).toBe(id);
      if (/wipe|scale/.test(values.type) && values.type !== 'color-wipe')
        expect(values).toMatchObject({ fade: false });
    }
    expect(kindOf({ type: 'spin' })).toBeNull();
  });

  test('on all cuts of any track: each overlaps by its length, none leaves a gap, and nothing else moves', () => {
    const seeded = seededRandom(11);
    for (let round = 0; round < 150; round++) {
      const isTracked = seeded.next() < 0.5;
      let at = 0;
      const row = Array.from({ length: 2 + seeded.below(4) }, (_, index): JsonObject => {
        const seconds = 1 + seeded.below(6) / 2;
        const isTimed = index > 0 && (!isTracked || seeded.next() < 0.5);
        const one = seeded.pick([photo, video])(`E${index}`, {
          ...(isTracked && { track: 2 }),
          ...(isTimed && { time: seeded.pick<Json>([at, `${at} s`]) }),
          duration: seconds,
        });
        at += seconds;
        return one;
      });
      const source = film(
        shape('Ground', { track: 1, duration: 30 }),
        ...row,
        shape('Title', { ...(isTracked && { track: 3 }), time: 1.5, duration: 2 }),
      );
      const before = clipsIn(source);
      const length = 0.2 + seeded.below(20) / 10;
      const wish = { ...slide, length };
      const after = result(
        source,
        withAllTransitions({ source, lengths }, 'elements[2]', wish, frame),
      );
      const clips = clipsIn(after);
      const placed = row.map((_, index) => named(clips, `E${index}`));
      placed.forEach((clip, index) => {
        const last = placed[index - 1];
        const was = named(before, clip.name);
        if (last) expect(endOf(last) - clip.start).toBeCloseTo(clip.overlap, 2);
        expect(clip.start).toBeLessThanOrEqual(was.start + 0.002);
      });
      for (const name of ['Ground', 'Title'])
        expect(named(clips, name)).toMatchObject({ start: named(before, name).start });
      // Nobody else lies at the same depth, and what lay above still does.
      const lanes = lanesOf(clips.top.map(({ track }) => track));
      const depth = (name: string): number => lanes[clips.top.indexOf(named(clips, name))] ?? 0;
      expect(depth('Ground')).toBeLessThan(depth('E0'));
      expect(depth('Title')).toBeGreaterThan(depth('E0'));
    }
  });
});

describe('splitting', () => {
  const split = (element: JsonObject, at: number, ...others: readonly JsonObject[]): Source => {
    const source = of(element, ...others);
    const clips = clipsIn(source);
    const [first] = clips.top;
    const names = new Set(clips.top.map(({ name }) => name));
    if (!first) throw new Error('There is nothing to split.');
    return JSON.parse(splitText(JSON.stringify(source, null, 2), first, at, names)) as Source;
  };
  const parts = (source: Source): readonly JsonObject[] => source.elements as readonly JsonObject[];

  test.each<[string, JsonObject, number, readonly string[]]>([
    ['a time of its own', shape('A', { time: '1 s', duration: 4 }), 3, ['A - 1–3', 'A 2 - 3–5']],
    ['to the end', shape('A'), 3, ['A - 0–3', 'A 2 - 3–10']],
    ['in percent', shape('A', { duration: '50%' }), 2, ['A - 0–2', 'A 2 - 2–5']],
    ['on a track', shape('A', { track: 1, duration: 4 }), 3, ['A 1 0–3', 'A 2 1 3–4']],
    ['with the document', shape('A', { time: 'end', duration: 4 }), 7, ['A - 6–7', 'A 2 - 7–10']],
    [
      'a share of its track',
      shape('A', { track: 1, duration: '1 fr' }),
      4,
      ['A 1 0–4', 'A 2 1 4–10'],
    ],
    ['a video', video('A', { time: 1, trim_start: 2 }), 4, ['A - 1–4', 'A 2 - 4–9']],
  ])('%s', (_what, element, at, after) => {
    expect(places(split(element, at))).toEqual(after);
  });

  test('a file goes on where it was, and sounds fade at the outer ends', () => {
    const element = video('A', {
      id: 'x',
      speed: '200%',
      trim_start: 1,
      trim_duration: '8 s',
      audio_fade_in: 1,
      audio_fade_out: 1,
    });
    const [first, second] = parts(split(element, 1));
    expect(first).toMatchObject({ id: 'x', trim_start: 1, trim_duration: '2 s', audio_fade_in: 1 });
    expect(first).not.toHaveProperty('audio_fade_out');
    expect(second).toMatchObject({
      name: 'A 2',
      trim_start: 3,
      trim_duration: '6 s',
      audio_fade_out: 1,
    });
    expect(second).not.toHaveProperty('audio_fade_in');
    expect(second).not.toHaveProperty('id');
  });

  test('it comes in with the first part and goes with the second; keyframes go on', () => {
    const [first, second] = parts(
      split(
        shape('A', {
          duration: 4,
          animations: [
            { type: 'fade', time: 'start', duration: 1 },
            { type: 'fade', time: 'end', duration: 1 },
            { type: 'scale', time: 3, duration: 1 },
            { type: 'pan' },
          ],
          x: [
            { time: 0, value: 0 },
            { time: 'end', value: 100 },
          ],
        }),
        1,
      ),
    );
    expect((first?.animations as readonly JsonObject[]).map(({ type }) => type)).toEqual([
      'fade',
      'pan',
    ]);
    expect(second?.animations).toEqual([
      { type: 'fade', time: 'end', duration: 1 },
      { type: 'scale', time: 2, duration: 1 },
      { type: 'pan' },
    ]);
    expect(first?.x).toEqual([
      { time: 0, value: 0 },
      { time: 4, value: 100 },
    ]);
    expect(second?.x).toEqual([
      { time: -1, value: 0 },
      { time: 3, value: 100 },
    ]);
  });

  test('names stay unique', () => {
    const names = parts(split(shape('A'), 3, shape('A 2'))).map(({ name }) => name);
    expect(names).toEqual(['A', 'A 3', 'A 2']);
  });
});

test('rows are layers, the front ones first and sounds last; without a track they share a row while none overlaps', () => {
  const source = of(
    shape('Ground', { track: 1 }),
    { type: 'audio', name: 'Song', source: 'song.mp3', track: 4, duration: 10 },
    shape('A', { time: 0, duration: 2 }),
    shape('B', { time: 2, duration: 2 }),
    shape('C', { time: 3, duration: 2 }),
    shape('Top', { track: 6 }),
    {
      type: 'composition',
      name: 'Group',
      track: 2,
      elements: [shape('Inner', { track: 1 }), shape('Over', { track: 2 })],
    },
  );
  const clips = clipsIn(source);
  const rowsOf = (unfolded: readonly string[]): readonly string[] =>
    timelineRows(clips.top, new Set(unfolded)).map(
      ({ clips: own, level }) => `${level} ${own.map(({ name }) => name).join(' ')}`,
    );
  expect(rowsOf([])).toEqual(['1 Top', '1 C', '1 A B', '1 Group', '1 Ground', '1 Song']);
  expect(rowsOf(['elements[6]']).slice(3, 6)).toEqual(['1 Group', '2 Over', '2 Inner']);
});

test('edges keep to the nearest moment within reach', () => {
  const moments = [0, 2, 5];
  expect(snapTo([1.9, 4.2], moments, 0.3)).toMatchObject({ at: 2 });
  expect(snapTo([1.5, 4.2], moments, 0.3)).toBeNull();
  expect(snapTo([1.8, 4.9], moments, 0.3)).toMatchObject({ at: 5 });
  expect(snapTo([7], [], 0.3)).toBeNull();
});

test('arrows lead along a row, and to what is there at the same time', () => {
  const clips = clipsIn(
    of(
      shape('A', { track: 1, duration: 2 }),
      shape('B', { track: 1, duration: 4 }),
      shape('C', { track: 2, time: 3, duration: 2 }),
    ),
  );
  const rows = timelineRows(clips.top, new Set()).map((row) => ({
    clips: row.clips.map((clip) => ({ key: clip.path, clip })),
  }));
  const from = (name: string, way: 'left' | 'right' | 'up' | 'down'): string | undefined =>
    neighbour(rows, named(clips, name), way)?.name;
  expect(from('A', 'right')).toBe('B');
  expect(from('A', 'left')).toBeUndefined();
  expect(from('C', 'down')).toBe('B');
  expect(from('B', 'up')).toBe('C');
  expect(neighbour(rows, null, 'right')?.name).toBe('C');
});

test.each([
  ['frames', 2000, ['0:00', '1f', '2f']],
  ['tenths', 400, ['0:00.0', '0:00.2', '0:00.4']],
  ['seconds', 90, ['0:00', '0:01', '0:02']],
  ['minutes', 1.5, ['0:00', '1:00', '2:00']],
])('the ruler has times where there is room: %s', (_what, scale, texts) => {
  const marks = marksOf(scale, 25, 0, 300).filter(({ text }) => text !== '');
  expect(marks.slice(0, 3).map(({ text }) => text)).toEqual(texts);
});

test.each<[JsonObject, boolean, string | null]>([
  [shape('A'), true, 'locked'],
  [shape('A', { time: '{{start}}' }), false, 'expression'],
  [shape('A', { duration: [{ time: 0, value: 1 }] }), false, 'keyframes'],
  [shape('A', { time: '2 s', duration: 'media' }), false, null],
])('what can’t be moved by hand says why: %j', (element, locked, why) => {
  expect(obstacleOf(named(clipsIn(of(element)), 'A'), locked)).toBe(why);
});

test('the start of a video whose speed changes is not trimmed by hand', () => {
  const speed = [
    { time: 0, value: '100%' },
    { time: 2, value: '200%' },
  ];
  expect(mediaObstacleOf(named(clipsIn(of(video('A', { speed }))), 'A'))).toBe('speed');
  expect(mediaObstacleOf(named(clipsIn(of(video('A'))), 'A'))).toBeNull();
});

describe('at another speed a clip shows as much of its file', () => {
  const path = 'elements[0]';
  const spedTo = (speed: Json | undefined, ...elements: readonly JsonObject[]): Change =>
    sped({ source: of(...elements), lengths }, { [path]: speed });

  test.each<[string, Json | undefined, readonly JsonObject[], readonly string[]]>([
    [
      'a whole file; what follows closes up by itself',
      '200%',
      [video('A', { track: 1 }), video('B', { track: 1 })],
      ['A 1 0–5', 'B 1 5–15'],
    ],
    [
      'a length that was given',
      '200%',
      [video('A', { track: 1, duration: '4 s' }), video('B', { track: 1, duration: 2 })],
      ['A 1 0–2', 'B 1 2–4'],
    ],
    [
      'what has a time of its own moves along',
      '50%',
      [
        video('A', { track: 1, duration: 2, trim_start: 1 }),
        shape('B', { track: 1, time: 2, duration: 1 }),
        shape('C', { track: 1, time: 4, duration: 1 }),
      ],
      ['A 1 0–4', 'B 1 4–5', 'C 1 6–7'],
    ],
    [
      'after a gap, and on other tracks, nothing moves',
      '200%',
      [
        video('A', { track: 1, duration: 2 }),
        shape('B', { track: 1, time: 3, duration: 1 }),
        shape('C', { track: 2, time: 2, duration: 1 }),
      ],
      ['A 1 0–1', 'B 1 3–4', 'C 2 2–3'],
    ],
    [
      'a gap that would be run over does not stay',
      '50%',
      [video('A', { track: 1, duration: 2 }), shape('B', { track: 1, time: 3, duration: 1 })],
      ['A 1 0–4', 'B 1 5–6'],
    ],
    [
      'longer than its file it is no more',
      '200%',
      [video('A', { duration: 8, trim_start: 6 })],
      ['A - 0–2'],
    ],
    [
      'without a speed it plays as recorded again',
      undefined,
      [video('A', { duration: 2, speed: '400%' })],
      ['A - 0–8'],
    ],
    ['what repeats stays as long', '200%', [video('A', { duration: 4, loop: true })], ['A - 0–4']],
    [
      'what fills its room stays as long',
      '200%',
      [video('A', { duration: '1 fr', track: 1 }), shape('B', { track: 1, time: 6, duration: 1 })],
      ['A 1 0–6', 'B 1 6–7'],
    ],
    ['the same speed changes nothing', '100%', [video('A', { duration: 12 })], ['A - 0–12']],
    ['what is half typed changes nothing', 'x', [video('A', { duration: 4 })], ['A - 0–4']],
    [
      'a speed that changes over time stays as long',
      '200%',
      [
        video('A', {
          duration: 4,
          speed: [
            { time: 0, value: '100%' },
            { time: 4, value: '300%' },
          ],
        }),
      ],
      ['A - 0–4'],
    ],
  ])('%s', (_, speed, elements, gives) => {
    const source = of(...elements);
    expect(places(made(source, spedTo(speed, ...elements)))).toEqual(gives);
  });

  test('in the unit that stood there', () => {
    const { values } = spedTo('400%', video('A', { duration: '40%' }));
    expect(values[`${path}.duration`]).toBe('10%');
  });
});

describe('what moves in a clip', () => {
  const source = of(
    shape('Before', { track: 1, duration: 4 }),
    shape('A', {
      track: 1,
      duration: 4,
      animations: [
        { type: 'slide', transition: true, duration: '1 s' },
        { type: 'fade', time: 'end', duration: 0.5 },
        { type: 'shake', time: 1, duration: 2 },
        { type: 'scale', time: 'start' },
        { type: 'pan' },
      ],
      x: [
        { time: 0, value: 0 },
        { time: '1 s', value: 10, easing: 'linear' },
        { time: '75%', value: 20 },
      ],
      y: [
        { time: 1, value: 0 },
        { time: 'end', value: 5, easing: 'back-out' },
      ],
    }),
  );
  const clip = named(clipsIn(source), 'A');

  test('animations have their parts of it', () => {
    expect(
      regionsOf(clip).map(({ type, kind, from, to }) => `${type} ${kind} ${from}–${to}`),
    ).toEqual([
      'slide transition 0–1',
      'fade out 3.5–4',
      'shake between 1–3',
      'scale in 0–1',
      'pan whole 0–4',
    ]);
  });

  test.each<[number, number, Json | undefined]>([
    [0, 0.5, '1.5 s'],
    [1, -1, 1.5],
    [1, 9, 0.04],
    [1, -9, 4],
    [2, 3, 3],
    [3, 1, 2],
    [4, 1, undefined],
  ])('animation %i, its handle dragged by %d s', (index, by, duration) => {
    const { values } = stretched(clip, index, by, 0.04);
    expect(values[`elements[1].animations[${index}].duration`]).toBe(duration);
  });

  test('keyframes of one moment are one', () => {
    expect(
      keyMomentsOf(clip).map(({ at, keys }) => [at, keys.map(({ name }) => name).join()]),
    ).toEqual([
      [0, 'x'],
      [1, 'x,y'],
      [3, 'x'],
      [4, 'y'],
    ]);
    expect(movedKeys(clip, [1], 0.5).values).toEqual({
      'elements[1].x[1].time': '1.5 s',
      'elements[1].y[0].time': 1.5,
    });
    expect(movedKeys(clip, [3], -1).values).toEqual({ 'elements[1].x[2].time': '50%' });
    expect(boundedKeys(clip, [1], 5, 0.04)).toBeCloseTo(1.96, 6);
    expect(boundedKeys(clip, [4], 5, 0.04)).toBe(0);
    // Those that go along are no limit to each other.
    expect(boundedKeys(clip, [1, 3], 5, 0.04)).toBe(1);
    expect(boundedKeys(clip, [1, 3], -5, 0.04)).toBeCloseTo(-0.96, 6);
    expect(withoutKeys(clip, [1]).values).toEqual({
      'elements[1].x': [
        { time: 0, value: 0 },
        { time: '75%', value: 20 },
      ],
      'elements[1].y': [{ time: 'end', value: 5, easing: 'back-out' }],
    });
  });

  test('the value of a last keyframe stays', () => {
    const one = named(clipsIn(of(shape('A', { x: [{ time: 1, value: '30%' }] }))), 'A');
    expect(withoutKeys(one, [1]).values).toEqual({ 'elements[0].x': '30%' });
  });
});

test.each<[string, JsonObject, number, number]>([
  ['from its beginning', video('A'), 3, 3],
  ['from where it is cut, twice as fast', video('A', { trim_start: 2, speed: '200%' }), 1.5, 5],
  ['a loop begins again', video('A', { trim_start: 1, trim_duration: 2, loop: true }), 5, 2],
  ['past its end the last picture stays', video('A', { duration: 12 }), 11, 10],
])('the file of a clip is shown %s', (_what, element, time, expected) => {
  const clip = named(clipsIn(of(element)), 'A').media?.clip ?? null;
  expect(fileTimeAt(clip, time)).toBeCloseTo(expected, 6);
});

test('any gesture on any document gives the same in text and in what was read, with times that are none below 0', () => {
  const seeded = seededRandom(7);
  const random = (): number => seeded.next();
  const pick = <Value>(...values: readonly Value[]): Value => seeded.pick(values);
  const element = (index: number, level: number): JsonObject => {
    const type = pick('shape', 'video', 'text', 'composition', 'audio');
    const optional = (name: string, ...values: readonly Json[]): JsonObject =>
      random() < 0.5 ? { [name]: pick(...values) } : {};
    return {
      type,
      name: `E${level}${index}`,
      ...optional('track', 1, 2, 3, null),
      ...optional('time', 0, 1.5, '2 s', '30%', 'end', null),
      ...optional('duration', 1, '2.5 s', '40%', '1 fr', 'media', null, 0),
      ...((type === 'video' || type === 'audio') && {
        source: 'ten.mp4',
        ...optional('trim_start', 1, '2 s'),
        ...optional('trim_duration', 3, '4 s'),
        ...optional('speed', '50%', '200%'),
        ...optional('loop', true),
      }),
      ...optional(
        'animations',
        [{ type: 'fade', transition: true, duration: 0.5 }],
        [{ type: 'fade', time: 'end' }],
      ),
      ...optional('x', [
        { time: 0, value: 0 },
        { time: 'end', value: 5 },
      ]),
      ...(type === 'composition' && {
        elements: level > 1 ? [] : Array.from({ length: 3 }, (_, at) => element(at, level + 1)),
      }),
    };
  };
  const targets: readonly (Target | null)[] = [
    null,
    { kind: 'front' },
    { kind: 'track', track: 2 },
    { kind: 'lane', index: 1 },
  ];
  for (let round = 0; round < 300; round++) {
    const source: Source = {
      ...(random() < 0.7 && { duration: 10 }),
      elements: Array.from({ length: 5 }, (_, index) => element(index, 0)),
    };
    const clips = clipsIn(source);
    const clip = pick(...clips.byPath.values());
    const by = (random() - 0.5) * 12;
    const changes: readonly Change[] = [
      movedClips(clips, [clip], by, pick(...targets)),
      movedClips(clips, clips.top, by, null),
      ...(['start', 'end'] as const).map((edge) => {
        const ripples = random() < 0.5;
        return trimmedClip(clips, clip, edge, boundedTrim(clip, edge, by, 0.04, ripples), ripples);
      }),
      { values: closedUp(clips, [clip]), order: null },
    ];
    for (const change of changes) {
      const after = made(source, change);
      const placed = clipsIn(after);
      expect(placed.byPath.size).toBe(clips.byPath.size);
      for (const [path, value] of Object.entries(change.values)) {
        if (/\.(time|duration|trim_start|trim_duration)$/.test(path))
          expect(
            parseAmount(value)?.value ?? -1,
            `${path} of ${JSON.stringify(source)}`,
          ).toBeGreaterThanOrEqual(0);
      }
      for (const { path, name } of clips.byPath.values())
        expect(placed.byPath.get(pathAfter(path, change))?.name).toBe(name);
    }
    const at = clip.start + clip.duration / 2;
    if (!splitsAt(clip, at, 0.04) || clip.children.length > 0) continue;
    const namesOf = ({ byPath }: Clips): Set<string> =>
      new Set([...byPath.values()].map(({ name }) => name));
    const text = JSON.stringify(source);
    const split = clipsIn(JSON.parse(splitText(text, clip, at, namesOf(clips))) as Source);
    expect(split.byPath.size).toBe(clips.byPath.size + 1);
    expect(namesOf(split).size).toBe(namesOf(clips).size + 1);
  }
});

describe('the sound of a clip is changed on it', () => {
  const song = (more: JsonObject): Source =>
    of({ type: 'audio', name: 'Song', source: 'song.mp3', ...more });
  const pull = (
    source: Source,
    what: ClipGesture,
    { by = 0, rise = 0 }: { by?: number; rise?: number },
  ): { element: JsonObject | undefined; readout: string } => {
    const clips = clipsIn(source);
    const asked = { by, rise, target: null, ripples: false, rolls: false, frame: 0.04 };
    const { change, readout } = tried(what, clips, [named(clips, 'Song')], asked);
    return { element: (made(source, change).elements as readonly JsonObject[])[0], readout };
  };
  const fadeIn = { kind: 'fade', edge: 'start' } as const;
  const fadeOut = { kind: 'fade', edge: 'end' } as const;
  const whole = { kind: 'loudness', key: null } as const;

  test.each<[ClipGesture, JsonObject, { by?: number; rise?: number }, JsonObject, string]>([
    [fadeIn, {}, { by: 1.5 }, { audio_fade_in: 1.5 }, '1.5\u00a0s'],
    [fadeIn, { audio_fade_in: '1 s' }, { by: 1 }, { audio_fade_in: '2 s' }, '2\u00a0s'],
    [fadeIn, { audio_fade_in: 1 }, { by: -3 }, { audio_fade_in: undefined }, '0\u00a0s'],
    [fadeOut, {}, { by: -2 }, { audio_fade_out: 2 }, '2\u00a0s'],
    // It doesn't reach into the other one.
    [fadeOut, { duration: 4, audio_fade_in: 3 }, { by: -2 }, { audio_fade_out: 1 }, '1\u00a0s'],
    [whole, {}, { rise: -0.25 }, { volume: '50%' }, '50%'],
    [whole, { volume: 80 }, { rise: -0.1 }, { volume: 60 }, '60%'],
    [whole, { volume: '80%' }, { rise: 0.11 }, { volume: '100%' }, '100%'],
    [whole, { volume: '80%' }, { rise: -1 }, { volume: '0%' }, '0%'],
    [whole, { volume: '80%' }, { rise: 2 }, { volume: '200%' }, '200%'],
    [
      { kind: 'loudness', key: 1 },
      {
        volume: [
          { time: 0, value: '100%' },
          { time: 'end', value: '40%', easing: 'linear' },
        ],
      },
      { rise: -0.1 },
      {
        volume: [
          { time: 0, value: '100%' },
          { time: 'end', value: '20%', easing: 'linear' },
        ],
      },
      '20%',
    ],
    [
      { kind: 'loudness', key: 0 },
      {
        volume: [
          { time: '2 s', value: 50 },
          { time: 4, value: 100 },
        ],
      },
      { rise: 0.1, by: 3 },
      {
        volume: [
          { time: '3.96 s', value: 70 },
          { time: 4, value: 100 },
        ],
      },
      '70%',
    ],
  ])('%j of %j by %j', (what, before, asked, after, words) => {
    const { element, readout } = pull(song(before), what, asked);
    expect(element).toEqual({
      type: 'audio',
      name: 'Song',
      source: 'song.mp3',
      ...before,
      ...after,
    });
    expect(readout).toBe(words);
  });

  test('a new point lies on the line, and those beside it stay', () => {
    const random = seededRandom(11);
    const linear = { easing: 'linear' };
    for (let round = 0; round < 60; round++) {
      const keys = Array.from({ length: random.below(4) }, (_, index) => ({
        time: Number(((index + random.next()) * 2).toFixed(2)),
        value: `${random.below(200)}%`,
        ...linear,
      }));
      const source = song({ volume: keys.length === 0 ? '70%' : keys });
      const clip = named(clipsIn(source), 'Song');
      const at = random.next() * clip.duration;
      const { path, element, duration } = clip;
      const moment = { path, element, at, duration, frame: 0.001 };
      const text = withKeysAt(JSON.stringify(source), [moment], () => ['volume']);
      const after = named(clipsIn(JSON.parse(text) as Source), 'Song');
      const added = loudnessKeys(after).filter(
        (key) => !loudnessKeys(clip).some((old) => old.at === key.at),
      );
      expect(added).toHaveLength(1);
      for (const key of loudnessKeys(clip)) expect(loudnessKeys(after)).toContainEqual(key);
      const [before, behind] = [
        keys.findLast(({ time }) => time <= at),
        keys.find(({ time }) => time > at),
      ].map((key) => key && { time: key.time, percent: parseAmount(key.value)?.value ?? 0 });
      const share = before && behind ? (at - before.time) / (behind.time - before.time) : 0;
      const level = before?.percent ?? behind?.percent ?? 70;
      const expected = level + share * ((behind?.percent ?? level) - level);
      expect(Math.abs((added[0]?.percent ?? NaN) - expected)).toBeLessThan(0.51);
    }
  });
});
