/** Videos that the browser can't decode: the server makes a small copy once, and the page plays that. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { openNewTemplate } from './editor-page.ts';
import { expect, test, type Program } from './program.ts';

const run = promisify(execFile);

const previewOf = (page: Page): Locator => page.getByTestId('editor-preview');

/** Makes a video of which no two frames have the same colours, and puts it into the media library. */
async function addVideo(
  program: Program,
  name: string,
  coding: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-copies-'));
  const file = path.join(folder, name);
  try {
    const { path: ffmpeg } = await findFfmpeg(undefined);
    const picture = 'smptebars=size=640x360:rate=25:duration=4,hue=H=t*8';
    const input = ['-f', 'lavfi', '-i', picture];
    // Not in step: connections that the server ends meanwhile must be seen to end.
    await run(ffmpeg, ['-loglevel', 'error', ...input, ...coding, '-y', file]);
    const { origin, hash } = new URL(program.windowUrl);
    const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
    const answer = await fetch(`${origin}/api/media?name=${name}`, {
      method: 'POST',
      headers: { 'x-framewright-token': token, 'content-type': 'application/octet-stream' },
      body: readFileSync(file),
    });
    // The form that shared/api.ts promises.
    const { source } = (await answer.json()) as { source: string };
    return source;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const filmOf = (source: string): object => ({
  output_format: 'mp4',
  width: 640,
  height: 360,
  frame_rate: 25,
  duration: 4,
  elements: [{ type: 'video', source }],
});

const copiesOf = (program: Program): string[] =>
  existsSync(path.join(program.dataFolder, 'proxies'))
    ? readdirSync(path.join(program.dataFolder, 'proxies')).filter((name) => name.endsWith('.mp4'))
    : [];

/** What a canvas or picture of the page shows, at a fixed size: RGB of each pixel. */
const pixelsOf = (shown: Locator): Promise<number[]> =>
  shown.evaluate(async (element: HTMLCanvasElement | HTMLImageElement) => {
    if (element instanceof HTMLImageElement) await element.decode();
    const context = new OffscreenCanvas(160, 90).getContext('2d');
    context?.drawImage(element, 0, 0, 160, 90);
    const { data = [] } = context?.getImageData(0, 0, 160, 90) ?? {};
    return [...data].filter((_, at) => at % 4 < 3);
  });

/** Mean difference of two pictures, of 255. */
const distance = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;

const deep = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p10le', '-preset', 'ultrafast'];
const hdr = ['-color_primaries', 'bt2020', '-colorspace', 'bt2020nc', '-color_trc', 'smpte2084'];

for (const [what, name, coding] of [
  ['ProRes', 'prores.mov', ['-c:v', 'prores_ks', '-pix_fmt', 'yuv422p10le', '-profile:v', '2']],
  ['MPEG-2 in a transport stream', 'mpeg2.ts', ['-c:v', 'mpeg2video', '-q:v', '2']],
  ['MPEG-4 part 2 in an avi', 'part2.avi', ['-c:v', 'mpeg4', '-q:v', '2']],
  ['high dynamic range', 'hdr.mp4', [...deep, ...hdr]],
] as const) {
  test(`${what} plays in the page by a small copy, in the server’s colours and in step`, async ({
    page,
    program,
  }) => {
    const before = copiesOf(program).length;
    const source = await addVideo(program, name, coding);
    await openNewTemplate(page, program, filmOf(source));
    const preview = previewOf(page);
    await expect.poll(() => copiesOf(program).length).toBe(before + 1);
    await expect(preview).toHaveAttribute('data-live', 'ready');
    const canvas = preview.locator('canvas');
    const byPage: number[][] = [];
    const byServer: number[][] = [];
    for (const frame of [1, 2]) {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api/preview', async (route) => {
        await held;
        await route.continue();
      });
      await page.getByRole('button', { name: 'One frame forward' }).click();
      await expect(preview).toHaveAttribute('data-frame', String(frame));
      await expect(preview).toHaveAttribute('data-front', 'page');
      byPage.push(await pixelsOf(canvas));
      release();
      await expect(preview).toHaveAttribute('data-front', 'server');
      byServer.push(await pixelsOf(preview.getByRole('img')));
      await page.unroute('**/api/preview');
    }
    const [first = [], second = []] = byPage;
    const [same = [], later = []] = byServer;
    // Edges aside, which both halve in ways of their own.
    expect(distance(first, same)).toBeLessThan(4);
    expect(distance(second, later)).toBeLessThan(4);
    expect(distance(first, later)).toBeGreaterThan(6);
    expect(distance(second, same)).toBeGreaterThan(6);
  });
}
