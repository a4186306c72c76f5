/** Elements in the flow of a composition: which are, and where a drag brings one. */
import { describe, expect, test } from 'vitest';
import type { Source } from '../../shared/renderscript/source.ts';
import { flowOf, placeOf, withPlace } from '../../renderer/editor/canvas/flow.ts';
import type { Area } from '../../renderer/editor/canvas/plane.ts';

const source = (children: readonly object[], more: object = {}): Source => ({
  elements: [{ type: 'composition', ...more, elements: children }] as Source['elements'],
});
const path = (index: number): string => `elements[0].elements[${index}]`;
const flowing = { type: 'shape', y: null };

describe('the flow of an element', () => {
  test('goes down, past what has a place of its own, and past sounds', () =>
    expect(
      flowOf(
        source([flowing, { ...flowing, y: '5%' }, { ...flowing, type: 'audio' }, flowing]),
        path(3),
      ),
    ).toEqual({ list: 'elements[0].elements', axis: 'y', members: [0, 3], place: 1 }));

  test('goes across where the composition says so', () =>
    expect(
      flowOf(
        source(
          [
            { type: 'text', x: 'auto' },
            { type: 'text', x: null },
          ],
          { flow_direction: 'horizontal' },
        ),
        path(0),
      ),
    ).toMatchObject({ axis: 'x', members: [0, 1], place: 0 }));

  test.each<[what: string, of: Source, path: string]>([
    ['placed by itself', source([flowing, { type: 'shape', y: '5%' }]), path(1)],
    ['placed as usual, in the middle', source([flowing, flowing, { type: 'shape' }]), path(2)],
    ['alone', source([flowing]), path(0)],
    ['on a track, where order is time, too', source([flowing, { ...flowing, track: 1 }]), path(0)],
    ['of the document itself', { elements: [flowing, flowing] }, 'elements[0]'],
    ['that is gone', source([flowing, flowing]), path(5)],
  ])('there is none for one %s', (_, of, at) => expect(flowOf(of, at)).toBeNull());
});

describe('the place that a drag leads to', () => {
  const area = (y: number, height: number): Area => ({
    origin: { x: 0, y },
    across: { x: 100, y: 0 },
    down: { x: 0, y: height },
    width: 100,
    height,
  });
  const room = area(0, 300);
  const areas = [area(0, 100), area(100, 40), area(140, 100)];
  const flow = { list: 'l', axis: 'y', members: [0, 1, 2] } as const;

  test.each([
    [0, 0, 0],
    [0, 19, 0],
    [0, 21, 1],
    [0, 89, 1],
    [0, 91, 2],
    [0, 500, 2],
    [0, -50, 0],
    [2, -19, 2],
    [2, -21, 1],
    [2, -91, 0],
    [1, 40, 1],
    [1, 51, 2],
    [1, -49, 1],
    [1, -51, 0],
  ])('from place %i, %i pixels lead to %i', (place, by, to) =>
    expect(placeOf({ ...flow, place }, areas, room, { x: 7, y: by })).toBe(to),
  );

  test('passes what can’t be seen with what comes after it', () =>
    expect(
      placeOf({ ...flow, place: 0 }, [areas[0]!, null, areas[2]!], room, { x: 0, y: 95 }),
    ).toBe(2));
});

test('an element takes its text along, and leaves that of others as it is', () => {
  const text = `{ "elements": [ { "type": "composition", "elements": [
    { "name":"A", "y": null },
    {   "name": "B", "y": null },
    { "name": "C",  "y": null }
  ] } ] }`;
  const flow = flowOf(
    {
      elements: [
        { type: 'composition', elements: ['A', 'B', 'C'].map((name) => ({ ...flowing, name })) },
      ],
    },
    path(0),
  );
  const moved = withPlace(text, flow!, 2);
  expect(moved.path).toBe(path(2));
  expect(moved.text).toBe(`{ "elements": [ { "type": "composition", "elements": [
    {   "name": "B", "y": null },
    { "name": "C",  "y": null },
    { "name":"A", "y": null }
  ] } ] }`);
  expect(withPlace(text, flow!, 0)).toEqual({ text, path: path(0) });
});
