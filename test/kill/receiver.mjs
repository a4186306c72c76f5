/**
 * A receiver of webhooks that answers well and counts: every render is told as one event, whose number stays the same.
 * The same event may come again to who was killed between sending it and noting that; twice from one run of the server,
 * never.
 */
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Starts one. */
export async function startReceiver() {
  /** By render: what was told by which event in which run. */
  const told = new Map();
  let run = 0;
  /** Runs in which something was hit. */
  const struck = new Set();
  let doubles = 0;
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part) => (text += part));
    request.on('end', () => {
      const { id, status } = JSON.parse(text);
      const calls = told.get(id) ?? told.set(id, []).get(id);
      if (calls.length > 0) doubles++;
      calls.push({ run, event: request.headers['webhook-id'], status });
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const open = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    hasHeardOf: (id) => told.has(id),
    /** Events that came again after a kill, as they may. */
    get doubles() {
      return doubles;
    },
    /** To be called between two runs: what the last one has sent still counts for it. */
    async nextRun() {
      while ((await open()) > 0) await pause(5);
      run++;
    },
    /**
     * Something is hit that may have sent an event and not noted it, and another one sends it again, perhaps at once.
     *
     * @param isOver True when all is up again: from then on nothing may come twice.
     */
    strike(isOver) {
      run++;
      if (!isOver) struck.add(run);
    },
    /** What must not be. @param endOf the end of a render as the server tells it. */
    problems(endOf) {
      return [...told].flatMap(([id, calls]) => {
        const found = [];
        const events = new Set(calls.map(({ event }) => event));
        if (events.size > 1) found.push(`render ${id} was told as ${events.size} events`);
        const quiet = calls.map(({ run: one }) => one).filter((one) => !struck.has(one));
        if (new Set(quiet).size < quiet.length)
          found.push(`the event of render ${id} was sent twice by one run`);
        const end = endOf(id);
        for (const { status } of calls)
          if (end !== undefined && status !== end)
            found.push(`render ${id} was told as ${status} and is ${end}`);
        return found;
      });
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
