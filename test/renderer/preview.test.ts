/** Whose picture is in front, when the page's and the server's come in any order. The page's worker is a stand-in. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { PreviewState } from '../../renderer/editor/preview/preview-state.svelte.ts';
import type { LiveClock, Report } from '../../renderer/engine/messages.ts';
import type { Source } from '../../shared/renderscript/source.ts';

/** The page's drawing worker: it hears nothing, and reports what a test says. */
class DrawingWorker {
  static last: DrawingWorker | null = null;
  onmessage: ((event: { readonly data: Report }) => void) | null = null;
  postMessage = vi.fn();
  terminate = vi.fn();

  constructor() {
    DrawingWorker.last = this;
  }
}
const report = (data: Report): void => DrawingWorker.last?.onmessage?.({ data });

beforeAll(() => {
  const stop = vi.fn();
  vi.stubGlobal('self', globalThis);
  vi.stubGlobal('Worker', DrawingWorker);
  vi.stubGlobal('OffscreenCanvas', DrawingWorker);
  vi.stubGlobal('HTMLCanvasElement', { prototype: { transferControlToOffscreen: stop } });
  vi.stubGlobal('ResizeObserver', function () {
    return { observe: stop, disconnect: stop };
  });
  vi.stubGlobal('devicePixelRatio', 1);
  // Nothing is compared: no picture can be decoded here.
  vi.stubGlobal('Image', function () {
    return { decode: () => Promise.reject(new Error('no pictures')) };
  });
});
afterAll(() => vi.unstubAllGlobals());

const clock: LiveClock = {
  ...{ width: 64, height: 64, scale: 1, frameRate: 25, frameCount: 25, duration: 1 },
};
const source = (fill: string): Source => ({
  ...{ output_format: 'mp4', width: 64, height: 64, frame_rate: 25, duration: 1 },
  elements: [{ type: 'shape', width: '50%', height: '50%', fill_color: fill }],
});

/** The page has read a document. */
const open = (document: number): void => report({ type: 'opened', document, clock });
/** The page has drawn its first frame. */
const draw = (document: number): void =>
  report({ type: 'drawn', document, question: 0, time: 0, outlines: null, places: null });

test('a moment of a document before the pictured one does not cover the server’s picture', async () => {
  const preview = new PreviewState(64, 0, 'silent');
  const room = { getBoundingClientRect: () => new DOMRect(0, 0, 64, 64) };
  const canvas = { parentElement: room, transferControlToOffscreen: () => ({}) };
  preview.live?.attach(canvas as unknown as HTMLCanvasElement);
  /** Shows a document, and waits for the server's picture of it. */
  const show = async (fill: string): Promise<void> => {
    const before = preview.picture;
    preview.show(source(fill));
    const isThere = (): boolean => preview.phase === 'ready' && preview.picture !== before;
    await vi.waitUntil(isThere, { timeout: 60_000 });
  };
  await show('#f00');
  open(1);
  await show('#0f0');
  expect(preview.front).toBe('server');
  // Its drawing began before the change, and ends after the server's answer.
  draw(1);
  open(2);
  draw(2);
  expect(preview.front).toBe('server');
  // One that comes first is shown at once.
  preview.show(source('#00f'));
  open(3);
  draw(3);
  expect(preview.front).toBe('page');
  await vi.waitUntil(() => preview.front === 'server', { timeout: 60_000 });
  preview.close();
});
