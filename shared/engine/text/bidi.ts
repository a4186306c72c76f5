/**
 * The Unicode bidirectional algorithm (UAX #9) over one line: the direction of each character, and the left-to-right
 * order of stretches. Pure. Names W1…N2 and L2 are the rules of the annex.
 *
 * Classes come from scripts and categories, which regular expressions know, and from short lists for the rest. Isolates
 * (U+2066 to U+2069) count; the older embeddings and overrides (U+202A to U+202E) are ignored.
 *
 * Not bidi-js (1.1): 40,000 times `1,` or U+2068 take it seconds, because its cost grows with the square of their
 * number, and it pairs no quotation marks.
 */

/** Bidirectional classes, without those of explicit marks except `BN`. */
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

/** Characters that a left-to-right line never has; without them there is nothing to do. */
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

/** A character and the result of the rules. */
interface Character {
  readonly text: string;
  /** Its Unicode class; the rules change `now`. */
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
  // L1: spaces at the end of the line go where the paragraph ends.
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

/** L2: sorts stretches from left to right. */
export function visualOrder<T extends { readonly level: number }>(stretches: readonly T[]): T[] {
  const order = [...stretches];
  let highest = 0;
  for (const { level } of order) highest = Math.max(highest, level);
  for (let level = highest; level >= 1; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to++;
      reverse(order, from, to);
      from = Math.max(from, to - 1);
    }
  }
  return order;
}

/** Reverses the entries [from, to) of a list in place. */
function reverse(list: unknown[], from: number, to: number): void {
  for (let left = from, right = to - 1; left < right; left++, right--) {
    const kept = list[left];
    list[left] = list[right];
    list[right] = kept;
  }
}

function classOf(character: string): Class {
  if (/^[a-z ]$/i.test(character)) return character === ' ' ? 'WS' : 'L';
  return classes.find(([pattern]) => pattern.test(character))?.[1] ?? 'ON';
}

/** The deepest level (UAX #9, BD2); deeper isolates have no effect. */
const deepest = 125;

/**
 * Gives characters their levels. The content of an isolate is a separate line; outside, it counts as one neutral. One
 * pass with a stack: isolates may be nested as deep as the text is long.
 */
function resolve(characters: readonly Character[], base: number): void {
  const ends = endsOfIsolates(characters);
  const strong = nextStrong(characters);
  let current: { readonly base: number; readonly end: number; readonly members: Character[] } = {
    base,
    end: characters.length,
    members: [],
  };
  const outer: (typeof current)[] = [];
  const finish = (): void => {
    resolveLevel(current.members, current.base);
    current = outer.pop() ?? current;
  };
  for (const [index, character] of characters.entries()) {
    while (outer.length > 0 && index === current.end) finish();
    current.members.push(character);
    if (character.first !== 'isolate') continue;
    const end = ends.get(index) ?? characters.length;
    const first = strong[index + 1] ?? characters.length;
    const odd =
      character.text === '\u2068'
        ? first < end && characters[first]?.first !== 'L'
        : character.text === '\u2067';
    // The next higher level with the wanted direction (X5a, X5b).
    const level = odd ? (current.base + 1) | 1 : (current.base + 2) & ~1;
    if (level > deepest || end === index + 1) continue;
    outer.push(current);
    current = { base: level, end, members: [] };
  }
  while (outer.length > 0) finish();
  resolveLevel(current.members, current.base);
}

function resolveLevel(members: readonly Character[], base: number): void {
  resolveWeak(members, base);
  resolveNeutral(members, base);
  for (const character of members) {
    // I1, I2
    const { now } = character;
    if (base % 2 === 0) character.level = base + (now === 'R' ? 1 : now === 'L' ? 0 : 2);
    else character.level = base + (now === 'R' ? 0 : 1);
  }
}

function directionOfLevel(level: number): 'L' | 'R' {
  return level % 2 === 0 ? 'L' : 'R';
}

/** The end of every closed isolate, by its start (BD9). */
function endsOfIsolates(characters: readonly Character[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { first }] of characters.entries()) {
    if (first === 'isolate') open.push(index);
    const start = first === 'pop' ? open.pop() : undefined;
    if (start !== undefined) ends.set(start, index);
  }
  return ends;
}

/** For every position, the next one with a strong direction. */
function nextStrong(characters: readonly Character[]): Uint32Array {
  const places = new Uint32Array(characters.length + 1).fill(characters.length);
  for (let index = characters.length - 1; index >= 0; index--) {
    const first = characters[index]?.first;
    const isStrong = first === 'L' || first === 'R' || first === 'AL';
    places[index] = isStrong ? index : (places[index + 1] ?? characters.length);
  }
  return places;
}

/** W1 to W7. Joiners and other zero-width marks (`BN`) follow the character before them. */
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
  resolveBrackets(characters, base);
  const own = directionOfLevel(base);
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

/** N0 in one pass: counts of each direction before every position tell what a pair encloses. */
function resolveBrackets(characters: readonly Character[], base: number): void {
  const closings = bracketPairs(characters);
  if (closings.size === 0) return;
  const own = directionOfLevel(base);
  const other = own === 'L' ? 'R' : 'L';
  const before = { L: [0], R: [0] };
  for (const [index, { now }] of characters.entries()) {
    const direction = directionOf(now);
    for (const each of ['L', 'R'] as const)
      before[each].push((before[each][index] ?? 0) + (direction === each ? 1 : 0));
  }
  let last: 'L' | 'R' | null = null;
  for (const [open, bracket] of characters.entries()) {
    const close = closings.get(open);
    if (close !== undefined) {
      const holds = (each: 'L' | 'R'): boolean =>
        (before[each][close] ?? 0) > (before[each][open + 1] ?? 0);
      const around: 'L' | 'R' = last ?? own;
      const direction: 'L' | 'R' | null = holds(own) ? own : holds(other) ? around : null;
      const closing = characters[close];
      if (direction && closing) bracket.now = closing.now = direction;
    }
    last = directionOf(bracket.now) ?? last;
  }
}

/** Numbers count as right to left for the neutrals beside them. */
function directionOf(now: Class | undefined): 'L' | 'R' | null {
  if (now === 'L') return 'L';
  return now === 'R' || now === 'EN' || now === 'AN' ? 'R' : null;
}

/** Most open brackets at a time; beyond, no more pairs are matched (BD16). */
const mostOpen = 63;

/** The closing bracket of every pair, by the place of its opening one. */
function bracketPairs(characters: readonly Character[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: { close: string; index: number }[] = [];
  for (const [index, { text, now }] of characters.entries()) {
    if (now !== 'ON') continue;
    const close = brackets.get(text);
    if (close !== undefined) {
      if (open.length === mostOpen) break;
      open.push({ close, index });
      continue;
    }
    const match = open.findLastIndex((bracket) => bracket.close === text);
    const opening = open[match];
    if (!opening) continue;
    pairs.set(opening.index, index);
    open.length = match;
  }
  return pairs;
}
