/** The check before rendering: finds each fault that is planted, and nothing in what the product ships. */
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
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDocument } from '../../server/engine/check/check.ts';
import { prepareDocument } from '../../server/jobs/desk/prepare-document.ts';
import { fontFolder, sampleFolder } from '../../server/system/paths.ts';
import type { CheckReport } from '../../shared/findings.ts';
import { patched } from '../../shared/renderscript/json-patch.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';
import { someInQuick } from '../helpers/long.ts';
import { noise, sine, writeWav } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'check-'));

beforeAll(() => {
  writeWav(path.join(folder, 'tone.wav'), 3, [sine(440, 0.3)]);
  writeWav(path.join(folder, 'short.wav'), 1, [sine(440, 0.3)]);
  writeWav(path.join(folder, 'loud.wav'), 3, [sine(440, 0.9)]);
  writeWav(path.join(folder, 'other.wav'), 3, [noise(1, 0.9)]);
  writeWav(path.join(folder, 'silence.wav'), 3, [() => 0]);
  writeWav(path.join(folder, 'half.wav'), 3, [
    (index) => (index < 48_000 ? sine(440, 0.3)(index) : 0),
  ]);
  writeFileSync(path.join(folder, 'words.jpg'), 'no picture at all');
  // Its header is right, what follows is not.
  const png = readFileSync(path.join(import.meta.dirname, '..', 'fixtures', 'pattern.png'));
  writeFileSync(path.join(folder, 'spoilt.png'), png.fill(0x55, 60, png.length - 20));
  const photo = readFileSync(path.join(sampleFolder(), 'media', 'dawn.jpg'));
  writeFileSync(path.join(folder, 'cut.jpg'), photo.subarray(0, photo.length / 2));
  const video = readFileSync(path.join(sampleFolder(), 'media', 'sea.mp4'));
  writeFileSync(path.join(folder, 'broken.mp4'), video.subarray(0, 2_000));
  writeFileSync(path.join(folder, 'broken.woff2'), 'wOF2 and nothing else');
  const latin = path.join(fontFolder(), 'oswald-latin-wght-normal.woff2');
  copyFileSync(latin, path.join(folder, 'latin.woff2'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is wrong with a document, as the API and the command line ask for it. */
async function check(source: Source): Promise<CheckReport> {
  const { problems, text } = prepareDocument({ source, scaling: {} });
  const work = mkdtempSync(path.join(folder, 'work-'));
  const job = jobInto(work, 'film.mp4', JSON.parse(text) as Source);
  const mediaFolders = [folder, path.join(import.meta.dirname, '..', 'fixtures'), sampleFolder()];
  return checkDocument({ ...job, mediaFolders, problems }, new AbortController().signal);
}

const told = ({ findings }: CheckReport): string[] =>
  findings.map(({ level, code, path: at }) => `${level} ${code} ${at}`);

describe('what is shipped', () => {
  // The templates of a new data folder, and the documents that the help begins with.
  const kinds = readdirSync(sampleFolder()).filter((name) =>
    existsSync(path.join(sampleFolder(), name, 'source.json')),
  );
  const recipes = readdirSync(path.join(sampleFolder(), 'recipes'));
  const files = [
    ...kinds.map((name) => `${name}/source.json`),
    ...recipes.map((name) => `recipes/${name}`),
  ];
  it('are all of them', () => expect(kinds.length).toBeGreaterThanOrEqual(9));

  it.each(someInQuick(files, 12))('%s has no finding', async (name) => {
    const text = readFileSync(path.join(sampleFolder(), name), 'utf8');
    const report = await check(JSON.parse(text) as Source);
    expect(report.findings).toEqual([]);
    expect(report.estimate?.seconds).toBeGreaterThan(0);
    expect(report.estimate?.bytes).toBeGreaterThan(0);
  });
});

// A film of three seconds in which nothing is wrong.
const title: JsonObject = {
  ...{ type: 'text', name: 'Title', text: 'Good morning', font_family: 'Inter' },
  ...{ width: '60%', height: '30%', x_alignment: '50%', y_alignment: '50%' },
  ...{ font_size: 32, fill_color: '#ffffff' },
};
const tone: JsonObject = { type: 'audio', name: 'Tone', source: 'tone.wav' };

function film(elements: readonly JsonObject[], more: JsonObject = {}): Source {
  const shape = { output_format: 'mp4', width: 640, height: 360, frame_rate: 25 };
  return { ...shape, duration: 3, fill_color: '#102030', elements, ...more };
}

const words = (every: number): JsonObject[] =>
  ['Everything', 'was', 'spoken', 'far', 'too', 'quickly', 'to', 'be', 'read', 'at', 'all'].map(
    (value, index) => ({ time: 0.1 + index * every, duration: every, value }),
  );

const captions = (every: number): JsonObject => ({
  ...{ ...title, name: 'Captions', text: 'Captions', font_size: 24 },
  ...{ transcript_source: words(every), transcript_maximum_length: 30 },
});

/** Each with one planted fault: the document, and the one finding that it has. */
const planted: readonly (readonly [fault: string, source: Source, finding: string])[] = [
  // The document.
  [
    'a value of no unit',
    film([{ ...title, opacity: '50 apples' }]),
    'error wrong_unit elements[0].opacity',
  ],
  [
    'a misspelt property',
    film([{ ...title, fill_colour: '#ffffff' }]),
    'warning unknown_property elements[0].fill_colour',
  ],
  [
    'a misspelt color',
    film([{ ...title, fill_color: 'whiite' }]),
    'error wrong_color elements[0].fill_color',
  ],
  [
    'an unknown easing',
    film([{ ...title, animations: [{ type: 'fade', duration: 0.5, easing: 'cubic-oot' }] }]),
    'warning unknown_easing elements[0].animations[0].easing',
  ],
  // Files.
  [
    'a file that is not there',
    film([{ type: 'image', name: 'Photo', source: 'gone.jpg' }]),
    'error media_missing elements[0].source',
  ],
  [
    'a file that is no picture',
    film([{ type: 'image', name: 'Photo', source: 'words.jpg' }]),
    'error media_unreadable elements[0].source',
  ],
  [
    'a video without its facts',
    film([{ type: 'video', name: 'Clip', source: 'broken.mp4', duration: 3 }]),
    'error media_unreadable elements[0].source',
  ],
  [
    'a picture as a sound',
    film([{ type: 'audio', name: 'Tone', source: 'media/dawn.jpg' }]),
    'error media_unreadable elements[0].source',
  ],
  [
    'a silent video as a sound',
    film([{ type: 'audio', name: 'Tone', source: 'numbers.mp4' }]),
    'error media_unreadable elements[0].source',
  ],
  [
    'a picture that ends too early',
    film([{ type: 'image', name: 'Photo', source: 'cut.jpg' }]),
    'warning file_cut_off elements[0].source',
  ],
  [
    'a file of a composition',
    film([
      { type: 'composition', elements: [{ type: 'image', name: 'Photo', source: 'gone.png' }] },
    ]),
    'error media_missing elements[0].elements[0].source',
  ],
  [
    'a small video',
    film([{ type: 'video', name: 'Clip', source: 'numbers.mp4' }], { duration: 2 }),
    'hint media_enlarged elements[0].source',
  ],
  [
    'a picture that is spoilt inside',
    film([{ type: 'image', name: 'Photo', source: 'spoilt.png', width: '10%' }, title]),
    'error media_unreadable elements[0].source',
  ],
  [
    'subtitles that are not there',
    film([{ ...title, transcript_source: 'gone.srt' }]),
    'error no_transcript elements[0].transcript_source',
  ],
  [
    'captions of a recording that no one hears',
    film([tone, { ...title, transcript_source: 'Tone' }]),
    'error transcriber_missing elements[1].transcript_source',
  ],
  [
    'a text that no one speaks',
    film([{ type: 'audio', name: 'Voice', provider: 'elevenlabs', source: 'Good morning' }]),
    'error voice_missing elements[0].provider',
  ],
  // Fonts.
  [
    'a font that nobody has',
    film([{ ...title, font_family: 'Helvetia Nova' }]),
    'warning unknown_font elements[0].font_family',
  ],
  [
    'a misspelt font',
    film([{ ...title, font_family: 'Montserat' }]),
    'warning unknown_font elements[0].font_family',
  ],
  [
    'a damaged font file',
    film([{ ...title, font_family: 'Own' }], {
      fonts: [{ family: 'Own', source: 'broken.woff2' }],
    }),
    'warning font_unreadable fonts[0].source',
  ],
  [
    'letters that a font lacks',
    film([{ ...title, text: 'Добрый день', font_family: 'Own' }], {
      fonts: [{ family: 'Own', source: 'latin.woff2' }],
    }),
    'warning missing_characters elements[0].text',
  ],
  [
    'letters that no font has',
    film([{ ...title, text: 'Good 𒀀 morning' }]),
    'warning missing_characters elements[0].text',
  ],
  // Places.
  [
    'a text that is too wide',
    film([{ ...title, text: 'Incomprehensibilities', width: '30%', font_size: 40 }]),
    'warning text_overflows elements[0].text',
  ],
  [
    'a text that is too high',
    film([{ ...title, text: 'One line\nand another\nand a third', height: '15%' }]),
    'warning text_overflows elements[0].text',
  ],
  [
    'a text beyond the right edge',
    film([{ ...title, x: '90%', width: null, height: null }]),
    'warning text_leaves_picture elements[0]',
  ],
  [
    'a text beyond the lower edge',
    film([{ ...title, y: 355, width: null, height: null }]),
    'warning text_leaves_picture elements[0]',
  ],
  [
    'a text too close to the left edge',
    film([{ ...title, x: '1%', x_anchor: '0%', width: null, height: null }]),
    'hint outside_safe_area elements[0]',
  ],
  [
    'a text too close to the upper edge',
    film([{ ...title, y: 4, y_anchor: '0%', width: null, height: null }]),
    'hint outside_safe_area elements[0]',
  ],
  [
    'a text of an upright film too close to its end',
    film([{ ...title, width: null, height: null, y: '99%', y_anchor: '100%' }], {
      width: 360,
      height: 640,
    }),
    'hint outside_safe_area elements[0]',
  ],
  // Reading.
  [
    'letters that are too small',
    film([{ ...title, font_size: 6 }]),
    'hint text_too_small elements[0].font_size',
  ],
  [
    'letters that are made too small',
    film([{ type: 'composition', x_scale: '20%', y_scale: '20%', elements: [title] }]),
    'hint text_too_small elements[0].elements[0].font_size',
  ],
  [
    'grey on grey',
    film([{ ...title, fill_color: '#304050' }]),
    'warning low_contrast elements[0].fill_color',
  ],
  [
    'white on a bright picture',
    film([
      {
        type: 'shape',
        path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z',
        fill_color: '#eeeeee',
        width: '100%',
        height: '100%',
      },
      title,
    ]),
    'warning low_contrast elements[1].fill_color',
  ],
  [
    'half a text on a bright ground',
    film([
      {
        type: 'shape',
        path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z',
        fill_color: '#f4f4f4',
        x: '0%',
        x_anchor: '0%',
        width: '50%',
        height: '100%',
      },
      title,
    ]),
    'warning low_contrast elements[1].fill_color',
  ],
  [
    'a background of the same color',
    film([{ ...title, background_color: '#fafafa' }]),
    'warning low_contrast elements[0].fill_color',
  ],
  [
    'captions that are too fast',
    film([captions(0.15)]),
    'warning captions_too_fast elements[0].transcript_source',
  ],
  [
    'a sentence that is gone too soon',
    film([
      {
        ...title,
        text: 'Nobody can read all of this in half a second',
        font_size: 20,
        duration: 0.5,
      },
    ]),
    'hint text_too_brief elements[0].duration',
  ],
  // Time.
  [
    'an element after the end',
    film([title, { ...title, name: 'Late', time: 5 }]),
    'warning begins_after_end elements[1].time',
  ],
  [
    'an element that the end cuts',
    film([{ ...title, time: 1, duration: 9 }]),
    'hint cut_by_end elements[0].duration',
  ],
  [
    'a child after the end of its composition',
    film([
      {
        type: 'composition',
        name: 'Scene',
        duration: 2,
        elements: [title, { ...title, name: 'Late', time: 2.5 }],
      },
    ]),
    'warning begins_after_end elements[0].elements[1].time',
  ],
  [
    'a beginning behind the end of a file',
    film([{ ...tone, trim_start: 8 }]),
    'warning trimmed_beyond_end elements[0].trim_start',
  ],
  [
    'a part that is longer than its file',
    film([{ ...tone, trim_start: 1, trim_duration: 5, duration: 2 }]),
    'warning trimmed_beyond_end elements[0].trim_duration',
  ],
  [
    'a sound that ends before its element',
    film([{ ...tone, source: 'short.wav', duration: 3 }]),
    'warning media_too_short elements[0]',
  ],
  [
    'a video that ends before its element',
    film([{ type: 'video', name: 'Clip', source: 'media/sea.mp4', duration: 9 }], {
      duration: 9,
      width: 320,
      height: 180,
    }),
    'warning media_too_short elements[0]',
  ],
  [
    'elements that follow at the same time',
    film([
      { ...title, track: 1, time: 0 },
      { ...title, name: 'Next', track: 1, time: 0 },
    ]),
    'warning never_visible elements[0]',
  ],
  // Sound.
  ['a silent file', film([{ ...tone, source: 'silence.wav' }]), 'warning silent_sound elements[0]'],
  [
    'a silent part of a file',
    film([{ ...tone, source: 'half.wav', trim_start: 1.5, duration: 1 }]),
    'warning silent_sound elements[0]',
  ],
  [
    'a silent file beside another',
    film([tone, { ...tone, name: 'Nothing', source: 'silence.wav' }]),
    'warning silent_sound elements[1]',
  ],
  [
    'a sound that is turned up too far',
    film([{ ...tone, volume: '600%' }]),
    'warning sound_clips elements[0].volume',
  ],
  [
    'sounds that are too loud together',
    film([
      { ...tone, source: 'loud.wav' },
      { ...tone, name: 'Other', source: 'other.wav' },
    ]),
    'warning sound_clips elements[0].volume',
  ],
];

describe('planted faults', () => {
  it('are forty and more', () => expect(planted.length).toBeGreaterThanOrEqual(40));

  it('there is none in the film that they are planted in', async () => {
    const report = await check(film([title, tone, captions(0.35)]));
    expect(report.findings).toEqual([]);
  });

  it.each(planted)('%s is found, and nothing else', async (_, source, finding) => {
    const report = await check(source);
    expect(told(report)).toEqual([finding]);
    const [found] = report.findings;
    expect(found?.message).not.toBe('');
    expect(found?.cure).not.toBe('');
    if (!found?.patch) return;
    // What the patch makes of the document no longer has the fault.
    const mended = patched(source, found.patch);
    expect(mended).not.toBeNull();
    const again = mended ? await check(mended) : report;
    expect(told(again)).not.toContain(finding);
  });

  const plate = { type: 'shape', path: 'M 0 0 L 100 0 L 100 100 L 0 100 Z' };
  it.each([
    [
      'letters with an outline that is nearly as dark as the ground',
      film([{ ...title, stroke_color: '#101418', stroke_width: 6 }], { fill_color: '#31506b' }),
    ],
    [
      'thin letters, whose strokes cover parts of pixels',
      film([{ ...title, font_weight: '100', font_size: 16, font_family: 'Montserrat' }]),
    ],
    [
      'letters that stand out by a background of their own',
      film([
        { ...plate, fill_color: '#ffffff' },
        { ...title, background_color: '#203040' },
      ]),
    ],
    ['an emoji of the color of the ground', film([{ ...title, text: 'Good 🌕', font_size: 30 }])],
    ['a sound that is turned up to its full scale', film([{ ...tone, volume: '300%' }])],
    ['music that the end of the film cuts', film([title, tone], { duration: 1.5 })],
  ])('are not seen in %s', async (_, source) => {
    expect(told(await check(source))).toEqual([]);
  });

  it('of an element and kind are told once, however many there are', async () => {
    const late = Array.from({ length: 3 }, (_, index) => ({ ...title, time: 4 + index }));
    const { findings } = await check(film([title, ...late]));
    expect(findings.map(({ path: at }) => at)).toEqual([1, 2, 3].map((n) => `elements[${n}].time`));
  });
});
