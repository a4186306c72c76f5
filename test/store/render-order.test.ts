/** The order of renders stays right whatever comes, goes, or arrives late. */
import { expect, test } from 'vitest';
import { RenderOrder } from '../../server/store/render-order.ts';

test('IDs come from the last to the first, before a place, each once', () => {
  const order = new RenderOrder();
  order.fill([
    { id: 'c', order: 3 },
    { id: 'a', order: 1 },
  ]);
  for (const [id, place] of [
    ['d', 4],
    ['b', 2],
    ['b', 2],
    ['e', 4],
    ['d', 4],
  ] as const)
    order.add(id, place);
  expect([...order.each()]).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect([...order.each(4)]).toEqual(['c', 'b', 'a']);
  expect([...order.each(1)]).toEqual([]);
});

test('who reads while others come and go meets each of its own once', () => {
  const order = new RenderOrder();
  order.fill(Array.from({ length: 10 }, (_, index) => ({ id: `old-${index}`, order: index * 2 })));
  const met: string[] = [];
  for (const id of order.each()) {
    met.push(id);
    order.add(`new-${met.length}`, 100 + met.length);
    order.add(`late-${met.length}`, met.length * 2 - 1);
  }
  expect(met).toEqual(Array.from({ length: 10 }, (_, index) => `old-${9 - index}`));
  expect([...order.each()].length).toBe(30);
});

test('what is gone is forgotten once it is most of it', () => {
  const order = new RenderOrder();
  order.fill(Array.from({ length: 3_000 }, (_, index) => ({ id: String(index), order: index })));
  const isThere = (id: string): boolean => Number(id) < 10;
  order.trim(2_000, isThere);
  expect([...order.each()].length).toBe(3_000);
  order.trim(10, isThere);
  expect([...order.each()]).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0']);
});
