/** Receipts at the command line: what a file was made from, and whether it is made again. Runs the built program. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiptSchema, type Receipt } from '../shared/api/receipt.ts';
import { differencesOf } from '../server/commands/receipts.ts';
import { contentDigest } from '../server/system/files.ts';
import { runCli } from './helpers/cli.ts';
import { runFfmpegSync } from './helpers/media.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'receipt-test-'));
const inside = (name: string): string => path.join(folder, name);
const run = (...args: string[]): ReturnType<typeof runCli> => runCli(folder, args);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function paint(colour: string): void {
  const canvas = createCanvas(8, 8);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, 8, 8);
  writeFileSync(inside('logo.png'), canvas.toBuffer('image/png'));
}

const film = {
  ...{ output_format: 'mp4', width: 96, height: 64, frame_rate: 10, duration: 0.5 },
  elements: [
    { type: 'image', source: 'logo.png' },
    { type: 'text', text: '{{word}}', font_family: 'Roboto' },
  ],
};

let receipt: Receipt;
beforeAll(async () => {
  paint('#ff0000');
  writeFileSync(inside('film.json'), JSON.stringify({ ...film, variables: { word: 'Hi' } }));
  const made = await run('render', 'film.json', 'film.mp4', '--receipt', '--scale', '0.5');
  expect([made.status, made.error]).toEqual([0, '']);
  receipt = receiptSchema.parse(JSON.parse(readFileSync(inside('film.mp4.receipt.json'), 'utf8')));
}, 60_000);

test('a receipt names the file, the document, its inputs and fonts, and what made it', async () => {
  expect(receipt.file.digest).toBe(await contentDigest(inside('film.mp4')));
  expect(receipt.document.source).toMatchObject({ elements: [{}, { text: 'Hi' }] });
  expect(receipt.settings).toMatchObject({ format: 'mp4', width: 48, height: 32, frame_count: 5 });
  const digest = await contentDigest(inside('logo.png'));
  expect(receipt.inputs).toEqual([
    { source: 'logo.png', digest, bytes: readFileSync(inside('logo.png')).length },
  ]);
  expect(receipt.fonts.map(({ family }) => family)).toContain('Roboto');
  expect(receipt.build).toMatchObject({ ffmpeg: expect.stringMatching(/^Lavc/) as string });
  expect(JSON.stringify(receipt)).not.toContain(folder);
  const printed = await run('receipt', 'film.mp4');
  expect([printed.status, printed.out]).toEqual([0, expect.stringContaining(digest)]);
  expect(JSON.parse((await run('receipt', 'film.mp4', '--json')).out)).toEqual(receipt);
});

test('without --receipt there is none, and the file has the same bytes', async () => {
  expect((await run('render', 'film.json', 'plain.mp4', '--scale', '0.5')).status).toBe(0);
  expect(existsSync(inside('plain.mp4.receipt.json'))).toBe(false);
  expect(await contentDigest(inside('plain.mp4'))).toBe(receipt.file.digest);
  const { status, error } = await run('receipt', 'plain.mp4');
  expect([status, error]).toEqual([1, expect.stringContaining('plain.mp4.receipt.json')]);
});

test('verify renders again: the same, an input that differs, a file that was changed', async () => {
  const same = await run('verify', 'film.mp4');
  expect([same.status, same.out]).toEqual([
    0,
    'film.mp4: Rendered again, the file is the same, byte for byte.',
  ]);
  paint('#0000ff');
  const other = await run('verify', 'film.mp4');
  expect([other.status, other.out]).toEqual([
    1,
    'film.mp4: Rendered again, the file is another one.\n  input logo.png has other content',
  ]);
  paint('#ff0000');
  appendFileSync(inside('film.mp4'), 'x');
  const { status, out } = await run('verify', 'film.mp4', '--json');
  expect([status, JSON.parse(out)]).toEqual([
    1,
    { file: 'film.mp4', same: false, untouched: false, repeated: true, differences: [] },
  ]);
}, 60_000);

test('a picture of a moment is made again, and a receipt of a newer version is not guessed at', async () => {
  const made = await run('render', 'film.json', 'moment.png', '--frame', '0.2', '--receipt');
  expect(made.status).toBe(0);
  expect((await run('verify', 'moment.png')).status).toBe(0);
  writeFileSync(inside('newer.json'), JSON.stringify({ ...receipt, receipt: 2 }));
  const { status, error } = await run('receipt', 'film.mp4', '--from', 'newer.json');
  expect([status, error]).toEqual([1, expect.stringContaining('newer version')]);
}, 60_000);

test('the receipt of another codec names its encoder, and a sequence is made again', async () => {
  const film = JSON.parse(readFileSync(inside('film.json'), 'utf8')) as object;
  writeFileSync(inside('frames.json'), JSON.stringify({ ...film, output_format: 'png-sequence' }));
  const made = await Promise.all([
    run('render', 'film.json', 'film.webm', '--scale', '0.5', '--receipt'),
    run('render', 'frames.json', 'frames.zip', '--receipt'),
  ]);
  expect(made.map(({ status }) => status)).toEqual([0, 0]);
  const { build } = JSON.parse(readFileSync(inside('film.webm.receipt.json'), 'utf8')) as Receipt;
  expect(build.encoder).toMatch(/^libvpx-vp9 v1\.\d/);
  expect(receipt.build.encoder).toBeUndefined();
  expect((await run('receipt', 'film.webm')).out).toContain(build.encoder);
  expect((await run('verify', 'frames.zip')).out).toContain('the same, byte for byte');
}, 60_000);

test('a file by hardware is said to be one, whose bytes nobody promises', () => {
  const before = { ...receipt, build: { ...receipt.build, encoder: 'h264_nvenc' } };
  expect(differencesOf(before, receipt)).toEqual([
    'h264_nvenc made the file: hardware promises no equal bytes, and this one is by software',
  ]);
});

test('what differs is said by name: versions, settings, fonts, inputs that came and went', () => {
  const [font] = receipt.fonts;
  const now: Receipt = {
    ...receipt,
    build: { ...receipt.build, x264: '165' },
    settings: { ...receipt.settings, crf: 30 },
    inputs: [{ source: 'new.png', digest: '0', bytes: 1 }],
    fonts: [{ ...font!, digest: '0' }, ...receipt.fonts.slice(1)],
  };
  expect(differencesOf(receipt, receipt)).toEqual([]);
  expect(differencesOf(receipt, now)).toEqual([
    `x264: 165, ${receipt.build.x264} then`,
    `crf: 30, ${receipt.settings.crf} then`,
    'input logo.png is not used now',
    'input new.png was not used then',
    `font ${font!.family} ${font!.weight} italic has other content`,
  ]);
});

test('a receipt inside of the file is found there, and the rest of the file stays', async () => {
  for (const [ending, more] of [
    ['mp4', []],
    ['png', ['--frame', '0']],
  ] as const) {
    const name = `inner.${ending}`;
    const beside = inside(`${name}.receipt.json`);
    const made = await run('render', 'film.json', name, '--receipt', ...more);
    expect([made.status, made.error]).toEqual([0, '']);
    const before = readFileSync(inside(name));
    const text = readFileSync(beside, 'utf8');
    const embedded = await run('receipt', name, '--embed');
    expect([embedded.status, embedded.error]).toEqual([0, '']);
    const after = readFileSync(inside(name));
    expect(after.length).toBeGreaterThan(before.length + 500);
    // Twice is once.
    expect((await run('receipt', name, '--embed')).status).toBe(0);
    expect(readFileSync(inside(name)).equals(after)).toBe(true);
    rmSync(beside);
    const printed = await run('receipt', name, '--json');
    expect(JSON.parse(printed.out)).toEqual(JSON.parse(text));
    expect((await run('verify', name)).out).toContain('the same, byte for byte');
    // Other programs show what they showed.
    const pixels = (content: Buffer): Buffer => {
      writeFileSync(inside(`seen.${ending}`), content);
      return runFfmpegSync(
        '-i',
        inside(`seen.${ending}`),
        '-f',
        'rawvideo',
        '-pix_fmt',
        'rgba',
        '-',
      );
    };
    expect(pixels(after).equals(pixels(before))).toBe(true);
    // A byte of the rest is not.
    const changed = Buffer.from(after);
    changed[before.length >> 1] = (changed[before.length >> 1] ?? 0) ^ 255;
    writeFileSync(inside(name), changed);
    expect((await run('verify', name)).out).toContain('It was changed after it was rendered');
  }
  expect((await run('render', 'film.json', 'inner.jpg', '--receipt', '--frame', '0')).status).toBe(
    0,
  );
  const refused = await run('receipt', 'inner.jpg', '--embed');
  expect([refused.status, refused.error]).toEqual([
    1,
    'inner.jpg: Expected mp4, mov, m4a or png, which take a receipt.',
  ]);
}, 120_000);
