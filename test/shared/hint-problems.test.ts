/** Hints as the API tells them: what has no effect, or not the one that was meant; errors in strict mode. */
import { describe, expect, test } from 'vitest';
import {
  animationTypes,
  commonAnimationOptions,
} from '../../shared/renderscript/animation-types.ts';
import { hintProblems, hintsOf } from '../../shared/renderscript/hints.ts';
import { otherNames } from '../../shared/renderscript/other-names.ts';
import { properties } from '../../shared/renderscript/properties.ts';
import {
  elementTypes,
  problemSentence,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';

const told = (source: unknown): string[] => hintProblems(source as Source).map(problemSentence);
const one = (element: object, root: object = {}): string[] =>
  told({ output_format: 'mp4', width: 1920, height: 1080, ...root, elements: [element] });

describe('names that the language does not know', () => {
  test.each<[object, string]>([
    [
      { type: 'text', text_align: 'center' },
      "Text 1.text_align: A text element has no 'text_align'. Did you mean 'x_alignment'?",
    ],
    [
      { type: 'text', textAlign: 'center' },
      "Text 1.textAlign: A text element has no 'textAlign'. Did you mean 'x_alignment'?",
    ],
    [
      { type: 'text', fontSize: 5 },
      "Text 1.fontSize: A text element has no 'fontSize'. Did you mean 'font_size'?",
    ],
    [
      { type: 'text', 'mix-blend-mode': 'multiply' },
      "Text 1.mix-blend-mode: A text element has no 'mix-blend-mode'. Did you mean 'blend_mode'?",
    ],
    [
      { type: 'audio', gain: 2 },
      "Audio 1.gain: An audio element has no 'gain'. Did you mean 'volume'?",
    ],
    [
      { type: 'text', background_padding: 5 },
      "Text 1.background_padding: A text element has no 'background_padding'. Did you mean 'background_x_padding'?",
    ],
    [
      { type: 'shape', shape: 'circle' },
      "Shape 1.shape: A shape element has no 'shape'. Did you mean 'path'?",
    ],
    [
      { type: 'shape', name: 'Bar', fill_opacity: 1 },
      "Bar.fill_opacity: A shape element has no 'fill_opacity'. Did you mean 'opacity'?",
    ],
    [
      { type: 'image', url: 'a.png' },
      "Image 1.url: An image element has no 'url'. Did you mean 'source'?",
    ],
    [
      { type: 'image', constructor: 1 },
      "Image 1.constructor: An image element has no 'constructor'",
    ],
    [
      { type: 'image', font_size: 1 },
      "Image 1.font_size: An image element has no 'font_size'; it belongs to text",
    ],
    [
      { type: 'text', x: [{ time: 0, value: 1, easing: 'quadratic-inn' }] },
      "Text 1.easing: There is no easing 'quadratic-inn'; the default one is used. Did you mean 'quadratic-in'?",
    ],
  ])('%j', (element, sentence) => {
    expect(one(element)).toEqual([sentence]);
  });

  test('on the document; notes and the name of an export are none', () => {
    expect(one({ type: 'text' }, { fps: 30, name: 'x', id: 'y', $schema: 'z', _note: 1 })).toEqual([
      "fps: The document has no 'fps'. Did you mean 'frame_rate'?",
    ]);
  });

  test('known words are suggested behind any number of unknown ones', () => {
    const typos = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`zzz${index}`, 1]));
    expect(one({ type: 'text', ...typos, letterSpacing: 1, text_color: 'red' }).slice(-2)).toEqual([
      "Text 1.letterSpacing: A text element has no 'letterSpacing'. Did you mean 'letter_spacing'?",
      "Text 1.text_color: A text element has no 'text_color'. Did you mean 'fill_color'?",
    ]);
  });

  test('are errors in strict mode; what is only unlucky stays a warning', () => {
    const source = { output_format: 'gif', snapshot_time: 1, elements: [{ type: 'text', fps: 1 }] };
    const severities = (strict: boolean): string[] =>
      hintProblems(source, strict).map(({ code, severity }) => `${code} ${severity}`);
    expect(severities(false)).toEqual(['no_snapshot warning', 'unknown_property warning']);
    expect(severities(true)).toEqual(['no_snapshot warning', 'unknown_property error']);
  });

  test('a codec where there is none to choose names the formats that have one', () => {
    const found = (format: string, codec: string): unknown =>
      hintProblems({ output_format: format, video_codec: codec, elements: [] });
    expect(found('webm', 'av1')).toMatchObject([
      {
        path: 'video_codec',
        severity: 'warning',
        code: 'no_codec',
        message: 'Nothing changes: only an mp4 has a codec to choose; this file is a webm',
      },
    ]);
    expect(found('mp4', 'av1')).toEqual([]);
    expect(found('webm', 'h264')).toEqual([]);
  });

  test('every other name leads to properties that there are, and is none itself', () => {
    const known = new Set(properties.map(({ name }) => name));
    for (const [other, meant] of otherNames) {
      expect(known.has(other), other).toBe(false);
      for (const name of meant) expect(known.has(name), `${other} → ${name}`).toBe(true);
    }
  });
});

