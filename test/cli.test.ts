/** The command line as a person meets it: files that come out, sentences when they can't. Runs the built program. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { readDocumentFile } from '../server/commands/document-file.ts';
import { cli, endCommands, runCli, runCommand } from './helpers/cli.ts';
import { readPicture } from './helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-test-'));
afterAll(async () => {
  await endCommands();
  rmSync(folder, { recursive: true, force: true });
});

function run(
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  return { status, out: stdout, error: stderr };
}

function write(name: string, content: unknown): string {
  writeFileSync(
    path.join(folder, name),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  return name;
}

const square = { type: 'shape', width: '100%', height: '100%', fill_color: '#00ff00' };
const video = {
  output_format: 'mp4',
  width: 64,
  height: 64,
  frame_rate: 10,
  duration: 1,
  elements: [square],
};

describe('render', () => {
  test('writes a video and says what it is', () => {
    const { status, out, error } = run(['render', write('video.json', video), 'out/video.mp4']);
    expect(error).toBe('');
    expect(status).toBe(0);
    expect(out).toMatch(/^out\/video\.mp4: 64×64, 1 s, 10 fps, \d+\.\d\d MB, rendered in /);
    expect(existsSync(path.join(folder, 'out/video.mp4'))).toBe(true);
  });

  test('C10: a file may be UTF-16, as PowerShell writes it', () => {
    const text = Buffer.from('\ufeff{"elements": [{"type": "text", "text": "Grüße"}]}', 'utf16le');
    const source = { elements: [{ type: 'text', text: 'Grüße' }] };
    for (const bytes of [text, text.subarray(2), Buffer.from(text).swap16()]) {
      writeFileSync(path.join(folder, 'utf-16.json'), bytes);
      const read = readDocumentFile(path.join(folder, 'utf-16.json'));
      expect(read.content).toMatchObject({ source });
    }
  });

  test('a file may have comments, trailing commas and variables', () => {
    const source = `{
      // what is painted
      "variables": { "paint": "#0000ff", "side": 8, },
      "width": "{{side}}", "height": "{{side}}", /* a square */
      "elements": [{ "type": "shape", "width": "100%", "height": "100%", "fill_color": "{{paint}}" },],
    }`;
    const { status, error } = run(['render', write('notes.json', source), 'notes.png']);
    expect([error, status]).toEqual(['', 0]);
    const { width, height, data } = readPicture(path.join(folder, 'notes.png'));
    expect([width, height, ...data.slice(0, 4)]).toEqual([8, 8, 0, 0, 255, 255]);
  });

  test('--frame writes one picture, --scale sizes it', () => {
    const { status } = run([
      'render',
      write('frame.json', video),
      '--frame',
      '0.5',
      '--scale',
      '0.5',
      'frame.png',
    ]);
    expect(status).toBe(0);
    const { width, data } = readPicture(path.join(folder, 'frame.png'));
    expect(width).toBe(32);
    expect([...data.subarray(0, 3)]).toEqual([0, 255, 0]);
  });

  test('E20: warns of unknown names, or refuses them with --strict; --json has a line for all that happens', () => {
    const elements = [{ ...square, name: 'Box', hight: 4 }];
    const film = write('typo.json', { ...video, elements, snapshot_time: 0.5 });
    write('typo-snapshot.jpg', 'a picture of somebody');
    const made = run(['render', film, 'typo.mp4']);
    expect([made.status, made.error]).toEqual([
      0,
      "Warning: Box.hight: A shape element has no 'hight'. Did you mean 'height'? (at elements[0].hight)\n",
    ]);
    expect(made.out).toContain(
      'typo-snapshot.jpg: its snapshot, in place of the file that was there\n',
    );
    const told = (...args: string[]): unknown => JSON.parse(run(['render', ...args, '--json']).out);
    expect(told(film, 'typo.mp4', '--strict')).toMatchObject({
      ...{ file: 'typo.mp4', status: 'failed', code: 'unknown_property' },
      path: 'elements[0].hight',
    });
    const failures = [
      ['gone.json', 'a.png', 'file_unreadable'],
      [write('cut.json', '{'), 'a.png', 'invalid_json'],
      [film, 'a.png', '--frame', 'x', 'invalid_arguments'],
      [film, 'a.png', '--nonsense', 'invalid_arguments'],
      [film, '{n}.png', '--data', 'gone.csv', 'file_unreadable'],
      [film, '{n}.png', '--data', write('empty.csv', 'A\n'), 'invalid_data'],
    ];
    for (const args of failures)
      expect(told(...args.slice(0, -1)), args.join(' ')).toMatchObject({
        ...{ status: 'failed', code: args.at(-1) },
        error_message: expect.stringMatching(/\S/) as string,
      });
  });

  test('E20: writes to stdout, and takes the body of a request and rows that are piped in', () => {
    const request = { source: video, modifications: { width: 16, height: 16 }, render_scale: 0.5 };
    const { out, error, status } = run([
      'render',
      write('request.json', request),
      '-',
      '--frame',
      '0.2',
    ]);
    expect([status, error]).toEqual([0, expect.stringMatching(/^-: 8×8, .* MB, rendered in/)]);
    expect(out.slice(1, 4)).toBe('PNG');
    const rows = '{"fill_color":"#ff0000"}\n\n{"fill_color":"no colour"}\n';
    const lines = run(
      ['render', 'request.json', 'r/{n}.png', '--data', '-', '--json'],
      {},
      rows,
    ).out;
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { file: 'r/1.png', row: 1, status: 'succeeded', width: 8 },
      { file: 'r/2.png', row: 2, status: 'failed', code: 'wrong_color', path: 'fill_color' },
    ]);
    const shown = { type: 'image', source: write('words.png', {}) };
    const one = write('shown.json', {
      output_format: 'png',
      width: 8,
      height: 8,
      elements: [shown],
    });
    const wrong = run(['render', one, 'w/{n}.png', '--data', '-'], {}, '{"height":9}\n');
    expect([wrong.status, wrong.error]).toEqual([
      1,
      expect.stringMatching(/^Row 1: Source error: Image 1\.source/),
    ]);
    const address = run(['render', one, 'w/{n}.png', '--data', 'http://example.org/a.csv']);
    expect(address.error).toMatch(/^http:\/\/example\.org\/a\.csv is an address, not a file\./);
    const template = run(['render', write('by-id.json', { template_id: 'abc' }), 'a.png']);
    expect(template.error).toContain('framewright render --template abc FILE --set KEY=VALUE');
  });

  test.each([
    {
      what: 'a missing file',
      args: ['nothing.json', 'a.mp4'],
      says: 'There is no file nothing.json.',
    },
    {
      what: 'an address as the document',
      args: ['https://example.org/a.json', 'a.mp4'],
      says: 'https://example.org/a.json is an address, not a file. Save it as a file, or pipe it in with curl -L and name the file -.',
    },
    { what: 'no arguments', args: [], says: 'Usage: framewright render source.json out.mp4' },
    {
      what: 'three files',
      args: ['source.json', 'a.png', 'b.png'],
      says: 'Expected one file to make, found another: b.png',
    },
    {
      what: 'an unknown ending',
      args: [write('v1.json', video), 'a.avi'],
      says: 'a.avi: Expected a file name ending with .jpg or .png or .gif or .mp4 or .webm or .mov or .webp or .avif or .mp3 or .wav or .m4a or .zip.',
    },
    {
      what: 'JSON that does not parse',
      args: [write('broken.json', '{\n  "width": 10,\n  "height" 20\n}'), 'a.mp4'],
      says: 'broken.json is not valid JSON: Colon expected at line 3, column 12.',
    },
    {
      what: 'a scale out of range',
      args: [write('v2.json', video), 'a.mp4', '--scale', '11'],
      says: "--scale: Expected a number from 0.1 to 10, found '11'.",
    },
    {
      what: 'missing media',
      args: [
        write('media.json', {
          ...video,
          elements: [{ type: 'image', name: 'Photo', source: 'gone.jpg' }],
        }),
        'a.mp4',
      ],
      says: 'Photo.source',
    },
  ])('$what: one sentence and status 1', ({ args, says }) => {
    const { status, error } = run(['render', ...args]);
    expect(error).toContain(says);
    expect(error).not.toContain('    at ');
    expect(status).toBe(1);
  });

  test('wrong values: all of them, with their places', () => {
    const elements = [
      { ...square, name: 'Box', fill_color: 'blurple' },
      { type: 'text', text: 'x', letter_spacing: '1 vmin' },
    ];
    const { status, error } = run(['render', write('wrong.json', { ...video, elements }), 'a.mp4']);
    expect(status).toBe(1);
    expect(error).toContain('Box.fill_color');
    expect(error).toContain('(at elements[0].fill_color)');
    expect(error).toContain(
      "Text 1.letter_spacing: Expected a number ending with %; found '1 vmin' (at elements[1].letter_spacing)",
    );
    expect(error).toContain('2 values are wrong; nothing was rendered.');
  });

  test('missing ffmpeg', () => {
    const { status, error } = run([
      'render',
      write('v3.json', video),
      'b.mp4',
      '--ffmpeg',
      '/no/such/ffmpeg',
    ]);
    expect(status).toBe(1);
    expect(error).toContain('/no/such/ffmpeg');
    expect(existsSync(path.join(folder, 'b.mp4'))).toBe(false);
  });

  test('a name that no system takes, in one sentence', () => {
    const name = `${'é'.repeat(150)}.png`;
    const { status, error } = run(['render', write('long.json', { elements: [square] }), name]);
    expect(error).toBe('Render error: The name of the output file is too long\n');
    expect(status).toBe(1);
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe without a writer keeps no signal waiting',
    async () => {
      spawnSync('mkfifo', [path.join(folder, 'pipe.json')]);
      const child = spawn(process.execPath, [cli, 'render', 'pipe.json', 'pipe.png'], {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = new Promise((resolve) =>
        child.once('exit', (_code, signal) => resolve(signal)),
      );
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      child.kill('SIGTERM');
      expect(await ended).toBe('SIGTERM');
    },
  );
});

interface Refused {
  readonly args: string[];
  readonly says: string;
  readonly code?: number;
}

describe('help and version', () => {
  test.each([
    { args: ['--help'], says: 'Usage: framewright COMMAND' },
    { args: [], says: 'Usage: framewright COMMAND' },
    { args: ['serve', '--help'], says: '--allow-host NAME' },
    { args: ['render', '--help'], says: '--frame 1.5' },
    { args: ['validate', '--help'], says: 'Usage: framewright validate source.json …' },
    { args: ['help', 'keys'], says: 'remove NAME' },
    { args: ['--version'], says: packageFile.version },
    { args: ['version'], says: packageFile.version },
  ])('$args', async ({ args, says }) => {
    const { status, out, error } = await runCommand(folder, args);
    expect([status, error]).toEqual([0, '']);
    expect(out).toContain(says);
  });

  test.each([
    {
      args: ['serve', '--port', 'x'],
      says: "--port: Expected a number from 0 to 65535, found 'x'.",
    },
    { args: ['serve', '--window-port', '70000'], says: '--window-port: Expected a number' },
    { args: ['serve', '--host', 'server.lan'], says: '--host: Expected an IP address' },
    { args: ['serve', '--allow-host', 'http://x'], says: '--allow-host: Expected a name' },
    {
      args: ['serve', '--public-url', 'films.example.com'],
      says: "--public-url or FRAMEWRIGHT_PUBLIC_URL: Expected an address that others open, e.g. https://films.example.com or https://example.com/framewright, without a query or a user name, found 'films.example.com'.",
    },
    {
      args: ['serve', '--local-addresses', 'sometimes'],
      says: "--local-addresses or FRAMEWRIGHT_LOCAL_ADDRESSES: Expected always, never, found 'sometimes'.",
    },
    {
      args: ['worker', '--local-addresses', 'sometimes'],
      says: '--local-addresses or FRAMEWRIGHT_LOCAL_ADDRESSES: Expected always, never',
    },
    { args: ['serve', '--concurrency', '0'], says: '--concurrency: Expected a whole number' },
    { args: ['serve', '--nonsense'], says: '--nonsense' },
    // Where the system makes no folders, and where a file is in the way.
    ...(process.platform === 'linux'
      ? [
          {
            args: ['serve', '--data', '/proc/none/x'],
            says: "--data: /proc/none/x can't be made.",
          },
          {
            args: ['serve', '--data', '/dev/null/x'],
            says: 'The data in /dev/null/x could not be opened: a part of its path is a file, not a folder. Name',
          },
          {
            args: ['serve', '--data', '/dev/null'],
            says: 'The data in /dev/null could not be opened: it is a file, not a folder. Name',
          },
          {
            args: ['serve', '--data', 'new', '--output', '/proc/none'],
            says: '--output: /proc/none',
          },
        ]
      : []),
    {
      args: ['validate', '--nonsense'],
      says: '--nonsense: There is no such option. --help names all of them.',
      code: 2,
    },
    { args: ['render', 'a.json', '-o', 'a.png'], says: '-o: There is no such option.' },
    {
      args: ['render', '--medai', 'x'],
      says: '--medai: There is no such option. Did you mean --media?',
    },
    { args: ['render', '--set'], says: '--set: Expected KEY=VALUE, found nothing.' },
    { args: ['render', '--json=3'], says: "--json: Expected no value, found '3'." },
    { args: ['render', '--frame', '-1'], says: 'If that is the value: --frame=-1' },
    { args: ['nonsense'], says: "There is no command 'nonsense'." },
  ])('$args is refused in a sentence', async ({ args, says, code = 1 }: Refused) => {
    // A server that finds no place for its data has begun to start.
    const begins = args.includes('--data');
    const { status, error } = await (begins ? runCli : runCommand)(folder, args);
    expect(status).toBe(code);
    expect(error).toContain(says);
    expect(error).not.toContain('    at ');
  });
});

describe('serve', () => {
  /** Starts it, waits until it says that it runs, looks at it, and ends it. */
  async function serving(
    args: string[],
    look: (out: string, runtime: Runtime, error: () => string) => Promise<void>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const data = mkdtempSync(path.join(folder, 'data-'));
    const own = ['serve', '--port', '0', '--window-port', '0', '--data', data];
    const child = spawn(process.execPath, [cli, ...own, ...args], {
      stdio: 'pipe',
      env: { ...process.env, ...environment },
    });
    try {
      let out = '';
      let error = '';
      child.stdout.on('data', (part: Buffer) => (out += part.toString()));
      child.stderr.on('data', (part: Buffer) => (error += part.toString()));
      await expect.poll(() => out).toContain('Press Ctrl+C');
      const file = path.join(data, 'runtime.json');
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
      const runtime = JSON.parse(readFileSync(file, 'utf8')) as Runtime; // what the program writes
      await look(out, runtime, () => error);
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  }
  interface Runtime {
    readonly apiUrl: string;
    readonly apiKey: string;
    readonly windowUrl: string;
  }
  const templates = async ({ apiUrl, apiKey }: Runtime): Promise<unknown[]> => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const answer = await fetch(`${apiUrl}/v2/templates`, { headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as unknown[];
  };

  test('key and token are not printed where no terminal looks; scripts find them in runtime.json', () =>
    serving(['--no-samples'], async (out, runtime) => {
      const token = new URL(runtime.windowUrl).hash.replace('#token=', '');
      expect(token.length).toBeGreaterThan(20);
      expect(out).not.toContain(runtime.apiKey);
      expect(out).not.toContain(token);
      expect(out).toContain('runtime.json');
      expect(await templates(runtime)).toEqual([]);
    }));

  test('with --print-key they are', () =>
    serving(['--print-key', '--no-samples'], (out, runtime) => {
      expect(out).toContain(runtime.apiKey);
      expect(out).toContain(runtime.windowUrl);
      return Promise.resolve();
    }));

  /** What an answer's link begins with, and how a webhook to this computer is answered. */
  const told = async ({ apiUrl, apiKey }: Runtime, headers = {}): Promise<[string, number]> => {
    const openApi = await fetch(`${apiUrl}/openapi.json`, { headers });
    const { servers } = (await openApi.json()) as { servers: { url: string }[] };
    const asked = await fetch(`${apiUrl}/v2/renders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ elements: [], webhook_url: 'http://127.0.0.1:9/', dry_run: true }),
    });
    return [servers[0]?.url ?? '', asked.status];
  };
  const proxied = { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https' };
  const allowed = ['--allow-host', 'a.example'];

  test.each<[string, string[], Record<string, string>, string, number]>([
    [
      'options',
      ['--public-url', 'https://films.example.com/f/', '--local-addresses', 'never'],
      {},
      'https://films.example.com/f',
      400,
    ],
    [
      'variables',
      [],
      { FRAMEWRIGHT_PUBLIC_URL: 'https://b.example', FRAMEWRIGHT_LOCAL_ADDRESSES: 'never' },
      'https://b.example',
      400,
    ],
    [
      'options before variables',
      ['--local-addresses', 'always', '--host', '0.0.0.0', '--public-url', 'http://c.example'],
      { FRAMEWRIGHT_PUBLIC_URL: 'https://b.example', FRAMEWRIGHT_LOCAL_ADDRESSES: 'never' },
      'http://c.example',
      200,
    ],
    ['a trusted proxy', ['--trust-proxy', ...allowed], {}, 'https://a.example', 400],
    ['one by variable', allowed, { FRAMEWRIGHT_TRUST_PROXY: '1' }, 'https://a.example', 400],
    ['none by variable', allowed, { FRAMEWRIGHT_TRUST_PROXY: '0' }, 'OWN', 200],
    [
      'empty variables',
      allowed,
      { FRAMEWRIGHT_PUBLIC_URL: '', FRAMEWRIGHT_TRUST_PROXY: '' },
      'OWN',
      200,
    ],
  ])('addresses by %s', (_name, args, environment, url, status) =>
    serving(
      args,
      async (out, runtime) => {
        // Where it listens at all, it is reached by the own address.
        const { port } = new URL(runtime.apiUrl);
        const own = { ...runtime, apiUrl: `http://127.0.0.1:${port}` };
        const wanted = url === 'OWN' ? own.apiUrl : url;
        expect(await told(own, proxied)).toEqual([wanted, status]);
        if (args.includes('--public-url')) expect(out).toContain(`, for others ${url}`);
      },
      environment,
    ),
  );

  test('--host and --allow-host open it to others, with a warning', () =>
    serving(
      ['--host', '0.0.0.0', '--allow-host', 'Server.lan', '--concurrency', '2'],
      async (_out, { apiUrl, apiKey, windowUrl }, error) => {
        const { port, hostname } = new URL(apiUrl);
        expect(hostname).toBe('server.lan');
        expect(error()).toContain('The API key is all that guards it');
        const own = { apiUrl: `http://127.0.0.1:${port}`, apiKey, windowUrl };
        expect((await templates(own)).length).toBeGreaterThan(3);
        expect(new URL(windowUrl).hostname).toBe('127.0.0.1');
      },
    ));
});

