/**
 * The entry of the thread that starts worker processes for the server (jobs/worker/starter.ts) and passes their
 * messages on.
 */
import { parentPort } from 'node:worker_threads';
import { forkWorker } from '../jobs/worker/fork-worker.ts';
import type { WorkerPort } from '../jobs/worker/protocol.ts';
import type { StarterOrder, StarterReport } from '../jobs/worker/starter.ts';

const workers = new Map<number, WorkerPort>();
const report = (what: StarterReport): void => parentPort?.postMessage(what);

parentPort?.on('message', (order: StarterOrder) => {
  const { worker } = order;
  if (order.kind === 'send') workers.get(worker)?.send(order.command);
  else if (order.kind === 'kill') workers.get(worker)?.kill();
  else start(worker);
});

function start(worker: number): void {
  const port = forkWorker();
  workers.set(worker, port);
  report({ kind: 'started', worker, pid: port.pid });
  port.onMessage((message) => report({ kind: 'message', worker, message }));
  port.onExit((reason) => {
    workers.delete(worker);
    report({ kind: 'ended', worker, reason });
  });
}
