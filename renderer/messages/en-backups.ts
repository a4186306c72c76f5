/** Texts about backups in the settings; joined to the others in en.ts. */
import type { Message } from './message.ts';

export const backupMessages = {
  'backups.place': 'Data folder',
  'backups.title': 'Backups',
  'backups.what':
    'The first start of a day makes one: templates with their versions, feeds, projects, keys, settings and the list of renders. Finished files and media are not in it.',
  'backups.make': 'Back up now',
  'backups.making': 'Backing up…',
  'backups.made': 'The backup was made.',
  'backups.folder': 'Folder for “Back up now”',
  'backups.folder.hint':
    'A backup on another drive helps if this one is lost. Nothing is removed from a folder that you choose.',
  'backups.folder.none': 'In the data folder; the newest 10 are kept',
  'backups.none': 'There is no backup yet.',
  'backups.database': 'The records are in a database. Back it up with its own tools.',
  'backups.kind.day': 'Of the day',
  'backups.kind.upgrade': 'Before an upgrade',
  'backups.kind.own': 'Made by hand',
  'backups.kind.replaced': 'Replaced by a restore',
  'backups.templates': { one: '{count} template', other: '{count} templates' },
  'backups.feeds': { one: '{count} feed', other: '{count} feeds' },
  'backups.uncounted': 'Not counted',
  'backups.more': { one: 'Show {count} older one', other: 'Show {count} older ones' },
  'backups.restore': 'Restore…',
  'backups.restore.name': 'Restore the backup: {time}…',
  'restore.title': 'Restore this backup?',
  'restore.what': 'What to restore',
  'restore.work': 'Templates and feeds',
  'restore.work.text':
    'Versions come with their templates. Renders, keys and settings stay as they are.',
  'restore.all': 'Everything',
  'restore.all.text':
    'Renders, keys and settings as well. Keys deleted since then work again, and the queue is paused.',
  'restore.replaced': 'What is replaced',
  'restore.now': 'Now',
  'restore.then': 'Backup',
  'restore.unknown': 'unknown',
  'restore.same': 'unchanged',
  'restore.templates': 'Templates',
  'restore.feeds': 'Feeds',
  'restore.renders': 'Renders',
  'restore.keys': 'Keys',
  'restore.running': {
    one: '{count} render is running. It goes back into the queue and starts again from its beginning.',
    other:
      '{count} renders are running. They go back into the queue and start again from their beginning.',
  },
  'restore.runningAll': {
    one: '{count} render is running and is stopped. It stays in the list only if the backup has it.',
    other:
      '{count} renders are running and are stopped. They stay in the list only if the backup has them.',
  },
  'restore.kept': 'What is replaced becomes a backup as well. Framewright starts again for this.',
  'restore.yes': 'Restore',
  'restore.going': 'Restoring the backup…',
  'restore.later': 'The next start of Framewright restores the backup.',
} as const satisfies Record<string, Message>;
