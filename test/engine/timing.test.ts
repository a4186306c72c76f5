/** Where elements come to lie in time: small documents, and what the rules of the timeline make of them. */
import { describe, expect, test } from 'vitest';
import { scheduleDocument, type ScheduledElement } from '../../shared/engine/compile/schedule.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { mediaOf } from './compile-media.ts';

/** Start and duration of every element in document order; those of a composition follow it in a list of their own. */
type Places = readonly (
  readonly [start: number, duration: number] | readonly [number, number, Places]
)[];

type Case = readonly [
  name: string,
  elements: readonly JsonObject[],
  total: number,
  places: Places,
  root?: JsonObject,
];

const text = (rest: JsonObject = {}): JsonObject => ({ type: 'text', ...rest });
const image = (rest: JsonObject = {}): JsonObject => ({ type: 'image', source: 'photo', ...rest });
const video = (rest: JsonObject = {}): JsonObject => ({ type: 'video', source: 'video8', ...rest });
const audio = (rest: JsonObject = {}): JsonObject => ({
  type: 'audio',
  source: 'music22',
  ...rest,
});
const scene = (elements: readonly Json[], rest: JsonObject = {}): JsonObject => ({
  type: 'composition',
  elements,
  ...rest,
});
/** An entry that makes its element overlap with the one before. */
const fade = (duration?: Json): JsonObject => ({
  animations: [
    {
      type: 'fade',
      transition: true,
      time: 'start',
      ...(duration === undefined ? {} : { duration }),
    },
  ],
});

// prettier-ignore
const nothingHasALength: readonly Case[] = [
  ['an empty document lasts 5 s', [], 5, []],
  ['a text alone', [text()], 5, [[0, 5]]],
  ['a picture alone', [image()], 5, [[0, 5]]],
  ['texts without tracks all fill', [text(), text(), image()], 5, [[0, 5], [0, 5], [0, 5]]],
  ['an empty composition', [scene([])], 5, [[0, 5, []]]],
  ['a text in a composition', [scene([text()])], 5, [[0, 5, [[0, 5]]]]],
  ['a text three levels down', [scene([scene([scene([text()])])])], 5, [[0, 5, [[0, 5, [[0, 5, [[0, 5]]]]]]]]],
  ['the start of what fills counts for nothing', [text({ time: 3 })], 5, [[3, 2]]],
  ['nor does a share of the whole', [text({ duration: '50%' })], 5, [[0, 2.5]]],
  ['a video whose file is missing fills', [video({ source: 'lost' })], 5, [[0, 5]]],
  ['a video without a source fills', [video({ source: '' }), video({ source: null })], 5, [[0, 5], [0, 5]]],
  ['a duration of 0 gives no length', [text({ duration: 0 })], 5, [[0, 0]]],
];

