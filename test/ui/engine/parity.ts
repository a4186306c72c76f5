/**
 * The window's drawing worker beside the server's engine: a page with the built worker in it, the preview process that
 * tells it what a document needs, and how far the pictures of both are from each other.
 */
import type { Page } from '@playwright/test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { forkWorker } from '../../../server/jobs/worker/fork-worker.ts';
import { PreviewService } from '../../../server/jobs/worker/preview.ts';
import { fontFolder } from '../../../server/system/paths.ts';
import { openServerFrames } from './server-frames.ts';
import { engineLimits } from '../../../shared/limits.ts';
import type { Source } from '../../../shared/renderscript/source.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

/** What the page of the comparison can do. */
declare global {
  var openLive: (document: object, kit: object) => Promise<string>;
  /** dB between a moment and a picture, both on black; a sentence when it was not drawn. */
  var measureLive: (time: number, picture: string) => Promise<number | string>;
  /** A moment as the address of a png; a sentence when it was not drawn. */
  var drawLive: (time: number) => Promise<string>;
}

const script = (worker: string): string => `
const canvas = document.querySelector('canvas');
const worker = new Worker('/assets/${worker}', { type: 'module' });
const offscreen = canvas.transferControlToOffscreen();
worker.postMessage({ type: 'begin', headers: {} });
worker.postMessage({ type: 'canvas', canvas: offscreen }, [offscreen]);
const hear = (isAnswer) => new Promise((resolve) => {
  const listen = ({ data }) => { if (isAnswer(data)) { worker.removeEventListener('message', listen); resolve(data); } };
  worker.addEventListener('message', listen);
});
let number = 0;
globalThis.openLive = async (document, kit) => {
  number += 1;
  worker.postMessage({ type: 'kit', kit });
  const answer = hear((data) => data.document === number && data.type !== 'drawn');
  worker.postMessage({ type: 'open', document: { number, modifications: {}, hidden: [], typed: '', ...document }, question: 0, time: 0 });
  const { type, message } = await answer;
  return type === 'opened' ? '' : message;
};
const pixelsOf = (picture, width, height) => {
  const copy = new OffscreenCanvas(width, height);
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.fillRect(0, 0, width, height);
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, width, height).data;
};
let question = 0;
const ask = async (time) => {
  const asked = ++question;
  const answer = hear((data) => data.question === asked);
  worker.postMessage({ type: 'draw', question: asked, time, outlines: false });
  const { type, message } = await answer;
  // The page shows what its worker has drawn a frame or two later.
  for (let frame = 0; frame < 4; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  return type === 'drawn' ? '' : message;
};
globalThis.drawLive = async (time) => {
  const refusal = await ask(time);
  if (refusal !== '') return refusal;
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  copy.getContext('2d').drawImage(canvas, 0, 0);
  return copy.toDataURL();
};
globalThis.measureLive = async (time, picture) => {
  const refusal = await ask(time);
  if (refusal !== '') return refusal;
  const image = new Image();
  image.src = picture;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const expected = pixelsOf(image, width, height);
  let best = 0;
  for (let tries = 0; tries < 20 && best < 60; tries += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (canvas.width !== width || canvas.height !== height) {
      best = 'drawn at ' + canvas.width + '×' + canvas.height + ', not ' + width + '×' + height;
      continue;
    }
    const drawn = pixelsOf(canvas, width, height);
    let sum = 0;
    for (let at = 0; at < drawn.length; at += 1) sum += (drawn[at] - expected[at]) ** 2;
    // Opacity is the same everywhere.
    const mean = sum / (drawn.length * 0.75);
    best = Math.max(Number(best) || 0, mean === 0 ? 99 : 10 * Math.log10(255 ** 2 / mean));
  }
  return best;
};
`;

/** A document to be compared. */
export interface Compared {
  readonly name: string;
  readonly source: Source;
  /** Seconds. Left out: three moments of a film. */
  readonly moments?: readonly number[];
  /** Longest side, pixels. */
  readonly side: number;
}

/** A moment of a document, and how far the page's frame is from the server's picture: dB, or why there is none. */
export interface Measured {
  readonly name: string;
  readonly moment: number;
  readonly result: number | string;
}

