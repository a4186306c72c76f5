/**
 * What the page's own drawing costs, printed and not judged: the first picture after opening, frames a second while the
 * samples that the program brings play, what dragging costs, and how far the picture is from the sound. `npm test --
 * --looks`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { openTemplate } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';
import { quantile } from './quantile.ts';

declare global {
  /** What the page has seen, ms since it was loaded. */
  var seen: {
    /** Its worker's frames, as the page was told of them. */
    drawn: number[];
    /** The first picture in the editor, and the worker ready to draw the document. */
    picture: number;
    live: number;
    /** From a move of the pointer to the picture with it. */
    followed: number[];
  };
  /** The players that the page has made. */
  var heard: HTMLAudioElement[];
}

const samples = path.join(import.meta.dirname, '..', '..', 'resources', 'samples');
/** Seconds that are played of each, at most. */
const longest = 4;

async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    globalThis.seen = { drawn: [], picture: 0, live: 0, followed: [] };
    // When the hand moved, not when the page had time for it.
    let moved = 0;
    const move = ({ timeStamp }: Event): number => (moved = timeStamp);
    // The editor follows the first of both that it has time for.
    addEventListener('pointerrawupdate', move, true);
    addEventListener('pointermove', move, true);
    /** Moves that no picture shows yet, by the number of the document that each led to. */
    const moves = new Map<number, number>();
    const Native = Worker;
    globalThis.Worker = class extends Native {
      constructor(...given: ConstructorParameters<typeof Native>) {
        super(...given);
        this.addEventListener(
          'message',
          ({ data }: MessageEvent<{ type: string; document: number }>) => {
            if (data.type !== 'drawn') return;
            seen.drawn.push(performance.now());
            // Those that another one overtook are shown by this picture as well.
            for (const [document, since] of moves) {
              if (document > data.document) continue;
              seen.followed.push(performance.now() - since);
              moves.delete(document);
            }
          },
        );
      }
      override postMessage(message: unknown, more?: unknown): void {
        const { document } = message as { document?: { number: number } };
        // A move that keeps to a line changes nothing, and leads to no document.
        if (document && moved > 0) moves.set(document.number, moved);
        moved = 0;
        super.postMessage(message, more as Transferable[]);
      }
    };
    const look = (): void => {
      const preview = document.querySelector<HTMLElement>('[data-testid="editor-preview"]');
      if (preview?.querySelector('img')) seen.picture ||= performance.now();
      if (preview?.dataset.live === 'ready') seen.live ||= performance.now();
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

test('the first picture, and frames a second while the samples play', async ({ page, program }) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await watch(page);
  for (const name of readdirSync(samples)) {
    const file = path.join(samples, name, 'source.json');
    if (!existsSync(file)) continue;
    // A sample that the program brings.
    const source = JSON.parse(readFileSync(file, 'utf8')) as object;
    const { id } = await program.createTemplate({ name, source });
    // A window that is open already, as a person comes from the list.
    await page.goto(`${program.windowUrl}&page=templates`);
    await page.reload();
    // Its card has its picture: a person who chooses among cards has waited for them.
    await page.getByTestId(`template-card-${id}`).locator('img').waitFor();
    await page.waitForTimeout(1000);
    const begun = await page.evaluate(() => {
      seen.picture = seen.live = 0;
      return performance.now();
    });
    await openTemplate(page, program, id);
    const preview = page.getByTestId('editor-preview');
    await expect(preview).toHaveAttribute('data-state', 'ready');
    await expect(preview).toHaveAttribute('data-live', 'ready');
    const play = page.getByRole('button', { name: 'Play', exact: true });
    const { picture, live } = await page.evaluate(() => seen);
    const opened = `picture after ${(picture - begun).toFixed(0)} ms, worker after ${(live - begun).toFixed(0)} ms`;
    if (!(await play.isVisible())) {
      console.log(`${name}: ${opened}`);
      continue;
    }
    await play.click();
    await page.waitForTimeout(longest * 1000 + 300);
    const state = await preview.getAttribute('data-live');
    const { times, size } = await page.evaluate(() => {
      const canvas = document.querySelector('canvas');
      return { times: seen.drawn, size: `${canvas?.width}×${canvas?.height}` };
    });
    const [first = 0, last = 0] = [times[1], times.at(-1)];
    const rate = ((times.length - 2) / (last - first)) * 1000;
    console.log(
      `${name}: ${opened}; ${rate.toFixed(1)} frames a second of ${String((source as { frame_rate?: number }).frame_rate ?? 'its rate')} at ${size} (${state})`,
    );
  }
});

/** Milliseconds while an element is dragged. */
interface Dragged {
  /** From one frame of the page to the next. */
  readonly page: readonly number[];
  /** From a move of the hand to the picture that shows it, for each move that changes the document. */
  readonly pictures: readonly number[];
}

const gapsOf = (times: readonly number[]): number[] =>
  times.slice(1).map((time, index) => time - (times[index] ?? time));

