/** Sounds of the library are heard one at a time. What is seen of it is in test/ui/editor-media.spec.ts. */
import { afterEach, expect, test, vi } from 'vitest';
import { Listening } from '../../renderer/editor/media/media.svelte.ts';
import { call } from '../../renderer/frame/connection/call.ts';
import { mediaRows, type WindowMedia } from '../../shared/api/media.ts';

/** Of a player, what it is asked for. */
class Player {
  static all: Player[] = [];
  static fails = false;
  readonly src: string;
  paused = true;
  duration = 10;
  currentTime = 0;
  ontimeupdate: () => void = () => undefined;
  onended: () => void = () => undefined;

  constructor(address: string) {
    this.src = address;
    Player.all.push(this);
  }

  play(): Promise<void> {
    this.paused = false;
    return Player.fails ? Promise.reject(new Error('not supported')) : Promise.resolve();
  }

  pause(): void {
    this.paused = true;
  }

  removeAttribute(): void {
    // Its file is let go.
  }

  load(): void {
    // What editors of the next test files, which share the process, ask of theirs.
  }
}
vi.stubGlobal('Audio', Player);
afterEach(() => {
  Player.all = [];
  Player.fails = false;
});

/** A second of silence. @param tone What makes it another file. */
function wave(name: string, tone: number): File {
  const bytes = new DataView(new ArrayBuffer(44 + 16_000));
  const word = (at: number, text: string): void => {
    for (const [index, letter] of Array.from(text).entries())
      bytes.setUint8(at + index, letter.charCodeAt(0));
  };
  word(0, 'RIFF');
  bytes.setUint32(4, 36 + 16_000, true);
  word(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true);
  bytes.setUint16(20, 1, true);
  bytes.setUint16(22, 1, true);
  bytes.setUint32(24, 8_000, true);
  bytes.setUint32(28, 16_000, true);
  bytes.setUint16(32, 2, true);
  bytes.setUint16(34, 16, true);
  word(36, 'data');
  bytes.setUint32(40, 16_000, true);
  bytes.setInt16(44, tone, true);
  return new File([bytes.buffer], name);
}

async function added(name: string, tone: number): Promise<WindowMedia> {
  return call(mediaRows.add, { query: { name }, file: wave(name, tone) });
}

test('one plays at a time; it goes on where it was paused, and another begins anew', async () => {
  const [one, two] = [await added('one.wav', 1), await added('two.wav', 2)];
  const listening = new Listening(() => expect.fail('it can be played'));
  await listening.toggle(one);
  const [first] = Player.all;
  expect(first).toMatchObject({ paused: false, src: expect.stringMatching(one.id) as string });
  Object.assign(first!, { currentTime: 4 }).ontimeupdate();
  expect([listening.playing, listening.share]).toEqual([one.id, 0.4]);
  await listening.toggle(one);
  expect(first?.paused).toBe(true);
  expect([listening.playing, listening.current, listening.share]).toEqual(['', one.id, 0.4]);
  await listening.toggle(one);
  expect(Player.all).toHaveLength(1);

  await listening.toggle(two);
  expect(Player.all.map(({ paused }) => paused)).toEqual([true, false]);
  expect([listening.playing, listening.share]).toEqual([two.id, 0]);
  // The first one is not asked any more.
  first?.ontimeupdate();
  expect(listening.share).toBe(0);
  Player.all[1]?.onended();
  expect([listening.playing, listening.share]).toEqual(['', 0]);
});

test('one that was stopped before its first sound stays silent', async () => {
  const one = await added('one.wav', 1);
  const listening = new Listening(() => expect.fail('nothing has failed'));
  const starting = listening.toggle(one);
  listening.stop();
  await starting;
  expect(Player.all.every(({ paused }) => paused)).toBe(true);
  expect([listening.playing, listening.current]).toEqual(['', '']);
});

test('what can’t be played is told', async () => {
  const one = await added('one.wav', 1);
  const failed = vi.fn();
  const listening = new Listening(failed);
  Player.fails = true;
  await listening.toggle(one);
  expect(failed).toHaveBeenCalledWith(expect.any(Error), one);
  expect([listening.playing, listening.current]).toEqual(['', '']);
});
