/**
 * Broken font files that a document brings, whole and broken ones side by side. A picture comes out whatever the file
 * is; one that begins like a font and can't be read is skipped, and the fonts beside it stay what they are.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fontFolder } from '../../server/system/paths.ts';
import { AttackedWorker } from './attacked-worker.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { brokenFile } from './files.ts';
import { unpackedFont } from './sfnt.ts';

export const name = 'fonts';

/** Bytes of the worker. Fonts stay in it for the renders that follow, so this is of some hundred cases. */
const mostMemory = 900_000_000;

const packed = [
  ...['anton-latin-400-normal', 'archivo-latin-wght-italic', 'caveat-cyrillic-wght-normal'],
  ...['aileron-latin-400-normal', 'gothic-a1-10-400-normal'],
].map((file) => readFileSync(path.join(fontFolder(), `${file}.woff2`)));
const endings = ['woff2', 'ttf', 'otf', 'woff', 'ttc'];
const require = createRequire(import.meta.url);
/** The same fonts packed and unpacked. */
const whole = [
  ...packed,
  ...['anton/files/anton-latin-400-normal.woff', 'barlow/files/barlow-latin-400-italic.woff'].map(
    (file) => unpackedFont(readFileSync(require.resolve(`@fontsource/${file}`))),
  ),
];
/** Bytes without which a file is no font of any kind. */
const leastFont = 12;
/** Beginnings that make a file another kind than it is. */
const beginnings = ['wOF2', 'wOFF', 'OTTO', 'true', '\0\x01\0\0'];

function fontOf(random: Random): Buffer {
  // A copy: what is cut is a part of the whole one, which the next cases need as it is.
  const file = Buffer.from(brokenFile(random, random.pick(whole)));
  if (random.oneIn(6)) file.write(random.pick(beginnings), 'latin1');
  return file;
}

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const worker = new AttackedWorker(mostMemory);
  try {
    return await runCases(options, async (random, seed) => {
      const called = `${seed}.${random.pick(endings)}`;
      const place = path.join(worker.media, called);
      const broken = fontOf(random);
      writeFileSync(place, broken);
      writeFileSync(path.join(worker.media, 'whole.woff2'), random.pick(whole));
      const text = random.pick(['Some text', 'Ärger ﬁ 123', 'Привет', '가나다', '\u0301e\u200dx']);
      const weight = random.pick([null, 400, '100 900', 'bold']);
      const { wrong, failure, warnings } = await worker.render({
        output_format: 'png',
        width: 96,
        height: 64,
        fonts: [
          { family: 'Broken', source: called, ...(weight !== null && { weight }) },
          { family: 'Whole', source: 'whole.woff2' },
        ],
        elements: [
          { type: 'text', text, font_family: 'Broken', font_weight: random.pick([400, 900]) },
          { type: 'text', text: 'Beside it', font_family: 'Whole' },
        ],
      });
      rmSync(place, { force: true });
      if (wrong !== null) return `${called}: ${wrong}`;
      // What doesn't even begin like a font is refused like any other file of the wrong kind.
      const isOther = !beginnings.includes(broken.toString('latin1', 0, 4));
      if (isOther && failure?.includes('not a font file we can read') === true) return null;
      if (failure !== null) return `${called}: the render failed with '${failure}'`;
      if (broken.length < leastFont && !warnings.some((warning) => warning.includes('Broken')))
        return `${called}: ${broken.length} bytes were taken for a font`;
      // It is whole for what it has; letters that it lacks are told.
      const other = warnings.find(
        (warning) => warning.includes('Whole') && !warning.includes('lacks the characters'),
      );
      return other === undefined ? null : `${called}: the whole font beside it: ${other}`;
    });
  } finally {
    worker.stop();
  }
}