// prettier-ignore
const lengths: readonly Case[] = [
  ['a video brings its length', [video()], 8, [[0, 8]]],
  ['an audio too', [audio()], 22, [[0, 22]]],
  ['media said in so many words', [video({ duration: 'media' })], 8, [[0, 8]]],
  ['media on a picture means to fill', [image({ duration: 'media' })], 5, [[0, 5]]],
  ['a number of seconds', [text({ duration: 3 })], 3, [[0, 3]]],
  ['seconds with a unit', [text({ duration: '3.5 s' })], 3.5, [[0, 3.5]]],
  ['seconds in a string', [text({ duration: '4' })], 4, [[0, 4]]],
  ['the longest counts', [text({ duration: 3 }), video(), image({ duration: 9 })], 9, [[0, 3], [0, 8], [0, 9]]],
  ['the furthest end counts', [text({ time: 6, duration: 4 }), video()], 10, [[6, 4], [0, 8]]],
  ['what fills stretches to it', [video(), text()], 8, [[0, 8], [0, 8]]],
  ['auto fills', [video(), text({ duration: 'auto' })], 8, [[0, 8], [0, 8]]],
  ['a video that is told to fill', [text({ duration: 12 }), video({ duration: null })], 12, [[0, 12], [0, 12]]],
  ['a looping video that is told to fill', [audio(), video({ duration: null, loop: true })], 22, [[0, 22], [0, 22]]],
  ['D17: a composition that is told to fill does not drive', [text({ duration: 3 }), { type: 'composition', duration: null, elements: [text({ duration: 9 })] }], 3, [[0, 3], [0, 3, [[0, 9]]]]],
  ['nor one among compositions, nor with auto', [{ type: 'composition', elements: [text({ duration: 3 }), { type: 'composition', duration: 'auto', elements: [video()] }] }], 3, [[0, 3, [[0, 3], [0, 3, [[0, 8]]]]]]],
  ['alone it has what an empty document has', [{ type: 'composition', duration: null, elements: [video()] }], 5, [[0, 5, [[0, 8]]]]],
  ['music that is told to fill does not drive', [video(), audio({ duration: null })], 8, [[0, 8], [0, 8]]],
  ['music by its own length drives', [video(), audio()], 22, [[0, 8], [0, 22]]],
  ['shorter music that fills', [video({ duration: 30 }), audio({ duration: null, loop: true })], 30, [[0, 30], [0, 30]]],
  ['a video longer than its file holds its place', [video({ duration: 20 })], 20, [[0, 20]]],
  ['a share of the whole', [video(), text({ duration: '25%' })], 8, [[0, 8], [0, 2]]],
  ['trim start shortens', [video({ trim_start: 3 })], 5, [[0, 5]]],
  ['trim start with a unit', [video({ trim_start: '3 s' })], 5, [[0, 5]]],
  ['trim duration shortens', [video({ trim_duration: 2 })], 2, [[0, 2]]],
  ['trim beyond the file is what is left', [video({ trim_start: 6, trim_duration: 10 })], 2, [[0, 2]]],
  ['trimmed away altogether fills', [video({ trim_start: 9 })], 5, [[0, 5]]],
  ['twice the speed halves', [video({ speed: '200%' })], 4, [[0, 4]]],
  ['half the speed doubles', [video({ speed: '50%' })], 16, [[0, 16]]],
  ['speed acts on what is trimmed', [video({ trim_start: 2, trim_duration: 4, speed: '200%' })], 2, [[0, 2]]],
  ['a loop alone does not lengthen', [video({ loop: true })], 8, [[0, 8]]],
  ['hidden elements keep their time', [text({ duration: 7, visible: false }), text()], 7, [[0, 7], [0, 7]]],
];

// prettier-ignore
const starts: readonly Case[] = [
  ['seconds', [text({ time: 2, duration: 3 })], 5, [[2, 3]]],
  ['seconds with a unit', [text({ time: '1.5 s', duration: 1 })], 2.5, [[1.5, 1]]],
  ['what fills goes on to the end', [video(), text({ time: 3 })], 8, [[0, 8], [3, 5]]],
  ['beyond the end nothing is left', [video(), text({ time: 9 })], 8, [[0, 8], [9, 0]]],
  ['before the beginning', [video(), text({ time: -2, duration: 5 })], 8, [[0, 8], [-2, 5]]],
  ['a share of the whole', [video(), text({ time: '50%' })], 8, [[0, 8], [4, 4]]],
  ['a share of the whole with a length', [video(), text({ time: '25%', duration: 1 })], 8, [[0, 8], [2, 1]]],
  ['a length at an unknown start counts as it is', [text({ time: '50%', duration: 4 })], 4, [[2, 4]]],
  ['at the end', [video(), text({ time: 'end', duration: 2 })], 8, [[0, 8], [6, 2]]],
  ['a video at the end', [audio(), video({ time: 'end' })], 22, [[0, 22], [14, 8]]],
  ['filling at the end is filling', [video(), text({ time: 'end' })], 8, [[0, 8], [0, 8]]],
  ['longer than the whole and at the end', [text({ duration: 3, time: 'end' })], 3, [[0, 3]]],
  ['a share of the whole at the end', [video(), text({ time: 'end', duration: '25%' })], 8, [[0, 8], [6, 2]]],
];

