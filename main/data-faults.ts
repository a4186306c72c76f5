/**
 * The data can't be opened: says so, and offers the newest backup. Main process, before there is a server or a window.
 */
import { dialog, shell } from 'electron';
import path from 'node:path';
import type { Log } from '../server/system/log.ts';
import { DataOpenError, type RunningServer } from '../server/start.ts';
import { askToRestore, newestBackup } from '../server/store/restore.ts';
import { momentOf, say } from './say.ts';

/**
 * Starts the server; if its data can't be opened, asks the user, as often as needed.
 *
 * @returns the server; null if the user gave up.
 * @throws other errors of `start`, and what the disk says to a restore.
 */
export async function startWithData(
  start: () => Promise<RunningServer>,
  dataFolder: string,
  log: Log,
): Promise<RunningServer | null> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DataOpenError)) throw error;
      log('error', 'main', error.message);
      if (!(await mend(dataFolder, error.message, log))) return null;
    }
  }
}

/** @returns true if it is worth trying again. */
async function mend(dataFolder: string, reason: string, log: Log): Promise<boolean> {
  const backup = await newestBackup(dataFolder);
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: say('data.title'),
      detail: `${backup ? say('data.backup', { moment: momentOf(backup.madeAt, Date.now()) }) : say('data.noBackup')}\n\n${reason}`,
      buttons: [...(backup ? [say('data.restore')] : []), say('data.folder'), say('quit')],
      defaultId: 0,
      cancelId: backup ? 2 : 1,
      noLink: true,
    });
    const answers = [...(backup ? (['restore'] as const) : []), 'folder', 'quit'] as const;
    switch (answers[response]) {
      case 'folder':
        // Opening the folder is not a decision yet.
        await shell.openPath(path.join(dataFolder, 'store'));
        break;
      case 'restore': {
        if (!backup) return false;
        // The next try to open the data does it.
        await askToRestore(path.join(dataFolder, 'store'), backup, 'all', new Date());
        log('warning', 'main', `Restoring the backup ${backup.name}`);
        return true;
      }
      default:
        return false;
    }
  }
}
