/** Modifications that ask for much, or for nonsense, over a real server. */
import { startAttackedServer } from './api-server.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { fitting, hostileValue, mostCharacters } from './hostile-values.ts';

export const name = 'modifications';

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startAttackedServer();
  try {
    return await runCases(options, (random) => {
      const count = random.pick([3, 30, 300, 3_000]);
      const elements = Array.from({ length: count }, (_, index) => elementOf(random, index, 3));
      const keys = random.pick([1, 5, 100, 2_000]);
      const room = { left: mostCharacters };
      const modifications = Object.fromEntries(
        Array.from({ length: keys }, () => [keyOf(random), fitting(valueOf(random), room)]),
      );
      const body = {
        dry_run: true,
        source: { elements, variables: { a: 'x'.repeat(random.pick([1, 9_999])) } },
        modifications,
      };
      return server.attack(
        'POST',
        random.pick(['/v2/renders', '/v1/renders']),
        JSON.stringify(body),
      );
    });
  } finally {
    await server.stop();
  }
}

const names = ['A', 'B', 'C', 'A.B', 'Same', 'elements', '__proto__', 'text'];

function elementOf(random: Random, index: number, depth: number): unknown {
  const name = random.oneIn(3) ? `N${index}` : random.pick(names);
  if (depth > 0 && random.oneIn(5)) {
    const elements = Array.from({ length: random.below(4) }, () =>
      elementOf(random, index, depth - 1),
    );
    return { type: 'composition', name, elements };
  }
  return {
    type: random.pick(['text', 'shape', 'image']),
    name,
    text: random.pick(['a', '{{a}} {{b}}', '{{a}}'.repeat(500)]),
  };
}

function keyOf(random: Random): string {
  const steps = [
    'text',
    'elements',
    'add',
    'delete',
    'name',
    'id',
    '0',
    '1',
    'value',
    'a',
    'x',
    `p${random.below(3_000)}`,
    `N${random.below(300)}`,
  ];
  return [
    random.pick(names),
    ...Array.from({ length: random.below(4) }, () => random.pick(random.oneIn(3) ? names : steps)),
  ].join('.');
}

function valueOf(random: Random): unknown {
  if (random.oneIn(4)) {
    return Array.from({ length: random.pick([1, 10, 500]) }, () => ({
      copy: random.pick(names),
      [keyOf(random)]: hostileValue(random, 0),
    }));
  }
  return hostileValue(random, 1);
}
