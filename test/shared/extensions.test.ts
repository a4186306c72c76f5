/** What the language has beyond the service's: `elements.delete` in modifications, and `variables`. */
import { describe, expect, test } from 'vitest';
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

/** The value at a path such as `elements.0.text`. */
function at(source: Source, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, step) => (value as Record<string, unknown> | undefined)?.[step],
      source,
    );
}

describe('elements.delete', () => {
  const names = (source: Source): unknown => {
    const list = (elements: Json | undefined): unknown =>
      (elements as JsonObject[]).map((element) =>
        element.elements === undefined ? element.name : [element.name, list(element.elements)],
      );
    return list(source.elements);
  };
  const source: Source = {
    elements: [
      { type: 'text', name: 'A', id: 'one', text: 'a' },
      {
        type: 'composition',
        name: 'Scene',
        elements: [
          { type: 'text', name: 'A' },
          { type: 'shape', name: 'B' },
        ],
      },
      { type: 'shape', name: 'B' },
    ],
  };
  test.each<[modifications: JsonObject, left: unknown, problems: string[]]>([
    [{ 'elements.delete': ['A'] }, [['Scene', ['B']], 'B'], []],
    [{ 'elements.delete': 'one' }, [['Scene', ['A', 'B']], 'B'], []],
    [{ 'elements.delete': ['Scene', 'B'] }, ['A'], []],
    [{ 'Scene.elements.delete': ['B'] }, ['A', ['Scene', ['A']], 'B'], []],
    [
      { 'elements.delete': ['B', 'B', 'C'] },
      ['A', ['Scene', ['A']]],
      ["Modification 'elements.delete' matched no element 'C'"],
    ],
    [{ 'elements.delete': [] }, ['A', ['Scene', ['A', 'B']], 'B'], []],
    [
      { 'elements.delete': ['A', 5] },
      ['A', ['Scene', ['A', 'B']], 'B'],
      ['elements: Expected a list of names; found 5 at position 2'],
    ],
    [
      { 'elements.delete': null },
      ['A', ['Scene', ['A', 'B']], 'B'],
      ['elements: Expected a list of names; found null at position 1'],
    ],
    [
      { 'elements.delete': ['A'], 'A.text': 'x' },
      [['Scene', ['B']], 'B'],
      ["Modification 'A.text' matched no element"],
    ],
    [
      { 'elements.delete': ['B'], 'elements.add': [{ type: 'text', name: 'B' }] },
      ['A', ['Scene', ['A']], 'B'],
      [],
    ],
    [
      { Scene: [{ copy: 'Scene', 'elements.delete': ['B'] }] },
      ['A', ['Scene', []], 'B'],
      ["Scene.elements: 'Scene' can't be copied into itself"],
    ],
  ])('%j', (modifications, left, problems) => {
    const before = JSON.stringify(source);
    const result = applyModifications(source, modifications);
    expect(names(result.source)).toEqual(left);
    expect(result.problems.map(problemSentence)).toEqual(problems);
    expect(JSON.stringify(source)).toBe(before);
  });

  test('inside a copy of a scene, and leaving room for others', () => {
    const full: Source = {
      elements: [
        { type: 'composition', name: 'Show', elements: [] },
        {
          type: 'composition',
          name: 'Scene',
          elements: [
            { type: 'text', name: 'A' },
            { type: 'text', name: 'B' },
          ],
        },
        ...Array.from({ length: 9_990 }, () => ({ type: 'shape', name: 'Dot' })),
      ],
    };
    const copies = [
      { copy: 'Scene', 'elements.delete': ['B'] },
      { copy: 'Scene' },
      { copy: 'Scene' },
    ];
    expect(applyModifications(full, { Show: copies }).problems).toMatchObject([
      { code: 'limit_exceeded' },
    ]);
    const roomy = applyModifications(full, { 'elements.delete': ['Dot'], Show: copies });
    expect(roomy.problems).toEqual([]);
    expect(names(roomy.source)).toEqual([
      [
        'Show',
        [
          ['Scene', ['A']],
          ['Scene', ['A', 'B']],
          ['Scene', ['A', 'B']],
        ],
      ],
      ['Scene', ['A', 'B']],
    ]);
  });
});

