/**
 * The window's event stream: what happens, in the wire form of shared/events.ts, to every window that is open. Server-sent
 * events in form; the window reads them from a fetch stream, because it must send its token in a header.
 */
import type { RequestHandler, Response } from 'express';
import type { ServerEvent, ServerEventBody } from '../../shared/events.ts';
import type { Happening } from '../jobs/events.ts';
import { describeError } from '../log.ts';
import type { ServerServices } from '../services.ts';
import { serverState, windowRender, windowTemplate } from './view.ts';

/** Milliseconds between two signs of life; a window that hears nothing for longer connects again. */
const heartbeat = 15_000;
/** Bytes waiting for one slow reader before its stream is ended; it connects again and loads the lists. */
const patience = 8_000_000;

/** The handler of `GET /api/events`, and what ends all streams. */
export interface EventStream {
  readonly handler: RequestHandler;
  close(): void;
}

/** Turns happenings into events and sends them in order. */
export function createEventStream(services: ServerServices): EventStream {
  const { events, log } = services;
  const readers = new Set<Response>();
  /** Steps wait for each other, because some events have to be looked up: numbers stay in order. */
  let steps = Promise.resolve();
  /** The number of the newest event that every reader has been sent. */
  let sent = events.number;
  const step = (work: () => void | Promise<void>): void => {
    steps = steps
      .then(work)
      .catch((error: unknown) => log('error', 'window', describeError(error)));
  };

  const unsubscribe = events.subscribe((happening, number) => {
    step(async () => {
      if (readers.size > 0) send({ ...(await eventOf(happening, services)), number });
      sent = number;
    });
  });

  function send(event: ServerEvent): void {
    for (const reader of readers) {
      if (reader.writableLength > patience) reader.destroy();
      else reader.write(textOf(event));
    }
  }

  return {
    handler: (_request, response) => {
      response.type('text/event-stream');
      step(() => {
        if (response.destroyed) return;
        response.write(textOf({ type: 'hello', number: sent }));
        readers.add(response);
      });
      const timer = setInterval(() => response.write(': still here\n\n'), heartbeat);
      response.on('close', () => {
        clearInterval(timer);
        readers.delete(response);
      });
    },
    close() {
      unsubscribe();
      for (const reader of readers) reader.end();
    },
  };
}

async function eventOf(happening: Happening, services: ServerServices): Promise<ServerEventBody> {
  switch (happening.type) {
    case 'render.created':
    case 'render.updated':
      return { type: happening.type, render: windowRender(happening.render, services) };
    case 'template.created':
    case 'template.updated':
      return { type: happening.type, template: windowTemplate(happening.template) };
    case 'server.state':
      return { type: happening.type, state: await serverState(services) };
    default:
      return happening;
  }
}

function textOf(event: ServerEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
