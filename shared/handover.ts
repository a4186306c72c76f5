/**
 * What a document can be handed over as, to editing programs and players. Window and server; the makers are the
 * engine's.
 */

/** The forms, by the ending of their files. */
export const handoverForms = {
  srt: { type: 'application/x-subrip' },
  vtt: { type: 'text/vtt' },
  otio: { type: 'application/vnd.pixar.opentimelineio+json' },
  edl: { type: 'text/plain' },
} as const;

/** A form; also the ending of its file. */
export type HandoverForm = keyof typeof handoverForms;

/** All of them. */
// Object.keys loses the type of its object's keys.
export const handoverNames = Object.keys(handoverForms) as readonly HandoverForm[];

/** Something that is in the document and not in the file. */
export interface Loss {
  /** Its place, e.g. `elements[2]`; '' for the document. */
  readonly path: string;
  /** The name of the element; '' for the document. */
  readonly element: string;
  /** In plain words, e.g. `its movement`. */
  readonly what: string;
}

/** A finished file. */
export interface HandedOver {
  readonly text: string;
  readonly lost: readonly Loss[];
}

/** Losses as lines, one for each element. */
export function lossLines(lost: readonly Loss[]): string[] {
  const heads = new Map<string, Set<string>>();
  for (const { path, element, what } of lost) {
    const place = path === '' ? '' : ` (${path})`;
    const head = `${element === '' ? 'The film' : element}${place}`;
    heads.set(head, (heads.get(head) ?? new Set()).add(what));
  }
  return [...heads].map(([head, what]) => `${head}: ${[...what].join(', ')}`);
}
