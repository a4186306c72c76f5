/** Lottie animations: moments in any order, what is changed in a file, what is left out or refused. */
import { createCanvas } from '@napi-rs/canvas';
import { zipSync } from 'fflate';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { tryPicture } from '../../server/engine/assets/examine/trial.ts';
import { plainLottie } from '../../server/engine/assets/lottie/lottie-file.ts';
import { drawableLottie } from '../../server/engine/assets/lottie/lottie-letters.ts';
import { LottiePicture } from '../../server/engine/assets/lottie/lottie-picture.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { vectorFonts } from '../helpers/drawing.ts';
import { renderInto } from '../helpers/engine.ts';
import { diceOf } from '../helpers/random-edits.ts';
import { failure, mediaFolder, photo, useFolder } from './assets-loading.ts';

vi.setConfig({ testTimeout: 300_000 });
useFolder();

const badge = readFileSync('test/fixtures/badge.json');
type Tree = Record<string, unknown>;
const changed = (change: (root: Tree) => void): Buffer => {
  const root = JSON.parse(badge.toString()) as Tree;
  change(root);
  return Buffer.from(JSON.stringify(root));
};

test('a moment is the same alone as after all others', () => {
  const lottie = plainLottie(readFileSync('test/fixtures/spinner.lottie')).text;
  const pixels = (picture: LottiePicture, time: number): Buffer =>
    picture.frame(time, 90, 60).data();
  const one = new LottiePicture({ lottie });
  const times = [0, 0.31, 0.9, 1.99, 0.62, 0.05];
  const shown = times.map((time) => Buffer.from(pixels(one, time)));
  for (const [index, time] of times.toReversed().entries())
    expect(pixels(new LottiePicture({ lottie }), time)).toEqual(shown[times.length - 1 - index]);
});

test('names and colours that are not there are told', () => {
  const edits = { texts: { Titel: 'x' }, colors: { '#123456': 'red' } };
  const { warnings } = plainLottie(badge, edits);
  expect(warnings[0]).toBe("The animation has no text layer 'Titel'; it has Title, Sub");
  expect(warnings[1]).toContain("no color '#123456'; it has #");
});

test.each<[string, (root: Tree) => void, string]>([
  ['no rate', (root) => (root['fr'] = 0), 'no size or no length'],
  ['a huge side', (root) => (root['w'] = 1e9), 'pixels on a side'],
  ['a word for a number', (root) => (root['op'] = 'x'), "no number for 'op'"],
  ['an end before its beginning', (root) => (root['ip'] = 61), 'no size or no length'],
  ['a negative side', (root) => (root['h'] = -180), 'no size or no length'],
  [
    'a composition in itself',
    (root) => (root['assets'] = [{ id: 'star', layers: [{ ty: 0, refId: 'star' }] }]),
    'shows itself',
  ],
])('%s is refused', (_, change, message) => {
  expect(() => plainLottie(changed(change))).toThrow(message);
});

test('nothing beside the file is opened', () => {
  const outside = changed((root) => (root['assets'] = [{ id: 'a', u: '/etc/', p: 'passwd' }]));
  const { text, warnings } = plainLottie(outside);
  expect(text).not.toContain('passwd');
  expect(warnings[0]).toContain('not in the file itself');
});

// ---- hostile files, as a render takes them -------------------------------------------------------------------------

const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const still = (k: unknown): Tree => ({ a: 0, k });
const [spot, full] = [still([0, 0]), still([100, 100])];
const place = { ty: 'tr', p: spot, a: spot, s: full, r: still(0), o: still(100) };
const box = { ty: 'rc', s: full, p: spot, r: still(0) };
const star = { ty: 'sr', sy: 1, p: spot, r: still(0), ir: still(30), is: still(0), or: still(80) };
const red = { ty: 'fl', c: still([1, 0, 0, 1]), o: still(100), r: 1 };
const line = (dash: number): Tree => ({
  ...{ ty: 'st', c: still([1, 0, 0, 1]), o: still(100), w: still(4), lc: 1, lj: 1 },
  d: ['d', 'g', 'o'].map((n) => ({ n, v: still(dash) })),
});
const copies = (c: unknown): Tree => ({ ty: 'rp', c, o: still(0), m: 1, tr: place });
const layer = (more: Tree): Tree => ({
  ...{ ty: 4, ind: 1, sr: 1, st: 0, ip: 0, op: 60, bm: 0 },
  ks: { o: still(100), r: still(0), p: still([160, 90, 0]), a: still([0, 0, 0]), s: full },
  ...more,
});
const lottie = (more: Tree, ...layers: Tree[]): Buffer =>
  text({ v: '5.7.0', fr: 30, ip: 0, op: 60, w: 320, h: 180, layers, ...more });
