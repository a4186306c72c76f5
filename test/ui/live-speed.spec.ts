/** What playing in the page costs: frames a second of the samples that the program brings, printed and not judged. `npm run test:looks`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { openTemplate } from './editor-page.ts';
import { expect, test } from './program.ts';

declare global {
  /** When the page was told of frames that its worker has drawn, ms. */
  var drawnAt: number[];
}

const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
/** Seconds that are played of each. */
const played = 4;

test('frames a second while the samples play', async ({ page, program }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.addInitScript(() => {
    globalThis.drawnAt = [];
    const Native = Worker;
    globalThis.Worker = class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given);
        this.addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
          if (data.type === 'drawn') drawnAt.push(performance.now());
        });
      }
    };
  });
  for (const name of readdirSync(samples)) {
    const file = path.join(samples, name, 'source.json');
    if (!existsSync(file)) continue;
    // A sample that the program brings.
    const source = JSON.parse(readFileSync(file, 'utf8')) as object;
    const { id } = await program.createTemplate({ name, source });
    const begun = Date.now();
    await openTemplate(page, program, id);
    // A new address behind the # loads no page by itself.
    await page.reload();
    const preview = page.getByTestId('editor-preview');
    await expect(preview).toHaveAttribute('data-state', 'ready');
    const opened = Date.now() - begun;
    const play = page.getByRole('button', { name: 'Play', exact: true });
    if (!(await play.isVisible())) continue;
    await expect(preview).toHaveAttribute('data-live', 'ready');
    await play.click();
    await page.waitForTimeout(played * 1000 + 300);
    const { count, size } = await page.evaluate((milliseconds) => {
      const last = drawnAt.at(-1) ?? 0;
      const canvas = document.querySelector('canvas');
      return {
        count: drawnAt.filter((at) => at > last - milliseconds).length,
        size: `${canvas?.width}×${canvas?.height}`,
      };
    }, played * 1000);
    const state = await preview.getAttribute('data-live');
    console.log(
      `${name}: ${(count / played).toFixed(1)} frames a second at ${size} (${state}), opened in ${opened} ms`,
    );
  }
});
