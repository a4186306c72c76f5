/**
 * The test language: English, each word longer by 40 % and each text in brackets, as room for other languages and as a
 * mark of what is a message. Chosen by `?language=test` in the window's address; test/ui/language.spec.ts opens every
 * page in it. Pure.
 */

/** The share by which each word grows: what German and Finnish need for short English words. */
const growth = 0.4;

/** Whether the address asks for the test language. @param search the query, as in `location.search` */
export function isTestLanguage(search: string): boolean {
  return new URLSearchParams(search).get('language') === 'test';
}

/** The direction of reading that the address asks for, `?dir=rtl`; English runs from left to right. */
export function directionOf(search: string): 'ltr' | 'rtl' {
  return new URLSearchParams(search).get('dir') === 'rtl' ? 'rtl' : 'ltr';
}

/** The text in the test language, its `{holes}` as they were: `'Copy {name}'` → `'[Copyyy {name}]'`. */
export function inTestLanguage(text: string): string {
  const longer = text.replace(/\{\w+\}|\p{L}+/gu, (word) =>
    word.startsWith('{') ? word : word + word.slice(-1).repeat(Math.ceil(word.length * growth)),
  );
  return `[${longer}]`;
}
