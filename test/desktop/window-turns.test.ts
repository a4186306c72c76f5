/**
 * Work that takes turns: never more at a time than said, first come first served, and what is given up loses its place.
 */
import { expect, test } from 'vitest';
import { Turns } from '../../renderer/ui/turns.ts';

/** Work that ends when it is told to, and notes that it began. */
function workshop(): {
  begun: string[];
  work: (name: string) => () => Promise<string>;
  end: (name: string, fails?: boolean) => void;
} {
  const begun: string[] = [];
  const ends = new Map<string, (fails: boolean) => void>();
  return {
    begun,
    work: (name) => () => {
      begun.push(name);
      return new Promise((resolve, reject) => {
        ends.set(name, (fails) => (fails ? reject(new Error(name)) : resolve(name)));
      });
    },
    end: (name, fails = false) => ends.get(name)!(fails),
  };
}

/** Lets everything that can go on go on. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('two at a time, in the order in which they came; one that fails gives its turn on', async () => {
  const turns = new Turns(2);
  const { begun, work, end } = workshop();
  const { signal } = new AbortController();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => turns.take(work(name), signal));
  await settle();
  expect(begun).toEqual(['a', 'b']);
  const failed = expect(b).rejects.toThrow('b');
  end('b', true);
  await failed;
  await settle();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  expect(await a).toBe('a');
  await settle();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all([c, d])).toEqual(['c', 'd']);
  // All turns are free again.
  const again = [turns.take(work('e'), signal), turns.take(work('f'), signal)];
  await settle();
  expect(begun.slice(4)).toEqual(['e', 'f']);
  end('e');
  end('f');
  await Promise.all(again);
});

test('what is given up while it waits never begins, and takes no turn', async () => {
  const turns = new Turns(1);
  const { begun, work, end } = workshop();
  const stop = new AbortController();
  const { signal } = new AbortController();
  const a = turns.take(work('a'), signal);
  const b = turns.take(work('b'), stop.signal);
  const c = turns.take(work('c'), signal);
  const given = expect(b).rejects.toThrow('aborted');
  stop.abort();
  await given;
  await expect(turns.take(work('d'), stop.signal)).rejects.toThrow('aborted');
  end('a');
  await a;
  await settle();
  expect(begun).toEqual(['a', 'c']);
  end('c');
  await c;
});
