/** Documents of other programs: what they become, what is noted, and that nothing of them ends a process. */
import { describe, expect, it } from 'vitest';
import { isList } from '../../shared/imports/foreign.ts';
import { importDocument, importNames, recogniseImport } from '../../shared/imports/imports.ts';
import type { ImportName } from '../../shared/imports/imports.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

const image = { type: 'image', src: 'a.png' };
const clip = (entries: JsonObject): JsonObject => ({
  timeline: { tracks: [{ clips: [{ asset: image, start: 1, length: 2, ...entries }] }] },
  output: { format: 'mp4', resolution: 'hd' },
});
const scene = (entries: JsonObject): JsonObject => ({
  scenes: [{ duration: 3, elements: [{ type: 'image', src: 'a.png', ...entries }] }],
});
const layer = (entries: JsonObject): JsonObject => ({
  clips: [
    { duration: 3, layers: [{ type: 'image', path: 'a.png', resizeMode: 'cover', ...entries }] },
  ],
});

/** A document, and what its one element, or the first one of its first scene, has. */
const rows: readonly (readonly [what: string, document: JsonObject, expected: JsonObject])[] = [
  ['a clip’s times', clip({}), { type: 'image', source: 'a.png', time: 1, duration: 2 }],
  ['a length to the end', clip({ length: 'end' }), { duration: null }],
  ['a clip that follows', clip({ start: 'auto' }), { track: 1 }],
  ['stretching', clip({ fit: 'cover' }), { fit: 'fill' }],
  ['a share of the picture', clip({ scale: 0.25 }), { width: '25%', height: '25%' }],
  ['a share of its own size', clip({ scale: 0.5, fit: 'none' }), { width: null, x_scale: '50%' }],
  [
    'a corner with an offset, up counting up',
    clip({ position: 'topRight', offset: { x: -0.1, y: -0.2 } }),
    { x: '90%', y: '20%', x_anchor: '100%', y_anchor: '0%' },
  ],
  [
    'a tween',
    clip({ opacity: [{ from: 0, to: 0.5, start: 1, length: 1 }] }),
    {
      opacity: [
        { time: 1, value: '0%', easing: 'linear' },
        { time: 2, value: '50%', easing: 'linear' },
      ],
    },
  ],
  [
    'a transition out, twice as slow',
    clip({ transition: { out: 'carouselUpSlow' } }),
    {
      animations: [
        { type: 'slide', direction: '90°', fade: false, time: 'end', duration: 2, reversed: true },
      ],
    },
  ],
  ['a mirror', clip({ transform: { flip: { horizontal: true } } }), { x_scale: '-100%' }],
  [
    'a text',
    clip({ asset: { type: 'text', text: 'Hi', font: { size: 40, lineHeight: 1.2 } } }),
    { text: 'Hi', font_size: 40, line_height: '120%', fill_color: '#ffffff' },
  ],
  [
    'the alpha of a title’s colour',
    clip({ asset: { type: 'title', text: 'Hi', color: '#80ff0000' } }),
    { fill_color: '#ff000080' },
  ],
  [
    'words of HTML',
    clip({
      asset: { type: 'html', html: '<p>A &amp; <b>B</b></p><p>C</p>', css: 'p{font-size:3vw}' },
    }),
    { text: 'A & B\nC', font_size: '3 vw' },
  ],
  ['an element of a scene', scene({ start: 1 }), { time: 1, duration: null, source: 'a.png' }],
  [
    'a word for a place',
    scene({ position: 'bottom-right', width: 200 }),
    { x: '95%', y: '95%', x_anchor: '100%', y_anchor: '100%', width: 200, height: null },
  ],
  ['a point', scene({ x: 10, y: 20 }), { x: 10, y: 20, x_anchor: '0%', width: null }],
  [
    'a fade',
    scene({ 'fade-in': 0.5 }),
    { animations: [{ type: 'fade', time: 'start', duration: 0.5 }] },
  ],
  [
    'a text of a scene',
    scene({ type: 'text', text: 'Hi', position: 'top-left', settings: { 'font-size': '5vw' } }),
    { font_size: '5 vw', x_alignment: '0%', y_alignment: '0%', width: '90%' },
  ],
  ['a loop', scene({ type: 'video', src: 'a.mp4', loop: -1 }), { loop: true, duration: null }],
  [
    'a zoom',
    layer({ zoomDirection: 'out', zoomAmount: 0.2 }),
    {
      fit: 'cover',
      animations: [
        { type: 'scale', start_scale: '120%', end_scale: '100%', easing: 'linear', fade: false },
      ],
    },
  ],
  [
    'a video at the pace of its clip, silent unless asked for',
    layer({ type: 'video', path: 'a.mp4', cutFrom: 1, cutTo: 7 }),
    { trim_start: 1, trim_duration: 6, speed: '200%', volume: '0%' },
  ],
  ['a part of a clip', layer({ start: 1, stop: 2 }), { time: 1, duration: 1 }],
];

