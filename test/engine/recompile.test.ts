/**
 * Compiling and laying out what little has changed, against doing all of it again: random edits of all samples and of
 * generated documents, one after the other, as a hand makes them. Both ways give the same timeline, the same frames,
 * and the same pixels.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { recompiled, valueChanges } from '../../shared/engine/compile/recompile.ts';
import type { Timeline } from '../../shared/engine/compile/timeline.ts';
import { createLayout } from '../../shared/engine/layout/layout.ts';
import { sameFrame } from '../../shared/engine/layout/same-frame.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { changedPart } from '../../shared/engine/paint/changes.ts';
import { writtenTranscripts } from '../../shared/engine/written-words.ts';
import { resolvePlaceholders } from '../../shared/renderscript/modifications.ts';
import { isJsonObject, type JsonObject, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { openDrawing } from '../helpers/drawing.ts';
import { generatedDocument } from '../helpers/generated.ts';
import { isLong } from '../helpers/long.ts';
import { diceOf, edited } from '../helpers/random-edits.ts';
import { samples } from '../helpers/sample-documents.ts';
import { measurer } from './layout-documents.ts';

/** Random edits of each document. */
const edits = 6;

const facts: MediaInfo = {
  ...{ kind: 'image', format: 'jpg', width: 640, height: 400, duration: 0, frameRate: 0 },
  ...{ hasAudio: false, hasAlpha: false },
};

/** Made-up facts for every file that a document names. */
function mediaOf(source: JsonObject, found = new Map<string, MediaInfo>()): Map<string, MediaInfo> {
  const list: readonly unknown[] = Array.isArray(source.elements) ? source.elements : [];
  for (const element of list.filter(isJsonObject)) {
    const { source: address, type } = element;
    const moves = type === 'video' || type === 'audio';
    if (typeof address === 'string')
      found.set(
        address,
        moves ? { ...facts, kind: type, duration: 4, frameRate: 25, hasAudio: true } : facts,
      );
    mediaOf(element, found);
  }
  return found;
}

const documents: readonly (readonly [string, Source])[] = [
  // `as`: samples are documents.
  ...samples().map(([name, text]) => [name, JSON.parse(text) as Source] as const),
  ...Array.from(
    { length: 60 },
    (_, seed) => [`generated ${seed}`, generatedDocument(seed)] as const,
  ),
];

/** Every fifth document; all in the long form. */
const every = isLong ? 1 : 5;

test('edits of values give the timeline and the frames that compiling all of it gives', () => {
  let compared = 0;
  for (const [index, [name, given]] of documents.entries()) {
    // Each is one of many of its kind.
    if (index % every !== 0) continue;
    const roll = diceOf(index * 7919 + 1);
    let source = resolvePlaceholders(given);
    if (validate(source).some(({ severity }) => severity === 'error')) continue;
    const media = mediaOf(source);
    const compile = (what: Source): Timeline =>
      compileTimeline(what, { media, scaling: {}, transcripts: writtenTranscripts(what) });
    let timeline = compile(source);
    const layout = createLayout(timeline, { measurer, media });
    layout.frameAt(0);
    for (let count = 0; count < edits; count++) {
      const after = edited(source, roll);
      if (!after) break;
      const changes = valueChanges(source, after);
      expect(changes, `${name}, edit ${count}`).not.toBeNull();
      timeline = recompiled(timeline, changes ?? []);
      layout.follow(timeline);
      const whole = compile(after);
      const said = `${name}, edit ${count}: ${JSON.stringify(changes?.map(({ path: at, names }) => [at, ...names]))}`;
      expect(timeline, said).toEqual(whole);
      const alone = createLayout(whole, { measurer, media });
      for (const time of [0, timeline.duration * 0.3]) {
        if (!sameFrame(layout.frameAt(time), alone.frameAt(time)))
          expect(layout.frameAt(time), said).toEqual(alone.frameAt(time));
      }
      source = after;
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(1_600 / every);
});

test.each<[string, JsonObject, JsonObject]>([
  ['a time', { time: 0 }, { time: 1 }],
  ['a length', {}, { duration: 2 }],
  ['a track', { track: 1 }, { track: 2 }],
  ['a name', { name: 'One' }, { name: 'Other' }],
  ['an animation', {}, { animations: [{ type: 'fade' }] }],
  ['whether it is visible', {}, { visible: false }],
  ['a kind', { type: 'shape' }, { type: 'text' }],
  ['a property that nobody knows', {}, { shape: 1 }],
])('%s is no value: all is compiled', (_, before, after) => {
  const of = (element: JsonObject): Source => ({ elements: [{ type: 'shape', ...element }] });
  expect(valueChanges(of(before), of(after))).toBeNull();
  expect(valueChanges(of(before), { ...of(before), width: 300 })).toBeNull();
  expect(valueChanges(of(before), { elements: [] })).toBeNull();
  expect(valueChanges(of(before), of(before))).toEqual([]);
});

test('elements beside the changed one keep their boxes, and a text that moves keeps its lines', () => {
  const text = { type: 'text', text: 'Some words', font_size: '8 vmin', background_color: '#f00' };
  const of = (x: string): Source => ({
    ...{ width: 400, height: 300, duration: 1 },
    elements: [
      { type: 'shape', width: '10%', height: '10%', fill_color: '#123' },
      { ...text, x },
    ],
  });
  const timeline = compileTimeline(of('10%'), { media: new Map(), scaling: {} });
  const layout = createLayout(timeline, { measurer, media: new Map() });
  const before = layout.frameAt(0).boxes;
  layout.follow(recompiled(timeline, valueChanges(of('10%'), of('20%')) ?? []));
  const after = layout.frameAt(0).boxes;
  expect(after[0]).toBe(before[0]);
  expect(after[1]?.transform).not.toEqual(before[1]?.transform);
  expect(after[1]?.content).toBe(before[1]?.content);
});

describe('painting the part that an edit changes', () => {
  const scratch = mkdtempSync(path.join(tmpdir(), 'recompile-'));
  const fixtures = path.join(import.meta.dirname, '../fixtures');
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  test.each([3, 8])('is painting all: generated %i', async (seed) => {
    const roll = diceOf(seed);
    let source = generatedDocument(seed);
    const options = { scratch, mediaFolders: [fixtures], renderScale: 0.4 };
    const opened = await openDrawing(source, options);
    const layout = opened.layout();
    const painter = opened.painter();
    const { width, height, scale } = opened;
    const standing = Buffer.alloc(width * height * 4);
    let { timeline } = opened;
    let last = layout.frameAt(1);
    opened.show(last);
    await painter.paint(last);
    painter.canvas.data().copy(standing);
    for (let count = 0; count < 8; count++) {
      const after = edited(source, roll);
      if (!after) break;
      timeline = recompiled(timeline, valueChanges(source, after) ?? []);
      layout.follow(timeline);
      const frame = layout.frameAt(1);
      opened.show(frame);
      const part = changedPart(last, frame, scale, { x: 0, y: 0, width, height });
      if (part) {
        await painter.paint(frame, part.painted);
        const { x, y, width: across, height: down } = part.changed;
        const pixels = painter.canvas.data();
        for (let row = y; row < y + down; row++) {
          const from = (row * width + x) * 4;
          pixels.copy(standing, from, from, from + across * 4);
        }
      }
      const alone = opened.painter();
      await alone.paint(frame);
      expect(standing.equals(alone.canvas.data()), `edit ${count}`).toBe(true);
      alone.close();
      [last, source] = [frame, after];
    }
    painter.close();
    opened.close();
  });
});
