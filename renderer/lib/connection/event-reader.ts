/** Reading server-sent events from text. Pure: knows neither fetch nor what the events mean. */
import type { ServerEvent } from '../../../shared/events.ts';

/**
 * Cuts a stream of server-sent events into events: give it text as it arrives, in pieces of any size, and it gives back
 * what has become complete. Only `data` lines matter here; comments are signs of life.
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
      // The form is the one of shared/events.ts: the same program sends it.
      return data.length === 0 ? [] : [JSON.parse(data.join('\n')) as ServerEvent];
    });
  };
}
