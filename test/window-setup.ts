/** Before the tests: starts the server that the window's classes ask, with its real worker. Needs dist/. */
import { forkWorker } from '../server/jobs/worker/fork-worker.ts';
import { startTestServer } from './helpers/server.ts';

/** Vitest calls it once for all files. @returns what ends the server. */
export default async function setUp(): Promise<() => Promise<void>> {
  const server = await startTestServer({ forkWorker: () => forkWorker() });
  process.env['WINDOW_URL'] = server.running.windowUrl;
  return () => server.stop();
}
