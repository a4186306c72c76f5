/**
 * The server's events in the window: read from a fetch stream (EventSource can't send the token's header), numbered,
 * with a reload when one is missing and a new stream when it breaks. Stateless; it calls back.
 */
import type { ServerEvent } from '../../../shared/events.ts';
import { stateRows } from '../../../shared/api/state.ts';
import { ask } from './call.ts';
import { createEventReader } from './event-reader.ts';
import { forgetProof } from './api.ts';

/** An event with its number. */
export type NumberedEvent = Exclude<ServerEvent, { type: 'hello' }>;

interface Listener {
  /** A stream has opened. `onReload` follows. */
  onOpen(): void;
  /** In order and without gaps since the last `onReload`. */
  onEvent(event: NumberedEvent): void;
  /** A stream has opened, or events were missed: reload what is shown. */
  onReload(): void;
  /** The stream broke; it reconnects automatically. */
  onLost(): void;
  /** The server does not accept the token: it may be another one, so it tries again after a while. */
  onRefused(): void;
}

/** Pauses before another try, in ms; the last one stays. */
const pauses = [300, 1000, 2000, 5000];
/** Pause before retrying a server that refused the token, in ms. */
const refusalPause = 5000;
/** Silence after which a stream counts as broken, in ms. The server's heartbeats are more frequent. */
const longestSilence = 45_000;

export async function followEvents(listener: Listener, signal: AbortSignal): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  let failures = 0;
  while (!isOver()) {
    try {
      const opened = await followOnce(listener, signal, () => (failures = 0));
      if (!opened) {
        listener.onRefused();
        await pause(refusalPause, signal);
        continue;
      }
    } catch {
      // Broken and closed streams both lead to another try.
    }
    if (isOver()) return;
    listener.onLost();
    await pause(pauses[Math.min(failures, pauses.length - 1)] ?? 5000, signal);
    failures += 1;
  }
}

/** Reads one stream to its end. Returns false when the token was refused. */
async function followOnce(
  listener: Listener,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<boolean> {
  const broken = new AbortController();
  let watch = setTimeout(() => broken.abort(), longestSilence);
  try {
    const response = await ask(stateRows.events, {
      signal: AbortSignal.any([signal, broken.signal]),
    });
    if (response.status === 401 || response.status === 403) return false;
    if (!response.ok || !response.body) return true;
    let last: number | null = null;
    const read = createEventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      clearTimeout(watch);
      watch = setTimeout(() => broken.abort(), longestSilence);
      for (const event of read(value)) {
        if (event.type === 'hello') {
          onOpen();
          listener.onOpen();
        }
        if (event.type === 'hello' || (last !== null && event.number !== last + 1)) {
          listener.onReload();
        }
        last = event.number;
        if (event.type !== 'hello') listener.onEvent(event);
      }
    }
  } finally {
    clearTimeout(watch);
    broken.abort();
    forgetProof();
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
