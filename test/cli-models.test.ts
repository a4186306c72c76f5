/**
 * Speech models on the command line: fetched from a mirror whose connections break, listed, removed; and recordings
 * written down. Runs the built program.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchModel, type ModelOrder } from '../server/system/speech-download.ts';
import { proxyFor } from '../server/system/through-proxy.ts';
import { speechModels, type SpeechModel } from '../shared/speech-models.ts';
import { runCli } from './helpers/cli.ts';
import { runFfmpegSync } from './helpers/media.ts';
import { sharedMedia } from './helpers/shared-media.ts';

vi.setConfig({ testTimeout: 60_000 });

const root = mkdtempSync(path.join(tmpdir(), 'models-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'test-'));
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** @returns its address */
async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const content = randomBytes(300_000);
const model: SpeechModel = {
  ...{ name: 'mine', repository: 'me/models/resolve/1', file: 'ggml-mine.bin', hears: true },
  ...{ bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
  ...{ quality: '', speed: '' },
};

function orderFor(mirror: string, more: Partial<ModelOrder> = {}): ModelOrder {
  const { signal } = new AbortController();
  return { folder, mirror, signal, onProgress: () => undefined, ...more };
}

/** Sends a part of the content as the request's range says. */
function send(request: IncomingMessage, response: ServerResponse, most = Infinity): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const range = `bytes ${from}-${content.length - 1}/${content.length}`;
  response.writeHead(from > 0 ? 206 : 200, {
    ...{ 'content-length': content.length - from },
    ...(from > 0 && { 'content-range': range }),
  });
  const part = content.subarray(from, from + most);
  if (part.length === content.length - from) response.end(part);
  else response.write(part, () => response.destroy());
}

