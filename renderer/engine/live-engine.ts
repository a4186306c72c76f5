/**
 * The near side of the drawing worker: starts it, asks it one thing at a time, and ends it when it gives no answer, so that no
 * document can hold up the page.
 */
import type { SentKit } from '../../shared/preview.ts';
import {
  readReport,
  type LiveClock,
  type LiveDocument,
  type Order,
  type Report,
} from './messages.ts';

/** Milliseconds without an answer after which the worker is ended. */
const patience = { draw: 5_000, open: 20_000 };

/** What the worker tells. */
export interface LiveListener {
  opened(document: number, clock: LiveClock): void;
  refused(refusal: Extract<Report, { type: 'refused' }>): void;
  drawn(drawn: Extract<Report, { type: 'drawn' }>): void;
  /** A moment that was asked for will not come. */
  missed(message: string): void;
  compared(differs: boolean): void;
  /** What could not be drawn for want of a file can be now. */
  completed(): void;
  /** The worker is gone, for this reason; it is not started again by itself. */
  ended(reason: 'slow' | 'broken'): void;
}

/** True where a browser has what drawing in a worker needs. */
export function canDraw(): boolean {
  return (
    typeof Worker === 'function' &&
    typeof OffscreenCanvas === 'function' &&
    'transferControlToOffscreen' in HTMLCanvasElement.prototype
  );
}

/** One worker. Call `close()` when it is not needed any more. */
export class LiveEngine {
  readonly #worker: Worker;
  readonly #listener: LiveListener;
  #question = 0;
  /** The moment that comes with the newest document. */
  #first = { document: 0, question: 0 };
  /** Answers that are waited for: the newest question of each kind. */
  readonly #awaited = new Map<'draw' | 'open' | 'compare', number>();
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

  /** What is drawn is shown on this canvas from now on, which is handed over for good. */
  showOn(canvas: HTMLCanvasElement): void {
    const offscreen = canvas.transferControlToOffscreen();
    this.#send({ type: 'canvas', canvas: offscreen }, [offscreen]);
  }

  /** A moment is being drawn; asking for another one meanwhile puts it in its place, unless it is begun. */
  get isDrawing(): boolean {
    return this.#awaited.has('draw');
  }

  /** What documents are drawn with from now on. */
  equip(kit: SentKit): void {
    this.#send({ type: 'kit', kit });
  }

  /** @param time Of the moment that is drawn as soon as it is open, seconds. */
  open(document: LiveDocument, time: number): void {
    const question = ++this.#question;
    this.#await('open', document.number);
    this.#first = { document: document.number, question };
    this.#send({ type: 'open', document, question, time });
  }

  /** @param time Seconds. */
  draw(time: number, outlines: boolean): void {
    const question = ++this.#question;
    this.#await('draw', question);
    this.#send({ type: 'draw', question, time, outlines });
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
  }

  #send(order: Order, transfer: Transferable[] = []): void {
    if (!this.#isClosed) this.#worker.postMessage(order, transfer);
  }

  #await(kind: 'draw' | 'open' | 'compare', number: number): void {
    const wasIdle = this.#awaited.size === 0;
    this.#awaited.set(kind, number);
    if (wasIdle || kind === 'open') this.#rest();
  }

  /** Waits anew, or no more. */
  #rest(): void {
    clearTimeout(this.#watch);
    if (this.#awaited.size === 0 || this.#isClosed) return;
    const time = this.#awaited.has('open') ? patience.open : patience.draw;
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
        this.#listener.drawn(report);
        return;
      case 'not-drawn':
        if (this.#settle('draw', report.question)) this.#listener.missed(report.message);
        return;
      case 'completed':
        this.#listener.completed();
        return;
      default:
        if (this.#settle('compare', report.question)) this.#listener.compared(report.differs);
    }
  }

  /** @returns whether it was the newest question of its kind */
  #settle(kind: 'draw' | 'open' | 'compare', number: number): boolean {
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