// prettier-ignore
const tracks: readonly Case[] = [
  ['one after the other', [text({ track: 1, duration: 2 }), text({ track: 1, duration: 3 })], 5, [[0, 2], [2, 3]]],
  ['two tracks side by side', [video({ track: 1 }), text({ track: 2, duration: 3 }), text({ track: 2, duration: 4 })], 8, [[0, 8], [0, 3], [3, 4]]],
  ['tracks are told apart, not ordered', [text({ track: 7, duration: 2 }), text({ track: 3, duration: 2 }), text({ track: 7, duration: 2 })], 4, [[0, 2], [0, 2], [2, 2]]],
  ['without a track side by side', [text({ duration: 2 }), text({ duration: 3 })], 3, [[0, 2], [0, 3]]],
  ['after one with a start of its own', [text({ track: 1, time: 2, duration: 2 }), text({ track: 1, duration: 1 })], 5, [[2, 2], [4, 1]]],
  ['a gap', [text({ track: 1, duration: 2 }), text({ track: 1, time: 5, duration: 2 })], 7, [[0, 2], [5, 2]]],
  ['the next one cuts', [text({ track: 1, duration: 9 }), text({ track: 1, time: 4, duration: 2 })], 6, [[0, 4], [4, 2]]],
  ['the next one cuts a video', [video({ track: 1 }), text({ track: 1, time: 4, duration: 2 })], 6, [[0, 4], [4, 2]]],
  ['filling up to the next one', [text({ track: 1 }), text({ track: 1, time: 3, duration: 2 })], 5, [[0, 3], [3, 2]]],
  ['the last one fills', [video(), text({ track: 1, duration: 3 }), text({ track: 1 })], 8, [[0, 8], [0, 3], [3, 5]]],
  ['the first one fills what the second leaves', [video(), text({ track: 1 }), text({ track: 1, duration: 3 })], 8, [[0, 8], [0, 5], [5, 3]]],
  ['nothing is left to fill', [text({ track: 1 }), video({ track: 1 })], 8, [[0, 0], [0, 8]]],
  ['two that fill share', [video(), text({ track: 1 }), text({ track: 1 })], 8, [[0, 8], [0, 4], [4, 4]]],
  ['out of order', [text({ track: 1, time: 5, duration: 3 }), text({ track: 1, time: 0, duration: 9 })], 8, [[5, 3], [0, 5]]],
  ['filling out of order', [text({ track: 1, time: 5, duration: 3 }), text({ track: 1, time: 0 })], 8, [[5, 3], [0, 5]]],
  ['together on one track the later one wins', [text({ track: 1, time: 0, duration: 4 }), text({ track: 1, time: 0, duration: 4 })], 4, [[0, 0], [0, 4]]],
  ['a start within the one before', [text({ track: 1, duration: 5 }), text({ track: 1, duration: 5 }), text({ track: 1, time: 7, duration: 1 })], 8, [[0, 5], [5, 2], [7, 1]]],
  ['at the end behind others', [video(), text({ track: 1 }), text({ track: 1, time: 'end', duration: 2 })], 8, [[0, 8], [0, 6], [6, 2]]],
  ['lengths at the end add up', [text({ track: 1, duration: 5 }), text({ track: 1, time: 'end', duration: 2 })], 7, [[0, 5], [5, 2]]],
  ['fractions add up cleanly', [text({ track: 1, duration: 0.1 }), text({ track: 1, duration: 0.2 }), text({ track: 1, duration: 0.3 })], 0.6, [[0, 0.1], [0.1, 0.2], [0.3, 0.3]]],
];

// prettier-ignore
const shares: readonly Case[] = [
  ['three thirds', [audio(), image({ track: 1, duration: '1 fr' }), image({ track: 1, duration: '1 fr' }), image({ track: 1, duration: '1 fr' })], 22, [[0, 22], [0, 22 / 3], [22 / 3, 22 / 3], [44 / 3, 22 / 3]]],
  ['by weight', [video(), image({ track: 1, duration: '3 fr' }), image({ track: 1, duration: '1fr' })], 8, [[0, 8], [0, 6], [6, 2]]],
  ['beside a fixed length', [video(), image({ track: 1, duration: 2 }), image({ track: 1, duration: '1fr' }), image({ track: 1, duration: '2fr' })], 8, [[0, 8], [0, 2], [2, 2], [4, 4]]],
  ['overlaps are shared too', [video(), image({ track: 1, duration: '1fr' }), image({ track: 1, duration: '1fr', ...fade(2) })], 8, [[0, 8], [0, 5], [3, 5]]],
  ['one share alone fills', [video(), image({ duration: '1fr' })], 8, [[0, 8], [0, 8]]],
  ['shares in nothing', [image({ track: 1, duration: '1fr' }), image({ track: 1, duration: '1fr' })], 5, [[0, 2.5], [2.5, 2.5]]],
  ['shares in a fixed composition', [scene([image({ track: 1, duration: '1fr' }), image({ track: 1, duration: '1fr' })], { duration: 10 })], 10, [[0, 10, [[0, 5], [5, 5]]]]],
];

