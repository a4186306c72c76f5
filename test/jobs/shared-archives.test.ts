/**
 * Shared templates: what the reader refuses of archives of unknown origin, before anything is stored; and files of a
 * document.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readLottieAddress } from '../../shared/renderscript/lottie-address.ts';
import { collectMedia } from '../../shared/renderscript/media-requests.ts';
import { Desk } from '../../server/jobs/desk/desk.ts';
import { localFiles, readdress } from '../../server/jobs/share/document-files.ts';
import {
  checkShare,
  type CheckedTemplate,
  type SharedValues,
} from '../../server/jobs/share/share-reader.ts';
import { readKit } from '../../shared/kit-contents.ts';
import { readZipEntry, readZipList } from '../../server/jobs/share/zip-reader.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { listed, manifestOf, templateOf, zipOf, type Part } from '../helpers/shared-archive.ts';

const desk = new Desk();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
});
afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true });
});

async function checkAll(
  archive: Buffer,
  only?: readonly number[],
): ReturnType<typeof checkShare<SharedValues>> {
  const place = path.join(folder, 'archive');
  await writeFile(place, archive);
  const file = await open(place, 'r');
  try {
    return await checkShare(file, desk, (values) => values, only);
  } finally {
    await file.close();
  }
}

/** Of an archive with one template. */
const check = async (archive: Buffer): Promise<CheckedTemplate<SharedValues>> =>
  (await checkAll(archive)).templates[0]!;

const picture = Buffer.from('GIF89a of some length');
const name = 'files/1-logo.gif';
const source = { elements: [] };
const row = listed(name, picture);
/** An archive with one file, with changes. */
const one = (change: Partial<Part> = {}, files: readonly object[] = [row]): Buffer =>
  zipOf([{ name, content: picture, ...change }, templateOf(source), manifestOf(files)]);

describe('an archive is read', () => {
  test('as it is made, with stored and deflated files', async () => {
    for (const deflate of [false, true]) {
      const { template, files } = await check(one({ deflate }));
      expect(template).toEqual({ name: 'Shared', tags: ['a'], source });
      expect(files.map(({ file }) => file.path)).toEqual([name]);
    }
  });

  test('with a document too large for the thread of the API', async () => {
    const large = { elements: [{ type: 'text', text: 'x'.repeat(1_000_000) }] };
    const { template } = await check(
      zipOf([{ ...templateOf(large), deflate: true }, manifestOf([])]),
    );
    expect(JSON.parse(JSON.stringify(template.source))).toEqual(large);
  });

  test('piece by piece: a large file is never in memory as a whole', async () => {
    const place = path.join(folder, 'large');
    const content = Buffer.alloc(30_000_000, 'ab');
    await writeFile(place, zipOf([{ name: 'a', content, deflate: true }]));
    const file = await open(place, 'r');
    const [entry] = await readZipList(file, 1);
    let [longest, all] = [0, 0];
    for await (const piece of readZipEntry(file, entry!)) {
      longest = Math.max(longest, piece.length);
      all += piece.length;
    }
    await file.close();
    expect([all, longest <= 64 * 1024]).toEqual([30_000_000, true]);
  });
});

const many = Array.from({ length: 600 }, (_, index) => ({ name: `files/${index}`, content: '' }));
const bomb = Buffer.alloc(80_000_000);
const fake = (path: string): Buffer =>
  zipOf([
    { name: path, content: picture },
    templateOf(source),
    manifestOf([listed(path, picture)]),
  ]);

