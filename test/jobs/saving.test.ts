/** What the disk refuses is tried again; a bug is not. */
import { expect, test, vi } from 'vitest';
import { Saver } from '../../server/jobs/files/storing.ts';
import { ApiError } from '../../shared/errors.ts';

test('only what the disk refuses is tried again', async () => {
  const logged: string[] = [];
  const saver = new Saver((_level, _place, text) => void logged.push(text));
  const bug = vi.fn(() => Promise.reject(new TypeError('a bug')));
  expect(await saver.untilSaved(bug)).toBeNull();
  expect(bug).toHaveBeenCalledTimes(1);
  expect(logged.join()).toContain('a bug');

  let tries = 0;
  const refused = (): Promise<string> =>
    ++tries < 2
      ? Promise.reject(new ApiError('cannot_save', { reason: 'the disk is full' }))
      : Promise.resolve('saved');
  expect(await saver.untilSaved(refused)).toBe('saved');
  expect(tries).toBe(2);
  saver.close();
});
