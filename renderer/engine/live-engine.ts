/**
 * The page's side of the drawing worker: starts it, asks it one thing at a time, and ends it when it does not answer,
 * so that no document can block the page.
 */
import type { StandingMoment } from '../../shared/engine/layout/standing.ts';
import type { CaretPlaces } from '../../shared/engine/text/caret-places.ts';
import type { PreviewFacts, SentKit } from '../../shared/preview.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import {
  readReport,
  type LiveClock,
  type LiveDocument,
  type Order,
  type Report,
} from './messages.ts';
import { OutlineReceiver } from './outline-changes.ts';

/** What an answer is awaited to. */
type Asked = 'draw' | 'open' | 'stand' | 'compare';
type Moments = readonly StandingMoment[] | null;

/** Milliseconds to wait for an answer before the worker is ended. */
const patience = { draw: 5_000, open: 20_000 };

/** A moment that is on the canvas. */
interface Drawn {
  /** Number of the document that it is of. */
  readonly document: number;
  /** Seconds. */
  readonly time: number;
  /** Null if they were not asked for. */
  readonly outlines: PreviewFacts['outlines'] | null;
  /** Of the text that is typed in the picture. */
  readonly places: CaretPlaces | null;
}

/** What the worker reports. */
export interface LiveListener {
  opened(document: number, clock: LiveClock): void;
  refused(refusal: Extract<Report, { type: 'refused' }>): void;
  drawn(drawn: Drawn): void;
  /** A requested moment will not come. */
  missed(message: string): void;
  compared(differs: boolean): void;
  /** What could not be drawn for want of a file can be now. */
  completed(): void;
  /** The worker has ended, for this reason; it does not restart by itself. */
  ended(reason: 'slow' | 'broken'): void;
}

/** Whether the browser can draw in a worker. */
export function canDraw(): boolean {
  return (
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype
  );
}

/** One worker. Call `close()` when it is no longer needed. */
export class LiveEngine {
  readonly #worker: Worker;
  readonly #listener: LiveListener;
  #question = 0;
  /** The moment that comes with the newest document. */
  #first = { document: 0, question: 0 };
  /** Awaited answers: the newest question of each kind. */
  readonly #awaited = new Map<Asked, number>();
  readonly #outlines = new OutlineReceiver();
  /** Who waits for where elements stand, by question. */
  readonly #standing = new Map<number, (moments: Moments) => void>();
  #watch: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /** @param headers Go along with every request for a file. */
  constructor(headers: Readonly<Record<string, string>>, listener: LiveListener) {
    this.#listener = listener;
    this.#worker = new Worker(new URL('./drawing-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({ data }: MessageEvent<unknown>) => this.#hear(readReport(data));
    this.#worker.onerror = () => this.#end('broken');
    this.#send({ type: 'begin', headers });
  }

  /** Draws on this canvas, which is handed over for good. */
  showOn(canvas: HTMLCanvasElement): void {
    const offscreen = canvas.transferControlToOffscreen();
    this.#send({ type: 'canvas', canvas: offscreen }, [offscreen]);
  }

  /** A moment is being drawn; asking for another one meanwhile replaces it, unless its drawing has begun. */
  get isDrawing(): boolean {
    return this.#awaited.has('draw');
  }

  /** It has nothing to do: what is asked for now is drawn at once. */
  get isIdle(): boolean {
    return this.#awaited.size === 0;
  }

  /** Sets what documents are drawn with. */
  equip(kit: SentKit): void {
    this.#send({ type: 'kit', kit });
  }

  /** @param time The moment to draw as soon as it is open, in seconds. */
  open(document: LiveDocument, time: number): void {
    const question = ++this.#question;
    this.#await('open', document.number);
    this.#first = { document: document.number, question };
    this.#send({ type: 'open', document, question, time });
  }

  /** Changes of the document with this text will come many times a second. */
  expect(text: string): void {
    this.#send({ type: 'expect', text });
  }

  /** @param time Seconds. */
  draw(time: number, outlines: boolean): void {
    const question = ++this.#question;
    this.#await('draw', question);
    this.#send({ type: 'draw', question, time, outlines });
  }

  /** Where the elements of another document with the same files stand; null where it can't be said. */
  standing(source: Source): Promise<Moments> {
    if (this.#isClosed) return Promise.resolve(null);
    const question = ++this.#question;
    this.#await('stand', question);
    this.#send({ type: 'stand', question, source });
    return new Promise((resolve) => this.#standing.set(question, resolve));
  }

  /** Compares what was drawn last with the server's picture of it, which is handed over. */
  compare(picture: ImageBitmap): void {
    const question = ++this.#question;
    this.#await('compare', question);
    this.#send({ type: 'compare', question, picture }, [picture]);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#watch);
    this.#worker.terminate();
    for (const resolve of this.#standing.values()) resolve(null);
    this.#standing.clear();
  }

  #send(order: Order, transfer: Transferable[] = []): void {
    if (!this.#isClosed) this.#worker.postMessage(order, transfer);
  }

  #await(kind: Asked, number: number): void {
    const wasIdle = this.#awaited.size === 0;
    this.#awaited.set(kind, number);
    if (wasIdle || kind === 'open') this.#rest();
  }

  /** Restarts or stops the wait for an answer. */
  #rest(): void {
    clearTimeout(this.#watch);
    if (this.#awaited.size === 0 || this.#isClosed) return;
    const isLong = this.#awaited.has('open') || this.#awaited.has('stand');
    const time = isLong ? patience.open : patience.draw;
    this.#watch = setTimeout(() => this.#end('slow'), time);
  }

  #hear(report: Report | null): void {
    if (!report || this.#isClosed) return;
    switch (report.type) {
      case 'opened':
        this.#settle('open', report.document);
        if (this.#first.document === report.document) this.#await('draw', this.#first.question);
        this.#listener.opened(report.document, report.clock);
        return;
      case 'refused':
        this.#settle('open', report.document);
        this.#listener.refused(report);
        return;
      case 'drawn':
        this.#settle('draw', report.question);
        this.#listener.drawn({
          ...report,
          outlines: report.outlines && this.#outlines.take(report.outlines),
        });
        return;
      case 'not-drawn':
        if (this.#settle('draw', report.question)) this.#listener.missed(report.message);
        return;
      case 'standing':
        this.#settle('stand', report.question);
        this.#standing.get(report.question)?.(report.moments);
        this.#standing.delete(report.question);
        return;
      case 'completed':
        this.#listener.completed();
        return;
      default:
        if (this.#settle('compare', report.question)) this.#listener.compared(report.differs);
    }
  }

  /** @returns whether it was the newest question of its kind */
  #settle(kind: Asked, number: number): boolean {
    const isNewest = this.#awaited.get(kind) === number;
    if (isNewest) this.#awaited.delete(kind);
    this.#rest();
    return isNewest;
  }

  #end(reason: 'slow' | 'broken'): void {
    if (this.#isClosed) return;
    this.close();
    this.#listener.ended(reason);
  }
}
