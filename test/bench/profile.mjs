/**
 * `npm run bench -- profile source.json [--media DIR] [--frame 1.5] [--warm 5] [--no-elements]`: renders a document in
 * a fresh worker, or in one that has rendered it so many times before, and prints where the time went: the parts of the
 * render as the drawing thread lives through them, and what each process computed. Then it renders once more with every
 * element finished before the next is begun, which takes longer, and prints what each element's painting took (the
 * elements inside of one are told apart, and are not in its time).
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'jsonc-parser';
import { renderInTurn } from './measure.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    media: { type: 'string' },
    frame: { type: 'string' },
    warm: { type: 'string', default: '0' },
    'no-elements': { type: 'boolean', default: false },
  },
});
const [sourcePath] = positionals;
if (sourcePath === undefined || positionals.length > 1) {
  throw new Error(
    'Usage: npm run bench -- profile source.json [--media DIR] [--frame 1.5] [--warm 5]',
  );
}

const source = parse(await readFile(sourcePath, 'utf8'));
const ending = values.frame === undefined ? (source.output_format ?? 'mp4') : 'jpg';
const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-profile-'));

/** One render. @returns what the worker wrote, and the milliseconds from its start to its first word. */
async function profile(closely) {
  const file = path.join(folder, `profile-${closely}.json`);
  const sources = Array(1 + Number(values.warm)).fill(source);
  const all = await renderInTurn(sources, {
    folder,
    mediaFolder: path.resolve(values.media ?? path.dirname(sourcePath)),
    outputPath: path.join(folder, `out.${ending}`),
    environment: { FRAMEWRIGHT_PROFILE: file },
    more: { closely, ...(values.frame !== undefined && { moment: Number(values.frame) }) },
  });
  const { seconds, startSeconds, peakMemoryMb } = all.at(-1);
  return { ...JSON.parse(await readFile(file, 'utf8')), startSeconds, seconds, peakMemoryMb };
}

const round = (value) => Math.round(value * 10) / 10;

/** A table of sums, the longest first. */
function print(title, sums, whole) {
  const rows = Object.entries(sums).sort(([, a], [, b]) => b.milliseconds - a.milliseconds);
  console.log(`\n${title}`);
  for (const [name, { milliseconds, count }] of rows) {
    const share = `${Math.round((100 * milliseconds) / whole)} %`;
    const each = count > 1 ? `${count} × ${(milliseconds / count).toFixed(2)} ms` : '';
    console.log(
      `${name.padEnd(40)} ${String(round(milliseconds)).padStart(10)} ms ${share.padStart(6)}   ${each}`,
    );
  }
}

try {
  const { milliseconds, startSeconds, parts, programs, peakMemoryMb } = await profile(false);
  console.log(
    `${round(milliseconds)} ms from the document to the finished file, after ${round(1000 * startSeconds)} ms for the start of ` +
      `the worker; at most ${peakMemoryMb ?? '?'} MB, ffmpeg included`,
  );
  print('Parts (they add up to the whole)', parts, milliseconds);
  console.log('\nSeconds of computing');
  const sums = new Map();
  for (const { name, cpu } of programs) {
    const { cpu: sum, count } = sums.get(name) ?? { cpu: 0, count: 0 };
    sums.set(name, { cpu: sum + cpu, count: count + 1 });
  }
  for (const [name, { cpu, count }] of sums) {
    console.log(
      `${name.padEnd(40)} ${cpu.toFixed(2).padStart(10)} s ${count > 1 ? `  ${count} times` : ''}`,
    );
  }
  if (!values['no-elements']) {
    const close = await profile(true);
    const { paint = { milliseconds: 0 } } = close.parts;
    print(
      `Painting, element by element (${round(paint.milliseconds)} ms in all)`,
      close.elements,
      paint.milliseconds,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