function wordsOf({ page, pictures }: Dragged): string {
  const told = (gaps: readonly number[]): string => {
    const at = (share: number): string => quantile(gaps, share).toFixed(0);
    return `${gaps.length}, half within ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms`;
  };
  return `frames of the page: ${told(page)}; pictures after a move: ${told(pictures)}; load ${load()}`;
}

/** Needs `watch`. Fails where nothing can be taken hold of. */
async function dragged(page: Page): Promise<Dragged> {
  const frame = await page.locator('#editor-stage .frame').last().boundingBox();
  if (!frame) throw new Error('There is no picture.');
  const bar = page.getByTestId('arrange-bar');
  const places = [
    [0.5, 0.5],
    [0.5, 0.25],
    [0.5, 0.75],
    [0.25, 0.5],
    [0.75, 0.5],
    [0.2, 0.2],
    [0.8, 0.8],
  ] as const;
  for (const [x, y] of places) {
    const at = [frame.x + frame.width * x, frame.y + frame.height * y] as const;
    await page.mouse.click(...at);
    if (!(await bar.isVisible())) continue;
    return pull(page, at, [1, 0]);
  }
  throw new Error('Nothing in the picture can be taken hold of.');
}

/** Takes hold of a point, pulls it 90 pixels along a way and lets go as if nothing had been. Needs `watch`. */
async function pull(
  page: Page,
  at: readonly [number, number],
  [x, y]: readonly [number, number],
): Promise<Dragged> {
  await page.mouse.move(...at);
  await page.mouse.down();
  const measured = await whileFramesAreSeen(page, async () => {
    for (let step = 1; step <= 90; step++) {
      const sway = Math.sin(step / 9) * 30;
      await page.mouse.move(at[0] + x * step + y * sway, at[1] + y * step + x * sway);
      await page.waitForTimeout(12);
    }
  });
  await page.keyboard.press('Escape');
  await page.mouse.up();
  return measured;
}

