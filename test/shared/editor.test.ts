/** What editors get from the tables: the JSON Schema, hints, completion. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  keyCompletions,
  valueCompletions,
  type JsonPath,
} from '../../shared/renderscript/completion.ts';
import { hintsOf } from '../../shared/renderscript/hints.ts';
import { nearest } from '../../shared/renderscript/nearest.ts';
import { propertiesOf, type PropertyOwner } from '../../shared/renderscript/properties.ts';
import { renderScriptSchema } from '../../shared/renderscript/schema.ts';
import {
  elementTypes,
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { definition, isValid } from './json-schema.ts';
import { randomJson, seededRandom } from './random.ts';

const schema = renderScriptSchema();

describe('the JSON Schema', () => {
  /** Every schema inside a schema, itself included. */
  function* within(value: Json): Generator<JsonObject> {
    if (Array.isArray(value)) for (const item of value as Json[]) yield* within(item);
    if (!isJsonObject(value)) return;
    yield value;
    for (const item of Object.values(value)) yield* within(item!);
  }

  test('names its dialect, and keeps to it', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const used = new Set<string>();
    for (const part of within(schema)) {
      if (typeof part.$ref === 'string') {
        expect(definition(schema, part.$ref)).toBeDefined();
        used.add(part.$ref.replace('#/$defs/', ''));
      }
      if (typeof part.pattern === 'string')
        expect(() => new RegExp(part.pattern as string, 'u')).not.toThrow();
    }
    expect([...used].sort()).toEqual(Object.keys(schema.$defs as JsonObject).sort());
    expect(renderScriptSchema()).toEqual(schema);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });

  test('has every property on its owners, with meaning and default', () => {
    const shapeOf = (owner: PropertyOwner): JsonObject =>
      owner === 'root' ? schema : definition(schema, `#/$defs/${owner}`);
    for (const owner of ['root', ...elementTypes] as const) {
      const groups = (shapeOf(owner).allOf as JsonObject[]).map(
        ({ $ref }) => definition(schema, $ref!).properties as JsonObject,
      );
      const described = Object.assign({}, ...groups) as Record<string, JsonObject>;
      const own = (shapeOf(owner).properties ?? {}) as Record<string, JsonObject>;
      expect(Object.keys(described)).toEqual(propertiesOf(owner).map(([name]) => name));
      for (const [name, row] of propertiesOf(owner)) {
        expect(described[name]!.description).toContain(row.meaning);
        if (name !== 'type')
          expect(own[name]?.default ?? described[name]!.default).toEqual(
            row.defaults[owner] ?? row.default,
          );
      }
    }
  });

  test('lets every document of the samples pass', () => {
    const files = [
      ...readdirSync('test/samples').map((name) => `test/samples/${name}/source.json`),
      ...readdirSync('resources/samples').map((name) => `resources/samples/${name}/source.json`),
    ].filter((file) => existsSync(file));
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      const source = JSON.parse(readFileSync(file, 'utf8')) as Source;
      if (Array.isArray(source.elements)) expect(isValid(schema, source, schema), file).toBe(true);
    }
  });

  test('agrees with validation about random documents, as far as it can see', () => {
    const random = seededRandom(11);
    const names = [
      'x',
      'width',
      'fill_color',
      'text',
      'opacity',
      'animations',
      'elements',
      'time',
      'value',
      'offset',
      'color',
      'clip',
      'path',
      'fonts',
      'variables',
      'warp_matrix',
      'transcript_source',
    ];
    const verdicts = { both: 0, neither: 0 };
    for (let round = 0; round < 2_000; round += 1) {
      const source = {
        [random.pick(names)]: randomJson(random, names),
        elements: [
          { type: random.pick(elementTypes), [random.pick(names)]: randomJson(random, names) },
        ],
      };
      const passes = isValid(schema, source, schema);
      if (validate(source).some(({ severity }) => severity === 'error'))
        verdicts.neither += passes ? 0 : 1;
      else {
        expect(passes, JSON.stringify(source)).toBe(true);
        verdicts.both += 1;
      }
    }
    expect(verdicts.both).toBeGreaterThan(200);
    expect(verdicts.neither).toBeGreaterThan(200);
  });
});

