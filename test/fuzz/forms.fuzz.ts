/**
 * Uploads as forms: multipart bodies with parts that lack, double or break what a part has, cut and glued at odd
 * places. Whatever comes, the server answers below 500 within its time, and a good client is served.
 */
import { startAttackedServer } from './api-server.ts';
import { runCases, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';

export const name = 'forms';

const boundaries = ['XX', 'b'.repeat(70), '----x', "'()+_,-./:=?", 'a b', '-', ''];
const dispositions = [
  ...['form-data', 'form-data; ', 'form-data; name', 'form-data; name=', 'form-data; name=""'],
  ...['form-data; name="file"', 'form-data; name="name"', 'form-data; name="note"'],
  ...['form-data; name="file"; filename="a.jpg"', 'form-data; filename="a.jpg"', 'attachment'],
  ...['form-data; name="file"; filename=""', 'form-data; name="file"; filename*=UTF-8\'\'%ff%zz'],
  ...[
    'form-data; name="__proto__"',
    'form-data; name="file"; name="name"',
    '',
    ';',
    '="',
    'inline',
  ],
  ...[
    'form-data; name="fi\u0000le"; filename="\u0000"',
    'form-data; name="\\"',
    'FORM-DATA;NAME=file',
  ],
  ...[
    `form-data; name="${'n'.repeat(2_000)}"`,
    `form-data; name=file; filename="${'f'.repeat(300)}"`,
  ],
];
const headers = [
  ...['Content-Type: image/jpeg', 'Content-Type: application/octet-stream', 'Content-Type: ;'],
  ...['Content-Type: text/plain; charset=utf-16le', 'Content-Type: text/plain; charset=nothing'],
  ...['Content-Type: multipart/mixed; boundary=XX', 'Content-Transfer-Encoding: base64', 'X: y'],
  ...['Content-Transfer-Encoding: ', 'Content-Length: 5', ': nothing', 'no colon', '__proto__: x'],
  ...[`X: ${'y'.repeat(10_000)}`, 'Content-Disposition: form-data; name="name"', ' folded'],
];
const lengths = [0, 1, 20, 900, 16_000, 16_384, 17_000, 65_536, 70_000, 300_000];

function content(random: Random, boundary: string): Buffer {
  if (random.oneIn(8)) return Buffer.from(`\r\n--${boundary}`);
  if (random.oneIn(8)) return Buffer.from('hello');
  const length = Math.max(0, random.pick(lengths) + random.below(5) - 2);
  return Buffer.alloc(
    length,
    random.pick(['A', '\r\n', `\r\n--${boundary.slice(0, -1)}`, '\u0000\u00ff']),
  );
}

function part(random: Random, boundary: string): Buffer {
  const lines = Array.from({ length: random.below(3) }, () => random.pick(headers));
  if (!random.oneIn(4)) lines.push(`Content-Disposition: ${random.pick(dispositions)}`);
  const lineEnd = random.oneIn(12) ? '\n' : '\r\n';
  const head = [`--${boundary}`, ...lines, ...(random.oneIn(12) ? [] : [''])].join(lineEnd);
  return Buffer.concat([
    Buffer.from(`${head}${lineEnd}`, 'latin1'),
    content(random, boundary),
    Buffer.from(random.oneIn(12) ? '' : '\r\n'),
  ]);
}

/** One form, whole or not. */
function form(random: Random): { readonly type: string; readonly body: Buffer } {
  const boundary = random.oneIn(4) ? random.pick(boundaries) : 'XX';
  const announced = random.oneIn(15) ? random.pick(boundaries) : boundary;
  const quoted = random.oneIn(3) ? `"${announced}"` : announced;
  const count = random.oneIn(20) ? 30 : random.below(4);
  const parts = Array.from({ length: count }, () => part(random, boundary));
  const end = random.oneIn(6) ? '' : `--${boundary}--\r\n`;
  const whole = Buffer.concat([
    Buffer.from(random.oneIn(8) ? 'preamble\r\n' : ''),
    ...parts,
    Buffer.from(end),
    Buffer.from(random.oneIn(8) ? 'epilogue' : ''),
  ]);
  const cut = random.oneIn(8) ? random.below(whole.length + 1) : whole.length;
  return { type: `multipart/form-data; boundary=${quoted}`, body: whole.subarray(0, cut) };
}

/** Sends forms until the time is over. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const server = await startAttackedServer();
  try {
    return await runCases(options, (random) => {
      const { type, body } = form(random);
      return server.attack('POST', '/v2/media', body, type);
    });
  } finally {
    await server.stop();
  }
}
