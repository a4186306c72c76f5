/** Styles of parts of a text: what a range, a style and a text give. */
import { describe, expect, it } from 'vitest';
import { readMarkup, readTags } from '../../shared/engine/text/markup.ts';
import {
  commonStyle,
  partsOf,
  plainText,
  retyped,
  styled,
  unstyled,
} from '../../shared/engine/text/styled-parts.ts';
import { seededRandom, type Random } from '../shared/random.ts';

const bold = { weight: '700' } as const;

describe('styled', () => {
  it.each([
    ['one two', [0, 3], bold, '[weight 700]one[/weight] two'],
    ['one two', [3, 3], bold, 'one two'],
    ['one two', [-5, 99], bold, '[weight 700]one two[/weight]'],
    ['[weight 700]one[/weight] two', [3, 7], bold, '[weight 700]one two[/weight]'],
    ['[weight 700]one[/weight] two', [0, 2], bold, '[weight 700]one[/weight] two'],
    [
      '[weight 700]one[/weight] two',
      [1, 2],
      { weight: null },
      '[weight 700]o[/weight]n[weight 700]e[/weight] two',
    ],
    ['[weight 700]one[/weight] two', [0, 3], { weight: null }, 'one two'],
    ['[color red]one two[/color]', [0, 3], bold, '[color red][weight 700]one[/weight] two[/color]'],
    [
      '[weight 700]one[/weight] two',
      [2, 5],
      { color: '#f00' },
      '[weight 700]on[color #f00]e[/color][/weight][color #f00] t[/color]wo',
    ],
    ['[size 50%]a[size 200%]b[/size]c[/size]', [0, 3], { size: '150%' }, '[size 150%]abc[/size]'],
    [
      '[color red]to the end',
      [0, 2],
      { color: 'blue' },
      '[color blue]to[/color][color red] the end[/color]',
    ],
    ['a', [0, 1], { family: 'Roboto Slab' }, '[family Roboto Slab]a[/family]'],
    // No tag can have these.
    ['a', [0, 1], { size: '12px' }, 'a'],
    ['a', [0, 1], { family: 'a] b' }, 'a'],
    // A sign and a placeholder stay whole.
    ['a😀b', [0, 2], bold, '[weight 700]a😀[/weight]b'],
    ['Hi {{first|you}}!', [0, 6], bold, '[weight 700]Hi {{first|you}}[/weight]!'],
    // What is printed as it is goes on being printed.
    ['a[/weight]b', [0, 11], bold, '[weight 700]a[[/weight][weight 700]/weight]b[/weight]'],
  ] as const)('%s %j %j', (text, [from, to], change, gives) => {
    expect(styled(text, from, to, change)).toBe(gives);
  });

  it('says what a range has in common', () => {
    const text = '[weight 700]one[/weight] [weight 700][color red]two[/color][/weight]';
    expect(commonStyle(text, 0, 3)).toMatchObject({ weight: '700', color: null });
    expect(commonStyle(text, 0, 5)).toMatchObject({ weight: undefined, color: undefined });
    expect(commonStyle(text, 4, 7)).toMatchObject({ weight: '700', color: 'red', size: null });
  });
});

describe('retyped', () => {
  it.each([
    ['[weight 700]one[/weight] two', 'ones two', '[weight 700]ones[/weight] two'],
    ['[weight 700]one[/weight] two', 'one, two', '[weight 700]one,[/weight] two'],
    ['[weight 700]one[/weight] two', 'the two', '[weight 700]the[/weight] two'],
    ['[weight 700]one[/weight] two', 'xone two', '[weight 700]xone[/weight] two'],
    ['a [weight 700]one[/weight] two', 'a  two', 'a  two'],
    ['a [color red][weight 700]one[/color][/weight] b', 'a  b', 'a  b'],
    ['a [weight 700]one[/weight] b', 'ab', 'ab'],
    [
      '[weight bold ]a[/weight] [style  italic]b[/style]',
      'a b!',
      '[weight bold ]a[/weight] [style  italic]b![/style]',
    ],
    ['', 'a', 'a'],
    ['[color red]', 'a', '[color red]a'],
    ['abc', '', ''],
    ['[color red]abc[/color]', '', ''],
  ])('%s becomes %s', (text, plain, gives) => {
    expect(retyped(text, plain)).toBe(gives);
  });
});

