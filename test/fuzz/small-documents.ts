/**
 * Documents by the property table with pictures, films and sounds in them, small enough to be rendered by the thousand.
 */
import path from 'node:path';
import { sampleFolder } from '../../server/system/paths.ts';
import type { Random } from './cases.ts';
import { documentOf, type Grammar } from './document-grammar.ts';
import { fittingValue } from './fitting-values.ts';

/** Where the media of the documents lie. */
export const mediaFolders = [
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

/** A document that is soon drawn: sides and seconds are kept small, whatever it says otherwise. */
export function smallDocument(random: Random): Record<string, unknown> {
  return {
    ...documentOf(random, grammar),
    output_format: random.pick(['png', 'jpg', 'png', 'jpg', 'gif', 'mp4']),
    width: 2 + random.below(159),
    height: 2 + random.below(159),
    duration: 0.1 + random.below(10) / 10,
    frame_rate: 1 + random.below(15),
  };
}
