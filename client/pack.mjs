/**
 * Packs the client alone, as `npm install` takes it, into dist/client.tgz: the same imports as of the whole package,
 * without the program. build.mjs runs it, the server hands the file out at /client.tgz, and `node client/pack.mjs` says
 * how large it is.
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { create } from 'tar';

/** What the client's package says as the whole one does. */
const shared = [
  ...['name', 'version', 'keywords', 'license', 'author', 'homepage', 'repository', 'bugs'],
  ...['type', 'engines', 'exports', 'typesVersions'],
];
/** The time of every packed file, npm's own: the same files make the same package. */
const time = new Date('1985-10-26T08:15:00Z');

/**
 * Packs what the build put into dist/client.
 *
 * @param {string} root Folder of the project.
 * @returns {Promise<string>} the file
 */
export async function packClient(root) {
  const file = path.join(root, 'dist', 'client.tgz');
  const staged = mkdtempSync(path.join(tmpdir(), 'framewright-client-'));
  try {
    const put = (name, from) => {
      const target = path.join(staged, name);
      mkdirSync(path.dirname(target), { recursive: true });
      copyFileSync(path.join(root, from), target);
    };
    writeFileSync(path.join(staged, 'package.json'), manifestOf(root));
    put('LICENSE', 'LICENSE');
    // Who has the package has no use for the names of its sources.
    const [guide = ''] = readFileSync(path.join(root, 'client/README.md'), 'utf8').split(
      '\n## Files\n',
    );
    writeFileSync(path.join(staged, 'README.md'), guide);
    const built = readdirSync(path.join(root, 'dist/client')).sort();
    for (const name of built) put(`dist/client/${name}`, `dist/client/${name}`);
    const names = [
      'package.json',
      'LICENSE',
      'README.md',
      ...built.map((name) => `dist/client/${name}`),
    ];
    // Whatever the umask of whoever builds is.
    for (const name of names) chmodSync(path.join(staged, name), 0o644);
    await create(
      { cwd: staged, file, gzip: { level: 9 }, portable: true, mtime: time, prefix: 'package' },
      names,
    );
    return file;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** Its package.json, from the whole package's. */
function manifestOf(root) {
  const whole = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const manifest = {
    ...Object.fromEntries(shared.filter((key) => key in whole).map((key) => [key, whole[key]])),
    description: 'The client of Framewright for scripts and tests, without the program.',
    sideEffects: false,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const file = await packClient(path.dirname(import.meta.dirname));
  const kilobytes = Math.ceil(statSync(file).size / 1000);
  console.log(`${file}: ${kilobytes} kB. Install it with: npm install ${JSON.stringify(file)}`);
}
