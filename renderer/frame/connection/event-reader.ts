/** Reads server-sent events from text. Pure: independent of fetch and of the events' meaning. */
import * as z from 'zod/mini';
import { serverEvent, type ServerEvent } from '../../../shared/events.ts';

/**
 * Cuts a stream of server-sent events into events: pass it text as it arrives, in pieces of any size, and it returns
 * the complete events. Only `data` lines matter; comments are heartbeats. An event of another form, as an older page
 * gets from a newer server, is left out: its number is then missing, and the page reloads what it shows.
 */
export function createEventReader(): (text: string) => ServerEvent[] {
  let waiting = '';
  return (text) => {
    const blocks = (waiting + text).split('\n\n');
    waiting = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart());
      return data.length === 0 ? [] : parsed(JSON.parse(data.join('\n')));
    });
  };
}

function parsed(value: unknown): ServerEvent[] {
  const { data, error } = z.safeParse(serverEvent, value);
  if (!error) return [data];
  console.error('An event of the server has another form.', error.issues.slice(0, 3));
  return [];
}
