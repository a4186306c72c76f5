/** Decoding pictures for painting. */
import { createCanvas, type Canvas, type Image } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Assets } from '../../server/engine/assets/assets.ts';
import { pngChunk } from '../../server/engine/assets/pictures/picture-animation.ts';
import { ImageBook } from '../../server/engine/assets/pictures/images.ts';
import { vectorFonts } from '../helpers/drawing.ts';
import { folder, load, mediaFolder, png, useFolder } from './assets-loading.ts';

useFolder();

describe('decoding pictures', () => {
  const pixel = (drawable: Image | Canvas, x: number, y: number): number[] => {
    const context = createCanvas(drawable.width, drawable.height).getContext('2d');
    context.drawImage(drawable, 0, 0);
    return [...context.getImageData(x, y, 1, 1).data];
  };
  const book = async (
    ...files: [name: string, bytes: Buffer][]
  ): Promise<{ book: ImageBook; assets: Assets }> => {
    for (const [name, bytes] of files) writeFileSync(path.join(mediaFolder, name), bytes);
    const assets = await load({
      elements: files.map(([name]) => ({ type: 'image', source: name })),
    });
    return { book: await ImageBook.open(assets, vectorFonts), assets };
  };

  const codes = [
    ['Display P3', [12, 13, 0, 1], [234, 51, 35], [255, 0, 0]],
    ['Display P3, gray', [12, 13, 0, 1], [99, 99, 99], [99, 99, 99]],
    ['BT.2020 with the curve of BT.709', [9, 1, 0, 1], [100, 150, 200], [0, 154, 206]],
    ['BT.709', [1, 13, 0, 1], [234, 51, 35], [234, 51, 35]],
    ['no code', [200, 200, 0, 1], [234, 51, 35], [234, 51, 35]],
  ] as const;
  test.each(codes)('a png that says its colours by code: %s', async (name, code, stored, shown) => {
    const canvas = createCanvas(4, 4);
    const context = canvas.getContext('2d');
    context.fillStyle = `rgb(${stored.join()})`;
    context.fillRect(0, 0, 4, 4);
    const whole = canvas.toBuffer('image/png');
    const said = pngChunk('cICP', Buffer.from(code));
    const bytes = Buffer.concat([whole.subarray(0, 33), said, whole.subarray(33)]);
    const file = `${name.replace(/\W/g, '-')}.png`;
    const opened = await book([file, bytes]);
    const found = pixel(opened.book.image(file, 4, 4)!, 1, 1).slice(0, 3);
    found.forEach((value, at) =>
      expect(Math.abs(value - shown[at]!), found.join()).toBeLessThanOrEqual(1),
    );
  });

  /** Left half red, right half blue. */
  function halves(): Canvas {
    const canvas = createCanvas(64, 32);
    const context = canvas.getContext('2d');
    context.fillStyle = '#ff0000';
    context.fillRect(0, 0, 32, 32);
    context.fillStyle = '#0000ff';
    context.fillRect(32, 0, 32, 32);
    return canvas;
  }

  test('the EXIF mark turns the picture', async () => {
    const jpeg = halves().toBuffer('image/jpeg', 95);
    const exif = Buffer.from(
      'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0',
      'latin1',
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(exif.length + 2);
    const marked = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xe1]),
      length,
      exif,
      jpeg.subarray(2),
    ]);
    const { book: pictures, assets } = await book(['turned.jpg', marked]);
    expect(assets.media.get('turned.jpg')!.info).toMatchObject({ width: 32, height: 64 });
    const image = pictures.image('turned.jpg', 32, 64)!;
    expect([image.width, image.height]).toEqual([32, 64]);
    // Orientation 6: what was left is on top.
    expect(pixel(image, 16, 8)[0]).toBeGreaterThan(200);
    expect(pixel(image, 16, 56)[2]).toBeGreaterThan(200);
  });

  test('vector pictures are sharp at any size, and the same object for the same question', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect x="5" width="5" height="10" fill="#00ff00"/></svg>';
    const { book: pictures } = await book(['edge.svg', Buffer.from(svg)]);
    const large = pictures.image('edge.svg', 1000, 1000)!;
    expect(large.width).toBeGreaterThanOrEqual(1000);
    expect(large.width).toBeLessThan(1500);
    expect(pixel(large, large.width / 2 - 2, 500)[3]).toBe(0);
    expect(pixel(large, large.width / 2 + 2, 500)).toEqual([0, 255, 0, 255]);
    expect(pictures.image('edge.svg', 1000, 1000)).toBe(large);
    expect(pictures.image('edge.svg', 990, 1000)).toBe(large);
    expect(pictures.image('edge.svg', 1e9, 1e9)!.width).toBe(4096);
    expect(pictures.image('edge.svg', 0, 0)!.width).toBeGreaterThanOrEqual(1);
    expect(pictures.image('unknown', 1, 1)).toBeNull();
  });

  test('F56 half a picture is drawn as far as it goes, with a warning', async () => {
    const canvas = createCanvas(600, 600);
    canvas.getContext('2d').drawImage(halves(), 0, 0, 600, 600);
    const jpeg = canvas.toBuffer('image/jpeg', 95);
    const { book: pictures, assets } = await book([
      'half.jpg',
      jpeg.subarray(0, Math.round(jpeg.length / 2)),
    ]);
    expect(assets.warnings.map(({ code }) => code)).toEqual(['file_cut_off']);
    const image = pictures.image('half.jpg', 600, 600)!;
    expect([image.width, pixel(image, 20, 20)[0]! > 200]).toEqual([600, true]);
  });

  test('a vector picture that ends early fails with its element when it is drawn', async () => {
    const cut = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect wid',
    );
    const { book: opened } = await book(['cut.svg', cut]);
    expect(() => opened.image('cut.svg', 8, 8)).toThrow('is not a video, image or audio file');
  });

  test('a damaged picture fails with its element', async () => {
    const broken = Buffer.concat([png.subarray(0, 60), Buffer.alloc(200, 1), Buffer.from('IEND')]);
    await expect(book(['broken.png', broken])).rejects.toThrow(
      'Source error: Image 1.source: The file is not a video, image or audio file we can read',
    );
  });

  test('many large pictures: memory stays in its limit, and those let go come back the same', async () => {
    const large = createCanvas(4000, 3000);
    large.getContext('2d').fillRect(100, 100, 50, 50);
    const bytes = large.toBuffer('image/png');
    const names = Array.from({ length: 12 }, (_, index) => `large-${index}.png`);
    const { book: pictures } = await book(...names.map((name): [string, Buffer] => [name, bytes]));
    const mark = (name: string): string =>
      createHash('sha1')
        .update(Buffer.from(pixel(pictures.image(name, 4000, 3000)!, 120, 120)))
        .digest('hex');
    const first = mark(names[0]!);
    for (const name of names) expect(mark(name)).toBe(first);
    expect(mark(names[0]!)).toBe(first);
    pictures.close();
  }, 60_000);

  test('F60 a vector picture opens no file and asks no server', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening server on TCP has an address with a port.
    const { port } = server.address() as AddressInfo;
    writeFileSync(path.join(folder, 'red.png'), halves().toBuffer('image/png'));
    const reach = [
      'http://127.0.0.1:' + String(port) + '/x.png',
      `file://${folder}/red.png`,
      `${folder}/red.png`,
    ];
    const images = reach.map((href) => `<image href="${href}" width="20" height="20"/>`).join('');
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">${images}</svg>`;
    const { book: pictures } = await book(['reaching.svg', Buffer.from(svg)]);
    const drawn = pictures.image('reaching.svg', 20, 20)!;
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.close();
    expect(asked).toBe(0);
    expect(pixel(drawn, 4, 10)).not.toEqual([255, 0, 0, 255]);
  });
});
