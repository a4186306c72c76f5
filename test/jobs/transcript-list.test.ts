/** Transcripts that the API was asked for, over a real store: what is hidden, how often one is begun, how many wait. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TranscriptList, type TranscriptListOptions } from '../../server/jobs/transcripts.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { storedWords } from '../../server/store/transcripts.ts';
import { systemClock } from '../../server/system/clock.ts';

const log = (): void => undefined;
const said = ['Um,', 'this', 'is', 'the', 'shit!'].map((text, index) => ({
  ...{ text, start: index, end: index + 0.5, glued: false },
}));
let folder: string;
let store: Store;
const lists: TranscriptList[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  await writeFile(path.join(folder, 'words.json'), JSON.stringify({ language: 'en', words: said }));
  store = await openStore(path.join(folder, 'data'), log, systemClock);
});
afterEach(async () => {
  for (const list of lists.splice(0)) await list.close();
  await store.close();
  await rm(folder, { recursive: true });
});

function listWith(more: Partial<TranscriptListOptions> = {}): TranscriptList {
  const place = path.join(folder, 'words.json');
  const list = new TranscriptList({
    service: { make: () => Promise.resolve({ kind: 'made', place, words: 5, language: 'en' }) },
    ...{ store: store.transcripts, clock: systemClock, log, leads: () => true },
    ...more,
  });
  lists.push(list);
  return list;
}

/** A recogniser that ends with its server alone. */
const endless: TranscriptListOptions['service'] = {
  make: (_recording, signal) =>
    new Promise((resolve) => {
      const end = (): void => resolve({ kind: 'failed', why: 'fault', message: 'gone' });
      signal.addEventListener('abort', end);
    }),
};

const read = async (list: TranscriptList, hides: ('fillers' | 'profanity')[]): Promise<string> => {
  const made = await list.create('p', { source: 'talk.wav', hides });
  await list.untilEnded(made?.id ?? '', 10_000);
  const state = list.find('p', made?.id ?? '')?.state;
  return state?.kind === 'succeeded'
    ? storedWords(state.words)
        .map(({ value }) => value)
        .join('')
    : `${state?.kind}`;
};

test('what is said is stored as it was asked for', async () => {
  const list = listWith();
  expect(await read(list, [])).toBe('Um, this is the shit!');
  expect(await read(list, ['fillers'])).toBe('this is the shit!');
  expect(await read(list, ['fillers', 'profanity'])).toBe('this is the s***!');
  expect(list.find('other', store.transcripts.listUnfinished()[0]?.id ?? '')).toBeUndefined();
});

test('a server that closes leaves it unfinished, and that is no attempt', async () => {
  const list = listWith({ service: endless });
  const made = await list.create('p', { source: 'talk.wav' });
  const id = made?.id ?? '';
  await expect.poll(() => store.transcripts.find(id)?.attempts).toBe(1);
  await list.close();
  expect(store.transcripts.find(id)).toMatchObject({
    attempts: 0,
    state: { kind: 'transcribing' },
  });
  const next = listWith();
  next.begin();
  await next.untilEnded(id, 10_000);
  expect(next.find('p', id)?.state.kind).toBe('succeeded');
});

test('one that has ended the server three times fails, and the next one is transcribed', async () => {
  const list = listWith({ leads: () => false });
  const first = await list.create('p', { source: 'bad.wav' });
  const second = await list.create('p', { source: 'talk.wav' });
  const [bad, good] = [first?.id ?? '', second?.id ?? ''];
  // Nobody leads: nothing is begun.
  expect(store.transcripts.find(bad)?.attempts).toBe(0);
  await store.transcripts.change(bad, { attempts: 3 });
  const next = listWith();
  next.begin();
  await next.untilEnded(good, 10_000);
  expect(next.find('p', bad)?.state).toMatchObject({
    ...{ kind: 'failed', message: expect.stringMatching(/ended 3 times/) as string },
  });
  expect(next.find('p', good)?.state.kind).toBe('succeeded');
});

test('so many wait, and no more', async () => {
  const list = listWith({ service: endless });
  for (let count = 0; count < 100; count++)
    expect(await list.create('p', { source: 'talk.wav' })).not.toBeNull();
  expect(await list.create('p', { source: 'talk.wav' })).toBeNull();
});