describe('check', () => {
  const card = {
    ...{ output_format: 'mp4', width: 640, height: 360, duration: 2, fill_color: '#102030' },
    elements: [
      { type: 'text', name: 'Title', text: 'Hello', font_size: 40, fill_color: '#ffffff' },
    ],
  };

  test('finds nothing in a good document, and says what its render will take', () => {
    const { status, out, error } = run(['check', write('card.json', card)]);
    expect([status, error]).toEqual([0, '']);
    expect(out).toMatch(/^card\.json: nothing was found\nEstimated: 640 × 360, 2 s, about \d+ s/);
  });

  test('names place, cause and cure, and ends with 1 when a render would fail', () => {
    const photo = { type: 'image', name: 'Photo', source: 'gone.jpg' };
    const [title] = card.elements;
    const elements = [{ ...title, fill_color: '#203040' }, photo];
    const name = write('faulty.json', { ...card, elements });
    const { status, out } = run(['check', name]);
    expect(status).toBe(1);
    expect(out).toMatch(/^error: Photo: .* \(elements\[1\]\.source\)\n {2}Name a file/);
    expect(out).toMatch(
      /^warning: Title: Expected a contrast .* \(elements\[0\]\.fill_color at 1 s\)$/m,
    );
    expect(out).toContain('faulty.json: 1 error, 1 warning');
    const json = run(['check', '--json', '-'], {}, JSON.stringify({ ...card, elements }));
    const { findings } = JSON.parse(json.out) as { findings: { code: string }[] };
    expect(findings.map(({ code }) => code)).toEqual(['media_missing', 'low_contrast']);
    expect(json.status).toBe(1);
  });

  test('wants one document', () => {
    const { status, error } = run(['check']);
    expect(status).not.toBe(0);
    expect(error).toContain('Usage: framewright check');
  });
});

