/**
 * Voices in the editor: a text that is spoken, and one's own voice that is recorded. What is seen and heard of it is in
 * test/ui/voices.spec.ts.
 */
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pieceOf } from '../../renderer/editor/making/pieces.ts';
import type { TemplateEditor } from '../../renderer/editor/template-editor.svelte.ts';
import { InspectorState } from '../../renderer/editor/inspector/inspector-state.svelte.ts';
import { withFile } from '../../renderer/editor/media/media-element.ts';
import {
  loudnessOf,
  NoMicrophone,
  oneSide,
  wavOf,
  type Microphone,
} from '../../renderer/editor/voices/microphone.ts';
import { NewVoice } from '../../renderer/editor/voices/new-voice.svelte.ts';
import { Recording } from '../../renderer/editor/voices/recording.svelte.ts';
import { voiceGroups } from '../../renderer/editor/voices/voice-list.svelte.ts';
import { call } from '../../renderer/frame/connection/call.ts';
import { mediaRows } from '../../shared/api/media.ts';
import type { KnownVoice } from '../../shared/api/voices.ts';
import { voiceAddress } from '../../shared/renderscript/voices.ts';
import { elementsOf, openEditor } from './editor.ts';
import { Player } from './player.ts';

const hasEspeak =
  process.platform === 'linux' && spawnSync('espeak-ng', ['--version']).status === 0;

const film = `{
  "output_format": "mp4", "width": 640, "height": 360, "frame_rate": 25, "duration": 10,
  "elements": [{ "type": "shape", "name": "Ground", "track": 1, "width": "100%", "height": "100%" }]
}`;

/** A second of a tone. */
const second = (): Blob =>
  new Blob([
    wavOf(
      Float32Array.from({ length: 8_000 }, (_, at) => Math.sin(at / 3) / 2),
      8_000,
    ),
  ]);

beforeEach(() => {
  vi.stubGlobal('Audio', Player);
});
afterEach(() => {
  vi.unstubAllGlobals();
  Player.last = null;
});

const lastOf = (editor: TemplateEditor): unknown => elementsOf(editor).at(-1);

describe('what is offered', () => {
  const own = (name: string, language: string): KnownVoice => ({
    ...{ provider: `system voice=${name}`, kind: 'system', isSet: false },
    ...{ name, label: name, language },
  });
  const service: KnownVoice = {
    ...{ provider: 'elevenlabs', kind: 'service', isSet: true },
    ...{ name: null, label: '', language: null },
  };

  test.each([
    ['en', ['set: elevenlabs', 'near: Us Gb Rp', 'other: Fr De']],
    ['de', ['set: elevenlabs', 'near: De', 'other: Us Fr Gb Rp']],
    ['ja', ['set: elevenlabs', 'other: Us Gb Fr De Rp']],
  ])('in %s: those of the setting, then those of the language', (locale, expected) => {
    const all = [own('Rp', 'en-gb-x-rp'), own('Fr', 'fr-FR'), own('Gb', 'en-GB')];
    const groups = voiceGroups([...all, own('De', 'de'), own('Us', 'en-US'), service], locale);
    const told = groups.map(
      ({ id, voices }) =>
        `${id}: ${voices.map(({ name, provider }) => name ?? provider).join(' ')}`,
    );
    // The order of the others is that of their names, which a locale decides.
    const sorted = (line: string): string => line.split(' ').sort().join(' ');
    expect(told.map((line) => (line.startsWith('other') ? sorted(line) : line))).toEqual(
      expected.map((line) => (line.startsWith('other') ? sorted(line) : line)),
    );
  });
});

