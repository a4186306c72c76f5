/**
 * What a translator has left to do, and the types of the English texts. A step of `npm run check`, and by itself:
 *
 *   node test/words.mjs [language …]   lists what is missing or wrong in shared/words/; default: in every language
 *
 * It writes a declaration beside each English file, by which the compiler knows the placeholders of a text; JSON alone
 * would tell it the names of the texts only.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../shared/words');

/** Names in the menu, of commands that the menu calls otherwise than the window: each language has others of them. */
const namesInMenu = 'menu';

/** The languages that have a folder. */
export const translated = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The texts of a language by area: `{ queue: { 'queue.list': 'Renders', … }, … }`. */
export function wordsIn(language) {
  const own = path.join(folder, language);
  const files = existsSync(own) ? readdirSync(own).filter((name) => name.endsWith('.json')) : [];
  return Object.fromEntries(
    files.map((name) => [
      path.basename(name, '.json'),
      JSON.parse(readFileSync(path.join(own, name), 'utf8')),
    ]),
  );
}

/** Every form of a text with its plural rule; a text without forms is `other`. */
export function formsOf(text) {
  return typeof text === 'string' ? [['other', text]] : Object.entries(text);
}

const holesIn = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

/**
 * What is wrong with a text, or null.
 *
 * @param needed plural forms that whole numbers need
 * @param categories all that the language has
 */
function faultOf(text, english, needed, categories) {
  if (typeof text === 'object') {
    if (typeof english === 'string') return 'has plural forms, English has none';
    const lacking = needed.filter((rule) => text[rule] === undefined);
    if (lacking.length > 0) return `lacks the plural form ${lacking.join(', ')}`;
    const foreign = Object.keys(text).filter((rule) => !categories.includes(rule));
    if (foreign.length > 0) return `has a plural form that no number takes: ${foreign.join(', ')}`;
  }
  const known = new Set(formsOf(english).flatMap(([, form]) => holesIn(form)));
  const holesNeeded = holesIn(formsOf(english).at(-1)[1]);
  for (const [rule, form] of formsOf(text)) {
    if (form.trim() === '') return 'is empty';
    const holes = holesIn(form);
    const unknown = holes.filter((hole) => !known.has(hole));
    if (unknown.length > 0) return `has a placeholder that English has not: {${unknown[0]}}`;
    // "The file", which is one, needs no number.
    const lost = rule === 'other' ? holesNeeded.filter((hole) => !holes.includes(hole)) : [];
    if (lost.length > 0) return `lacks the placeholder {${lost[0]}}`;
  }
  return null;
}

/** What is missing or wrong in a language's texts, a line each: `de/queue.json: queue.list is missing`. */
export function faultsIn(language, own = wordsIn(language)) {
  const english = wordsIn('en');
  const rules = new Intl.PluralRules(language);
  const { pluralCategories } = rules.resolvedOptions();
  const counts = Array.from({ length: 200 }, (_, count) => rules.select(count));
  const needed = [...new Set(counts)].sort();
  const faults = [];
  for (const area of new Set([...Object.keys(english), ...Object.keys(own)])) {
    const report = (key, fault) => faults.push(`${language}/${area}.json: ${key} ${fault}`);
    if (own[area] === undefined) {
      faults.push(`${language}/${area}.json is missing`);
      continue;
    }
    const [texts, theirs = {}] = [own[area], english[area]];
    if (area === namesInMenu) {
      for (const [key, text] of Object.entries(texts)) {
        const inWindow = own.commands?.[key];
        if (inWindow === undefined) report(key, 'is the name of no command');
        if (inWindow === text) report(key, 'is called so in commands.json: leave it out');
      }
      continue;
    }
    for (const key of Object.keys(theirs)) if (!(key in texts)) report(key, 'is missing');
    for (const [key, text] of Object.entries(texts)) {
      const fault =
        key in theirs ? faultOf(text, theirs[key], needed, pluralCategories) : 'is not in English';
      if (fault !== null) report(key, fault);
      const elsewhere = Object.keys(own).find(
        (other) => other < area && other !== namesInMenu && key in own[other],
      );
      if (elsewhere !== undefined) report(key, `is in ${elsewhere}.json, too`);
    }
  }
  return faults;
}

/** Declares each English file as what it holds; touches only what has changed, for builds that ask what is new. */
export function writeTypes() {
  for (const [area, texts] of Object.entries(wordsIn('en'))) {
    const file = path.join(folder, 'en', `${area}.d.json.ts`);
    const text = `declare const words: ${JSON.stringify(texts, null, 2)};\nexport = words;\n`;
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeTypes();
  const languages = process.argv.length > 2 ? process.argv.slice(2) : translated;
  const faults = languages.flatMap((language) => faultsIn(language));
  for (const fault of faults) console.log(fault);
  process.exit(faults.length === 0 ? 0 : 1);
}
