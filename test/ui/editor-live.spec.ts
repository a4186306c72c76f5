/**
 * The preview that the page draws by itself, in a worker: it plays in real time, follows what is typed, and lets the
 * server's picture win.
 */
import type { Locator, Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openNewTemplate, sourceOf, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

const previewOf = (page: Page): Locator => page.getByTestId('editor-preview');
/** The details of what is drawn. */
const viewMenu = (page: Page): Locator =>
  previewOf(page).getByRole('button', { name: 'Fit', exact: true });

test('the page plays by itself in real time, and the server’s picture takes its place at the end', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/preview')) asked += 1;
  });
  const begun = Date.now();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(preview).toHaveAttribute('data-front', 'page');
  await expect(preview).toHaveAttribute('data-front', 'server');
  // It lasts four seconds, and nothing of it was asked of the server but its last moment.
  expect(Date.now() - begun).toBeGreaterThan(3_500);
  expect(asked).toBe(1);
});

test('what is typed is on the page’s canvas before the server has drawn it', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/preview', async (route) => {
    await held;
    await route.continue();
  });
  const canvas = preview.locator('canvas');
  const before = await preview.getByRole('img').screenshot();
  await titleOf(page).fill('Autumn sale');
  await expect(preview).toHaveAttribute('data-front', 'page');
  expect(before.equals(await canvas.screenshot())).toBe(false);
  release();
  await expect(preview).toHaveAttribute('data-front', 'server');
  // Both show the same.
  await expect(preview).toHaveAttribute('data-state', 'ready');
  await viewMenu(page).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByText('This is the exact picture')).toHaveCount(0);
});

test('the canvas is in front as soon as a letter is typed, so that its drawing is seen at once', async ({
  page,
  program,
}) => {
  // The page does not hear that anything was drawn.
  await page.addInitScript(() => {
    globalThis.isDeaf = false;
    const Native = Worker;
    globalThis.Worker = class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given);
        this.addEventListener('message', (event: MessageEvent<{ type: string }>) => {
          if (isDeaf && event.data.type === 'drawn') event.stopImmediatePropagation();
        });
      }
    };
  });
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await expect(preview).toHaveAttribute('data-front', 'server');
  const canvas = preview.locator('canvas');
  const before = await preview.getByRole('img').screenshot();
  await page.evaluate(() => (globalThis.isDeaf = true));
  await page.route('**/api/preview', () => undefined);
  await titleOf(page).press('End');
  await page.keyboard.press('x');
  await expect(preview).toHaveAttribute('data-front', 'page');
  await expect.poll(async () => before.equals(await canvas.screenshot())).toBe(false);
});

declare global {
  /** Whether the page misses what the drawing worker says of its drawings. */
  var isDeaf: boolean;
  /** Documents that the drawing worker was given as typed text, by their numbers, and what became of them. */
  var typedDocuments: Map<number, string>;
}

test('a letter is drawn before the text is checked, and a text that is no document changes nothing', async ({
  page,
  program,
}) => {
  await page.addInitScript(() => {
    globalThis.typedDocuments = new Map();
    const Native = Worker;
    globalThis.Worker = class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given);
        type Told = { type: string; document: number; reason?: string };
        this.addEventListener('message', ({ data }: MessageEvent<Told>) => {
          if (typedDocuments.has(data.document) && data.type !== 'opened')
            typedDocuments.set(data.document, data.reason ?? data.type);
        });
      }
      override postMessage(message: unknown, more?: unknown): void {
        const { document } = message as { document?: { number: number; source: unknown } };
        if (typeof document?.source === 'string') typedDocuments.set(document.number, 'sent');
        super.postMessage(message, more as Transferable[]);
      }
    };
  });
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const became = (): Promise<string[]> => page.evaluate(() => [...typedDocuments.values()]);
  await titleOf(page).press('End');
  await page.keyboard.press('x');
  await expect.poll(became).toEqual(['drawn']);
  await expect(preview).toHaveAttribute('data-front', 'server');
  await sourceOf(page).press('Control+Home');
  await page.keyboard.press('{');
  await expect.poll(became).toContain('unfinished');
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await expect(preview).toHaveAttribute('data-front', 'server');
});

test('placeholders are filled in the page’s picture as in the server’s', async ({
  page,
  program,
}) => {
  const [ground, title] = promo.elements;
  // Nothing is given for it, and nothing else of the picture is white.
  const elements = [ground, { ...title, text: '{{greeting}}' }];
  await openNewTemplate(page, program, { ...promo, elements });
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await page.route('**/api/preview', () => undefined);
  await page.getByRole('button', { name: 'One frame forward' }).click();
  await expect(preview).toHaveAttribute('data-front', 'page');
  const seen = await preview.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(context?.getImageData(0, 0, width, height).data.buffer ?? []);
    return { all: pixels.length, white: pixels.filter((pixel) => pixel === 0xffffffff).length };
  });
  expect(seen.all).toBeGreaterThan(100_000);
  expect(seen.white).toBe(0);
});

