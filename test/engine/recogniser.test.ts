/**
 * The recognisers for real: whisper.cpp's library with a model of random weights, which loads and runs without
 * recognising anything; Debian's pocketsphinx, which does; and an address. Needs dist/.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRecogniser, type Transcriber } from '../../server/engine/assets/speech/recognisers.ts';
import {
  readTranscript,
  transcribe,
  transcriptPlace,
} from '../../server/engine/assets/speech/transcribe.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import type { TimedWord } from '../../shared/engine/transcript.ts';
import { isLeftToCi } from '../helpers/long.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { sharedMedia } from '../helpers/shared-media.ts';

const root = mkdtempSync(path.join(tmpdir(), 'recogniser-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'test-'));
});

// The library computes for half a minute on a busy computer.
vi.setConfig({ testTimeout: 400_000 });

const [randomModel, voiceModel, speech] = [
  'whisper-test-random.bin',
  'whisper-vad-silero.bin',
  'speech-1961.wav',
].map(sharedMedia);
const hasLibrary = existsSync(
  path.join(
    ...[import.meta.dirname, '..', '..', 'node_modules', '@fugood'],
    `node-whisper-${process.platform}-${process.arch}`,
  ),
);
const hasSphinx = spawnSync('pocketsphinx_continuous', ['--help']).error === undefined;

interface Heard {
  readonly words: readonly TimedWord[];
  readonly shares: readonly number[];
  readonly language: string | null;
}

async function hear(
  file: string,
  transcriber: Transcriber,
  abort = new AbortController(),
  onShare: (share: number) => void = () => undefined,
): Promise<Heard> {
  const place = await transcriptPlace(file, transcriber, folder);
  const shares: number[] = [];
  const words = await transcribe(file, {
    ...{ transcriber, place, workFolder: folder, signal: abort.signal },
    ffmpeg: await findFfmpeg(undefined),
    onProgress(share) {
      shares.push(share);
      onShare(share);
    },
  });
  const { language = null } = (await readTranscript(place)) ?? {};
  return { words, shares, language };
}

const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it did not fail',
    (error: unknown) => error,
  );

/** Processes of recognisers that this process has started. */
function recognisers(): number[] {
  const list = spawnSync('ps', ['-eo', 'pid=,ppid=,args=', '-ww'], { encoding: 'utf8' }).stdout;
  return list.split('\n').flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s.*recogniser-process/.exec(line) ?? [];
    return Number(parent) === process.pid ? [Number(pid)] : [];
  });
}

async function until<Value>(look: () => Value | undefined | false): Promise<Value> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await pause(20);
  }
}

const withLibrary = describe.skipIf(!hasLibrary || !randomModel || !voiceModel || !speech);