const shapes = (...it: Tree[]): Buffer =>
  lottie({}, layer({ shapes: [{ ty: 'gr', it: [...it, place] }] }));
const words = (t: string): Tree =>
  layer({ ty: 5, t: { d: { k: [{ t: 0, s: { s: 20, f: 'F', t } }] } } });
/** Each composition shows the next one twice. */
const doubling = (levels: number): Tree[] =>
  Array.from({ length: levels }, (_, at) => ({
    id: `c${at}`,
    layers: [1, 2].map((ind) => layer({ ty: 0, ind, refId: `c${at + 1}`, w: 320, h: 180 })),
  }));
const picture = (bytes: Buffer): Buffer =>
  lottie(
    {
      assets: [
        { id: 'i', w: 9, h: 9, e: 1, p: `data:image/png;base64,${bytes.toString('base64')}` },
      ],
    },
    layer({ ty: 2, refId: 'i' }),
  );
/** A picture that says another size than it has. */
const hugePicture = (): Buffer => {
  const bytes = createCanvas(9, 9).toBuffer('image/png');
  bytes.writeUInt32BE(60_000, 16);
  bytes.writeUInt32BE(60_000, 20);
  return bytes;
};
const packed = (files: Readonly<Record<string, Uint8Array>>): Buffer => Buffer.from(zipSync(files));
const spinner = readFileSync('test/fixtures/spinner.lottie');
/** Its data as a password makes them: no longer those of the method. */
const locked = (): Buffer =>
  Buffer.from(spinner.map((byte, at) => (at > 60 && at < 13_000 ? byte ^ (at * 131) : byte)));
const nested = (open: string, close: string): Buffer =>
  Buffer.from(
    `{"v":"5","fr":30,"ip":0,"op":60,"w":9,"h":9,"layers":[${open.repeat(1e5)}1${close.repeat(1e5)}]}`,
  );

test.each<[string, () => Buffer, string]>([
  [
    'an archive that unpacks to 60 MB',
    () => packed({ 'animations/a.json': new Uint8Array(60e6) }),
    'more than 20 MB',
  ],
  ['half an archive', () => spinner.subarray(0, 6_000), 'damaged, or locked with a password'],
  ['an archive with a password', locked, 'damaged, or locked with a password'],
  [
    'an archive of thousands of files',
    () =>
      packed(
        Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`a/${at}.json`, text({})])),
      ),
    '1,001 files in its archive; the limit is 1,000',
  ],
  [
    'an archive of nothing',
    () => packed({ 'manifest.json': text({}) }),
    'no Lottie animation in it',
  ],
  ['lists within lists', () => nested('[', ']'), 'levels of nesting; the limit is 200'],
  ['objects within objects', () => nested('{"it":', '}'), 'levels of nesting; the limit is 200'],
  ['half a file', () => badge.subarray(0, 2_000), 'it has no layers'],
  ['no number', () => Buffer.from('{"w":NaN,"h":180,"layers":[]}'), 'it has no layers'],
  [
    'millions of lists',
    () => lottie({ x: Array.from({ length: 1.1e6 }, () => []) }),
    'objects and lists; the limit is 1,000,000',
  ],
  [
    'thousands of properties',
    () => lottie({ x: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [at, 1])) }),
    '2,000 properties in one object; the limit is 1,000',
  ],
  [
    'copies of copies',
    () => shapes({ ty: 'gr', it: [box, copies(still(1e9)), place] }, red, copies(still(1e9))),
    'shapes, points and copies; the limit is 200,000',
  ],
  [
    'compositions that double',
    () => lottie({ assets: doubling(30) }, layer({ ty: 0, refId: 'c0' })),
    'layers, masks and effects; the limit is 5,000',
  ],
  ['a million letters', () => lottie({}, words('a'.repeat(1e6))), '1,000,000 letters'],
  [
    'a million letters in a slot',
    () =>
      lottie(
        { slots: { s: { p: { k: [{ t: 0, s: { s: 9, f: 'F', t: 'a'.repeat(1e6) } }] } } } },
        layer({ ty: 5, t: { d: { sid: 's' } } }),
      ),
    '1,000,000 letters',
  ],
  ['a huge picture', () => picture(hugePicture()), '3,600 megapixels in its pictures'],
])('%s is refused', async (_, make, message) => {
  writeFileSync(path.join(mediaFolder, 'hostile'), make());
  const error = await failure(photo('hostile', 'lottie'));
  expect(error.message).toContain('Photo.source: ');
  expect(error.message).toContain(message);
  expect(error.code).toMatch(/^(?:media_unreadable|limit_exceeded)$/);
});

