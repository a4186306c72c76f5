/** Fetching from a server that misbehaves, refused addresses, the cache. */
import { findLocal } from '../../server/system/media-folders.ts';
import { createCanvas } from '@napi-rs/canvas';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadAssets, type LoadTuning } from '../../server/engine/assets/load.ts';
import { usualTimes } from '../../server/engine/assets/fetch/download-request.ts';
import { refusalWords } from '../../server/system/address-rule.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import {
  failure,
  ffmpeg,
  folder,
  load,
  mediaFolder,
  options,
  photo,
  png,
  times,
  useFolder,
} from './assets-loading.ts';

useFolder();
const fixtures = path.resolve('test/fixtures');

/** An avi with a GAB2 packet, which players open as a file of its own, in front of its pictures. */
function withSubtitle(avi: Buffer, text: string): Buffer {
  const name = Buffer.from('GAB2\0\x02\0\x04\0\0\0s\0\0\0\x04\0', 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const content = Buffer.concat([name, length, Buffer.from(text)]);
  const chunk = Buffer.alloc(8);
  chunk.write('01tx', 'latin1');
  chunk.writeUInt32LE(content.length, 4);
  const at = avi.indexOf('movi') + 4;
  const padding = Buffer.alloc(content.length % 2);
  return Buffer.concat([avi.subarray(0, at), chunk, content, padding, avi.subarray(at)]);
}

/** What the server does with a path; requests are counted by path. */
type Behaviour = (request: IncomingMessage, response: ServerResponse, count: number) => void;
const seen = new Map<string, IncomingMessage[]>();
let server: Server;
let origin: string;
let port: number;

const ok = (response: ServerResponse, body: Buffer, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'content-length': String(body.length), ...headers }).end(body);
};

/** 50 kB that unfold a thousand times. */
const bomb = gzipSync(Buffer.alloc(50_000_000));

/** Requests for the slow picture: those under way, and the most at one time. */
const slow = { open: 0, most: 0 };

/** Sends the second half of the picture that waits for it. */
let release: () => void = () => undefined;