const refusals: Readonly<Record<string, readonly [() => Buffer, string]>> = {
  'an empty file': [() => Buffer.alloc(0), 'it is no zip archive, or was cut off'],
  'another file': [() => Buffer.alloc(100_000, 'x'), 'it is no zip archive, or was cut off'],
  'one that is cut off': [() => one().subarray(0, -30), 'it is no zip archive, or was cut off'],
  'one whose beginning is lost': [() => one().subarray(10), 'its list of files is damaged'],
  'more files than allowed': [() => zipOf(many), 'it contains 600 files, and may contain 502'],
  'a lying count, too small': [
    () => zipOf([templateOf(source)], { count: 0 }),
    'its list of files is damaged',
  ],
  'a lying count, too large': [
    () => zipOf([templateOf(source)], { count: 9 }),
    'its list of files is damaged',
  ],
  'a list beyond the end': [
    () => zipOf([templateOf(source)], { start: 1e6 }),
    'its list of files is damaged',
  ],
  'a list of gigabytes': [
    () => zipOf([], { length: 4e9, start: 0 }),
    'its list of files is too long',
  ],
  zip64: [() => zipOf([], { start: 0xffff_ffff }), 'it is a zip of more than 4 GiB'],
  'a path upwards': [
    () => fake('files/../../evil.sh'),
    "it contains a file with the name 'files/../../evil.sh'",
  ],
  'an absolute path': [() => fake('/etc/passwd'), "it contains a file with the name '/etc/passwd'"],
  'a drive': [() => fake('C:/evil.exe'), "it contains a file with the name 'C:/evil.exe'"],
  'a path of Windows': [
    () => fake('files\\..\\evil'),
    "it contains a file with the name 'files\\..\\evil'",
  ],
  'a name with a control character': [
    () => fake('files/\u001b[2J'),
    "it contains a file with the name 'files/�[2J'",
  ],
  'a very long name': [
    () => fake(`files/${'x'.repeat(400)}`),
    `it contains a file with the name 'files/${'x'.repeat(74)}'`,
  ],
  'a folder': [
    () => zipOf([{ name: 'files/', content: '' }]),
    "it contains a file with the name 'files/'",
  ],
  'a name twice': [
    () =>
      zipOf([
        { name, content: picture },
        { name: name.toUpperCase(), content: '' },
      ]),
    "it contains 'FILES/1-LOGO.GIF' twice",
  ],
  'a link': [() => one({ mode: 0o120777 }), `'${name}' is not a plain file`],
  'a pipe': [() => one({ mode: 0o010644 }), `'${name}' is not a plain file`],
  'an encrypted file': [() => one({ flags: 0x801 }), `'${name}' is encrypted`],
  'an unknown way of packing': [
    () => one({ method: 14 }),
    `'${name}' is packed in an unknown way (14)`,
  ],
  'two names for one file': [
    () => one({ otherName: 'files/1-evil.gif' }),
    `'${name}' has two names`,
  ],
  'a wrong checksum of the zip': [
    () => one({ crc: 1 }),
    `'${name}' is damaged: its checksum is wrong`,
  ],
  'a wrong checksum of the manifest': [
    () => one({}, [{ ...row, sha256: 'a'.repeat(64) }]),
    `'${name}' is not the file that its manifest lists`,
  ],
  'a size that differs from the manifest': [
    () => one({}, [{ ...row, bytes: 5 }]),
    `'${name}' has another size than listed`,
  ],
  'a stored file with two sizes': [() => one({ bytes: 5 }), `the sizes of '${name}' differ`],
  'a deflated file larger than stated': [
    () => one({ deflate: true, bytes: 5 }, [{ ...row, bytes: 5 }]),
    `'${name}' is larger than stated`,
  ],
  'a deflated file smaller than stated': [
    () => one({ deflate: true, bytes: 50 }, [{ ...row, bytes: 50 }]),
    `'${name}' is smaller than stated`,
  ],
  'a deflated file that is none': [() => one({ method: 8 }), `'${name}' is damaged`],
  'a bomb that states its size': [
    () => one({ content: bomb, deflate: true }),
    'it would be 81 MB when unpacked, and may be 66 MB',
  ],
  'a bomb that hides its size': [
    () => one({ content: bomb, deflate: true, bytes: 1000 }, [{ ...row, bytes: 1000 }]),
    `'${name}' is larger than stated`,
  ],
  'files that overlap': [
    () =>
      zipOf([
        { name: 'a', content: picture },
        { name: 'b', content: picture, place: 0 },
        templateOf(source),
      ]),
    "'a' overlaps with what follows it",
  ],
  'no manifest': [() => zipOf([templateOf(source)]), "it contains no 'manifest.json'"],
  'no template': [() => zipOf([manifestOf([])]), "it contains no 'template.json'"],
  'a manifest that is no JSON': [
    () => zipOf([{ name: 'manifest.json', content: '{' }, templateOf(source)]),
    'its manifest is not JSON',
  ],
  'a manifest of something else': [
    () => zipOf([manifestOf([], { format: 'x' }), templateOf(source)]),
    'its manifest is not that of a template',
  ],
  'a manifest that is deep': [
    () => zipOf([{ name: 'manifest.json', content: '['.repeat(500_000) }, templateOf(source)]),
    'its manifest is not JSON',
  ],
  'a manifest too long': [
    () =>
      zipOf([{ name: 'manifest.json', content: Buffer.alloc(1_100_000, ' ') }, templateOf(source)]),
    "'manifest.json' is larger than 1 MB",
  ],
  'a later format': [
    () => zipOf([manifestOf([], { version: 3 }), templateOf(source)]),
    'it has format 3; this version of Framewright reads 2',
  ],
  'a listed file that is missing': [
    () => zipOf([manifestOf([row]), templateOf(source)]),
    `it contains no '${name}'`,
  ],
  'a file listed twice': [() => one({}, [row, row]), `it contains no '${name}'`],
  'a file that is not listed': [() => one({}, []), `its manifest does not list '${name}'`],
  'a listed manifest': [
    () => one({}, [row, { ...row, path: 'manifest.json' }]),
    'its manifest is not that of a template',
  ],
  'a font that is none': [() => one({}, [{ ...row, use: 'font' }]), `'${name}' is no font`],
  'words that are none': [
    () => {
      const content = Buffer.from('a\u0000\u0000\u0000b');
      return one({ content }, [listed(name, content, { use: 'words' })]);
    },
    `'${name}' is no text`,
  ],
  'a document that is too deep': [
    () =>
      zipOf([
        { name: 'template.json', content: `{"source":${'['.repeat(5000)}${']'.repeat(5000)}}` },
        manifestOf([]),
      ]),
    "its template can't be read (",
  ],
  'a template that is no object': [
    () => zipOf([{ name: 'template.json', content: '[]' }, manifestOf([])]),
    "its template can't be read (",
  ],
};

