/** An ffmpeg before version 5 reads files of this computer, and those of others only when a person says so. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Assets } from '../../server/engine/assets/assets.ts';
import { loadAssets, type LoadTuning } from '../../server/engine/assets/load.ts';
import { findFfmpeg, type Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { engineEnvironment } from '../../server/jobs/worker/fork-worker.ts';
import { packagedFfmpeg } from '../packaged-ffmpeg.mjs';
import type { Source } from '../../shared/renderscript/source.ts';

const file = packagedFfmpeg();
const fixtures = path.resolve('test/fixtures');
let folder: string;
let server: Server;
let port: number;
let old: Ffmpeg;

describe.skipIf(file === undefined)('ffmpeg 4', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'framewright-old-'));
    old = await findFfmpeg(file);
    server = createServer((request, response) => {
      response.end(readFileSync(path.join(fixtures, path.basename(request.url ?? ''))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  let turn = 0;
  /** Every name leads to the server here. */
  const resolve: LoadTuning['resolve'] = (_, done) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  const load = (source: string, type = 'video', ffmpeg = old): Promise<Assets> => {
    const document: Source = { elements: [{ type, name: 'Film', source }] };
    const options = {
      workFolder: path.join(folder, `work-${turn++}`),
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [fixtures],
      pictureMegapixels: 100,
      mediaBytes: 1e9,
      allowPrivateAddresses: true,
      ownPorts: [],
      signal: new AbortController().signal,
    };
    return loadAssets(document, options, ffmpeg, { resolve });
  };

  test('is what this test takes it for', () => expect(old.major).toBe(4));

  test.each(['films.example', 'localhost.example', '127.0.0.1.example'])(
    'reads no film of %s, and says what to do',
    async (host) => {
      const address = `http://${host}:${port}/numbers.mp4`;
      await expect(load(address)).rejects.toMatchObject({
        code: 'media_refused',
        message: expect.stringMatching(
          /^Source error: Film\.source: ffmpeg 4\.\d is too old to read files from other computers safely: install ffmpeg 5 or newer, or set FRAMEWRIGHT_OLD_FFMPEG=allow /,
        ) as string,
      });
      await expect(load(address, 'audio')).rejects.toThrow('too old');
    },
  );

  test('reads pictures, which it has nothing to do with', async () => {
    const { media } = await load(`http://films.example:${port}/pattern.png`, 'image');
    expect(media.size).toBe(1);
  });

  test.each([
    'numbers.mp4',
    'http://localhost:PORT/numbers.mp4',
    'http://127.0.0.1:PORT/numbers.mp4',
  ])('reads %s', async (source) => {
    expect((await load(source.replace('PORT', String(port)))).media.size).toBe(1);
  });

  test('reads everything when a person says so; a newer one does anyway', async () => {
    const address = `http://films.example:${port}/numbers.mp4`;
    vi.stubEnv('FRAMEWRIGHT_OLD_FFMPEG', 'allow');
    // Workers get what is needed of the environment, and nothing else.
    expect(engineEnvironment()).toMatchObject({ FRAMEWRIGHT_OLD_FFMPEG: 'allow' });
    expect((await load(address)).media.size).toBe(1);
    vi.stubEnv('FRAMEWRIGHT_OLD_FFMPEG', 'yes');
    await expect(load(address)).rejects.toThrow('too old');
    expect((await load(address, 'video', { ...old, major: 5, minor: 0 })).media.size).toBe(1);
  });
});
