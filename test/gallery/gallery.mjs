/**
 * Draws the pictures of the help pages into resources/gallery/ with the built program: for each animation its document
 * of resources/samples/gallery/ at eight moments, for each property and easing the cells of property-figures.mjs, for
 * each recipe of resources/samples/recipes/ four moments, for each family of templates its sheet, for each shipped font
 * the cells of font-figures.mjs; and resources/samples/overview.jpg, the README's picture. It also writes
 * captions.json, from which the pages know what is in them.
 *
 *   npm run generate -- gallery                                  all of them
 *   npm run generate -- gallery fade properties/text.text_clip   some of them
 *   npm run generate -- gallery overview                         the README's picture
 *   npm run generate -- gallery contact                          docs/templates.jpg, all shipped templates
 *
 * A sheet is a row of cells without gaps; the pages lay them out. Look at the sheets before committing them.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import * as prettier from 'prettier';
import { fontCell, fontFigures } from './font-figures.mjs';
import { overviewCells, overviewSize } from './overview-figure.mjs';
import { contactCells, readSamples, sampleCell } from './sample-figures.mjs';
import { cellSize, easingFigures, ground, propertyFigures } from './property-figures.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const samples = path.join(root, 'resources', 'samples');
const sources = path.join(samples, 'gallery');
const sheets = path.join(root, 'resources', 'gallery');
const recipes = path.join(samples, 'recipes');

/** Moments of an animation's sheet. */
const count = 8;
/** Share of a document's length at which the first one is, and between two; the last lies just before the end. */
const [first, step] = [0.08, 0.12];
/** Pixels of an animation's sheet per document pixel. */
const scale = 0.28;
/** Bytes that a sheet may have. */
const limit = 60_000;
/** Bars in which a sound is drawn. */
const bars = 64;

const slug = (group) => group.toLowerCase().replace(/[^a-z]+/g, '-');
const asked = process.argv.slice(2);
const isAsked = (name) => asked.length === 0 || asked.includes(name);
const animations = readdirSync(sources).map((file) => path.basename(file, '.json'));
const figures = [
  ...Object.entries(propertyFigures).flatMap(([group, rows]) =>
    Object.entries(rows).map(([name, cells]) => ({
      name: `properties/${slug(group)}.${name}`,
      cells,
    })),
  ),
  ...Object.entries(easingFigures).map(([name, cells]) => ({ name: `easings/${name}`, cells })),
  ...readdirSync(recipes).map((file) => recipeFigure(path.basename(file, '.json'))),
  ...readSamples(samples).map(({ family, samples: all }) => ({
    name: `templates/${family}`,
    cells: all.map(({ name, document, time }) => ({
      caption: name,
      frame: { document, time, isWhole: true },
    })),
    size: sampleCell,
  })),
  ...fontFigures(path.join(root, 'resources', 'fonts')).map((figure) => ({
    ...figure,
    size: fontCell,
  })),
];
const unknown = asked.filter(
  (asking) =>
    !['overview', 'contact'].includes(asking) &&
    !animations.includes(asking) &&
    !figures.some(({ name }) => name === asking),
);
if (unknown.length > 0) {
  console.error(`Neither an animation nor a figure: ${unknown.join(', ')}`);
  process.exit(1);
}

