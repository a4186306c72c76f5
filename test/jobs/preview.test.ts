/**
 * The preview process under the real server and engine: the same pixels as a render, any moment, missing files, the
 * newest question, a process that dies. Needs dist/.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { stillBytes } from '../../server/engine/encode/still.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import {
  PreviewService,
  type PreviewOptions,
  type PreviewOutcome,
  type PreviewQuestion,
} from '../../server/jobs/worker/preview.ts';
import type { WorkerCommand } from '../../server/jobs/worker/protocol.ts';
import { tasks } from '../../server/jobs/worker/tasks.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { deskLimits, engineLimits } from '../../shared/limits.ts';
import { pictureType } from '../../shared/preview.ts';
import { renderInto } from '../helpers/engine.ts';
import { readPicture } from '../helpers/pictures.ts';

let folder: string;
let previews: PreviewService;
const logged: string[] = [];
const serviceIn = (
  name: string,
  changes: Partial<ConstructorParameters<typeof PreviewService>[0]> = {},
): PreviewService =>
  new PreviewService({
    fork: () => forkWorker(),
    engine: {
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [path.join(import.meta.dirname, '..', 'fixtures')],
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    },
    folder: path.join(folder, name),
    log: (level, place, text) => void logged.push(`${level} ${place}: ${text}`),
    ...changes,
  });
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-preview-'));
  previews = serviceIn('preview');
});
afterAll(async () => {
  previews.close();
  await rm(folder, { recursive: true, force: true });
});

const ask = (
  source: PreviewQuestion['source'],
  more: Partial<PreviewQuestion> = {},
): Promise<PreviewOutcome> =>
  previews.draw({ client: 'test', project: null, source, hidden: [], time: 0, ...more });

/** The drawn picture, or a failure of the test that shows what came instead. */
async function drawn(
  ...question: Parameters<typeof ask>
): Promise<Extract<PreviewOutcome, { kind: 'drawn' }>> {
  const outcome = await ask(...question);
  if (outcome.kind !== 'drawn') throw new Error(`not drawn: ${JSON.stringify(outcome)}`);
  return outcome;
}

const film = {
  output_format: 'mp4',
  width: 640,
  height: 360,
  frame_rate: 25,
  duration: 2,
  fill_color: '#12355b',
  elements: [
    { type: 'video', name: 'Clip', source: 'numbers.mp4', width: '50%', x: '30%', track: 1 },
    {
      type: 'text',
      name: 'Title',
      text: 'Hello there',
      time: 0.4,
      duration: 1,
      y: '80%',
      width: '80%',
      height: '20%',
      fill_color: '#ffffff',
      animations: [{ time: 'start', duration: 0.5, type: 'text-slide' }],
    },
  ],
};
const picture = {
  output_format: 'png',
  width: 400,
  height: 240,
  elements: [
    { type: 'image', name: 'Photo', source: 'photo.jpg', width: '60%', height: '80%' },
    { type: 'shape', width: '30%', height: '30%', x: '80%', fill_color: 'rgba(255,0,0,0.5)' },
  ],
};

test('the moment that a sample has chosen for its picture shows its words', async () => {
  const file = 'resources/samples/text-animations/source.json';
  // A sample that the program brings.
  const source = JSON.parse(readFileSync(file, 'utf8')) as typeof film & { snapshot_time: number };
  const drawnThen = await drawn(source, { time: source.snapshot_time, side: 240 });
  const name = path.join(folder, 'sample.jpg');
  writeFileSync(name, drawnThen.picture, 'base64');
  const { data, width, height } = readPicture(name);
  // Its ground is dark and blue, its words are white.
  const bright = data.filter((value, index) => index % 4 === 0 && value > 200).length;
  expect(bright / (width * height)).toBeGreaterThan(0.02);
});

async function canvasOf(png: Buffer): Promise<Canvas> {
  const image = await loadImage(png);
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas;
}

