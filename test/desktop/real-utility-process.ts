/**
 * Electron's `utilityProcess` over a real process: `process.parentPort` inside, no process group of its own, and an end that
 * takes along nothing that it has started.
 */
import { fork as forkNode } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';

const parentPort = fileURLToPath(new URL('parent-port.mjs', import.meta.url));

/** A utility process, as far as main/ uses it. */
class UtilityProcess extends EventEmitter {
  pid: number | undefined;
  readonly postMessage: (message: object) => void;

  constructor(script: string, env: Record<string, string>) {
    super();
    const child = forkNode(script, [], { env, execArgv: ['--import', parentPort] });
    this.postMessage = (message) => void child.send(message);
    // The number comes with `spawn`, and goes with the end.
    child.once('spawn', () => {
      this.pid = child.pid;
      this.emit('spawn');
    });
    child.on('message', (message) => this.emit('message', message));
    child.on('error', () => undefined);
    child.once('exit', (code) => {
      this.pid = undefined;
      // Electron tells the code alone.
      this.emit('exit', code ?? 9);
    });
  }
}

/** What `import { utilityProcess } from 'electron'` gives. */
export const utilityProcess = {
  fork: (script: string, _args: string[], { env }: { env: Record<string, string> }) =>
    new UtilityProcess(script, env),
};
