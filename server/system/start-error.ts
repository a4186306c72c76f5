/** Expected reasons why the server can't start: one sentence for the person who started it. */

/** Thrown by everything that happens before the server runs: folders, ports, options. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
