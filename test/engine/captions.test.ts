/** Captions: subtitles and word lists as words with times, words as pages, and pages at a moment. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTranscripts } from '../../server/engine/assets/speech/transcripts.ts';
import { readSubtitles } from '../../shared/engine/subtitles.ts';
import { areGlued, readWords, splitTime, type TimedWord } from '../../shared/engine/transcript.ts';
import type { Transcript } from '../../shared/engine/transcript.ts';
import { pagesOf } from '../../shared/engine/compile/captions.ts';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { TextElement, TimelineElement } from '../../shared/engine/compile/timeline.ts';
import { lookOf, type PartState } from '../../shared/engine/layout/caption-effects.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { mediaOf } from './compile-media.ts';

type Brief = [text: string, start: number, end: number];

function brief(words: readonly { text: string; start: number; end: number }[]): Brief[] {
  const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return words.map(({ text, start, end }) => [text, round(start), round(end)]);
}

/** Words a third of a second apart, without gaps. */
function spoken(text: string, start = 0, step = 0.3): TimedWord[] {
  return text.split(' ').map((word, index) => ({
    text: word,
    start: start + index * step,
    end: start + (index + 1) * step,
    sentence: null,
    glued: false,
  }));
}

describe('subtitles', () => {
  const cue = (text: string): string => `1\n00:00:01,000 --> 00:00:03,000\n${text}\n`;

  // prettier-ignore
  test.each<[what: string, text: string, words: Brief[]]>([
    ['a cue shares its time by length, the space after a word included', cue('a bcd'), [['a', 1, 1.667], ['bcd', 1.667, 3]]],
    ['lines of a cue are one sentence', cue('ab\ncd'), [['ab', 1, 2], ['cd', 2, 3]]],
    ['Windows line ends, a byte-order mark, points, short times', '\ufeff1\r\n0:01.5 --> 0:02.25\r\nab\r\n\r\n', [['ab', 1.5, 2.25]]],
    ['no number, no empty line between cues', '00:00:01,000 --> 00:00:02,000\nab\n2\n00:00:02,000 --> 00:00:03,000\ncd', [['ab', 1, 2], ['cd', 2, 3]]],
    ['a number as text', cue('42'), [['42', 1, 3]]],
    ['an empty line before the text', cue('\nab'), [['ab', 1, 3]]],
    ['an empty cue says nothing', cue(''), []],
    ['tags, styling and entities', cue('{\\an8}<i>a</i> &amp; <font color="#f00">b</font>&#33;'), [['a', 1, 1.571], ['&', 1.571, 2.143], ['b!', 2.143, 3]]],
    ['a WebVTT head with settings, notes and styles', 'WEBVTT - title\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE one\ntwo\n\nid\n00:01.000 --> 00:02.000 align:start\nab', [['ab', 1, 2]]],
    ['hours beyond two digits', 'WEBVTT\n\n100:00:01.000 --> 100:00:02.000\nab', [['ab', 360001, 360002]]],
    ['times inside a cue', 'WEBVTT\n\n00:01.000 --> 00:04.000\nab <00:02.000><c>cd</c> <00:03.500>ef gh', [['ab', 1, 2], ['cd', 2, 3.5], ['ef', 3.5, 3.75], ['gh', 3.75, 4]]],
    ['a time inside a cue that lies outside of it', 'WEBVTT\n\n00:01.000 --> 00:02.000\nab <00:09.000>cd', [['ab', 1, 2], ['cd', 2, 2]]],
    ['cues out of order', '2\n00:00:03,000 --> 00:00:04,000\ncd\n\n1\n00:00:01,000 --> 00:00:02,000\nab', [['ab', 1, 2], ['cd', 3, 4]]],
    ['nothing but a head', 'WEBVTT\n', []],
  ])('%s', (_what, text, words) => {
    expect(brief(readSubtitles(text, 'Text.transcript_source', ''))).toEqual(words);
  });

  test('a time inside a word parts it without a space', () => {
    const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nka<00:01.500>ra oke';
    const words = readSubtitles(text, '', '');
    expect(words.map(({ glued }) => glued)).toEqual([false, true, false]);
  });

  // prettier-ignore
  test.each<[text: string, message: string]>([
    ['1\n00:00:0x,000 --> 00:00:02,000\nab', 'Source error: Text.transcript_source: line 2: Expected times as in 00:00:01,000 --> 00:00:02,500, found "00:00:0x,000 --> 00:00:02,000"'],
    ['1\n00:00:05,000 --> 00:00:02,000\nab', 'Source error: Text.transcript_source: line 2: Expected an end after the start, found "00:00:05,000 --> 00:00:02,000"'],
  ])('%j is refused with its place', (text, message) => {
    expect(() => readSubtitles(text, 'Text.transcript_source', '')).toThrow(message);
  });
});

