/**
 * The order of renders, and what is known of their states, stay right whatever comes, goes, changes, or arrives late.
 */
import { expect, test } from 'vitest';
import { RenderIndex, RenderOrder } from '../../server/store/render-index.ts';
import type { RenderDoc } from '../../server/store/render-record.ts';

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

test('renders of few states come in order without those of others, as they are now', () => {
  const docs = new Map<string, RenderDoc>();
  const put = (order: number, status: RenderDoc['status']): RenderDoc => {
    const common = {
      project: 'p',
      outputFormat: 'png',
      createdAt: 0,
      attempts: 0,
      request: '{}',
    } as const;
    const doc: RenderDoc = { ...common, _id: `r${order}`, order, status };
    docs.set(doc._id, doc);
    return doc;
  };
  for (let order = 1; order <= 6_000; order++)
    put(order, order % 1_000 === 0 ? 'failed' : 'succeeded');
  put(5, 'planned');
  put(7, 'rendering');
  const index = new RenderIndex((id) => docs.get(id) ?? null, [...docs.values()]);
  const ordersOf = (statuses: RenderDoc['status'][], before?: number): number[] =>
    [...index.each(before, statuses)].map(({ order }) => order);
  expect(ordersOf(['failed'])).toEqual([6_000, 5_000, 4_000, 3_000, 2_000, 1_000]);
  expect(ordersOf(['planned', 'rendering', 'failed'], 2_000)).toEqual([1_000, 7, 5]);
  expect(index.unfinished).toEqual({ waiting: 1, running: 1 });
  put(5, 'failed');
  index.follow('r5');
  docs.delete('r3000');
  index.remove('r3000');
  index.add(put(6_001, 'failed'));
  expect(ordersOf(['failed'])).toEqual([6_001, 6_000, 5_000, 4_000, 2_000, 1_000, 5]);
  expect(index.unfinished).toEqual({ waiting: 0, running: 1 });
  expect(index.listUnfinished().map(({ order }) => order)).toEqual([7]);
  // Those of a state that most have are found on the way through all.
  expect(ordersOf(['succeeded']).length).toBe(docs.size);
});
