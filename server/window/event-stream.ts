/**
 * The window's event stream: sends events, in the wire form of shared/events.ts, to every open window. The format is
 * server-sent events; the window reads them with fetch, because it must send its token in a header.
 */
import type { RequestHandler } from 'express';
import type { ServerEvent, ServerEventBody } from '../../shared/events.ts';
import { EventStreams, type EventReader } from '../api/event-streams.ts';
import type { Happening } from '../jobs/events.ts';
import { describeError } from '../system/log.ts';
import type { ServerServices } from '../services.ts';
import { serverState, windowRender, windowTemplate } from './view.ts';

/** The handler of `GET /api/events`, and what ends all streams. */
export interface EventStream {
  readonly handler: RequestHandler;
  close(): void;
}

/** Turns server events into wire events and sends them in order. */
export function createEventStream(services: ServerServices): EventStream {
  const { events, log } = services;
  const streams = new EventStreams();
  const readers = new Set<EventReader>();
  /** Steps wait for each other, because some need a look-up: numbers stay in order. */
  let steps = Promise.resolve();
  /** The number of the newest event sent to every reader. */
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
    for (const reader of readers) reader.send(event);
  }

  return {
    handler: (_request, response) => {
      const reader = streams.open(response, () => readers.delete(reader));
      step(() => {
        if (response.destroyed) return;
        reader.send({ type: 'hello', number: sent } satisfies ServerEvent);
        readers.add(reader);
      });
    },
    close() {
      unsubscribe();
      streams.close();
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
