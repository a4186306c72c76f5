/**
 * What `npm publish` asks first (prepublishOnly): a version can't be taken back, so that nothing unfinished goes out.
 * Says everything that is missing at once, and what to do; ends with 1 then.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** What a command of git prints; null if it fails. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = [];

const pending = existsSync('.changeset')
  ? readdirSync('.changeset').filter((name) => name.endsWith('.md'))
  : [];
if (pending.length > 0) {
  missing.push(
    `Changes are not in CHANGELOG.md yet: ${pending.join(', ')}. Run npx @changesets/cli@2 version.`,
  );
}
const [, newest] = /^## (.+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
const [number, date] = newest?.split(' – ') ?? [];
if (number !== version || !/^\d{4}-\d\d-\d\d$/.test(date ?? '0000-00-00')) {
  missing.push(
    `CHANGELOG.md: its newest section is '${newest}'. Begin it with '## ${version} – ' and the date of today, as 2031-12-31.`,
  );
}
if (repository === undefined) {
  const address = git('remote', 'get-url', 'origin') ?? 'ADDRESS';
  missing.push(
    `package.json names no repository, so that nobody finds the source or a place to report faults. Set it with: npm pkg set repository.type=git repository.url=${address}`,
  );
}
const changes = git('status', '--porcelain');
if (changes !== '') {
  missing.push(
    changes === null
      ? 'This is no clone of a git repository. Publish from one, so that the version can be made again.'
      : `There are changes that are not committed. Commit them, or put them away:\n${changes}`,
  );
}
if (missing.length > 0) {
  console.error(`${version} is not published:\n${missing.map((line) => `- ${line}`).join('\n')}`);
  process.exit(1);
}
