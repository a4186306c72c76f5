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
const itself = 'open the file itself there, and use the address that it has';
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

/** Sites of which no address below these hosts is a file. */
const sites = (file: string, hosts: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(hosts).map(([host, site]) => ({ site, host, path: /^\//, file }));

/** First match wins. */
const rows: readonly Row[] = [
  ...['drive.google.com', 'docs.google.com'].flatMap((host) =>
    [
      /^\/(?:a\/[\w.-]+\/)?(?:u\/\d+\/)?file\/(?:u\/\d+\/)?d\/([\w-]{10,100})/,
      /^\/(?:a\/[\w.-]+\/)?(?:u\/\d+\/)?(?:open|uc)\?(?:[^#]*&)?id=([\w-]{10,100})/,
    ].map((path) => ({ site: 'Google Drive', host, path, file: drive })),
  ),
  { site: 'Google Drive', host: 'drive.google.com', path: /^\/(?!thumbnail\?)/, file: get },
  {
    site: 'Google Docs',
    host: 'docs.google.com',
    path: /^\/(?:a\/[\w.-]+\/)?\w+\/(?:u\/\d+\/)?d\/(?![^?#]*\/export)/,
    file: 'export it as a picture or a video, and use that file',
  },
  { site: 'Google', host: 'google.com', path: /^\/(?:search|imgres|url)\?/, file: itself },
  {
    site: 'Google Fonts',
    host: 'fonts.google.com',
    path: /^\//,
    file: 'download the family there, and use the file of a font',
  },
  { site: 'Dropbox', host: 'dropbox.com', path: /^\/(?:s|scl\/fi)\/[^?#]/, file: withValue('dl') },
  {
    site: 'Dropbox',
    host: 'dropbox.com',
    path: /^\/(?:home|sh|scl\/fo|transfer|t|preview|l|doc)\//,
    file: get,
  },
  {
    site: 'OneDrive',
    host: 'onedrive.live.com',
    path: /^\/(?:embed|redir)(?=\?)/,
    file: (_groups, link) => link.replace(/\/(?:embed|redir)\?/, '/download?'),
  },
  { site: 'OneDrive', host: 'onedrive.live.com', path: /^\/(?!download)/, file: get },
  { site: 'OneDrive', host: '1drv.ms', path: /^\//, file: withValue('download') },
  {
    site: 'SharePoint',
    host: 'sharepoint.com',
    path: /^\/:[a-eg-z]:\//,
    file: withValue('download'),
  },
  {
    site: 'SharePoint',
    host: 'sharepoint.com',
    path: /^\/(?::f:\/|[^?#]*\/(?:stream|AllItems)\.aspx)/,
    file: get,
  },
  {
    site: 'GitHub',
    host: 'github.com',
    path: /^\/([\w.-]+\/[\w.-]+)\/(?:blob|blame)\/([^?#]+)/,
    file: ([repository = '', file = '']) => `https://github.com/${repository}/raw/${file}`,
  },
  {
    site: 'GitHub',
    host: 'gist.github.com',
    path: /^\/([\w.-]+\/\w+)\/?(?:[?#]|$)/,
    file: ([gist = '']) => `https://gist.github.com/${gist}/raw`,
  },
  {
    site: 'GitHub',
    host: 'github.com',
    path: /^\/[\w.-]+\/[\w.-]+(?:\/(?:tree|releases\/tag)\/[^?#]*|\/?)(?:[?#]|$)/,
    file: itself,
  },
  {
    site: 'GitLab',
    host: 'gitlab.com',
    path: /^\/([^?#]{1,300}?)(?:\/-)?\/blob\/([^?#]+)/,
    file: ([project = '', file = '']) => `https://gitlab.com/${project}/-/raw/${file}`,
  },
  {
    site: 'Bitbucket',
    host: 'bitbucket.org',
    path: /^\/([\w.-]+\/[\w.-]+)\/src\/([^?#]+)/,
    file: ([repository = '', file = '']) => `https://bitbucket.org/${repository}/raw/${file}`,
  },
  {
    site: 'Codeberg',
    host: 'codeberg.org',
    path: /^\/([\w.-]+\/[\w.-]+)\/src\/([^?#]+)/,
    file: ([repository = '', file = '']) => `https://codeberg.org/${repository}/raw/${file}`,
  },
  {
    site: 'Hugging Face',
    host: 'huggingface.co',
    path: /^\/([^?#]{1,300}?)\/blob\/([^?#]+)/,
    file: ([repository = '', file = '']) => `https://huggingface.co/${repository}/resolve/${file}`,
  },
  ...['wikimedia.org', 'wikipedia.org'].map((host) => ({
    site: 'Wikipedia',
    host,
    path: /^\/wiki\/(?:File|Datei|Fichier|Archivo|Ficheiro):[^?#]/,
    file: (_groups: readonly string[], link: string) =>
      link.replace(/\/wiki\/\w+:/, '/wiki/Special:FilePath/'),
  })),
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
  {
    site: 'Unsplash',
    host: 'unsplash.com',
    path: /^\/(?:[a-z]{2}\/)?(?:photos|fotos)\/(?![^?#]*\/download)/,
    file: get,
  },
  {
    site: 'Pexels',
    host: 'pexels.com',
    path: /^\/(?:[a-z]{2}-[a-z]{2}\/)?(?:photo|foto|video)\/(?![^?#]*\/download)/,
    file: get,
  },
  {
    site: 'Pixabay',
    host: 'pixabay.com',
    path: /^\/(?:[a-z]{2}\/)?(?:photos|videos|illustrations|vectors|gifs|music)\//,
    file: get,
  },
  { site: 'Canva', host: 'canva.com', path: /^\/design\//, file: get },
  { site: 'Figma', host: 'figma.com', path: /^\/(?:file|design|board|proto)\//, file: get },
  {
    site: 'Vimeo',
    host: 'vimeo.com',
    path: /^\/(?:\d|video\/|channels\/|showcase\/|manage\/)/,
    file: none,
  },
  { site: 'X', host: 'twitter.com', path: /^\/\w+\/status\//, file: none },
  { site: 'X', host: 'x.com', path: /^\/\w+\/status\//, file: none },
  { site: 'Dailymotion', host: 'dailymotion.com', path: /^\/video\//, file: none },
  { site: 'Loom', host: 'loom.com', path: /^\/share\//, file: none },
  { site: 'LinkedIn', host: 'linkedin.com', path: /^\/(?:posts|feed)\//, file: none },
  { site: 'Pinterest', host: 'pinterest.com', path: /^\/pin\//, file: get },
  { site: 'Reddit', host: 'reddit.com', path: /^\/(?:r|user)\//, file: itself },
  { site: 'Reddit', host: 'v.redd.it', path: /^\/\w+\/?(?:[?#]|$)/, file: itself },
  { site: 'Internet Archive', host: 'archive.org', path: /^\/details\//, file: itself },
  ...sites(none, {
    'youtube.com': 'YouTube',
    'youtube-nocookie.com': 'YouTube',
    'youtu.be': 'YouTube',
    'tiktok.com': 'TikTok',
    'instagram.com': 'Instagram',
    'facebook.com': 'Facebook',
    'fb.watch': 'Facebook',
    'twitch.tv': 'Twitch',
    'soundcloud.com': 'SoundCloud',
    'open.spotify.com': 'Spotify',
    'music.apple.com': 'Apple Music',
    'bilibili.com': 'Bilibili',
  }),
  ...sites(get, {
    'photos.google.com': 'Google Photos',
    'photos.app.goo.gl': 'Google Photos',
    'photos.onedrive.com': 'OneDrive',
    'icloud.com': 'iCloud',
    'wetransfer.com': 'WeTransfer',
    'we.tl': 'WeTransfer',
    'mega.nz': 'MEGA',
    'app.box.com': 'Box',
    'disk.yandex.ru': 'Yandex Disk',
    'disk.yandex.com': 'Yandex Disk',
    'yadi.sk': 'Yandex Disk',
    'pcloud.link': 'pCloud',
    'pan.baidu.com': 'Baidu',
    'ibb.co': 'ImgBB',
    'postimg.cc': 'Postimages',
    'prnt.sc': 'Lightshot',
    'pin.it': 'Pinterest',
    'flic.kr': 'Flickr',
    'console.aws.amazon.com': 'AWS',
    'console.cloud.google.com': 'Google Cloud',
  }),
];

/** Hosts of files of the sites above. */
const fileHosts = /^(?:api|cdn|files?|media|upload|images?|img|i|dl|p16|api-v\d)\b/;
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