const keyed = (change: (keyframes: Tree[]) => unknown): Buffer =>
  text(
    JSON.parse(badge.toString(), (_, value: unknown) =>
      Array.isArray(value) && (value[0] as Tree | undefined)?.['t'] !== undefined
        ? change(value as Tree[])
        : value,
    ),
  );

test.each<[string, () => Buffer]>([
  [
    'names that lead out of an archive',
    () => packed({ 'animations/../../../x.json': badge, 'images/../../../y.png': badge }),
  ],
  [
    'a manifest that names what is missing',
    () =>
      packed({ 'manifest.json': text({ activeAnimationId: 'no' }), 'animations/a.json': badge }),
  ],
  [
    'bytes that are no text',
    () => Buffer.from(badge.toString('latin1').replace('Grand', '\xff\xc0'), 'latin1'),
  ],
  ['half a sign', () => Buffer.from(badge.toString().replace('Grand', '\\ud800\\u0000'))],
  [
    'numbers as words',
    () =>
      text(
        JSON.parse(badge.toString(), (name, value: unknown) =>
          typeof value === 'number' && !['w', 'h', 'fr', 'ip', 'op'].includes(name)
            ? String(value)
            : value,
        ),
      ),
  ],
  ['numbers without end', () => shapes({ ...box, s: still([1e308, -1e308]) }, line(1e308), red)],
  ['keyframes backwards', () => keyed((keyframes) => keyframes.toReversed())],
  [
    'keyframes without values',
    () => keyed((keyframes) => keyframes.map((one) => ({ ...one, s: undefined }))),
  ],
  ['no keyframes', () => keyed(() => [])],
  ['no assets', () => changed((root) => delete root['assets'])],
  [
    'assets of all kinds',
    () => changed((root) => (root['assets'] = [null, 1, {}, { id: 5, layers: {} }])),
  ],
  [
    'layers of all kinds',
    () =>
      lottie(
        {},
        layer({ ty: 'x' }),
        layer({ ty: 99 }),
        layer({ ty: 0 }),
        {},
        layer({ ty: 1, sw: -5, sh: 1e9 }),
      ),
  ],
  ['a repeater that is too large', () => shapes(box, red, copies(still(1e9)))],
  [
    'stars of a slot',
    () =>
      lottie(
        { slots: { s: { p: still(1e9) } } },
        layer({ shapes: [{ ty: 'gr', it: [{ ...star, pt: { sid: 's' } }, red, place] }] }),
      ),
  ],
  [
    'an ease far beyond its end',
    () => {
      const [o, i] = [1, 2].map(() => ({ x: [0.5], y: [1e9] }));
      return shapes(
        {
          ...star,
          pt: {
            a: 1,
            k: [
              { t: 0, s: [3], o, i },
              { t: 60, s: [500] },
            ],
          },
        },
        red,
      );
    },
  ],
  [
    'endless dashes',
    () => shapes({ ...box, s: still([1e9, 1e9]) }, line(1e9), line(1e-9), line(0)),
  ],
  [
    'time that jumps',
    () =>
      lottie(
        { assets: doubling(2) },
        layer({
          ty: 0,
          refId: 'c0',
          tm: {
            a: 1,
            k: [
              { t: 0, s: [-1e9] },
              { t: 9, s: [1e9] },
            ],
          },
        }),
      ),
  ],
  ['a matte of itself', () => lottie({}, layer({ tt: 1, tp: 1, td: 1, shapes: [box, red] }))],
  ['a parent of itself', () => lottie({}, layer({ parent: 1, shapes: [box, red] }))],
  [
    'parents in a circle',
    () =>
      lottie(
        {},
        ...[2, 3, 1].map((parent, at) => layer({ ind: at + 1, parent, shapes: [box, red] })),
      ),
  ],
  [
    'fonts of all kinds',
    () =>
      lottie({ fonts: { list: [null, { fName: 'F', fFamily: {} }, { fName: 5 }] } }, words('abc')),
  ],
  [
    'a picture that is cut off',
    () => picture(createCanvas(90, 90).toBuffer('image/png').subarray(0, 60)),
  ],
])('%s: what can be drawn is drawn', async (_, make) => {
  writeFileSync(path.join(mediaFolder, 'odd'), make());
  const size = { output_format: 'png', width: 64, height: 36 } as const;
  const { facts } = await renderInto(mediaFolder, 'odd.png', {
    ...size,
    ...photo('odd', 'lottie'),
  });
  expect(facts.width).toBe(64);
});

