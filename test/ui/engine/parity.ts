/**
 * The window's drawing worker beside the accepted pictures of the samples: a page with the built worker in it, the preview
 * process that tells it what a document needs, and how far both pictures are from each other.
 */
import type { Page } from '@playwright/test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { forkWorker } from '../../../server/jobs/worker/fork-worker.ts';
import { PreviewService } from '../../../server/jobs/worker/preview.ts';
import { fontFolder } from '../../../server/paths.ts';
import { engineLimits } from '../../../shared/limits.ts';
import type { Source } from '../../../shared/renderscript/source.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const sampleFolder = path.join(root, 'test', 'samples');

/** What the page of the comparison can do. */
declare global {
  var openLive: (document: object, kit: object) => Promise<string>;
  /** dB between a moment and a picture, both on black; a sentence when it was not drawn. */
  var measureLive: (time: number, picture: string) => Promise<number | string>;
}

const script = (worker: string): string => `
const canvas = document.querySelector('canvas');
const worker = new Worker('/assets/${worker}', { type: 'module' });
const offscreen = canvas.transferControlToOffscreen();
worker.postMessage({ type: 'begin', canvas: offscreen, headers: {} }, [offscreen]);
const hear = (isAnswer) => new Promise((resolve) => {
  const listen = ({ data }) => { if (isAnswer(data)) { worker.removeEventListener('message', listen); resolve(data); } };
  worker.addEventListener('message', listen);
});
let number = 0;
globalThis.openLive = async (document, kit) => {
  number += 1;
  worker.postMessage({ type: 'kit', kit });
  const answer = hear((data) => data.document === number && data.type !== 'drawn');
  worker.postMessage({ type: 'open', document: { number, hidden: [], side: 16384, ...document } });
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
globalThis.measureLive = async (time, picture) => {
  const asked = ++question;
  const answer = hear((data) => data.question === asked);
  worker.postMessage({ type: 'draw', question: asked, time, outlines: false });
  const { type, message } = await answer;
  if (type !== 'drawn') return message;
  const image = new Image();
  image.src = picture;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const expected = pixelsOf(image, width, height);
  let best = 0;
  // The page shows what its worker has drawn a frame or two later.
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

/** A moment of a sample, and how far the page's frame is from the accepted picture: dB, or why there is none. */
export interface Measured {
  readonly name: string;
  readonly moment: number;
  readonly result: number | string;
}

/** Opens the page of the comparison and what it needs; `close()` ends that. */
export async function openParity(
  page: Page,
): Promise<{ measure: (name: string) => Promise<Measured[]>; close: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-parity-'));
  const previews = new PreviewService({
    fork: () => forkWorker(),
    engine: {
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [path.join(root, 'test', 'fixtures')],
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
    } else if (kind === 'samples') {
      response.end(readFileSync(path.join(sampleFolder, ...rest)));
    } else {
      response.end(readFileSync(files[Number(last)] ?? ''));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);

  const measure = async (name: string): Promise<Measured[]> => {
    const read = (file: string): unknown =>
      JSON.parse(readFileSync(path.join(sampleFolder, name, file), 'utf8'));
    // Both are checked by the test of the samples.
    const source = read('source.json') as Source;
    const { moments } = read('sample.json') as { moments?: readonly number[] };
    const told = await previews.draw({ client: 'parity', source, hidden: [], time: 0, kit: true });
    const fail = (result: string): Measured[] => [{ name, moment: 0, result }];
    if (told.kind !== 'drawn' || !told.kit) return fail(JSON.stringify(told).slice(0, 200));
    const ids = told.kit.files.map((file) => {
      if (!files.includes(file)) files.push(file);
      return String(files.indexOf(file));
    });
    const kit = { text: told.kit.text, files: ids };
    const handed: { document: object; kit: object } = { document: { source }, kit };
    const refusal = await page.evaluate(
      ({ document, kit: sent }) => openLive(document, sent),
      handed,
    );
    if (refusal !== '') return fail(`refused: ${refusal}`);
    const measured: Measured[] = [];
    for (const moment of moments ?? [0]) {
      const picture = moments ? `expected-${moment.toFixed(2)}.png` : 'expected.png';
      const result = await page.evaluate(([time, address]) => measureLive(time, address), [
        moment,
        `/samples/${name}/${picture}`,
      ] as const);
      measured.push({ name, moment, result });
    }
    return measured;
  };
  const close = (): void => {
    previews.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { measure, close };
}