async function whileFramesAreSeen(page: Page, act: () => Promise<void>): Promise<Dragged> {
  await page.evaluate(() => {
    const times: number[] = [];
    seen.followed = [];
    Object.assign(globalThis, { framesSeen: times });
    const look = (now: number): void => {
      times.push(now);
      if (times.length < 2000) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await act();
  const times = await page.evaluate(() => ({
    page: (globalThis as unknown as { framesSeen: number[] }).framesSeen,
    pictures: seen.followed,
  }));
  return { page: gapsOf(times.page), pictures: times.pictures };
}

const load = (): string => loadavg()[0]?.toFixed(1) ?? '';

test('frames while elements of the samples are dragged', async ({ page, program }) => {
  test.setTimeout(240_000);
  await watch(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const name of readdirSync(samples)) {
    const file = path.join(samples, name, 'source.json');
    if (!existsSync(file)) continue;
    // A sample that the program brings.
    const source = JSON.parse(readFileSync(file, 'utf8')) as object;
    const { id } = await program.createTemplate({ name, source });
    await openTemplate(page, program, id);
    await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
    console.log(`${name}: ${wordsOf(await dragged(page))}`);
  }
});

/** What a person makes by hand on the way to a reel: photos with transitions, a moving title, music with a fade. */
const reel = {
  ...{ output_format: 'mp4', width: 1080, height: 1920, duration: 12 },
  elements: [
    ...['dunes', 'lake', 'dawn'].map((name, index) => ({
      ...{ type: 'image', name, track: 1, duration: 4.5, source: `media/${name}.jpg` },
      ...(index > 0 && {
        animations: [{ time: 'start', duration: 0.75, transition: true, type: 'slide' }],
      }),
    })),
    {
      ...{ type: 'text', name: 'Title', track: 2, text: 'Above the dunes', font_weight: 700 },
      ...{ y: '30%', width: '80%', height: '14%', x_alignment: '50%', fill_color: '#ffffff' },
      opacity: [0, 100, 60].map((value, index) => ({ time: index * 3, value: `${value}%` })),
    },
    {
      ...{ type: 'audio', name: 'Tune', track: 3, source: 'media/tune.m4a', loop: true },
      ...{ duration: 12, audio_fade_out: '1 s' },
    },
  ],
};

test('frames while a reel is made by hand', async ({ page, program }) => {
  test.setTimeout(240_000);
  await watch(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const { id } = await program.createTemplate({ name: 'Reel', source: reel });
  await openTemplate(page, program, id);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  const clip = (name: string): Locator => page.getByRole('gridcell', { name: new RegExp(name) });
  /** A place in it, in shares of its size. */
  const placeIn = async (of: Locator, x = 0.5, y = 0.5): Promise<[number, number]> => {
    const box = (await of.boundingBox())!;
    return [box.x + box.width * x, box.y + box.height * y];
  };
  const title = clip('^Text Title,');
  const tune = clip('^Audio Tune,');
  const photo = clip('^Image lake,');
  /** What is chosen first, what is taken hold of, and which way it goes. */
  const gestures = [
    ['a title moved', title, page.locator('#editor-stage .frame').last(), [0, 1], 0.3],
    ['a corner pulled', title, page.getByTestId('handle-se'), [1, 0]],
    ['a title turned', title, page.getByTestId('handle-turn'), [1, 0]],
    ['a clip moved', photo, photo, [1, 0]],
    ['an edge trimmed', photo, photo.getByTestId('trim-end'), [1, 0]],
    ['a keyframe moved', title, title.getByTestId('keyframe').nth(1), [1, 0]],
    ['a fade pulled', tune, page.getByTestId('fade-end'), [-1, 0]],
    ['the playhead moved', tune, page.getByTestId('timeline-ruler'), [1, 0]],
  ] as const;
  for (const [name, chosen, held, way, height] of gestures) {
    await chosen.click({ position: { x: 60, y: 12 } });
    console.log(`${name}: ${wordsOf(await pull(page, await placeIn(held, 0.5, height), way))}`);
  }
  await title.click({ position: { x: 60, y: 12 } });
  await page.keyboard.press('Enter');
  const typed = await whileFramesAreSeen(page, async () => {
    for (const letter of ' and the sea beyond them') {
      await page.keyboard.type(letter);
      await page.waitForTimeout(40);
    }
  });
  console.log(`a title typed: ${wordsOf(typed)}`);
});

test('a document of 1,000 elements opens, and an element of it is dragged', async ({
  page,
  program,
}) => {
  const elements = Array.from({ length: 1000 }, (_, index) => ({
    ...{ type: 'shape', name: `Row ${index}`, width: '2%', height: '2%', fill_color: '#2447d8' },
    ...{ x: `${(index % 40) * 2.5 + 1}%`, y: `${Math.floor(index / 40) * 4 + 2}%` },
  }));
  const source = { ...{ output_format: 'mp4', duration: 4, width: 1280, height: 720 }, elements };
  const { id } = await program.createTemplate({ name: 'Large', source });
  await watch(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${program.windowUrl}&page=templates`);
  await page.waitForTimeout(2000);
  const begun = Date.now();
  await page.getByTestId(`template-card-${id}`).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  const opened = Date.now() - begun;
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const pictured = Date.now() - begun;
  await expect(preview).toHaveAttribute('data-live', 'ready');
  console.log(
    `opened after ${opened} ms, picture after ${pictured} ms; dragged: ${wordsOf(await dragged(page))}`,
  );
});

test('how far the picture is from the sound, over a minute with seeks', async ({
  page,
  program,
}) => {
  test.setTimeout(180_000);
  await page.addInitScript(() => {
    globalThis.heard = [];
    const Native = Audio;
    globalThis.Audio = class extends Native {
      constructor() {
        super();
        heard.push(this);
      }
    };
  });
  const file = path.join(samples, 'slideshow-music', 'source.json');
  // A sample that the program brings.
  const sample = JSON.parse(readFileSync(file, 'utf8')) as { elements: { type: string }[] };
  const music = sample.elements.filter(({ type }) => type === 'audio');
  const source = {
    ...{ ...promo, duration: 60, frame_rate: 30 },
    elements: [
      ...promo.elements,
      ...music.map((element) => ({ ...element, duration: null, loop: true })),
    ],
  };
  const { id } = await program.createTemplate({ name: 'Minute', source });
  await openTemplate(page, program, id);
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-live', 'ready');
  await expect(preview.getByRole('slider', { name: 'Volume' })).toBeVisible();
  await page.getByRole('button', { name: 'Loop playback' }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(() => page.evaluate(() => heard[0]?.currentTime ?? 0)).toBeGreaterThan(0.5);
  // Four parts of 15 s, a seek before each; a moment after it to come to the place.
  for (const [part, start] of [20, 5, 44, 50].entries()) {
    await preview.getByRole('slider', { name: 'Time', exact: true }).focus();
    await page.evaluate((time) => {
      if (heard[0]) heard[0].currentTime = time;
    }, start);
    await page.waitForTimeout(500);
    const off = await page.evaluate(async () => {
      const found: number[] = [];
      const shown = document.querySelector<HTMLElement>('[data-testid="editor-preview"]');
      const until = performance.now() + 15_000;
      while (performance.now() < until) {
        await new Promise(requestAnimationFrame);
        // A frame is on screen from its beginning to its end: its middle counts.
        const picture = (Number(shown?.dataset['frame']) + 0.5) / 30;
        const apart = Math.abs(picture - (heard[0]?.currentTime ?? 0));
        // The end and the beginning lie side by side where the film begins anew.
        found.push(Math.min(apart, 60 - apart) * 1000);
      }
      return found;
    });
    const at = (share: number): string => quantile(off, share).toFixed(0);
    console.log(
      `part ${part + 1}: half within ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, worst ${at(1)} ms`,
    );
  }
});
