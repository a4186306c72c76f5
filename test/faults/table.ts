/**
 * The faults that the program is held to, by their numbers; tests carry a number in their title, as `F52: …`. What
 * cannot be caused on a Linux machine without Electron's program says why, and what stands in for it.
 */

/** One kind of fault. */
export interface Fault {
  readonly number: number;
  /** What goes wrong. */
  readonly what: string;
  /** Why no test causes it; null where one must. */
  readonly reason: string | null;
}

type Row = readonly [what: string, reason?: string];

/** In order: the first is F1. */
const rows: readonly (readonly [group: string, rows: readonly Row[]])[] = [
  [
    'Processes and power',
    [
      ['the program is killed while it draws'],
      ['the program is killed right after 202'],
      ['the program is killed between the rename of a file and its success'],
      ['the power is cut'],
      ['a renderer crashes'],
      ['a renderer runs out of memory'],
      ['a renderer hangs, or draws no more frames'],
      ['a renderer does not stop when asked'],
      ['the encoder is killed'],
      ['the encoder is missing'],
      ['the encoder is too old, or lacks a codec'],
      ['quitting while something renders'],
      ['the computer shuts down'],
      ['the computer sleeps during a render'],
      ['the program is started twice'],
      ['two programs on one data folder'],
      ['a lock that a crash left'],
      ["the window's page crashes"],
      ['the graphics process crashes'],
      ['a request handler throws'],
      ['an error that nobody handles in background work'],
    ],
  ],
  [
    'Disk and data',
    [
      ['the disk is full while encoding'],
      ['the disk is full while storing'],
      ['the disk is full at the start'],
      ['the last line of a data file is torn'],
      ['damaged bytes within a data file'],
      ['a data file is empty or missing'],
      ['data of a newer version'],
      ['the rest of an interrupted rewrite'],
      ['broken settings'],
      ['the output folder goes while idle'],
      ['the output folder goes while encoding'],
      ['the output folder cannot be written'],
      ['the drive of the output folder is pulled'],
      ['a finished file is deleted by a person'],
      ['a finished file is changed by a person'],
      ['a render expires'],
      ['the clock jumps ahead'],
      ['the clock jumps back'],
      ['daylight saving, another time zone'],
      ['a data folder on a slow drive'],
      ['a scanner refuses a rename'],
      ['50,000 renders, 5,000 templates'],
      ['no backup can be written'],
    ],
  ],
  [
    'Media',
    [
      ['media: 404, 403, 410, 500'],
      ['no such name, no connection, a bad certificate'],
      ['a media server that says nothing'],
      ['a byte every few seconds'],
      ['an endless body'],
      ['less than announced'],
      ['too many redirects'],
      ['a redirect to where nothing may be read'],
      ['names and spellings of refused addresses, also ones that change'],
      ['a page or text in place of media'],
      ['playlists in disguise'],
      ['truncated media'],
      ['a length that is not true'],
      ['a picture of 900 megapixels'],
      ['an answer that unfolds a thousand times'],
      ['hostile SVG'],
      ['unusual videos: sizes, rates, rotation, channels, depth, opacity'],
      ['unknown or damaged codecs'],
      ['paths outside of the media folders, devices, pipes'],
      ['a local file changes during the render'],
      ['a missing font'],
      ['a damaged font'],
    ],
  ],
  [
    'Templates and values',
    [
      ['10,000 levels'],
      ['10,000 elements'],
      ['one element, one composition too many'],
      ['bad sizes'],
      ['bad times, rates and scales'],
      ['bad colours, units, types and unknown names'],
      ['names that several have, with dots, empty, `__proto__`'],
      ['a modification for nothing'],
      ['keys and values of any characters'],
      ['hostile text'],
      ['a scene that is copied into itself'],
      ['a template changes while its render waits'],
      ['order of keys, spelling of numbers'],
      ['a template that newer rules refuse'],
    ],
  ],
  [
    'Use and misuse of the API',
    [
      ['no JSON, or in another coding'],
      ['a body that is no object'],
      ['no or another content type'],
      ['bodies too large, zipped, cut, endless'],
      ['broken HTTP'],
      ['slow headers, idle connections'],
      ['foreign Host headers'],
      ["another web page's requests"],
      ['missing, wrong and misplaced keys'],
      ['31 requests in 10 seconds'],
      ['IDs and paths of other forms'],
      ['other methods, slashes, cases'],
      ['a client that goes away'],
      ['the same create twice'],
      ['create, then GET at once'],
      ['ranges, also of a file that goes'],
      ['a list while 1,000 are written'],
      ['odd filters'],
      ['deleting twice, changing what is gone'],
      ['credits used up'],
      ['the port is taken'],
      ['a port that is not allowed'],
      [
        'a security program blocks the port',
        'Linux has none that does; a port that the system refuses takes the same way as F101 and F102',
      ],
    ],
  ],
  [
    'Webhooks',
    [
      ['a receiver that hangs'],
      ['answers that are failures'],
      ['410'],
      ['Retry-After in all forms'],
      ['tries due while the program was closed'],
      ['killed between success and storing it'],
      ['500 events for one receiver'],
      ['refused addresses'],
      ['signatures'],
      ['no network'],
    ],
  ],
  [
    'Window',
    [
      ['names and errors with markup'],
      ['a page that goes elsewhere, opens windows, asks for a camera'],
      ['calls to the main process of a wrong form, or from another frame'],
      ['1,000 events per second'],
      ['an event is lost'],
      ['killed while somebody types'],
      ['a template is saved elsewhere while it is open'],
      ['a preview that crashes the engine'],
      ['a screen that is gone, large zoom, large text'],
      ['hostile spreadsheets'],
      ['killed in the middle of a batch'],
    ],
  ],
  [
    'Packaging',
    [
      ['native parts inside the packed archive'],
      ['paths with blanks, emoji, 200 characters'],
      ['a read-only folder, no home folder, no display'],
      ['a scanner removes the encoder'],
      [
        'an update while rendering',
        'the program brings no updates by itself: an installer or a package manager replaces files, and quitting asks first (F12)',
      ],
      [
        'an update is interrupted',
        'the program brings no updates by itself; a package manager or an installer finishes or undoes its own work',
      ],
      ['an older version on newer data'],
    ],
  ],
  [
    'Attacks',
    [
      ['a callback throws within a request'],
      ['a callback of background work throws'],
      ['a form whose parts lack a name, a disposition or an end'],
      ['a small spreadsheet with large entries that nobody needs'],
      ['a file in a watched folder that ends the program whenever it is read'],
      ['a sweep in the middle of a write'],
      ['thousands of misspelt names'],
      ['a small file whose header asks for gigabytes'],
      ['a request that nothing ever answers'],
      ['programs that are killed leave half files and folders'],
    ],
  ],
];

/** All of them, F1 first. */
export const faults: readonly Fault[] = rows
  .flatMap(([, group]) => group)
  .map(([what, reason = null], index) => ({ number: index + 1, what, reason }));