test('a preview is the render of that moment, byte for byte, in any order of moments', async () => {
  for (const [source, side, frames] of [
    [film, 320, [0, 30, 14, 49, 2]],
    [film, 960, [20]],
    [picture, 200, [0]],
  ] as const) {
    for (const frame of frames) {
      const moment = frame / 25;
      const { picture: bytes, facts } = await drawn(source, { side, time: moment });
      expect(facts).toMatchObject({ frame, frameCount: source === film ? 50 : 1 });
      const name = path.join(folder, `render-${side}-${frame}.png`);
      await renderInto(folder, path.basename(name), source, {
        moment,
        scaling: { maxWidth: side, maxHeight: side },
        workFolder: path.join(folder, `work-${side}-${frame}`),
      });
      // A preview of what nothing shows through is a jpg, of less quality than a finished one.
      const rendered = readFileSync(name);
      const wanted = source === film ? await stillBytes(await canvasOf(rendered), 'jpg') : rendered;
      expect(bytes === wanted.toString('base64'), name).toBe(true);
    }
  }
});

test('the preview of a picture with a moment is its file', async () => {
  const source = { ...film, output_format: 'png', snapshot_time: 1 };
  const { picture: bytes } = await drawn(source, { side: 320 });
  const workFolder = path.join(folder, 'work-moment');
  const scaling = { maxWidth: 320, maxHeight: 320 };
  await renderInto(folder, 'moment.png', source, { scaling, workFolder });
  await renderInto(folder, 'filmed.png', film, { moment: 1, scaling, workFolder });
  const rendered = readFileSync(path.join(folder, 'moment.png'));
  const wanted = await stillBytes(await canvasOf(rendered), 'jpg');
  expect(bytes === wanted.toString('base64')).toBe(true);
  expect(rendered.equals(readFileSync(path.join(folder, 'filmed.png')))).toBe(true);
});

test('a picture is a png only where something shows through', async () => {
  const kindOf = async (source: object): Promise<string> => {
    const { picture: bytes } = await drawn({ ...source }, { side: 200 });
    return pictureType(bytes);
  };
  expect(await kindOf(picture)).toBe('image/png');
  expect(await kindOf({ ...picture, fill_color: '#ffffff' })).toBe('image/jpeg');
  expect(await kindOf({ ...film, output_format: 'gif', frame_rate: 10 })).toBe('image/jpeg');
  expect(await kindOf({ ...picture, output_format: 'jpg' })).toBe('image/jpeg');
});

test('the facts tell the document’s clock and where every element is on it', async () => {
  const { facts } = await drawn(film, { side: 320, time: 99 });
  expect(facts).toMatchObject({
    width: 320,
    height: 180,
    scale: 0.5,
    frame: 49,
    duration: 2,
    frameRate: 25,
  });
  expect(
    facts.elements.map(({ path: place, name, type, start, duration }) => [
      place,
      name,
      type,
      start,
      duration,
    ]),
  ).toEqual([
    ['elements[0]', 'Clip', 'video', 0, expect.any(Number)],
    ['elements[1]', 'Title', 'text', 0.4, 1],
  ]);
});

test('a file that is missing is a warning and a box with its name; the rest is drawn', async () => {
  const broken = {
    ...film,
    elements: [
      {
        type: 'image',
        name: 'Logo',
        source: 'no-such-file.png',
        x: '75%',
        width: '40%',
        height: '60%',
      },
      { type: 'audio', name: 'Music', source: 'no-such-sound.mp3' },
      ...film.elements,
    ],
  };
  const { facts, picture: bytes } = await drawn(broken, { side: 320, time: 1 });
  expect(
    facts.warnings.map(({ element, severity, property }) => [element, severity, property]),
  ).toEqual([
    ['Logo', 'warning', 'source'],
    ['Music', 'warning', 'source'],
  ]);
  expect(facts.warnings[0]!.message).not.toContain('Source error');
  expect(facts.elements.map(({ name }) => name)).toContain('Logo');
  const without = await drawn({ ...film }, { side: 320, time: 1 });
  expect(bytes).not.toBe(without.picture);
});

