/**
 * The Unicode bidirectional algorithm (UAX #9) over one line: which direction each character has, and in which order
 * stretches stand from left to right. Pure. Names W1…N2 and L2 are the rules of the annex.
 *
 * Classes come from scripts and categories, which regular expressions know, and from short lists for the rest. Isolates
 * (U+2066 to U+2069) count; the older embeddings and overrides (U+202A to U+202E) are passed over.
 */

/** Bidirectional classes, those of explicit marks apart from `BN`. */
type Class =
  | 'L'
  | 'R'
  | 'AL'
  | 'EN'
  | 'AN'
  | 'ES'
  | 'ET'
  | 'CS'
  | 'NSM'
  | 'WS'
  | 'ON'
  | 'BN'
  | 'isolate'
  | 'pop';

/** Characters that a left-to-right line never has; without one there is nothing to work out. */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Adlam}\u200f\u061c\u202b\u202e\u2067]/u;

const classes: readonly [RegExp, Class][] = [
  [/[\u2066-\u2068]/, 'isolate'],
  [/\u2069/, 'pop'],
  [/\u200e/, 'L'],
  [/\u200f/, 'R'],
  [/[\u061c\u061b\u061e\u061f\u0640]/, 'AL'],
  [/[0-9\u06f0-\u06f9\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/, 'EN'],
  [/[\u0660-\u0669\u066b\u066c\u0600-\u0605\u06dd]/, 'AN'],
  [/[+\-\u207a\u207b\u208a\u208b\u2212\ufb29\uff0b\uff0d]/, 'ES'],
  [/[#$%\u00b0\u00b1\u066a\u2030-\u2034\u212e\u2213]|\p{Sc}/u, 'ET'],
  [/[,./:\u00a0\u060c\u202f\u2044\uff0c\uff0e\uff0f\uff1a]/, 'CS'],
  [/[\p{Mn}\p{Me}]/u, 'NSM'],
  [/[\u200b-\u200d\u00ad\u202a-\u202e\ufeff\p{Cf}]/u, 'BN'],
  [/\s/, 'WS'],
  [/(?=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}])[\p{L}\p{N}\p{Po}]/u, 'AL'],
  [
    /(?=[\p{Script=Hebrew}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Adlam}])./u,
    'R',
  ],
  [/[\p{L}\p{Nd}\p{Nl}\p{Mc}]/u, 'L'],
];

/** Opening bracket → closing one; they point the same way inside a right-to-left line (N0). */
const brackets: ReadonlyMap<string, string> = new Map(
  ['()', '[]', '{}', '«»', '‹›', '「」', '『』', '（）', '［］', '【】', '〈〉', '《》'].map(
    (pair) => [pair[0] ?? '', pair[1] ?? ''],
  ),
);

/** A character with what the rules made of it. */
interface Character {
  readonly text: string;
  /** As Unicode has it; what the rules turn it into is `now`. */
  readonly first: Class;
  now: Class;
  level: number;
}

/**
 * The level of every UTF-16 unit of a line: even = left to right, odd = right to left. Null when the whole line simply
 * reads left to right.
 *
 * @param baseRightToLeft Direction of the paragraph that the line is from.
 */
export function bidiLevels(line: string, baseRightToLeft: boolean): Uint8Array | null {
  if (!baseRightToLeft && !rightToLeft.test(line)) return null;
  const base = baseRightToLeft ? 1 : 0;
  const characters = Array.from(line, (text): Character => {
    const first = classOf(text);
    return { text, first, now: first, level: base };
  });
  resolve(characters, base);
  // L1: spaces at the end of the line stand where the paragraph ends.
  for (let index = characters.length - 1; index >= 0; index--) {
    const character = characters[index];
    if (!character || !['WS', 'BN', 'isolate', 'pop'].includes(character.first)) break;
    character.level = base;
  }
  const levels = new Uint8Array(line.length);
  let offset = 0;
  for (const { text, level } of characters) {
    levels.fill(level, offset, (offset += text.length));
  }
  return levels;
}

/** L2: puts stretches in the order in which they stand from left to right. */
export function visualOrder<T extends { readonly level: number }>(stretches: readonly T[]): T[] {
  const order = [...stretches];
  const highest = Math.max(0, ...order.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to++;
      if (to > from + 1) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = Math.max(from, to - 1);
    }
  }
  return order;
}

function classOf(character: string): Class {
  if (/^[a-z ]$/i.test(character)) return character === ' ' ? 'WS' : 'L';
  return classes.find(([pattern]) => pattern.test(character))?.[1] ?? 'ON';
}

