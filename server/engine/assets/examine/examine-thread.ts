/**
 * The thread that examines files of unknown origin: one path in, its facts out, one after the other. examiner.ts starts
 * it and ends it when a file takes too long or too much memory. A bundle of its own (build.mjs), found beside the
 * worker's.
 */
import { parentPort } from 'node:worker_threads';
import type { Answer, Question } from './examiner.ts';
import { examineFile } from './examine.ts';

if (!parentPort) throw new Error('examine-thread.ts runs as a thread');
const port = parentPort;
const send = (answer: Answer): void => port.postMessage(answer);

port.on('message', ({ id, filePath }: Question) => {
  send({ id, kind: 'begun' });
  examineFile(filePath).then(
    (facts) => send({ id, kind: 'examined', facts }),
    (error: unknown) =>
      send({
        id,
        kind: 'failed',
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
  );
});
