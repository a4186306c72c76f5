/** Modifications: every key form, placeholders, copies, and that a template is never changed. */
import { describe, expect, test } from 'vitest';
import { fullBounds } from '../../shared/renderscript/budget.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import {
  applyModifications,
  resolvePlaceholders,
} from '../../shared/renderscript/modifications.ts';
import {
  problemSentence,
  type Json,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { randomJson, seededRandom } from './random.ts';

/** A template with everything that a key may address; frozen, so that a write into it throws. */
const template = freeze({
  output_format: 'mp4',
  width: 1280,
  height: 720,
  fill_color: [
    { offset: '0%', color: '#000' },
    { offset: '100%', color: '#fff' },
  ],
  elements: [
    {
      type: 'text',
      id: 'id-1',
      name: 'Title',
      text: 'Hello',
      opacity: [
        { time: 0, value: '0%' },
        { time: 1, value: '100%' },
      ],
    },
    { type: 'text', name: 'Greeting', text: 'Dear {{first name|friend}}, {{ title }}!' },
    { type: 'image', name: 'Logo', source: 'a.png' },
    { type: 'text', name: 'v1.0', text: 'version' },
    { type: 'text', name: 'v1', text: 'one' },
    { type: 'shape', name: 'Box', fill_color: 'red' },
    { type: 'shape', name: 'Twin' },
    {
      type: 'composition',
      name: 'Scenes',
      elements: [
        {
          type: 'composition',
          name: 'Scene A',
          elements: [
            { type: 'text', name: 'Line', text: 'a {{word}}' },
            { type: 'shape', name: 'Twin' },
          ],
        },
        {
          type: 'composition',
          name: 'Scene B',
          elements: [{ type: 'text', name: 'Line', text: 'b' }],
        },
      ],
    },
    { type: 'text', name: '', text: 'nameless' },
    'not an element',
  ],
});

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

/** The value at a path such as `elements.0.text`. */
function at(source: Source, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, step) => (value as Record<string, unknown> | undefined)?.[step],
      source,
    );
}

