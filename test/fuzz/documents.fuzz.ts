/** Documents by the property table with values that nobody expects, and every parameter of the routes, over a real server. */
import { properties } from '../../shared/renderscript/properties.ts';
import { elementTypes } from '../../shared/renderscript/source.ts';
import { startAttackedServer } from './api-server.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
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

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startAttackedServer();
  try {
    return await runCases(options, async (random) => {
      const [method, target] = random.pick(routes);
      const source = documentOf(random);
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

function documentOf(random: Random): Record<string, unknown> {
  const document: Record<string, unknown> = { elements: elementsOf(random, 3) };
  for (const { name: key } of some(random, 'root'))
    if (key !== 'elements') document[key] = hostileValue(random);
  return document;
}

function elementsOf(random: Random, depth: number): unknown[] {
  const count = random.oneIn(20) ? 2_000 : random.below(5);
  return Array.from({ length: count }, () => {
    const type = random.pick(elementTypes);
    const element: Record<string, unknown> = { type, name: random.pick(['A', 'B', 'A.text', '']) };
    for (const { name: key } of some(random, type)) {
      if (key !== 'type') element[key] = hostileValue(random, 1);
    }
    if (type === 'composition' && depth > 0 && count < 10)
      element.elements = elementsOf(random, depth - 1);
    if (random.oneIn(5)) element[`${random.pick(['x', 'font', 'fill'])}_${random.below(99)}`] = 1;
    return element;
  });
}

function some(
  random: Random,
  owner: (typeof properties)[number]['on'][number],
): readonly { name: string }[] {
  const own = properties.filter(({ on }) => on.includes(owner));
  return Array.from({ length: random.below(4) }, () => random.pick(own));
}