describe('fetching', () => {
  test('goes on where the connection was lost, also over a redirect', async () => {
    const ranges: (string | undefined)[] = [];
    const shares: number[] = [];
    const address = await serve((request, response) => {
      if (request.url === '/me/models/resolve/1/ggml-mine.bin') {
        response.writeHead(302, { location: '/elsewhere' }).end();
        return;
      }
      ranges.push(request.headers.range);
      send(request, response, 150_000);
    });
    const onProgress = (bytes: number): void => void shares.push(bytes);
    const file = await fetchModel(model, orderFor(address, { onProgress }));
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
    expect(shares.at(-1)).toBe(content.length);
    expect(existsSync(`${file}.part`)).toBe(false);
    // It is there: nobody is asked.
    ranges.length = 0;
    await fetchModel(model, orderFor(address));
    expect(ranges).toEqual([]);
  });

  test('that was stopped goes on at the next one', async () => {
    const end = new AbortController();
    const address = await serve((request, response) => {
      if (request.headers.range === undefined) {
        response.writeHead(200, { 'content-length': content.length });
        response.write(content.subarray(0, 100_000));
      } else send(request, response);
    });
    const stopped = fetchModel(model, {
      ...orderFor(address, { signal: end.signal }),
      onProgress: () => end.abort(new Error('stopped')),
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(existsSync(path.join(folder, 'ggml-mine.bin.part'))).toBe(true);
    const file = await fetchModel(model, orderFor(address));
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  test('keeps nothing that is something else, and says so', async () => {
    const other = await serve((_request, response) => response.end(Buffer.alloc(content.length)));
    await expect(fetchModel(model, orderFor(other))).rejects.toThrow(
      /expected SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}\. Try again/,
    );
    const missing = await serve((_request, response) => response.writeHead(404).end());
    await expect(fetchModel(model, orderFor(missing))).rejects.toThrow(/status 404.*--mirror/);
    const longer = await serve((_request, response) => response.end(Buffer.alloc(400_000)));
    await expect(fetchModel(model, orderFor(longer))).rejects.toThrow(/sends more than the file/);
    expect(existsSync(path.join(folder, 'ggml-mine.bin'))).toBe(false);
  });

  test('is given up after some tries that brought nothing more, with the way out', async () => {
    let asked = 0;
    // A mirror that knows no ranges, and has the beginning only.
    const address = await serve((_request, response) => {
      asked += 1;
      response.end(content.subarray(0, 100_000));
    });
    await expect(fetchModel(model, orderFor(address, { pauses: [1, 1, 1] }))).rejects.toThrow(
      /ggml-mine\.bin could not be fetched: .*name another address with --mirror/,
    );
    expect(asked).toBe(4);
  });

  test('looks for room first', async () => {
    const large = { ...model, bytes: 2 ** 60 };
    await expect(fetchModel(large, orderFor('http://127.0.0.1:9'))).rejects.toThrow(
      /too little room: expected \d+ MB, found \d+ MB/,
    );
  });

  test('takes the proxy of the environment, unless the address is excepted', async () => {
    const asked: string[] = [];
    const proxy = await serve((request, response) => {
      asked.push(request.url ?? '');
      send(request, response);
    });
    vi.stubEnv('HTTP_PROXY', proxy);
    try {
      await fetchModel(model, orderFor('http://models.invalid'));
    } finally {
      vi.unstubAllEnvs();
    }
    expect(asked).toEqual(['http://models.invalid/me/models/resolve/1/ggml-mine.bin']);
    const secure = new URL('https://models.example.com/x');
    const of = (environment: NodeJS.ProcessEnv): string | undefined =>
      proxyFor(secure, environment)?.host;
    expect(of({ https_proxy: 'proxy:3128' })).toBe('proxy:3128');
    expect(of({ HTTP_PROXY: 'http://proxy' })).toBeUndefined();
    expect(of({ HTTPS_PROXY: 'http://proxy', NO_PROXY: 'a.b, .example.com' })).toBeUndefined();
  });
});

test('the table names each model once, with a whole digest', () => {
  expect(new Set(speechModels.map(({ name }) => name)).size).toBe(speechModels.length);
  expect(new Set(speechModels.map(({ sha256 }) => sha256)).size).toBe(speechModels.length);
  for (const { sha256 } of speechModels) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
});

const voices = sharedMedia('whisper-vad-silero.bin');

test.skipIf(!voices)('models get, list and remove (skipped without a real model)', async () => {
  const bytes = readFileSync(voices ?? '');
  const asked: string[] = [];
  const address = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.end(bytes);
  });
  const models = path.join(folder, 'data', 'models');
  const run = (...args: string[]): ReturnType<typeof runCli> =>
    runCli(folder, ['models', ...args, '--data', 'data']);
  const got = await run('get', 'silero-vad', '--mirror', address);
  expect([got.status, got.out]).toEqual([0, expect.stringContaining('silero-vad is there')]);
  expect(asked).toEqual([
    expect.stringMatching(
      /^\/ggml-org\/whisper-vad\/resolve\/[0-9a-f]{40}\/ggml-silero-v6.2.0.bin$/,
    ),
  ]);
  writeFileSync(path.join(models, 'my-own.bin'), 'mine');
  const list = await run('list');
  expect(list.out).toMatch(/silero-vad +0\.9 MB +here/);
  expect(list.out).toMatch(/small-q5_1 +190 MB +good in the large languages/);
  expect(list.out).toMatch(/my-own +0\.0 MB +here +a file of yours/);
  expect((await run('remove', 'silero-vad')).out).toBe('Removed silero-vad');
  expect(existsSync(path.join(models, 'ggml-silero-v6.2.0.bin'))).toBe(false);
  const again = await run('remove', 'silero-vad');
  expect([again.status, again.error]).toEqual([
    1,
    expect.stringMatching(/no model 'silero-vad' in .*Expected one of: my-own/),
  ]);
  const unknown = await run('get', 'huge');
  expect(unknown.error).toMatch(/no model 'huge'\. Expected one of: tiny-q5_1, .*silero-vad/);
});

describe('transcribe', () => {
  const speech = sharedMedia('speech-1961.wav');
  const hasSphinx = spawnSync('pocketsphinx_continuous', ['--help']).error === undefined;
  const sphinx = path.join(import.meta.dirname, 'helpers', 'sphinx.mjs');
  const environment = { FRAMEWRIGHT_TRANSCRIBER: sphinx };

  test.skipIf(!speech || !hasSphinx)(
    'writes subtitles and words (skipped without pocketsphinx)',
    async () => {
      // The best known words, since each run hears them again.
      const part = path.join(folder, 'part.wav');
      runFfmpegSync('-ss', '3.5', '-t', '5', '-i', speech ?? '', part);
      const run = (output: string): ReturnType<typeof runCli> =>
        runCli(folder, ['transcribe', part, output], environment);
      const made = await run('out/words.srt');
      expect([made.status, made.out]).toEqual([
        0,
        expect.stringMatching(/^Wrote .*\(\d\d words\)/),
      ]);
      const srt = readFileSync(path.join(folder, 'out/words.srt'), 'utf8');
      expect(srt).toMatch(/^1\n00:00:00,\d{3} --> 00:00:\d\d,\d{3}\n/);
      expect(srt.replaceAll('\n', ' ')).toContain('your country');
      const words = JSON.parse((await run('-')).out) as {
        words: { time: number; value: string }[];
      };
      expect(words.words.map(({ value }) => value).join('')).toContain(' your country');
      expect((await run('words.vtt')).status).toBe(0);
      expect(readFileSync(path.join(folder, 'words.vtt'), 'utf8')).toMatch(/^WEBVTT\n/);
    },
    // Each run hears five seconds, on a busy computer for a quarter of a minute.
    180_000,
  );

  test.skipIf(process.platform === 'win32')(
    'leaves out fillers and covers swear words when it is told so',
    async () => {
      const said = ['Um,', 'this', 'is', 'the', 'shit.'].map((text, index) => ({
        text: ` ${text}`,
        offsets: { from: index * 200, to: index * 200 + 150 },
      }));
      const heard = {
        transcription: [{ text: '', offsets: { from: 0, to: 1000 }, tokens: said }],
      };
      const program = path.join(folder, 'says.mjs');
      writeFileSync(
        program,
        `#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
writeFileSync(process.argv[process.argv.indexOf('-of') + 1] + '.json', ${JSON.stringify(JSON.stringify(heard))});
`,
      );
      chmodSync(program, 0o755);
      writeFileSync(path.join(folder, 'model.bin'), 'model');
      runFfmpegSync('-f', 'lavfi', '-i', 'sine=duration=1', path.join(folder, 'tone.wav'));
      const read = async (...options: string[]): Promise<string> => {
        const variables = {
          FRAMEWRIGHT_TRANSCRIBER: program,
          FRAMEWRIGHT_TRANSCRIBER_MODEL: path.join(folder, 'model.bin'),
        };
        const made = await runCli(folder, ['transcribe', 'tone.wav', '-', ...options], variables);
        const { words } = JSON.parse(made.out) as { words: { value: string }[] };
        return words.map(({ value }) => value).join('');
      };
      expect(await read()).toBe('Um, this is the shit.');
      expect(await read('--hide-fillers')).toBe('this is the shit.');
      expect(await read('--hide-fillers', '--hide-profanity')).toBe('this is the s***.');
    },
  );

  test('without a model it names the command that fetches one; nothing is fetched', async () => {
    writeFileSync(path.join(folder, 'in.wav'), 'sound');
    mkdirSync(path.join(folder, 'data'));
    const { status, error } = await runCli(folder, [
      ...['transcribe', 'in.wav', 'out.srt', '--data', 'data'],
    ]);
    expect([status, error]).toEqual([
      1,
      expect.stringMatching(/no speech model in .*models, .*framewright models get small-q5_1$/),
    ]);
    expect(existsSync(path.join(folder, 'data', 'models'))).toBe(false);
    const other = await runCli(folder, [
      ...['transcribe', 'in.wav', 'out.srt', '--data', 'data', '--model', 'base'],
    ]);
    expect(other.error).toMatch(/no speech model 'base' in .*, found none/);
    const named = await runCli(folder, ['transcribe', 'in.wav', 'out.doc']);
    expect(named.error).toBe('out.doc: Expected a file name ending with .srt, .vtt or .json.');
  });
});
