/**
 * Packs the emoji drawings of the Twemoji set into one file while building. The package has them as one JSON of ten
 * megabytes; a render wants a handful. Form of the pack: length of the index (4 bytes, big-endian), the index (deflated
 * JSON), then one deflated SVG after the other. The reader is server/engine/assets/fonts/font-emoji.ts.
 */
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/** Form of the pack; the reader expects the same number. */
const packVersion = 1;
const packFile = 'emoji-twitter.pack';
const licenceFile = 'emoji-twitter.licence.txt';

/**
 * Writes the pack and its licence into a folder unless they are there and younger than the package.
 *
 * @param {string} targetFolder absolute
 * @returns {Promise<number>} how many files were written
 * @throws when the package is not installed
 */
export async function packEmojiPictures(targetFolder) {
  const folder = path.dirname(require.resolve('@iconify-json/twemoji/package.json'));
  const target = path.join(targetFolder, packFile);
  const sources = [path.join(folder, 'icons.json'), new URL(import.meta.url)];
  const newest = Math.max(
    ...(await Promise.all(sources.map(async (file) => (await stat(file)).mtimeMs))),
  );
  const made = await stat(target).catch(() => null);
  if (made && made.mtimeMs >= newest) return 0;
  const [icons, characters, { version }] = await Promise.all(
    ['icons.json', 'chars.json', 'package.json'].map(async (name) =>
      JSON.parse(await readFile(path.join(folder, name), 'utf8')),
    ),
  );
  await writeWhole(target, packOf(icons, characters));
  await writeWhole(path.join(targetFolder, licenceFile), licenceText(version));
  return 2;
}

/** Every drawing once, however many sequences show it. */
function packOf({ icons, aliases = {}, width, height }, characters) {
  const drawings = [];
  const places = new Map();
  let end = 0;
  const pictures = {};
  for (const [sequence, name] of Object.entries(characters)) {
    const icon = icons[name] ?? icons[aliases[name]?.parent];
    if (!icon) throw new Error(`Twemoji: no drawing named ${name}`);
    let place = places.get(icon);
    if (!place) {
      const box = `0 0 ${icon.width ?? width ?? height} ${icon.height ?? height}`;
      const drawing = deflateRawSync(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="36" height="36">${icon.body}</svg>`,
        { level: 9 },
      );
      place = [end, drawing.length];
      places.set(icon, place);
      drawings.push(drawing);
      end += drawing.length;
    }
    pictures[keyOf(sequence)] = place;
  }
  const index = deflateRawSync(JSON.stringify({ version: packVersion, pictures }), { level: 9 });
  const head = Buffer.alloc(4);
  head.writeUInt32BE(index.length);
  return Buffer.concat([head, index, ...drawings]);
}

/** `0031-20e3` → `31-20e3`; the mark that asks for a picture goes, because texts have it or not. */
function keyOf(sequence) {
  return sequence
    .split('-')
    .map((code) => parseInt(code, 16).toString(16))
    .filter((code) => code !== 'fe0f')
    .join('-');
}

async function writeWhole(target, data) {
  await writeFile(`${target}.part`, data);
  await rename(`${target}.part`, target);
}

function licenceText(version) {
  return `Twemoji: emoji graphics in ${packFile}

Copyright 2014-2021 Twitter, Inc and other contributors
Copyright 2022-present Jason Sofonia, Justine De Caires and other contributors
https://github.com/jdecked/twemoji

The graphics are licensed under Creative Commons Attribution 4.0 International (CC-BY-4.0):
https://creativecommons.org/licenses/by/4.0/legalcode

Changes: packed into one file from version ${version} of the package @iconify-json/twemoji, whose drawings were cleaned and
optimised by Iconify. The look of the graphics is unchanged. They come without warranties of any kind.
`;
}
