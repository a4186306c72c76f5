/**
 * The log of each render since the program's start: changes of its state, and lines from the worker. In memory; the
 * program's own log has them too.
 */
import type { LogLine } from '../../shared/api.ts';
import type { Clock } from '../system/clock.ts';
import type { EventBus } from '../jobs/events.ts';
import { boundedText, type Log } from '../system/log.ts';
import type { StoredRender } from '../store/render-record.ts';

/** How many lines per render, renders, and lines of the whole program to keep. */
const most = { lines: 2000, renders: 500, tail: 500 };

/** The logs of renders. */
export class RenderLogs {
  readonly #clock: Clock;
  /** By ID, in order of their first line. */
  readonly #lines = new Map<string, LogLine[]>();
  readonly #tail: string[] = [];
  readonly #told = new Map<string, string>();

  /** @param clock Times of the lines. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The lines of a render, oldest first. */
  linesOf(id: string): readonly LogLine[] {
    return this.#lines.get(id) ?? [];
  }

  /** IDs of the latest renders, newest first. */
  newest(count: number): readonly string[] {
    return [...this.#lines.keys()].slice(-count).reverse();
  }

  /** The last lines of the whole program, oldest first. */
  get tail(): readonly string[] {
    return this.#tail;
  }

  /** The same log, which also keeps lines about renders here. */
  listenTo(log: Log): Log {
    return (level, place, whole) => {
      const text = boundedText(whole);
      const id = /^render (\S+)$/.exec(place)?.[1];
      if (id !== undefined) this.#add(id, { level, text });
      this.#tail.push(`${new Date(this.#clock.now()).toISOString()} ${level} ${place}: ${text}`);
      if (this.#tail.length > most.tail) this.#tail.shift();
      log(level, place, text);
    };
  }

  /** Follows the states of renders. @returns the function that stops it. */
  follow(events: EventBus): () => void {
    return events.subscribe((happening) => {
      if (happening.type === 'render.removed') {
        this.#lines.delete(happening.id);
        this.#told.delete(happening.id);
      } else if (happening.type === 'render.created' || happening.type === 'render.updated') {
        const { render } = happening;
        const line = sentenceOf(render);
        // Moving a render in the queue changes it, too.
        if (this.#told.get(render.id) === line.text) return;
        this.#told.set(render.id, line.text);
        this.#add(render.id, line);
      }
    });
  }

  #add(id: string, line: Omit<LogLine, 'time'>): void {
    const lines = this.#lines.get(id) ?? [];
    lines.push({ time: this.#clock.now(), ...line });
    if (lines.length > most.lines) lines.shift();
    this.#lines.set(id, lines);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > most.renders && oldest !== undefined) {
      this.#lines.delete(oldest);
      this.#told.delete(oldest);
    }
  }
}

function sentenceOf(render: StoredRender): Omit<LogLine, 'time'> {
  const { status, attempts, facts, errorMessage = '' } = render;
  if (status === 'failed') return { level: 'error', text: errorMessage };
  if (status === 'succeeded') {
    return { level: 'info', text: `The file is finished: ${facts?.fileSize ?? 0} bytes` };
  }
  const words = {
    planned: attempts > 0 ? `Back in the queue after attempt ${attempts}` : 'Queued',
    waiting: `Attempt ${attempts} begins; fetching media`,
    transcribing: 'Transcribing speech',
    rendering: 'Drawing',
  };
  return { level: 'info', text: words[status] };
}
