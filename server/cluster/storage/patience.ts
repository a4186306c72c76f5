/**
 * Ends what storage leaves hanging: a network folder whose server is away never answers, and Node can't cancel such a
 * call.
 */
import { Readable } from 'node:stream';

/** Storage did nothing for too long. The code is the system's for such a case. */
export class SlowError extends Error {
  override readonly name = 'SlowError';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('no answer in time');
  }
}

/** Waits for an answer. @param patience ms. @throws SlowError when it is over; the call itself may go on. */
export async function within<Result>(patience: number, asked: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SlowError()), patience);
  });
  try {
    return await Promise.race([asked, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A stream of the storage's that ends with an error when one step takes too long; a slow reader is none of its
 * business.
 *
 * @param patience ms for one step.
 * @param fault Makes the storage's error of what happened.
 */
export function patiently(
  source: Readable,
  patience: number,
  fault: (error: unknown) => Error,
): Readable {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      for (;;) {
        const step = await within(patience, iterator.next());
        if (step.done === true) return;
        yield step.value;
      }
    } catch (error) {
      throw fault(error);
    } finally {
      source.destroy();
    }
  }
  const stream = Readable.from(pieces(), { objectMode: false });
  // A reader that goes away does not wait for the next step.
  stream.once('close', () => source.destroy());
  return stream;
}