describe('key forms', () => {
  const add = { type: 'shape', name: 'New' };
  const cases: [modifications: JsonObject, path: string, value: unknown][] = [
    [{ Title: 'Bye' }, 'elements.0.text', 'Bye'],
    [{ 'Title.text': 'Bye' }, 'elements.0.text', 'Bye'],
    [{ 'id-1': 'Bye' }, 'elements.0.text', 'Bye'],
    [{ 'id-1.fill_color': '#123' }, 'elements.0.fill_color', '#123'],
    [{ Logo: 'b.png' }, 'elements.2.source', 'b.png'],
    [{ 'Logo.source': null }, 'elements.2.source', null],
    [
      { 'Title.opacity.1.value': '50%' },
      'elements.0.opacity',
      [
        { time: 0, value: '0%' },
        { time: 1, value: '50%' },
      ],
    ],
    [{ 'Title.opacity.1.easing': 'linear' }, 'elements.0.opacity.1.easing', 'linear'],
    [{ 'Title.opacity': '50%' }, 'elements.0.opacity', '50%'],
    [{ 'Title.animations': [{ type: 'fade' }] }, 'elements.0.animations', [{ type: 'fade' }]],
    [{ 'v1.0': 'x' }, 'elements.3.text', 'x'],
    [{ 'v1.0.text': 'x' }, 'elements.3.text', 'x'],
    [{ 'v1.text': 'x' }, 'elements.4.text', 'x'],
    [{ width: 640 }, 'width', 640],
    [{ width: null }, 'width', null],
    [{ duration: 9 }, 'duration', 9],
    [{ 'fill_color.1.color': 'red' }, 'fill_color.1', { offset: '100%', color: 'red' }],
    [{ 'elements.add': [add, add] }, 'elements.11', add],
    [{ 'elements.add': add }, 'elements.10', add],
    [{ 'Scenes.elements.add': [add] }, 'elements.7.elements.2', add],
    [{ 'Scenes.elements': [add] }, 'elements.7.elements', [add]],
    [{ Scenes: [add] }, 'elements.7.elements', [add]],
    [{ elements: [add] }, 'elements', [add]],
    [{ 'elements.0.text': 'Bye' }, 'elements.0.text', 'Bye'],
    [{ 'Scene B.Line.text': 'x' }, 'elements.7.elements.1.elements.0.text', 'x'],
    [{ 'Scene B.Line.text': 'x' }, 'elements.7.elements.0.elements.0.text', 'a '],
    [{ 'Scenes.Scene B.Line': 'x' }, 'elements.7.elements.1.elements.0.text', 'x'],
    [{ 'Twin.x': 5 }, 'elements.6.x', 5],
    [{ 'Twin.x': 5 }, 'elements.7.elements.0.elements.1.x', 5],
    [{ 'Title.no_such_property': 1 }, 'elements.0.no_such_property', 1],
    [{ Title: 'first', 'Title.text': 'second' }, 'elements.0.text', 'second'],
    [{ 'Title.name': 'Head', 'Head.text': 'x' }, 'elements.0.text', 'x'],
    [{ 'elements.add': [add], 'New.x': 1 }, 'elements.10.x', 1],
  ];
  test.each(cases)('%j', (modifications, path, value) => {
    const result = applyModifications(template, modifications);
    expect(at(result.source, path)).toEqual(value);
    expect(result.unmatched).toEqual([]);
    expect(result.problems).toEqual([]);
  });

  test.each<[key: string, value: Json]>([
    ['Text-2', 'x'],
    ['Text-2.text', 'x'],
    ['title', 'x and no text'],
    ['', 'x'],
    ['.', 'x'],
    ['Title.', 'x'],
    ['Title.opacity.7.value', 1],
    ['Title.opacity.-1.value', 1],
    ['Title.opacity.length', 1],
    ['Title.text.first name', 'x'],
    ['Title.__proto__.x', 1],
    ['Title.constructor.prototype.x', 1],
    ['elements.99.text', 'x'],
    ['Scenes.elements.0', {}],
    ['{{first name}}', 'x'],
  ])('%j matches nothing', (key, value) => {
    // `title` is a placeholder's name, so its template loses it here.
    const source = {
      ...template,
      elements: (template.elements as Json[]).filter((_, index) => index !== 1),
    };
    const result = applyModifications(source, { [key]: value, Title: 'Bye' });
    expect(result.unmatched).toEqual([key]);
    expect(result.problems.map(problemSentence)).toEqual([
      `Modification '${key}' matched no element`,
    ]);
    expect(result.problems[0]!.severity).toBe('warning');
    expect(at(result.source, 'elements.0.text')).toBe('Bye');
  });

  test('an element without a main property needs the name of one', () => {
    const { unmatched, problems } = applyModifications(template, { Box: 'blue' });
    expect(unmatched).toEqual(['Box']);
    expect(problems[0]!.message).toContain("Modification 'Box' needs a property");
  });

  test('a wrong list of elements is an error', () => {
    const { problems } = applyModifications(template, { 'elements.add': 'text' });
    expect(problems.map(problemSentence)).toEqual([
      "elements: Expected a list of elements; found 'text'",
    ]);
    expect(problems[0]!.severity).toBe('error');
  });
});

describe('placeholders', () => {
  const text = (modifications: JsonObject): unknown =>
    at(applyModifications(template, modifications).source, 'elements.1.text');
  test.each<[modifications: JsonObject, expected: string]>([
    [{}, 'Dear friend, !'],
    [{ 'first name': 'Ada' }, 'Dear Ada, !'],
    [{ 'first name': 'Ada', title: 'Dr' }, 'Dear Ada, Dr!'],
    [{ title: 5 }, 'Dear friend, 5!'],
    [{ 'first name': null, title: '' }, 'Dear friend, !'],
    [{ 'Greeting.text.first name': 'Ada' }, 'Dear Ada, !'],
    [{ 'Greeting.text.first name': 'Ada', 'first name': 'Bob' }, 'Dear Ada, !'],
    [{ title: '{{first name}}' }, 'Dear friend, {{first name}}!'],
    [{ Greeting: 'Hi {{title}}', title: 'you' }, 'Hi you'],
    [{ title: '$& $1' }, 'Dear friend, $& $1!'],
  ])('%j', (modifications, expected) => {
    expect(text(modifications)).toBe(expected);
  });

  test('a value that no text can hold matches nothing', () => {
    expect(applyModifications(template, { title: ['x'] }).unmatched).toEqual(['title']);
  });

  test('keyframed texts', () => {
    const source: Source = {
      elements: [
        {
          type: 'text',
          name: 'T',
          text: [
            { time: 0, value: '{{a}}' },
            { time: 1, value: '{{b|B}}' },
          ],
        },
      ],
    };
    expect(at(applyModifications(source, { a: 1 }).source, 'elements.0.text')).toEqual([
      { time: 0, value: '1' },
      { time: 1, value: 'B' },
    ]);
    expect(
      at(applyModifications(source, { 'T.text.0.value': 'x' }).source, 'elements.0.text.0.value'),
    ).toBe('x');
  });

  test('without modifications', () => {
    const source: Source = {
      elements: [
        { type: 'text', text: 'a {{b|c}} {d} {{}} }}' },
        { type: 'image', source: '{{e}}' },
      ],
    };
    expect(resolvePlaceholders(source)).toEqual({
      elements: [
        { type: 'text', text: 'a c {d}  }}' },
        { type: 'image', source: '{{e}}' },
      ],
    });
  });
});

