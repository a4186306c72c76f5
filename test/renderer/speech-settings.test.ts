/** Speech and voices in the settings: models fetched, stopped and gone on with, who recognises, and voices as rows. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppState } from '../../renderer/frame/app.svelte.ts';
import { call } from '../../renderer/frame/connection/call.ts';
import {
  changesTo,
  RecogniserChoice,
  recogniserOf,
} from '../../renderer/settings/recogniser.svelte.ts';
import { SettingsState } from '../../renderer/settings/settings-state.svelte.ts';
import { titleOf, type ModelRow } from '../../renderer/settings/speech-models.svelte.ts';
import { keysFor, lineOf, newVoice, voiceRowOf } from '../../renderer/settings/voice-lines.ts';
import { VoicesState } from '../../renderer/settings/voices.svelte.ts';
import { settingRows } from '../../shared/api/settings.ts';
import { speechRows } from '../../shared/api/speech.ts';
import { hiddenSecret } from '../../shared/settings.ts';
import { speechModelNamed, speechModels } from '../../shared/speech-models.ts';
import { sharedMedia } from '../helpers/shared-media.ts';
import { Player } from './player.ts';

/** The finder of voices, which is small; it stands for any model. */
const real = sharedMedia('whisper-vad-silero.bin');
const content = real === null ? Buffer.alloc(0) : readFileSync(real);
/** What the publisher's stand-in was asked from, and whether it sends all. */
const from: number[] = [];
let sends: 'all' | 'half' | 'nothing' = 'all';
let mirror: Server;
let address = '';

const set = (body: object) => call(settingRows.change, { body });

beforeAll(async () => {
  mirror = createServer((request, response) => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    from.push(start);
    if (sends === 'nothing') {
      response.writeHead(404).end();
      return;
    }
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': content.length - start,
      ...(start > 0 && { 'content-range': range }),
    });
    if (sends === 'all') response.end(content.subarray(start));
    else response.write(content.subarray(start, content.length / 2));
  });
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  await set({ modelMirror: address });
});
afterEach(() => {
  from.length = 0;
  sends = 'all';
});
afterAll(async () => {
  await call(settingRows.reset);
  mirror.closeAllConnections();
  mirror.close();
});

const open = async (): Promise<{ app: AppState; settings: SettingsState }> => {
  const app = new AppState();
  const settings = new SettingsState(app);
  await settings.load();
  return { app, settings };
};
const rowOf = (app: AppState, name: string): ModelRow => {
  const row = app.speechModels.rows.find((one) => one.name === name);
  if (!row) throw new Error(`no row ${name}`);
  return row;
};
/** Answers the question that is open now. */
const answer = (app: AppState, isYes: boolean): void => {
  const dialog = app.dialogs.opened.at(-1);
  if (dialog?.kind !== 'question') throw new Error('nothing is asked');
  dialog.answer(isYes);
};