describe('words', () => {
  test('a list: sorted, a second without a duration, empty words left out', () => {
    const list = [
      { time: '2 s', value: ' c ' },
      { time: 1, duration: 0.5, value: 'b', sentence: 3 },
      { time: 0, value: '  ' },
    ];
    expect(brief(readWords(list, '', ''))).toEqual([
      ['b', 1, 1.5],
      ['c', 2, 3],
    ]);
    expect(readWords(list, '', '').map(({ sentence }) => sentence)).toEqual([3, null]);
  });

  test('where words bring their spaces along, those without belong to the word before', () => {
    const list = ['It', "'s", ' fine', ','].map((value, time) => ({ time, value }));
    expect(readWords(list, '', '').map(({ glued }) => glued)).toEqual([false, true, false, true]);
  });

  // prettier-ignore
  test.each([
    ['hello', 'world', false], ['hello', ',', true], ['今日', 'は', true], ['東京', 'Tower', false], ['สวัสดี', 'ครับ', true],
    ['말', '해요', false],
  ])('%s + %s', (before, after, glued) => {
    expect(areGlued(before, after)).toBe(glued);
  });

  test('Japanese without spaces is cut into words with their punctuation', () => {
    const words = splitTime('今日は「東京」です。', 0, 10, null);
    expect(words.map(({ text }) => text).join('')).toBe('今日は「東京」です。');
    expect(words.length).toBeGreaterThan(2);
    expect(words.every(({ text }) => /\p{L}/u.test(text))).toBe(true);
  });
});

describe('pages', () => {
  const texts = (words: readonly TimedWord[], maximum: number | null): string[] =>
    pagesOf(words, maximum).map(({ text }) => text);

  // prettier-ignore
  test.each<[what: string, words: TimedWord[], maximum: number | null, pages: string[]]>([
    ['no maximum: a sentence each', spoken('One two. Three four! Five'), null, ['One two.', 'Three four!', 'Five']],
    ['abbreviations and initials end nothing', spoken('Ask Dr. A. Smith now.'), null, ['Ask Dr. A. Smith now.']],
    ['numbers with points end nothing', spoken('It is 3.5 metres.'), null, ['It is 3.5 metres.']],
    ['a pause', [...spoken('one two'), ...spoken('three', 1.5)], null, ['one two', 'three']],
    ['a breath is no pause', [...spoken('one two'), ...spoken('three', 1.2)], null, ['one two three']],
    ['exactly the maximum fits', spoken('abcd efgh'), 9, ['abcd efgh']],
    ['even lengths rather than one full page and a rest', spoken('aaa bbb ccc ddd'), 12, ['aaa bbb', 'ccc ddd']],
    ['a comma is a good place', spoken('aa bb, cc dd ee'), 11, ['aa bb,', 'cc dd ee']],
    ['a word that is too long has a page of its own', spoken('a extraordinary b'), 5, ['a', 'extraordinary', 'b']],
    ['letters are counted as readers do', spoken('👩‍🚀👩‍🚀 ne\u0301'), 5, ['👩‍🚀👩‍🚀 ne\u0301']],
    ['Chinese', readWords([{ time: 0, value: '你好' }, { time: 1, value: '世界' }, { time: 2, value: '。' }], '', ''), 3, ['你好', '世界。']],
    ['Arabic sentence end', spoken('كيف حالك؟ بخير'), null, ['كيف حالك؟', 'بخير']],
  ])('%s', (_what, words, maximum, pages) => {
    expect(texts(words, maximum)).toEqual(pages);
  });

  test('every word is on exactly one page, in order, whatever the maximum', () => {
    const words = spoken(
      'the quick brown fox, so they say, jumps over a dozen lazy dogs. And back',
    );
    for (let maximum = 1; maximum < 80; maximum++) {
      const pages = pagesOf(words, maximum);
      expect(pages.flatMap((page) => page.words.map(({ text }) => text))).toEqual(
        words.map(({ text }) => text),
      );
      for (const { text, words: own } of pages)
        expect(text.length <= maximum || own.length === 1).toBe(true);
    }
  });

  test('sentence numbers decide alone', () => {
    const words = spoken('One. two three four').map((word, index) => ({
      ...word,
      start: index * 3,
      end: index * 3 + 1,
      sentence: index < 3 ? 0 : 1,
    }));
    expect(texts(words, null)).toEqual(['One. two three', 'four']);
  });

  test('pages hold over short gaps, linger, and never overlap', () => {
    const words = [...spoken('One.'), ...spoken('Two.', 0.9), ...spoken('Three.', 4)];
    const pages = pagesOf(words, null).map(({ start, end }) => [start, end]);
    // The gaps are 0.6 s, which the first page bridges, and 2.8 s, in which the second one goes after half a second.
    expect(pages.map((times) => times.map((time) => Math.round(time * 1000) / 1000))).toEqual([
      [0, 0.9],
      [0.9, 1.7],
      [4, 4.8],
    ]);
  });

  test('a word is marked until the next one over a breath, to its own end before a pause', () => {
    const words = spoken('a b c').map((word, index) => ({
      ...word,
      start: [0, 0.5, 2][index] ?? 0,
      end: [0.3, 0.9, 2.2][index] ?? 0,
      sentence: 1,
    }));
    expect(brief(pagesOf(words, null)[0]?.words ?? [])).toEqual([
      ['a', 0, 0.5],
      ['b', 0.5, 0.9],
      ['c', 2, 2.2],
    ]);
  });
});

