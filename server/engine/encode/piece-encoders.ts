/**
 * Takes the frames of several pieces of a film in a row, each into a file of its own. Where a piece ends, the encoder
 * of the next one has started already, and that of the last one completes its file meanwhile. Runs in the worker.
 */
import type { FileFacts } from './check.ts';
import {
  openConverter,
  openEncoder,
  type EncoderOptions,
  type EncoderTimes,
  type FrameOver,
  type FrameSink,
} from './encoder.ts';
import type { PixelArea } from './pixels.ts';

/** Some frames of a film, and the file that they become. */
export interface PieceFile {
  /** The number of its first frame in the film, and that after its last. */
  readonly first: number;
  readonly end: number;
  readonly filePath: string;
}

/** So many frames before a piece ends, the next encoder starts: about as long as a process takes. */
const startAhead = 10;

/**
 * Starts the encoder of the first piece.
 *
 * @param pieces One after the other, without gaps.
 * @param onPiece Called when a piece's file is complete; the sink finishes after it.
 */
export async function openPieceEncoders(
  options: Omit<EncoderOptions, 'filePath' | 'sound'>,
  pieces: readonly PieceFile[],
  onPiece: (piece: PieceFile) => Promise<void>,
): Promise<FrameSink> {
  const converter = openConverter(options.output);
  const open = (piece: PieceFile): Promise<FrameSink> => {
    const output = { ...options.output, frameCount: piece.end - piece.first };
    const { filePath } = piece;
    return openEncoder({ ...options, converter, output, filePath, sound: null, isPiece: true });
  };
  const [first] = pieces;
  if (!first) throw new Error('a film in pieces has none');
  return new PieceEncoders({ pieces, open, onPiece, first: await open(first) });
}

interface Making {
  readonly pieces: readonly PieceFile[];
  readonly open: (piece: PieceFile) => Promise<FrameSink>;
  readonly onPiece: (piece: PieceFile) => Promise<void>;
  /** The first piece's. */
  readonly first: FrameSink;
}

class PieceEncoders implements FrameSink {
  readonly #making: Making;
  #index = 0;
  #current: FrameSink;
  #next: Promise<FrameSink> | null = null;
  /** Frames of the current piece. */
  #written = 0;
  /** A new encoder has no last frame to repeat: its first one is passed on instead. */
  #last: Uint8Array | null = null;
  readonly #finished: Promise<FileFacts>[] = [];
  /** Why a piece could not be finished; thrown at the next write. */
  #failure: { readonly error: unknown } | null = null;
  /** Of the encoders before; see `EncoderTimes`. */
  #before: EncoderTimes = { waited: 0, computed: 0 };

  constructor(making: Making) {
    this.#making = making;
    this.#current = making.first;
  }

  async write(pixels: Uint8Array, changed?: PixelArea): Promise<void> {
    await this.#turn();
    await this.#current.write(pixels, changed);
  }

  async writeOver(over: FrameOver): Promise<void> {
    await this.#turn();
    await this.#current.writeOver(over);
  }

  async pass(planes: Uint8Array): Promise<void> {
    await this.#turn();
    await this.#current.pass(planes);
  }

  async repeat(): Promise<void> {
    await this.#turn();
    const last = this.#current.lastPlanes() ? null : this.#last;
    await (last ? this.#current.pass(last) : this.#current.repeat());
  }

  drain(): Promise<void> {
    return this.#current.drain();
  }

  lastPlanes(): Uint8Array | null {
    return this.#current.lastPlanes() ?? this.#last;
  }

  times(): EncoderTimes {
    return added(this.#before, this.#current.times());
  }

  async finish(): Promise<FileFacts> {
    this.#finishCurrent();
    const [last] = (await Promise.all(this.#finished)).slice(-1);
    if (!last) throw new Error('no piece was finished');
    return last;
  }

  async close(): Promise<void> {
    const next = await this.#next?.catch(() => null);
    await Promise.all([this.#current.close(), next?.close()]);
    await Promise.allSettled(this.#finished);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Counts a frame; goes on to the next piece's encoder where one is complete. */
  async #turn(): Promise<void> {
    const { pieces, open } = this.#making;
    const piece = pieces[this.#index];
    if (this.#failure) throw this.#failure.error;
    if (!piece) throw new Error('a frame was written behind the last piece');
    const left = piece.end - piece.first - this.#written;
    const next = pieces[this.#index + 1];
    if (next && left <= startAhead && !this.#next) {
      this.#next = open(next);
      // Whoever waits for it below sees its failure.
      this.#next.catch(() => undefined);
    }
    if (left === 0 && this.#next) {
      // Its frames share their memory with those to come.
      await this.#current.drain();
      this.#last = this.#current.lastPlanes();
      this.#before = added(this.#before, this.#current.times());
      this.#finishCurrent();
      this.#current = await this.#next;
      this.#next = null;
      this.#index++;
      this.#written = 0;
    }
    this.#written++;
  }

  #finishCurrent(): void {
    const { pieces, onPiece } = this.#making;
    const piece = pieces[this.#index];
    const encoder = this.#current;
    const finished = encoder.finish().then(
      async (facts) => {
        if (piece) await onPiece(piece);
        return facts;
      },
      async (error: unknown) => {
        this.#failure = { error };
        await encoder.close();
        throw error;
      },
    );
    // Seen by `finish`.
    finished.catch(() => undefined);
    this.#finished.push(finished);
  }
}

function added(one: EncoderTimes, other: EncoderTimes): EncoderTimes {
  const { computed } = one;
  const isKnown = computed !== null && other.computed !== null;
  return {
    waited: one.waited + other.waited,
    computed: isKnown ? computed + other.computed : null,
  };
}