test('dragging through the film shows its moments at once', async ({ page, program }) => {
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await page.route('**/api/preview', () => undefined);
  await preview.getByRole('slider').first().focus();
  for (let step = 1; step <= 5; step += 1) {
    await page.keyboard.press('ArrowRight');
    await expect(preview).toHaveAttribute('data-frame', String(step));
    await expect(preview).toHaveAttribute('data-front', 'page');
  }
});

test('a worker that gives no answer is ended, and the preview goes on with the server’s pictures', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const [worker] = page.workers();
  // As a document does whose frame never comes to its end.
  void worker!
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  await page.getByRole('button', { name: 'One frame forward' }).click();
  await expect(preview).toHaveAttribute('data-live', 'slow');
  await expect(preview).toContainText('the server draws the pictures');
  await page.getByRole('button', { name: 'One frame forward' }).click();
  await expect(preview).toHaveAttribute('data-frame', '2');
  await expect(preview).toHaveAttribute('data-front', 'server');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect
    .poll(async () => Number(await preview.getAttribute('data-frame')))
    .toBeGreaterThan(5);
});

test('a browser without a canvas for workers plays the server’s pictures', async ({
  page,
  program,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'OffscreenCanvas');
  });
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect
    .poll(async () => Number(await preview.getAttribute('data-frame')))
    .toBeGreaterThan(5);
  await expect(preview).toHaveAttribute('data-live', 'off');
  await expect(preview).toHaveAttribute('data-front', 'server');
  expect(page.workers()).toHaveLength(0);
});

test('where the server’s picture shows something else, it is to be seen, and told where it is asked for', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const other = await page.screenshot({ type: 'jpeg' });
  await page.route('**/api/preview', async (route) => {
    const response = await route.fetch();
    // The server's own form.
    const answer = (await response.json()) as object;
    await route.fulfill({
      json: { ...answer, picture: `data:image/jpeg;base64,${other.toString('base64')}` },
    });
  });
  await page.getByRole('button', { name: 'One frame forward' }).click();
  await expect(preview).toHaveAttribute('data-front', 'server');
  const told = page.getByText('This is the exact picture');
  await expect(async () => {
    await page.keyboard.press('Escape');
    await viewMenu(page).click();
    await expect(told).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('Escape');
  await expect(told).toHaveCount(0);
});

test('a picture that is missing and a file that can’t be fetched stop nothing', async ({
  page,
  program,
}) => {
  await page.route('**/api/preview/files/**', (route) => route.abort());
  const photo = { type: 'image', source: 'no-such-file.png' };
  await openNewTemplate(page, program, { ...promo, elements: [...promo.elements, photo] });
  const preview = previewOf(page);
  await page.getByRole('button', { name: 'One frame forward' }).click();
  await expect(preview).toHaveAttribute('data-frame', '1');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  await expect(preview).toHaveAttribute('data-front', 'server');
});

test('a thousand elements are drawn by the page as well', async ({ page, program }) => {
  const elements = Array.from({ length: 1_000 }, (_, at) => ({
    type: 'text',
    text: `No. ${at}`,
    width: '6%',
    height: '4%',
    x: `${(at % 40) * 2.5}%`,
    y: `${Math.floor(at / 40) * 4}%`,
    fill_color: '#ffffff',
  }));
  await openNewTemplate(page, program, { ...promo, elements });
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(preview).toHaveAttribute('data-front', 'page');
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(preview).toHaveAttribute('data-front', 'server');
});

test('a video plays in the page', async ({ page, program }) => {
  const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
  // A sample that the program brings.
  const source = JSON.parse(
    readFileSync(path.join(samples, 'lower-third', 'source.json'), 'utf8'),
  ) as object;
  await openNewTemplate(page, program, source);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const canvas = preview.locator('canvas');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(preview).toHaveAttribute('data-front', 'page');
  const before = await canvas.screenshot();
  await expect.poll(async () => before.equals(await canvas.screenshot())).toBe(false);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(preview).toHaveAttribute('data-front', 'server');
  await viewMenu(page).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByText('This is the exact picture')).toHaveCount(0);
  await expect(preview).toHaveAttribute('data-live', 'ready');
});

declare global {
  /** The players that the page has made. */
  var players: HTMLAudioElement[];
}

test('the sound of the film plays along, and the picture follows it', async ({ page, program }) => {
  await page.addInitScript(() => {
    globalThis.players = [];
    const Native = Audio;
    globalThis.Audio = class extends Native {
      constructor() {
        super();
        players.push(this);
      }
    };
  });
  const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
  // A sample that the program brings.
  const source = JSON.parse(
    readFileSync(path.join(samples, 'slideshow-music', 'source.json'), 'utf8'),
  ) as object;
  await openNewTemplate(page, program, source);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await expect(preview.getByRole('slider', { name: 'Volume' })).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const heard = (): Promise<number> => page.evaluate(() => players[0]?.currentTime ?? 0);
  await expect.poll(heard).toBeGreaterThan(0.2);
  // Where the sound goes, the picture goes.
  await page.evaluate(() => {
    if (players[0]) players[0].currentTime = 6;
  });
  await expect
    .poll(async () => Number(await preview.getAttribute('data-frame')))
    .toBeGreaterThan(6 * 25);
  await page.getByRole('button', { name: 'Sound' }).click();
  expect(await page.evaluate(() => players[0]?.muted)).toBe(true);
  await page.getByRole('button', { name: 'Pause' }).click();
  expect(await page.evaluate(() => players[0]?.paused)).toBe(true);
});

