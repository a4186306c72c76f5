/** The line of waiting renders by itself: their order, and what it costs to make it. */
import { expect, test } from 'vitest';
import { EventBus } from '../../server/jobs/events.ts';
import { WaitingLine, type Entry } from '../../server/jobs/waiting-line.ts';
import { RenderStore } from '../../server/store/renders.ts';

// The store is only asked when a render is moved.
const store = Object.create(RenderStore.prototype) as RenderStore;
const line = (): WaitingLine => new WaitingLine(store, new EventBus(() => undefined));
const entry = (id: number, place: number): Entry => ({
  id: String(id),
  place,
  alone: false,
  loss: null,
  needsEncoder: false,
});

/** Takes all out, from the front. */
function taken(from: WaitingLine): string[] {
  const ids: string[] = [];
  for (let next = from.first(() => true); next; next = from.first(() => true)) {
    ids.push(next.id);
    from.remove(next.id);
  }
  return ids;
}

test('entries are in the order of their places, and those of one place in the order in which they came', () => {
  const filled = line();
  const places = [5, 1, 3, 3, 9, 1, 0, 3, 5];
  for (const [id, place] of places.entries()) filled.insert(entry(id, place));
  const expected = places
    .map((place, id) => ({ place, id }))
    .sort((a, b) => a.place - b.place || a.id - b.id)
    .map(({ id }) => String(id));
  expect(taken(filled)).toEqual(expected);
});

test('taking in 20,000 renders, as a start does, looks at few places for each', () => {
  const filled = line();
  let looks = 0;
  for (let id = 0; id < 20_000; id++) {
    filled.insert({
      ...entry(id, id),
      get place() {
        looks++;
        return id;
      },
    });
  }
  expect(filled.length).toBe(20_000);
  expect(looks / 20_000).toBeLessThan(50);
});
