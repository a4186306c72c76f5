/** The help about what the program keeps: where it lies, and how it is backed up. */
import { shownDataFolder } from '../../data-folder.ts';
import type { Topic } from './topic.ts';

/** What is in a data folder. test/api/docs.test.ts compares it with that of a running server. */
const entries: readonly (readonly [name: string, what: string, mayGo: string])[] = [
  [
    'store',
    'templates with their versions, feeds, projects, keys, settings, the list of renders',
    'no',
  ],
  ['store/backups', 'backups, unless another folder is chosen', 'old ones, by the window'],
  ['media', 'the media library', 'no'],
  ['fonts', 'fonts that were added', 'no'],
  ['drafts', 'changes in the editor that are not saved yet', 'no'],
  ['output', 'finished files, unless another folder is chosen', 'with their render'],
  ['window.json', 'port and token of the window', 'yes; its address is then another one'],
  [
    'runtime.json',
    'addresses, key and process of the running server; gone when it ends',
    'after a crash',
  ],
  ['lock', 'which program uses the folder', 'no'],
  ['cache', 'downloads, kept for the next render up to the limit of the settings', 'yes'],
  ['last-frames', 'last frames of renders, for the queue', 'yes'],
  ['thumbnails', 'small pictures of templates and media', 'yes'],
  ['proxies', 'small copies of large videos, for the preview', 'yes'],
  ['sounds', 'sound of previews', 'yes'],
  ['preview, work, transcribing', 'what is being worked on', 'yes'],
];

/** Names at the top of a data folder. */
export const namedInData: readonly string[] = entries.flatMap(([name]) => name.split(', '));

/** The pages. */
export const dataTopics: readonly Topic[] = [
  {
    slug: 'data',
    title: 'Where data lie',
    summary: 'Folders of each system, and what is in them.',
    text: () => `
| | Linux | macOS | Windows |
|---|---|---|---|
| Server | \`${shownDataFolder('linux', 'server')}\` | \`${shownDataFolder('darwin', 'server')}\` | \`${shownDataFolder('win32', 'server')}\` |
| Desktop program | \`${shownDataFolder('linux', 'desktop')}\` | \`${shownDataFolder('darwin', 'desktop')}\` | \`${shownDataFolder('win32', 'desktop')}\` |
| Finished files of the server | \`output\` in its folder | \`output\` in its folder | \`output\` in its folder |
| Finished files of the desktop program | \`Framewright\` in Videos | \`Framewright\` in Movies | \`Framewright\` in Videos |

On Linux \`XDG_DATA_HOME\` and \`XDG_CONFIG_HOME\` name other places. \`--data\` and \`--output\` name folders for the server, \`FRAMEWRIGHT_DATA\` and \`FRAMEWRIGHT_OUTPUT\` for the desktop program. In the Docker image the folder is \`/data\`. The server and the desktop program have folders of their own, so that both can run at the same time; the form is the same. Only one program uses a folder at a time.

## In the data folder

| Name | Holds | May be deleted |
|---|---|---|
${entries.map(([name, what, mayGo]) => `| \`${name.replaceAll(', ', '`, `')}\` | ${what} | ${mayGo} |`).join('\n')}

Delete only while the program is closed. The window has what may go under Settings ▸ Data, where it also says what takes how much space.

Only you can read \`runtime.json\`: it holds a key. Scripts find the running server by it.

With PostgreSQL the records are in the database instead of \`store\`; documents and media stay in the folder. See [Many machines](/docs/many-machines).
`,
  },
  {
    slug: 'back-up',
    title: 'Back up and restore',
    summary: 'What is backed up every day, how to back up and restore it, and copies by hand.',
    text: () => `
Each day the server makes a backup, and one before an upgrade that changes the form of the data.

| Name | Made | Kept |
|---|---|---|
| \`day-…\` | every day on which the server runs | the last 7 |
| \`upgrade-…\` | before data are changed for a newer version | the last 3 |
| \`own-…\` | when you ask for one | the last 10 |
| \`replaced-…\` | by a restore, of what it replaces | the last 5 |

They are in \`store/backups\` of the [data folder](/docs/data), or in a folder that you choose under Settings ▸ Data. Choose one on another drive: a backup beside its original does not survive the drive.

| In a backup | Not in it |
|---|---|
| templates with their versions, feeds | finished files: copy the output folder |
| projects, keys, settings, the list of renders | caches and downloads |
| media and added fonts | media and added fonts of automatic backups, where that needs space of its own: on a drive that has no hard links, or on another drive. The list says so |

## By window and command

In the window: Settings ▸ Data. For a server without one, by command or by [its API](/docs/backups):

\`\`\`sh
framewright backups create
framewright backups list
framewright backups restore day-2026-11-21
\`\`\`

A restore puts back templates and feeds; \`--all\` also renders, keys and settings. The server starts again afterwards. A template that was deleted by mistake needs no backup: it is in the Trash for 30 days (\`framewright templates deleted\`, \`framewright templates restore NAME\`).

## By hand

End the server, copy the whole data folder and the output folder, and start it again. To restore, end the server and put the copy in place. A copy made while the server runs may not fit together.

A backup's folder is no data folder. To restore it on another computer, copy it to \`store/backups\` there: it is then in the list.

## PostgreSQL

With records in a database there are no backups of these kinds: use \`pg_dump\`, and copy the data folder (or that of \`--shared\`) and the storage **after** it: files are never changed, so that all files which the database names are then in the copy, but for those deleted in between.
`,
  },
];
