/**
 * Every animation class of the npm client `creatomate`, unmodified: a document built from it is drawn by the real
 * engine at 20, 50 and 80 % and after its end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as client from 'creatomate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type Source } from '../../shared/renderscript/source.ts';
import { changedSource } from '../../renderer/editor/timeline/change.ts';
import { transitionKinds, withTransition } from '../../renderer/editor/timeline/transitions.ts';
import { openDocument } from '../helpers/frames.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'presets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seconds: the animation, and the document around it. */
const length = 2;
const documentLength = 3;

/** A class of the client that needs no arguments. */
type Preset = new (options: JsonObject) => { toMap(): unknown };

const bases: unknown[] = [client.AnimationBase, client.TextAnimationBase];

function isPreset(value: unknown): value is Preset {
  return (
    typeof value === 'function' &&
    !bases.includes(value) &&
    value.prototype instanceof client.AnimationBase
  );
}

const exported: readonly (readonly [string, unknown])[] = Object.entries(client);
const presets = exported.flatMap(([name, value]): [string, Preset][] =>
  isPreset(value) ? [[name, value]] : [],
);

const text: JsonObject = {
  type: 'text',
  text: 'Sum 1,250\nof two lines',
  width: '80%',
  height: '70%',
  font_family: 'Montserrat',
  font_size: 16,
  fill_color: '#ffffff',
  background_color: '#c92a2a',
};
const card: JsonObject = {
  type: 'composition',
  width: '80%',
  height: '70%',
  fill_color: '#f1f3f5',
  clip: true,
  elements: [
    { type: 'shape', x: '30%', width: '25%', height: '40%', fill_color: '#f76707' },
    { type: 'shape', x: '75%', y: '80%', width: '30%', height: '10%', fill_color: '#364fc7' },
    { type: 'image', source: 'photo.jpg', x: '75%', y: '35%', width: '30%', height: '45%' },
    { type: 'text', text: 'Card', x: '30%', y: '80%', font_family: 'Inter', font_size: 11 },
  ],
};

function documentOf(element: JsonObject): Source {
  return {
    output_format: 'mp4',
    width: 160,
    height: 90,
    frame_rate: 10,
    duration: documentLength,
    fill_color: '#224466',
    elements: [element],
  };
}

/** The elements without an animation. */
const plain = new Map<JsonObject, Buffer>();
beforeAll(async () => {
  for (const element of [text, card]) {
    await using document = await openDocument(documentOf(element), folder);
    plain.set(element, await document.pixelsAt(2.5));
  }
});

/** Presets that end in another state than the element's own: larger, with a view on a part of it, or counted down. */
const endsElsewhere = (name: string): boolean => /^(ScaleLarger|Pan|TextCountDown)/.test(name);

describe('presets of the client', () => {
  test('there are 180 of them', () => {
    expect(presets).toHaveLength(180);
  });

  test.each(presets)('%s', async (name, Preset) => {
    const entry = new Preset({ time: 'start', duration: length }).toMap();
    if (!isJsonObject(entry)) throw new Error(`${name} gave no object`);
    const element = name.startsWith('Text') ? text : card;
    await using document = await openDocument(
      documentOf({ ...element, animations: [entry] }),
      folder,
    );
    // A little aside: in the middle of a swing the element is in its place.
    const moments = [0.2, 0.5, 0.8].map((share) => share * length + 0.011);
    const frames: Buffer[] = [];
    for (const moment of moments) frames.push(await document.pixelsAt(moment));
    const after = await document.pixelsAt(length);
    expect(document.warnings()).toEqual([]);
    expect(new Set(frames.map((frame) => frame.toString('latin1'))).size).toBe(3);
    const rest = plain.get(element);
    expect(frames[0]?.equals(rest ?? after)).toBe(false);
    expect(rest?.equals(after)).toBe(!endsElsewhere(name));
  });
});

test.each(transitionKinds)(
  'the transition $id of the editor’s timeline lets nothing through from behind two pictures',
  async ({ values }) => {
    const picture = { type: 'shape', track: 1, duration: 2, width: '100%', height: '100%' };
    const before: Source = {
      width: 160,
      height: 90,
      frame_rate: 20,
      fill_color: '#ffffff',
      elements: [
        { ...picture, fill_color: '#c00000' },
        { ...picture, fill_color: '#0000c0' },
      ],
    };
    const wish = { values };
    const made = withTransition({ source: before, lengths: {} }, 'elements[1]', wish, 0.05);
    if ('why' in made) throw new Error(made.why);
    const source = made.changes.reduce(changedSource, before);
    await using opened = await openDocument(source, folder);
    for (let time = 1.95; time < 3.1; time += 0.05) {
      const pixels = await opened.pixelsAt(time);
      const greenest = pixels.reduce(
        (most, value, at) => (at % 4 === 1 ? Math.max(most, value) : most),
        0,
      );
      expect(greenest, `at ${time.toFixed(2)} s`).toBeLessThan(12);
    }
  },
);
