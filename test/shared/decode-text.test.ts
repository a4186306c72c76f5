/** Text from bytes: what marks and bytes prove, and what is only guessed. */
import { expect, test } from 'vitest';
import { certainEncoding, decodeText } from '../../shared/decode-text.ts';
import { encodingName, type TextEncoding } from '../../shared/text-encodings.ts';

/** A cue in an older encoding: its times, then bytes that another program wrote. */
const cue = (hex: string): Uint8Array =>
  Buffer.concat([Buffer.from('1\n00:00:00,000 --> 00:00:02,000\n'), Buffer.from(hex, 'hex')]);

test.each<[string, TextEncoding, string]>([
  ['“Don’t” – 5 €', 'windows-1252', '93446f6e927494209620352080'],
  ['L’été, à la plage.', 'windows-1252', '4c92e974e92c20e0206c6120706c6167652e'],
  ['Cela coûte 5 € à voir', 'iso-8859-15', '43656c6120636ffb7465203520a420e020766f6972'],
  [
    'Zażółć gęślą jaźń, proszę bardzo. Dziękuję za pomoc, muszę już iść.',
    'windows-1250',
    '5a61bff3b3e62067ea9c6cb9206a619ff12c2070726f737aea20626172647a6f2e20447a69ea6b756aea207a6120706f6d6f632c206d75737aea206a75bf20699ce62e',
  ],
  ['Привет, как дела?', 'windows-1251', 'cff0e8e2e5f22c20eae0ea20e4e5ebe03f'],
  ['Привет, как дела?', 'koi8-r', 'f0d2c9d7c5d42c20cbc1cb20c4c5ccc13f'],
  ['Καλημέρα σας, τι κάνετε', 'windows-1253', 'cae1ebe7ecddf1e120f3e1f22c20f4e920eadcede5f4e5'],
  ['Günaydın, nasılsınız?', 'windows-1254', '47fc6e617964fd6e2c206e6173fd6c73fd6efd7a3f'],
  ['שלום, מה שלומך היום', 'windows-1255', 'f9ece5ed2c20eee420f9ece5eeea20e4e9e5ed'],
  ['مرحبا، كيف حالك اليوم', 'windows-1256', 'e3d1cdc8c7a120dfeddd20cdc7e1df20c7e1ede6e3'],
  [
    'こんにちは、お元気ですか。今日はいい天気です。',
    'shift_jis',
    '82b182f182c982bf82cd814182a88cb38b4382c582b782a981428da193fa82cd82a282a293568b4382c582b78142',
  ],
  [
    '你好,今天天气怎么样?我很好。我们走吧。',
    'gb18030',
    'c4e3bac32cbdf1ccecccecc6f8d4f5c3b4d1f93fced2badcbac3a1a3ced2c3c7d7dfb0c9a1a3',
  ],
  [
    '你好,今天天氣怎麼樣?我很好。',
    'big5',
    'a741a66e2ca4b5a4d1a4d1aef0abe7bbf2bccb3fa7daabdca66ea143',
  ],
  [
    '안녕하세요, 오늘 날씨가 어때요?',
    'euc-kr',
    'bec8b3e7c7cfbcbcbfe42c20bfc0b4c320b3afbebeb0a120beeeb6a7bfe43f',
  ],
  ['สวัสดีครับ วันนี้อากาศดี', 'windows-874', 'cac7d1cab4d5a4c3d1ba20c7d1b9b9d5e9cdd2a1d2c8b4d5'],
  [
    'Größe und Straße, schön früh',
    'macintosh',
    '47729aa76520756e642053747261a7652c207363689a6e2066729f68',
  ],
  [
    "L'été à la plage, déjà là-bas",
    'macintosh',
    '4c278e748e2088206c6120706c6167652c20648e6a88206c882d626173',
  ],
  [
    'Größe und Straße, schön früh',
    'ibm850',
    '477294e16520756e642053747261e1652c20736368946e2066728168',
  ],
  ['Små älgar på öar', 'ibm850', '536d8620846c67617220708620946172'],
  ['Mañana será otro día', 'ibm850', '4d61a4616e6120736572a0206f74726f2064a161'],
  ['Привет, как дела?', 'ibm866', '8fe0a8a2a5e22c20aaa0aa20a4a5aba03f'],
  [
    'Die Marke™ – „gut“ für 5 €',
    'windows-1252',
    '446965204d61726b659920962084677574932066fc7220352080',
  ],
  // Cut within a letter.
  ['Grüße, schöne', 'utf-8', '4772c3bcc39f652c20736368c3b66e65c3'],
])('C10: %s is guessed to be in %s', (text, encoding, hex) => {
  const read = decodeText(cue(hex));
  expect(read).toEqual({ text: expect.stringContaining(text) as string, encoding, isGuess: true });
});

