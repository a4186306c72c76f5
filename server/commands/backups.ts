/** `framewright backups`: lists, makes and restores backups of a running server. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  ConnectionError,
  InvalidKeyError,
  type Backup,
  type BackupList,
} from '../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { CommandError } from './option-rows.ts';
import { serverClient, serverCommand, type ServerChoice } from './running-server.ts';
import { sayJson, sayTable } from './text-table.ts';

/** Milliseconds in which a server has started again, and between two looks. */
const patience = 120_000;
const look = 500;

export const backupsCommand = serverCommand('backups', {
  async list({ backups }, _names, { json }) {
    const all = await backups.list();
    if (json) sayJson(all);
    else {
      sayTable(
        ['NAME', 'MADE', 'SIZE', 'HAS'],
        all.backups.map((one) => [one.id, one.created_at.slice(0, 16), sizeOf(one), has(one)]),
        'There is no backup yet.',
      );
    }
  },

  async create({ backups }, _names, { json }) {
    const made = await backups.create();
    if (json) sayJson(made);
    else console.log(`Made ${made.id} (${sizeOf(made)})`);
  },

  async delete({ backups }, names) {
    for (const name of names) {
      await backups.delete(name);
      console.log(`Deleted ${name}`);
    }
  },

  async restore({ backups }, [name = ''], options) {
    const what = options.all ? 'all' : 'work';
    const { restarts, asked_at: askedAt } = await backups.restore(name, what);
    if (!restarts) {
      const told = { restarts, message: `The next start of Framewright restores ${name}.` };
      console.log(options.json ? JSON.stringify(told, null, 2) : told.message);
      return 0;
    }
    if (!options.json) console.error('The server starts again…');
    const came = await outcomeOf(askedAt, options);
    console.log(options.json ? JSON.stringify(came, null, 2) : came.message);
    return came.succeeded ? 0 : 1;
  },
});

type Outcome = NonNullable<BackupList['last_restore']>;

/**
 * What came of a restore, once the server has started again.
 * @throws CommandError if it does not, or knows the key no more.
 */
async function outcomeOf(askedAt: string, options: ServerChoice): Promise<Outcome> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    await pause(look);
    try {
      // Found anew each time: key and port may be those of the backup.
      const { last_restore: last } = await serverClient(options).client.backups.list();
      if (last?.asked_at === askedAt) return last;
    } catch (error) {
      if (error instanceof InvalidKeyError) {
        throw new CommandError(
          'The server has started again, and this key opens nothing any more: with --all, the keys are those of the backup.',
          { cause: error },
        );
      }
      if (!(error instanceof ConnectionError) && !(error instanceof CommandError)) throw error;
    }
  }
  throw new CommandError(
    `The server has not answered for ${patience / 1000} seconds after the restore began. Its log says why; the backup is put back by the next start that succeeds.`,
  );
}

function sizeOf({ file_size: bytes, media }: Backup): string {
  return `${((bytes + (media?.file_size ?? 0)) / 1e6).toFixed(1)} MB`;
}

function has({ records, media }: Backup): string {
  const counts = records
    ? [counted(records.templates, 'template'), counted(records.feeds, 'feed')]
    : ['not counted'];
  return [...counts, media ? counted(media.files, 'file') : 'no media and fonts'].join(', ');
}