test('a hidden element is not in the picture, and keeps its place on the clock', async () => {
  const all = await drawn(film, { side: 320, time: 1 });
  const hidden = await drawn(film, { side: 320, time: 1, hidden: ['elements[1]'] });
  const without = await drawn({ ...film, elements: [film.elements[0]!] }, { side: 320, time: 1 });
  expect(hidden.picture).not.toBe(all.picture);
  expect(hidden.picture).toBe(without.picture);
  expect(hidden.facts.elements).toEqual(all.facts.elements);
});

test('of many questions the newest is answered with a picture, and nobody else’s is dropped', async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `Text ${index}`);
  const outcomes = texts.map((text) =>
    ask({ ...film, elements: [{ ...film.elements[1]!, text }] }, { side: 320, time: 1 }),
  );
  const other = previews.draw({
    client: 'other',
    project: null,
    source: picture,
    hidden: [],
    time: 0,
  });
  const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind);
  expect(kinds.at(-1)).toBe('drawn');
  expect(kinds.filter((kind) => kind === 'superseded').length).toBeGreaterThanOrEqual(10);
  expect((await other).kind).toBe('drawn');
});

test('a document with an error is a failure with its place, and the next is drawn', async () => {
  const outcome = await ask({ ...film, fill_color: 'no color' });
  expect(outcome).toMatchObject({ kind: 'failed', path: 'fill_color' });
  expect((await ask(film, { side: 64 })).kind).toBe('drawn');
});

test('F121: a process that dies is told, replaced with the next question, and harms nothing else', async () => {
  await drawn(film, { side: 320 });
  const { pid } = previews;
  // Stopped, it has the question and can't answer.
  process.kill(pid!, 'SIGSTOP');
  const dying = ask({ ...film, width: 4000, height: 2000 }, { side: 960 });
  await pause(1_000);
  process.kill(pid!, 'SIGKILL');
  expect(await dying).toMatchObject({ kind: 'restarting' });
  expect((await drawn(film, { side: 320 })).facts.frame).toBe(0);
  expect(previews.pid).not.toBe(pid);
});

test('a process that can’t be started is off after a few tries, until someone starts it again', async () => {
  const script = path.join(import.meta.dirname, '..', 'helpers', 'broken-worker.mjs');
  let works = false;
  const service = serviceIn('off', { fork: () => (works ? forkWorker() : forkWorker(script)) });
  const kinds: string[] = [];
  for (let tries = 0; tries < 6; tries++) {
    kinds.push(
      (await service.draw({ client: 'a', project: null, source: picture, hidden: [], time: 0 }))
        .kind,
    );
  }
  expect(kinds).toEqual(['restarting', 'restarting', 'restarting', 'restarting', 'off', 'off']);
  works = true;
  service.restart();
  expect(
    (await service.draw({ client: 'a', project: null, source: picture, hidden: [], time: 0 })).kind,
  ).toBe('drawn');
  service.close();
});

test('one that is off is tried again by itself, at the first question after a pause', async () => {
  const script = path.join(import.meta.dirname, '..', 'helpers', 'broken-worker.mjs');
  let works = false;
  const service = serviceIn('off-and-on', {
    fork: () => (works ? forkWorker() : forkWorker(script)),
    restartPauses: [0, 0, 0, 0, 200],
  });
  const question = { client: 'a', project: null, source: picture, hidden: [], time: 0 };
  while ((await service.draw(question)).kind !== 'off');
  works = true;
  await expect
    .poll(async () => (await service.draw(question)).kind, { timeout: 10_000 })
    .toBe('drawn');
  service.close();
});

