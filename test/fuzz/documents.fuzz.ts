/** Documents by the property table with values that nobody expects, and every parameter of the routes, over a real server. */
import { startAttackedServer } from './api-server.ts';
import { runCases, type FuzzOptions, type FuzzResult } from './cases.ts';
import { documentOf, type Grammar } from './document-grammar.ts';
import { hostileValue } from './hostile-values.ts';

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

const grammar: Grammar = {
  valueOf: (random) => hostileValue(random, 1),
  properties: 3,
  manyElements: 2_000,
};

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startAttackedServer();
  try {
    return await runCases(options, async (random) => {
      const [method, target] = random.pick(routes);
      const source = documentOf(random, grammar);
      const body: Record<string, unknown> = { name: 'n', client: 'c', time: 0, dry_run: true };
      if (random.oneIn(2)) Object.assign(body, source);
      else body.source = source;
      for (let count = random.below(3); count > 0; count--) {
        body[random.pick(parameters)] = hostileValue(random);
      }
      return server.attack(method, target, JSON.stringify(body));
    });
  } finally {
    await server.stop();
  }
}
