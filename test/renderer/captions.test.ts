/**
 * Captions whose words were corrected, under random edits of the clip that they are the speech of: each word stays at
 * the moment of the recording where it is spoken, what is not played is not shown, and nothing is ever lost. Then words
 * that are hidden and shown again.
 */
import { beforeEach, expect, test } from 'vitest';
import { startOf } from '../../shared/engine/compile/caption-lines.ts';
import { subtitleFile } from '../../shared/engine/compile/subtitle-file.ts';
import { writtenWords } from '../../shared/engine/written-words.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { CaptionsState } from '../../renderer/editor/captions/captions-state.svelte.ts';
import { notPlayed } from '../../renderer/editor/captions/following.ts';
import { keptIn } from '../../renderer/editor/captions/kept.ts';
import { textOf } from '../../renderer/editor/captions/lines.ts';
import { appliedInOrder, parsePath, setValue } from '../../renderer/editor/source/json-text.ts';
import { clipsOf } from '../../renderer/editor/timeline/clips.ts';
import { timelineKey } from '../../renderer/editor/timeline/timeline-commands.svelte.ts';
import { differenceOf } from '../../renderer/engine/text-change.ts';
import { seededRandom } from '../shared/random.ts';
import { elementsOf, keysPressed, openEditor } from './editor.ts';

/** What is said in the recording, by the second of the file. */
const said = [
  ...['Um,', 'this', 'is', 'the', 'first', 'shit', 'line', 'and', 'that', 'is', 'uh', 'all', 'you'],
  ...['see', 'of', 'it', 'now', 'so', 'we', 'end', 'with', 'a', 'wave.'],
].map((text, index) => ({ text, at: 0.1 + index * 0.25, line: 1 + Math.floor(index / 4) }));
const spoken: readonly JsonObject[] = [
  { time: 0, duration: 0, value: '', follows: ['media/sea.mp4'] },
  ...said.map(({ text, at, line }) => ({
    time: at + 0.5,
    duration: 0.2,
    value: text,
    sentence: line,
  })),
];
const film = JSON.stringify(
  {
    ...{ output_format: 'mp4', width: 64, height: 36, frame_rate: 25, duration: 40 },
    elements: [
      { type: 'video', name: 'Sea', track: 1, time: 0.5, source: 'media/sea.mp4' },
      { type: 'text', name: 'Captions', track: 2, time: 0, transcript_source: spoken },
      { type: 'shape', name: 'Other', track: 3, width: '10%', height: '10%', fill_color: '#fff' },
    ],
  },
  null,
  2,
);

const open = await openEditor(film);
const { editor, app } = open;
// As the server says of it.
editor.preview.knowLengths({ 'media/sea.mp4': 6 });

function takeBack(): void {
  for (let steps = 0; steps < 200 && editor.document.undoable; steps++) editor.document.undo();
  editor.document.settle();
}
beforeEach(takeBack);

const captionsPath = (): string =>
  `elements[${elementsOf(editor).findIndex(({ name }) => name === 'Captions')}]`;
const listNow = (): readonly JsonObject[] =>
  elementsOf(editor).find(({ name }) => name === 'Captions')?.[
    'transcript_source'
  ] as readonly JsonObject[];

/** Words with the moments of the film at which they are spoken, counted from the clips and not from the captions. */
function expected(): string[] {
  const clips = [...(editor.timeline.clips?.byPath.values() ?? [])];
  return said
    .flatMap(({ text, at }) =>
      clips.flatMap(({ media, start, duration }) => {
        if (media?.source !== 'media/sea.mp4') return [];
        const { trimStart, trimDuration, speed } = media.clip;
        const own = (at - trimStart) / speed;
        const inside = Math.min(at - trimStart, trimStart + trimDuration - at, duration - own);
        return inside > 0 ? [{ text, moment: start + own }] : [];
      }),
    )
    .sort((a, b) => a.moment - b.moment)
    .map(({ text, moment }) => `${text} ${moment.toFixed(2)}`);
}

function shown(): string[] {
  const offset = editor.timeline.clips?.byPath.get(captionsPath())?.start ?? 0;
  const words = writtenWords(listNow(), 'transcript_source', '') ?? [];
  return words.map(({ text, start }) => `${text} ${(start + offset).toFixed(2)}`);
}

