/**
 * The temporary folders of tasks. Whoever asks names one that nothing else uses (`workFolder` of the input). The worker
 * makes it (processes/worker-tasks.ts) unless something was put into it before. The server removes it once the task has
 * ended, however: a worker may be killed at any time. What a killed server leaves is removed by the next: all at its
 * start (`Queue.recover`), or where a folder has only one user, before its next work.
 */
import { rm } from 'node:fs/promises';

/** Runs work that has a folder of its own; nothing is in it before, and nothing stays. */
export async function inWorkFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await rm(folder, { recursive: true, force: true });
  try {
    return await work();
  } finally {
    await removeWorkFolder(folder);
  }
}

/** Never rejects: what can't be removed is harmless. */
export async function removeWorkFolder(folder: string): Promise<void> {
  // Programs of a worker that was killed may end a moment later.
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
