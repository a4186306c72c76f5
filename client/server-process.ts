/** A server of our own as a child process: started, told where it is, and ended in order. For Node alone. */
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { FramewrightError } from './errors.ts';

/** Where a server is; the message that server/commands/serve.ts sends to its parent process. */
export interface ServerPlace {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly windowUrl: string;
}

/** One that runs. */
export interface ServerProcess extends ServerPlace {
  /** Settles when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

/**
 * Starts `framewright serve`. It stops when this process ends, at the latest.
 *
 * @param program Path of the built command line.
 * @throws FramewrightError with the server's own message if it does not start.
 */
export async function startServerProcess(
  program: string,
  options: readonly string[],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, 'serve', ...options], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  // With these options it is always a socket; the types don't say so.
  const said = child.stderr as Socket;
  said.on('data', (part: Buffer) => (errors = `${errors}${part.toString()}`.slice(-10_000)));
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      errors = error.message;
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.ref();
    // Stops it cleanly on all systems, even where signals kill.
    if (child.connected) child.disconnect();
    else child.kill();
    await ended;
  };
  const place = await Promise.race([
    new Promise<ServerPlace>((resolve) =>
      child.once('message', (message) => resolve(message as ServerPlace)),
    ),
    ended,
  ]);
  if (!place) {
    await stop();
    throw new FramewrightError(`The server did not start: ${errors.trim()}`);
  }
  // A process that forgets to stop it must still be able to end.
  child.unref();
  child.channel?.unref();
  said.unref();
  return { ...place, ended, stop };
}
