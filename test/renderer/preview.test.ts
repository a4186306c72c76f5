/** Whose picture is in front, when the page's drawing and the server's come in any order. The page's is a stand-in. */
import { afterAll, expect, test, vi } from 'vitest';
import { PreviewState } from '../../renderer/editor/preview/preview-state.svelte.ts';
import type { LiveClock } from '../../renderer/engine/messages.ts';
import type { Source } from '../../shared/renderscript/source.ts';

/** What the preview is told by whatever draws in the page. */
interface Listener {
  opened(document: number, clock: LiveClock): void;
  drawn(drawn: object): void;
}
const drawing = vi.hoisted(() => ({ listener: null as Listener | null }));
vi.mock('../../renderer/engine/live-engine.ts', () => ({
  canDraw: () => true,
  LiveEngine: class {
    constructor(_headers: unknown, listener: Listener) {
      drawing.listener = listener;
    }
    showOn = vi.fn();
    equip = vi.fn();
    open = vi.fn();
    draw = vi.fn();
    close = vi.fn();
    compare = vi.fn();
  },
}));

const clock: LiveClock = {
  ...{ width: 64, height: 64, scale: 1, frameRate: 25, frameCount: 25, duration: 1 },
};
const colours = ['#f00', '#0f0', '#00f'];
const source = (fill: string): Source => ({
  ...{ output_format: 'mp4', width: 64, height: 64, frame_rate: 25, duration: 1 },
  elements: [{ type: 'shape', width: '50%', height: '50%', fill_color: fill }],
});

/** Document `number` was read, and its first frame drawn, by the page. */
const draw = (number: number): void => {
  drawing.listener?.opened(number, clock);
  drawing.listener?.drawn({ document: number, time: 0, outlines: null, places: null });
};

vi.stubGlobal('devicePixelRatio', 1);
vi.stubGlobal(
  'ResizeObserver',
  class {
    observe = vi.fn();
    disconnect = vi.fn();
  },
);
// Nothing is compared: no picture can be decoded here.
vi.stubGlobal(
  'Image',
  class {
    decode = (): Promise<never> => Promise.reject(new Error('no pictures'));
  },
);
const preview = new PreviewState(64, 0, 'silent');
afterAll(() => preview.close());
const canvas = { parentElement: { getBoundingClientRect: () => new DOMRect(0, 0, 64, 64) } };
preview.live?.attach(canvas as unknown as HTMLCanvasElement);

/** Shows the document of this number, and waits for the server's picture of it. */
async function show(number: number): Promise<void> {
  const before = preview.picture;
  preview.show(source(colours[number - 1] ?? ''));
  await vi.waitUntil(() => preview.phase === 'ready' && preview.picture !== before, {
    timeout: 60_000,
  });
}

test('a moment of a document before the pictured one does not cover the server’s picture', async () => {
  await show(1);
  drawing.listener?.opened(1, clock);
  await show(2);
  expect(preview.front).toBe('server');
  // Its drawing began before the change, and ends after the server's answer.
  drawing.listener?.drawn({ document: 1, time: 0, outlines: null, places: null });
  draw(2);
  expect(preview.front).toBe('server');
  // One that comes first is shown at once.
  preview.show(source(colours[2] ?? ''));
  draw(3);
  expect(preview.front).toBe('page');
  await vi.waitUntil(() => preview.front === 'server', { timeout: 60_000 });
});
