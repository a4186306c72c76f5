/**
 * The worker of the page that draws: documents in, frames on the page's canvas. The engine runs here and never in the
 * page itself, which has to answer keys whatever a document asks for; one that takes too long is ended with its worker
 * (live-engine.ts).
 */
import { RenderError } from '../../shared/engine/errors.ts';
import type { StandingMoment } from '../../shared/engine/layout/standing.ts';
import { drawWith } from '../../shared/engine/surface.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { LiveStage, Refusal, type DrawnMoment } from './live-stage.ts';
import { readOrder, type LiveDocument, type Order, type Report } from './messages.ts';
import { OutlineSender } from './outline-changes.ts';
import { pageSurface } from './page-surface.ts';

drawWith(pageSurface);

const report = (message: Report): void => self.postMessage(message);

let shown: OffscreenCanvas | null = null;
let stage: LiveStage | null = null;
let hasDrawn = false;
const outlineSender = new OutlineSender();
/** In order of arrival. Of documents and moments only the newest waits. */
const waiting: Order[] = [];
let isBusy = false;

self.onmessage = ({ data }: MessageEvent<unknown>) => {
  const order = readOrder(data);
  if (!order) return;
  const isNewestOnly = order.type === 'open' || order.type === 'draw';
  const older = isNewestOnly ? waiting.findIndex(({ type }) => type === order.type) : -1;
  const [dropped] = older >= 0 ? waiting.splice(older, 1) : [];
  if (dropped?.type === 'draw')
    report({ type: 'not-drawn', question: dropped.question, message: 'another came' });
  waiting.push(order);
  void work();
};

async function work(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  for (let order = takeNext(); order; order = takeNext()) {
    // What a kit names may have gone meanwhile; documents are then refused until the next kit.
    await answer(order).catch((error: unknown) => console.warn(error));
    // Receives messages that came meanwhile, so that only the newest moment is drawn.
    await nextTurn();
  }
  isBusy = false;
}

/** What a person waits for comes before comparing, which is wasted when something newer is drawn anyway. */
function takeNext(): Order | undefined {
  const urgent = waiting.findIndex(({ type }) => type !== 'compare');
  const [next] = waiting.splice(Math.max(0, urgent), 1);
  return next;
}

const turns = new MessageChannel();
let onTurn: () => void = () => undefined;
turns.port1.onmessage = () => onTurn();

/** After the messages that have arrived already. A timer would wait for 4 ms after some rounds. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    onTurn = resolve;
    turns.port2.postMessage(null);
  });
}

async function answer(order: Order): Promise<void> {
  switch (order.type) {
    case 'begin':
      stage = new LiveStage(order.headers, () => report({ type: 'completed' }));
      return;
    case 'canvas':
      shown = order.canvas;
      stage?.paintWhole();
      return;
    case 'kit':
      await stage?.equip(order.kit);
      return;
    case 'open':
      if (open(order.document)) await draw({ ...order, type: 'draw', outlines: true });
      return;
    case 'expect':
      stage?.expectChanges(order.text);
      return;
    case 'draw':
      await draw(order);
      return;
    case 'stand':
      report({ type: 'standing', question: order.question, moments: standingIn(order.source) });
      return;
    default:
      compare(order);
  }
}

/** @returns whether it is open now */
function open(document: LiveDocument): boolean {
  const { number } = document;
  try {
    const clock = stage?.open(document);
    if (clock) report({ type: 'opened', document: number, clock });
    return clock !== undefined;
  } catch (error) {
    report({ type: 'refused', document: number, ...reasonOf(error) });
    return false;
  }
}

/** Null for a document that can't be compiled here. */
function standingIn(source: Source): readonly StandingMoment[] | null {
  try {
    return stage?.standing(source) ?? null;
  } catch (error) {
    console.warn(error);
    return null;
  }
}

async function draw({ question, time, outlines }: Extract<Order, { type: 'draw' }>): Promise<void> {
  try {
    const drawn = await stage?.draw(time, outlines);
    if (!drawn) {
      report({ type: 'not-drawn', question, message: 'no document is open' });
      return;
    }
    hasDrawn = true;
    show(drawn);
    const { document, time: moment, places } = drawn;
    const changes = drawn.outlines && outlineSender.send(drawn.outlines);
    report({ type: 'drawn', question, document, time: moment, outlines: changes, places });
  } catch (error) {
    report({ type: 'not-drawn', question, message: reasonOf(error).message });
  }
}

/** Puts what differs from the last moment on the page's canvas, which keeps the rest. */
function show({ canvas, part }: DrawnMoment): void {
  if (!shown || !part) return;
  const { width, height } = canvas;
  if (shown.width !== width || shown.height !== height) Object.assign(shown, { width, height });
  const context = shown.getContext('2d');
  if (!context) return;
  const { x, y, width: across, height: down } = part;
  context.clearRect(x, y, across, down);
  // Made by the surface of this worker, whose canvases are the browser's.
  const drawn = canvas as unknown as OffscreenCanvas;
  context.drawImage(drawn, x, y, across, down, x, y, across, down);
}

function compare({ question, picture }: Extract<Order, { type: 'compare' }>): void {
  const isDifferent = shown !== null && hasDrawn && differs(shown, picture);
  picture.close();
  report({ type: 'compared', question, differs: isDifferent });
}

function reasonOf(
  error: unknown,
): Pick<Extract<Report, { type: 'refused' }>, 'reason' | 'message'> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Refusal) return { reason: error.reason, message };
  if (!(error instanceof RenderError)) console.warn(error);
  return { reason: 'failed', message };
}

/**
 * Parts across whose mean colours are compared: edges of letters may be off by a pixel, but no letter may be missing.
 */
const comparedParts = 32;
/** How much the mean of a part may differ, of 255. */
const mostDifference = 36;

/** True when two pictures of the same moment differ visibly: some part has another colour. */
function differs(one: OffscreenCanvas, other: ImageBitmap): boolean {
  const { width, height } = one;
  const [a, b] = [one, other].map((picture) => pixelsOf(picture, width, height));
  const side = Math.ceil(Math.max(width, height) / comparedParts);
  for (let top = 0; top < height; top += side) {
    for (let left = 0; left < width; left += side) {
      const [right, bottom] = [Math.min(width, left + side), Math.min(height, top + side)];
      const sums = [0, 0, 0];
      for (let y = top; y < bottom; y += 1) {
        for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
          for (let channel = 0; channel < 3; channel += 1) {
            const difference = (a?.[at + channel] ?? 0) - (b?.[at + channel] ?? 0);
            sums[channel] = (sums[channel] ?? 0) + difference;
          }
        }
      }
      const count = (right - left) * (bottom - top);
      if (sums.some((sum) => Math.abs(sum) / count > mostDifference)) return true;
    }
  }
  return false;
}

/** On black, at a size. */
function pixelsOf(
  picture: OffscreenCanvas | ImageBitmap,
  width: number,
  height: number,
): Uint8ClampedArray | undefined {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context) return undefined;
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}
