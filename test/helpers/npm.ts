/** Runs npm and what it installs as on a computer with nothing but Node: no settings, no ffmpeg, no other programs. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const ask = (...args: string[]): string =>
  execFileSync(npm, args, { encoding: 'utf8', shell: process.platform === 'win32' }).trim();

/** The environment of such a computer. Its home, the programs on its PATH and what npm keeps are below `folder`. */
export function bareEnvironment(
  folder: string,
): Record<string, string> & { readonly PATH: string } {
  const [home, bin] = [path.join(folder, 'home'), path.join(folder, 'bin')];
  for (const made of [home, bin]) mkdirSync(made, { recursive: true });
  for (const name of ['node', 'npm', 'npx', 'sh', 'env', 'chmod']) {
    symlinkSync(name === 'node' ? process.execPath : found(name), path.join(bin, name));
  }
  return {
    PATH: bin,
    HOME: home,
    // From where this computer gets its packages, and those that it has already.
    npm_config_registry: ask('config', 'get', 'registry'),
    npm_config_cache: ask('config', 'get', 'cache'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

function found(name: string): string {
  return realpathSync(
    execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
  );
}

/** Runs a program to its end. @returns what it printed @throws with all it said, if it fails */
export async function runIn(
  folder: string,
  environment: Readonly<Record<string, string>>,
  program: string,
  ...args: string[]
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd: folder,
      env: environment,
      maxBuffer: 1 << 26,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}
