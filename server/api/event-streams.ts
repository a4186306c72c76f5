/** Server-sent events over HTTP: streams that stay open, with heartbeats, as long as their reader keeps up. */
import type { Response } from 'express';
import { ApiError } from '../../shared/errors.ts';

/** Milliseconds between two heartbeats; a reader that hears nothing for longer reconnects. */
const heartbeat = 15_000;
/** Bytes that may wait for a slow reader before its stream is ended; it then reconnects and loads the current state. */
const patience = 8_000_000;

/** One open stream. */
export interface EventReader {
  /** @param name of the event; absent: none. */
  send(data: unknown, name?: string): void;
  end(): void;
}

/** The streams of one listener. */
export class EventStreams {
  readonly #most: number;
  readonly #open = new Set<Response>();

  /** @param most Open at the same time. Default: any number. */
  constructor(most = Infinity) {
    this.#most = most;
  }

  /** @param onClose Called once, whoever ended it. @throws ApiError `too_many_streams`. */
  open(response: Response, onClose: () => void): EventReader {
    if (this.#open.size >= this.#most) {
      throw new ApiError('too_many_streams', { limit: this.#most });
    }
    this.#open.add(response);
    response.type('text/event-stream');
    // Tells readers at once that they are connected.
    response.flushHeaders();
    const write = (text: string): void => {
      if (!response.writableEnded) response.write(text);
    };
    const timer = setInterval(() => write(': still here\n\n'), heartbeat);
    response.once('close', () => {
      clearInterval(timer);
      this.#open.delete(response);
      onClose();
    });
    return {
      send(data, name) {
        const head = name === undefined ? '' : `event: ${name}\n`;
        if (response.writableLength > patience) response.destroy();
        else write(`${head}data: ${JSON.stringify(data)}\n\n`);
      },
      end: () => void response.end(),
    };
  }

  /** Ends all of them. */
  close(): void {
    for (const response of this.#open) response.end();
  }
}