describe('what is unlucky', () => {
  const words =
    'Much of it lies outside: x and y place its centre. Write x_anchor: 0% and y_anchor: 0% to place its left edge and top edge there';
  const across =
    'Much of it lies outside: x places its centre. Write x_anchor: 0% to place its left edge there';
  test.each<[object, string[]]>([
    [{ x: '0%', y: '0%', width: '100%', height: '100%' }, [words]],
    [{ x: 0, y: 0, width: 1920, height: 1080 }, [words]],
    [{ x: '0 px', y: '0 vh', width: '100 vw', height: '10 vh' }, [words]],
    [{ x: '0%', y: '90%', width: '100%', height: '10%' }, [across]],
    [{ x: '5%', y: '50%', width: '90%', height: '10%' }, [across]],
    [{ x: '0%', y: '0%', width: '100%', height: '100%', x_anchor: '0%', y_anchor: '0%' }, []],
    [{ x: '50%', y: '50%', width: '100%', height: '100%' }, []],
    // A group whose left edge is the picture's, in rounded numbers.
    [{ x: '33.335%', y: '50%', width: '66.67%', height: '40%' }, []],
    [{ x: '33.33%', y: '50%', width: '66.67%', height: '40%' }, []],
    // A bar that grows to the whole width.
    [
      { x: '0%', y: '98%', width: [{ time: 0, value: '0%' }, { time: 'end', value: '100%' }], height: '2%' }, // prettier-ignore
      [across],
    ],
    // A corner that is meant.
    [{ x: '0%', y: '0%', width: '30%', height: '30%' }, []],
    [{ x: '0%', y: '0%', path: 'M 0 0 L 100 0 Z' }, []],
  ])('a shape with %j', (place, sentences) => {
    expect(one({ type: 'shape', name: 'Bar', ...place })).toEqual(
      sentences.map((text) => `Bar: ${text}`),
    );
  });

  test.each<[object, string[]]>([
    [{ type: 'image', x: 0, y: 0 }, [words]],
    [{ type: 'composition', x: '0%', height: '10%' }, [across]],
    [{ type: 'video', x: '0%', y: '0%', width: '20%', height: '20%' }, []],
    // As large as what it holds.
    [{ type: 'image', x: 0, y: 0, width: null, height: null }, []],
    [{ type: 'text', x: 0, y: 0 }, []],
  ])('without a size that is given: %j', (element, sentences) => {
    expect(one({ name: 'It', ...element })).toEqual(sentences.map((text) => `It: ${text}`));
  });

  test.each<[object, object, string[]]>([
    [
      { output_format: 'gif', snapshot_time: 1 },
      { type: 'text' },
      [
        'snapshot_time: Only an mp4, a jpg, a png, a webm, a mov, a webp, an avif, or a png sequence shows a chosen moment; this file is a gif',
      ],
    ],
    [{ snapshot_time: 1 }, { type: 'text' }, []],
    [{ output_format: 'png', snapshot_time: 1 }, { type: 'text' }, []],
    [
      { output_format: 'gif' },
      { type: 'audio', source: 'a.mp3' },
      ['Audio 1.type: Nothing is heard: a gif has no sound'],
    ],
    [
      {},
      { type: 'audio', source: 'a.mp3', muted: true },
      ['Audio 1.muted: Nothing is heard of this element: it is muted'],
    ],
    [
      {},
      { type: 'audio', source: 'a.mp3', volume: '0%' },
      ['Audio 1.volume: Nothing is heard of this element: its volume is 0'],
    ],
    [
      {},
      { type: 'audio', source: null },
      ['Audio 1.source: Nothing is heard of this element: it has no file'],
    ],
    [{}, { type: 'audio', source: 'a.mp3' }, []],
  ])('%j with %j', (root, element, sentences) => {
    expect(one(element, root)).toEqual(sentences);
  });
});

