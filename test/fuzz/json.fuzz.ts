/**
 * JSON as people and programs write it: the value, or a place inside the text, whatever the text is, in linear time.
 */
import { isDeepStrictEqual } from 'node:util';
import { parseJson, parseRelaxedJson } from '../../shared/json.ts';
import { runCases, stopwatch, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { brokenText } from './texts.ts';

export const name = 'json';

/** Comments and spaces that the relaxed form passes over, wherever a token may end. */
const between = ['', '', '', ' ', '\n', '// a, "b" ]\n', '/* [1,] */', '/**/', '/***/\t'];
/** The longest that one text may take, in ms. */
const longest = 1000;

/** A random value as it is written in the relaxed form, and the value itself. */
function written(random: Random, depth: number): { text: string; value: unknown } {
  const gap = (): string => random.pick(between);
  const isList = random.oneIn(2);
  if (depth > 0 && random.oneIn(2)) {
    const items = Array.from({ length: random.below(6) }, () => written(random, depth - 1));
    const comma = items.length > 0 && random.oneIn(3) ? `${gap()},` : '';
    if (isList) {
      const inner = items.map(({ text }) => gap() + text).join(`${gap()},`);
      return { text: `[${inner}${comma}${gap()}]`, value: items.map(({ value }) => value) };
    }
    const inner = items
      .map(({ text }, index) => `${gap()}"k${index}"${gap()}:${gap()}${text}`)
      .join(`${gap()},`);
    const value = Object.fromEntries(items.map((item, index) => [`k${index}`, item.value]));
    return { text: `{${inner}${comma}${gap()}}`, value };
  }
  const value = random.pick<unknown>([
    ...[null, true, false, random.below(1e6), random.next() * 10 ** random.below(30)],
    brokenText(random, 'a, ] // "b" /* {c} */,'),
  ]);
  return { text: JSON.stringify(value), value };
}

function attack(random: Random): string | null {
  const { text, value } = written(random, 4);
  const sent = random.pick(between) + text + random.pick(between);
  const relaxed = parseRelaxedJson(sent);
  // By value: -0 is written as 0.
  if (!relaxed.ok || !isDeepStrictEqual(JSON.stringify(relaxed.value), JSON.stringify(value))) {
    return `${show(sent)} should be ${show(value)}, and is ${show(relaxed)}`;
  }
  const broken = brokenText(random, sent);
  const lines = broken.split(/\r\n|\r|\n/);
  for (const parse of [parseJson, parseRelaxedJson]) {
    const elapsed = stopwatch();
    const read = parse(broken);
    const took = elapsed();
    if (took > longest) return `${parse.name} takes ${Math.round(took)} ms for ${show(broken)}`;
    if (read.ok) continue;
    const { line, column } = read.fault;
    // One behind the last character is where something is missing; a byte order mark is not counted.
    const isInside = line >= 1 && column >= 1 && column <= (lines[line - 1]?.length ?? -1) + 1;
    if (!isInside) return `${parse.name} names ${line}:${column} in ${show(broken)}`;
  }
  return null;
}

function show(value: unknown): string {
  return JSON.stringify(value).slice(0, 400);
}

/** Texts that are good, then the same made worse. */
export function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  return runCases(options, attack);
}