describe('export', () => {
  const words = [{ time: 0.5, duration: 1, value: 'Hello.' }];
  const talk = {
    ...{ output_format: 'mp4', width: 64, height: 64, duration: 2, frame_rate: 25 },
    elements: [
      { type: 'text', name: 'Spoken', transcript_source: words },
      { type: 'image', name: 'Gone', source: 'gone.jpg' },
    ],
  };

  test('writes each form, by its name or by the ending of the file, and says what is not in it', () => {
    const file = write('talk.json', talk);
    const srt = run(['export', file, '--as', 'srt']);
    expect(srt).toEqual({
      ...{ status: 0, error: '' },
      out: '1\n00:00:00,500 --> 00:00:02,000\nHello.\n',
    });
    const { status, out, error } = run(['export', file, '-o', 'made/talk.otio']);
    expect([status, out]).toEqual([0, 'Wrote made/talk.otio\n']);
    expect(error).toMatch(/^Not in the file:\n {2}Spoken \(elements\[0\]\): its lettering/);
    expect(error).toContain('Gone (elements[1]): its file (The file does not exist)');
    const made = JSON.parse(readFileSync(path.join(folder, 'made/talk.otio'), 'utf8')) as object;
    expect(made).toMatchObject({ OTIO_SCHEMA: 'Timeline.1', name: 'talk' });
  });

  test('refuses what can not be written, with the cure', () => {
    const none = run(['export', write('mute.json', video), '--as', 'vtt']);
    expect(none.status).toBe(1);
    expect(none.error).toContain('found none. Give a text a transcript_source');
    const unknown = run(['export', 'mute.json', '-o', 'mute.xml']);
    expect(unknown.error).toBe('--as: Expected srt, vtt, otio, edl, found a file mute.xml.\n');
    const faulty = write('faulty-film.json', { ...video, width: 'wide' });
    expect(run(['export', faulty, '--as', 'edl']).error).toMatch(
      /^The document has 1 error\. The first: /,
    );
    expect(run(['export', '--as', 'edl']).error).toContain('Usage: framewright export');
  });
});

