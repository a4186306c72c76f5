/**
 * Phase 1, captions: what recognises speech, as rows: the library that comes with the program, a program, or an
 * address. Runs in the worker.
 */
import { type BuiltInChoice, hearBuiltIn } from './built-in.ts';
import { type AddressChoice, hearAtAddress } from './by-address.ts';
import { hearByProgram, type ProgramChoice } from './by-program.ts';
import type { Hearing, Recogniser, RecogniserRow } from './recogniser.ts';

/** Which recogniser, with what it needs. */
export type Transcriber = BuiltInChoice | ProgramChoice | AddressChoice;

const rows: {
  readonly [Kind in Transcriber['kind']]: RecogniserRow<Extract<Transcriber, { kind: Kind }>>;
} = { 'built-in': hearBuiltIn, program: hearByProgram, address: hearAtAddress };

/** The row of a choice; the types can't follow it through the table. */
const rowOf = ({ kind }: Transcriber): RecogniserRow<Transcriber> =>
  rows[kind] as RecogniserRow<Transcriber>;

/** Makes one ready. @throws RenderError `transcriber_missing` if it can't be used */
export function openRecogniser(choice: Transcriber, hearing: Hearing): Promise<Recogniser> {
  return rowOf(choice).open(choice, hearing);
}

/** What of a recogniser its words depend on. */
export function recogniserPrint(choice: Transcriber): Promise<readonly unknown[]> {
  return rowOf(choice).print(choice);
}