describe('copies of scenes', () => {
  test('in the order given, as often as wanted, each with changes of its own', () => {
    const { source, problems, unmatched } = applyModifications(template, {
      Scenes: [
        { copy: 'Scene B', Line: 'first' },
        { copy: 'Scene A', 'Line.x': '10%', word: 'filled', duration: 3 },
        { copy: 'Scene B' },
        { type: 'shape', name: 'Extra' },
      ],
      'Line.y': '20%',
      'Extra.x': 1,
    });
    expect([problems, unmatched]).toEqual([[], []]);
    expect(at(source, 'elements.7.elements')).toEqual([
      {
        type: 'composition',
        name: 'Scene B',
        elements: [{ type: 'text', name: 'Line', text: 'first', y: '20%' }],
      },
      {
        type: 'composition',
        name: 'Scene A',
        duration: 3,
        elements: [
          { type: 'text', name: 'Line', text: 'a filled', x: '10%', y: '20%' },
          { type: 'shape', name: 'Twin' },
        ],
      },
      {
        type: 'composition',
        name: 'Scene B',
        elements: [{ type: 'text', name: 'Line', text: 'b', y: '20%' }],
      },
      { type: 'shape', name: 'Extra', x: 1 },
    ]);
  });

  test('placeholders of a copy win over those of the document', () => {
    const { source } = applyModifications(template, {
      word: 'one',
      Scenes: [{ copy: 'Scene A', word: 'two' }, { copy: 'Scene A' }],
    });
    expect(at(source, 'elements.7.elements.0.elements.0.text')).toBe('a two');
    expect(at(source, 'elements.7.elements.1.elements.0.text')).toBe('a one');
  });

  test.each<[modifications: JsonObject, sentence: string]>([
    [{ Scenes: [{ copy: 'Nobody' }] }, "Scenes.elements: There is no element 'Nobody' to copy"],
    [{ Scenes: [{ copy: 'Scenes' }] }, "Scenes.elements: 'Scenes' can't be copied into itself"],
    [{ 'Scene A': [{ copy: 'Scenes' }] }, "Scene A.elements: 'Scenes' can't be copied into itself"],
    [{ Scenes: [{ copy: 'Scene B', Nothing: 1 }] }, "Modification 'Nothing' matched no element"],
  ])('%j', (modifications, sentence) => {
    expect(applyModifications(template, modifications).problems.map(problemSentence)).toEqual([
      sentence,
    ]);
  });

  test('copies of copies end at the limit of elements', () => {
    const keys = Array.from({ length: 200 }, (_, index) => [
      `C${index}`,
      [{ copy: `C${index + 1}` }, { copy: `C${index + 1}` }],
    ]);
    const elements = Array.from({ length: 201 }, (_, index) => ({
      type: 'composition',
      name: `C${index}`,
      elements: [{ type: 'shape' }],
    }));
    const { source, problems } = applyModifications(
      { elements },
      Object.fromEntries(keys.reverse()) as JsonObject,
    );
    expect(problems.filter((problem) => problem.code === 'limit_exceeded')).toHaveLength(1);
    // Without an end there would be 2²⁰⁰ of them.
    const types = JSON.stringify(source).match(/"type":/g) ?? [];
    expect(types.length).toBeGreaterThan(elements.length);
    expect(types.length).toBeLessThanOrEqual(documentLimits.elements);
  });

  test('scenes that are copied into each other in turn stay shallow enough', () => {
    const scene = (name: string): Json => ({
      type: 'composition',
      name,
      elements: [{ type: 'composition', name: `${name} end`, elements: [] }],
    });
    let source: Source = { elements: [scene('A'), scene('B')] };
    for (let round = 0; round < 40; round += 1) {
      source = applyModifications(source, {
        'A end': [{ copy: 'B' }],
        'B end': [{ copy: 'A' }],
      }).source;
    }
    expect(validate(source).every((problem) => problem.code === 'limit_exceeded')).toBe(true);
  });
});

