/** Variables of a document changed by hand: their kind stays, and a new name goes wherever the old one is used. */
import { expect, test } from 'vitest';
import {
  freeVariable,
  typedVariable,
  withVariableName,
} from '../../renderer/editor/inspector/variables.ts';

test.each([
  [4, '12', 12],
  [4, ' 1.5 ', 1.5],
  [4, 'many', 'many'],
  [4, '', ''],
  [true, 'False', false],
  [true, 'perhaps', 'perhaps'],
  ['12', '13', '13'],
  [undefined, 'x', 'x'],
])('%j, with %j typed, becomes %j', (before, typed, after) =>
  expect(typedVariable(before, typed)).toBe(after),
);

test('a new name keeps the place, and is written into every placeholder of the old one', () => {
  const text = `{
  "variables": { "a": 1, "the \\"name\\"": "x", "b": 2 },
  "elements": [{ "text": "{{ the \\"name\\" }} {{the \\"name\\"|none}} {{the \\"name\\" 2}} {{a}}" }]
}`;
  const { variables } = JSON.parse(text) as { variables: Record<string, string | number> };
  const after = withVariableName(text, variables, 'the "name"', 'title $&');
  const read = JSON.parse(after) as { variables: object; elements: { text: string }[] };
  expect(Object.entries(read.variables)).toEqual([
    ['a', 1],
    ['title $&', 'x'],
    ['b', 2],
  ]);
  expect(read.elements[0]?.text).toBe('{{ title $& }} {{title $&|none}} {{the "name" 2}} {{a}}');
});

test('a new variable gets a name that is free', () => {
  expect(freeVariable('name', {})).toBe('name');
  expect(freeVariable('name', { name: 1, name2: 1 })).toBe('name3');
});