describe.skipIf(!hasEspeak)('a text that is spoken (skipped without espeak-ng)', () => {
  test('is heard before; added at the playhead with its length; one step', async () => {
    const { app, editor } = await openEditor(film);
    editor.preview.seek(2);
    const piece = pieceOf('voice');
    if (!piece) throw new Error('There is no piece for voices.');
    expect(editor.adding.add(piece)).toBe('');
    expect(editor.voicing).toEqual({ way: 'speak', spot: {} });
    const made = new NewVoice(editor, app.preferences, {});
    await made.open();
    expect(made.provider).toBe('system voice=en-us');
    expect(await made.add()).toBe(false);
    made.text = '  Good morning\n';
    await made.hear();
    expect(made.hearing.state).toBe('playing');
    expect(Player.last?.paused).toBe(false);
    expect(await made.add()).toBe(true);
    expect(lastOf(editor)).toEqual({
      ...{ type: 'audio', name: 'Voice', track: 2, time: 2 },
      ...{ provider: 'system voice=en-us', source: 'Good morning' },
    });
    const spoken = { provider: 'system voice=en-us', text: 'Good morning' };
    expect(editor.preview.lengths[voiceAddress(spoken)]).toBe(1.5);
    editor.document.undo();
    expect(editor.document.text).toBe(film);
    // The next one begins with the same voice.
    const next = new NewVoice(editor, app.preferences, {});
    await next.open();
    next.provider = 'system voice=de';
    next.text = 'Hallo';
    await next.add();
    const third = new NewVoice(editor, app.preferences, {});
    await third.open();
    expect(third.provider).toBe('system voice=de');
  });

  test('the inspector writes what is typed once it is left, as one step', async () => {
    const { app, editor } = await openEditor(film);
    const element = { type: 'audio', provider: 'system voice=en-us', source: 'One' };
    const path = editor.adding.addSound('Voice', element, 1.5);
    const before = editor.document.text;
    await editor.voices.load();
    const inspector = new InspectorState(editor, app.preferences);
    const { spoken } = inspector;
    editor.document.check();
    expect([spoken.path, spoken.text]).toEqual([path, 'One']);
    for (const text of ['One ', 'One tw', 'One two']) spoken.type(text);
    expect(spoken.text).toBe('One two');
    expect(editor.document.text).toBe(before);
    spoken.leave();
    expect(lastOf(editor)).toMatchObject({ source: 'One two' });
    editor.document.undo();
    expect(editor.document.text).toBe(before);
    // Nothing new: no step.
    spoken.type('One');
    spoken.commit();
    expect(editor.document.text).toBe(before);
    editor.document.check();
    spoken.choose('system voice=de');
    expect(lastOf(editor)).toMatchObject({ provider: 'system voice=de', source: 'One' });
  });
});

test('a voice that can not speak is not added; the reason is told', async () => {
  const { app, editor } = await openEditor(film);
  const made = new NewVoice(editor, app.preferences, {});
  made.provider = 'azure';
  made.text = 'Hello';
  expect(await made.add()).toBe(false);
  expect(made.hearing.problem).toContain("No voice is set for 'azure'");
  expect(made.hearing.state).toBe('still');
  expect(editor.document.text).toBe(film);
});

test('a file in place of a text is not spoken', () => {
  const element = { type: 'audio', provider: 'openai', source: 'Hello' };
  const file = { kind: 'audio', source: 'media:a.mp3', duration: 3 } as const;
  const text = JSON.stringify({ elements: [element] });
  expect(JSON.parse(withFile(text, 'elements[0]', element, file))).toEqual({
    elements: [{ type: 'audio', source: 'media:a.mp3' }],
  });
});