test('dragging through the film lets its moments be heard', async ({ page, program }) => {
  await page.addInitScript(() => {
    globalThis.players = [];
    const Native = Audio;
    globalThis.Audio = class extends Native {
      constructor() {
        super();
        players.push(this);
      }
    };
  });
  const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
  // A sample that the program brings.
  const source = JSON.parse(
    readFileSync(path.join(samples, 'slideshow-music', 'source.json'), 'utf8'),
  ) as object;
  await openNewTemplate(page, program, source);
  const preview = previewOf(page);
  await expect(preview.getByRole('slider', { name: 'Volume' })).toBeVisible();
  await page.evaluate(() => {
    const [player] = players;
    const play = player!.play.bind(player);
    // What is heard is paused again soon.
    player!.play = () => {
      player!.dataset['heard'] = String(player!.currentTime);
      return play();
    };
  });
  await preview.getByRole('slider', { name: 'Time', exact: true }).focus();
  await page.keyboard.press('Shift+ArrowRight');
  const heard = (): Promise<number> =>
    page.evaluate(() => Number(players[0]?.dataset['heard'] ?? 0));
  await expect.poll(heard).toBeGreaterThan(0.9);
  await expect.poll(() => page.evaluate(() => players[0]?.paused)).toBe(true);
});

test('a film that is played again and again begins anew', async ({ page, program }) => {
  await openNewTemplate(page, program, { ...promo, duration: 1 });
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await page.getByRole('button', { name: 'Loop playback' }).click();
  const frame = async (): Promise<number> => Number(await preview.getAttribute('data-frame'));
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  for (let round = 0; round < 2; round += 1) {
    await expect.poll(frame, { intervals: [30] }).toBeGreaterThan(15);
    await expect.poll(frame, { intervals: [30] }).toBeLessThan(10);
  }
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(preview).toHaveAttribute('data-front', 'server');
});

test('J, K and L play backwards, pause and play, faster when they are pressed again', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, { ...promo, duration: 8 });
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const frame = async (): Promise<number> => Number(await preview.getAttribute('data-frame'));
  const slider = preview.getByRole('slider', { name: 'Time', exact: true });
  await slider.focus();
  await page.keyboard.press('l');
  await page.keyboard.press('l');
  await expect(preview).toContainText('2 ×');
  await expect.poll(frame).toBeGreaterThan(40);
  await page.keyboard.press('k');
  await expect(preview).toHaveAttribute('data-front', 'server');
  const paused = await frame();
  await page.keyboard.press('j');
  await expect(preview).toContainText('−1 ×');
  await expect.poll(frame).toBeLessThan(paused - 10);
  // It ends at the beginning by itself.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(frame).toBe(0);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('a part of the film is marked by keys and handles, and played again and again', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, promo);
  const preview = previewOf(page);
  await expect(preview).toHaveAttribute('data-live', 'ready');
  const frame = async (): Promise<number> => Number(await preview.getAttribute('data-frame'));
  const slider = preview.getByRole('slider', { name: 'Time', exact: true });
  const first = preview.getByRole('slider', { name: 'First frame to play' });
  const last = preview.getByRole('slider', { name: 'Last frame to play' });
  await expect(first).toHaveCount(0);
  await slider.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('i');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('o');
  const start = Number(await first.getAttribute('aria-valuenow'));
  expect(Number(await last.getAttribute('aria-valuenow'))).toBe(start * 2);
  // By the pointer and by keys; between both is a frame at least.
  const box = (await last.boundingBox())!;
  await page.mouse.move(box.x + 5, box.y + 7);
  await page.mouse.down();
  await page.mouse.move(box.x - 2000, box.y + 7, { steps: 3 });
  await page.mouse.up();
  await expect(last).toHaveAttribute('aria-valuenow', String(start + 1));
  await last.focus();
  for (let step = 0; step < 7; step += 1) await page.keyboard.press('ArrowRight');
  await expect(last).toHaveAttribute('aria-valuenow', String(start + 8));
  await page.getByRole('button', { name: 'Loop playback' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(preview).toHaveAttribute('data-front', 'page');
  const seen = new Set<number>();
  await expect
    .poll(
      async () => {
        seen.add(await frame());
        return seen.size;
      },
      { intervals: [20] },
    )
    .toBeGreaterThan(5);
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(start);
  expect(Math.max(...seen)).toBeLessThanOrEqual(start + 8);
  await page.getByRole('button', { name: 'Pause' }).click();
  await slider.focus();
  await page.keyboard.press('x');
  await expect(first).toHaveCount(0);
});