const scratch = mkdtempSync(path.join(tmpdir(), 'gallery-'));
try {
  const media = path.join(scratch, 'media');
  mkdirSync(media);
  for (const file of readdirSync(path.join(samples, 'media')))
    copyFileSync(path.join(samples, 'media', file), path.join(media, file));
  const fixtures = path.join(root, 'test', 'fixtures');
  for (const file of [
    'portrait-left.jpg',
    'teal-orange.cube',
    'faded.cube',
    'tones.mp3',
    'badge.json',
  ])
    copyFileSync(path.join(fixtures, file), path.join(media, file));
  const font = '@fontsource/lobster/files/lobster-latin-400-normal.woff2';
  copyFileSync(path.join(root, 'node_modules', font), path.join(media, 'brand.woff2'));
  for (const name of animations.filter(isAsked)) await attempt(() => drawAnimation(name));
  for (const folder of ['properties', 'easings', 'recipes', 'fonts', 'templates'])
    mkdirSync(path.join(sheets, folder), { recursive: true });
  for (const { name, cells, size } of figures.filter((one) => isAsked(one.name)))
    await attempt(() => drawFigure(name, cells, size));
  if (isAsked('overview')) await attempt(drawOverview);
  if (isAsked('contact')) await attempt(drawContact);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
const captions = figures.map(({ name, cells }) => [name, cells.map(({ caption }) => caption)]);
const captionsFile = path.join(sheets, 'captions.json');
const style = await prettier.resolveConfig(captionsFile);
writeFileSync(
  captionsFile,
  await prettier.format(JSON.stringify(Object.fromEntries(captions)), { ...style, parser: 'json' }),
);

/** One that can't be drawn doesn't keep the others. */
async function attempt(draw) {
  try {
    await draw();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

function drawAnimation(name) {
  const { width, height, duration, elements } = JSON.parse(
    readFileSync(path.join(sources, `${name}.json`), 'utf8'),
  );
  // Scenes begun as long ago as their moments are late, looked at when they are as old as they last.
  const cells = Array.from({ length: count }, (_, index) => ({
    time: duration * (1 - first - index * step),
    duration,
    elements,
  }));
  return drawSheet(path.join(sheets, `${name}.jpg`), cells, { width, height }, duration, scale);
}

/** A recipe at four moments, or as it is. Its frames are drawn alone: units such as vmin go by the document. */
function recipeFigure(name) {
  const document = JSON.parse(readFileSync(path.join(recipes, `${name}.json`), 'utf8'));
  const isStill = ['png', 'jpg'].includes(document.output_format);
  const times = isStill ? [0] : [0.1, 0.4, 0.65, 0.9].map((share) => share * document.duration);
  const cells = times.map((time) => ({
    caption: isStill ? 'the picture' : `at ${Math.round(time * 10) / 10} s`,
    frame: { document, time },
  }));
  return { name: `recipes/${name}`, cells };
}

/** A frame of a document as a picture, over the pattern that shows what is transparent. */
function frameElements({ document, time, isWhole = false }, name) {
  const output = path.join('media', `${name}.png`);
  const { width, height, fill_color, output_format } = document;
  const size = Math.min(1, (2 * cellSize.height) / Math.min(width, height));
  const options = ['--frame', String(time), '--scale', String(size)];
  run(document, path.join(scratch, output), options);
  const isFilling = !isWhole && Math.abs(width / height - 16 / 9) < 0.2;
  return [
    ...(!isWhole && fill_color === undefined && ['png', 'gif'].includes(output_format)
      ? checks()
      : []),
    {
      type: 'image',
      source: output,
      fit: isFilling ? 'cover' : 'contain',
      height: isFilling ? '100%' : '94%',
    },
  ];
}

function drawFigure(id, cells, size = cellSize) {
  const at = Math.max(0, ...cells.map(({ time = 0 }) => time));
  const scenes = cells.map((cell, index) => ({
    time: at - (cell.time ?? 0),
    duration: at + 10,
    fill_color: ground,
    elements: elementsOf(cell, `${path.basename(id)}-${index}`),
  }));
  return drawSheet(
    path.join(sheets, `${id}.jpg`),
    scenes,
    size,
    at,
    cells.length > 8 ? 0.55 : (size.scale ?? 1),
  );
}

/** The README's picture. */
async function drawOverview() {
  const elements = overviewCells.map(({ sample, time, ground = '#15171c', ...place }) => {
    const document = JSON.parse(readFileSync(path.join(samples, sample, 'source.json'), 'utf8'));
    const source = path.join('media', `overview-${sample}.png`);
    run(document, path.join(scratch, source), ['--frame', String(time)]);
    return {
      type: 'composition',
      ...{ ...place, x_anchor: 0, y_anchor: 0 },
      ...{ clip: true, border_radius: 14, fill_color: ground },
      elements: [{ type: 'image', source, fit: sample === 'gif-sticker' ? 'contain' : 'cover' }],
    };
  });
  const source = { output_format: 'png', ...overviewSize, fill_color: '#0d1017', elements };
  await drawJpg(source, path.join(samples, 'overview.jpg'), [], 240_000, 87);
}

/** Three moments of each shipped template, to look at all of them side by side. */
async function drawContact() {
  const { cells, ...size } = contactCells(readSamples(samples));
  const elements = cells.flatMap(({ id, document, times, name, ...place }) => {
    const side = place.width / times.length;
    const scale = Math.min(1, (1.2 * side) / Math.max(document.width, document.height));
    return [
      {
        type: 'text',
        text: name,
        ...{ x: place.x, y: place.y + side, width: place.width, height: 24 },
        ...{ x_anchor: 0, y_anchor: 0, y_alignment: '50%', font_size: 15, fill_color: '#d5dae4' },
      },
      ...times.map((time, index) => {
        const source = path.join('media', `contact-${id}-${index}.png`);
        run(document, path.join(scratch, source), ['--frame', `${time}`, '--scale', `${scale}`]);
        const at = { x: place.x + index * side, y: place.y, width: side - 6, height: side - 6 };
        return { type: 'image', source, ...at, x_anchor: 0, y_anchor: 0, fit: 'contain' };
      }),
    ];
  });
  const source = { output_format: 'png', ...size, fill_color: '#3a404d', elements };
  await drawJpg(source, path.join(root, 'docs', 'templates.jpg'), [], 600_000, 82);
}

/** A picture as a page loads it: smaller than the jpg that a render makes, whose quality is the highest. */
async function drawJpg(source, output, options, mostBytes, quality = 92) {
  const drawn = path.join(scratch, 'drawn.png');
  run(source, drawn, options);
  const picture = await loadImage(drawn);
  const canvas = createCanvas(picture.width, picture.height);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  const bytes = await canvas.encode('jpeg', quality);
  if (bytes.length > mostBytes)
    throw new Error(`${output} has ${bytes.length} bytes; at most ${mostBytes} are meant`);
  writeFileSync(output, bytes);
  console.log(`${path.relative(root, output)} ${Math.round(bytes.length / 1000)} kB`);
}

/** What is drawn in a cell: its elements, the file made from its document, or its sound. */
function elementsOf(cell, name) {
  if (cell.sound !== undefined) return soundElements(cell, name);
  if (cell.frame !== undefined) return frameElements(cell.frame, name);
  if (cell.file === undefined) return cell.elements;
  const output = path.join('media', `${name}.${cell.file.output_format}`);
  run(cell.file, path.join(scratch, output), []);
  const type = cell.file.output_format === 'mp4' ? 'video' : 'image';
  return [
    ...(['png', 'gif'].includes(cell.file.output_format) ? checks() : []),
    { type, source: output, width: '100%', height: '100%', time: 0, duration: 10 },
  ];
}

/** The pattern that stands for nothing. */
function checks() {
  const side = 20;
  const places = Array.from({ length: 16 * 9 }, (_, index) => [index % 16, Math.floor(index / 16)]);
  return places
    .filter(([x, y]) => (x + y) % 2 === 0)
    .map(([x, y]) => ({
      type: 'shape',
      x: x * side,
      y: y * side,
      x_anchor: '0%',
      y_anchor: '0%',
      width: side,
      height: side,
      fill_color: '#d5dded',
    }));
}

/** The loudness of four seconds as bars. */
function soundElements({ sound }, name) {
  const output = path.join(scratch, `${name}.mp4`);
  const film = { output_format: 'mp4', width: 16, height: 16, duration: 4, frame_rate: 5 };
  run({ ...film, elements: sound }, output, []);
  const { stdout } = spawnSync(
    'ffmpeg',
    // prettier-ignore
    ['-v', 'error', '-i', output, '-vn', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'],
    { maxBuffer: 1e8 },
  );
  const samplesOf = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1);
  const width = 300 / bars;
  return Array.from({ length: bars }, (_, index) => {
    const from = Math.floor((index * 32_000) / bars);
    const part = samplesOf.subarray(from, from + Math.floor(32_000 / bars));
    const sum = part.reduce((total, value) => total + value * value, 0);
    const loudness = part.length === 0 ? 0 : Math.sqrt(sum / part.length) / 32_768;
    return {
      type: 'shape',
      x: 10 + (index + 0.5) * width,
      width: width * 0.6,
      height: Math.min(170, 2 + loudness * 700),
      fill_color: '#2f5fe0',
      border_radius: 1,
    };
  });
}

/** A row of scenes as one picture, at a moment. */
async function drawSheet(output, scenes, { width, height }, time, size) {
  const source = {
    output_format: 'mp4',
    width: scenes.length * width,
    height,
    duration: 2 * time + 1,
    // One frame is drawn; a render looks over the others for the sizes of clips.
    frame_rate: 1,
    fill_color: '#ffffff',
    elements: scenes.map((scene, index) => ({
      type: 'composition',
      x: index * width,
      y: 0,
      x_anchor: 0,
      y_anchor: 0,
      width,
      height,
      clip: true,
      ...scene,
    })),
  };
  await drawJpg(source, output, ['--frame', String(time), '--scale', String(size)], limit);
}

function run(source, output, options) {
  const document = path.join(scratch, 'source.json');
  writeFileSync(document, JSON.stringify(source));
  const { status, stderr } = spawnSync(
    process.execPath,
    // prettier-ignore
    [
      path.join(root, 'dist', 'server', 'cli.mjs'), 'render', document, output, ...options, '--media', scratch,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${output}: ${stderr}`);
}