describe.skipIf(real === null)('models', () => {
  test('the stand-in has the content of the table', () => {
    const digest = createHash('sha256').update(content).digest('hex');
    expect(speechModelNamed('silero-vad')?.sha256).toBe(digest);
  });

  test('one is fetched, stopped half way, gone on with from there, and removed', async () => {
    const { app } = await open();
    const models = app.speechModels;
    await models.load();
    expect(rowOf(app, 'silero-vad')).toMatchObject({
      ...{ title: 'Finder of speech', hears: false, isUsed: false, isFirst: true },
      state: { kind: 'absent' },
    });
    sends = 'half';
    const fetching = models.fetch('silero-vad');
    expect(rowOf(app, 'silero-vad').state).toMatchObject({ kind: 'fetching', share: 0 });
    await vi.waitFor(
      () => expect(rowOf(app, 'silero-vad').state).toMatchObject({ kind: 'fetching', share: 0.5 }),
      10_000,
    );
    models.stop('silero-vad');
    await fetching;
    await vi.waitFor(async () => {
      await models.load();
      expect(rowOf(app, 'silero-vad').state).toEqual({
        ...{ kind: 'begun', bytes: Math.floor(content.length / 2) },
      });
    }, 10_000);
    sends = 'all';
    await models.fetch('silero-vad');
    expect(from).toEqual([0, Math.floor(content.length / 2)]);
    expect(rowOf(app, 'silero-vad')).toMatchObject({ state: { kind: 'there' }, problem: '' });
    // Nothing shows the list, so a message tells.
    expect(app.messages.recent[0]?.text).toBe('The speech model “Finder of speech” is there.');

    const kept = models.remove(rowOf(app, 'silero-vad'));
    answer(app, false);
    expect([await kept, rowOf(app, 'silero-vad').state.kind]).toEqual([false, 'there']);
    const gone = models.remove(rowOf(app, 'silero-vad'));
    answer(app, true);
    expect([await gone, rowOf(app, 'silero-vad').state.kind]).toEqual([true, 'absent']);
  });

  test('one that can’t be fetched says why in its row, and can be tried again', async () => {
    const { app } = await open();
    const leave = app.speechModels.show();
    sends = 'nothing';
    await app.speechModels.fetch('tiny-q5_1');
    expect(rowOf(app, 'tiny-q5_1').problem).toMatch(/answers with status 404/);
    expect(app.messages.recent).toEqual([]);
    sends = 'all';
    await app.speechModels.fetch('silero-vad');
    expect(rowOf(app, 'tiny-q5_1').problem).not.toBe('');
    const again = app.speechModels.fetch('tiny-q5_1');
    expect(rowOf(app, 'tiny-q5_1').problem).toBe('');
    app.speechModels.stop('tiny-q5_1');
    await again;
    leave();
  });

  test('a file of one’s own is used by name, and the best one again once it is gone', async () => {
    const { app, settings } = await open();
    const own = sharedMedia('whisper-test-random.bin');
    const file = new File([new Uint8Array(readFileSync(own ?? ''))], 'ggml-mine.bin');
    await call(speechRows.add, { query: { name: file.name }, file });
    await settings.save('speechModel', 'mine');
    await app.speechModels.load();
    expect(rowOf(app, 'mine')).toMatchObject({ title: 'mine', isOwn: true, isUsed: true });
    expect(app.speechModels.usable.map(({ name }) => name)).toEqual(['mine']);
    const gone = app.speechModels.remove(rowOf(app, 'mine'));
    answer(app, true);
    await gone;
    await settings.load();
    expect([settings.record?.speechModel, app.speechModels.usable]).toEqual([null, []]);
  });
});

test('each model of the table has a title of its own', () => {
  expect(new Set(speechModels.map(({ name }) => titleOf(name))).size).toBe(speechModels.length);
});

