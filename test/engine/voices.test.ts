/** Texts that are spoken: who speaks for which provider, asked, kept, refused. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { speak, type Voices } from '../../server/engine/assets/voices/voices.ts';
import { systemProgram } from '../../server/engine/assets/voices/system-voice.ts';
import { requestFor } from '../../server/engine/assets/voices/voice-service.ts';
import { voiceSetting } from '../../server/jobs/worker/voices.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { collectMedia } from '../../shared/renderscript/media-requests.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import {
  ownVoice,
  providersOf,
  readProvider,
  readVoiceLine,
  spokenText,
  voiceAddress,
  voiceFor,
} from '../../shared/renderscript/voices.ts';
import { renderInto } from '../helpers/engine.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { level, readSides, sine, writeWav } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'voices-test-'));
const fakeWhisper = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
const inFolder = (name: string): string => path.join(folder, name);

interface Call {
  readonly url: string;
  readonly key: string | undefined;
  readonly body: JsonObject;
}
/** What the stand-in was asked; and how it answers. */
const calls: Call[] = [];
let answer: 'sound' | 'refused' | 'never' | 'nothing' = 'sound';
let server: Server;
let base = '';

beforeAll(async () => {
  const wav = writeWav(inFolder('answer.wav'), 1.5, [sine(440, 0.5)]);
  runFfmpegSync('-i', wav, '-c:a', 'libmp3lame', inFolder('answer.mp3'));
  const sound = readFileSync(inFolder('answer.mp3'));
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { url = '', headers } = request;
      calls.push({ url, key: headers.authorization, body: JSON.parse(text) as JsonObject });
      if (answer === 'never') return;
      if (answer === 'refused') response.writeHead(401).end('{"error":"bad key"}');
      else
        response
          .writeHead(200, { 'content-type': 'audio/mpeg' })
          .end(answer === 'sound' ? sound : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? String(address?.port) : ''}/v1`;
});
beforeEach(() => {
  calls.length = 0;
  answer = 'sound';
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const voices = (...lines: string[]): Voices => ({ lines, keys: { address: 'secret' } });

const film = (...elements: JsonObject[]): JsonObject => ({
  ...{ output_format: 'mp4', width: 32, height: 32, frame_rate: 10 },
  elements,
});
const voice = (source: string, provider: string, rest: JsonObject = {}): JsonObject => ({
  ...{ type: 'audio', name: 'Voice', source, provider },
  ...rest,
});

/** Why a promise was refused. */
async function reason(promise: Promise<unknown>): Promise<RenderError> {
  const error = await promise.then(
    () => null,
    (refused: unknown) => refused,
  );
  if (error instanceof RenderError) return error;
  throw new Error(`expected a refusal, found ${String(error)}`);
}

describe('the setting', () => {
  test.each([
    ['elevenlabs: system', { kind: 'system', voice: null }],
    ['elevenlabs: system German (Anna)', { kind: 'system', voice: 'German (Anna)' }],
    ['*: service', { kind: 'service' }],
    [
      'openai voice=alloy: http://a.lan:1/v1 model=x',
      { kind: 'address', url: 'http://a.lan:1/v1', options: { model: 'x' } },
    ],
    ['elevenlabs', null],
    ['elevenlabs:system', null],
    ['elevenlabs: somewhere', null],
    ['elevenlabs: service now', null],
    ['elevenlabs: http://a.lan now', null],
    ['openai alloy: system', null],
  ])('%s', (line, target) => {
    expect(readVoiceLine(line)?.to ?? null).toEqual(target);
  });

  test('the line that says most speaks', () => {
    const lines = ['*: system any', 'openai: system named', 'openai voice=b: system own'].flatMap(
      (line) => readVoiceLine(line) ?? [],
    );
    const speaker = (provider: string): unknown => voiceFor(readProvider(provider), lines);
    expect(speaker('OpenAI model=m voice=b')).toEqual({ kind: 'system', voice: 'own' });
    expect(speaker('openai voice=c')).toEqual({ kind: 'system', voice: 'named' });
    expect(speaker('elevenlabs voice=b')).toEqual({ kind: 'system', voice: 'any' });
    expect(voiceFor(readProvider('azure'), lines.slice(1))).toBeNull();
  });

  test.each([
    ['system', null],
    ['system voice=en-gb', 'en-gb'],
    [ownVoice('German (Anna)'), 'German (Anna)'],
    ['system voice=100%', null],
    ['system voice=../../etc/passwd', null],
    ['system voice=-w', null],
  ])('%s needs no line', (provider, voice) => {
    const lines = ['*: service'].flatMap((line) => readVoiceLine(line) ?? []);
    expect(voiceFor(readProvider(provider), lines)).toEqual({ kind: 'system', voice });
  });

  test('a line that names the computer decides', () => {
    const lines = ['system: http://a.lan'].flatMap((line) => readVoiceLine(line) ?? []);
    expect(voiceFor(readProvider('system voice=de'), lines)).toMatchObject({ kind: 'address' });
  });

  test('what documents can write for its lines', () => {
    const lines = ['openai voice=b: system', '*: http://a.lan', '*: service'].flatMap(
      (line) => readVoiceLine(line) ?? [],
    );
    expect(providersOf(lines)).toEqual([
      { provider: 'openai voice=b', kind: 'system' },
      { provider: 'voice', kind: 'address' },
    ]);
  });

  test('comes from the environment where there is none', () => {
    const environment = { FRAMEWRIGHT_VOICES: '*: system; openai: service', OPENAI_API_KEY: 'k' };
    expect(voiceSetting(undefined, environment)).toMatchObject({
      lines: ['*: system', 'openai: service'],
      keys: { openai: 'k' },
    });
    const chosen = { voices: ['a: system'], elevenlabsKey: 'e', openaiKey: null, voiceKey: 'v' };
    expect(voiceSetting(chosen, { ...environment, ELEVENLABS_API_KEY: 'not this' })).toEqual({
      lines: ['a: system'],
      keys: { elevenlabs: 'e', openai: 'k', address: 'v' },
    });
  });
});

describe('a text of a document', () => {
  test('is asked for once for each text and provider; pictures with a provider are not', () => {
    const elements = [
      voice('Hello', 'openai voice=a'),
      voice('Hello', 'openai voice=b'),
      voice('Hello', 'openai voice=a'),
      voice('', 'openai'),
      { type: 'image', source: 'a cat', provider: 'openai' },
      voice('a.mp3', ''),
    ];
    const sources = collectMedia({ elements }).map(({ source }) => spokenText(source) ?? source);
    expect(sources).toEqual([
      { provider: 'openai voice=a', text: 'Hello' },
      { provider: 'openai voice=b', text: 'Hello' },
      'a.mp3',
    ]);
    expect(spokenText('voice:{')).toBeNull();
    expect(spokenText('http://a.lan/')).toBeNull();
  });

  test('no voice set: the render fails and says what to do', async () => {
    const error = await reason(
      renderInto(folder, 'none.mp4', film(voice('Hello', 'elevenlabs model_id=x'))),
    );
    const program = systemProgram(process.platform).package;
    expect(error).toMatchObject({ code: 'voice_missing', path: 'elements[0].provider' });
    expect(error.message).toBe(
      `Source error: Voice.provider: No voice is set for 'elevenlabs': add a line such as 'elevenlabs: system' to the setting 'voices' (Settings, Speech and voices)${program === null ? '' : ` and install ${program}`}`,
    );
  });

  test('is heard, lasts as long as it takes, and is asked for once', async () => {
    const source = film(
      voice('Good morning', 'openai model=tts-1-hd voice=nova speed=1.1'),
      voice('Good morning', 'openai model=tts-1-hd voice=nova speed=1.1', { time: 3 }),
    );
    const rest = { voices: voices(`openai: ${base} voice=af_sky`) };
    const { facts } = await renderInto(folder, 'heard.mp4', source, rest);
    expect(calls).toEqual([
      {
        url: '/v1/audio/speech',
        key: 'Bearer secret',
        body: {
          ...{ model: 'tts-1-hd', voice: 'af_sky', input: 'Good morning', speed: 1.1 },
          response_format: 'mp3',
        },
      },
    ]);
    expect(facts.duration).toBeGreaterThan(4.3);
    expect(facts.duration).toBeLessThan(4.8);
    const { left } = readSides(inFolder('heard.mp4'));
    for (const at of [0.5, 3.5])
      expect(level(left, at * 48_000, (at + 0.5) * 48_000)).toBeGreaterThan(0.2);
    expect(level(left, 2 * 48_000, 2.8 * 48_000)).toBeLessThan(0.001);

    await renderInto(folder, 'again.mp4', source, rest);
    expect(calls).toHaveLength(1);
    // Another voice, or another text, is another sound.
    await renderInto(folder, 'other.mp4', source, {
      voices: voices(`openai: ${base} voice=other`),
    });
    await renderInto(folder, 'text.mp4', film(voice('Good evening', 'openai')), rest);
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['the voice', 'Voice', {}],
    ['a composition that it speaks in', 'Scene', { type: 'composition' }],
  ])('%s has captions', async (_, followed, group) => {
    const model = inFolder(`model-${followed}.bin`);
    writeFileSync(model, 'model');
    const spoken = voice('Good night', 'openai voice=a');
    const heard = 'type' in group ? { ...group, name: 'Scene', elements: [spoken] } : spoken;
    await renderInto(
      folder,
      'captions.mp4',
      film(heard, { type: 'text', transcript_source: followed, font_size: 9 }),
      {
        voices: voices(`openai: ${base}`),
        cacheFolder: inFolder(`cache-${followed}`),
        transcriber: { kind: 'program', path: fakeWhisper, model },
      },
    );
    expect(readFileSync(`${model}.calls`, 'utf8').split('\n').filter(Boolean)).toHaveLength(1);
    expect(readdirSync(inFolder(`cache-${followed}/transcripts`))).toHaveLength(1);
  });

  test.each([
    [
      'refused',
      /^Source error: Voice.provider: The voice at 127\.0\.0\.1:\d+ answered 401 Unauthorized$/,
    ],
    ['nothing', /answered with nothing$/],
  ] as const)(
    'a service that answers %s fails the render, and nothing is kept',
    async (kind, words) => {
      answer = kind;
      const rest = { voices: voices(`openai: ${base}`), cacheFolder: inFolder(`cache-${kind}`) };
      const error = await reason(
        renderInto(folder, 'failed.mp4', film(voice('Well', 'openai')), rest),
      );
      expect(error.code).toBe('voice_failed');
      expect(error.message).toMatch(words);
      answer = 'sound';
      await renderInto(folder, 'mended.mp4', film(voice('Well', 'openai')), rest);
      expect(readdirSync(inFolder(`cache-${kind}/voices`))).toHaveLength(1);
    },
  );

  test('a program that is not there is named', async () => {
    const rest = { voices: voices('openai: http://127.0.0.1:1/v1') };
    const error = await reason(
      renderInto(folder, 'gone.mp4', film(voice('Hello', 'openai')), rest),
    );
    expect(error.message).toContain('The voice at 127.0.0.1:1 could not be reached');
  });

  test('one that is too long is not asked for', async () => {
    const rest = { voices: voices(`openai: ${base}`) };
    const error = await reason(
      renderInto(folder, 'long.mp4', film(voice('a'.repeat(5_001), 'openai')), rest),
    );
    expect(error).toMatchObject({ code: 'limit_exceeded' });
    expect(error.message).toContain('The text has 5001 characters; a voice speaks at most 5000');
    expect(calls).toEqual([]);
  });
});

describe('one text', () => {
  const spoken = { provider: 'openai', text: 'Words' };

  test('ends with its render', async () => {
    answer = 'never';
    const ending = new AbortController();
    const options = { voices: voices(`openai: ${base}`), cacheFolder: inFolder('ended') };
    const speaking = speak(spoken, inFolder('ended.mp3'), { ...options, signal: ending.signal });
    await expect.poll(() => calls.length).toBe(1);
    const reasonGiven = new RenderError('cancelled', 'over');
    ending.abort(reasonGiven);
    await expect(speaking).rejects.toBe(reasonGiven);
    expect(readdirSync(folder)).not.toContain('ended.mp3');
  });

  test('is not asked for by a preview, which has it once a render had', async () => {
    const { signal } = new AbortController();
    const options = {
      voices: voices(`openai: ${base}`),
      cacheFolder: inFolder('previews'),
      signal,
    };
    const preview = (): Promise<void> =>
      speak(spoken, inFolder('shown.mp3'), { ...options, isTrial: true });
    expect((await reason(preview())).message).toContain('speaks when it is rendered');
    expect(calls).toEqual([]);
    await speak(spoken, inFolder('made.mp3'), options);
    await preview();
    expect(calls).toHaveLength(1);
  });
});

describe('services', () => {
  const ask = (provider: string, keys: Voices['keys']): ReturnType<typeof requestFor> =>
    requestFor('Hi', { provider: readProvider(provider), target: { kind: 'service' }, keys });

  test('ElevenLabs', () => {
    const asked = ask('elevenlabs model_id=m voice_id=a/b stability=0.75', { elevenlabs: 'k' });
    expect(JSON.parse(JSON.stringify(asked))).toEqual({
      url: 'https://api.elevenlabs.io/v1/text-to-speech/a%2Fb',
      headers: { 'xi-api-key': 'k' },
      body: { text: 'Hi', model_id: 'm', voice_settings: { stability: 0.75 } },
    });
  });

  test('OpenAI', () => {
    const { url, headers, body } = ask('openai model=m voice=v', { openai: 'k' });
    expect(url).toBe('https://api.openai.com/v1/audio/speech');
    expect(headers).toEqual({ authorization: 'Bearer k' });
    expect(body).toMatchObject({ model: 'm', voice: 'v', input: 'Hi' });
  });

  test.each([
    ['openai', /enter it in Settings, Speech and voices, or set OPENAI_API_KEY where/],
    ['elevenlabs', /set ELEVENLABS_API_KEY/],
    ['azure', /'azure' is no service that can be asked/],
  ])('%s without a key, or unknown', (provider, words) => {
    expect(() => ask(provider, { address: 'not for services' })).toThrow(words);
  });
});

describe('the voice of the computer', () => {
  const files = { textPath: '/t/a.txt', wavPath: '/t/a.wav', voice: '-x; rm "y"' };
  test.each([
    ['linux', ['-v-x; rm "y"', '-b', '1', '-w', '/t/a.wav', '-f', '/t/a.txt']],
    [
      'darwin',
      [
        '-v',
        '-x; rm "y"',
        '--file-format=WAVE',
        '--data-format=LEI16@22050',
        '-o',
        '/t/a.wav',
        '-f',
        '/t/a.txt',
      ],
    ],
  ] as const)('arguments of %s', (platform, args) => {
    expect(systemProgram(platform).args(files)).toEqual(args);
  });

  test.each([
    [
      'linux',
      ' 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)',
      { name: 'en-gb', label: 'English (Great Britain)', language: 'en-gb' },
    ],
    ['linux', 'Pty Language       Age/Gender VoiceName          File', null],
    [
      'darwin',
      'Anna (Premium)      de_DE    # Hallo! Ich heiße Anna.',
      { name: 'Anna (Premium)', label: 'Anna (Premium)', language: 'de-DE' },
    ],
    [
      'win32',
      'en-US Microsoft Zira Desktop',
      { name: 'Microsoft Zira Desktop', label: 'Microsoft Zira Desktop', language: 'en-US' },
    ],
    ['win32', '', null],
  ] as const)('a line of the list of %s: %s', (platform, line, found) => {
    expect(systemProgram(platform).list.read(line)).toEqual(found);
  });

  test('Windows gets all by its environment', () => {
    const { args, environment } = systemProgram('win32');
    expect(args(files).join(' ')).not.toContain('rm');
    expect(environment(files)).toEqual({
      ...{ VOICE_TEXT: '/t/a.txt', VOICE_WAV: '/t/a.wav', VOICE_NAME: '-x; rm "y"' },
    });
  });

  const isThere = spawnSync('espeak-ng', ['--version']).status === 0;
  describe.skipIf(!isThere || process.platform !== 'linux')(
    'espeak-ng (skipped where it is not installed)',
    () => {
      test('speaks; another language sounds otherwise; longer takes longer', async () => {
        const spokenBy = async (
          name: string,
          text: string,
          line: string,
        ): Promise<Float32Array> => {
          const source = film(voice(text, 'elevenlabs voice_id=abc'));
          await renderInto(folder, name, source, { voices: voices(line) });
          return readSides(inFolder(name)).left;
        };
        const one = await spokenBy(
          'one.mp4',
          '-x "$(touch /tmp/voices-shell)" good morning',
          '*: system',
        );
        const short = await spokenBy('short.mp4', 'Hi', 'elevenlabs: system');
        const german = await spokenBy('german.mp4', 'Hi', 'elevenlabs: system de');
        expect(level(short, 0, short.length)).toBeGreaterThan(0.01);
        expect(one.length).toBeGreaterThan(2 * short.length);
        expect(german.slice(0, short.length)).not.toEqual(short.slice(0, german.length));
      });
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'a computer without one says what to install',
    async () => {
      vi.stubEnv('PATH', '/nowhere');
      const options = { cacheFolder: inFolder('none'), signal: new AbortController().signal };
      const text = { provider: 'a', text: 'Hi' };
      const speaking = speak(text, inFolder('none.wav'), {
        ...options,
        voices: voices('*: system'),
      });
      const error = await reason(speaking);
      vi.unstubAllEnvs();
      expect(error).toMatchObject({ code: 'voice_missing' });
      expect(error.message).toMatch(
        /^This computer has no voice: install espeak-ng, or name another one/,
      );
      expect(readdirSync(folder).filter((name) => name.startsWith('none.wav'))).toEqual([]);
    },
  );

  test('an address that a document writes itself is the same as its provider', () => {
    const source = voiceAddress({ provider: 'openai', text: 'Hi' });
    expect(collectMedia({ elements: [{ type: 'audio', source }] })[0]?.source).toBe(source);
  });
});