const behaviours: Record<string, Behaviour> = {
  '/fine.png': (_, response) => ok(response, png),
  '/slow.png': (_, response) => {
    slow.open += 1;
    slow.most = Math.max(slow.most, slow.open);
    setTimeout(() => {
      slow.open -= 1;
      ok(response, png);
    }, 60);
  },
  '/held.png': (_, response) => {
    response.writeHead(200, { 'content-length': png.length });
    response.write(png.subarray(0, png.length / 2));
    release = () => void response.end(png.subarray(png.length / 2));
  },
  '/missing': (_, response) => void response.writeHead(404).end('no'),
  '/forbidden': (_, response) => void response.writeHead(403).end(),
  '/gone': (_, response) => void response.writeHead(410).end(),
  '/broken': (_, response) => void response.writeHead(500).end(),
  '/broken-twice': (_, response, count) =>
    count < 3 ? void response.writeHead(503).end() : ok(response, png),
  '/too-many': (_, response, count) =>
    count === 1 ? void response.writeHead(429, { 'retry-after': '1' }).end() : ok(response, png),
  '/short': (_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('12345', () => response.destroy());
  },
  '/short-once': (_, response, count) => {
    if (count > 1) {
      ok(response, png);
      return;
    }
    response.writeHead(200, { 'content-length': String(png.length) });
    response.write(png.subarray(0, 20), () => response.destroy());
  },
  // In pieces, without saying how long it is.
  '/pieces.png': (_, response) => {
    response.write(png.subarray(0, 30));
    setTimeout(() => response.end(png.subarray(30)), 20);
  },
  '/silent': () => undefined,
  '/stuck': (_, response) =>
    void response.writeHead(200, { 'content-length': '1000' }).write('12345'),
  '/trickle': (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/endless': (_, response) => {
    response.writeHead(200);
    const write = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(65536), write);
    };
    write();
  },
  '/bomb': (_, response) => ok(response, bomb, { 'content-encoding': 'gzip' }),
  '/zipped.png': (_, response) => ok(response, gzipSync(png), { 'content-encoding': 'gzip' }),
  '/loop': (_, response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/to-file': (_, response) =>
    void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-metadata': (_, response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/to-nowhere': (_, response) => void response.writeHead(302, { location: 'http://:x' }).end(),
  '/to-bare': (_, response) => void response.writeHead(302, { location: 'http://0/' }).end(),
  '/hops6': (_, response) => void response.writeHead(302, { location: '/hops5' }).end(),
  '/hops5': (_, response) => void response.writeHead(301, { location: '/hops4' }).end(),
  '/hops4': (_, response) => void response.writeHead(302, { location: '/hops3' }).end(),
  '/hops3': (_, response) => void response.writeHead(303, { location: '/hops2' }).end(),
  '/hops2': (_, response) => void response.writeHead(307, { location: '/hops1' }).end(),
  '/hops1': (_, response) => void response.writeHead(308, { location: '/fine.png' }).end(),
  '/page': (_, response) =>
    ok(response, Buffer.from('<!doctype html><p>Hello'), { 'content-type': 'image/png' }),
  '/words': (_, response) => ok(response, Buffer.from('Just words.')),
  '/dash.mp4': (_, response) =>
    ok(
      response,
      Buffer.from(
        `<?xml version="1.0"?><MPD><Period><BaseURL>file://${folder}/secret.txt</BaseURL></Period></MPD>`,
      ),
    ),
  '/list.mp4': (_, response) =>
    ok(response, Buffer.from(`#EXTM3U\n#EXTINF:1,\nfile://${folder}/secret.txt\n`)),
  '/concat.mp4': (_, response) =>
    ok(response, Buffer.from(`ffconcat version 1.0\nfile '${folder}/secret.txt'\n`)),
  '/cut.mp4': (_, response) =>
    ok(response, readFileSync(path.join(fixtures, 'numbers.mp4')).subarray(0, 2000)),
  '/marked.png': (request, response) => {
    if (request.headers['if-none-match'] === '"one"') response.writeHead(304).end();
    else ok(response, png, { etag: '"one"' });
  },
  '/cleared.png': (request, response) => {
    if (request.headers['if-none-match'] !== '"one"') {
      ok(response, png, { etag: '"one"' });
      return;
    }
    rmSync(path.join(folder, 'shared-cleared'), { recursive: true });
    response.writeHead(304).end();
  },
  '/dated.png': (request, response, count) => {
    const date = count < 3 ? 'Mon, 02 Nov 2026 10:00:00 GMT' : 'Tue, 03 Nov 2026 10:00:00 GMT';
    if (request.headers['if-modified-since'] === date) response.writeHead(304).end();
    else
      ok(response, count < 3 ? png : createCanvas(50, 50).toBuffer('image/png'), {
        'last-modified': date,
      });
  },
  '/private.png': (_, response) =>
    ok(response, png, { etag: '"secret"', 'cache-control': 'no-store' }),
  '/sometimes.png': (_, response, count) =>
    count === 1 ? ok(response, png, { etag: '"s"' }) : void response.destroy(),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = (request.url ?? '').split('?')[0] ?? '';
    const requests = [...(seen.get(name) ?? []), request];
    seen.set(name, requests);
    const behaviour = behaviours[name];
    if (behaviour) behaviour(request, response, requests.length);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.clear();
  release = () => undefined;
});