/** A sample at its own size. */
export function sampleNamed(name: string): Compared {
  const read = (file: string): unknown =>
    JSON.parse(readFileSync(path.join(root, 'test', 'samples', name, file), 'utf8'));
  // Both are checked by the test of the samples.
  const source = read('source.json') as Source;
  const { moments = [0] } = read('sample.json') as { moments?: readonly number[] };
  return { name, source, moments, side: 16_384 };
}

/** The page of the comparison and what it needs. */
export interface Parity {
  measure(compared: Compared): Promise<Measured[]>;
  /** The first moment of a document as the page draws it: the address of a png. */
  draw(compared: Compared): Promise<string>;
  close(): void;
}

/**
 * Opens it; `close()` ends that.
 *
 * @param folders Media beside those of the samples.
 * @param save Folder in which the pictures of both are left, to be looked at.
 */
export async function openParity(
  page: Page,
  folders: readonly string[] = [],
  save?: string,
): Promise<Parity> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-parity-'));
  const mediaFolders = [path.join(root, 'test', 'fixtures'), ...folders];
  const previews = new PreviewService({
    fork: () => forkWorker(),
    engine: {
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders,
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    },
    folder: path.join(folder, 'preview'),
    log: () => undefined,
  });
  const assets = path.join(root, 'dist', 'window', 'assets');
  const worker = readdirSync(assets).find((name) => /^drawing-worker.*\.js$/.test(name)) ?? '';
  const files: string[] = [];
  /** The server's frame, a png. */
  let expected: Uint8Array = new Uint8Array();
  let question = 0;
  const server = createServer((request, response) => {
    const [, kind = '', ...rest] = decodeURIComponent(request.url ?? '').split('/');
    const last = rest.at(-1) ?? '';
    response.setHeader('connection', 'close');
    if (kind === '') {
      response.setHeader('content-type', 'text/html');
      response.end(`<canvas></canvas><script type="module">${script(worker)}</script>`);
    } else if (kind === 'assets') {
      response.setHeader('content-type', 'text/javascript');
      response.end(readFileSync(path.join(assets, last)));
    } else if (kind === 'expected') {
      response.end(expected);
    } else {
      response.end(readFileSync(files[Number(last)] ?? ''));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);

  /** Hands a document to the page. @returns why the page does not draw it; '' when it does */
  const open = async ({ source, side }: Compared): Promise<string> => {
    const told = await previews.draw({
      client: 'parity',
      project: null,
      source,
      hidden: [],
      time: 0,
      kit: true,
    });
    if (told.kind !== 'drawn' || !told.kit) return JSON.stringify(told).slice(0, 200);
    const ids = told.kit.files.map((file) => {
      if (!files.includes(file)) files.push(file);
      return String(files.indexOf(file));
    });
    const handed: { document: object; kit: object } = {
      document: { source, side },
      kit: { text: told.kit.text, files: ids },
    };
    const refusal = await page.evaluate(({ document, kit }) => openLive(document, kit), handed);
    return refusal === '' ? '' : `refused: ${refusal}`;
  };
  return {
    async measure(compared) {
      const { name, source, side } = compared;
      const refusal = await open(compared);
      if (refusal !== '') return [{ name, moment: 0, result: refusal }];
      const frames = await openServerFrames(source, { folder, mediaFolders, side });
      const measured: Measured[] = [];
      try {
        for (const moment of compared.moments ?? frames.moments) {
          expected = await frames.png(moment);
          const asked = [moment, `/expected/${++question}`] as const;
          const result = await page.evaluate(([time, at]) => measureLive(time, at), asked);
          measured.push({ name, moment, result });
          if (save === undefined || typeof result === 'string') continue;
          const file = path.join(save, `${name}-${moment.toFixed(2)}`);
          const drawn = await page.evaluate((time) => drawLive(time), moment);
          writeFileSync(`${file}.page.png`, drawn.slice(drawn.indexOf(',') + 1), 'base64');
          writeFileSync(`${file}.png`, expected);
        }
      } finally {
        await frames.close();
      }
      return measured;
    },
    async draw(compared) {
      const refusal = await open(compared);
      if (refusal !== '') return refusal;
      return page.evaluate((time) => drawLive(time), compared.moments?.[0] ?? 0);
    },
    close() {
      previews.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