describe('a recording', () => {
  /** What was asked of the microphone. */
  const asked: string[] = [];
  const microphone = (take: Blob | null): Microphone => ({
    level: () => 0.5,
    start: () => Promise.resolve(void asked.push('start')),
    stop: () => {
      asked.push('stop');
      return Promise.resolve(take && { sound: take, seconds: 1 });
    },
    close: () => void asked.push('close'),
  });
  beforeEach(() => {
    asked.length = 0;
  });

  test('counts down, records while the silent film plays, and lies where it began; one step', async () => {
    const { editor } = await openEditor(film);
    await vi.waitUntil(() => editor.preview.frameCount > 1);
    editor.preview.seek(3);
    const recording = new Recording(
      editor,
      {},
      {
        open: () => Promise.resolve(microphone(second())),
        second: 5,
      },
    );
    await recording.open();
    expect(recording.state).toBe('ready');
    const counts: number[] = [];
    const counted = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
      work: () => void,
      wait: number,
    ) => {
      if (wait === 5) counts.push(recording.count);
      queueMicrotask(work);
      return 0;
    }) as typeof setTimeout); // which has further forms that nobody uses here
    await recording.record();
    counted.mockRestore();
    expect(counts).toEqual([3, 2, 1]);
    expect(recording.state).toBe('recording');
    expect([editor.preview.playing, editor.preview.sound?.muted]).toEqual([true, true]);
    recording.measure();
    expect(recording.level).toBe(0.5);
    await recording.stop();
    expect(asked).toEqual(['start', 'stop']);
    expect([editor.preview.playing, editor.preview.sound?.muted]).toEqual([false, false]);
    expect([recording.state, recording.seconds, editor.preview.time]).toEqual(['made', 1, 3]);
    await recording.use();
    const [file] = await call(mediaRows.list);
    expect(file).toMatchObject({ kind: 'audio', duration: 1 });
    expect(file?.name).toMatch(/^Recording .*\d\.\d\d.*\.wav$/);
    expect(lastOf(editor)).toEqual({
      ...{ type: 'audio', name: 'Recording', track: 2, time: 3, source: file?.source },
    });
    editor.document.undo();
    expect(editor.document.text).toBe(film);
    recording.close();
    expect(asked.at(-1)).toBe('close');
  });

  test('the countdown can be skipped, and stopped', async () => {
    const { editor } = await openEditor(film);
    const recording = new Recording(
      editor,
      { time: 1 },
      {
        open: () => Promise.resolve(microphone(second())),
        second: 60_000,
      },
    );
    await recording.open();
    const stopped = recording.record();
    await recording.stop();
    await stopped;
    expect([recording.state, asked]).toEqual(['ready', []]);
    const skipped = recording.record();
    await recording.record();
    await skipped;
    expect([recording.state, recording.from]).toEqual(['recording', 1]);
    recording.close();
    expect(editor.preview.playing).toBe(false);
  });

  test.each(['refused', 'none', 'busy', 'unsafe'] as const)(
    'without a microphone (%s) it says so, and tries again',
    async (fault) => {
      const { editor } = await openEditor(film);
      let isThere = false;
      const recording = new Recording(
        editor,
        {},
        {
          open: () =>
            isThere ? Promise.resolve(microphone(null)) : Promise.reject(new NoMicrophone(fault)),
        },
      );
      await recording.open();
      expect([recording.state, recording.fault]).toEqual(['off', fault]);
      isThere = true;
      await recording.open();
      expect([recording.state, recording.fault]).toEqual(['ready', null]);
    },
  );

  test('of nothing is none, and can be made again', async () => {
    const { editor } = await openEditor(film);
    const recording = new Recording(
      editor,
      {},
      {
        open: () => Promise.resolve(microphone(null)),
        second: 0,
      },
    );
    await recording.open();
    await recording.record();
    await recording.stop();
    expect([recording.state, recording.fault]).toEqual(['ready', 'unheard']);
    await recording.use();
    expect(editor.document.text).toBe(film);
  });
});

describe('a sound as a file', () => {
  test('is a wav of one side', () => {
    const bytes = new DataView(wavOf(Float32Array.of(0, 1, -1, 2, 0.5), 48_000));
    expect(bytes.byteLength).toBe(44 + 10);
    expect(bytes.getUint32(24, true)).toBe(48_000);
    expect([0, 1, 2, 3, 4].map((at) => bytes.getInt16(44 + at * 2, true))).toEqual([
      0, 32_767, -32_767, 32_767, 16_384,
    ]);
  });

  test('two sides become their mean', () => {
    expect([...oneSide([Float32Array.of(1, 0), Float32Array.of(0, -1)])]).toEqual([0.5, -0.5]);
  });

  test.each([
    [0, 0],
    [0.001, 0],
    [0.0316, 0.5],
    [1, 1],
    [-1, 1],
  ])('a peak of %d is shown as %d', (peak, shown) => {
    expect(loudnessOf(Float32Array.of(0, peak))).toBeCloseTo(shown, 2);
  });
});
