/** Which spoken words captions can leave out or cover, by language. */
import { expect, test } from 'vitest';
import { languageOf, shownWord, shownWords } from '../../shared/hidden-words.ts';
import { splitTime } from '../../shared/engine/transcript.ts';

const both = ['fillers', 'profanity'] as const;
const shown = (text: string, language: string | null = null): string =>
  shownWords(splitTime(text, 0, 1, null), both, language)
    .map(({ text: word, glued }, at) => (glued || at === 0 ? word : ` ${word}`))
    .join('');

test.each([
  ['en', 'So, um, this is uhhh what you and I have.', 'So, this is what you and I have.'],
  [
    'en',
    'What the Fuck! He said (shit) to the bastards.',
    'What the F***! He said (s***) to the b***.',
  ],
  ['de', 'Ähm, er geht um das Haus, äh, und die Hmm Stadt.', 'er geht um das Haus, und die Stadt.'],
  ['de', 'Das ist doch scheiße, und ich auch.', 'Das ist doch s***, und ich auch.'],
  ['fr', 'Euh, je ne vous connais pas, putain.', 'je ne vous connais pas, p***.'],
  ['es', 'Eh, los perros que no son de la mierda.', 'los perros que no son de la m***.'],
  ['pt', 'Hum, você tem um carro e não é uma merda.', 'você tem um carro e não é uma m***.'],
  ['it', 'Ehm, il cane della mamma è un cazzo di cane.', 'il cane della mamma è un c*** di cane.'],
  ['ja', 'えーと、今日はくそ暑いです。', '今日はく***暑いです。'],
])('%s: %s', (language, said, read) => {
  expect(languageOf(splitTime(said, 0, 1, null))).toBe(language);
  expect(shown(said)).toBe(read);
});

test('what is a word elsewhere is left alone where nobody knows the language', () => {
  expect(shown('um er')).toBe('um er');
  expect(shown('um er', 'en')).toBe('');
  expect(shown('Um den Hals', 'xx')).toBe('Um den Hals');
  expect(shown('ähm Tisch')).toBe('Tisch');
});

test.each([
  ['class', 'en'],
  ['Shiitake', 'en'],
  ['Scunthorpe', 'en'],
  ['Arschäologe', 'de'],
  ['reputación', 'es'],
  ['...', 'en'],
])('%s stays as it is', (word, language) => {
  expect(shownWord(word, both, language)).toBe(word);
});

test('nothing is hidden unless it is asked for', () => {
  expect(shownWord('um', ['profanity'], 'en')).toBe('um');
  expect(shownWord('fuck', ['fillers'], 'en')).toBe('fuck');
  expect(shownWords(splitTime('um fuck', 0, 1, null), []).map(({ text }) => text)).toEqual([
    'um',
    'fuck',
  ]);
});