withLibrary('the library, in a process of its own (skipped without it or its models)', () => {
  const builtIn = (changes: object = {}): Transcriber => ({
    ...{ kind: 'built-in', model: randomModel ?? '', language: 'en' },
    ...changes,
  });

  // Random weights are sure of nothing: the library tries each way that it knows, for twenty seconds.
  test.skipIf(isLeftToCi())(
    'loads a model, hears a recording to its end, and leaves nothing behind',
    async () => {
      const { words, shares, language } = await hear(speech ?? '', builtIn());
      // Its weights are random: what counts is that it ran.
      expect(words).toEqual([]);
      expect(shares.at(-1)).toBe(1);
      expect(shares.toSorted((a, b) => a - b)).toEqual(shares);
      expect(language).toBeNull();
      await until(() => recognisers().length === 0);
    },
  );

  test('silence costs nothing: no process is started for it', async () => {
    const silent = path.join(folder, 'silent.wav');
    runFfmpegSync('-f', 'lavfi', '-t', '90', '-i', 'anullsrc=r=16000:cl=mono', silent);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, recognisers().length)), 5);
    const { words } = await hear(silent, builtIn());
    clearInterval(watch);
    expect([words, most]).toEqual([[], 0]);
  });

  test('the model that finds voices tells them from noise', async () => {
    const noise = path.join(folder, 'noise.wav');
    runFfmpegSync(
      ...['-f', 'lavfi', '-i', 'anoisesrc=r=16000:a=0.3:d=4:c=pink', '-i', speech ?? ''],
      ...['-filter_complex', '[0][1]concat=n=2:v=0:a=1', '-ac', '1', noise],
    );
    const recogniser = await openRecogniser(builtIn({ voices: voiceModel }), {
      ...{ workFolder: folder, signal: new AbortController().signal },
    });
    try {
      const spans = await recogniser.voicesIn(noise, [{ start: 0, end: 15 }]);
      expect(spans.length).toBeGreaterThan(1);
      expect(spans[0]?.start).toBeGreaterThan(3.5);
      expect(spans.at(-1)?.end).toBeLessThanOrEqual(15.1);
    } finally {
      recogniser.close();
    }
    await until(() => recognisers().length === 0);
  });

  test('cancelling ends the process', async () => {
    const abort = new AbortController();
    const hearing = reasonOf(hear(speech ?? '', builtIn(), abort));
    const [pid] = await until(() => {
      const found = recognisers();
      return found.length > 0 && found;
    });
    abort.abort(new RenderError('cancelled', 'Cancelled'));
    expect(await hearing).toMatchObject({ code: 'cancelled' });
    await until(() => !recognisers().includes(pid ?? 0));
  });

  test('one that is killed is started once again, and then told', async () => {
    const killed: number[] = [];
    const hearing = reasonOf(hear(speech ?? '', builtIn()));
    while (killed.length < 2) {
      const next = await until(() => recognisers().find((pid) => !killed.includes(pid)));
      killed.push(next);
      process.kill(next, 'SIGKILL');
    }
    const error = await hearing;
    expect(error).toMatchObject({ code: 'transcriber_failed' });
    expect(String(error)).toMatch(/ended twice amid its work \(SIGKILL; model whisper-test-random/);
    expect(recognisers()).toEqual([]);
  });

  test('what is no model is told with the way out', async () => {
    const broken = path.join(folder, 'ggml-broken.bin');
    writeFileSync(broken, 'no model');
    const error = await reasonOf(hear(speech ?? '', builtIn({ model: broken })));
    expect(error).toMatchObject({ code: 'transcriber_missing' });
    expect(String(error)).toMatch(
      /model can’t be read \(.*ggml-broken\.bin.*framewright models get/,
    );
    const gone = await reasonOf(hear(speech ?? '', builtIn({ model: '/no/model.bin' })));
    expect(String(gone)).toMatch(/\/no\/model\.bin can’t be used: it is not there/);
  });
});

test('without the optional package only this is lost, and one sentence says so', () => {
  // A copy of the program lies outside of every node_modules.
  const built = path.join(import.meta.dirname, '..', '..', 'dist', 'server');
  cpSync(built, folder, { recursive: true });
  const script = path.join(folder, 'recogniser-process.mjs');
  const ask = `
    const child = require('node:child_process').fork(${JSON.stringify(script)});
    child.on('message', (said) => { console.log(JSON.stringify(said)); child.kill(); });
    child.send({ type: 'hear', model: 'm', sound: 's', span: { start: 0, end: 1 }, language: 'en', words: '', threads: 1 });`;
  const said: unknown = JSON.parse(
    execFileSync(process.execPath, ['-e', ask], { encoding: 'utf8', cwd: folder }),
  );
  expect(said).toMatchObject({ type: 'failed', why: 'missing' });
  expect(said).toMatchObject({
    message: expect.stringContaining('@fugood/node-whisper-') as string,
  });
});

describe.skipIf(!hasSphinx || !speech)(
  'a program that knows words (skipped without pocketsphinx)',
  () => {
    test('its words come in order, with their times', async () => {
      const program = path.join(import.meta.dirname, '..', 'helpers', 'sphinx.mjs');
      const part = path.join(folder, 'part.wav');
      runFfmpegSync('-t', '8.5', '-i', speech ?? '', part);
      const { words, shares } = await hear(part, { kind: 'program', path: program });
      const said = words.map(({ text }) => text).join(' ');
      expect(said).toMatch(/what your country can do for you/);
      for (const [index, { start, end }] of words.entries()) {
        expect(end).toBeGreaterThan(start);
        expect(start).toBeGreaterThanOrEqual(words[index - 1]?.start ?? 0);
      }
      const country = words.find(({ text }) => text === 'country');
      expect(country?.start).toBeCloseTo(5.9, 0);
      expect(shares.at(-1)).toBe(1);
    });
  },
);

