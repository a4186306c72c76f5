/** The window in a browser, beside a server that `npm start` runs because there is no Electron. Plain Node. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

/** Browsers that open an address as a window of its own (`--app`), by the places of each system. */
const names = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  ...['microsoft-edge', 'brave-browser'],
];
const applications = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser'];
const programs = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];

/** Path of such a browser, or null. */
export function findBrowser() {
  const { env, platform } = process;
  if (platform === 'darwin') {
    return found(applications.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`));
  }
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(Boolean);
    return found(folders.flatMap((folder) => programs.map((file) => path.join(folder, file))));
  }
  // Like Electron, it does not start as root.
  if (process.getuid?.() === 0) return null;
  const folders = (env.PATH ?? '').split(path.delimiter).filter((one) => path.isAbsolute(one));
  return found(names.flatMap((name) => folders.map((folder) => path.join(folder, name))));
}

function found(files) {
  return files.find((file) => existsSync(file)) ?? null;
}

/** Opens the window's address in a Chromium-like browser. @param browser as `findBrowser` gives it */
export async function openInBrowser(browser, windowUrl) {
  const address = await addressForOnce(windowUrl);
  // Its own business from here on: it outlives the server, and what it writes says nothing to a person.
  const child = spawn(browser, [`--app=${address}`], { stdio: 'ignore', detached: true });
  child.on('error', (error) => console.log(`The browser did not open: ${error.message}`));
  child.unref();
}

/**
 * An address that leads to another one, once. Command lines can be seen by everyone on a computer; the window's token
 * must not stand in one. (A file would do, too, but packaged browsers of Linux can't read it.)
 */
async function addressForOnce(target) {
  const way = `/${randomBytes(16).toString('hex')}`;
  const server = createServer((request, response) => {
    const isRight = request.url === way;
    const headers = { connection: 'close', 'cache-control': 'no-store' };
    response.writeHead(isRight ? 302 : 404, isRight ? { ...headers, location: target } : headers);
    response.end();
    if (isRight) server.close();
  });
  server.unref();
  await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${server.address().port}${way}`;
}