describe('clocks', () => {
  function captionsOn(voice: JsonObject, text: JsonObject = {}): Brief[] {
    const elements = [
      { type: 'audio', source: 'music22', duration: 20, ...voice },
      { type: 'text', duration: 20, ...text },
    ];
    const words = spoken('a b c d', 1, 1);
    const transcript: Transcript = {
      clock: 'media',
      speeches: [{ elementPath: 'elements[0]', words }],
    };
    const timeline = compileTimeline(
      { output_format: 'mp4', width: 100, height: 100, elements },
      {
        media: mediaOf(),
        scaling: {},
        transcripts: new Map([['elements[1]', transcript]]),
      },
    );
    const isText = (element: TimelineElement): element is TextElement => element.type === 'text';
    const captions = timeline.root.children.find(isText)?.captions;
    return brief(captions?.pages.flatMap((page) => page.words) ?? []);
  }

  // prettier-ignore
  test.each<[what: string, voice: JsonObject, text: JsonObject, words: Brief[]]>([
    ['both at the start', {}, {}, [['a', 1, 2], ['b', 2, 3], ['c', 3, 4], ['d', 4, 5]]],
    ['the voice begins later', { time: 3 }, { time: 1 }, [['a', 3, 4], ['b', 4, 5], ['c', 5, 6], ['d', 6, 7]]],
    ['what is trimmed away is not said', { trim_start: 2, trim_duration: 2 }, {}, [['b', 0, 1], ['c', 1, 2]]],
    ['twice as fast', { speed: '200%' }, {}, [['a', 0.5, 1], ['b', 1, 1.5], ['c', 1.5, 2], ['d', 2, 2.5]]],
    ['what loops is said again', { trim_start: 1, trim_duration: 2, loop: true, duration: 3.5 }, {}, [['a', 0, 1], ['b', 1, 2], ['a', 2, 3], ['b', 3, 3.5]]],
    ['words before the text are left out', {}, { time: 3 }, [['b', -1, 0], ['c', 0, 1], ['d', 1, 2]]],
  ])('%s', (_what, voice, text, words) => {
    expect(captionsOn(voice, text)).toEqual(words);
  });
});