describe('variables', () => {
  const source: Source = {
    variables: { brand: '#f05', city: 'Oslo', size: 12, logo: false, deep: '{{city}}' },
    fill_color: '{{brand}}',
    fonts: [{ family: 'X', source: 'https://{{city}}.example/x.ttf' }],
    elements: [
      {
        type: 'text',
        name: 'T',
        text: 'In {{city}} at {{hour|noon}}',
        font_size: '{{size}} vmin',
        x: '{{other}}',
      },
      {
        type: 'image',
        name: 'L',
        source: '{{ city }}.png',
        visible: '{{logo}}',
        width: '{{size}}',
        color_overlay: [{ time: 0, value: '{{brand|red}}' }],
      },
      { type: 'composition', elements: [{ type: 'text', text: '{{deep}}', name: '{{city}}' }] },
    ],
  };
  const filled = {
    ...source,
    fill_color: '#f05',
    fonts: [{ family: 'X', source: 'https://Oslo.example/x.ttf' }],
    elements: [
      { type: 'text', name: 'T', text: 'In Oslo at noon', font_size: '12 vmin', x: '{{other}}' },
      {
        type: 'image',
        name: 'L',
        source: 'Oslo.png',
        visible: false,
        width: 12,
        color_overlay: [{ time: 0, value: '#f05' }],
      },
      { type: 'composition', elements: [{ type: 'text', text: '{{city}}', name: 'Oslo' }] },
    ],
  };

  test('in every string of the document, once', () => {
    const before = JSON.stringify(source);
    expect(resolvePlaceholders(source)).toEqual(filled);
    expect(JSON.stringify(source)).toBe(before);
  });

  test.each<[modifications: JsonObject, path: string, value: unknown]>([
    [{ city: 'Rome' }, 'elements.0.text', 'In Rome at noon'],
    [{ city: 'Rome' }, 'elements.1.source', 'Rome.png'],
    [{ 'variables.city': 'Rome' }, 'elements.1.source', 'Rome.png'],
    [{ 'variables.hour': 'nine' }, 'elements.0.text', 'In Oslo at nine'],
    [{ 'T.text.city': 'Bonn' }, 'elements.0.text', 'In Bonn at noon'],
    [{ logo: true }, 'elements.1.visible', true],
    [{ variables: { size: 3 } }, 'elements.0.font_size', '3 vmin'],
    [{ variables: { size: 3 } }, 'elements.1.source', '{{ city }}.png'],
    [{ variables: null }, 'elements.0.text', 'In  at noon'],
    [{ variables: 'none' }, 'fill_color', '{{brand}}'],
  ])('%j', (modifications, path, value) => {
    const result = applyModifications(source, modifications);
    expect(at(result.source, path)).toEqual(value);
    expect(result.problems).toEqual([]);
  });

  test('odd names and depths are harmless', () => {
    const odd = JSON.parse(
      '{"variables": {"__proto__": "p", "constructor": "c"}, "elements": [{"type": "image", "source": "{{__proto__}} {{constructor}} {{toString}}", "__proto__": {"x": "{{constructor}}"}}]}',
    ) as JsonObject;
    const { source: result } = applyModifications(odd, {});
    expect(at(result, 'elements.0.source')).toBe('p c {{toString}}');
    expect(JSON.stringify(result)).toContain('"__proto__":{"x":"c"}');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    const deep = JSON.parse(
      `{"variables": {"a": 1}, "x": ${'['.repeat(9_000)}"{{a}}"${']'.repeat(9_000)}}`,
    ) as JsonObject;
    expect(() => applyModifications(deep, {})).not.toThrow();
  });

  test('a document without variables keeps its braces', () => {
    const plain: Source = {
      fill_color: '{{brand}}',
      elements: [{ type: 'image', source: '{{a|b}}' }],
    };
    expect(resolvePlaceholders(plain)).toEqual(plain);
  });
});