test.each<[string, BufferEncoding, boolean, TextEncoding]>([
  ['UTF-8', 'utf8', false, 'utf-8'],
  ['UTF-8 with its mark', 'utf8', true, 'utf-8'],
  ['UTF-16', 'utf16le', true, 'utf-16le'],
  ['UTF-16 without its mark', 'utf16le', false, 'utf-16le'],
])('C10: %s is known, in both orders', (_name, name, hasMark, encoding) => {
  const text = '1\n00:00:00,000 --> 00:00:02,000\n“Don’t” – 5 € Привет\n';
  const bytes = Buffer.from(`${hasMark ? '\ufeff' : ''}${text}`, name);
  expect(decodeText(bytes)).toEqual({ text, encoding, isGuess: false });
  if (name !== 'utf16le') return;
  expect(decodeText(bytes.swap16())).toEqual({ text, encoding: 'utf-16be', isGuess: false });
});

test.each([true, false])('C10: UTF-32 is known, in both orders (its mark: %s)', (hasMark) => {
  const text = '1\n00:00:00,000 --> 00:00:02,000\n“Don’t” – 5 € Привет 🎬\n';
  const codes = Array.from(`${hasMark ? '\ufeff' : ''}${text}`, (sign) => sign.codePointAt(0) ?? 0);
  const bytes = Buffer.from(Uint32Array.from(codes).buffer);
  expect(decodeText(bytes)).toEqual({ text, encoding: 'utf-32le', isGuess: false });
  expect(decodeText(bytes.swap32())).toEqual({ text, encoding: 'utf-32be', isGuess: false });
  // Cut, and with a number that is no character.
  const cut = Buffer.concat([
    Buffer.from('A\0\0\0', 'latin1'),
    Buffer.alloc(4, 0xff),
    Buffer.from('B'),
  ]);
  expect(decodeText(cut, 'utf-32le')?.text).toBe('A\ufffd');
});

test('C10: what is no text stays none, a choice is obeyed, and a late letter is found', () => {
  expect(decodeText(Buffer.from([1, 0, 0, 2]))).toBeNull();
  expect(decodeText(Buffer.from('ab\0cd\0\0f'))).toBeNull();
  // What other programs leave behind a text, half a letter too.
  expect(decodeText(Buffer.from('Grüße\n\x1a\0\0'))?.text).toBe('Grüße\n');
  expect(decodeText(Buffer.concat([Buffer.from('Grüße\n', 'utf16le'), Buffer.from('\n')]))).toEqual(
    {
      text: 'Grüße\n',
      encoding: 'utf-16le',
      isGuess: false,
    },
  );
  expect(decodeText(cue('1b244237244629 1b2842'.replace(' ', '')))?.encoding).toBe('iso-2022-jp');
  expect(decodeText(Buffer.from([0xe4]), 'windows-1251')?.text).toBe('д');
  expect(
    decodeText(
      Buffer.concat([Buffer.alloc(100_000, 'a\n'), cue('cff0e8e2e5f22c20eae0ea20e4e5ebe03f')]),
    )?.text,
  ).toContain('Привет');
  expect(certainEncoding(Buffer.from([0xe4]))).toBeNull();
  expect([encodingName('windows-1252'), encodingName('koi8-r')]).toEqual([
    'Windows-1252',
    'KOI8-R',
  ]);
});