test('a text animation on captions is warned of, an animation of the whole element is not', () => {
  const warningsWith = (animation: JsonObject, text: JsonObject): unknown[] => {
    const words = spoken('a b', 0, 1);
    const elements = [
      { type: 'composition', elements: [{ type: 'text', ...text, animations: [animation] }] },
    ];
    const document = { output_format: 'mp4', width: 100, height: 100, duration: 4, elements };
    const { warnings } = compileTimeline(document, {
      media: mediaOf(),
      scaling: {},
      transcripts: new Map([['elements[0].elements[0]', { clock: 'text', words }]]),
    });
    return warnings.map(({ code, element, path }) => [code, element, path]);
  };
  const text = { name: 'Subtitles', transcript_source: 'Voice' };
  expect(warningsWith({ type: 'text-slide', time: 0, duration: 1 }, text)).toEqual([
    ['captions_not_animated', 'Subtitles', 'elements[0].elements[0].animations'],
  ]);
  expect(warningsWith({ type: 'fade', time: 0, duration: 1 }, text)).toEqual([]);
});

describe('effects', () => {
  const state: PartState = { since: 0, length: 0.4, x: 50, y: 20, width: 80, fontSize: 30 };
  const effects = ['color', 'karaoke', 'highlight', 'fade', 'bounce', 'slide', 'enlarge'] as const;
  const resting = { opacity: 1, transform: null, box: 0 };

  test.each(effects)('%s shows the word in the first frame in which it is spoken', (effect) => {
    const before = lookOf(effect, { ...state, since: -0.001 });
    const first = lookOf(effect, { ...state, since: effect === 'karaoke' ? 0.02 : 0 });
    expect(first.opacity).toBeGreaterThan(0);
    expect(first).not.toEqual(before);
  });

  test.each(effects)('%s comes to rest', (effect) => {
    const after = lookOf(effect, { ...state, since: 2 });
    expect(after).toEqual({ ...resting, accent: effect === 'karaoke' ? 1 : 0 });
  });

  test('a word that grows does not reach its neighbours', () => {
    for (const width of [20, 60, 300]) {
      const { transform } = lookOf('enlarge', { ...state, width, since: 0.2 });
      const grown = ((transform?.[0] ?? 1) - 1) * width;
      expect(grown).toBeGreaterThan(0);
      expect(width > 100 || grown / 2 <= 0.12 * state.fontSize + 0.001).toBe(true);
    }
  });
});

test('C10: subtitle files and word lists in UTF-16 and older encodings', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'captions-test-'));
  const text = '“Don’t” – 5 €';
  const srt = `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`;
  const list = JSON.stringify([{ time: 0, value: text, duration: 2 }]);
  const western = (all: string): Buffer => {
    const signs = new Map(
      Array.from('“”’–€', (sign, at) => [sign, '\x93\x94\x92\x96\x80'.charAt(at)]),
    );
    return Buffer.from(Array.from(all, (sign) => signs.get(sign) ?? sign).join(''), 'latin1');
  };
  const ways = {
    plain: (all: string) => Buffer.from(all),
    marked: (all: string) => Buffer.from(`\ufeff${all}`, 'utf16le'),
    swapped: (all: string) => Buffer.from(`\ufeff${all}`, 'utf16le').swap16(),
    western,
  };
  const contents = { srt, vtt: `WEBVTT\n\n${srt.replaceAll(',', '.')}`, json: list };
  const read = async (file: string): Promise<unknown> => {
    const source = { elements: [{ type: 'text', transcript_source: file }] };
    const { byText, warnings } = await loadTranscripts(
      source,
      { media: new Map(), warnings: [] },
      {
        workFolder: path.join(folder, 'work'),
        cacheFolder: path.join(folder, 'cache'),
        mediaFolders: [folder],
        allowPrivateAddresses: false,
        ownPorts: [],
        pictureMegapixels: 10,
        mediaBytes: 1e6,
        signal: new AbortController().signal,
        ffmpeg: null,
        transcriber: null,
        preview: false,
        onTranscribing: () => undefined,
      },
    );
    const [transcript] = byText.values();
    const words = transcript?.clock === 'text' ? transcript.words.map((word) => word.text) : [];
    return [words.join(' '), warnings.map(({ message }) => message)];
  };
  try {
    for (const [ending, content] of Object.entries(contents))
      for (const [way, encode] of Object.entries(ways)) {
        const file = `${way}.${ending}`;
        writeFileSync(path.join(folder, file), encode(content));
        const told = way === 'western' ? [expect.stringContaining('was read as Windows-1252')] : [];
        expect(await read(file), file).toEqual([text, told]);
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
