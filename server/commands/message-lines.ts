/** Lines of a stream of messages, each held to a size. Pure but for the stream. */
import type { Readable } from 'node:stream';
import { requestLimits } from '../../shared/limits.ts';

/** A line, without its end. Of one that is too long only the end, in which libraries write the ID. */
export interface MessageLine {
  readonly text: string;
  readonly isCut: boolean;
}

/** Bytes of a line. What is too long for the server but not for this gets the server's own refusal. */
const most = requestLimits.bodyBytes;
const keptEnd = 1_000;

/** The lines of a stream until it ends or the signal aborts. */
export async function* lines(stream: Readable, signal: AbortSignal): AsyncGenerator<MessageLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let isCut = false;
  const take = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
    if (length <= most) return;
    isCut = true;
    const end = Buffer.concat(parts).subarray(-keptEnd);
    parts = [Buffer.from(end)];
    length = end.length;
  };
  const abort = (): void => void stream.destroy();
  signal.addEventListener('abort', abort);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        take(chunk.subarray(from, at));
        const text = Buffer.concat(parts).toString('utf8').trim();
        if (text !== '') yield { text, isCut };
        [parts, length, isCut] = [[], 0, false];
        from = at + 1;
      }
      take(chunk.subarray(from));
    }
  } catch (error) {
    // It was destroyed because the signal aborted.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
