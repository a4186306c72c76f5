/** What to do about a failed render, in plain words and as a next step, by how its message begins. Pure. */
import { say } from '../ui/say.ts';

/** A setting that can be what is wrong. */
type WantedSetting = 'mediaFolders' | 'outputFolder' | 'allowPrivateAddresses';

/** Words under the message of a failed render. */
export interface Hint {
  readonly text: string;
  /** The setting that the words name, to be offered as a button. */
  readonly setting?: WantedSetting;
}

/** What the words depend on beyond the message. */
export interface FailedPlace {
  /** The element that made it fail; undefined: none did, or the document as a whole. */
  readonly element: string | undefined;
  /** Its template is still there to be opened. */
  readonly hasTemplate: boolean;
}

type Row = readonly [RegExp, (place: FailedPlace) => string, WantedSetting?];

const table: readonly Row[] = [
  [/^Source error: .*\.source: The server answered 404/, notFound],
  [
    /^Source error: .*\.source: This address is not allowed/,
    () => say('hint.notAllowed'),
    'allowPrivateAddresses',
  ],
  [
    /^Source error: .*\.source: Files outside the media folders/,
    () => say('hint.outside'),
    'mediaFolders',
  ],
  [/^Source error: .*\.source: No data for 30 seconds/, () => say('hint.silent')],
  [/^Source error: .*\.source: /, () => say('hint.file')],
  [/^Source error: /, wrongValue],
  [/^Render error: The disk is full/, () => say('hint.disk'), 'outputFolder'],
  [/^Render error: The renderer stopped/, () => say('hint.stopped')],
  [/^Render error: The renderer ran out of memory/, () => say('hint.memory')],
  [/^Render error: The encoder stopped/, () => say('hint.encoder')],
];

function notFound({ element, hasTemplate }: FailedPlace): string {
  return hasTemplate && element !== undefined
    ? say('hint.notFound', { element })
    : say('hint.notFound.direct');
}

function wrongValue({ element, hasTemplate }: FailedPlace): string {
  if (!hasTemplate) return say('hint.value.direct');
  return element === undefined ? say('hint.value.whole') : say('hint.value', { element });
}

/** The hint for a message of a failed render; null where the message says it all. */
export function hintFor(message: string, place: FailedPlace): Hint | null {
  const row = table.find(([begin]) => begin.test(message));
  if (!row) return null;
  const [, words, setting] = row;
  return { text: words(place), ...(setting && { setting }) };
}
