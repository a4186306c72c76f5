/**
 * The table of all commands with their options and actions. It parses arguments and generates `--help` and the
 * completion of shells. cli.ts loads the code of a command when it is called.
 */
import { handoverNames } from '../../shared/handover.ts';
import { encodeChoices } from '../../shared/hardware.ts';
import type { ImportName } from '../../shared/imports/imports.ts';
import { concurrencyLimit } from '../../shared/limits.ts';
import { libraryKinds } from '../../shared/renderscript/source.ts';
import { defaultDataFolder } from '../system/paths.ts';
import type { CommandRow } from './option-rows.ts';

const json = { name: 'json', help: 'print JSON for programs' } as const;

/** Options that find the running server. */
const serverOptions = [
  {
    name: 'data',
    value: 'DIR',
    help: 'data folder of the running server (default: that of framewright serve,\nthen that of the desktop program)',
  },
  {
    name: 'url',
    value: 'URL',
    help: 'another server, e.g. http://server.lan:4820 (default: FRAMEWRIGHT_URL)',
  },
  { name: 'key', value: 'KEY', help: 'its API key (default: FRAMEWRIGHT_KEY)' },
] as const;

/** The same option with other words in some commands. */
const mediaOption = {
  name: 'media',
  value: 'DIR',
  many: true,
  help: 'a folder that sources may name files of; may be repeated',
} as const;
const lookupOption = {
  ...mediaOption,
  help: "folder that relative media paths are looked up in (default: the source's folder)",
} as const;
const concurrencyOption = {
  name: 'concurrency',
  value: 'N',
  help: `renders at the same time, 1 to ${concurrencyLimit} (default: 1)`,
} as const;
const largestSideOption = {
  name: 'largest-side',
  value: 'PIXELS',
  help: 'for tests: no side of a file gets longer than this',
} as const;
const storageOption = {
  name: 'storage',
  value: 'WHERE',
  help: 'put finished files into a folder that others share, or into S3, e.g.\ns3://bucket/films?endpoint=http://127.0.0.1:9000 with the key in AWS_ACCESS_KEY_ID and\nAWS_SECRET_ACCESS_KEY; needs the packages @aws-sdk/client-s3, lib-storage, s3-request-presigner',
} as const;
const perProjectOption = {
  name: 'per-project',
  value: 'N',
  help: 'with --shared: about how many renders of a project run at the same time, over all\nworkers; the same for each of them (default: any number)',
} as const;
const localAddressesOption = {
  name: 'local-addresses',
  value: 'WHEN',
  choices: ['always', 'never'],
  variable: 'FRAMEWRIGHT_LOCAL_ADDRESSES',
} as const;
/** Of the server or of the desktop program, whose models commands without one use. */
const dataOption = {
  name: 'data',
  value: 'DIR',
  help: 'the data folder with the models (default: that of framewright serve, then that of the\ndesktop program)',
} as const;
/** For commands that work without a server, too: a template of one instead of a document. */
const templateOptions = [
  { name: 'template', value: 'NAME', help: 'a template of a running server, by name or ID' },
  {
    name: 'server-data',
    value: 'DIR',
    help: 'data folder of that server (default: that of framewright serve,\nthen that of the desktop program)',
  },
  serverOptions[1],
  serverOptions[2],
] as const;
const fromOption = {
  name: 'from',
  value: 'FILE',
  help: 'the receipt (default: the one beside the file)',
} as const;
const ffmpegOption = { name: 'ffmpeg', value: 'PATH', help: 'the ffmpeg to use' } as const;
const encodeOption = {
  name: 'encode-with',
  value: 'WHAT',
  choices: encodeChoices,
  help: 'what codes mp4 films: software, or hardware of this computer (default: software)',
} as const;

