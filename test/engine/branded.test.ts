/** A document in the colours and fonts of a brand: every sample, by the engine's own check of what can be read. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDocument } from '../../server/engine/check/check.ts';
import { prepareDocument } from '../../server/jobs/desk/prepare-document.ts';
import { sampleFolder } from '../../server/system/paths.ts';
import type { Brand } from '../../shared/api.ts';
import type { JsonObject, Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { noBrand } from '../../renderer/editor/making/brand.ts';
import { branded, type Branded } from '../../renderer/editor/making/branded.ts';
import { groundsOf, seenIn } from '../../renderer/editor/making/grounds.ts';
import { contrastOf } from '../../renderer/editor/making/oklch.ts';
import { harmoniesOf } from '../../renderer/editor/making/palette.ts';
import { PatchedText } from '../../renderer/editor/source/patch.ts';
import { parseColor, type Rgba } from '../../shared/renderscript/color.ts';
import { jobInto } from '../helpers/engine.ts';
import { someInQuick } from '../helpers/long.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'branded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const brands = {
  dark: {
    colors: ['#14213d', '#fca311', '#e5e5e5'],
    titleFont: 'Playfair Display',
    textFont: 'Inter',
  },
  pastel: {
    colors: ['#f7cad0', '#bde0fe', '#cdb4db', '#fff8f0'],
    titleFont: 'Quicksand',
    textFont: 'Nunito',
  },
  one: { colors: ['#0f9d58'], titleFont: 'Lobster', textFont: '' },
  plain: { colors: ['#000000', '#ffffff'], titleFont: 'Anton', textFont: 'Roboto' },
} as const;
const names = ['dark', 'pastel', 'one', 'plain'] as const;

const brandOf = (name: (typeof names)[number]): Brand => ({
  ...brands[name],
  logo: 'media:logo-1',
});

const after = (source: Source, { patch }: Branded): Source =>
  JSON.parse(new PatchedText(JSON.stringify(source)).with(patch)) as Source;

const samples = readdirSync(sampleFolder(), { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'source.json')
  .sort();
const read = (file: string): Source =>
  JSON.parse(readFileSync(path.join(sampleFolder(), file), 'utf8')) as Source;

describe.each(
  someInQuick(
    samples.map((file, index) => [path.dirname(file), index, file] as const),
    9,
  ),
)('%s', (_, index, file) => {
  const source = read(file);

  it.each(names)('stays valid in the %s brand, which it then has', (name) => {
    const brand = brandOf(name);
    const made = branded(source, brand);
    const document = after(source, made);
    expect(validate(document)).toEqual(validate(source));
    expect(branded(document, brand).patch).toEqual({});
    expect(made.colors + made.fonts).toBeGreaterThan(0);
  });

  it('gives nothing to say to the check before rendering', async () => {
    const brand = { ...brandOf(names[index % names.length] ?? 'dark'), logo: '' };
    const { problems, text } = prepareDocument({
      source: after(source, branded(source, brand)),
      scaling: {},
    });
    const work = mkdtempSync(path.join(folder, 'work-'));
    const job = jobInto(work, 'film.mp4', JSON.parse(text) as Source);
    const { findings } = await checkDocument(
      { ...job, mediaFolders: [sampleFolder()], problems },
      new AbortController().signal,
    );
    expect(findings.map(({ code, path: at, message }) => `${code} ${at} ${message}`)).toEqual([]);
  });
});

const frame = { output_format: 'mp4', width: 1000, height: 1000, duration: 4 } as const;
const blue = '#2447d8';

/** What becomes of some elements. */
function made(
  elements: readonly JsonObject[],
  brand: Partial<Brand>,
  root: JsonObject = {},
): Source {
  const source = { ...frame, ...root, elements };
  return after(source, branded(source, { ...noBrand, ...brand }));
}

const full = { type: 'shape', width: '100%', height: '100%' } as const;
const word = {
  type: 'text',
  text: 'Word',
  width: '50%',
  height: '10%',
  font_size: '4 vmin',
} as const;