/** The same up to a hundredth of a second. */
function expectSame(found: readonly string[], wanted: readonly string[], why: string): void {
  const read = (line: string): [string, number] => {
    const [text = '', time = ''] = line.split(' ');
    return [text, Number(time)];
  };
  const order = ([one, at]: [string, number], [other, due]: [string, number]): number =>
    one.localeCompare(other) || at - due;
  const words = found.map(read).sort(order);
  const dueWords = wanted.map(read).sort(order);
  expect(
    words.map(([text]) => text),
    why,
  ).toEqual(dueWords.map(([text]) => text));
  for (const [index, [text, time]] of words.entries()) {
    const due = dueWords[index]?.[1] ?? 0;
    expect(Math.abs(time - due), `${why}: ${text} at ${time} instead of ${due}`).toBeLessThan(0.03);
  }
}

/** All words that are anywhere, without those that are said twice. */
function allWords(): string[] {
  const seen = listNow().flatMap(({ value, shown: away, spoken: original, follows, hides }) => {
    if (follows !== undefined || hides !== undefined) return [];
    const text = [original, away, value].find((one) => typeof one === 'string' && one !== '');
    return typeof text === 'string' ? [text] : [];
  });
  return [...new Set(seen)].sort();
}
const everyWord = [...new Set(said.map(({ text }) => text))].sort();

function setValues(values: Readonly<Record<string, Json | undefined>>): void {
  const { text } = editor.document;
  const after = Object.entries(values).reduce(
    (made, [path, value]) => appliedInOrder(made, setValue(made, parsePath(path), value)),
    text,
  );
  editor.document.namedStep(differenceOf(text, after), 'Test');
}

