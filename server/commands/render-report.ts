/** What `framewright render` says of each file: sentences for people, or a line of JSON for programs. */
import type { RenderFacts } from '../jobs/worker/render-protocol.ts';

/** An error or a warning. */
export interface Remark {
  readonly message: string;
  /** For programs. Absent in what the engine says while it draws. */
  readonly code?: string;
  /** Where in the document; empty for the whole. */
  readonly path?: string | undefined;
}

/** Which file, and of which row of a table, from 1. */
export interface ReportPlace {
  readonly file: string;
  readonly row?: number;
}

/** A file that was made. */
export interface MadeFile {
  readonly facts: RenderFacts;
  readonly warnings: readonly Remark[];
  readonly seconds: number;
  /** The separate picture of a film. */
  readonly snapshot?: { readonly file: string; readonly isReplaced: boolean };
}

/**
 * Prints outcomes to stdout, and what is beside them to stderr; all of it to stderr where the file itself goes to
 * stdout.
 */
export class RenderReport {
  readonly #isJson: boolean;
  readonly #say: (line: string) => void;

  constructor(isJson: boolean, isStdoutTaken: boolean) {
    this.#isJson = isJson;
    this.#say = isStdoutTaken ? (line) => console.error(line) : (line) => console.log(line);
  }

  succeeded({ file, row }: ReportPlace, { facts, warnings, seconds, snapshot }: MadeFile): void {
    if (this.#isJson) {
      const { width, height, frameRate, duration, fileSize } = facts;
      const own = { width, height, frame_rate: frameRate, duration, file_size: fileSize };
      const picture = snapshot && {
        snapshot: snapshot.file,
        ...(snapshot.isReplaced && { snapshot_replaced: true }),
      };
      this.#say(JSON.stringify({ file, row, status: 'succeeded', ...own, ...picture, warnings }));
      return;
    }
    this.#sayAll('Warning: ', { file, ...(row !== undefined && { row }) }, warnings);
    this.#say(`${file}: ${factsLine(facts, seconds)}`);
    if (!snapshot) return;
    const before = snapshot.isReplaced ? ', in place of the file that was there' : '';
    this.#say(`${snapshot.file}: its snapshot${before}`);
  }

  /** Its document has errors, of which the first says why. */
  refused(place: ReportPlace, errors: readonly Remark[], warnings: readonly Remark[]): void {
    if (this.#isJson) this.#sayFailure(place, errors, warnings);
    else {
      this.#sayAll('Warning: ', place, warnings);
      this.#sayAll('Error: ', place, errors);
      const count = `${errors.length} ${errors.length === 1 ? 'value is' : 'values are'} wrong`;
      console.error(`${count}; nothing was rendered.`);
    }
  }

  /** It could not be made. @param place Null: nothing could. */
  failed(place: ReportPlace | null, error: Remark, warnings: readonly Remark[] = []): void {
    if (this.#isJson) this.#sayFailure(place, [error], warnings);
    else {
      this.#sayAll('Warning: ', place, warnings);
      console.error(`${rowOf(place)}${error.message}`);
    }
  }

  #sayFailure(
    place: ReportPlace | null,
    errors: readonly Remark[],
    warnings: readonly Remark[],
  ): void {
    // Of an Error, JSON leaves the message out.
    const all = errors.map(({ message, code, path }) => ({ code, path, message }));
    const [{ code, path, message: error_message } = {}] = all;
    const why = { error_message, code, path, errors: all };
    this.#say(JSON.stringify({ ...place, status: 'failed', ...why, warnings }));
  }

  #sayAll(kind: string, place: ReportPlace | null, remarks: readonly Remark[]): void {
    for (const { message, path = '' } of remarks)
      console.error(`${kind}${rowOf(place)}${message}${path === '' ? '' : ` (at ${path})`}`);
  }
}

/** What comes before a sentence about a row of a table. */
const rowOf = (place: ReportPlace | null): string =>
  place?.row === undefined ? '' : `Row ${place.row}: `;

function factsLine(facts: RenderFacts, seconds: number): string {
  const parts = facts.width > 0 ? [`${facts.width}×${facts.height}`] : [];
  if (facts.duration !== undefined) parts.push(`${Number(facts.duration.toFixed(3))} s`);
  if (facts.frameRate !== undefined) parts.push(`${Number(facts.frameRate.toFixed(3))} fps`);
  if (facts.encoder !== undefined) parts.push(facts.encoder);
  parts.push(`${(facts.fileSize / 1e6).toFixed(2)} MB`, `rendered in ${seconds.toFixed(1)} s`);
  return parts.join(', ');
}