describe('an archive is refused:', () => {
  test.each(Object.entries(refusals))('%s', async (_title, [make, reason]) => {
    const archive = make();
    const before = process.memoryUsage().arrayBuffers;
    const refused = await check(archive).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'share_refused' });
    expect(String(refused)).toContain(`can not be imported: ${reason}`);
    // Pieces of it, and none of what it pretends to be.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });

  test('every byte of a small archive changed: it is refused, or what is read is the same', async () => {
    const archive = one({ deflate: true });
    let refused = 0;
    for (let place = 0; place < archive.length; place += 1) {
      const changed = Buffer.from(archive);
      changed[place] = (changed[place] ?? 0) ^ 0xff;
      const result = await check(changed).catch((error: unknown) => error);
      if (result instanceof Error) {
        expect(result).toMatchObject({ code: 'share_refused' });
        refused += 1;
      } else {
        expect(result).toMatchObject({ template: { source }, files: [{ file: { path: name } }] });
      }
    }
    // The rest are times, versions and attributes.
    expect(refused).toBeGreaterThan(archive.length * 0.7);
  });
});

describe('a kit', () => {
  const other = Buffer.from('GIF89a and another');
  const rows = [row, listed('files/2-b.gif', other)];
  /** A row of its manifest for template `number`. */
  const member = (number: number, files: readonly string[] = []): Record<string, unknown> => ({
    ...{ path: `templates/${number}.json`, name: `No ${number}`, files },
  });
  const members = [member(1, [name]), member(2, [name, 'files/2-b.gif']), member(3)];
  const document = (number: number, content?: string): Part => ({
    ...templateOf(source, `No ${number}`),
    name: `templates/${number}.json`,
    ...(content !== undefined && { content }),
  });
  const kit = (
    change: Readonly<Record<string, Partial<Part>>> = {},
    manifest: Readonly<Record<string, unknown>> = {},
  ): Buffer =>
    zipOf([
      ...[
        { name, content: picture },
        { name: 'files/2-b.gif', content: other },
        ...[document(1), document(2), document(3)],
      ].map((part) => ({ ...part, ...change[part.name] })),
      manifestOf(rows, { version: 2, templates: members, ...manifest }),
    ]);
  const names = ({ templates }: Awaited<ReturnType<typeof checkAll>>): readonly unknown[] =>
    templates.map(({ template }) => template['name']);

  test('is read whole, or only what was chosen', async () => {
    const all = await checkAll(kit());
    expect([names(all), all.unreadable]).toEqual([['No 1', 'No 2', 'No 3'], []]);
    expect(all.templates.map(({ files }) => files.length)).toEqual([1, 2, 0]);
    expect(names(await checkAll(kit(), [3, 1]))).toEqual(['No 1', 'No 3']);
  });

  const damage: Readonly<Record<string, readonly [Buffer, readonly string[], string]>> = {
    'a template that is no JSON': [
      kit({ 'templates/2.json': { content: '{"name' } }),
      ['No 1', 'No 3'],
      "No 2: its template can't be read",
    ],
    'a template with a wrong checksum': [
      kit({ 'templates/3.json': { crc: 1 } }),
      ['No 1', 'No 2'],
      "No 3: 'templates/3.json' is damaged: its checksum is wrong",
    ],
    'a file that one needs': [
      kit({ 'files/2-b.gif': { crc: 1 } }),
      ['No 1', 'No 3'],
      "No 2: 'files/2-b.gif' is damaged: its checksum is wrong",
    ],
    'a file that is another one': [
      kit({ 'files/2-b.gif': { content: Buffer.from('GIF89a xyz another') } }),
      ['No 1', 'No 3'],
      "No 2: 'files/2-b.gif' is not the file that its manifest lists",
    ],
    'a bomb that hides its size': [
      kit({ 'files/2-b.gif': { content: bomb, deflate: true, bytes: other.length } }),
      ['No 1', 'No 3'],
      "No 2: 'files/2-b.gif' is larger than stated",
    ],
  };
  test.each(Object.entries(damage))('with %s: the others are read', async (_what, row) => {
    const [archive, read, reason] = row;
    const found = await checkAll(archive);
    expect(names(found)).toEqual(read);
    expect(found.unreadable.map((one) => `${one.name}: ${one.reason}`)).toEqual([
      expect.stringContaining(reason),
    ]);
  });

  const hostile: Readonly<Record<string, readonly [() => Buffer, string]>> = {
    'all of its templates damaged': [
      () => kit({ [name]: { crc: 1 }, 'templates/3.json': { content: '[' } }),
      'none of its templates can be read: ',
    ],
    'no templates': [() => kit({}, { templates: [] }), 'its manifest is not that of a template'],
    'more templates than allowed': [
      () => kit({}, { templates: Array.from({ length: 101 }, (_, at) => member(at + 1)) }),
      'its manifest is not that of a template',
    ],
    'a template twice': [
      () => kit({}, { templates: [...members, member(3)] }),
      "it contains no 'templates/3.json'",
    ],
    'a template that is its manifest': [
      () => kit({}, { templates: [{ ...member(1), path: 'manifest.json' }] }),
      'its manifest is not that of a template',
    ],
    'a template that leads elsewhere': [
      () => kit({}, { templates: [{ ...member(1), path: 'templates/../../x' }] }),
      "it contains no 'templates/../../x'",
    ],
    'a file that is not listed': [
      () => kit({}, { templates: [...members.slice(1), member(1, ['files/3'])] }),
      "its manifest does not list 'files/3'",
    ],
    'a picture that is not there': [
      () => kit({}, { templates: [...members.slice(1), { ...member(1), picture: 'pictures/1' }] }),
      "it contains no 'pictures/1'",
    ],
    'a brand that is none': [
      () => kit({}, { brand: { colors: ['red'] } }),
      'its manifest is not that of a template',
    ],
    'documents of more bytes than allowed': [
      () => {
        const long = { content: Buffer.alloc(23_000_000, ' '), deflate: true };
        const change = Object.fromEntries([1, 2, 3].map((at) => [`templates/${at}.json`, long]));
        return kit({ ...change, [name]: { content: Buffer.alloc(4_000_000, 'x') } });
      },
      'its templates have 69 MB, and may have 64 MB',
    ],
  };
  test.each(Object.entries(hostile))('with %s is refused', async (_what, [make, reason]) => {
    const refused = await checkAll(make()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'share_refused' });
    expect(String(refused)).toContain(reason);
  });

  test('of which one is chosen that it has not is refused', async () => {
    await expect(checkAll(kit(), [4])).rejects.toThrow('it has 3 templates, and no 4');
  });

  test('shows its names and pictures before it is imported; other files and damaged ones do not', async () => {
    const shown = (bytes: Buffer): ReturnType<typeof readKit> =>
      readKit({
        size: bytes.length,
        read: (start, length) =>
          Promise.resolve(new Uint8Array(bytes.subarray(start, start + length))),
      });
    const parts = [
      { name: 'pictures/1.jpg', content: picture },
      document(1),
      document(2),
      manifestOf([], {
        version: 2,
        templates: [{ ...member(1), picture: 'pictures/1.jpg' }, member(2)],
      }),
    ];
    expect(await shown(zipOf(parts))).toEqual([
      { name: 'No 1', picture: new Uint8Array(picture) },
      { name: 'No 2', picture: null },
    ]);
    for (const bytes of [one(), Buffer.alloc(5), zipOf(parts).subarray(0, -9)])
      expect(await shown(bytes)).toBeNull();
  });
});