describe('C13: shares of 1 where percent is meant', () => {
  test.each<[object, string[]]>([
    [{ type: 'video', opacity: 0.25 }, ["Video 1.opacity: 0.25 means 0.25 %. Did you mean '25%'?"]],
    [{ type: 'video', opacity: 1 }, ["Video 1.opacity: 1 means 1 %. Did you mean '100%'?"]],
    [{ type: 'video', opacity: '0.5' }, ["Video 1.opacity: 0.5 means 0.5 %. Did you mean '50%'?"]],
    [{ type: 'video', volume: 0.8 }, ["Video 1.volume: 0.8 means 0.8 %. Did you mean '80%'?"]],
    [{ type: 'text', line_height: 1.4 }, ["Text 1.line_height: 1.4 means 1.4 %. Did you mean '140%'?"]],
    [{ type: 'image', x_scale: -1 }, ["Image 1.x_scale: -1 means -1 %. Did you mean '-100%'?"]],
    // 1000 % are 1 em.
    [{ type: 'text', letter_spacing: 0.05 }, ["Text 1.letter_spacing: 0.05 means 0.05 %. Did you mean '50%'?"]],
    [
      { type: 'shape', opacity: [{ time: 0, value: 0 }, { time: 1, value: 1 }] },
      ["Shape 1.opacity: 1 means 1 %. Did you mean '100%'?"],
    ],
    [
      { type: 'shape', fill_color: [{ offset: 0, color: 'red' }, { offset: 1, color: 'blue' }] },
      ["Shape 1.fill_color: Offset 1 means 1 %. Did you mean '100%'?"],
    ],
    [
      { type: 'shape', animations: [{ type: 'scale', start_scale: 0.5 }, { type: 'pan', start_x: 0.5 }] },
      ["Shape 1.start_scale: 0.5 means 0.5 %. Did you mean '50%'?", "Shape 1.start_x: 0.5 means 0.5 %. Did you mean '50%'?"],
    ],
    // Percent is meant, or nothing is.
    [{ type: 'video', opacity: 0, volume: '1%', x: 1, z_rotation: 1 }, []],
    [{ type: 'text', letter_spacing: 2, line_height: 115 }, []],
    [{ type: 'shape', opacity: [{ time: 0, value: 1 }, { time: 1, value: 100 }] }, []],
    [{ type: 'shape', opacity: 2 }, []],
  ])('%j', (element, sentences) => {
    expect(one(element)).toEqual(sentences);
  }); // prettier-ignore
});

describe('C13: elements of one track that hide each other by the times that are written', () => {
  const track = (...spans: object[]): string[] =>
    told({
      output_format: 'mp4',
      elements: spans.map((span) => ({ type: 'shape', track: 1, ...span })),
    });
  const hidden = 'Shape 1: Is never visible: the next element of its track starts at the same time';
  test.each<[object[], string[]]>([
    [[{ time: 0, duration: 2 }, { time: 0, duration: 3 }], [hidden]],
    [[{ time: '1 s' }, { time: 1 }], [hidden]],
    [
      [{ time: 2, duration: 2 }, { time: 0, duration: 3 }],
      ['Shape 2: Is shown for 2 of its 3 s: then the next element of its track starts'],
    ],
    [[{ time: 0, duration: 2 }, { time: 2 }, { time: 5, track: 2 }], []],
    [[{ time: 0, duration: 2 }, { time: 0, track: 2 }, { time: 0, track: null }, {}], []],
    // A transition is shown over the end of the one before.
    [[{ time: 0, duration: 2 }, { time: 1.5, animations: [{ type: 'fade', transition: true, duration: 0.5 }] }], []],
    [[{ time: 0, duration: 2.01 }, { time: 2 }], []],
  ])('%j', (spans, sentences) => {
    expect(track(...spans)).toEqual(sentences);
  }); // prettier-ignore
});

test('a transition without a track overlaps nothing', () => {
  const slide = { type: 'slide', transition: true };
  const words =
    'This transition overlaps no other element: give its element and the one before it the same track';
  expect(one({ type: 'shape', name: 'Second', animations: [{ type: 'fade' }, slide] })).toEqual([
    `Second.animations: ${words}`,
  ]);
  for (const element of [
    { type: 'shape', track: 1, animations: [slide] },
    { type: 'shape', animations: [{ ...slide, transition: false }] },
  ])
    expect(one(element)).toEqual([]);
});