/** By name, in the order of the help. */
export const commandRows = {
  serve: {
    summary: 'start the API, the renderer and the window’s server',
    takes: '[options]',
    options: [
      { name: 'port', value: '4820', help: 'port of the API; 0 takes any free one' },
      {
        name: 'host',
        value: 'ADDRESS',
        help: 'address of the API, e.g. 0.0.0.0 for all networks (default: this computer alone).\nWhoever reaches it can use it with the key, and nothing is encrypted',
      },
      {
        name: 'allow-host',
        value: 'NAME',
        many: true,
        help: 'a name that others reach the API by, e.g. server.lan; may be repeated',
      },
      {
        name: 'public-url',
        value: 'URL',
        variable: 'FRAMEWRIGHT_PUBLIC_URL',
        help: 'the address that others open, e.g. https://films.example.com/framewright, of a proxy before the\nAPI: all links begin with it, and its name is allowed (default: the address of each request)',
      },
      {
        name: 'trust-proxy',
        variable: 'FRAMEWRIGHT_TRUST_PROXY',
        help: 'read X-Forwarded-Host and X-Forwarded-Proto, for links of a proxy with several names; only\nbehind one that sets both itself. Its names must be allowed with --allow-host',
      },
      {
        ...localAddressesOption,
        help: 'whether media and webhooks may reach this computer and its network: always or never\n(default: while the API listens to this computer alone and knows of no proxy)',
      },
      {
        name: 'window-port',
        value: 'PORT',
        help: 'port of the window, always on this computer alone; 0 takes any free one',
      },
      {
        name: 'data',
        value: 'DIR',
        help: `templates, renders and keys (default: ${defaultDataFolder()})`,
      },
      {
        name: 'database',
        value: 'URL',
        help: 'keep records in PostgreSQL, e.g. postgres://user@host:5432/name (default: files in the data\nfolder). A password may come from PGPASSWORD; needs the package pg',
      },
      {
        name: 'shared',
        value: 'DIR',
        help: 'with --database: a folder that all servers of the database reach; documents, media and fonts go\nthere, and any number of servers and workers may run. Needs the package pg-boss',
      },
      {
        name: 'no-worker',
        help: 'with --shared: leave the renders to framewright worker elsewhere',
      },
      perProjectOption,
      storageOption,
      {
        name: 'output',
        value: 'DIR',
        help: 'finished files (default: the folder output below the data, or below --shared)',
      },
      {
        name: 'api-key',
        value: 'KEY',
        help: 'the API key from now on (default: the stored one; a new one at the first start)',
      },
      {
        name: 'webhook-secret',
        value: 'SECRET',
        variable: 'FRAMEWRIGHT_WEBHOOK_SECRET',
        help: 'what webhooks of the first project are signed with from now on, whsec_ and base64 (default:\nthe stored one). The one before signs, too, for a day',
      },
      {
        name: 'print-key',
        help: 'print key and window address also when no terminal looks; scripts find both in DIR/runtime.json',
      },
      mediaOption,
      ffmpegOption,
      concurrencyOption,
      largestSideOption,
      { name: 'no-samples', help: 'begin a new data folder without the sample templates' },
      { name: 'no-rate-limit', help: 'answer any number of requests' },
    ],
  },
  worker: {
    summary: 'work on the renders of servers that share a database',
    takes: '[options]',
    about: `For servers that were started with --database and --shared, on any computer that reaches the database and their storage. It has
nothing of its own and may be ended at any time: what it works on is then given back. One that is cut off loses it after ten seconds.`,
    options: [
      { name: 'database', value: 'URL', help: 'the database of the servers' },
      {
        ...storageOption,
        help: 'their storage, as they name it with --storage: media, fonts, pieces of long films, finished files',
      },
      { name: 'shared', value: 'DIR', help: 'their shared folder, where they have no storage' },
      {
        name: 'output',
        value: 'DIR',
        help: 'without storage: where finished files go, as the servers know it (default: the folder output below\n--shared)',
      },
      {
        name: 'data',
        value: 'DIR',
        help: 'downloads, copies of media and fonts, and files of running renders (default: a temporary folder)',
      },
      mediaOption,
      ffmpegOption,
      encodeOption,
      concurrencyOption,
      perProjectOption,
      {
        ...localAddressesOption,
        help: 'whether media may come from this computer and its network: always or never\n(default: never, unless the setting of the servers allows it)',
      },
      largestSideOption,
    ],
  },
  render: {
    summary: 'render a document or a template to files, without the queue',
    takes: 'source.json out.mp4 [options]',
    about: `The ending of the file decides the format; - as the source reads what is piped in, and as the
file writes to stdout, in the format that the document names. The source may be the body of a request for the API, with
{ "source": …, "modifications": … }. With --data, one file is made for each row, and {n} and {column} in the file's name stand for its
number and its values:
framewright render card.json 'cards/{n}-{Title}.png' --data people.csv
With --template, the document comes from a running server:
framewright render --template 'Promo square' promo.mp4 --set Title='Today only'`,
    options: [
      {
        name: 'set',
        value: 'KEY=VALUE',
        many: true,
        help: "a modification, e.g. Title='Today only'; KEY:=JSON for other than texts;\nmay be repeated",
      },
      {
        name: 'data',
        value: 'FILE',
        help: 'rows of modifications: CSV, TSV, JSON, JSON Lines or XLSX, a column for each key; - reads what is\npiped in',
      },
      {
        name: 'watch',
        help: 'render again when the source, the data or a media file changes, until Ctrl-C',
      },
      {
        name: 'frame',
        value: '1.5',
        help: 'draw the picture at 1.5 s only (out.png, .jpg, .webp or .avif)',
      },
      {
        name: 'frames',
        value: '0,1.5,3',
        help: 'draw these moments side by side, with their times (a picture as well)',
      },
      {
        name: 'scale',
        value: '0.5',
        help: 'size of the file relative to the document, 0.1 to 10',
      },
      {
        name: 'strict',
        help: 'refuse names and words that the language does not know, instead of warning of them',
      },
      {
        name: 'json',
        help: 'print a line of JSON for each file, with its facts or what went wrong',
      },
      {
        name: 'receipt',
        help: 'also write out.mp4.receipt.json: what the file was made from, for framewright verify',
      },
      lookupOption,
      ffmpegOption,
      encodeOption,
      ...templateOptions,
    ],
  },
  receipt: {
    summary: 'say what a file was made from',
    takes: 'out.mp4 [options]',
    about: `From the receipt beside the file, which render --receipt writes, and every render of a server, there in the folder snapshots:
the document, its inputs and fonts by SHA-256, versions, settings. One inside of the file counts, too.`,
    options: [
      fromOption,
      {
        name: 'embed',
        help: 'also write it into the file (mp4, mov, m4a or png); the rest of the file stays',
      },
      { ...json, help: 'print the whole receipt, with the document' },
    ],
  },
  verify: {
    summary: 'render a file again from its receipt, and say whether it is the same',
    takes: 'out.mp4 [options]',
    about: `Ends with 0 if it is, byte for byte, and with 1 if not, after what differs: a version, an input, a font, a setting.`,
    options: [
      fromOption,
      {
        ...lookupOption,
        help: "folder that relative media paths are looked up in (default: the file's folder)",
      },
      ffmpegOption,
      json,
    ],
  },
  validate: {
    summary: 'check documents, and name the place of each mistake',
    takes: 'source.json … [options]',
    about: `Lists every wrong value with its place, files that are missing and fonts that are not installed; - reads what
is piped in. Ends with 0 without errors, with 1 when there are any,
and with 2 when a file can't be read or an option is wrong.`,
    failure: 2,
    options: [
      {
        name: 'strict',
        help: 'names and words that the language does not know are errors, not warnings',
      },
      lookupOption,
      {
        name: 'format',
        value: 'FORMAT',
        choices: ['text', 'json', 'sarif'],
        help: 'text (default), json, or sarif for code scanners',
      },
    ],
  },
  check: {
    summary: 'find everything that can go wrong with a render, before it is made',
    takes: 'source.json [options]',
    about: `Fetches and examines every file, draws the texts where they stand, and mixes the sound: missing files and letters, texts that
overflow, leave the picture or can't be read, captions that are too fast, silence, clipping, elements that do not fit the film; and
an estimate of time and size. Each finding has its place and a cure. - reads what is piped in; the ID of a template, or its name with
--template, takes the document of a running server. Ends with 0 without errors, with 1 when a render would fail.`,
    options: [json, lookupOption, ffmpegOption, ...templateOptions],
  },
  export: {
    summary: 'hand a document over to editing programs and players: OTIO, EDL, SRT or VTT',
    takes: 'source.json --as otio [-o FILE] [options]',
    about: `otio is a timeline for Resolve, Premiere, Kdenlive and others: tracks, clips, gaps, transitions, speeds. edl is a list of the cuts of
its first picture track (CMX 3600). srt and vtt are its captions; recordings are transcribed with a model that framewright models get
has fetched. What is in the document and not in the file is listed on stderr, and within otio and edl. Files on this computer are
named by their whole paths. - reads what is piped in; --template takes the document of a running server.`,
    options: [
      {
        name: 'as',
        value: 'FORM',
        choices: handoverNames,
        help: 'otio, edl, srt or vtt (default: the ending of FILE)',
      },
      { name: 'output', short: 'o', value: 'FILE', help: 'the file to write (default: stdout)' },
      lookupOption,
      ffmpegOption,
      ...templateOptions,
    ],
  },
  import: {
    summary: 'make a document of one for Shotstack, JSON2Video or editly',
    takes: 'FILE [-o source.json] [--from NAME]',
    about: `What has no counterpart here is listed on stderr with its place, and what took its place. - reads what is piped in. Comments
and keys without quotes are read, too.`,
    options: [
      { name: 'output', short: 'o', value: 'FILE', help: 'the file to write (default: stdout)' },
      {
        name: 'from',
        value: 'NAME',
        choices: ['shotstack', 'json2video', 'editly'] satisfies ImportName[],
        help: 'shotstack, json2video or editly (default: recognised)',
      },
    ],
  },
  transcribe: {
    summary: 'write down what is said in a recording, as subtitles or words with times',
    takes: 'in.mp4 out.srt [options]',
    about: `The ending of the file decides: .srt, .vtt, or .json with every word and its times; - writes JSON to stdout. All of it on this
computer, with a model that framewright models get has fetched; FRAMEWRIGHT_TRANSCRIBER names another program, and
FRAMEWRIGHT_SPEECH_ADDRESS a service with FRAMEWRIGHT_SPEECH_KEY, which is sent the recording.`,
    options: [
      { name: 'language', value: 'de', help: 'the language that is spoken (default: recognised)' },
      {
        name: 'words',
        value: 'NAMES',
        help: 'names and words that are hard to know, in a line',
      },
      { name: 'hide-fillers', help: 'leave out "um", "uh" and the like' },
      { name: 'hide-profanity', help: 'show of swear words the first letter alone' },
      {
        name: 'model',
        value: 'NAME',
        help: 'the model to use, as framewright models list names it (default: the best one that is there)',
      },
      dataOption,
      ffmpegOption,
    ],
  },
  models: {
    summary: 'list, fetch and remove the models that recognise speech',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'all, with their sizes, and which are there' },
      { name: 'get', takes: 'NAME …', summary: 'fetch some, and go on where that stopped' },
      { name: 'remove', takes: 'NAME …', summary: 'remove some from this computer' },
    ],
    about: `Nothing is fetched unless it is asked for. Models come from huggingface.co, by the proxy that HTTPS_PROXY names, and are
checked by their SHA-256. They are kept in the folder models of the data folder, or in the one that FRAMEWRIGHT_MODELS names; any
other model of whisper.cpp (.bin) can be put there, too. Needs no running server.`,
    options: [
      {
        name: 'mirror',
        value: 'URL',
        variable: 'FRAMEWRIGHT_MODEL_MIRROR',
        help: 'for get: fetch from there, where the same paths are',
      },
      dataOption,
      json,
    ],
  },
  templates: {
    summary: 'list, read and change the templates of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'all, the newest change first' },
      { name: 'get', takes: 'NAME [FILE]', summary: 'the document of one, printed or as a file' },
      {
        name: 'put',
        takes: 'FILE [NAME]',
        summary: 'store a document, or change the template of this name',
      },
      { name: 'delete', takes: 'NAME …', summary: 'move to the Trash' },
      { name: 'deleted', takes: '', summary: 'what is in the Trash, and until when' },
      { name: 'restore', takes: 'NAME …', summary: 'take out of the Trash, as it was' },
      { name: 'export', takes: '[DIR]', summary: 'write each document to a file' },
      {
        name: 'share',
        takes: 'NAME … [FILE]',
        summary: 'write one, or several as a kit, with media and fonts to a .framewright file',
      },
      { name: 'import', takes: 'FILE …', summary: 'create templates from such files' },
    ],
    about: `NAME is the name or the ID of a template, for restore of a deleted one. For put it is the name of the file, unless it is
given, and - reads what is piped in; media files beside the document go to the server's library. share names its file after the
template, and says which media it can't pack; with several names, the last word is the file. import creates what it can read of a kit.`,
    options: [
      {
        name: 'tag',
        value: 'TAG',
        many: true,
        help: 'for list and export: only templates with it; for put: the tags to set',
      },
      { ...mediaOption, help: "for put: folder of relative media paths (default: the document's)" },
      json,
      ...serverOptions,
    ],
  },
  renders: {
    summary: 'list, follow and cancel the renders of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'the newest first' },
      {
        name: 'get',
        takes: 'ID [FILE]',
        summary: 'the facts of one; with FILE, saves its file',
      },
      {
        name: 'watch',
        takes: '[ID]',
        summary: 'follow one until it has ended, or all until Ctrl-C',
      },
      {
        name: 'cancel',
        takes: 'ID …',
        summary: 'cancel; renders that have ended stay as they are',
      },
    ],
    about: 'watch ID ends with 0 when the render has succeeded, and with 1 when it has failed.',
    options: [
      {
        name: 'status',
        value: 'STATUS',
        choices: ['planned', 'waiting', 'transcribing', 'rendering', 'succeeded', 'failed'],
        help: 'for list: only those',
      },
      { name: 'template', value: 'NAME', help: 'for list: only those of a template' },
      {
        name: 'batch',
        value: 'ID',
        help: 'for list: only those of a batch, as feeds render names it',
      },
      { name: 'limit', value: '20', help: 'for list: at most so many' },
      json,
      ...serverOptions,
    ],
  },
  trash: {
    summary: 'list and restore deleted templates of a running server, or delete them for good',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'what is in the Trash, and until when' },
      { name: 'restore', takes: 'NAME …', summary: 'take out of the Trash, as it was' },
      { name: 'delete', takes: 'NAME …', summary: 'delete for good' },
      { name: 'empty', takes: '', summary: 'delete all for good' },
    ],
    about: 'NAME is the name or the ID of a deleted template, of the project of the key.',
    options: [json, ...serverOptions],
  },
  media: {
    summary: 'list, add, load and delete media files of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'the newest first' },
      {
        name: 'add',
        takes: 'FILE …',
        summary: 'send files, and print what documents name them by',
      },
      { name: 'get', takes: 'NAME [FILE]', summary: 'save one, by default under its own name' },
      { name: 'delete', takes: 'NAME …', summary: 'delete for good' },
    ],
    about: `NAME is the name or the ID of a file. A file that is sent twice is there once. Those that were added in the window are for all
projects, and can only be deleted there.`,
    options: [
      {
        name: 'kind',
        value: 'KIND',
        choices: [...libraryKinds],
        help: 'for list: only files of this kind',
      },
      json,
      ...serverOptions,
    ],
  },
  fonts: {
    summary: 'list the fonts of a running server with their weights, add and remove some',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'all families that texts can use' },
      { name: 'add', takes: 'FILE …', summary: 'TTF, OTF, WOFF or WOFF2, for all projects' },
      { name: 'delete', takes: 'FAMILY …', summary: 'all added files of a family' },
    ],
    about: 'To add and delete needs a key of the first project.',
    options: [
      {
        name: 'origin',
        value: 'ORIGIN',
        choices: ['bundled', 'added', 'installed'],
        help: "for list: only those of the program (bundled), added ones, or the computer's (installed)",
      },
      json,
      ...serverOptions,
    ],
  },
  feeds: {
    summary: 'import tables into a running server, and render a file for each of their rows',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'the newest change first' },
      { name: 'import', takes: 'FILE [NAME]', summary: 'make a feed of CSV, TSV, JSON or XLSX' },
      {
        name: 'update',
        takes: 'NAME FILE',
        summary: 'put the rows of a newer table in their place',
      },
      {
        name: 'map',
        takes: 'NAME TEMPLATE',
        summary: 'choose its template, and show what becomes what',
      },
      { name: 'rows', takes: 'NAME', summary: 'print them' },
      { name: 'render', takes: 'NAME [ROW] …', summary: 'all rows, or those with these IDs' },
      { name: 'delete', takes: 'NAME …', summary: 'delete for good' },
    ],
    about: `NAME is the name or the ID of a feed. Columns that are called like a part of the template are mapped by themselves.
framewright feeds import prices.csv && framewright feeds map prices 'Price tag' --map Price=Price.text
framewright feeds render prices --changed`,
    options: [
      {
        name: 'map',
        value: 'COLUMN=TARGET',
        many: true,
        help: 'for map: the modification that a column becomes, none after = for no one; may be repeated',
      },
      { name: 'changed', help: 'for render: only rows that no render was made of as they are now' },
      {
        name: 'separator',
        value: 'SIGN',
        choices: ['comma', 'semicolon', 'tab', 'bar'],
        help: 'for import and update: comma, semicolon, tab or bar (default: recognised)',
      },
      { name: 'encoding', value: 'NAME', help: 'for import and update, e.g. windows-1252' },
      { name: 'sheet', value: 'N', help: 'for import and update: place of the sheet (default: 1)' },
      {
        name: 'head',
        value: 'WHETHER',
        choices: ['true', 'false'],
        help: 'for import and update: whether the first row names the columns (default: recognised)',
      },
      json,
      ...serverOptions,
    ],
  },
  projects: {
    summary: 'list, create and change the projects of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'the oldest first' },
      { name: 'create', takes: 'NAME', summary: 'make one, with a key' },
      { name: 'rename', takes: 'NAME NEW', summary: 'give it another name' },
      {
        name: 'webhook-url',
        takes: 'NAME [URL]',
        summary: 'the address for renders that have none of their own; without URL: none',
      },
      { name: 'delete', takes: 'NAME', summary: 'an empty one, with its keys' },
      { name: 'secret', takes: 'NAME', summary: 'print what its webhooks are signed with' },
      {
        name: 'rotate',
        takes: 'NAME',
        summary: 'make a new one; the one before signs for a day, too',
      },
      { name: 'revoke', takes: 'NAME', summary: 'the one before signs no more, at once' },
    ],
    about: `NAME is the name or the ID of a project. Needs a key of the first project. framewright keys --project NAME is about their keys.`,
    options: [json, ...serverOptions],
  },
  keys: {
    summary: 'list, create and remove the API keys of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'all, with their projects' },
      { name: 'create', takes: 'NAME', summary: 'make a new key, and print it' },
      {
        name: 'remove',
        takes: 'NAME',
        summary: 'by name or ID; requests with it are refused from then on',
      },
    ],
    options: [
      {
        name: 'project',
        value: 'NAME',
        help: 'a project, by name or ID (default: the first; for list: all)',
      },
      { name: 'show', help: 'for list: print whole keys' },
      json,
      ...serverOptions,
    ],
    about:
      'A server on this computer needs no key; one that is named with --url, one of its first project.',
  },
  webhooks: {
    summary: 'list and repeat webhook calls of a running server, and replace their secret',
    takes: 'ACTION [options]',
    actions: [
      { name: 'deliveries', takes: '', summary: 'the last ones, the newest first' },
      { name: 'retry', takes: 'ID …', summary: 'send deliveries again, at once' },
      { name: 'secret', takes: '', summary: 'print it' },
      {
        name: 'rotate',
        takes: '',
        summary: 'make a new one, and print it; the one before signs, too, for a day',
      },
      { name: 'revoke', takes: '', summary: 'the one before signs no more, at once' },
    ],
    about: `Of the project of the key. For a day after rotate, calls are signed with both, so receivers can change one after the other.
After a leak, revoke as soon as the receivers have the new one.`,
    options: [json, ...serverOptions],
  },
  backups: {
    summary: 'list, make and restore backups of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'the newest first' },
      { name: 'create', takes: '', summary: 'back up now' },
      {
        name: 'restore',
        takes: 'NAME',
        summary: 'put one back, and wait until the server has started again',
      },
      { name: 'delete', takes: 'NAME …', summary: 'delete for good' },
    ],
    about: `Backups have templates with their versions, feeds, projects, keys, settings, the list of renders, media and added fonts;
finished files are not in them. What a restore replaces becomes a backup as well. Needs a key of the first project. Records in a
database are backed up with its own tools.`,
    options: [
      {
        name: 'all',
        help: 'for restore: renders, keys and settings as well (default: templates and feeds)',
      },
      json,
      ...serverOptions,
    ],
  },
  settings: {
    summary: 'list, read and change the settings of a running server',
    takes: 'ACTION [options]',
    actions: [
      { name: 'list', takes: '', summary: 'all, as they are in force' },
      { name: 'get', takes: 'NAME', summary: 'print one' },
      { name: 'set', takes: 'NAME VALUE …', summary: 'change one, for good' },
    ],
    about: `VALUE is a text, a number, true, false, or null for what the start of the server says; a list takes several, or '[]'.
Needs a key of the first project. What decides which files and programs the server uses can be set only on its own computer.`,
    options: [json, ...serverOptions],
  },
  mcp: {
    summary: 'let agents write, look at and render documents: an MCP server over stdin and stdout',
    takes: '[options]',
    about: `For the settings of programs such as Claude Desktop; it is no use to type it. Passes everything on to the running server, and
starts one, without a window, if none runs. That one ends with it.`,
    options: [
      {
        ...mediaOption,
        help: 'a folder that sources may name files of, for a server that is started; may be repeated',
      },
      ...serverOptions,
    ],
  },
  migrate: {
    summary: 'move the records of a data folder to PostgreSQL',
    takes: '--from DIR --database URL',
    about: `All records or none, and counted afterwards. Documents, media and finished files stay in the folder, which belongs to the
database from then on; its data files stay as they were. With --shared those files are copied first, for several servers. It can be
repeated until the database is used.`,
    options: [
      {
        name: 'from',
        value: 'DIR',
        help: `the data folder, of no running server (default: ${defaultDataFolder()})`,
      },
      {
        name: 'database',
        value: 'URL',
        help: 'e.g. postgres://user@host:5432/name; a password may come from PGPASSWORD',
      },
      {
        name: 'shared',
        value: 'DIR',
        help: 'copy documents, media, fonts and finished files to the folder that several servers will share',
      },
    ],
  },
  doctor: {
    summary: 'check this computer for what Framewright needs, and say what to do',
    takes: '[options]',
    options: [
      {
        name: 'data',
        value: 'DIR',
        help: `the data folder to look at (default: ${defaultDataFolder()})`,
      },
      {
        name: 'output',
        value: 'DIR',
        help: 'finished files (default: the folder output below the data)',
      },
      { name: 'port', value: '4820', help: 'port of the API' },
      { ...ffmpegOption, help: 'the ffmpeg to look at' },
    ],
  },
  completion: {
    summary: 'print the script that completes commands in a shell',
    takes: 'SHELL',
    actions: [
      { name: 'bash', takes: '', summary: 'source <(framewright completion bash)' },
      {
        name: 'zsh',
        takes: '',
        summary: 'framewright completion zsh > a folder of $fpath, as _framewright',
      },
      { name: 'fish', takes: '', summary: 'framewright completion fish | source' },
    ],
    options: [],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

/** A command. */
export type CommandName = keyof typeof commandRows;
