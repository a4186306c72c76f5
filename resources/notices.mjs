/**
 * The notices of everything by others that ships with the program: packages that are installed beside it or built into
 * it, fonts, emoji and ffmpeg, each with its licence. Made while building (build.mjs); shown under Settings, About.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * What of a package is said.
 *
 * @typedef {object} Notice
 * @property {string} title Name, version, licence.
 * @property {string} text Its licence as it came, or where it is found.
 */

const line = '-'.repeat(60);

/**
 * The whole text, the same for the same packages.
 *
 * @param {string} root Folder of the project.
 * @param {Iterable<string>} bundled Modules that were built into the program, as files.
 * @throws when a package that ships says nothing of its licence
 */
export function noticesOf(root, bundled) {
  const folders = new Set([...shippedPackages(root), ...packagesOf(root, bundled)]);
  const notices = [...folders].sort().map((folder) => noticeOf(folder));
  /** Packages under the very same text stand together. */
  const titles = new Map();
  for (const { title, text } of [...notices, ...fontNotices(path.join(root, 'resources/fonts'))]) {
    titles.set(text, [...(titles.get(text) ?? []), title]);
  }
  const parts = [...titles].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return [
    'Framewright holds work of others. Their notices and licences:',
    ...[...parts, ffmpegNotice(root)].map((part) => `${line}\n${part.trim()}\n`),
    '',
  ].join('\n');
}

/** Folders of the packages that are installed with the program: what it depends on, and what that depends on. */
function shippedPackages(root) {
  const found = new Set();
  const visit = (folder, { dependencies, optionalDependencies }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = installedAt(folder, name);
      // Parts for other systems, and optional ones that could not be had, are not there, and are not packed.
      if (place === null || found.has(place)) continue;
      found.add(place);
      visit(place, readPackage(place));
    }
  };
  visit(root, readPackage(root));
  return found;
}

/** Where Node finds a package from a folder; null when it is not installed. */
function installedAt(folder, name) {
  for (let at = folder; ; at = path.dirname(at)) {
    const place = path.join(at, 'node_modules', name);
    if (existsSync(path.join(place, 'package.json'))) return place;
    if (at === path.dirname(at)) return null;
  }
}

/** Folders of the packages that modules belong to. */
function packagesOf(root, modules) {
  const found = new Set();
  for (const id of modules) {
    const file = id.replace(/^\0/, '').replace(/\?.*$/, '').split(path.sep).join('/');
    const match = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (match !== null && existsSync(path.join(match[1], 'package.json'))) {
      found.add(path.resolve(root, match[1]));
    }
  }
  return found;
}

const readPackage = (folder) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** @returns {Notice} */
function noticeOf(folder) {
  const { name, version, license, licenses, author, homepage, repository } = readPackage(folder);
  const kind = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' or ');
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice|copyright)/i.test(file))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  if (kind === undefined && texts.length === 0) throw new Error(`${name} names no licence`);
  const writer = typeof author === 'object' ? author.name : author?.replace(/ *[<(].*/, '');
  const from = homepage ?? repository?.url ?? repository ?? '';
  // Some packages bring their name and licence, and no text.
  const found = [`The package brings no text of its licence.`, writer && `By ${writer}.`, from];
  const parts = partsOf(folder);
  return {
    title: `${name} ${version}${kind === undefined ? '' : ` (${kind})`}`,
    text: [texts.length > 0 ? texts.join('\n\n') : found.filter(Boolean).join(' '), ...parts].join(
      '\n',
    ),
  };
}

/** What a native package lists as built into it. */
function partsOf(folder) {
  const file = path.join(folder, 'sbom.cdx.json');
  if (!existsSync(file)) return [];
  const { components } = JSON.parse(readFileSync(file, 'utf8'));
  return [
    '\nBuilt into it:',
    ...components.map(({ name, version = '', licenses = [] }) => {
      const kinds = licenses.map(({ expression, license }) => expression ?? license.id);
      return `  ${[name, version, kinds.join(', ')].filter(Boolean).join(' ')}`;
    }),
  ];
}

/** Of each shipped font and emoji set the licence that lies beside it. */
function fontNotices(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.licence.txt'));
  return files.sort().map((file) => ({
    title: `Font: ${file.replace('.licence.txt', '')}`,
    text: readFileSync(path.join(folder, file), 'utf8').trim(),
  }));
}

/** ffmpeg is a program of its own, which is started and not linked. */
function ffmpegNotice(root) {
  const licence = readFileSync(path.join(root, 'resources/licences/gpl-3.0.txt'), 'utf8').trim();
  return `ffmpeg (GPL-3.0-or-later)

Where a build of ffmpeg lies beside the program, it comes from the package ffmpeg-static or @ffmpeg-installer/ffmpeg, unchanged.
Its authors are named at https://ffmpeg.org; its source is there, and where those packages say that they have their builds from.
It is started as a program of its own. It stands under the GNU General Public License:

${licence}`;
}