// prettier-ignore
const transitions: readonly Case[] = [
  ['a second without a duration', [image({ track: 1, duration: 5 }), image({ track: 1, duration: 5, ...fade() })], 9, [[0, 5], [4, 5]]],
  ['a slideshow', [image({ track: 1, duration: 5 }), image({ track: 1, duration: 5, ...fade(1) }), image({ track: 1, duration: 5, ...fade(1) })], 13, [[0, 5], [4, 5], [8, 5]]],
  ['a duration with a unit', [image({ track: 1, duration: 3 }), image({ track: 1, duration: 3, ...fade('0.5 s') })], 5.5, [[0, 3], [2.5, 3]]],
  ['without a track there is no one before', [image({ duration: 5 }), image({ duration: 5, ...fade(1) })], 5, [[0, 5], [0, 5]]],
  ['the first one has no one before', [image({ track: 1, duration: 5, ...fade(1) })], 5, [[0, 5]]],
  ['the one before fills', [video(), image({ track: 1 }), image({ track: 1, duration: 3, ...fade(1) })], 8, [[0, 8], [0, 6], [5, 3]]],
  ['longer than the one before', [image({ track: 1, duration: 1 }), image({ track: 1, duration: 4, ...fade(3) })], 4, [[0, 1], [0, 4]]],
  ['a start of its own overlaps what is there', [image({ track: 1, time: 0.41, duration: 3.59 }), image({ track: 1, time: 3, duration: 2, ...fade(1) })], 5, [[0.41, 3.59], [3, 2]]],
  ['the one before is cut after the overlap', [image({ track: 1, duration: 9 }), image({ track: 1, time: 3, duration: 3, ...fade(1) })], 6, [[0, 4], [3, 3]]],
  ['filling up to the end of the overlap', [image({ track: 1 }), image({ track: 1, time: 3, duration: 3, ...fade(1) })], 6, [[0, 4], [3, 3]]],
  ['a start of its own behind a gap', [image({ track: 1, duration: 2 }), image({ track: 1, time: 3, duration: 3, ...fade(1) })], 6, [[0, 2], [3, 3]]],
  ['a start of its own where the one before ends blends with nothing', [image({ track: 1, time: 0, duration: 4.5 }), image({ track: 1, time: 4.5, duration: 4.5, ...fade(0.7) })], 9, [[0, 4.5], [4.5, 4.5]]],
  ['the longest of several counts', [image({ track: 1, duration: 5 }), image({ track: 1, duration: 5, animations: [...(fade(1).animations as Json[]), ...(fade(2).animations as Json[])] })], 8, [[0, 5], [3, 5]]],
  ['only true makes a transition', [image({ track: 1, duration: 5 }), image({ track: 1, duration: 5, animations: [{ type: 'fade', transition: 'yes', duration: 1 }] })], 10, [[0, 5], [5, 5]]],
  ['scenes with media', [scene([video()], { track: 1 }), scene([video()], { track: 1, ...fade(1) })], 15, [[0, 8, [[0, 8]]], [7, 8, [[0, 8]]]]],
];

