/** The forms of a text of the window. Pure. */
export type { Message, Translated, TranslatedMessage } from '../../shared/speech.ts';
