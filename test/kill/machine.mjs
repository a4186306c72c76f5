/**
 * A program of the farm's kill test: a server or a worker in a process of its own, which is started again after it was
 * killed.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { kill, processesOf } from './processes.mjs';

const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));

/** See above. */
export class Machine {
  /** How often it was started. */
  runs = 0;
  /** Of a server: its address. */
  url = '';
  /** The last of what it wrote. */
  said = '';
  #options;
  #child;
  #ended;
  #isReady = false;

  constructor(options) {
    this.#options = options;
  }

  get name() {
    return this.#options.name;
  }

  get data() {
    return this.#options.data;
  }

  /** True while it answers or works. */
  get isUp() {
    return this.#isReady && this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it, until it says that it runs. */
  async start() {
    const { args, data, temporary, name } = this.#options;
    this.runs++;
    this.#isReady = false;
    const child = spawn(process.execPath, [cli, ...args, '--data', data], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, TMPDIR: temporary, FRAMEWRIGHT_MACHINE: name },
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    child.stderr.on('data', (part) => (this.said = (this.said + part).slice(-20_000)));
    const said = await Promise.race([
      new Promise((resolve) => child.once('message', resolve)),
      this.#ended.then((code) => ({ code })),
    ]);
    if (said.code !== undefined) throw new Error(`${name} ended with ${said.code} at its start`);
    this.url = said.apiUrl ?? '';
    this.#isReady = true;
  }

  /** Kills the program alone. @returns 1 */
  kill() {
    this.#isReady = false;
    this.#child.kill('SIGKILL');
    return 1;
  }

  /** Kills it with all that it has started, as when its computer goes off. @returns how many processes. */
  killAll() {
    const { temporary, name } = this.#options;
    this.#isReady = false;
    return kill(processesOf(temporary, name));
  }

  /** Starts it again if it was killed. */
  async again() {
    if (this.isUp) return;
    await this.#ended;
    await this.start();
  }

  /** Ends it in order. */
  async end() {
    this.#child.kill('SIGTERM');
    await this.#ended;
  }
}