// prettier-ignore
const compositions: readonly Case[] = [
  ['as long as its content', [scene([text({ duration: 3 }), text()])], 3, [[0, 3, [[0, 3], [0, 3]]]]],
  ['one after the other', [scene([video()], { track: 1 }), scene([text({ duration: 4 })], { track: 1 })], 12, [[0, 8, [[0, 8]]], [8, 4, [[0, 4]]]]],
  ['content without a length fills', [video(), scene([text()])], 8, [[0, 8], [0, 8, [[0, 8]]]]],
  ['content without a length in a row', [video(), scene([text()], { track: 1, duration: 3 }), scene([text()], { track: 1 })], 8, [[0, 8], [0, 3, [[0, 3]]], [3, 5, [[0, 5]]]]],
  ['a fixed length stretches what fills', [scene([text()], { duration: 6 })], 6, [[0, 6, [[0, 6]]]]],
  ['a fixed length doesn\'t cut numbers', [scene([text({ duration: 9 })], { duration: 6 })], 6, [[0, 6, [[0, 9]]]]],
  ['nor media', [scene([audio(), text()], { duration: 6 })], 6, [[0, 6, [[0, 22], [0, 6]]]]],
  ['starts are on its own clock', [scene([text({ time: 1, duration: 2 })], { time: 4 })], 7, [[4, 3, [[1, 2]]]]],
  ['lengths come from the inside', [scene([scene([video(), text()]), text()]), text()], 8, [[0, 8, [[0, 8, [[0, 8], [0, 8]]], [0, 8]]], [0, 8]]],
  ['the start inside counts', [scene([video({ time: 2 })])], 10, [[0, 10, [[2, 8]]]]],
  ['the next one cuts what fills inside', [scene([text({ duration: 9 }), text()], { track: 1 }), text({ track: 1, time: 4, duration: 2 })], 6, [[0, 4, [[0, 9], [0, 4]]], [4, 2]]],
  ['a share of its parent', [video(), scene([text()], { duration: '50%' })], 8, [[0, 8], [0, 4, [[0, 4]]]]],
  ['shares inside are of itself', [video(), scene([text({ time: '50%', duration: '25%' })], { duration: 4 })], 8, [[0, 8], [0, 4, [[2, 1]]]]],
  ['the end inside is its own end', [scene([text({ time: 'end', duration: 1 })], { duration: 4 })], 4, [[0, 4, [[3, 1]]]]],
  ['a loop takes all there is', [scene([text()], { duration: 2, loop: true })], 8, [[0, 8, [[0, 2]]]], { duration: 8 }],
  ['a loop fills beside others', [video(), scene([text({ duration: 3 })], { loop: true })], 8, [[0, 8], [0, 8, [[0, 3]]]]],
  ['a loop alone plays once', [scene([text({ duration: 3 })], { loop: true })], 3, [[0, 3, [[0, 3]]]]],
  ['a number of plays is a length', [scene([text()], { duration: 2, loop: true, plays: 3 })], 6, [[0, 6, [[0, 2]]]]],
  ['plays without a loop count for nothing', [scene([text()], { duration: 2, plays: 3 })], 2, [[0, 2, [[0, 2]]]]],
  ['a loop in a row', [video({ track: 2 }), scene([text()], { track: 1, duration: 2, loop: true }), text({ track: 1, duration: 3 })], 8, [[0, 8], [0, 5, [[0, 2]]], [5, 3]]],
];

// prettier-ignore
const roots: readonly Case[] = [
  ['its own duration wins', [video(), text()], 4, [[0, 8], [0, 4]], { duration: 4 }],
  ['also when longer', [video(), text()], 20, [[0, 8], [0, 20]], { duration: 20 }],
  ['with a unit', [text()], 11.5, [[0, 11.5]], { duration: '11.5 s' }],
  ['null is from content', [video()], 8, [[0, 8]], { duration: null }],
  ['shares of a fixed document', [image({ track: 1, duration: '1fr' }), image({ track: 1, duration: '1fr' })], 6, [[0, 3], [3, 3]], { duration: 6 }],
  ['the end of a fixed document', [text({ time: 'end', duration: 2 })], 10, [[8, 2]], { duration: 10 }],
];

const groups: Readonly<Record<string, readonly Case[]>> = {
  nothingHasALength,
  lengths,
  starts,
  tracks,
  shares,
  transitions,
  compositions,
  roots,
};

for (const [group, cases] of Object.entries(groups)) {
  describe(group, () => {
    for (const [name, elements, total, places, root] of cases) {
      test(name, () => {
        const schedule = scheduleDocument({ ...root, elements }, mediaOf());
        expect(schedule.duration).toBeCloseTo(total, 8);
        expect(placesOf(schedule.elements)).toEqual(rounded(places));
      });
    }
  });
}

test("10,000 elements on one track don't take minutes", () => {
  const elements = Array.from({ length: 10_000 }, (_, index) =>
    text({ track: 1, time: index, duration: 2 }),
  );
  const { duration, elements: placed } = scheduleDocument({ elements }, new Map());
  expect([duration, placed[5000]?.start, placed[5000]?.duration]).toEqual([10_001, 5000, 1]);
});

function placesOf(elements: readonly ScheduledElement[]): unknown[] {
  return elements.map(({ type, start, duration, children }) => {
    const place = [round(start), round(duration)];
    return type === 'composition' ? [...place, placesOf(children)] : place;
  });
}

function rounded(places: Places): unknown[] {
  return places.map(([start, duration, children]) => {
    const place = [round(start), round(duration)];
    return children ? [...place, rounded(children)] : place;
  });
}

function round(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