/** Gives characters their levels. What an isolate encloses is a line of its own; outside it counts as one neutral. */
function resolve(characters: readonly Character[], base: number): void {
  const outside: Character[] = [];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index];
    if (!character) continue;
    outside.push(character);
    if (character.first !== 'isolate') continue;
    const end = endOfIsolate(characters, index);
    const inside = characters.slice(index + 1, end);
    const odd =
      character.text === '\u2068'
        ? inside.find(({ first }) => first === 'L' || first === 'R' || first === 'AL')?.first !==
            'L' && inside.some(({ first }) => first === 'R' || first === 'AL')
        : character.text === '\u2067';
    // The next level above that has the direction asked for (X5a, X5b).
    resolve(inside, odd ? (base + 1) | 1 : (base + 2) & ~1);
    index = end - 1;
  }
  resolveWeak(outside, base);
  resolveNeutral(outside, base);
  for (const character of outside) {
    // I1, I2
    const { now } = character;
    if (base % 2 === 0) character.level = base + (now === 'R' ? 1 : now === 'L' ? 0 : 2);
    else character.level = base + (now === 'R' ? 0 : 1);
  }
}

function directionOfLevel(level: number): 'L' | 'R' {
  return level % 2 === 0 ? 'L' : 'R';
}

function endOfIsolate(characters: readonly Character[], start: number): number {
  let depth = 0;
  for (let index = start; index < characters.length; index++) {
    if (characters[index]?.first === 'isolate') depth++;
    if (characters[index]?.first === 'pop' && --depth === 0) return index;
  }
  return characters.length;
}

/** W1 to W7. Joiners and other marks without a place of their own (`BN`) go with what stands before them. */
function resolveWeak(characters: readonly Character[], base: number): void {
  const start = directionOfLevel(base);
  let before: Class = start;
  for (const character of characters) {
    // W1
    if (character.now === 'NSM' || character.now === 'BN') character.now = markAfter(before);
    before = character.now;
  }
  let strong: Class = start;
  for (const character of characters) {
    // W2, W3
    if (character.now === 'L' || character.now === 'R' || character.now === 'AL')
      strong = character.now;
    if (character.now === 'EN' && strong === 'AL') character.now = 'AN';
  }
  for (const character of characters) if (character.now === 'AL') character.now = 'R';
  characters.forEach((character, index) => {
    // W4
    const [left, right] = [characters[index - 1]?.now, characters[index + 1]?.now];
    const separates = character.now === 'CS' || (character.now === 'ES' && left === 'EN');
    if (separates && left === right && (left === 'EN' || left === 'AN')) character.now = left;
  });
  for (let from = 0; from < characters.length; from++) {
    // W5
    let to = from;
    while (characters[to]?.now === 'ET') to++;
    if (to === from) continue;
    if (characters[from - 1]?.now === 'EN' || characters[to]?.now === 'EN')
      for (const character of characters.slice(from, to)) character.now = 'EN';
    from = to;
  }
  strong = start;
  for (const character of characters) {
    // W6, W7
    if (character.now === 'ES' || character.now === 'ET' || character.now === 'CS')
      character.now = 'ON';
    if (character.now === 'L' || character.now === 'R') strong = character.now;
    if (character.now === 'EN' && strong === 'L') character.now = 'L';
  }
}

function markAfter(before: Class): Class {
  return before === 'isolate' || before === 'pop' ? 'ON' : before;
}

/** N0 to N2: brackets, then all other neutrals, take the direction around them, else that of the line. */
function resolveNeutral(characters: readonly Character[], base: number): void {
  const own = directionOfLevel(base);
  for (const [open, close] of bracketPairs(characters)) {
    const inside = characters.slice(open + 1, close).map(({ now }) => directionOf(now));
    const before = characters
      .slice(0, open)
      .map(({ now }) => directionOf(now))
      .findLast((direction) => direction !== null);
    const other = own === 'L' ? 'R' : 'L';
    let direction: Class | null = null;
    if (inside.includes(own)) direction = own;
    else if (inside.includes(other)) direction = (before ?? own) === other ? other : own;
    for (const index of [open, close]) {
      const bracket = characters[index];
      if (bracket && direction) bracket.now = direction;
    }
  }
  for (let from = 0; from < characters.length; from++) {
    let to = from;
    while (to < characters.length && directionOf(characters[to]?.now) === null) to++;
    if (to === from) continue;
    const left = directionOf(characters[from - 1]?.now) ?? own;
    const right = directionOf(characters[to]?.now) ?? own;
    for (const character of characters.slice(from, to)) character.now = left === right ? left : own;
    from = to;
  }
}

/** Numbers count as right to left for the neutrals beside them. */
function directionOf(now: Class | undefined): 'L' | 'R' | null {
  if (now === 'L') return 'L';
  return now === 'R' || now === 'EN' || now === 'AN' ? 'R' : null;
}

function bracketPairs(characters: readonly Character[]): [number, number][] {
  const pairs: [number, number][] = [];
  const open: { close: string; index: number }[] = [];
  for (const [index, { text, now }] of characters.entries()) {
    if (now !== 'ON') continue;
    const close = brackets.get(text);
    if (close !== undefined) open.push({ close, index });
    const match = open.findLastIndex((bracket) => bracket.close === text);
    if (match < 0) continue;
    pairs.push([open[match]?.index ?? 0, index]);
    open.length = match;
  }
  return pairs.sort(([a], [b]) => a - b);
}
