/**
 * Documents by the property table, rendered small in a real worker process. Whatever the values are, there is a file or a
 * sentence; the process lives, and takes no more memory than so small a picture can need.
 */
import path from 'node:path';
import { sampleFolder } from '../../server/paths.ts';
import { AttackedWorker } from './attacked-worker.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { documentOf, type Grammar } from './document-grammar.ts';
import { fittingValue } from './fitting-values.ts';

export const name = 'render';

/** Bytes of the worker with its encoder and decoders. */
const mostMemory = 1_500_000_000;
const mediaFolders = [
  path.join(import.meta.dirname, '..', 'fixtures'),
  path.join(sampleFolder(), 'media'),
];
const sources: Readonly<Partial<Record<string, readonly string[]>>> = {
  image: ['rings.png', 'mark.svg', 'spin.gif', 'spin.webp', 'pattern.bmp', 'portrait-top.jpg'],
  video: ['numbers.mp4', 'spin.gif', 'tune.m4a'],
  audio: ['tune.m4a', 'numbers.mp4'],
};

const grammar: Grammar = {
  valueOf: fittingValue,
  properties: 8,
  manyElements: 60,
  startOf: (random, type) => {
    const own = sources[type];
    if (own) return { source: random.pick(own) };
    if (type === 'text') return { text: 'Some text' };
    return { fill_color: '#3060c0' };
  },
};

/** Sides and seconds are kept small, whatever the document says. */
function smallDocument(random: Random): Record<string, unknown> {
  return {
    ...documentOf(random, grammar),
    output_format: random.pick(['png', 'jpg', 'png', 'jpg', 'gif', 'mp4']),
    width: 2 + random.below(159),
    height: 2 + random.below(159),
    duration: 0.1 + random.below(10) / 10,
    frame_rate: 1 + random.below(15),
  };
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const worker = new AttackedWorker(mostMemory);
  try {
    return await runCases(options, async (random) => {
      const source = smallDocument(random);
      const { wrong } = await worker.render(source, mediaFolders);
      return wrong === null ? null : `${wrong}\n${JSON.stringify(source).slice(0, 6_000)}`;
    });
  } finally {
    worker.stop();
  }
}