describe('an address that answers as OpenAI’s', () => {
  interface Asked {
    readonly url: string;
    readonly authorization: string | undefined;
    readonly body: string;
    readonly bytes: number;
  }
  let server: Server | null = null;
  const asked: Asked[] = [];
  afterAll(() => server?.close());

  async function serve(answers: readonly [status: number, body: unknown][]): Promise<string> {
    asked.length = 0;
    server?.close();
    const made = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        const { authorization } = request.headers;
        asked.push({
          ...{ url: request.url ?? '', authorization, bytes: body.length },
          body: body.toString('latin1').replace(/RIFF[^]*?(?=\r\n--)/, 'RIFF'),
        });
        const [status, answer] = answers[asked.length - 1] ?? [500, {}];
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    server = made;
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(made.address() as AddressInfo).port}/v1`;
  }

  /** Two tones of two seconds with half a minute of silence between them. */
  function tones(): string {
    const file = path.join(folder, 'tones.wav');
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:r=16000:d=2'];
    runFfmpegSync(
      ...[...tone, '-f', 'lavfi', '-t', '30', '-i', 'anullsrc=r=16000:cl=mono', ...tone],
      ...['-filter_complex', '[0][1][2]concat=n=3:v=0:a=1', file],
    );
    return file;
  }

  test('is sent the sound with key, words and language, and its words have their marks', async () => {
    const url = await serve([
      [
        200,
        {
          language: 'english',
          words: [
            { word: 'Ask', start: 0.2, end: 0.5 },
            { word: 'not', start: 0.5, end: 0.9 },
            { word: 'what', start: 1, end: 1.4 },
          ],
          segments: [{ text: ' Ask not, what?', start: 0.2, end: 1.4 }],
        },
      ],
    ]);
    const { words, language } = await hear(tones(), {
      ...{ kind: 'address', url, key: 'own-key', model: 'small', language: 'en', words: 'Kennedy' },
    });
    expect(words.map(({ text, start }) => [text, start])).toEqual([
      ...([
        ['Ask', 0.2],
        ['not,', 0.5],
        ['what?', 1],
      ] as const),
    ]);
    expect(language).toBe('english');
    expect(asked.map(({ url: path, authorization }) => [path, authorization])).toEqual([
      ['/v1/audio/transcriptions', 'Bearer own-key'],
    ]);
    for (const part of ['small', 'verbose_json', 'word', 'en', 'Kennedy', 'RIFF'])
      expect(asked[0]?.body).toContain(`\r\n\r\n${part}\r\n`);
    expect(asked[0]?.bytes).toBeLessThan(34.6 * 32_000);
  });

  test('says what is wrong without the key, and waits when it is busy', async () => {
    const sound = tones();
    const refused = await serve([[401, {}]]);
    const choice = { kind: 'address', key: 'own-key' } as const;
    const error = await reasonOf(hear(sound, { ...choice, url: refused }));
    expect(error).toMatchObject({ code: 'transcriber_failed' });
    expect(String(error)).toMatch(
      /recogniser at 127\.0\.0\.1:\d+ failed: it does not take the key/,
    );
    expect(String(error)).not.toContain('own-key');
    const busy = await serve([
      [429, {}],
      [200, { segments: [{ text: 'Good morning.', start: 0, end: 1 }] }],
    ]);
    const { words } = await hear(sound, { ...choice, url: busy });
    expect(words.map(({ text }) => text)).toEqual(['Good', 'morning.']);
    expect(asked.length).toBe(2);
    const away = await reasonOf(hear(sound, { ...choice, url: 'http://127.0.0.1:59999/v1' }));
    expect(String(away)).toMatch(/does not answer \(/);
  });
});
