/**
 * Addresses that people copy from a browser: links to share a file, which lead to a page that shows it. Where a rule
 * exists they become the address of the file; pages of other sites are known not to give one. Pure.
 */

interface Row {
  /** For people. */
  readonly site: string;
  /** The host, with all below it. */
  readonly host: string;
  /** Of the path with its query. */
  readonly path: RegExp;
  /** The address of the file: what the path's groups are put into, or words for a person where there is none. */
  readonly file: ((groups: readonly string[], link: string) => string) | string;
}

const get = 'download the file there, and use it or the address that the download has';
const none = 'the site gives no file; download the video or sound where you may, and use the file';

const drive = ([id = '']: readonly string[], link: string): string => {
  const key = /[?&]resourcekey=([\w-]{1,80})/.exec(link)?.[1];
  const more = key === undefined ? '' : `&resourcekey=${key}`;
  return `https://drive.usercontent.google.com/download?id=${id}&export=download&confirm=t${more}`;
};
/** The same link with one value of its query set. */
const withValue =
  (name: string) =>
  (_groups: readonly string[], link: string): string => {
    const [start = '', query = ''] = link.replace(/#.*$/s, '').split('?');
    const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
    return `${start}?${[...kept, `${name}=1`].join('&')}`;
  };

/** First match wins. */
const rows: readonly Row[] = [
  {
    site: 'Google Drive',
    host: 'drive.google.com',
    path: /^\/file\/(?:u\/\d+\/)?d\/([\w-]{10,100})/,
    file: drive,
  },
  {
    site: 'Google Drive',
    host: 'drive.google.com',
    path: /^\/(?:open|uc)\?(?:[^#]*&)?id=([\w-]{10,100})/,
    file: drive,
  },
  { site: 'Google Drive', host: 'drive.google.com', path: /^\//, file: get },
  {
    site: 'Google Docs',
    host: 'docs.google.com',
    path: /^\/\w+\/d\//,
    file: 'export it as a picture or a video, and use that file',
  },
  { site: 'Google Photos', host: 'photos.google.com', path: /^\//, file: get },
  { site: 'Google Photos', host: 'photos.app.goo.gl', path: /^\//, file: get },
  { site: 'Dropbox', host: 'dropbox.com', path: /^\/(?:s|scl\/fi)\/[^?#]/, file: withValue('dl') },
  { site: 'Dropbox', host: 'dropbox.com', path: /^\/(?:home|sh|scl\/fo|transfer|t)\//, file: get },
  {
    site: 'OneDrive',
    host: 'onedrive.live.com',
    path: /^\/(?:embed|redir)(?=\?)/,
    file: (_groups, link) => link.replace(/\/(?:embed|redir)\?/, '/download?'),
  },
  { site: 'OneDrive', host: 'onedrive.live.com', path: /^\/(?!download)/, file: get },
  { site: 'OneDrive', host: '1drv.ms', path: /^\//, file: withValue('download') },
  { site: 'SharePoint', host: 'sharepoint.com', path: /^\/:[a-z]:\//, file: withValue('download') },
  { site: 'iCloud', host: 'icloud.com', path: /^\//, file: get },
  {
    site: 'GitHub',
    host: 'github.com',
    path: /^\/([\w.-]+\/[\w.-]+)\/blob\/([^?#]+)/,
    file: ([repository = '', file = '']) => `https://github.com/${repository}/raw/${file}`,
  },
  {
    site: 'GitLab',
    host: 'gitlab.com',
    path: /^\/([^?#]{1,300})\/-\/blob\/([^?#]+)/,
    file: ([project = '', file = '']) => `https://gitlab.com/${project}/-/raw/${file}`,
  },
  {
    site: 'Imgur',
    host: 'imgur.com',
    path: /^\/(\w{5,10})(?:[?#]|$)/,
    file: ([id = '']) => `https://i.imgur.com/${id}.png`,
  },
  { site: 'Imgur', host: 'imgur.com', path: /^\/(?:a|gallery|t)\//, file: get },
  {
    site: 'Giphy',
    host: 'giphy.com',
    path: /^\/(?:gifs|clips|stickers)\/(?:[^/?#]*-)?(\w{8,40})(?:[?#]|$)/,
    file: ([id = '']) => `https://media.giphy.com/media/${id}/giphy.gif`,
  },
  { site: 'Tenor', host: 'tenor.com', path: /^\/view\//, file: get },
  { site: 'Unsplash', host: 'unsplash.com', path: /^\/photos\//, file: get },
  { site: 'Pexels', host: 'pexels.com', path: /^\/(?:photo|video)\//, file: get },
  {
    site: 'Pixabay',
    host: 'pixabay.com',
    path: /^\/(?:photos|videos|illustrations|music)\//,
    file: get,
  },
  { site: 'WeTransfer', host: 'wetransfer.com', path: /^\//, file: get },
  { site: 'WeTransfer', host: 'we.tl', path: /^\//, file: get },
  { site: 'Canva', host: 'canva.com', path: /^\/design\//, file: get },
  { site: 'Figma', host: 'figma.com', path: /^\/(?:file|design|board|proto)\//, file: get },
  {
    site: 'YouTube',
    host: 'youtube.com',
    path: /^\/(?:watch|shorts|embed|live|playlist)/,
    file: none,
  },
  { site: 'YouTube', host: 'youtu.be', path: /^\//, file: none },
  { site: 'Vimeo', host: 'vimeo.com', path: /^\/(?:\d|video\/|channels\/)/, file: none },
  { site: 'TikTok', host: 'tiktok.com', path: /^\//, file: none },
  { site: 'Instagram', host: 'instagram.com', path: /^\//, file: none },
  { site: 'Facebook', host: 'facebook.com', path: /^\//, file: none },
  { site: 'X', host: 'twitter.com', path: /^\/\w+\/status\//, file: none },
  { site: 'X', host: 'x.com', path: /^\/\w+\/status\//, file: none },
  { site: 'Twitch', host: 'twitch.tv', path: /^\//, file: none },
  { site: 'Dailymotion', host: 'dailymotion.com', path: /^\/video\//, file: none },
  { site: 'Loom', host: 'loom.com', path: /^\/share\//, file: none },
  { site: 'SoundCloud', host: 'soundcloud.com', path: /^\//, file: none },
  { site: 'Spotify', host: 'open.spotify.com', path: /^\//, file: none },
];

/** Hosts of files of the sites above. */
const fileHosts = /^(?:api|cdn|files|media|upload|images|i|dl|p16|api-v\d)\b/;
/** Characters of an address that are looked at. */
const longest = 2_000;

function rowOf(address: string): { row: Row; groups: readonly string[] } | null {
  const link = address.trim();
  if (link.length > longest) return null;
  const [, host = '', path = ''] = /^https?:\/\/([\w.-]+)(?::443)?(\/[^]*)?$/i.exec(link) ?? [];
  const name = host.toLowerCase();
  for (const row of rows) {
    const isSite = name === row.host || name.endsWith(`.${row.host}`);
    if (!isSite || (name !== row.host && fileHosts.test(name))) continue;
    const match = row.path.exec(path === '' ? '/' : path);
    if (match) return { row, groups: match.slice(1) };
  }
  return null;
}

/** The address of the file that a link shares; the same address where no rule fits. */
export function fileAddress(address: string): string {
  const found = rowOf(address);
  if (!found || typeof found.row.file === 'string') return address;
  return found.row.file(found.groups, address.trim());
}

/** Why an address gives a page and no file, e.g. `This is a page of YouTube: …`; null where nothing is known. */
export function pageReason(address: string): string | null {
  const file = rowOf(address);
  if (!file || typeof file.row.file !== 'string') return null;
  return `This is a page of ${file.row.site}: ${file.row.file}`;
}

/** What helps where an address of such a site gave no file; null for other addresses. */
export function linkHint(address: string): string | null {
  const page = pageReason(address);
  if (page !== null || rowOf(address) === null) return page;
  return 'share the file with everyone who has the link, and try whether a browser that is not signed in gets it';
}