describe('the files of a document', () => {
  const document = {
    fonts: [{ family: 'Own', source: 'fonts/own.ttf' }, 'x'],
    elements: [
      { type: 'image', source: 'logo.png' },
      { type: 'image', source: 'https://example.com/a.png' },
      { type: 'image', source: 'data:image/png;base64,AA' },
      { type: 'image', provider: 'openai', source: 'a cat.png' },
      { type: 'text', text: 'logo.png', transcript_source: 'words.srt' },
      { type: 'text', transcript_source: 'Speech.JSON' },
      { type: 'text', transcript_source: '1\n00:00 --> 00:01\nHello.srt' },
      {
        type: 'composition',
        elements: [{ type: 'audio', name: 'speech.json', source: 'media:0123' }, null, 3],
      },
    ],
  };

  test('are found with their use', () => {
    expect(localFiles(document as JsonObject)).toEqual([
      { address: 'fonts/own.ttf', use: 'font' },
      { address: 'logo.png', use: 'media' },
      { address: 'words.srt', use: 'words' },
      { address: 'media:0123', use: 'media' },
    ]);
  });

  test('get other addresses, and nothing else changes', () => {
    const copy = structuredClone(document) as JsonObject;
    readdress(
      copy,
      new Map([
        ['logo.png', 'media:1'],
        ['words.srt', 'media:2'],
      ]),
    );
    expect(copy).toEqual(
      JSON.parse(
        JSON.stringify(document)
          .replace('"source":"logo.png"', '"source":"media:1"')
          .replace('words.srt', 'media:2'),
      ),
    );
  });

  test('are those that the engine fetches, in all samples', () => {
    const samples = path.join(import.meta.dirname, '../samples');
    let count = 0;
    for (const sample of readdirSync(samples)) {
      let text: string;
      try {
        text = readFileSync(path.join(samples, sample, 'source.json'), 'utf8');
      } catch {
        continue;
      }
      const parsed = JSON.parse(text) as JsonObject;
      const fetched = collectMedia(parsed)
        .map(({ source: address }) => readLottieAddress(address).file)
        .filter((address) => !/^(?:https?|data):/.test(address));
      count += fetched.length;
      const found = localFiles(parsed).filter(({ use }) => use !== 'words');
      expect(new Set(found.map(({ address }) => address)), sample).toEqual(new Set(fetched));
    }
    expect(count).toBeGreaterThan(50);
  });
});