describe('fetching', () => {
  test('a picture', async () => {
    const { media, warnings } = await load(photo(`${origin}/fine.png`));
    const file = media.get(`${origin}/fine.png`)!;
    expect(file.info).toMatchObject({ kind: 'image', format: 'png', width: 40, height: 30 });
    expect(readFileSync(file.path)).toEqual(png);
    expect(warnings).toEqual([]);
  });

  test('tells the server nothing about anybody', async () => {
    await load(photo(`${origin}/fine.png`));
    const { headers } = seen.get('/fine.png')![0]!;
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  test('each address once, several at a time, with progress', async () => {
    const source = {
      elements: Array.from({ length: 12 }, (_, index) => ({
        type: 'image',
        source: `${origin}/slow.png?${index % 6}`,
      })),
    };
    const steps: string[] = [];
    const { media } = await load(source, {
      onProgress: ({ files, fileCount }) => {
        const step = `${files}/${fileCount}`;
        if (steps.at(-1) !== step) steps.push(step);
      },
    });
    expect(media.size).toBe(6);
    expect(seen.get('/slow.png')).toHaveLength(6);
    expect(slow.most).toBeGreaterThan(1);
    expect(steps).toEqual(['0/6', '1/6', '2/6', '3/6', '4/6', '5/6', '6/6']);
  });

  describe('bytes are told while they arrive, and never go down', () => {
    /** Every different step of loading these files. */
    const steps = async (
      sources: readonly string[],
    ): Promise<{ bytes: number; bytesTotal: number | null }[]> => {
      const told: { bytes: number; bytesTotal: number | null }[] = [];
      const elements = sources.map((source) => ({ type: 'image', source }));
      await load(
        { elements },
        {
          onProgress: ({ bytes, bytesTotal }) => {
            told.push({ bytes, bytesTotal });
            if (bytesTotal !== null) release();
          },
        },
      );
      told.forEach(({ bytes }, index) => {
        expect(bytes).toBeGreaterThanOrEqual(told[index - 1]?.bytes ?? 0);
      });
      return told;
    };
    const inline = `data:image/png;base64,${png.toString('base64')}`;

    test('of all, where all sizes are known; packed files as they come', async () => {
      const told = await steps([`${origin}/held.png`, `${origin}/zipped.png`, inline]);
      const total = 2 * png.length + gzipSync(png).length;
      expect(told[0]).toEqual({ bytes: 0, bytesTotal: null });
      expect(told.at(-1)).toEqual({ bytes: total, bytesTotal: total });
      expect(told.some(({ bytes, bytesTotal }) => bytesTotal === total && bytes < total)).toBe(
        true,
      );
    });

    test('alone, as long as a server does not say how many come', async () => {
      const told = await steps([`${origin}/pieces.png`, inline]);
      const total = 2 * png.length;
      expect(told.filter(({ bytes }) => bytes < total).map(({ bytesTotal }) => bytesTotal)).toEqual(
        told.filter(({ bytes }) => bytes < total).map(() => null),
      );
      expect(told.some(({ bytes }) => bytes > 0 && bytes < total)).toBe(true);
      expect(told.at(-1)).toEqual({ bytes: total, bytesTotal: total });
    });

    test('of a file that breaks off and begins anew', async () => {
      const told = await steps([`${origin}/short-once`]);
      expect(told.some(({ bytes }) => bytes === 20)).toBe(true);
      expect(told.at(-1)).toEqual({ bytes: png.length, bytesTotal: png.length });
    });
  });

  // Fault row, path, words of the sentence, number of requests.
  const itself =
    'an address that gives it leads to a page or an error; use the address of the file itself';
  const video = 'use the address of the video itself';
  test.each([
    ['F45', '/missing', 'The server answered 404 Not Found', 1],
    ['F45', '/forbidden', 'The server answered 403 Forbidden', 1],
    ['F45', '/gone', 'The server answered 410 Gone', 1],
    ['F45', '/broken', 'The server answered 500 Internal Server Error', 3],
    ['F50', '/short', 'The file ends too early', 3],
    ['F47', '/silent', 'No data for 400 milliseconds', 3],
    ['F47', '/stuck', 'No data for 400 milliseconds', 3],
    ['F48', '/trickle', 'Not finished after 900 milliseconds', 1],
    ['F49', '/endless', 'Larger than the limit of 3.8 MB', 1],
    ['F59', '/bomb', 'Larger than the limit of 3.8 MB', 1],
    ['F51', '/loop', 'More than 5 redirects', 6],
    ['F52', '/to-file', 'This address is not allowed (file:///etc/passwd)', 1],
    [
      'F52',
      '/to-metadata',
      `This address is not allowed (169.254.169.254): ${refusalWords.never}`,
      1,
    ],
    ['F52', '/to-nowhere', 'This address is not allowed (http://:x)', 1],
    ['F51', '/hops6', 'More than 5 redirects', 1],
    ['F52', '/to-bare', `This address is not allowed (0.0.0.0): ${refusalWords.never}`, 1],
    ['F54', '/words', `The file is text, which can't be used: ${itself}`, 1],
    ['F54', '/page', `The file is a web page (HTML), which can't be used: ${itself}`, 1],
    ['F55', '/list.mp4', `The file is a playlist (M3U8), which can't be used: ${video}`, 1],
    ['F55', '/dash.mp4', `The file is a playlist (MPEG-DASH), which can't be used: ${video}`, 1],
    [
      'F55',
      '/concat.mp4',
      "The file is a list of files, which can't be used: use the files themselves",
      1,
    ],
    ['F56', '/cut.mp4', 'The file ends too early', 1],
  ])('%s %s fails with: %s', async (_row, name, sentence, requests) => {
    // Only one of them is about the whole time; a busy computer must not end the others by it.
    const patient = { ...times, whole: name === '/trickle' ? times.whole : 20_000 };
    const error = await failure(photo(`${origin}${name}?key=secret`), {}, { times: patient });
    expect(error.message).toBe(`Source error: Photo.source: ${sentence} (${origin}${name})`);
    expect(error.path).toBe('elements[0].source');
    expect(seen.get(name)).toHaveLength(requests);
  });

  // Fault row, path.
  test.each([
    ['F45', '/broken-twice'],
    ['F45', '/too-many'],
    ['F50', '/short-once'],
    ['F51', '/hops5'],
    ['F59', '/zipped.png'],
  ])('%s %s arrives in the end', async (_row, name) => {
    const { media } = await load(photo(`${origin}${name}`));
    expect(readFileSync(media.get(`${origin}${name}`)!.path)).toEqual(png);
  });

  test('F49 nothing is left of a failed download', async () => {
    const used = options();
    await loadAssets(photo(`${origin}/endless`), used, ffmpeg, { times }).catch(() => undefined);
    expect(readdirSync(used.workFolder)).toEqual([]);
  });

  test('F46 a name that does not exist and a closed port', async () => {
    const resolve: LoadTuning['resolve'] = (_, done) =>
      done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    expect((await failure(photo('http://nowhere.example/x'), {}, { resolve })).message).toBe(
      'Source error: Photo.source: Could not connect (the name does not exist) (http://nowhere.example/x)',
    );
    expect((await failure(photo('http://127.0.0.1:1/x'))).message).toContain(
      'Could not connect (connection refused)',
    );
  });

  test('F46 a certificate that nobody vouches for: said at once, not tried again', async () => {
    // A key for tests alone, and its certificate, which only it has signed.
    const pem = readFileSync(path.join(fixtures, 'self-signed.pem'));
    let connections = 0;
    const secure = createSecureServer({ key: pem, cert: pem });
    secure.on('connection', () => connections++);
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    // A listening server on TCP has an address with a port.
    const securePort = (secure.address() as AddressInfo).port;
    const error = await failure(photo(`https://127.0.0.1:${securePort}/x.png`));
    secure.close();
    expect(error.message).toContain('Could not connect (the certificate is not trusted)');
    expect(connections).toBe(1);
  });

  test('F47 F48 the usual times: a silent server costs less than two minutes, a slow one ten', () => {
    const { firstByte, pauses, whole, longestPause } = usualTimes;
    const tries = pauses.length + 1;
    expect(firstByte * tries + pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(120_000);
    expect([tries, whole, longestPause]).toEqual([3, 600_000, 60_000]);
  });

  test('C11: a name with accents is found however it is spelt', async () => {
    const [short, long] = ['Übersicht é.png'.normalize('NFC'), 'Übersicht é.png'.normalize('NFD')];
    const inside = path.join(mediaFolder, 'Größe'.normalize('NFD'));
    mkdirSync(inside, { recursive: true });
    for (const [stored, asked] of [
      [short, long],
      [long, short],
    ] as const) {
      const file = path.join(inside, stored);
      writeFileSync(file, png);
      const folders: readonly string[] = [mediaFolder];
      for (const address of [
        `Größe/${asked}`,
        `media:${encodeURIComponent('Größe')}/${asked}`,
        path.join(mediaFolder, 'Größe', asked),
      ]) {
        const found = await findLocal(address, folders);
        expect(found).toMatchObject({ kind: 'file', bytes: png.length });
      }
      rmSync(file);
    }
    const outside = await findLocal('../../é/secret.png', [mediaFolder]);
    expect(outside?.kind).toBe('outside');
  });

  test('F55 a playlist in the media folder: nothing of what it points at is read', async () => {
    const secret = path.join(folder, 'secret.txt');
    writeFileSync(secret, 'the secret');
    const long = new Date(2020, 1, 1);
    utimesSync(secret, long, long);
    const lists: Record<string, string> = {
      'list.mp4': `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
      'concat.ts': `ffconcat version 1.0\nfile '${secret}'\n`,
      'list.avi': `[playlist]\nFile1=${secret}\n`,
      'frames.png': `${secret}%03d.png`,
    };
    for (const [name, text] of Object.entries(lists)) {
      writeFileSync(path.join(mediaFolder, name), text);
      for (const type of ['video', 'image', 'audio']) {
        const error = await failure(photo(name, type));
        expect(error.message).toMatch(
          /^Source error: Photo\.source: The file is (?:text|a playlist|a list of files)/,
        );
        expect(error.message).not.toContain('secret');
      }
    }
    // Their names alone, with the pattern of a row of pictures, find nothing either.
    expect((await failure(photo('frames%03d.png', 'video'))).message).toContain('does not exist');
    // Where the disk notes reading at all, it has noted none.
    expect(statSync(secret).atime).toEqual(long);
  });

  test('F55 a container that carries a playlist as subtitles: it is not followed', async () => {
    const clip = path.join(folder, 'carrier.avi');
    runFfmpegSync(...['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=1', '-c:v', 'mpeg4', clip]);
    let asked = 0;
    const trap = createServer((_request, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    // A listening server on TCP has an address with a port.
    const trapPort = (trap.address() as AddressInfo).port;
    const list = `#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:${trapPort}/x.ts\n#EXT-X-ENDLIST\n`;
    const bytes = readFileSync(clip);
    writeFileSync(path.join(mediaFolder, 'carrier.avi'), withSubtitle(bytes, list));
    const { media } = await load(photo('carrier.avi', 'video'));
    trap.close();
    expect(media.get('carrier.avi')!.info).toMatchObject({ kind: 'video', width: 64 });
    expect(asked).toBe(0);
  });

  test('cancelling ends a download at once', async () => {
    const ending = new AbortController();
    const loading = load(
      photo(`${origin}/silent`),
      { signal: ending.signal },
      { times: { ...times, firstByte: 60_000 } },
    );
    setTimeout(() => ending.abort(), 30);
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('refusing', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['[::ffff:7f00:1]', '::ffff:7f00:1'],
    ['[::1]', '::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('F53 http://%s without the setting', async (host, address) => {
    const resolve: LoadTuning['resolve'] = (_, done) =>
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    const error = await failure(
      photo(`http://${host}:${port}/fine.png`),
      { allowPrivateAddresses: false },
      { resolve },
    );
    expect(error.message).toContain(`This address is not allowed (${address})`);
    expect(error.code).toBe('media_refused');
    expect(seen.size).toBe(0);
  });

  test('F53 a name that changes its answer: every connection is checked by itself', async () => {
    let asked = 0;
    const resolve: LoadTuning['resolve'] = (_, done) =>
      done(null, [{ address: ++asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
    behaviours['/again'] = (_, response) =>
      void response.writeHead(302, { location: `http://changing.example:${port}/fine.png` }).end();
    const error = await failure(photo(`http://changing.example:${port}/again`), {}, { resolve });
    expect(error.message).toContain('This address is not allowed (169.254.169.254)');
    expect([...seen.keys()]).toEqual(['/again']);
  });

  test('F52 our own port, however it is written, also after a redirect', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const error = await failure(photo(`http://${host}:${port}/fine.png`), { ownPorts: [port] });
      expect(error.message).toContain('This address is not allowed');
    }
    expect(seen.size).toBe(0);
    // A server beside ours that points to it.
    const beside = createServer((_request, response) => {
      response.writeHead(302, { location: `${origin}/fine.png` }).end();
    });
    await new Promise<void>((resolve) => beside.listen(0, '127.0.0.1', resolve));
    // A listening server on TCP has an address with a port.
    const besidePort = (beside.address() as AddressInfo).port;
    const error = await failure(photo(`http://127.0.0.1:${besidePort}/x.png`), {
      ownPorts: [port],
    });
    beside.close();
    expect(error.message).toContain('This address is not allowed (127.0.0.1)');
    expect(seen.size).toBe(0);
  });

  test.each([
    [
      'http://someone:secret@127.0.0.1/x',
      'Addresses with a user name or password are not allowed (http://***@127.0.0.1/x)',
    ],
    ['ftp://example.com/x', 'This address is not allowed (ftp://example.com/x)'],
    ['concat:a|b', 'This address is not allowed (concat:a|b)'],
    ['http://', 'This is not a valid address (http://)'],
  ])('%s', async (address, sentence) => {
    expect((await failure(photo(address))).message).toContain(sentence);
  });
});

describe('the cache', () => {
  test.each([
    ['/marked.png', 2],
    ['/dated.png', 2],
  ])('%s is asked for, but not sent again', async (name, requests) => {
    const cacheFolder = path.join(folder, `shared-${name.slice(1)}`);
    await load(photo(`${origin}${name}`), { cacheFolder });
    const { media } = await load(photo(`${origin}${name}`), { cacheFolder });
    expect(readFileSync(media.get(`${origin}${name}`)!.path)).toEqual(png);
    expect(seen.get(name)).toHaveLength(requests);
  });

  test('a newer file replaces the kept one', async () => {
    const cacheFolder = path.join(folder, 'shared-newer');
    const address = `${origin}/dated.png`;
    for (const width of [40, 40, 50, 50]) {
      const { media } = await load(photo(address), { cacheFolder });
      expect(media.get(address)!.info.width).toBe(width);
    }
    expect(readdirSync(cacheFolder).filter((name) => name.endsWith('.bin'))).toHaveLength(1);
  });

  test('keeps nothing that must not be stored or can never be checked', async () => {
    const cacheFolder = path.join(folder, 'shared-none');
    await load(photo(`${origin}/private.png`), { cacheFolder });
    await load(photo(`${origin}/fine.png`), { cacheFolder });
    expect(() => readdirSync(cacheFolder)).toThrow(/ENOENT/);
  });

  test('a server that does not answer any more: the copy is used, and that is said', async () => {
    const cacheFolder = path.join(folder, 'shared-offline');
    const address = `${origin}/sometimes.png`;
    await load(photo(address), { cacheFolder });
    const { media, warnings } = await load(photo(address), { cacheFolder });
    expect(readFileSync(media.get(address)!.path)).toEqual(png);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]!.message).toMatch(
      /^Could not connect .*; the copy of 20\d\d-\d\d-\d\d is used instead$/,
    );
  });

  test('a copy that is cleared while the server is asked is fetched again', async () => {
    const cacheFolder = path.join(folder, 'shared-cleared');
    const address = `${origin}/cleared.png`;
    await load(photo(address), { cacheFolder });
    const { media } = await load(photo(address), { cacheFolder });
    expect(readFileSync(media.get(address)!.path)).toEqual(png);
    const validators = seen.get('/cleared.png')!.map(({ headers }) => headers['if-none-match']);
    expect(validators).toEqual([undefined, '"one"', undefined]);
  });

  test('a damaged copy is fetched again', async () => {
    const cacheFolder = path.join(folder, 'shared-damaged');
    const address = `${origin}/marked.png`;
    await load(photo(address), { cacheFolder });
    const kept = readdirSync(cacheFolder).find((name) => name.endsWith('.bin'))!;
    writeFileSync(path.join(cacheFolder, kept), 'x');
    expect((await load(photo(address), { cacheFolder })).media.get(address)!.info.width).toBe(40);
  });
});
