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
