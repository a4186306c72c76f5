/**
 * Every command of README and the other documents (docs-samples.test.ts has those of the help pages): those for users
 * are run as they stand, in a folder of their own, against a real server; those for developers name scripts and files
 * that are there. What is not run is named with its reason.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { cli } from './helpers/cli.ts';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'commands-in-docs-'));

/** Why a command of a block is not run. Each has to be met. */
const skipped: readonly (readonly [command: RegExp, reason: string])[] = [
  [
    /^npm ci && npm (start|test)\b/,
    'fetches all packages; starts the desktop program, or is this suite',
  ],
  [/^npm install \S+\/client\.tgz/, 'test/packages-client.test.ts installs it from a server'],
  [/^npm install --save-dev framewright$/, 'test/packages-npm.test.ts installs what npm packs'],
  [/\bnpm run dev\b/, 'the hot reload of developers'],
  [/^npm run serve {2,}# prints/, 'belongs to that'],
  [/\bmodels get\b/, 'fetches a model; test/cli-models.test.ts fetches one from a mirror'],
  [/\btranscribe talk\.mp4\b/, 'needs that model; test/cli-models.test.ts has another recogniser'],
];

/** Commands that go on: what they say once they do their work. */
const goingOn: readonly (readonly [command: RegExp, says: string])[] = [
  [/\bserve\b/, 'Press Ctrl+C'],
  [/--watch\b/, 'Watching for changes'],
  [/\brenders watch\b/, 'succeeded'],
];

/** Exit statuses beside 0 that are an answer. */
const answers: readonly (readonly [command: RegExp, status: number])[] = [
  // Something may be wrong with the computer that runs the tests, such as a full disk.
  [/\bdoctor\b/, 1],
];

const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['client', 'main', 'renderer', 'resources', 'server', 'shared', 'test'].flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === 'README.md' && !file.includes('node_modules'))
      .map((file) => path.join(name, file)),
  ),
].filter((name) => name !== 'CHANGELOG.md');
const textOf = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** The commands of the shell blocks of a text; one may have several lines. */
function commandsOf(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|bash|shell|console)\n(.*?)^```/gms)];
  return blocks.flatMap(([, block = '']) => {
    const commands: string[] = [];
    let open = '';
    for (const line of block.split('\n')) {
      open = open === '' ? line : `${open}\n${line}`;
      const [code = ''] = open.split(/ {2,}# /);
      const isWhole = !open.endsWith('\\') && (code.split("'").length - 1) % 2 === 0;
      if (!isWhole) continue;
      if (open.trim() !== '' && !open.startsWith('#')) commands.push(open);
      open = '';
    }
    return commands;
  });
}

const inBlocks = documents.flatMap((name) =>
  commandsOf(textOf(name)).map((command): [string, string] => [name, command]),
);
const toRun = inBlocks.filter(([, command]) => !skipped.some(([form]) => form.test(command)));

interface Program {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly ended: Promise<number | null>;
}
const environment = {
  ...process.env,
  PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
  HOME: folder,
  XDG_DATA_HOME: path.join(folder, 'share'),
  XDG_CONFIG_HOME: path.join(folder, 'config'),
};
const work = path.join(folder, 'work');
let server: Program | null = null;
let address = '';

beforeAll(() => {
  mkdirSync(path.join(folder, 'bin'));
  mkdirSync(work);
  // As `npm install -g .` would make it.
  symlinkSync(cli, path.join(folder, 'bin', 'framewright'));
  // What the commands are given in the folder of the project, without its being written to.
  for (const name of ['package.json', 'build.mjs', 'dist', 'resources', 'node_modules']) {
    symlinkSync(path.join(root, name), path.join(work, name));
  }
});
afterAll(async () => {
  if (server) {
    interrupt(server);
    await server.ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** As it stands, but small, and at the address of the server that this test has. */
function asRun(command: string): string {
  const small = /\brender\b/.test(command) && !/\brenders\b|--frames/.test(command);
  const [line = '', ...comment] = command.split(/(?= {2,}# )/);
  return [small ? `${line.replace(/ --scale \S+/, '')} --scale 0.1` : line, ...comment]
    .join('')
    .replace('--port 4820', '--port 0 --window-port 0')
    .replaceAll('http://127.0.0.1:4820', address);
}

function start(command: string): Program {
  // In a group of its own: what npm starts is ended with it.
  const child = spawn('bash', ['-c', `exec 2>&1\n${asRun(command)}`], {
    cwd: work,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let out = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, out: () => out, ended };
}

/** Ends all that a command started, as Ctrl+C in a terminal does. */
const interrupt = ({ child }: Program): boolean => process.kill(-(child.pid ?? 0), 'SIGINT');

/** Of the server that runs. */
function runtime(): { apiUrl: string; apiKey: string } {
  const file = path.join(environment.XDG_DATA_HOME, 'framewright', 'runtime.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { apiUrl: string; apiKey: string };
}

async function makeRender(): Promise<{ id: string }> {
  const answer = await fetch(`${address}/v2/renders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime().apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: { output_format: 'png', width: 8, height: 8 } }),
  });
  return (await answer.json()) as { id: string };
}

