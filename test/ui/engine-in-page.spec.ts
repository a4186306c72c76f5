/**
 * The portable engine runs in a page: shared/engine is bundled for a browser, with nothing in the place of Node's
 * modules, and draws samples with the surface of the window (renderer/engine/).
 */
import { createCanvas, ImageData } from '@napi-rs/canvas';
import { expect, test, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { shippedFamilies } from '../../server/engine/assets/fonts/font-list.ts';
import { fontFolder } from '../../server/system/paths.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { readPicture } from '../helpers/pictures.ts';

/**
 * Without media, which the page does not decode. Between them: trims, text, gradients, corners, shadows, groups, space.
 */
const samples = [
  'shape-stroke-progress',
  'shape-border-radius',
  'text-background-rounded',
  'text-gradient',
  'effect-shadow',
  'effect-opacity-group',
  'space-perspective',
];

/** The bundle's text. Fails when something in it would be looked for outside of it. */
async function bundled(): Promise<string> {
  const input = path.join(import.meta.dirname, 'engine', 'page-engine.ts');
  const missing: string[] = [];
  const bundle = await rolldown({
    input,
    platform: 'browser',
    onLog: (_, log) => missing.push(log.message),
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  expect(missing).toEqual([]);
  expect(output).toHaveLength(1);
  expect([...output[0].imports, ...output[0].dynamicImports]).toEqual([]);
  return output[0].code;
}

let script = '';
test.beforeAll(async () => {
  script = await bundled();
});

for (const name of samples) {
  test(`the engine draws ${name} in a page as it does in Node`, async ({ page }) => {
    const folder = path.join(import.meta.dirname, '..', 'samples', name);
    const source = readFileSync(path.join(folder, 'source.json'), 'utf8');
    const accepted = readPicture(path.join(folder, 'expected.png'));
    await page.addScriptTag({ content: script, type: 'module' });
    await loadFonts(page, source);
    const bytes = await page.evaluate((text) => drawMoment(JSON.parse(text) as Source, 0), source);
    const drawn = { ...accepted, data: Uint8ClampedArray.from(bytes) };
    expect(bytes).toHaveLength(accepted.data.length);
    const strange = strangePixels(drawn, accepted);
    if (strange > 0) await attach(drawn);
    expect(strange / (drawn.width * drawn.height)).toBeLessThan(allowedShare);
  });
}

/** Leaves the page's picture in the report. */
async function attach({ width, height, data }: Picture): Promise<void> {
  const canvas = createCanvas(width, height);
  canvas.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
  const body = canvas.toBuffer('image/png');
  await test.info().attach('drawn in the page', { body, contentType: 'image/png' });
}

/** Makes the families that a document names known to the page, in all their weights. */
async function loadFonts(page: Page, source: string): Promise<void> {
  const families = [...source.matchAll(/"font_family":\s*"([^"]+)"/g)].map(([, family]) => family!);
  for (const family of new Set([...families, 'Aileron'])) {
    for (const face of shippedFamilies(fontFolder()).get(family.toLowerCase())?.faces ?? []) {
      if (!face.subset.endsWith('-latin')) continue;
      await page.evaluate(
        async ({ family, bytes, style, weight }) => {
          const font = new FontFace(family, `url(data:font/woff2;base64,${bytes})`, {
            style,
            weight,
          });
          document.fonts.add(await font.load());
        },
        {
          family,
          bytes: readFileSync(face.path, 'base64'),
          style: face.style,
          weight: `${face.minWeight} ${face.maxWeight}`,
        },
      );
    }
  }
}

type Picture = ReturnType<typeof readPicture>;

/**
 * What a channel may differ by inside of an area: rounding of colours, gradients and blurs, which both libraries do in
 * bytes, once for each layer.
 */
const rounding = 6;

/**
 * Share of pixels that may be strange all the same. The browser rounds the advances of letters and hints them, so that
 * single edges of a line of text end further away: 0.31 % in the worst of these samples. A wrong font gives 2.6 %
 * there.
 */
const allowedShare = 0.005;

/**
 * Pixels of one picture that the other has nowhere near. Two libraries lay the same edge down with other weights, which
 * is one pixel, and put letters on whole pixels or between them, which is another; so each channel must lie within what
 * the pixels up to two steps away have in the other picture.
 */
function strangePixels(drawn: Picture, accepted: Picture): number {
  const { width, height } = accepted;
  let strange = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      const isStrange = [0, 1, 2, 3].some((channel) => {
        const near = [-2, -1, 0, 1, 2].flatMap((down) =>
          [-2, -1, 0, 1, 2].map((across) => {
            const row = Math.min(height - 1, Math.max(0, y + down));
            const column = Math.min(width - 1, Math.max(0, x + across));
            return accepted.data[(row * width + column) * 4 + channel]!;
          }),
        );
        const value = drawn.data[at + channel]!;
        return value < Math.min(...near) - rounding || value > Math.max(...near) + rounding;
      });
      if (isStrange) strange += 1;
    }
  }
  return strange;
}
