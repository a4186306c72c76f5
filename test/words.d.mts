/** See words.mjs. */
import type { TranslatedMessage } from '../shared/speech.ts';

export const translated: readonly string[];
type Words = Readonly<Record<string, Readonly<Record<string, TranslatedMessage>>>>;
export function wordsIn(language: string): Words;
export function formsOf(text: TranslatedMessage): readonly (readonly [string, string])[];
export function faultsIn(language: string, own?: Words): string[];