// ---- generated files -----------------------------------------------------------------------------------------------

const odd: readonly unknown[] = [0, -1, 1e308, 0.001, 70_000, '', 'x', null, true, [], {}, [[]]];

/** Changes, deletes or doubles some values of the tree. */
function mutated(seed: number): Buffer {
  const roll = diceOf(seed * 7919);
  const pick = <T>(list: readonly T[]): T | undefined => list[roll(list.length)];
  const root = JSON.parse(badge.toString()) as Tree;
  for (let left = 1 + roll(6); left > 0; left--) {
    const owners: Tree[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      // Lists too are changed by name.
      owners.push(value as Tree);
      Object.values(value).forEach(visit);
    };
    Object.values(root).forEach(visit);
    const owner = pick(owners) ?? root;
    const name = pick(Object.keys(owner));
    if (name === undefined) continue;
    const { [name]: value } = owner;
    const how = roll(10);
    if (how < 3) owner[name] = undefined;
    else if (how < 5) owner[pick(['k', 'it', 'layers', 'ty', 'refId']) ?? ''] = value;
    else if (Array.isArray(owner) && how < 6) owner.push(structuredClone(value));
    else owner[name] = typeof value === 'number' ? value * (roll(40) - 10) : pick(odd);
  }
  return text(root);
}

test('changed at random, it is refused or drawn, alone as in sequence', async () => {
  // Outlines of letters are what takes long.
  const few = { texts: { Title: 'Ab', Sub: 'Cd' }, colors: {} };
  const fonts = await vectorFonts('AbCd');
  const times = [0.1, 0.9, 1.7];
  let drawn = 0;
  for (let seed = 1; seed <= 300; seed++) {
    let plain;
    try {
      plain = plainLottie(mutated(seed), few).text;
    } catch (error) {
      expect(error, `seed ${seed}`).toBeInstanceOf(RenderError);
      continue;
    }
    const drawable = await drawableLottie(plain, () => Promise.resolve(fonts));
    tryPicture(drawable, 64, 36);
    const open = (): LottiePicture | null => {
      try {
        return new LottiePicture(drawable);
      } catch (error) {
        expect(error, `seed ${seed}`).toBeInstanceOf(RenderError);
        return null;
      }
    };
    const one = open();
    if (!one) continue;
    drawn++;
    for (const time of times) {
      const [alone, after] = [open(), one].map((picture) => picture?.frame(time, 64, 36).data());
      expect(after && alone?.equals(after), `seed ${seed}`).toBe(true);
    }
  }
  expect(drawn).toBeGreaterThan(200);
});
