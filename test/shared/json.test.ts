/** Reading JSON: strict for the API, with comments and trailing commas for files and the window. */
import { describe, expect, test } from 'vitest';
import { parseJson, parseRelaxedJson } from '../../shared/json.ts';

describe('comments and trailing commas', () => {
  test.each<[text: string, value: unknown]>([
    ['{"a": 1, /* two */ "b": [1, 2,],}', { a: 1, b: [1, 2] }],
    ['// title\n{"a": 1} // end', { a: 1 }],
    ['{"a": 1, // why\n // and why\n}', { a: 1 }],
    ['{"a": [1, /* x */ , /* y */]}'.replace(', /* y */', ' /* y */'), { a: [1] }],
    ['[[],[],\n]', [[], []]],
    [
      '{"a": "// no comment", "b": "/* none */", "c": "a,]"}',
      { a: '// no comment', b: '/* none */', c: 'a,]' },
    ],
    ['{"a": "\\",]", "b": "\\\\",}', { a: '",]', b: '\\' }],
    ['\uFEFF{"a": 1,}', { a: 1 }],
    ['{"__proto__": {"x": 1},}', JSON.parse('{"__proto__": {"x": 1}}')],
    ['5/**/', 5],
    ['""', ''],
  ])('%j', (text, value) => {
    expect(parseRelaxedJson(text)).toEqual({ ok: true, value });
    // Whatever the API takes means the same in a file.
    const strict = parseJson(text);
    if (strict.ok) expect(strict.value).toEqual(value);
  });

  test.each<[text: string, line: number, column: number]>([
    ['[,]', 1, 2],
    ['[1,,]', 1, 4],
    ['{,}', 1, 2],
    ['{"a":,}', 1, 6],
    ['{\n  // one\n  "a": 1,\n  b: 2\n}', 4, 3],
    ['{ /* a\n b */ "a" 1 }', 2, 11],
    ['{"a": 1} /* never ends', 1, 10],
    ['{"a": "never ends', 1, 7],
    ['', 1, 1],
    ['// nothing', 1, 11],
    [',', 1, 1],
    ['[\r1\r\n2]', 3, 1],
  ])('%j is a fault at line %d, column %d', (text, line, column) => {
    expect(parseRelaxedJson(text)).toMatchObject({ ok: false, fault: { line, column } });
  });

  test.each(['{"a": 1,}', '[1,]', '{} // x', '/* x */ {}'])('the API refuses %j', (text) => {
    expect(parseJson(text).ok).toBe(false);
  });

  test('a fault behind any depth of nesting', () => {
    expect(parseJson('[1,'.repeat(1e5))).toMatchObject({ ok: false });
    expect(parseRelaxedJson('{"a": '.repeat(1e5))).toMatchObject({ ok: false });
  });

  test('long texts cost no more than time', () => {
    const long = `{"a": "${'x'.repeat(5e6)}", "b": "${'\\n'.repeat(1e6)}", /*${' '.repeat(5e6)}*/ "c": [${'1,'.repeat(1e5)}]}`;
    expect(parseRelaxedJson(long).ok).toBe(true);
    expect(parseRelaxedJson('[1,/**/'.repeat(1e5)).ok).toBe(false);
  });
});