test('documents that end and hang their process one after the other turn nothing off', async () => {
  const breaking = path.join(import.meta.dirname, '..', 'helpers', 'breaking-worker.mjs');
  const service = serviceIn('attacked', {
    fork: () => forkWorker(undefined, ['--import', pathToFileURL(breaking).href]),
    limits: { step: 1_000 },
  });
  const bad = (row: number): PreviewQuestion['source'] => ({
    ...picture,
    elements: [{ type: 'shape', width: 9, height: 9, fill_color: `#fa0b0${row}` }],
  });
  const draw = (source: PreviewQuestion['source']): Promise<PreviewOutcome> =>
    service.draw({ client: 'a', project: null, source, hidden: [], time: 0 });
  for (const row of [1, 6, 7, 1, 6, 7, 2]) {
    expect([row, (await draw(bad(row))).kind]).toEqual([row, 'restarting']);
  }
  expect((await draw(picture)).kind).toBe('drawn');
  // Nobody waits for the first of the two any more, and the second is not kept waiting by it.
  const endless = draw(bad(2));
  await expect.poll(() => service.pid).toBeDefined();
  const next = draw(picture);
  expect((await endless).kind).toBe('superseded');
  expect((await next).kind).not.toBe('superseded');
  expect((await draw(picture)).kind).toBe('drawn');
  service.close();
}, 60_000);

test('a document that can’t be removed costs its question nothing; the next one is answered', async () => {
  let end: () => void = () => undefined;
  const service = serviceIn('stuck', {
    fork: () => {
      let say: (message: unknown) => void = () => undefined;
      return {
        pid: 1,
        send: (message) => {
          if (message.type !== 'start') return;
          const { source } = tasks.preview.input.parse(message.input);
          if (typeof source === 'string') throw new Error('expected a file');
          // A folder with something in it stands where the document was.
          rmSync(source.file);
          mkdirSync(path.join(source.file, 'inside'), { recursive: true });
          say({ type: 'failed', id: message.id, code: 'x', message: 'not drawn' });
        },
        onMessage: (listener) => {
          say = listener;
          queueMicrotask(() => listener({ type: 'ready' }));
        },
        onExit: (listener) => {
          end = () => listener({ code: 0, signal: null });
        },
        kill: () => end(),
      };
    },
  });
  const source = { ...picture, note: 'x'.repeat(deskLimits.inlineCharacters) };
  for (let tries = 0; tries < 3; tries++) {
    const outcome = await service.draw({ client: 'a', project: null, source, hidden: [], time: 0 });
    expect(outcome).toMatchObject({ kind: 'failed', message: 'not drawn' });
  }
  await expect
    .poll(() => logged.filter((line) => line.includes('a document stays')))
    .not.toEqual([]);
  service.close();
});

test('the facts tell where each element lies at that moment, turned ones by their corners', async () => {
  const square = { type: 'shape', width: 80, height: 40, fill_color: '#ffffff' };
  const { facts } = await drawn(
    {
      output_format: 'mp4',
      width: 400,
      height: 200,
      frame_rate: 25,
      duration: 2,
      elements: [
        { ...square, x: 100, y: 100 },
        { ...square, x: 100, y: 100, z_rotation: 90 },
        {
          type: 'composition',
          x: 300,
          y: 100,
          width: 200,
          height: 100,
          padding: 10,
          elements: [{ ...square, x: 40, y: 20 }],
        },
        { ...square, time: 1 },
      ],
    },
    { side: 200, time: 0 },
  );
  // Clockwise from the element's own top left corner.
  const { 'elements[2].elements[0]': child, ...outer } = facts.outlines;
  expect(Object.keys(facts.outlines)).toEqual([
    ...['elements[0]', 'elements[1]', 'elements[2]', 'elements[2].elements[0]'],
  ]);
  const corners = Object.fromEntries(
    Object.entries(outer).map(([path, outline]) => [path, outline.corners]),
  );
  expect(corners).toEqual({
    'elements[0]': [0.15, 0.4, 0.35, 0.4, 0.35, 0.6, 0.15, 0.6],
    'elements[1]': [0.3, 0.3, 0.3, 0.7, 0.2, 0.7, 0.2, 0.3],
    'elements[2]': [0.5, 0.25, 1, 0.25, 1, 0.75, 0.5, 0.75],
  });
  const inner = child?.corners ?? [];
  expect(inner[2]! - inner[0]!).toBeCloseTo(0.2, 4);
  expect(inner[0]).toBeGreaterThanOrEqual(0.5);
  // Sizes are those before turns, and a composition tells what its elements count of.
  expect(outer['elements[1]']).toMatchObject({ width: 80, height: 40 });
  expect(outer['elements[2]']).toMatchObject({ width: 200, height: 100 });
  expect(outer['elements[2]']?.inside).toMatchObject({ width: 200, height: 100 });
});

