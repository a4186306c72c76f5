/** Reads server-sent events from the body of an answer. */
import type { RenderEvent } from './generated/api-types.ts';
import type { HttpAnswer } from './http.ts';

/** The events of a stream, one after the other, until it ends. What is not known yet is passed over. */
export async function* eventsOf({
  body,
}: Pick<HttpAnswer, 'body'>): AsyncGenerator<RenderEvent, void, undefined> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // A line may end with a carriage return behind a proxy.
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const known: readonly string[] = ['ready', 'render', 'progress', 'removed'];

function eventOf(block: string): RenderEvent | null {
  let event = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name = '', value = '']: string[] = /^(event|data):\s?(.*)$/.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  if (!known.includes(event) || data.length === 0) return null;
  const value: unknown = JSON.parse(data.join('\n'));
  return { event, data: value } as RenderEvent; // of the shape that the OpenAPI document says
}
