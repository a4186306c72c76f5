/** Links from a browser: which become the address of a file, and which are known to give none. */
import { expect, test } from 'vitest';
import { fileAddress, pageReason } from '../../shared/renderscript/page-links.ts';
import { validate } from '../../shared/renderscript/validate.ts';

const id = '1AbCdEfGhIjKlMnOpQrStUvWxYz_0-9';
const drive = `https://drive.usercontent.google.com/download?id=${id}&export=download&confirm=t`;

test.each([
  [`https://drive.google.com/file/d/${id}/view?usp=sharing`, drive],
  [`https://drive.google.com/file/u/1/d/${id}/preview`, drive],
  [`https://drive.google.com/open?usp=sharing&id=${id}`, drive],
  [`https://drive.google.com/uc?export=download&id=${id}`, drive],
  [`https://drive.google.com/file/d/${id}/view?resourcekey=0-ab`, `${drive}&resourcekey=0-ab`],
  ['https://www.dropbox.com/s/abc/a%20b.png?dl=0', 'https://www.dropbox.com/s/abc/a%20b.png?dl=1'],
  [
    'https://www.dropbox.com/scl/fi/abc/x.mp4?rlkey=k&st=s&dl=0',
    'https://www.dropbox.com/scl/fi/abc/x.mp4?rlkey=k&st=s&dl=1',
  ],
  ['https://dropbox.com/s/abc/x.mp4', 'https://dropbox.com/s/abc/x.mp4?dl=1'],
  [
    'https://onedrive.live.com/embed?resid=1!2&authkey=k',
    'https://onedrive.live.com/download?resid=1!2&authkey=k',
  ],
  [
    'https://firm.sharepoint.com/:v:/g/personal/x/Eabc?e=q1',
    'https://firm.sharepoint.com/:v:/g/personal/x/Eabc?e=q1&download=1',
  ],
  [
    'https://github.com/me/it/blob/main/art/logo.png?raw=true',
    'https://github.com/me/it/raw/main/art/logo.png',
  ],
  ['https://gitlab.com/a/b/c/-/blob/main/logo.png', 'https://gitlab.com/a/b/c/-/raw/main/logo.png'],
  [`https://drive.google.com/a/firm.com/file/d/${id}/view`, drive],
  [`https://drive.google.com/u/0/uc?id=${id}&export=download`, drive],
  [`https://docs.google.com/uc?export=download&id=${id}`, drive],
  [`https://docs.google.com/file/d/${id}/edit`, drive],
  ['https://github.com/me/it/blame/main/logo.png', 'https://github.com/me/it/raw/main/logo.png'],
  ['https://gist.github.com/me/abc123', 'https://gist.github.com/me/abc123/raw'],
  ['https://gitlab.com/a/b/blob/main/logo.png', 'https://gitlab.com/a/b/-/raw/main/logo.png'],
  ['https://bitbucket.org/me/it/src/main/a.png', 'https://bitbucket.org/me/it/raw/main/a.png'],
  [
    'https://codeberg.org/me/it/src/branch/main/a.png',
    'https://codeberg.org/me/it/raw/branch/main/a.png',
  ],
  [
    'https://huggingface.co/me/it/blob/main/a.png',
    'https://huggingface.co/me/it/resolve/main/a.png',
  ],
  [
    'https://commons.wikimedia.org/wiki/File:Cat.jpg',
    'https://commons.wikimedia.org/wiki/Special:FilePath/Cat.jpg',
  ],
  ['https://imgur.com/AbCdEf1', 'https://i.imgur.com/AbCdEf1.png'],
  [
    'https://giphy.com/gifs/cat-jumps-3o7abcDEF12',
    'https://media.giphy.com/media/3o7abcDEF12/giphy.gif',
  ],
])('C12: %s becomes the address of the file', (link, file) => {
  expect([fileAddress(` ${link}`), pageReason(link)]).toEqual([file, null]);
  // The address of the file is not touched again.
  expect(fileAddress(file)).toBe(file);
});

test.each([
  ['https://www.youtube.com/watch?v=abc', 'YouTube'],
  ['https://m.youtube.com/shorts/abc', 'YouTube'],
  ['https://youtu.be/abc', 'YouTube'],
  ['https://vimeo.com/123', 'Vimeo'],
  ['https://www.instagram.com/p/abc/', 'Instagram'],
  ['https://imgur.com/a/abc', 'Imgur'],
  ['https://docs.google.com/presentation/d/abc/edit', 'Google Docs'],
  ['https://drive.google.com/drive/folders/abc', 'Google Drive'],
  ['https://unsplash.com/photos/a-b-c', 'Unsplash'],
  ['https://unsplash.com/de/fotos/a-b-c', 'Unsplash'],
  ['https://docs.google.com/document/u/0/d/abc/edit', 'Google Docs'],
  ['https://www.google.com/imgres?imgurl=https%3A%2F%2Fa.com%2Fx.jpg', 'Google'],
  ['https://fonts.google.com/specimen/Roboto', 'Google Fonts'],
  ['https://firm.sharepoint.com/:f:/s/team/E', 'SharePoint'],
  ['https://firm-my.sharepoint.com/personal/x/_layouts/15/stream.aspx?id=a', 'SharePoint'],
  ['https://share.icloud.com/photos/0abc', 'iCloud'],
  ['https://mega.nz/file/abc#key', 'MEGA'],
  ['https://app.box.com/s/abcdef', 'Box'],
  ['https://www.youtube.com/@name', 'YouTube'],
  ['https://www.youtube-nocookie.com/embed/a', 'YouTube'],
  ['https://github.com/me/it/tree/main/art', 'GitHub'],
  ['https://v.redd.it/abc', 'Reddit'],
])('C12: %s is a page: validate says so', (link, site) => {
  const source = { elements: [{ type: 'video', name: 'Film', source: link }] };
  expect(fileAddress(link)).toBe(link);
  expect(validate(source)).toContainEqual(
    expect.objectContaining({
      path: 'elements[0].source',
      severity: 'warning',
      message: expect.stringContaining(`This is a page of ${site}: `) as string,
    }),
  );
});

test.each([
  'https://example.com/file/d/abcdefghijklm',
  'https://notdropbox.com/s/abc/x.png',
  'https://i.imgur.com/abc.png',
  'https://unsplash.com/photos/abc/download?force=true',
  'https://www.pexels.com/video/1/download/',
  'https://docs.google.com/drawings/d/abc/export/png',
  `https://drive.google.com/thumbnail?id=${id}&sz=w1000`,
  'https://v.redd.it/abc/DASH_720.mp4',
  'https://github.com/user-attachments/assets/abc-def',
  'https://i.ibb.co/abc/x.png',
  'https://upload.wikimedia.org/wikipedia/commons/a/ab/Cat.jpg',
  'https://archive.org/download/x/x.mp4',
  'https://dl.dropboxusercontent.com/s/abc/x.png',
  'https://images.unsplash.com/photo-1',
  'https://images.pexels.com/photos/1/a.jpeg',
  'https://raw.githubusercontent.com/me/it/main/logo.png',
  'https://github.com/me/it/releases/download/v1/a.mp4',
  'media:abc',
  'youtube.com.png',
  `https://drive.google.com/${'a'.repeat(3_000)}`,
])('C12: %s stays as it is', (address) => {
  expect([fileAddress(address), pageReason(address)]).toEqual([address, null]);
});