test('C13: an empty text counts as not set, but for names, sources and texts; told once for the document', () => {
  const empty = { x: '', opacity: '', fill_color: '', animations: '', duration: '' };
  const elements = [
    { type: 'text', name: '', text: '', ...empty },
    { type: 'image', source: '', ...empty },
  ];
  const source = { output_format: 'png', width: 30, height: 20, fill_color: '', elements };
  expect(validate(source)).toEqual([]);
  expect(told(source)).toEqual([
    'fill_color: An empty text counts as not set; there are 11 in the document',
  ]);
});

test('F138 suggestions are sought for the first slips only: each costs a comparison with all names', () => {
  const meant = ['fill_color', 'font_size', 'font_family', 'stroke_color', 'x_alignment'];
  const names = meant.flatMap((name) => Array.from('abcdefghijklmnopqrtuvw', (end) => name + end));
  const element = Object.fromEntries(names.map((name) => [name, 1]));
  const found = hintsOf({ elements: [{ type: 'text', ...element }] });
  const suggested = found.filter(({ instead }) => instead !== null);
  expect([suggested.length, found.length]).toEqual([50, 110]);
});

test('thousands of slips are told in part, with their number', () => {
  const element = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]),
  );
  const source = { elements: [{ type: 'text', ...element }] };
  expect(hintsOf(source)).toHaveLength(500);
  const problems = hintProblems(source);
  expect(problems).toHaveLength(501);
  expect(problems.at(-1)!.message).toMatch(/^49,500 more/);
});

test('D16: an address or a name that leads to nothing is told before the render fails', () => {
  const told = (...elements: JsonObject[]): string[] =>
    hintProblems({ output_format: 'mp4', elements }, true).map(
      ({ path, severity, message }) => `${severity} ${path}: ${message}`,
    );
  const text = (transcript_source: string): JsonObject => ({ type: 'text', transcript_source });
  const film = { type: 'video', name: 'Speech', id: 'a1', source: 'https://a.example/b.mp4' };
  const inside = { type: 'composition', elements: [film] };
  expect(
    told(inside, text(' speech '), text('A1'), text('a.srt'), text('https://x.example/y')),
  ).toEqual([]);
  const subtitles = '1\n00:00:00,000 --> 00:00:01,000\nHello';
  expect(told(text(subtitles), text('{{words}}'))).toEqual([]);
  expect(told(film, { type: 'composition', elements: [text('Speach')] })).toEqual([
    "warning elements[1].elements[0].transcript_source: The render fails: no video, audio or composition is called 'Speach'",
  ]);
  // What has no sound, and the text itself.
  for (const silent of ['Words', 'Mark'])
    expect(told({ ...text(silent), name: 'Words' }, { type: 'shape', name: 'Mark' })).toEqual([
      `warning elements[0].transcript_source: The render fails: no video, audio or composition is called '${silent}'`,
    ]);
  expect(told(text('ftp://a.example/b.srt'))).toEqual([
    'warning elements[0].transcript_source: The render fails: a file is read from http, https, data, file or media addresses, not from ftp',
  ]);
  for (const source of ['a.png', 'C:\\a.png', 'media:a', 'data:,', 'FILE:///a', '{{a}}', 'a b: c'])
    expect(told({ type: 'image', source }), source).toEqual([]);
  for (const source of ['ftp://a.example/b.png', 's3://b/c.png', ' blob:x', 'javascript:1'])
    expect(told({ type: 'image', source }), source).toEqual([
      expect.stringMatching(/^warning elements\[0\]\.source: The render fails: /),
    ]);
});

test('E22: no message speaks of null or of what only programmers know, whatever stands there', () => {
  const given = [{}, [], [[]], true, -1, '', 'x', ' \n', '1 parsec', { value: {} }];
  const said = new Set<string>();
  for (const value of given) {
    for (const { name } of properties)
      for (const type of elementTypes) {
        const source = { [name]: value, elements: [{ type, [name]: value }] } as Source;
        for (const problem of [...validate(source), ...hintProblems(source)])
          said.add(problem.message);
      }
    for (const [type, row] of animationTypes) {
      const names = [...commonAnimationOptions, ...row.options].map(({ name }) => name);
      const options = Object.fromEntries(names.map((name) => [name, value]));
      const source = { elements: [{ type: 'text', animations: [{ ...options, type }] }] } as Source;
      for (const problem of [...validate(source), ...hintProblems(source)])
        said.add(problem.message);
    }
  }
  const wrong = /\bnull\b|undefined|NaN|\[object|Infinity/;
  expect([...said].filter((message) => wrong.test(message))).toEqual([]);
  expect(said.size).toBeGreaterThan(50);
});