/** Each program's document with everything a reader might stumble over. */
const whole: Readonly<Record<ImportName, JsonObject>> = {
  shotstack: clip({ filter: 'boost', effect: 'zoomInFast', transition: { in: 'shuffleTopLeft' } }),
  json2video: {
    ...scene({ pan: 'left', zoom: 2, 'chroma-key': { color: '#00ff00', tolerance: 20 } }),
    elements: [{ type: 'voice', text: 'Hi' }, { type: 'subtitles' }, { type: 'html' }],
  },
  editly: {
    ...layer({ type: 'title-background', text: 'Hi', resizeMode: undefined }),
    audioFilePath: 'm.mp3',
  },
};

function read(document: JsonObject): ReturnType<typeof importDocument> {
  const name = recogniseImport(document);
  if (name === null) throw new Error('not recognised');
  return importDocument(document, name);
}

/** The one element, or the first one of the first scene. */
function firstOf(source: JsonObject): Json | undefined {
  const [first] = source.elements as JsonObject[];
  return first?.type === 'composition' ? (first.elements as JsonObject[])[0] : first;
}

describe('documents of other programs', () => {
  it.each(rows)('read %s', (_what, document, expected) => {
    const { source } = read(document);
    expect(firstOf(source)).toMatchObject(expected);
    expect(validate(source)).toEqual([]);
  });

  it.each(importNames)('of %s are valid here', (name) => {
    expect(recogniseImport(whole[name])).toBe(name);
    expect(validate(importDocument(whole[name], name).source)).toEqual([]);
  });

  it('note what nobody reads, at its place', () => {
    const { notes } = read(clip({ opacity: 0.5, unheard: { of: 1 }, filter: 'sepia' }));
    expect(notes).toEqual([
      { path: 'timeline.tracks[0].clips[0].filter', message: 'there is no filter “sepia”' },
      { path: 'timeline.tracks[0].clips[0].unheard', message: 'there is no such thing here' },
    ]);
    const lost = read(clip({ asset: { type: 'luma', src: 'a.mp4' } }));
    expect(lost.source.elements).toEqual([]);
    expect(lost.notes.map(({ path }) => path)).toEqual(['timeline.tracks[0].clips[0]']);
  });

  it('put the first track of Shotstack in front', () => {
    const tracks = ['front', 'back'].map((alias) => ({
      clips: [{ asset: image, start: 0, length: 1, alias }],
    }));
    const { source } = read({ timeline: { tracks }, output: { format: 'png' } });
    expect(source.elements).toMatchObject([
      { name: 'back', track: 1 },
      { name: 'front', track: 2 },
    ]);
  });

  it('let transitions begin the later one of two clips', () => {
    const clips = ['directional-left', 'swirl', 'fade'].map((name) => ({
      duration: 2,
      transition: { name },
      layers: [{ type: 'fill-color', color: '#fff' }],
    }));
    const { source, notes } = read({ clips });
    const animations = (source.elements as JsonObject[]).map((element) => element.animations);
    const join = { time: 'start', duration: 0.5, transition: true };
    expect(animations).toEqual([
      undefined,
      [{ type: 'slide', direction: '180°', fade: false, ...join }],
      [{ type: 'fade', ...join }],
    ]);
    expect(notes.map(({ path }) => path)).toEqual(['clips[1].transition.name']);
  });

  it('have merge fields filled in, within bounds', () => {
    const asset = { type: 'text', text: 'Hi {{ NAME }}' };
    const merge = [
      { find: 'NAME', replace: 'Ada' },
      { find: 'AT', replace: 2 },
    ];
    const { source } = read({ ...clip({ asset, start: '{{AT}}' }), merge });
    expect(firstOf(source)).toMatchObject({ text: 'Hi Ada', time: 2 });
    const long = [{ find: 'NAME', replace: 'x'.repeat(1_000_000) }];
    const text = '{{NAME}}'.repeat(1000);
    const grown = read({ ...clip({ asset: { type: 'text', text } }), merge: long });
    expect(JSON.stringify(grown.source).length).toBeLessThan(3_000_000);
  });

  it('may hold anything anywhere', () => {
    const odd: readonly Json[] = [null, 0, -1e9, '', 'x', true, [], {}, [1, null, {}], { a: [{}] }];
    let turn = 0;
    /** Every value in turn replaced by odd ones. */
    const spoiled = function* (value: Json): Generator<Json> {
      for (let time = 0; time < 4; time++) yield odd[turn++ % odd.length] ?? null;
      if (isList(value)) {
        for (const [at, entry] of value.entries()) {
          for (const other of spoiled(entry)) yield value.with(at, other);
        }
      } else if (isJsonObject(value)) {
        for (const [key, entry] of Object.entries(value)) {
          for (const other of spoiled(entry ?? null)) yield { ...value, [key]: other };
        }
      }
    };
    const documents = [...Object.values(whole), ...rows.map(([, document]) => document)];
    let count = 0;
    for (const document of documents) {
      for (const other of spoiled(document)) {
        const name = recogniseImport(other);
        if (name === null) continue;
        const { source } = importDocument(other as JsonObject, name);
        expect(Array.isArray(source.elements)).toBe(true);
        expect(() => validate(source)).not.toThrow();
        count++;
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  it('are not taken for documents of this program', () => {
    expect(recogniseImport({ elements: [{ type: 'text' }] })).toBeNull();
    expect(recogniseImport([])).toBeNull();
  });
});
