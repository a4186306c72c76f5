/**
 * `npm start` as a person sees it: in a terminal (`script` of util-linux makes one), until window and API answer, then
 * ended with Ctrl+C. For the test of what it prints, and for the first commands on a bare machine (.ci/bare).
 */
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/**
 * @param {object} how
 * @param {string} how.folder The clone.
 * @param {readonly string[]} [how.options] Of the server.
 * @param {NodeJS.ProcessEnv} [how.env]
 * @param {number} [how.patience] Milliseconds until it has to run.
 * @returns {Promise<{ lines: string[], window: number | string, api: number | string, code: number | null }>} What it
 *   printed, without blank lines and npm's turning wheel; the status of the window's page and of the API's list of
 *   templates, or why there was none; its exit status.
 */
export async function startInTerminal({
  folder,
  options = [],
  env = process.env,
  patience = 60_000,
}) {
  const command = ['npm', 'start', '--', ...options].join(' ');
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd: folder, env });
  let output = '';
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const runs = new Promise((resolve) => {
    child.stdout.on('data', (piece) => {
      output += piece.toString();
      if (output.includes('Press Ctrl+C')) resolve();
    });
  });
  const tooLate = setTimeout(() => child.kill('SIGTERM'), patience);
  await Promise.race([runs, ended]);
  const said = (name) => new RegExp(`^ *${name} +(\\S+)\\r?$`, 'm').exec(output)?.[1];
  const [windowUrl, apiUrl, key] = ['Window', 'API', 'API key'].map(said);
  const headers = { authorization: `Bearer ${key}` };
  const [window, api] = await Promise.all([
    statusOf(windowUrl),
    statusOf(`${apiUrl}/v2/templates`, headers),
  ]);
  child.stdin.write('\x03');
  const code = await ended;
  clearTimeout(tooLate);
  const wheel = /[⠀-⣿]/g;
  const lines = stripVTControlCharacters(output)
    .replace(wheel, '')
    .split(/[\r\n]+/);
  return { lines: lines.map((line) => line.trim()).filter(Boolean), window, api, code };
}

/** Answers by their status; without one, the reason. */
async function statusOf(url, headers = {}) {
  try {
    return (await fetch(url, { headers })).status;
  } catch (error) {
    return String(error);
  }
}

/** The exit status of npm after Ctrl+C, as of a shell. */
export const ctrlC = 130;

/**
 * What `npm start` may print where there is no display: these lines, in this order, and nothing else.
 *
 * @param {{ isFirst: boolean }} how Whether it is the first start of a clone, which builds.
 */
export function expectedLines({ isFirst }) {
  return [
    /^> framewright@\S+ start$/,
    /^> node build\.mjs --stale --quiet && node main\/launch\.mjs/,
    ...(isFirst ? [/^Building Framewright…$/] : []),
    /^[^:]+: Framewright runs as a server, and its window opens at the address below, in any browser\.$/,
    /^Framewright is running\.$/,
    /^Window +http:\/\/127\.0\.0\.1:\d+\/#token=\S{20,}$/,
    /^API +http:\/\/127\.0\.0\.1:\d+$/,
    /^API key +fw_\S{20,}$/,
    /^The window opens in any browser\. To render from another terminal:$/,
    /^npm run render -- resources\/samples\/promo-square\/source\.json promo\.mp4$/,
    /^Press Ctrl\+C to end it\.$/,
    /^\^C$/,
  ];
}
