/**
 * Transcribing: recordings to words with a stand-in for whisper.cpp's program, and what is said when it can't be done.
 */
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readWhisper } from '../../server/engine/assets/speech/whisper.ts';
import type { RenderError } from '../../shared/engine/errors.ts';
import { findFfmpeg, runFfmpeg } from '../../server/engine/ffmpeg.ts';
import type { RenderJob, RenderProgress } from '../../server/engine/render-job.ts';
import { render } from '../../server/engine/render.ts';
import { fontFolder } from '../../server/system/paths.ts';
import {
  transcriberSetting,
  type TranscriberSources,
} from '../../server/jobs/worker/transcriber.ts';
import { engineLimits } from '../../shared/limits.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';

const root = mkdtempSync(path.join(tmpdir(), 'transcribe-'));
const program = path.join(import.meta.dirname, '..', 'helpers', 'fake-whisper.mjs');
const recording = path.join(root, 'speech.m4a');
/** One for each test: what a slow one leaves running must not reach the next. */
let folder: string;
let model: string;
let speech: string;

// Each test starts ten programs or more, which takes long on a busy computer.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=2'];
  await runFfmpeg(await findFfmpeg(undefined), [...tone, '-c:a', 'aac', recording]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'test-'));
  speech = path.join(folder, 'speech.m4a');
  copyFileSync(recording, speech);
  model = path.join(folder, 'ggml-tiny.bin');
  writeFileSync(model, 'model');
});

const subtitles = {
  type: 'text',
  name: 'Subtitles',
  transcript_source: 'voice',
  text: 'Placeholder',
  width: '100%',
  height: '100%',
  font_size: 20,
  fill_color: '#ffffff',
};

function documentWith(text: JsonObject, voice: JsonObject = {}): JsonObject {
  const elements = [{ type: 'audio', name: 'Voice', source: 'speech.m4a', ...voice }, text];
  return { output_format: 'mp4', width: 160, height: 90, frame_rate: 10, duration: 0.2, elements };
}

interface Told {
  readonly progress: RenderProgress[];
  readonly abort: AbortController;
}

function draw(
  source: JsonObject,
  changes: Partial<RenderJob> = {},
  { progress, abort }: Told = { progress: [], abort: new AbortController() },
): ReturnType<typeof render> {
  return render(
    {
      source,
      scaling: {},
      outputPath: path.join(folder, 'out.mp4'),
      snapshotPath: path.join(folder, 'snapshot.jpg'),
      workFolder: folder,
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [folder],
      fontFolder: fontFolder(),
      transcriber: { kind: 'program', path: program, model },
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
      ...changes,
    },
    { signal: abort.signal, onProgress: (step) => progress.push(step) },
  );
}

function clearLeftovers(): void {
  for (const name of readdirSync(folder))
    if (/^(media|transcript)-/.test(name)) rmSync(path.join(folder, name));
}

function calls(): { args: string[]; pid: number }[] {
  if (!existsSync(`${model}.calls`)) return [];
  // The file is there a moment before its first line is.
  const lines = readFileSync(`${model}.calls`, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { args: string[]; pid: number }); // the stand-in's own words
}

async function failure(promise: Promise<unknown>): Promise<RenderError> {
  return promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: unknown) => error as RenderError,
  );
}

/** What the words kept on the disk say. */
function keptWords(): { text: string; start: number; end: number; glued: boolean }[] {
  const kept = path.join(folder, 'cache', 'transcripts');
  const file = path.join(kept, readdirSync(kept)[0] ?? '');
  return (JSON.parse(readFileSync(file, 'utf8')) as { words: never }).words;
}