describe('import', () => {
  const spec = `{ // as editly reads it
    outPath: './a.mp4', clips: [{ duration: 2, layers: [{ type: 'gl' }, { type: 'title', text: 'Hi' }] }] }`;

  test('writes a document that can be rendered, and says what is lost', () => {
    writeFileSync(path.join(folder, 'spec.json5'), spec);
    const { status, out, error } = run(['import', 'spec.json5', '-o', 'made/spec.json']);
    expect([status, out]).toEqual([0, 'Wrote made/spec.json, read from editly\n']);
    expect(error).toBe(
      '1 thing lost or changed:\n  clips[0].layers[0]: there is no element for “gl”\n',
    );
    expect(run(['validate', 'made/spec.json'])).toMatchObject({ status: 0, error: '' });
  });

  test('refuses what it does not know, with the cure', () => {
    const edit = write('edit.json', { timeline: { tracks: [] }, output: { format: 'mp4' } });
    expect(run(['render', edit, 'edit.mp4']).error).toBe(
      'edit.json: This is a document for Shotstack; make one for this program with: framewright import FILE -o source.json.\n',
    );
    expect(run(['import', write('own.json', video)]).error).toContain('Shotstack, JSON2Video');
    expect(run(['import', edit, '--from', 'premiere']).error).toContain('--from: Expected');
    writeFileSync(path.join(folder, 'half.json'), '{ clips: [');
    expect(run(['import', 'half.json']).error).toMatch(/^half\.json is not valid JSON: .* at 1:1/);
  });
});