test('a process that is started ahead has drawn once, is the one that draws, and ends by itself when nothing is asked', async () => {
  let asked = 0;
  const fork: PreviewOptions['fork'] = () => {
    const worker = forkWorker();
    const send = worker.send.bind(worker);
    return Object.assign(worker, {
      send: (command: WorkerCommand) => {
        if (command.type === 'start' && command.name === 'preview') asked += 1;
        send(command);
      },
    });
  };
  const service = serviceIn('ahead', { fork, idle: 500 });
  try {
    service.wake();
    const soon = { timeout: 20_000, interval: 10 };
    await vi.waitFor(() => expect(service.pid).toBeDefined(), soon);
    const { pid } = service;
    service.wake();
    await vi.waitFor(() => expect(asked).toBe(1), soon);
    const outcome = await service.draw({
      client: 'test',
      project: null,
      source: film,
      hidden: [],
      time: 0,
    });
    expect(outcome.kind).toBe('drawn');
    // As after any question.
    await vi.waitFor(() => expect(service.pid).toBeUndefined(), soon);
    service.wake();
    await vi.waitFor(() => expect(service.pid).toBeDefined(), soon);
    expect(service.pid).not.toBe(pid);
    await vi.waitFor(() => expect(service.pid).toBeUndefined(), soon);
  } finally {
    service.close();
  }
});

describe('a process that', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  type Pulse = (second: number) => object;
  const quiet = (second: number): object => ({ quiet: second * 1000, computed: second * 1000 });
  const rows: [does: string, pulse: Pulse | null, seconds: number, reason: string][] = [
    ['falls silent', null, 16, 'it gave no sign of life'],
    ['is at one picture for too long', () => ({}), 121, 'one picture took too long'],
    ['is in one step for too long', quiet, 22, 'it did not come to an end with one picture'],
    [
      'takes too much memory',
      () => ({ memory: 101 }),
      6,
      'it took more of the computer’s memory than it may',
    ],
  ];
  test.each(rows)('%s is ended', async (does, pulse, seconds, reason) => {
    let say: (message: unknown) => void = () => undefined;
    const sent: unknown[] = [];
    const kill = vi.fn();
    const service = serviceIn(does, {
      limits: { memory: 100 },
      fork: () => ({
        pid: 1,
        send: (message) => void sent.push(message),
        onMessage: (listener) => {
          say = listener;
          queueMicrotask(() => listener({ type: 'ready' }));
        },
        onExit: () => undefined,
        kill,
      }),
    });
    const outcome = service.draw({
      client: 'test',
      project: null,
      source: film,
      hidden: [],
      time: 0,
    });
    await vi.waitFor(() => expect(sent.length).toBe(1));
    for (let passed = 0; passed < seconds; passed++) {
      expect(kill).not.toHaveBeenCalled();
      if (pulse) say({ type: 'pulse', memory: 100, quiet: 0, computed: 0, ...pulse(passed) });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(await outcome).toEqual({
      kind: 'restarting',
      reason: `The preview engine stopped (${reason})`,
    });
    expect(kill).toHaveBeenCalledOnce();
    service.close();
  });
});
