/** Texts made worse: what a slip of the hand, a broken file or an attacker leaves of them. */
import type { Random } from './cases.ts';

/** What has been hard for one program or another: signs that steer, join, end, or are half of one. */
const evil = [
  ...['\0', '\n', '\r', '\u2028', '\t', ' ', '\u00A0', '\uFEFF'],
  ...['"', "'", '\\', '`', '<', '>', '&', '%', '$', '.', ',', '/', ':', ';', '-', '+'],
  ...['(', ')', '[', ']', '{', '}', '{{', '}}', '/*', '*/', '//', '#'],
  ...['\uD800', '\uDC00', '👩‍👩‍👧', '🇩🇪', '\u0301', '\u200D', '\u2067', '\u2069', '\u202E', 'ﷺ'],
  ...['0', '-0', '1e999', '-1', '99999999999999999999', 'NaN', 'Infinity', '0x10', 'null', 'true'],
  ...['__proto__', 'constructor', '$$date', '../', 'CON', 'file:', 'http://[::1]'],
];

const changes: readonly ((random: Random, text: string, at: number) => string)[] = [
  (random, text, at) => text.slice(0, at) + random.pick(evil) + text.slice(at),
  (random, text, at) => text.slice(0, at) + text.slice(at + 1 + random.below(4)),
  (random, text, at) => text.slice(0, at),
  (random, text, at) => {
    const piece = text.slice(at, at + 1 + random.below(20));
    return text.slice(0, at) + piece.repeat(1 + random.below(5)) + text.slice(at);
  },
  (random, text, at) => {
    const code = text.charCodeAt(at) ^ (1 << random.below(8));
    return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
  },
];
/** Now and then so much of one thing that only linear work is done in time. */
const most = 30_000;

/** The text after one to four changes. */
export function brokenText(random: Random, text: string): string {
  let broken = text;
  for (let left = 1 + random.below(4); left > 0; left--) {
    broken = random.pick(changes)(random, broken, random.below(broken.length + 1));
  }
  if (!random.oneIn(200)) return broken;
  const at = random.below(broken.length + 1);
  return broken.slice(0, at) + random.pick(evil).repeat(random.below(most)) + broken.slice(at);
}