describe('hints', () => {
  const said = (source: Source): string[] =>
    hintsOf(source).map(({ path, message }) => `${path}: ${message}`);
  const shape = (more: JsonObject): Source => ({ elements: [{ type: 'shape', ...more }] });
  const text = (animation: JsonObject): Source => ({
    elements: [{ type: 'text', animations: [animation] }],
  });

  // prettier-ignore
  test.each<[source: Source, hints: string[]]>([
    [{ outputFormat: 'mp4' }, ["outputFormat: The document has no 'outputFormat'. Did you mean 'output_format'?"]],
    [{ framerate: 30, $schema: 'x', _note: 1, '//': 'y' }, ["framerate: The document has no 'framerate'. Did you mean 'frame_rate'?"]],
    [{ output_format: 'nonsense', width: 'wide' }, []],
    [shape({ fil_color: 'red' }), ["elements[0].fil_color: A shape element has no 'fil_color'. Did you mean 'fill_color'?"]],
    [shape({ something: 1 }), ["elements[0].something: A shape element has no 'something'"]],
    [shape({ font_size: 1 }), ["elements[0].font_size: A shape element has no 'font_size'; it belongs to text"]],
    [{ elements: [{ type: 'image', snapshot_time: 1 }] }, ["elements[0].snapshot_time: An image element has no 'snapshot_time'; it belongs to the document"]],
    [{ elements: [{ type: 'rectangle', nonsense: 1 }] }, []],
    [shape({ x: [{ time: 0, value: 1, easing: 'quadratc-out' }] }), ["elements[0].x[0].easing: There is no easing 'quadratc-out'; the default one is used. Did you mean 'quadratic-out'?"]],
    [shape({ x: [{ time: 0, value: 1, easing: 'spring(1)' }, { time: 1, value: 2, easing: null }] }), ["elements[0].x[0].easing: There is no easing 'spring(1)'; the default one is used"]],
    [shape({ fill_color: [{ offset: 0, color: 'red', easing: 'no' }] }), []],
    [shape({ animations: [{ type: 'fade', easing: 'easeInOut' }] }), ["elements[0].animations[0].easing: There is no easing 'easeInOut'; the default one is used. Did you mean 'ease-in-out'?"]],
    [shape({ animations: [{ type: 'slid' }, { type: 'something' }, {}, 5] }), ["elements[0].animations[0].type: There is no animation 'slid'. Did you mean 'slide'?"]],
    [shape({ animations: [{ type: 'text-slide' }] }), ["elements[0].animations[0].type: 'text-slide' moves pieces of a text and has no effect here"]],
    [text({ type: 'slide', distnace: '5%', track: 0, property: 'animations' }), ["elements[0].animations[0].distnace: 'slide' has no option 'distnace'. Did you mean 'distance'?"]],
    [text({ type: 'text-slide', split: 'words', overlap: '50%' }), ["elements[0].animations[0].split: 'words' is no value for 'split'; the default 'line' is used. Did you mean 'word'?"]],
    [text({ type: 'slide', direction: 'up' }), []],
    [text({ type: 'slide', direction: 'upwards', fade: 'no' }), ["elements[0].animations[0].direction: 'upwards' is no value for 'direction'; the default '180°' is used", "elements[0].animations[0].fade: 'no' is no value for 'fade'; the default true is used"]],
    [text({ type: 'wiggle', z_angle: '5°' }), []],
    [{ elements: [{ type: 'composition', elements: [{ type: 'text', name: 'T', txt: 'x' }] }] }, ["elements[0].elements[0].txt: A text element has no 'txt'. Did you mean 'text'?"]],
  ])('%j', (source, hints) => {
    expect(said(source)).toEqual(hints);
  });

  test('name the element and the word to write', () => {
    expect(
      hintsOf({
        elements: [
          { type: 'text', name: 'Title', quux: 1 },
          { type: 'text', txt: '' },
        ],
      }),
    ).toMatchObject([
      { element: 'Title', severity: 'hint', code: 'unknown_property', instead: null },
      { element: 'Text 2', severity: 'hint', code: 'unknown_property', instead: 'text' },
    ]);
  });

  test('never throw', () => {
    const random = seededRandom(5);
    const names = [
      'elements',
      'animations',
      'type',
      'easing',
      'x',
      'value',
      'time',
      'split',
      'nonsense',
      '__proto__',
      'constructor',
    ];
    for (let round = 0; round < 2_000; round += 1) {
      const source = {
        elements: [
          {
            type: random.pick([...elementTypes, 'x']),
            [random.pick(names)]: randomJson(random, names, 6),
          },
        ],
      };
      const before = JSON.stringify(source);
      expect(() => hintsOf(source)).not.toThrow();
      expect(JSON.stringify(source)).toBe(before);
    }
    for (const value of [null, 5, 'x', []]) expect(hintsOf(value as unknown as Source)).toEqual([]);
  });

  test.each([
    ['fontSize', 'font_size'],
    ['font-size', 'font_size'],
    ['fnot_size', 'font_size'],
    ['y', null],
    ['wdith', 'width'],
    ['xx', null],
    ['', null],
    ['z'.repeat(5_000), null],
  ])('nearest to %j is %j', (written, word) => {
    expect(nearest(written, ['x', 'x_scale', 'width', 'height', 'font_size', 'font_style'])).toBe(
      word,
    );
  });
});

