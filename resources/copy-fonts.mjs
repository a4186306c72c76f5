/**
 * Copies the shipped fonts out of the installed @fontsource packages into resources/fonts/ and writes fonts.json beside
 * them, which is all that the engine reads. Runs while building (build.mjs); knows nothing of the engine.
 *
 *   node resources/copy-fonts.mjs [folder]
 */
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packEmojiPictures } from './emoji-pictures.mjs';
import { charactersOfWoff2, nameLigatures, rangesOf, woffToOpenType } from './font-files.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Form of fonts.json; the reader in server/engine/assets/fonts/font-list.ts expects the same number. */
const listVersion = 1;

/**
 * The emoji package has its colours in two forms, drawings (SVG) and layers (COLR), and its woff2 files only the first,
 * which the drawing library does not draw. Its whole woff file without the drawings is half as large as them.
 */
const emoji = {
  package: '@fontsource/noto-color-emoji',
  from: 'noto-color-emoji-emoji-400-normal.woff',
  file: 'noto-color-emoji.ttf',
  leftOut: new Set(['SVG ']),
  /**
   * Sequences that the drawing library tears apart, because a picture by nature follows one that has to be asked for;
   * by the code points that shared/engine/text/emoji.ts asks for them with.
   */
  named: new Map([
    [0x10f000, [0x26d3, 0x200d, 0x1f4a5]],
    [0x10f001, [0x2764, 0x200d, 0x1f525]],
    [0x10f002, [0x2764, 0x200d, 0x1fa79]],
    [0x10f003, [0x1f3f3, 0x200d, 0x1f308]],
  ]),
};

/**
 * Families with one file for every weight and style: of these, Latin letters only. Others come from families that stand
 * in.
 */
const latinOnly = new Set([
  '@fontsource/barlow',
  '@fontsource/fira-sans',
  '@fontsource/playfair-display-sc',
]);

/**
 * Brings a folder of fonts in step with the installed packages: copies what is missing or newer, removes what it copied
 * once and no longer belongs, writes `fonts.json` and one licence file per package.
 *
 * @param {string} targetFolder absolute; made when missing
 * @returns {Promise<{ families: number, files: number, copied: number }>} what is there now, and how many were copied
 * @throws when a package is not installed or its style sheets have an unknown form
 */
export async function copyFonts(targetFolder) {
  await mkdir(targetFolder, { recursive: true });
  const listFile = path.join(targetFolder, 'fonts.json');
  const earlier = await readEarlier(listFile);
  const families = [];
  /** Target file name → how it is made. */
  const wanted = new Map();
  for (const name of await fontPackages()) {
    const folder = path.join(root, 'node_modules', ...name.split('/'));
    const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const known = earlier.find((family) => family.package === name && family.version === version);
    const family = known ?? (await readFamily(name, version, folder));
    families.push(family);
    for (const { file } of family.faces) {
      wanted.set(
        file,
        file === emoji.file
          ? { from: path.join(folder, 'files', emoji.from), convert: convertEmoji }
          : { from: path.join(folder, 'files', file) },
      );
    }
    wanted.set(family.licence, { from: path.join(folder, 'LICENSE') });
  }
  families.sort((a, b) => (a.family < b.family ? -1 : 1));

  let copied = await packEmojiPictures(targetFolder);
  const queue = [...wanted];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) {
        if (await copyIfNewer(path.join(targetFolder, next[0]), next[1])) copied++;
      }
    }),
  );
  const text = `${JSON.stringify({ version: listVersion, families })}\n`;
  if ((await readFile(listFile, 'utf8').catch(() => '')) !== text) {
    await writeFile(`${listFile}.part`, text);
    await rename(`${listFile}.part`, listFile);
  }
  for (const { faces, licence } of earlier) {
    for (const file of [...faces.map((face) => face.file), licence]) {
      if (!wanted.has(file))
        await rm(path.join(targetFolder, path.basename(file)), { force: true });
    }
  }
  return { families: families.length, files: wanted.size, copied };
}

/** The families of the last run; their characters need not be read again while the package is the same. */
async function readEarlier(listFile) {
  try {
    const { version, families } = JSON.parse(await readFile(listFile, 'utf8'));
    return version === listVersion ? families : [];
  } catch {
    return [];
  }
}