test('words come out whole, with their times, and the progress is told', async () => {
  const told = { progress: [], abort: new AbortController() } as Told;
  await draw(documentWith(subtitles), {}, told);
  expect(keptWords().map(({ text, start, end, glued }) => [text, start, end, glued])).toEqual([
    ['It"s', 0, 0.26, false],
    ['café', 0.3, 0.6, false],
    ['time.', 0.62, 1.2, false],
    ['汉', 1.3, 1.5, false],
    ['语。', 1.5, 2, true],
  ]);
  const shares = told.progress
    .filter(({ phase }) => phase === 'transcribing')
    .map(({ share }) => share);
  expect(shares[0]).toBe(0);
  expect(shares).toContain(0.4);
  expect(shares.at(-1)).toBe(1);
  const phases = [...new Set(told.progress.map(({ phase }) => phase))];
  expect(phases).toEqual(['waiting', 'transcribing', 'rendering', 'finishing']);
});

test('the program gets its arguments, and nothing is left in the work folder', async () => {
  await draw(documentWith(subtitles));
  const args = calls()[0]?.args ?? [];
  expect(args.slice(0, 2)).toEqual(['-m', model]);
  expect(args).toEqual(expect.arrayContaining(['-ojf', '-pp', '-l', 'auto']));
  expect(readdirSync(folder).filter((name) => name.startsWith('speech-'))).toEqual([]);
});

test('the same recording is transcribed once, under whatever name', async () => {
  await draw(documentWith(subtitles));
  clearLeftovers();
  writeFileSync(path.join(folder, 'copy.m4a'), readFileSync(speech));
  await draw(documentWith(subtitles, { source: 'copy.m4a' }));
  expect(calls()).toHaveLength(1);
  clearLeftovers();
  writeFileSync(model, 'another model');
  await draw(documentWith(subtitles));
  expect(calls()).toHaveLength(2);
});

test('cancelling ends the program', async () => {
  writeFileSync(`${model}.mode`, 'hang');
  const told = { progress: [], abort: new AbortController() } as Told;
  const ended = failure(draw(documentWith(subtitles), {}, told));
  while (!told.progress.some(({ phase, share }) => phase === 'transcribing' && share === 0.4))
    await pause(10);
  const reason = new Error('cancelled');
  told.abort.abort(reason);
  expect(await ended).toBe(reason);
  const { pid } = calls()[0] ?? { pid: 0 };
  expect(() => process.kill(pid, 0)).toThrow();
});

describe('what is said when it cannot be done', () => {
  const place = 'Source error: Subtitles.transcript_source: ';
  // prettier-ignore
  test.each<[what: string, text: JsonObject, changes: Partial<RenderJob>, mode: string, code: string, says: RegExp]>([
    ['no recogniser', {}, { transcriber: undefined as never }, '', 'transcriber_missing', /no speech model yet.*framewright models get small-q5_1.*supply the timings/],
    ['no such program', {}, { transcriber: { kind: 'program', path: '/no/such/program' } }, '', 'transcriber_missing', /\/no\/such\/program does not exist/],
    ['no model', {}, { transcriber: { kind: 'program', path: program, model: '/no/model.bin' } }, '', 'transcriber_missing', /model of the speech recogniser is missing \(\/no\/model\.bin\)/],
    ['a program that fails', {}, {}, 'fail', 'transcriber_failed', /stopped: whisper_init.*failed to load model/],
    ['a program that writes nothing', {}, {}, 'nothing', 'transcriber_failed', /stopped/],
    ['an unknown name', { transcript_source: 'Nobody' }, {}, '', 'invalid_source', /No element is called "Nobody"/],
    ['an element without speech', { transcript_source: 'Subtitles 2' }, {}, '', 'invalid_source', /"Subtitles 2"/],
    ['a missing file', { transcript_source: 'none.vtt' }, {}, '', 'media_missing', /The file does not exist/],
    ['a broken word', { transcript_source: [{ time: 0, value: 'a', duration: 'soon' }] }, {}, '', 'invalid_source', /^\[0\]\.duration: Expected seconds, found "soon"/],
    ['broken subtitles', { transcript_source: '1\n00:00:01,000 --> soon\nHello' }, {}, '', 'invalid_source', /^line 2: Expected times as in .*, found "00:00:01,000 --> soon"/],
  ])('%s', async (_what, text, changes, mode, code, says) => {
    writeFileSync(`${model}.mode`, mode === '' ? 'words' : mode);
    const { transcriber, ...rest } = changes;
    const job = 'transcriber' in changes && transcriber === undefined ? { ...rest, transcriber: null as never } : changes;
    const error = await failure(draw(documentWith({ ...subtitles, ...text }), job));
    expect(error.code).toBe(code);
    const start = error.message.startsWith(place) ? place : place.replace(/: $/, '');
    expect(error.message.slice(0, start.length)).toBe(start);
    expect(error.message.slice(start.length).replace(/^: /, '')).toMatch(says);
    expect(error.path).toMatch(/^elements\[1\]\.transcript_source/);
  });
});