test.each([
  ['tiny', 'Tiny'],
  ['small-q5_1', 'Small, compact'],
  ['large-v3-turbo', 'Large v3 Turbo'],
  ['large-v3-turbo-q8_0', 'Large v3 Turbo, less compact'],
  ['small-of-mine-q5_1', 'small-of-mine-q5_1'],
])('the model %s is called %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});

describe('who recognises', () => {
  test('follows from the settings as the server has it', () => {
    const of = (speechAddress: string | null, transcriber: string | null) =>
      recogniserOf({ speechAddress, transcriber });
    expect([of(null, null), of(null, '/w'), of('http://a', '/w')]).toEqual([
      ...['here', 'program', 'service'],
    ]);
  });

  test('a change takes away what belongs to the others, and nothing before that', () => {
    expect(changesTo('program', 'program')).toEqual({});
    expect(changesTo('program', 'here')).toEqual({ speechAddress: null, speechKey: null });
    expect(changesTo('service', 'program')).toEqual({
      ...{ transcriber: null, transcriberModel: null, speechModel: null },
    });
    expect(changesTo('here', 'service')).toMatchObject({ speechKey: null, speechModel: null });
  });

  test('a service takes over once it has an address; leaving it asks for its key', async () => {
    const { settings } = await open();
    await settings.save('transcriber', process.execPath);
    let answers = false;
    const choice = new RecogniserChoice(settings, () => Promise.resolve(answers));
    expect(choice.shown).toBe('program');
    await choice.choose('service');
    expect([choice.shown, settings.record?.transcriber]).toEqual(['service', process.execPath]);
    await settings.saveText('speechAddress', `${address}/v1`, choice.changes);
    await settings.saveText('speechKey', 'own-key');
    expect(settings.record).toMatchObject({ transcriber: null, speechKey: hiddenSecret });
    // What is refused changes nothing of the others.
    await settings.saveText('speechAddress', 'nowhere', { speechModel: 'other' });
    expect(settings.problems.speechAddress).toContain('the address of a service');
    expect(settings.record?.speechModel).toBeNull();

    await choice.choose('here');
    expect(choice.shown).toBe('service');
    await choice.choose('program');
    expect([choice.shown, await choice.mayLeave()]).toEqual(['program', false]);
    answers = true;
    expect(await choice.mayLeave()).toBe(true);
    await choice.choose('here');
    expect(choice.shown).toBe('here');
    expect(settings.record).toMatchObject({ speechAddress: null, speechKey: null });
  });
});

describe('voices', () => {
  test.each([
    ['elevenlabs: system', { from: 'elevenlabs', kind: 'system', system: '' }],
    ['*: system German (Anna)', { from: '*', system: 'German (Anna)' }],
    ['openai voice=nova: service', { from: 'openai voice=nova', kind: 'service' }],
    [
      'openai: http://a.lan:1/v1 voice=x model=y speed=1.1',
      {
        ...{ kind: 'address', address: 'http://a.lan:1/v1', voice: 'x', model: 'y' },
        rest: 'speed=1.1',
      },
    ],
  ])('%s is a row, and the row is that line', (line, row) => {
    const found = voiceRowOf(line);
    expect(found).toMatchObject(row);
    expect(found && lineOf(found)).toBe(line);
  });

  test('a row that lacks something is no line', () => {
    for (const change of [{ kind: 'address' }, { from: '' }, { from: 'two words' }] as const)
      expect(lineOf({ ...newVoice('openai'), ...change })).toBeNull();
  });

  test('the keys that rows need', () => {
    const keys = (...lines: string[]): string[] => [
      ...keysFor(lines.flatMap((line) => voiceRowOf(line) ?? [])),
    ];
    expect(keys('elevenlabs: system')).toEqual([]);
    expect(keys('openai voice=a: service')).toEqual(['openaiKey']);
    expect(keys('*: service', 'a: http://b')).toEqual(['elevenlabsKey', 'openaiKey', 'voiceKey']);
  });

  test('are added, changed once they are complete, heard, and removed', async () => {
    const { settings } = await open();
    const asked: string[] = [];
    const speaker = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (asked.length > 1) response.writeHead(500).end();
      else response.end('RIFF, a sound');
    });
    await new Promise<void>((resolve) => speaker.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(speaker.address() as AddressInfo).port}/v1`;
    vi.stubGlobal('Audio', Player);
    const voices = new VoicesState(settings);
    const kept = () => settings.record?.voices;
    await voices.add();
    expect(kept()).toEqual(['elevenlabs: system']);
    await voices.add();
    expect(kept()).toEqual(['elevenlabs: system', 'openai: system']);
    await voices.change(1, { kind: 'address' });
    // It waits for its address, and the other one stays.
    expect([kept(), voices.rows[1]?.kind]).toEqual([['elevenlabs: system'], 'address']);
    voices.follow(kept() ?? []);
    await voices.hear(1);
    expect([voices.rows.length, asked]).toEqual([2, []]);
    await voices.change(1, { address: at, voice: 'af_sky' });
    expect(kept()).toEqual(['elevenlabs: system', `openai: ${at} voice=af_sky`]);
    await voices.hear(1);
    expect(asked).toEqual(['/v1/audio/speech']);
    expect(voices.heard).toMatchObject({ index: 1, hearing: { state: 'playing', problem: '' } });
    const { src = '', paused } = Player.last ?? {};
    expect([await (await fetch(src)).text(), paused]).toEqual(['RIFF, a sound', false]);
    await voices.change(1, { voice: 'other' });
    expect(Player.last?.paused).toBe(true);
    await voices.hear(1);
    expect(voices.heard).toMatchObject({ index: 1, hearing: { state: 'still' } });
    expect(voices.heard?.hearing.problem).toMatch(
      /The text could not be spoken: The voice at .* answered 500/,
    );
    await voices.remove(1);
    expect([kept(), voices.heard]).toEqual([['elevenlabs: system'], null]);
    // Quick changes: what an earlier answer says does not come back.
    const adding = voices.add();
    const changing = voices.change(1, { kind: 'address' });
    await adding;
    voices.follow(kept() ?? []);
    await changing;
    expect([kept(), voices.rows.map(({ kind }) => kind)]).toEqual([
      ...[['elevenlabs: system'], ['system', 'address']],
    ]);
    await voices.remove(1);
    // Changed in another window.
    voices.follow(['*: system de']);
    expect(voices.rows).toMatchObject([{ from: '*', system: 'de' }]);
    speaker.close();
    vi.unstubAllGlobals();
  });
});