/** The font packages that package.json asks for, so that a stray package never changes what ships. */
async function fontPackages() {
  const { devDependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  return Object.keys(devDependencies).filter((name) => /^@fontsource(-variable)?\//.test(name));
}

/** One package as fonts.json has it: the characters of its subsets, and a face per file. */
async function readFamily(name, version, folder) {
  const { family, category } = JSON.parse(
    await readFile(path.join(folder, 'metadata.json'), 'utf8'),
  );
  const licence = `${name.split('/')[1]}.licence.txt`;
  const head = { package: name, version, family, category, licence };
  if (name === emoji.package) {
    const { characters } = woffToOpenType(
      await readFile(path.join(folder, 'files', emoji.from)),
      emoji.leftOut,
    );
    return {
      ...head,
      subsets: { all: rangesOf(characters) },
      faces: [{ file: emoji.file, subset: 'all', style: 'normal', weight: [100, 900] }],
    };
  }
  const subsets = {};
  const faces = [];
  for (const sheet of await styleSheets(name, folder)) {
    for (const { ranges, ...face } of facesOf(
      await readFile(path.join(folder, sheet), 'utf8'),
      `${name}/${sheet}`,
    )) {
      if (latinOnly.has(name) && !/-latin(-ext)?$/.test(face.subset)) continue;
      faces.push(face);
      if (subsets[face.subset] !== undefined) continue;
      // What the sheet promises is more than many files hold; a character counts when both have it.
      const promised = contains(ranges);
      const held = charactersOfWoff2(await readFile(path.join(folder, 'files', face.file)));
      subsets[face.subset] = rangesOf(held.filter(promised));
    }
  }
  if (faces.length === 0) throw new Error(`${name}: no font faces found in its style sheets`);
  return { ...head, subsets, faces };
}

/**
 * Variable packages have one sheet per axis and style, of which only the weight axis is wanted; others one per weight.
 */
async function styleSheets(name, folder) {
  const sheets = (await readdir(folder)).filter((file) => file.endsWith('.css'));
  const pattern = name.startsWith('@fontsource-variable/')
    ? /^wght(-italic)?\.css$/
    : /^\d+(-italic)?\.css$/;
  return sheets.filter((file) => pattern.test(file)).sort();
}

/** The `@font-face` blocks of a sheet. The comment before each one names its subset. */
function facesOf(css, place) {
  const blocks = [...css.matchAll(/\/\* (\S+) \*\/\s*@font-face \{([^}]*)\}/g)];
  if (blocks.length !== css.split('@font-face').length - 1)
    throw new Error(`${place}: a block without a name`);
  return blocks.map(([, name, body]) => {
    const value = (key) => new RegExp(`${key}:\\s*([^;]+);`).exec(body)?.[1].trim();
    const file = /url\(\.\/files\/([^)]+\.woff2)\)/.exec(body)?.[1];
    const weight = value('font-weight')?.split(' ').map(Number);
    const style = value('font-style');
    // "montserrat-latin-ext-wght-normal", "gothic-a1-[12]-400-normal": without its end, the same for all faces that
    // cover the same characters.
    const subset = name.replace(/-(wght|\d+)-(normal|italic)$/, '');
    if (!file || !style || !weight?.every(Number.isFinite))
      throw new Error(`${place}: ${name} is incomplete`);
    return {
      file,
      subset,
      style,
      weight: [weight[0], weight.at(-1)],
      ranges: value('unicode-range') ?? '',
    };
  });
}

/** A test for CSS's `unicode-range`; a block without one promises everything. */
function contains(ranges) {
  const pairs = ranges
    .split(',')
    .filter((range) => range !== '')
    .map((range) =>
      range
        .trim()
        .replace(/^U\+/i, '')
        .split('-')
        .map((code) => parseInt(code, 16)),
    )
    .map(([from, to = from]) => [from, to]);
  return (code) => pairs.length === 0 || pairs.some(([from, to]) => code >= from && code <= to);
}

async function convertEmoji(from, to) {
  const { font } = woffToOpenType(await readFile(from), emoji.leftOut);
  await writeFile(to, nameLigatures(font, emoji.named));
}

/** Targets are younger than what they were made from, also when the package was unpacked with old dates. */
async function copyIfNewer(target, { from, convert = copyFile }) {
  const [source, made, code] = await Promise.all([
    stat(from),
    stat(target).catch(() => null),
    stat(fileURLToPath(import.meta.url)),
  ]);
  // What is converted is made anew when the conversion changes.
  if (convert !== copyFile && made && made.mtimeMs < code.mtimeMs) made.mtimeMs = 0;
  if (made && made.mtimeMs >= source.mtimeMs && (convert !== copyFile || made.size === source.size))
    return false;
  await convert(from, `${target}.part`);
  await rename(`${target}.part`, target);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = path.resolve(process.argv[2] ?? path.join(root, 'resources', 'fonts'));
  const { families, files, copied } = await copyFonts(target);
  console.log(`${families} families, ${files} files, ${copied} copied.`);
}