describe('what becomes of', () => {
  it.each([
    ['greys: they stay', { ...full, fill_color: '#808080' }, { fill_color: '#808080' }],
    ['a colour: the first of the brand', { ...full, fill_color: '#ff4d2e' }, { fill_color: blue }],
    ['its opacity and spelling', { ...full, fill_color: '#FF4D2E80' }, { fill_color: '#2447D880' }],
    [
      'a gradient: its stops, one by one',
      {
        ...full,
        fill_mode: 'linear',
        fill_color: [
          { offset: '0%', color: '#ff4d2e' },
          { offset: '100%', color: '#fff' },
        ],
      },
      {
        fill_color: [
          { offset: '0%', color: blue },
          { offset: '100%', color: '#fff' },
        ],
      },
    ],
    [
      'keyframes: their values',
      {
        ...full,
        fill_color: [
          { time: 0, value: '#ff4d2e' },
          { time: 1, value: 'rgb(255,77,46)' },
        ],
      },
      {
        fill_color: [
          { time: 0, value: blue },
          { time: 1, value: blue },
        ],
      },
    ],
    [
      'a photo: nothing',
      { type: 'image', source: 'a.jpg', color_overlay: '#ff4d2e80', key_color: '#00ff00' },
      { color_overlay: '#ff4d2e80', key_color: '#00ff00' },
    ],
  ] as const)('%s', (_, element, given) => {
    expect(made([element], { colors: [blue] }).elements).toMatchObject([given]);
  });

  it('black and white: those of the brand, where it has its own', () => {
    const elements = [
      { ...full, fill_color: '#ffffff' },
      { ...word, fill_color: '#111111' },
    ];
    expect(made(elements, { colors: [blue, '#1b1b1f', '#faf7f2'] }).elements).toMatchObject([
      { fill_color: '#faf7f2' },
      { fill_color: '#1b1b1f' },
    ]);
  });

  it.each([
    ['small letters on a ground that becomes bright', '#ffffff', '#b00020', '#f7cad0', 4.5],
    ['those on one that becomes dark', '#111111', '#ffd23f', '#14213d', 4.5],
    ['a colour on white', '#b00020', '#ffffff', '#f7cad0', 4.5],
    ['black that nobody wrote', undefined, '#ffd23f', '#14213d', 4.5],
  ] as const)('%s: they can be read', (_, ink, ground, brand, least) => {
    const letters = ink === undefined ? word : { ...word, fill_color: ink };
    const { fill_color, elements } = made([letters], { colors: [brand] }, { fill_color: ground });
    const [text] = elements as readonly [JsonObject];
    const colors = [text.fill_color, fill_color].map(
      (one) => parseColor(one) ?? ([0, 0, 0, 1] as Rgba),
    );
    expect(contrastOf(colors[0] as Rgba, colors[1] as Rgba)).toBeGreaterThanOrEqual(least);
  });

  it('a part of a text with a colour of its own', () => {
    const text = 'One [color #ff4d2e]word[/color]';
    const [element] = made([{ ...word, text, fill_color: '#fff' }], { colors: ['#fca311'] })
      .elements as readonly [JsonObject];
    expect(element.text).toBe('One [color #fca311]word[/color]');
  });

  it('fonts: large texts get that of titles, others that of texts', () => {
    const elements = [
      { ...word, font_size: '12 vmin', font_family: 'Anton' },
      { ...word, font_size: '5.5 vmin', font_weight: '700' },
      { ...word, font_size: '3 vmin', font_family: '{{font}}' },
      { ...word, font_size: '3 vmin', font_family: 'Lato' },
    ];
    expect(made(elements, { titleFont: 'Lobster', textFont: 'Inter' }).elements).toMatchObject([
      // Anton is heavy, though its weight is called regular.
      { font_family: 'Lobster', font_weight: '700' },
      { font_family: 'Lobster', font_weight: '700' },
      { font_family: '{{font}}' },
      { font_family: 'Inter' },
    ]);
  });

  it.each(['Logo', 'ロゴ', 'Logotipo', 'My logo 2'])(
    'a picture called %s: the logo, whole',
    (name) => {
      const image = { type: 'image', name, source: 'old.png' };
      const brand = { logo: 'media:new' };
      const source = { ...frame, elements: [image, { ...image, name: 'Technologos' }] };
      const result = branded(source, { ...noBrand, ...brand });
      expect(after(source, result).elements).toMatchObject([
        { source: 'media:new', fit: 'contain' },
        { source: 'old.png' },
      ]);
      expect(result.logos).toBe(1);
    },
  );

  it('a document with errors: nothing', () => {
    const source = { ...frame, elements: [{ type: 'nothing', fill_color: '#ff0000' }] };
    expect(branded(source, brandOf('dark')).patch).toEqual({});
  });
});

it('what lies beneath one of very many elements is found in as many steps as beneath one of many', () => {
  const glass = { type: 'shape', width: '100%', height: '100%', fill_color: '#ff000003' };
  const stepsIn = (count: number): number => {
    const elements = Array.from({ length: count }, (_, index) => ({ ...glass, track: index + 1 }));
    const seen = seenIn({ width: 100, height: 100, duration: 1, elements }, {});
    const last = seen.at(-1);
    let steps = 0;
    if (last)
      groundsOf(seen, last, (color) => {
        steps++;
        return color;
      });
    return steps;
  };
  expect(stepsIn(300)).toBeGreaterThan(1_000);
  expect(stepsIn(3_000)).toBe(stepsIn(300));
});

describe('colours that go with a brand', () => {
  it.each(['#2447d8', '#f2b134', '#f7cad0', '#14213d', '#000000'])('%s', (color) => {
    const found = harmoniesOf([color]);
    expect(found.length).toBeGreaterThan(2);
    const by = (id: string): Rgba =>
      parseColor(found.find((one) => one.id === id)?.color) ?? [0, 0, 0, 1];
    const paper = by('paper');
    expect(contrastOf(by('ink'), paper)).toBeGreaterThan(10);
    for (const id of ['neighbour', 'complement']) {
      if (!found.some((one) => one.id === id)) continue;
      const best = Math.max(contrastOf(by(id), paper), contrastOf(by(id), by('ink')));
      expect(best).toBeGreaterThanOrEqual(4);
    }
    // What was taken is not offered again.
    const all = [color, ...found.map((one) => one.color)];
    expect(harmoniesOf(all).filter((one) => all.includes(one.color))).toEqual([]);
  });

  it('has none without a colour', () => expect(harmoniesOf([])).toEqual([]));
});