describe('validate', () => {
  test('says that a document has no errors', () => {
    const { status, out } = run(['validate', write('good.json', video)]);
    expect(out).toContain('good.json: no errors');
    expect(status).toBe(0);
  });

  const wrong = `{
  // a note
  "width": "wide",
  "elements": [
    { "type": "text", "text": "x", "x": "5 cm" },
    { "type": "text", "colour": "red", },
  ]
}`;

  test('names file, line and column of what is wrong, and ends with 1', () => {
    const { status, out, error } = run([
      'validate',
      write('bad.json', wrong),
      write('g.json', video),
    ]);
    expect([status, error]).toEqual([1, '']);
    expect(out).toMatch(/\nbad\.json: 2 errors\ng\.json: no errors\n$/);
    expect(out).toMatch(/^bad\.json:3:3: error: width: .*\(at width\)$/m);
    expect(out).toMatch(/^bad\.json:5:36: error: .*\(at elements\[0\]\.x\)$/m);
    expect(out).toMatch(/^bad\.json:6:23: warning: /m);
    expect(out).toMatch(/^bad\.json:2:3: warning: Comments .* the API refuses them$/m);
    const { status: broken, out: why } = run(['validate', write('b.json', '{\n  "a" 1\n}')]);
    expect([broken, why]).toEqual([1, 'b.json:2:7: error: Colon expected\nb.json: 1 error\n']);
  });

  test('as JSON and SARIF, also of what is piped in', () => {
    const json = run(['validate', '-', '--format', 'json'], {}, wrong);
    expect(json.status).toBe(1);
    expect((JSON.parse(json.out) as object[])[0]).toMatchObject({
      file: 'stdin',
      line: 3,
      column: 3,
      path: 'width',
      severity: 'error',
    });
    const sarif = run(['validate', write('bad.json', wrong), '--strict', '--format', 'sarif']);
    const { version, runs } = JSON.parse(sarif.out) as {
      version: string;
      runs: { results: { level: string; locations: object[] }[] }[];
    };
    expect(version).toBe('2.1.0');
    const levels = ['error', 'error', 'error', 'warning'];
    expect(runs[0]?.results.map(({ level }) => level)).toEqual(levels);
    expect(runs[0]?.results[2]?.locations[0]).toMatchObject({
      physicalLocation: {
        artifactLocation: { uri: 'bad.json' },
        region: { startLine: 6, startColumn: 23 },
      },
    });
  });

  const wrongs: readonly (readonly [what: string, text: string | Buffer, line: string])[] = [
    [
      'a file that is not there',
      '{"elements":[{"type":"image","name":"P","source":"gone.png"}]}',
      ':1:41: error: P.source: The file does not exist (gone.png) (at elements[0].source)',
    ],
    [
      'a font that is not installed',
      '{"elements":[{"type":"text","text":"x","font_family":"Nonesuch"}]}',
      ":1:40: warning: Text 1.font_family: The font 'Nonesuch' is not installed; Aileron is used",
    ],
    [
      'a key that stands twice',
      '{"width":1,\n"width":2}',
      ":2:1: warning: There is another 'width'",
    ],
    [
      'a key that stands twice, after more values than a call takes arguments',
      `{"width":1,"metadata":[${'0,'.repeat(200_000)}0],\n"width":2}`,
      ":2:1: warning: There is another 'width'",
    ],
    [
      'the value that counts of two',
      '{"width":1,\n"width":"wide"}',
      ':2:1: error: width: Expected a number',
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFF{"width":1}', 'utf16le'),
      ':1:1: warning: The file is in UTF-16LE. The API',
    ],
    [
      'another encoding',
      Buffer.from('{\n"a":"\xe9"}', 'latin1'),
      ':1:1: warning: The file is not in UTF-8 and was read as',
    ],
    ['depth', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, ':1:1: error: More than 64 levels'],
    [
      'a number that loses digits',
      '{"source":{},"modifications":{"ID":12345678901234567890}}',
      ':1:31: error: The number has more digits than are kept (at modifications.ID)',
    ],
    [
      'an address that is never reached',
      '{"elements":[{"type":"image",\n"source":"http://169.254.169.254/a.png"}]}',
      ':2:1: warning: Image 1.source: The render fails: this address is not allowed',
    ],
    ['a number without end', '{"width":1e999}', ':1:2: error: The number is too large (at width)'],
    [
      'the body of a request',
      '{"source":{"width":"wide"}}',
      ":1:12: error: width: Expected a number ending with px; found 'wide' (at source.width)",
    ],
    [
      'another wrapper',
      '{"render_script":{}}',
      ":1:1: error: Expected 'elements', or a document in",
    ],
  ];

  test('E20: tells of files, fonts, keys, encodings and wrappers, in files of any name', () => {
    const names = wrongs.map(([what, text]) => {
      const name = `a #1 ü%3F ${what}.json`;
      writeFileSync(path.join(folder, name), text);
      return name;
    });
    const { out } = run(['validate', ...names]);
    wrongs.forEach(([, , line], index) => expect(out).toContain(`${names[index]}${line}`));
  });

  test('E20: SARIF names a file as an address', () => {
    const name = write('a #1 ü%3F.json', '{"width":"wide"}');
    const { out } = run(['validate', name, '--format', 'sarif']);
    expect(out).toContain('"uri": "a%20%231%20%C3%BC%253F.json"');
  });

  test('a file that is not there, or a format that is not known, ends with 2', () => {
    expect(run(['validate', 'gone.json'])).toMatchObject({
      status: 2,
      error: 'There is no file gone.json.\n',
    });
    expect(run(['validate', 'g.json', '--format', 'xml']).error).toBe(
      "--format: Expected text, json, sarif, found 'xml'.\n",
    );
  });
});