/** Texts made of what matters: tags, broken tags, signs of two units, placeholders. */
function randomText(random: Random): string {
  const pieces = [
    ...['a', 'bc ', ' ', '\n', '😀', '{{x}}', '[', ']', '[x]', '[color]', '[/weight]', '[weight'],
    ...['[weight 700]', '[/weight]', '[color red]', '[/color]', '[size 150%]', '[size 100%]'],
    ...['[/size]', '[style italic]', '[/style]', '[family A B]', '[/family]', '[size 0%]'],
  ];
  return Array.from({ length: random.below(14) }, () => random.pick(pieces)).join('');
}

describe('any text', () => {
  const random = seededRandom(19);
  const changes = [
    bold,
    { color: 'red' },
    { size: null },
    { style: 'italic', size: '80%' },
    { weight: null, color: null },
  ] as const;
  const tries = Array.from({ length: 4000 }, () => {
    const text = randomText(random);
    const from = random.below(12);
    return { text, from, to: from + random.below(10), change: random.pick(changes) };
  });

  it('keeps what is seen, is the same twice, and has no tag for nothing', () => {
    for (const { text, from, to, change } of tries) {
      const made = styled(text, from, to, change);
      expect(plainText(made), text).toBe(plainText(text));
      expect(styled(made, from, to, change), text).toBe(made);
      if (made === text) continue;
      const tags = readTags(made);
      // As many ends as beginnings, and letters between any two of the same name.
      expect(tags.filter(({ value }) => value !== null)).toHaveLength(tags.length / 2);
      expect(emptyTags(made), text).toEqual([]);
    }
  });

  it('looks as it did outside of the range, and has the style inside', () => {
    for (const { text, from, to, change } of tries) {
      if (from >= to) continue;
      const made = styled(text, from, to, change);
      const inside = partsOf(made).filter((part) => part.from < to && part.to > from);
      for (const { style } of inside)
        expect(style, made).toMatchObject(
          Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)),
        );
      const plain = plainText(text);
      if (/[{\ud800-\udfff]/.test(plain)) continue;
      expect(lookAt(made, plain.length - 1, to), text).toEqual(lookAt(text, plain.length - 1, to));
    }
  });

  it('reads as the engine reads it', () => {
    for (const { text } of tries)
      expect(plainText(text)).toBe(
        readMarkup(text)
          .map((span) => span.text)
          .join(''),
      );
  });

  it('is plain after a reset of everything', () => {
    for (const { text } of tries) {
      const made = unstyled(text, 0, text.length);
      expect(plainText(made)).toBe(plainText(text));
      for (const { style } of readMarkup(made))
        expect({ ...style, size: 1 }).toEqual({
          ...style,
          color: null,
          weight: null,
          style: null,
          family: null,
        });
    }
  });

  it('takes typed letters without a change of the others, and leaves no empty tag', () => {
    for (const { text, from, to } of tries) {
      const plain = plainText(text);
      const next = plain.slice(0, from) + '…' + plain.slice(to);
      const made = retyped(text, next);
      // Letters that make a tag together with those beside them are one.
      if (!/[[\]]/.test(plain)) expect(plainText(made), text).toBe(next);
      expect(emptyTags(made).length, made).toBeLessThanOrEqual(emptyTags(text).length);
    }
  });
});

/** The style of the last letter, if that lies behind a place. */
function lookAt(text: string, letter: number, behind: number): unknown {
  if (letter < behind) return null;
  let at = 0;
  for (const { text: letters, style } of readMarkup(text)) {
    at += letters.length;
    if (at > letter) return style;
  }
  return null;
}

/** Tags that end where they begin. */
function emptyTags(text: string): readonly string[] {
  const tags = readTags(text);
  return tags.flatMap(({ name, value, to }, index) => {
    const next = tags[index + 1];
    return value !== null && next?.value === null && next.name === name && next.from === to
      ? [`${name} ${value}`]
      : [];
  });
}
