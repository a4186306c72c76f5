/** What the desktop program's own settings do; test/helpers/setting-effects.ts lists all. */
import { beforeEach, expect, test, vi } from 'vitest';
import { showNotice } from '../../main/notifications.ts';
import { Quitting } from '../../main/quit.ts';
import type { SettingsFile } from '../../main/settings.ts';
import * as electron from './electron-stand-in.ts';

// Imported anew: the mock is made before this file's own imports.
vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electronModule);

beforeEach(() => electron.forget());

const log = (): void => undefined;

test.each([true, false])(
  'keepRunning: a closed window leaves the program, or ends it',
  (keepRunning) => {
    // As far as quitting reads it.
    const settings = { current: { keepRunning } } as SettingsFile;
    const quitting = new Quitting({
      settings,
      log,
      work: () => null,
      window: () => null,
      leave: () => Promise.resolve(),
      close: () => Promise.resolve(),
      onStaying: () => undefined,
    });
    const preventDefault = vi.fn();
    quitting.onWindowClose({ preventDefault });
    // The window may close at once if the program stays; else it closes with the program.
    expect([quitting.stays, preventDefault.mock.calls.length]).toEqual([
      keepRunning,
      keepRunning ? 0 : 1,
    ]);
    expect(electron.asked.includes('quit')).toBe(!keepRunning);
  },
);

test('notifySound: a notification is heard, or silent', async () => {
  const ears = { onClick: () => undefined, sayInstead: () => undefined, log };
  const click = { type: 'show-render', id: 'r1' } as const;
  for (const sound of [true, false])
    await showNotice({ title: 'T', body: 'B', click }, sound, ears);
  expect(electron.Notification.sent.map(({ options }) => options['silent'])).toEqual([false, true]);
});
