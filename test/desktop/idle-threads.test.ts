/**
 * Threads without work, as Electron has them and as Node: ending one can abort Electron's whole process, so that there
 * they stay. The threads are real, from dist/; only the clock that they wait for is the test's.
 */
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { examine } from '../../server/engine/assets/examine/examiner.ts';
import { tryPicture } from '../../server/engine/assets/examine/trial.ts';
import { Desk } from '../../server/jobs/desk/desk.ts';
import { JsonText } from '../../server/system/json-text.ts';
import { deskLimits } from '../../shared/limits.ts';

afterEach(async () => {
  vi.useRealTimers();
  Reflect.deleteProperty(process.versions, 'electron');
  await desk.close();
});

let desk = new Desk();
const long = new JsonText(JSON.stringify({ text: 'x'.repeat(deskLimits.inlineCharacters) }));
const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');

test.each<[string, () => unknown]>([
  ['reads a large request', () => desk.fieldsOf(long)],
  ['reads media', () => examine(import.meta.filename).catch(() => undefined)],
  ['tries a picture', () => tryPicture(picture, 4, 4)],
])(
  'a thread that %s ends after a while under Node, and stays under Electron',
  async (_case, use) => {
    for (const electron of [undefined, '45.4.1']) {
      desk = new Desk();
      if (electron !== undefined) Object.assign(process.versions, { electron });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const started: Worker[] = [];
      let ends = 0;
      const onStart = (worker: Worker): void => {
        started.push(worker);
        worker.once('exit', () => ends++);
      };
      process.on('worker', onStart);
      await use();
      // The event of a new thread comes a moment later.
      await new Promise(setImmediate);
      process.off('worker', onStart);
      expect(started).toHaveLength(1);
      vi.advanceTimersByTime(10 * 60_000);
      if (electron === undefined) await vi.waitFor(() => expect(ends).toBe(1), 10_000);
      else {
        // Used again, it is the same one.
        await use();
        vi.advanceTimersByTime(10 * 60_000);
        await new Promise((resolve) => setImmediate(resolve));
        expect([started.length, ends]).toEqual([1, 0]);
        // An ended one has the number -1.
        expect(started[0]?.threadId).toBeGreaterThan(0);
        await started[0]?.terminate();
      }
      vi.useRealTimers();
    }
  },
);
