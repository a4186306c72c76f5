/**
 * Draws the contact sheets of the animations: every document of resources/samples/gallery/ at eight moments in a row,
 * into resources/gallery/, where the help pages find them.
 *
 *   npm run gallery                   all of them
 *   npm run gallery -- fade text-fly  some of them
 *
 * The moments are scenes of one document, each begun as long ago as its moment is late: a sheet is a single picture of
 * the built program. Look at the sheets before committing them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const sources = path.join(root, 'resources', 'samples', 'gallery');
const sheets = path.join(root, 'resources', 'gallery');

/** Moments of a sheet. */
const count = 8;
/** Share of a document's length at which the first one is, and between two; the last lies just before the end. */
const [first, step] = [0.08, 0.12];
/** Document pixels between and around the scenes. */
const gap = 16;
/** Pixels of the sheet per document pixel. */
const scale = 0.28;
/** Bytes that a sheet may have. */
const limit = 60_000;

const asked = process.argv.slice(2);
const names = readdirSync(sources)
  .map((file) => path.basename(file, '.json'))
  .filter((name) => asked.length === 0 || asked.includes(name));
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) fail(`No document in ${sources}: ${unknown.join(', ')}`);

const scratch = mkdtempSync(path.join(tmpdir(), 'gallery-'));
try {
  for (const name of names) drawSheet(name);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function drawSheet(name) {
  const document = JSON.parse(readFileSync(path.join(sources, `${name}.json`), 'utf8'));
  const sheet = path.join(scratch, `${name}.json`);
  const output = path.join(sheets, `${name}.jpg`);
  writeFileSync(sheet, JSON.stringify(sheetOf(document)));
  const { status, stderr } = spawnSync(
    process.execPath,
    // prettier-ignore
    [
      path.join(root, 'dist', 'server', 'cli.mjs'), 'render', sheet, output,
      '--frame', String(document.duration), '--scale', String(scale),
      '--media', path.dirname(sources),
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) fail(`${name}: ${stderr}`);
  const { size } = statSync(output);
  if (size > limit) fail(`${output} has ${size} bytes; at most ${limit} are meant`);
  console.log(`${output} ${Math.round(size / 1000)} kB`);
}

/** The document of a sheet, which shows what it has to at the moment at which its scenes are as old as they last. */
function sheetOf({ width, height, duration, elements }) {
  return {
    output_format: 'mp4',
    width: count * width + (count + 1) * gap,
    height: height + 2 * gap,
    duration: 2 * duration,
    // One frame is drawn; a render looks over the others for the sizes of clips.
    frame_rate: 1,
    fill_color: '#ffffff',
    elements: Array.from({ length: count }, (_, index) => ({
      type: 'composition',
      x: gap + index * (width + gap),
      y: gap,
      x_anchor: 0,
      y_anchor: 0,
      width,
      height,
      clip: true,
      // Without a fill, which would show as a line around the corners; every document has a ground of its own.
      border_radius: 14,
      time: duration * (1 - first - index * step),
      duration,
      elements,
    })),
  };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