describe('completion', () => {
  const source: Source = {
    width: 5,
    elements: [
      { type: 'image', x: [{ time: 0, value: 1 }], animations: [{ type: 'slide' }, {}] },
      { type: 'composition', elements: [{ type: 'text', text: '' }, {}] },
    ],
  };
  const keys = (...path: JsonPath): string[] =>
    keyCompletions(source, path).map(({ label }) => label);
  const values = (...path: JsonPath): string[] =>
    valueCompletions(source, path).map(({ label }) => label);

  test('keys', () => {
    expect(keys()).toEqual(
      propertiesOf('root')
        .map(([name]) => name)
        .filter((name) => name !== 'width' && name !== 'elements'),
    );
    expect(keys('elements', 0)).toContain('fit');
    expect(keys('elements', 0)).not.toContain('x');
    expect(keys('elements', 1, 'elements', 0)).toContain('font_size');
    expect(keys('elements', 1, 'elements', 0)).not.toContain('text');
    expect(keys('elements', 0, 'x', 0)).toEqual(['easing']);
    expect(keys('elements', 0, 'animations', 0)).toContain('distance');
    expect(keys('elements', 0, 'animations', 0)).not.toContain('type');
    expect(keys('elements', 0, 'animations', 1)).toEqual([
      'type',
      'time',
      'duration',
      'easing',
      'reversed',
      'transition',
    ]);
    for (const path of [
      ['elements', 9],
      ['nonsense'],
      ['elements', 0, 'fit', 0],
      ['elements', 0, 'x', 0, 'value', 1],
      ['__proto__'],
    ] as JsonPath[]) {
      expect(keyCompletions(source, path)).toEqual([]);
    }
  });

  test('values', () => {
    expect(values('output_format')).toEqual([
      '"jpg"',
      '"mp4"',
      '"gif"',
      '"png"',
      '"webm"',
      '"mov"',
      '"webp"',
      '"avif"',
      '"mp3"',
      '"wav"',
      '"m4a"',
      '"webp-animated"',
      '"png-sequence"',
    ]);
    expect(values('elements', 0, 'fit')).toEqual(['"cover"', '"contain"', '"fill"']);
    expect(values('elements', 0, 'clip')).toEqual(['false', 'true']);
    expect(values('elements', 0, 'time')).toEqual(['null', '"end"']);
    expect(values('elements', 0, 'type')).toEqual(elementTypes.map((type) => `"${type}"`));
    expect(values('elements', 1, 'elements', 1, 'type')).toHaveLength(elementTypes.length);
    expect(values('elements', 0, 'x', 0, 'time')).toEqual(['"start"', '"end"']);
    expect(values('elements', 0, 'x', 0, 'easing')).toContain('"spring(1, 100, 10)"');
    expect(values('elements', 0, 'animations', 0, 'easing')).toContain('"quadratic-out"');
    expect(values('elements', 0, 'animations', 0, 'fixed')).toEqual([
      '"none"',
      '"first-only"',
      '"second-only"',
    ]);
    expect(values('elements', 0, 'animations', 1, 'type')).toHaveLength(17);
    expect(values('elements', 1, 'elements', 0, 'animations', 0, 'type')).toHaveLength(26);
    expect(values('elements', 0, 'nonsense')).toEqual([]);
  });

  test('every offer of a value is one that validation accepts', () => {
    for (const owner of elementTypes) {
      for (const [name] of propertiesOf(owner)) {
        if (name === 'type') continue;
        for (const { label } of valueCompletions({ elements: [{ type: owner }] }, [
          'elements',
          0,
          name,
        ])) {
          const errors = validate({
            elements: [{ type: owner, [name]: JSON.parse(label) as Json }],
          }).filter(({ severity }) => severity === 'error');
          expect(errors, `${owner}.${name} = ${label}`).toEqual([]);
        }
      }
    }
  });
});
