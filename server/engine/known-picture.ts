/**
 * The picture that a worker draws to prove that it can: it uses every part of drawing that could be missing or broken
 * on a computer, and nothing from outside. A worker that can't draw it can't draw anything. Runs in the worker.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Source } from '../../shared/renderscript/source.ts';
import { render } from './render.ts';

const side = 64;

/** A gradient above, words below, and a translucent shape. */
const source: Source = {
  output_format: 'png',
  width: side,
  height: side,
  fill_color: '#102030',
  elements: [
    {
      type: 'shape',
      width: '100%',
      height: '50%',
      y: '25%',
      track: 1,
      fill_x0: '0%',
      fill_y0: '50%',
      fill_x1: '100%',
      fill_y1: '50%',
      fill_color: [
        { offset: '0%', color: '#ff0000' },
        { offset: '100%', color: '#0000ff' },
      ],
    },
    {
      type: 'text',
      text: 'MMM',
      width: '100%',
      height: '50%',
      y: '75%',
      track: 2,
      fill_color: '#ffffff',
      font_size: 24,
      x_alignment: '50%',
      y_alignment: '50%',
    },
    {
      type: 'shape',
      width: 8,
      height: 8,
      x: 8,
      y: 8,
      track: 3,
      fill_color: '#00ff00',
      opacity: '50%',
    },
  ],
};

/** What the worker needs for it. */
export interface KnownPictureJob {
  readonly fontFolder: string;
  /** Made here; the caller removes it. */
  readonly folder: string;
}

/** Draws and checks it. @returns what is wrong; null if it is right. */
export async function knownPictureProblem(job: KnownPictureJob): Promise<string | null> {
  const { fontFolder, folder } = job;
  const outputPath = path.join(folder, 'known.png');
  try {
    await mkdir(folder, { recursive: true });
    await render(
      {
        source,
        scaling: {},
        outputPath,
        snapshotPath: '',
        workFolder: folder,
        fontFolder,
        cacheFolder: path.join(folder, 'cache'),
        mediaFolders: [],
        allowPrivateAddresses: false,
        ownPorts: [],
        limits: { pictureMegapixels: 1, mediaBytes: 1 },
      },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    return await wrongAbout(outputPath);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Checks roughly: fonts and versions of the drawing library may differ slightly. */
async function wrongAbout(file: string): Promise<string | null> {
  const context = createCanvas(side, side).getContext('2d');
  context.drawImage(await loadImage(file), 0, 0);
  const { data } = context.getImageData(0, 0, side, side);
  const red = (x: number, y: number): number => data[(y * side + x) * 4] ?? 0;
  const green = (x: number, y: number): number => data[(y * side + x) * 4 + 1] ?? 0;
  const blue = (x: number, y: number): number => data[(y * side + x) * 4 + 2] ?? 0;
  let white = 0;
  for (let y = side / 2; y < side; y++)
    for (let x = 0; x < side; x++) if (green(x, y) > 200) white += 1;
  const rows: [what: string, isThere: boolean][] = [
    ['a gradient', red(2, 16) - red(61, 16) > 128 && blue(61, 16) - blue(2, 16) > 128],
    ['words', white > 20],
    ['a shape', green(8, 8) > 64],
  ];
  const missing = rows.find(([, isThere]) => !isThere);
  return missing ? `its own picture lacks ${missing[0]}` : null;
}