describe('nothing but the answer changes', () => {
  test('__proto__ is a key like any other', () => {
    const source = JSON.parse(
      '{"elements":[{"type":"text","name":"__proto__","text":"a","__proto__":{"x":1}}]}',
    ) as Source;
    const modifications = JSON.parse(
      '{"__proto__":"b","__proto__.fill_color":"red","__proto__.__proto__":{"polluted":1}}',
    ) as JsonObject;
    const result = applyModifications(source, modifications);
    expect(result.unmatched).toEqual([]);
    expect(JSON.stringify(result.source)).toBe(
      '{"elements":[{"type":"text","name":"__proto__","text":"b","__proto__":{"polluted":1},"fill_color":"red"}]}',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('parts that stay the same are shared', () => {
    const { source } = applyModifications(template, { 'Title.opacity.0.value': 1 });
    expect(source.fill_color).toBe(template.fill_color);
    expect(at(source, 'elements.0.opacity.1')).toBe(at(template, 'elements.0.opacity.1'));
  });

  test('whatever the modifications: no throw, no change of template or modifications', () => {
    const random = seededRandom(5);
    const names = [
      'Title',
      'Logo',
      'Greeting',
      'Scenes',
      'Scene A',
      'Line',
      'Twin',
      'Box',
      'v1',
      'v1.0',
      'id-1',
      'elements',
      'Nobody',
    ];
    const steps = [
      'text',
      'elements',
      'opacity',
      '0',
      '1',
      'value',
      'add',
      'name',
      'id',
      'Line',
      '__proto__',
      '',
      'fill_color',
    ];
    const keys = [...names, 'type', 'copy', 'elements', 'text', 'title', 'word'];
    const before = JSON.stringify(template);
    for (let round = 0; round < 3000; round += 1) {
      const entries = Array.from({ length: 1 + random.below(5) }, () => {
        const key = [
          random.pick(names),
          ...Array.from({ length: random.below(4) }, () => random.pick(steps)),
        ].join('.');
        const copies = [
          { copy: random.pick(names), [random.pick(names)]: randomJson(random, keys, 2) },
        ];
        return [key, random.below(3) === 0 ? copies : randomJson(random, keys)] as const;
      });
      const modifications = freeze(Object.fromEntries(entries));
      const { source, unmatched } = applyModifications(template, modifications);
      validate(source);
      expect(unmatched.every((key) => key in modifications)).toBe(true);
    }
    expect(JSON.stringify(template)).toBe(before);
  });

  test('deep nesting and endless keys are harmless', () => {
    let deep: Json = { type: 'text', text: 'x' };
    for (let level = 0; level < 20_000; level += 1)
      deep = { type: 'composition', name: 'C', elements: [deep] };
    expect(
      applyModifications({ elements: [deep] }, { C: [deep], 'Title.x': deep }).unmatched,
    ).toEqual(['Title.x']);
    const dots = 'a.'.repeat(1_000_000);
    expect(
      applyModifications(template, { [dots]: 1, [`Title.opacity.${dots}`]: 1 }).unmatched,
    ).toHaveLength(2);
  });
});

test('10,000 keys on 10,000 elements', () => {
  const elements = Array.from({ length: 10_000 }, (_, index) => ({
    type: 'text',
    name: `T${index}`,
    text: '',
  }));
  const modifications = Object.fromEntries(
    elements.map(({ name }) => [`${name}.text`, `new ${name}`]),
  );
  const { source, problems } = applyModifications({ elements }, modifications);
  expect(problems).toEqual([]);
  expect(at(source, 'elements.9999.text')).toBe('new T9999');
});

describe('the order of keys does not matter', () => {
  const shape = { type: 'shape', name: 'Added' };
  test.each<[JsonObject, path: string, value: Json]>([
    [{ 'Added.fill_color': 'red', 'elements.add': [shape] }, 'elements.10.fill_color', 'red'],
    [
      { 'Line.x': 3, 'Scenes.elements.add': [{ ...shape, name: 'Line' }] },
      'elements.7.elements.2.x',
      3,
    ],
    [
      { 'Added.elements.add': [shape], 'elements.add': [{ type: 'composition', name: 'Added' }] },
      'elements.10.elements.0.type',
      'shape',
    ],
    [
      {
        'New.x': 1,
        Scenes: [
          { copy: 'Scene B', 'Line.name': 'New' },
          { ...shape, name: 'New' },
        ],
      },
      'elements.7.elements.1.x',
      1,
    ],
    [
      { 'elements.add': [{ ...shape, name: 'Twin' }], 'elements.delete': ['Twin'] },
      'elements.9.name',
      'Twin',
    ],
  ])('%j', (modifications, path, value) => {
    const entries = Object.entries(modifications);
    const both = [entries, entries.toReversed()].map((one) =>
      applyModifications(template, Object.fromEntries(one)),
    );
    for (const { source, problems } of both) {
      expect(problems).toEqual([]);
      expect(at(source, path)).toEqual(value);
    }
    expect(both[0]!.source).toEqual(both[1]!.source);
  });
});

test.each<[JsonObject, path: string, value: Json]>([
  [{ Title: 5 }, 'elements.0.text', '5'],
  [{ 'Title.text': true }, 'elements.0.text', 'true'],
  [{ 'Title.text': 1.5 }, 'elements.0.text', '1.5'],
  [{ 'Title.font_family': 7 }, 'elements.0.font_family', '7'],
  [{ Scenes: [{ copy: 'Scene B', Line: 3 }] }, 'elements.7.elements.0.elements.0.text', '3'],
  [{ 'Title.font_weight': 700 }, 'elements.0.font_weight', 700],
  [{ Logo: 5 }, 'elements.2.source', 5],
])('numbers and switches become text where text is expected: %j', (modifications, path, value) => {
  expect(at(applyModifications(template, modifications).source, path)).toBe(value);
});

test.each<[JsonObject, path: string, value: Json]>([
  [{ 'Title.visible': 'false' }, 'elements.0.visible', false],
  [{ 'Title.text_clip': ' TRUE ' }, 'elements.0.text_clip', true],
  [{ loop: 'False' }, 'loop', false],
  [{ 'Title.visible': 'no' }, 'elements.0.visible', 'no'],
  [{ Title: 'true' }, 'elements.0.text', 'true'],
  [{ 'Title.x': 'true' }, 'elements.0.x', 'true'],
  [{ 'Title.unknown': 'true' }, 'elements.0.unknown', 'true'],
])('texts become switches where true or false is expected: %j', (modifications, path, value) => {
  expect(at(applyModifications(template, modifications).source, path)).toBe(value);
});

describe('what a little asks for is bounded while working', () => {
  const named = (count: number, more: JsonObject = {}): Json[] =>
    Array.from({ length: count }, () => ({ type: 'text', name: 'Same', text: 'a', ...more }));
  const keys = (count: number, key: (index: number) => string, value: Json = 1): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [key(index), value]));
  const list = (count: number, item: Json): Json[] => Array.from({ length: count }, () => item);
  const scenes: Json[] = [
    { type: 'text', name: 'Scene', text: 'x'.repeat(1_000_000) },
    { type: 'composition', name: 'Show', elements: [] },
  ];
  let nested: Json = { type: 'text', name: 'A', text: 'x' };
  for (let level = 0; level < 60; level += 1) {
    nested = { type: 'composition', name: 'A', elements: [nested] };
  }

  test.each<[what: string, of: 'steps' | 'characters', elements: Json, modifications: JsonObject]>([
    ['many names alike, many keys', 'steps', named(9_000), keys(10_000, (i) => `Same.p${i}`)],
    ['one long value for all', 'characters', named(9_000), { Same: 'x'.repeat(10_000) }],
    ['one list for all', 'characters', named(9_000), { 'Same.animations': list(1_000, { a: 1 }) }],
    ['a long text copied', 'characters', scenes, { Show: list(9_000, { copy: 'Scene' }) }],
    [
      'a long value in many places',
      'characters',
      [{ type: 'text', text: '{{a}}'.repeat(20_000) }],
      { a: 'x'.repeat(100_000) },
    ],
    [
      'control characters, six for one',
      'characters',
      [{ type: 'text', text: '{{a}}'.repeat(1_000) }],
      { a: '\u0001'.repeat(10_000) },
    ],
    ['a path through namesakes', 'steps', [nested], { [`${'A.'.repeat(59)}x.y`]: 1 }],
    [
      'a list written to at many places',
      'steps',
      [{ type: 'text', name: 'T', text: '', x: list(200_000, { time: 0, value: 1 }) }],
      keys(10_000, (i) => `T.x.${i}.value`),
    ],
    [
      'new content for many, of many items',
      'steps',
      named(9_000, { type: 'composition' }),
      { 'Same.elements': list(10_000, 1) },
    ],
  ])('%s', (_what, of, elements, modifications) => {
    const source = { elements };
    const result = applyModifications(source, modifications);
    expect(result.excess?.of).toBe(of);
    expect(result.source).toBe(source);
    expect(result.problems).toHaveLength(1);
    expect(result.problems[0]).toMatchObject({ severity: 'error', code: 'limit_exceeded' });
    expect(result.problems[0]!.message).toContain(fullBounds[of].toLocaleString('en-US'));
    expect(result.problems[0]!.message.length).toBeLessThan(300);
  });

  test('work grows with the input, not with its square', () => {
    const steps = (count: number): number => {
      const elements = Array.from({ length: count }, (_, index) => ({
        type: 'composition',
        name: `C${index}`,
        elements: [{ type: 'text', name: `T${index}` }],
      }));
      const modifications = Object.fromEntries(
        elements.flatMap(({ name }, index) => [
          [`${name}.elements.add`, [{ type: 'text', name: `N${index}` }]],
          [`T${index}.name`, `R${index}`],
          [`R${index}.text`, '{{a}}'],
          [`N${index}`, 'x'],
        ]),
      ) as JsonObject;
      let [low, high] = [0, fullBounds.steps];
      while (high - low > 100) {
        const middle = (low + high) >> 1;
        const bounds = { ...fullBounds, steps: middle };
        if (applyModifications({ elements }, modifications, bounds).excess) low = middle;
        else high = middle;
      }
      return high;
    };
    expect(steps(400) / steps(200)).toBeLessThan(2.2);
  });
});

test('names with accents meet, whether a letter is one character or two', () => {
  for (const [own, given] of [
    ['NFC', 'NFD'],
    ['NFD', 'NFC'],
  ] as const) {
    const text = (name: string): JsonObject => ({
      type: 'text',
      name: name.normalize(own),
      text: 'x',
    });
    const source = {
      variables: { ['Farbe Ä'.normalize(own)]: '#fff' },
      elements: [
        { ...text('Überschrift'), fill_color: `{{${'Farbe Ä'.normalize(given)}}}` },
        { ...text('A'), text: `{{${'Café'.normalize(own)}}}`, id: 'é.1'.normalize(own) },
        text('Menü'),
        { type: 'composition', name: 'Bühne'.normalize(own), elements: [text('Tür.1')] },
      ],
    };
    const changes = {
      'Überschrift.text': 'Neu',
      Café: 'Ober',
      'é.1.x_scale': 2,
      'elements.delete': ['Menü'.normalize(given)],
      'Bühne.Tür.1': 'zu',
      'elements.add': { copy: 'Bühne'.normalize(given), 'Tür.1': 'auf' },
    };
    const modifications = Object.fromEntries(
      Object.entries(changes).map(([key, value]) => [key.normalize(given), value]),
    );
    const { source: made, problems } = applyModifications(source, modifications);
    expect(problems).toEqual([]);
    expect(made.elements).toMatchObject([
      { text: 'Neu', fill_color: '#fff' },
      { text: 'Ober', x_scale: 2 },
      { elements: [{ text: 'zu' }] },
      { elements: [{}] },
    ]);
  }
});