describe.skipIf(process.platform === 'win32')('is run', () => {
  // One after the other, as someone types them: later ones use what earlier ones made.
  test.each(toRun)('%s: %s', async (_document, command) => {
    const program = start(command);
    const [, says] = goingOn.find(([form]) => form.test(command)) ?? [];
    if (says === undefined) {
      const status = await program.ended;
      const allowed = answers.filter(([form]) => form.test(command)).map(([, other]) => other);
      expect([0, ...allowed], program.out()).toContain(status);
      expect(program.out()).not.toContain('    at ');
      return;
    }
    let made: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      if (/\brenders watch\b/.test(command)) made = makeRender();
    }, 500);
    await expect.poll(() => program.out()).toContain(says);
    clearInterval(timer);
    await made;
    if (/\bserve\b/.test(command)) {
      server = program;
      address = runtime().apiUrl;
      return;
    }
    interrupt(program);
    await program.ended;
  });

  test('makes the files that it names', () => {
    const names = ['promo.mp4', 'still.png', 'story.mp4', 'today.png', 'sheet.png', 'shelf.png'];
    expect(names.filter((name) => !existsSync(path.join(work, name)))).toEqual([]);
    expect(readdirSync(path.join(work, 'days'))).toEqual(
      expect.arrayContaining(['1-Monday.mp4', '2-Tuesday.mp4']),
    );
  });
});

test.each(skipped)('%s is not run: %s', (form) => {
  expect(inBlocks.some(([, command]) => form.test(command))).toBe(true);
});

/**
 * Commands in the middle of sentences and in tables: of developers, minutes long; that they are there is what is looked
 * at.
 */
describe('what is named is there, in', () => {
  test.each(documents)('%s', async (name) => {
    const { commandRows } = await import('../server/commands/command-rows.ts');
    const wrong: string[] = [];
    for (const [, code = ''] of textOf(name).matchAll(/`([^`\n]+)`/g)) {
      const [, script = 'start'] = /\bnpm (?:run )?(start|test|[\w:-]+)\b/.exec(code) ?? [];
      const isOfNpm = ['ci', 'install', 'sbom', 'view', 'pack', 'audit'].includes(script);
      if (/\bnpm (run |start|test)/.test(code) && !isOfNpm && !(script in packageFile.scripts)) {
        wrong.push(code);
      }
      const [, file] = /npx vitest run (\S+\.ts)/.exec(code) ?? [];
      if (file !== undefined && !existsSync(path.join(root, file))) wrong.push(code);
      const [, command, ...options] = /^framewright ([a-z]+)(?=[ `]|$)(.*)$/.exec(code) ?? [];
      if (command === undefined) continue;
      const row = Object.entries(commandRows).find(([known]) => known === command)?.[1];
      const known = new Set(row?.options.map((option) => `--${option.name}`));
      const given = options.join(' ').match(/--[\w-]+/g) ?? [];
      if (!row || given.some((option) => option !== '--help' && !known.has(option)))
        wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });
});
