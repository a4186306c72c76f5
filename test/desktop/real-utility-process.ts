/**
 * Electron's `utilityProcess` over a real process: `process.parentPort` inside, no process group of its own, and an end
 * that takes along nothing that it has started, and that `app` tells of.
 */
import { fork as forkNode } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';

const parentPort = fileURLToPath(new URL('parent-port.mjs', import.meta.url));

/** What its next processes do not get to tell before they die. */
export const losses = { programs: false };

interface ForkOptions {
  readonly env: Record<string, string>;
  readonly serviceName: string;
}

/** Electron's program, as far as it tells of its processes. */
export const app = new EventEmitter();
/** Nobody is asked here. */
export const dialog = {};

/** A utility process, as far as main/ uses it. */
class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly postMessage: (message: object) => void;

  constructor(script: string, { env, serviceName: name }: ForkOptions) {
    super();
    const child = forkNode(script, [], { env, execArgv: ['--import', parentPort] });
    this.postMessage = (message) => void child.send(message);
    // The number comes with `spawn`, and goes with the end.
    child.once('spawn', () => {
      this.pid = child.pid;
      this.emit('spawn');
    });
    child.on('message', (message) => {
      const isLost = losses.programs && JSON.stringify(message).includes('"type":"program"');
      if (!isLost) this.emit('message', message);
    });
    child.on('error', () => undefined);
    child.once('exit', (code, signal) => {
      this.pid = undefined;
      // Electron tells the code alone, and its program of each process that is gone.
      const exitCode = code ?? 9;
      this.emit('exit', exitCode);
      const ended = signal === 'SIGKILL' ? 'killed' : signal === null ? 'abnormal-exit' : 'crashed';
      const reason = exitCode === 0 ? 'clean-exit' : ended;
      app.emit('child-process-gone', {}, { type: 'Utility', name, reason, exitCode });
    });
  }
}

/** What `import { utilityProcess } from 'electron'` gives. */
export const utilityProcess = {
  fork: (script: string, _args: string[], options: ForkOptions) =>
    new UtilityProcess(script, options),
};
