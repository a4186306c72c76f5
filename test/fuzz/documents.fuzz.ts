/**
 * Documents by the property table with values that nobody expects, and every parameter of the routes, over a real
 * server.
 */
import { startAttackedServer } from './api-server.ts';
import { runCases, type FuzzOptions, type FuzzResult } from './cases.ts';
import { documentOf, type Grammar } from './document-grammar.ts';
import { fitting, hostileValue, mostCharacters } from './hostile-values.ts';

export const name = 'documents';

const routes = [
  ['POST', '/v2/renders'],
  ['POST', '/v1/renders'],
  ['POST', '/v2/templates'],
  ['PATCH', '/v2/templates/00000000-0000-4000-8000-000000000000'],
] as const;

const parameters = [
  ...[
    'template_id',
    'modifications',
    'render_scale',
    'max_width',
    'max_height',
    'webhook_url',
    'metadata',
  ],
  ...[
    'strict',
    'tags',
    'transcripts',
    'output_format',
    'frame_rate',
    'source',
    'name',
    'client',
    'time',
  ],
];

/** Of one document: most of them are below the limit of a body. */
function grammarWithin(room: { left: number }): Grammar {
  return {
    valueOf: (random) => (room.left > 0 ? fitting(hostileValue(random, 1), room) : 'x'),
    properties: 3,
    manyElements: 2_000,
  };
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startAttackedServer();
  try {
    return await runCases(options, async (random) => {
      const [method, target] = random.pick(routes);
      const room = { left: random.pick([1_000_000, 9_500_000, mostCharacters]) };
      const source = documentOf(random, grammarWithin(room));
      const body: Record<string, unknown> = { name: 'n', client: 'c', time: 0, dry_run: true };
      if (random.oneIn(2)) Object.assign(body, source);
      else body.source = source;
      for (let count = random.below(3); count > 0; count--) {
        body[random.pick(parameters)] = fitting(hostileValue(random), room);
      }
      return server.attack(method, target, JSON.stringify(body));
    });
  } finally {
    await server.stop();
  }
}