test('a single picture never transcribes: it has what is kept, or the placeholder and a warning', async () => {
  const picture = { moment: 0.1, outputPath: path.join(folder, 'moment.png') };
  const first = await draw(documentWith(subtitles), picture);
  expect(calls()).toEqual([]);
  expect(first.warnings.map(({ code }) => code)).toContain('not_transcribed');
  clearLeftovers();
  await draw(documentWith(subtitles));
  clearLeftovers();
  const second = await draw(documentWith(subtitles), picture);
  expect(second.warnings.map(({ code }) => code)).not.toContain('not_transcribed');
});

test('other output than whisper.cpp’s is refused, and its short form is read', () => {
  expect(() => readWhisper(Buffer.from('{"text": "hello"}'))).toThrow(/something else/);
  const short = { transcription: [{ offsets: { from: 0, to: 900 }, text: ' two words' }] };
  const words = readWhisper(Buffer.from(JSON.stringify(short)));
  expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
    ['two', 0, 0.36],
    ['words', 0.36, 0.9],
  ]);
});

describe('which recogniser', () => {
  const none = {
    ...{ transcriber: null, transcriberModel: null, speechModel: null, speechLanguage: null },
    ...{ speechWords: null, speechAddress: null, speechKey: null },
  };
  const choose = (
    chosen: Partial<NonNullable<TranscriberSources['chosen']>>,
    environment: NodeJS.ProcessEnv = {},
  ): unknown =>
    transcriberSetting({ chosen: { ...none, ...chosen }, models: folder, environment }).transcriber;

  test('the settings come before the environment', () => {
    rmSync(model);
    const environment = {
      FRAMEWRIGHT_TRANSCRIBER: '/env',
      FRAMEWRIGHT_TRANSCRIBER_MODEL: '/env.bin',
    };
    expect(choose({})).toBeUndefined();
    const program = { kind: 'program', path: '/env', model: '/env.bin' };
    expect(choose({}, environment)).toEqual(program);
    expect(choose({ transcriber: '/own' }, environment)).toEqual({ ...program, path: '/own' });
  });

  test('a named address comes before a program, and a program before the models that are there', () => {
    const [url, key] = ['http://127.0.0.1:9/v1', 'secret'];
    expect(choose({ speechAddress: url, speechKey: key, transcriber: '/own' })).toEqual({
      ...{ kind: 'address', url, key },
    });
    expect(choose({ transcriber: '/own', speechLanguage: 'de' })).toEqual({
      ...{ kind: 'program', path: '/own', language: 'de' },
    });
    expect(choose({ speechWords: 'Kennedy' })).toEqual({
      ...{ kind: 'built-in', model, words: 'Kennedy' },
    });
  });

  test('of several models the best one, or the one that is named', () => {
    const add = (name: string): string => {
      const file = path.join(folder, name);
      writeFileSync(file, 'model');
      return file;
    };
    const dropped = add('my-own.bin');
    const small = add('ggml-small-q5_1.bin');
    const voices = add('ggml-silero-v6.2.0.bin');
    add('ggml-medium.bin.part');
    expect(choose({})).toEqual({ kind: 'built-in', model: small, voices });
    expect(choose({ speechModel: 'tiny' })).toEqual({ kind: 'built-in', model, voices });
    expect(choose({ speechModel: 'ggml-tiny.bin' })).toEqual({ kind: 'built-in', model, voices });
    expect(choose({ speechModel: 'my-own' })).toEqual({ kind: 'built-in', model: dropped, voices });
    expect(choose({ speechModel: 'medium' })).toBeUndefined();
  });
});