describe('render with modifications', () => {
  const card = {
    width: 8,
    height: 8,
    elements: [{ ...square, name: 'Box' }],
  };
  const colourOf = (file: string): number[] => [
    ...readPicture(path.join(folder, file)).data.slice(0, 3),
  ];

  test('--set, of a document that is piped in', () => {
    const args = ['render', '-', 'piped.png', '--set', 'Box.fill_color=#0000ff'];
    const { status, error } = run([...args, '--set', 'Box.opacity:=100'], {}, JSON.stringify(card));
    expect([status, error]).toEqual([0, '']);
    expect(colourOf('piped.png')).toEqual([0, 0, 255]);
    for (const set of ['nothing', 'Box.opacity:=no']) {
      expect(run(['render', write('c.json', card), 'x.png', '--set', set]).status).toBe(1);
    }
  });

  test('--data makes a file for each row, and --json a line', () => {
    write('rows.csv', 'Name,Box.fill_color\nA/B,#ff0000\n../C,#0000ff\n');
    const source = write('c.json', card);
    const { status, out } = run([
      'render',
      source,
      'cards/{n}-{Name}.png',
      '--data',
      'rows.csv',
      '--json',
    ]);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string });
    expect(lines).toMatchObject([
      { file: 'cards/1-A-B.png', status: 'succeeded', width: 8 },
      { file: 'cards/2--C.png', status: 'succeeded', width: 8 },
    ]);
    expect(status).toBe(0);
    expect(colourOf('cards/1-A-B.png')).toEqual([255, 0, 0]);
    expect(colourOf('cards/2--C.png')).toEqual([0, 0, 255]);
    const { error } = run(['render', source, 'same.png', '--data', 'rows.csv']);
    expect(error).toContain('Rows 1 and 2 would both be same.png. Put {n} into the name');
    expect(existsSync(path.join(folder, 'same.png'))).toBe(false);
  });

  test('--frames puts moments side by side', () => {
    const source = write('video.json', video);
    expect(run(['render', source, 'sheet.png', '--frames', '0, 0.5,0.9']).status).toBe(0);
    const { width, height, data } = readPicture(path.join(folder, 'sheet.png'));
    expect([width, height]).toEqual([240, 256]);
    const green = data.filter((_, index) => index % 4 === 1 && data[index] === 255).length;
    expect(green).toBeGreaterThanOrEqual(3 * 64 * 64);
    expect(run(['render', source, 'sheet.png', '--frames', '0,x']).error).toContain(
      '--frames: Expected',
    );
  });
});