test('before anything is done, the words are where they are spoken', () => {
  expectSame(shown(), expected(), 'at first');
  expect(allWords()).toEqual(everyWord);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('recording %i', (seed) => {
  const random = seededRandom(seed);
  const videos = (): string[] =>
    elementsOf(editor).flatMap(({ type }, index) =>
      type === 'video' ? [`elements[${index}]`] : [],
    );
  const part = (most: number): number => Math.round(random.next() * most * 100) / 100;
  const edits: Readonly<Record<string, (path: string) => unknown>> = {
    move: (path) => setValues({ [`${path}.time`]: part(9) }),
    'trim start': (path) => setValues({ [`${path}.trim_start`]: part(3) }),
    'trim length': (path) => setValues({ [`${path}.trim_duration`]: 0.3 + part(4) }),
    'no trim': (path) =>
      setValues({ [`${path}.trim_start`]: undefined, [`${path}.trim_duration`]: undefined }),
    shorten: (path) => setValues({ [`${path}.duration`]: 0.5 + part(5) }),
    'as long as it is': (path) => setValues({ [`${path}.duration`]: undefined }),
    speed: (path) => setValues({ [`${path}.speed`]: random.pick(['50%', '100%', '137%', '200%']) }),
    text: () => setValues({ [`${captionsPath()}.time`]: part(3) }),
    other: () => setValues({ [`elements[0].opacity`]: `${random.below(100)}%` }),
    split: (path) => {
      const clip = editor.timeline.clips?.byPath.get(path);
      if (!clip || videos().length > 3) return;
      editor.canvas.selectAll([path]);
      editor.preview.seek(clip.start + clip.duration * (0.2 + 0.6 * random.next()));
      timelineKey(keysPressed('s'), editor, app);
      // Apart, so that no part covers another.
      setValues(Object.fromEntries(videos().map((one, index) => [`${one}.track`, 10 + index])));
    },
    'without one': (path) => {
      if (videos().length < 2) return;
      editor.canvas.selectAll([path]);
      timelineKey(keysPressed('Delete'), editor, app);
    },
    'take back': () => editor.document.undo(),
  };
  const done: string[] = [];
  for (let step = 0; step < 25; step++) {
    const [name, edit] = random.pick(Object.entries(edits));
    edit(random.pick(videos()));
    editor.document.settle();
    done.push(name);
    const why = done.join(', ');
    expectSame(shown(), expected(), why);
    expect(allWords(), why).toEqual(everyWord);
  }
  // All of it is played again.
  const [first = '', ...others] = videos();
  const whole = ['trim_start', 'trim_duration', 'duration', 'speed'];
  setValues(Object.fromEntries(whole.map((name) => [`${first}.${name}`, undefined])));
  setValues(Object.fromEntries(others.map((path) => [`${path}.muted`, true])));
  expect(shown().map((line) => line.split(' ')[0])).toEqual(said.map(({ text }) => text));
  takeBack();
  expect(editor.document.text).toBe(film);
});

const captions = new CaptionsState(editor);
const linesNow = (): string[] => captions.lines.map(textOf);

test('fillers and swear words are hidden and shown again, each in one step', () => {
  editor.select(captionsPath());
  const whole = linesNow();
  expect(whole).toEqual([
    ...['Um, this is the', 'first shit line and', 'that is uh all', 'you see of it'],
    ...['now so we end', 'with a wave.'],
  ]);
  captions.hide('fillers', true);
  const quiet = linesNow();
  expect(quiet).toEqual([
    ...['this is the', 'first shit line and', 'that is all', 'you see of it'],
    ...['now so we end', 'with a wave.'],
  ]);
  captions.hide('profanity', true);
  expect(linesNow()[1]).toBe('first s*** line and');
  expect(captions.kept.hides).toEqual(['fillers', 'profanity']);
  // What the picture is made of knows nothing else.
  const read = writtenWords(listNow(), '', '') ?? [];
  expect(read.map(({ text }) => text).join(' ')).toBe(linesNow().join(' '));
  captions.hide('fillers', false);
  expect(linesNow()).toEqual(whole.map((line) => line.replace('shit', 's***')));
  captions.hide('profanity', false);
  expect(linesNow()).toEqual(whole);
  for (let steps = 0; steps < 3; steps++) editor.document.undo();
  editor.document.settle();
  expect(linesNow()).toEqual(quiet);
});

test('what is hidden goes with its clip, stays hidden, and comes back with its part', () => {
  editor.select(captionsPath());
  captions.hide('fillers', true);
  captions.hide('profanity', true);
  const hidden = shown();
  setValues({ 'elements[0].trim_start': 2 });
  expect(shown().join(' ')).not.toContain('s***');
  setValues({ 'elements[0].trim_start': undefined, 'elements[0].time': 2.5 });
  const later = hidden.map((line) => {
    const [text, time] = line.split(' ');
    return `${text} ${(Number(time) + 2).toFixed(2)}`;
  });
  expect(shown()).toEqual(later);
  captions.hide('fillers', false);
  captions.hide('profanity', false);
  expectSame(shown(), expected(), 'shown again');
});

test('a corrected line stays corrected when its part is cut away and comes back', () => {
  editor.select(captionsPath());
  captions.type(1, 'first good line and');
  captions.end();
  editor.document.settle();
  setValues({ 'elements[0].trim_start': 3 });
  expect(shown().join(' ')).not.toContain('good');
  captions.type(0, 'You see it');
  captions.end();
  editor.document.settle();
  setValues({ 'elements[0].trim_start': undefined });
  editor.document.settle();
  const text = shown()
    .map((line) => line.split(' ')[0])
    .join(' ');
  expect(text).toMatch(/^Um, this is the first good line and that is uh all /);
});

test('words of the file that the clip does not play are kept for when it does', () => {
  const source = { elements: [{ type: 'video', source: 'a', trim_start: 1, trim_duration: 2 }] };
  const clips = clipsOf(source, { a: 10 });
  const words = ['before', 'in', 'after.', 'End'].map((text, index) => ({
    ...{ text, start: index * 1.4, end: index * 1.4 + 0.5, sentence: null, glued: false },
  }));
  const speeches = [{ elementPath: 'elements[0]', words }];
  expect(clips && notPlayed(speeches, clips, 30)).toEqual([
    { time: 0, duration: 0.5, value: '', shown: 'before', sentence: 1, at: 0, of: 'a' },
    { time: 0, duration: 0.5, value: '', shown: 'End', sentence: 2, at: 4.2, of: 'a' },
  ]);
});

test('a list of other programs keeps nothing, and no clip moves it', () => {
  expect(
    keptIn([
      { time: 1, value: 'Hello' },
      { time: 2, value: '' },
    ]),
  ).toEqual({
    ...{ follows: [], hides: [], speaker: null },
    aside: [{ time: 2, value: '' }],
  });
  const path = `${captionsPath()}.transcript_source`;
  setValues({ [path]: spoken.slice(1) });
  const before = shown();
  setValues({ 'elements[0].time': 5 });
  expect(shown()).toEqual(before);
});

test.each([
  ['alone, they get a copy for the second part', ['elements[0]']],
  ['with its captions, each part has its own', ['elements[0]', 'elements[1]']],
])('captions of a clip by its name: cut %s', (_, cut) => {
  const { preview, canvas, timeline } = editor;
  setValues({ 'elements[1].transcript_source': 'sea' });
  canvas.selectAll(cut);
  preview.seek(2.5);
  timelineKey(keysPressed('s'), editor, app);
  const parts = elementsOf(editor).filter(({ type }) => type === 'video');
  expect(parts.map(({ name }) => name)).toEqual(['Sea', 'Sea 2']);
  const captions = elementsOf(editor).filter(({ type }) => type === 'text');
  expect(captions.map((one) => one['transcript_source'])).toEqual(['sea', 'Sea 2']);
  const [first, second] = captions.map(({ name }) =>
    [...(timeline.clips?.byPath.values() ?? [])].find((clip) => clip.name === name),
  );
  // Each is there while its part is heard.
  expect(first?.start).toBeLessThanOrEqual(0.5);
  expect(second?.start).toBeLessThanOrEqual(2.5);
  expect((second?.start ?? 0) + (second?.duration ?? 0)).toBeGreaterThanOrEqual(6.5);
});

test('two people: lines go to the other one and back, in one step each, and both are written down', () => {
  const spokenNow = (): readonly (readonly [unknown, string])[] =>
    elementsOf(editor)
      .filter(({ type }) => type === 'text')
      .map((one) => [
        one['name'],
        (writtenWords(one['transcript_source'] as Json, '', '') ?? [])
          .map(({ text }) => text)
          .join(' '),
      ]);
  editor.select(captionsPath());
  const before = spokenNow();
  const whole = shown();
  captions.give(1);
  expect(spokenNow()).toEqual([
    ['Captions', before[0]?.[1].replace('first shit line and ', '')],
    ['Captions 2', 'first shit line and'],
  ]);
  const second = elementsOf(editor).find(({ name }) => name === 'Captions 2');
  const first = elementsOf(editor).find(({ name }) => name === 'Captions');
  expect(second?.['fill_color']).not.toBe(first?.['fill_color']);
  expect(second?.['y']).not.toBe(first?.['y']);
  // The next one goes to the same text, in its order, although that begins later.
  setValues({ 'elements[3].time': 1 });
  captions.give(0);
  const other = captions.others[0];
  expect(other?.lines.map(textOf)).toEqual(['Um, this is the', 'first shit line and']);
  // All are listed and saved in the order of the film.
  const cues = subtitleFile(captions.cues, 'vtt').split('\n\n').slice(1);
  expect(cues.slice(0, 3).map((cue) => cue.replace(/<\d\d:[^>]*>/g, '').split('\n')[1])).toEqual([
    '<v Captions 2>Um, this is the',
    '<v Captions 2>first shit line and',
    '<v Captions>that is uh all',
  ]);
  // Both go with the clip.
  const at = (): number => startOf(captions.others[0]?.lines[0] ?? []);
  const earlier = at();
  setValues({ 'elements[0].time': 2.5 });
  expect(at()).toBeCloseTo(earlier + 2, 2);
  setValues({ 'elements[0].time': 0.5 });
  // Given back, it is as before.
  captions.choose(other?.path ?? '');
  captions.give(0);
  captions.give(0);
  captions.choose(captionsPath());
  expect(spokenNow()[0]).toEqual(before[0]);
  expect(shown()).toEqual(whole);
  editor.document.undo();
  editor.document.settle();
  expect(spokenNow()[1]).toEqual(['Captions 2', 'first shit line and']);
});
