/** The entry of a thread of the desk (jobs/desk/desk.ts): runs one task after the other and answers each. */
import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../shared/errors.ts';
import type { DeskReply } from '../jobs/desk/desk.ts';
import { doTask, wholeBuffers, type DeskTask } from '../jobs/desk/desk-tasks.ts';
import { giveWayAsThread } from '../system/programs.ts';

giveWayAsThread();
parentPort?.postMessage({ kind: 'ready' } satisfies DeskReply);

parentPort?.on('message', (task: DeskTask) => {
  void doTask(task)
    .then(
      (answer): DeskReply => ({ kind: 'done', answer }),
      (error: unknown): DeskReply =>
        error instanceof ApiError
          ? { kind: 'refused', code: error.code, message: error.message }
          : { kind: 'broken', error: error instanceof Error ? String(error.stack) : String(error) },
    )
    .then((reply) => {
      parentPort?.postMessage(reply, reply.kind === 'done' ? wholeBuffers(reply.answer) : []);
    });
});
