/**
 * Every code sample of the help pages does what it says: TypeScript is checked by the compiler and run, Python and
 * shell are run, documents are validated, what n8n is given is done as n8n does it. One real server for all, with a
 * real worker. Needs dist/.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forkWorker } from '../server/jobs/worker/fork-worker.ts';
import { topics } from '../server/api/docs/pages.ts';
import {
  firstSource,
  snippet,
  type SnippetLanguage,
  snippetLanguages,
} from '../renderer/api/snippets.ts';
import { sampleFolder } from '../server/system/paths.ts';
import { hintProblems } from '../shared/renderscript/hints.ts';
import type { Source } from '../shared/renderscript/source.ts';
import { validate } from '../shared/renderscript/validate.ts';
import { context, Creatomate, generic, type Parameters } from './clients/n8n-stand-in.ts';
import { cli } from './helpers/cli.ts';
import { refusedLines } from './helpers/compiler.ts';
import { startTestServer, type TestServer } from './helpers/server.ts';

/** Samples that are not run here. Each must be there. */
const skipped: readonly (readonly [sample: RegExp, reason: string])[] = [
  [/^Authorization: Bearer/, 'a header, not a program'],
  [/^pipx run openapi-python-client/, 'runs as a module in the test of the generated client'],
  [/^content_type_overrides:/, 'its setting there'],
  [/^from uuid[^]*framewright_client/, 'uses what it makes there'],
  [
    /^npm install pg\n/,
    'needs PostgreSQL at that address; test/api/health.test.ts starts a server with one',
  ],
  [
    /^npm install pg pg-boss/,
    'needs PostgreSQL and several computers; test/jobs/farm.test.ts starts servers and workers',
  ],
  [
    /^npm install @aws-sdk/,
    'needs S3 at that address; test/api/storage.test.ts starts servers with it',
  ],
  [/^npm ci && npm run build && npm pack/, 'a whole installation, as in packages-npm.test.ts'],
  [/^npm install \S+\/client\.tgz/, 'packages-client.test.ts installs it'],
  [/^npm ci && npm start/, 'opens the program'],
  [/^docker build/, 'needs Docker; containers.test.ts checks the files'],
  [/^framewright backups/, 'needs a backup of that day; cli-headless.test.ts runs the command'],
  [
    /^framewright serve --public-url/,
    'would serve until it is ended; api/public-url.test.ts does so',
  ],
  [
    /^server \{/,
    "nginx reads it in 'nginx takes the settings' of api/docs.test.ts, where it is installed",
  ],
  [/^location /, 'a part of the same'],
  [/^films\.example\.com \{/, "Caddy's settings"],
  [/^http:\n/, "Traefik's settings"],
  [/^docker compose/, 'needs Docker; containers.test.ts checks the files'],
  [/"scrape_configs"/, 'the setting of Prometheus'],
  [/"mcpServers"/, 'the setting of other programs; cli-mcp.test.ts runs its command'],
];

interface Sample {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a page as a reader copies them. */
function samplesOf(page: string, html: string): Sample[] {
  const blocks = html.matchAll(/<pre[^>]*><code(?: class="language-(\w+)")?>([^]*?)<\/code>/g);
  return [...blocks].map(([, language = '', code = '']) => ({
    page,
    language,
    text: code
      .replace(/<\/?span[^>]*>/g, '')
      .replace(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number))),
  }));
}

const folder = mkdtempSync(path.join(tmpdir(), 'docs-samples-'));
const work = path.join(folder, 'work');
let server: TestServer;
let all: readonly Sample[] = [];
let templateId = '';
let renderId = '';

beforeAll(async () => {
  server = await startTestServer({
    forkWorker: () => forkWorker(),
    sampleFolder: sampleFolder(),
    bringSamples: false,
    concurrency: 2,
    largestSide: 64,
  });
  const { apiUrl } = server.running;
  generic.CREATOMATE_BASE_URL = `${apiUrl}/v2`;
  all = await Promise.all(
    topics.map(async ({ slug }) => {
      const page = slug === '' ? '/docs' : `/docs/${slug}`;
      return samplesOf(page, await (await fetch(`${apiUrl}${page}`)).text());
    }),
  ).then((lists) => lists.flat());
  const card = JSON.parse(
    readFileSync(path.join(sampleFolder(), 'recipes', 'social-card.json'), 'utf8'),
  ) as object;
  const template = await server.ask('POST', '/v2/templates', {
    name: 'A card for all samples',
    tags: ['cards'],
    source: card,
  });
  templateId = template.body.id;
  renderId = (await server.ask('POST', '/v2/renders', { template_id: templateId })).body.id;

  mkdirSync(path.join(folder, 'bin'));
  mkdirSync(work);
  symlinkSync(cli, path.join(folder, 'bin', 'framewright'));
  cpSync(path.join(sampleFolder(), 'recipes'), work, { recursive: true });
  // As after `npm install`.
  mkdirSync(path.join(work, 'node_modules'));
  symlinkSync(path.join(import.meta.dirname, '..'), path.join(work, 'node_modules', 'framewright'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const filled = (text: string): string =>
  text
    .replaceAll('YOUR_KEY', server.running.apiKey)
    .replaceAll('TEMPLATE_ID', templateId)
    .replaceAll('RENDER_ID', renderId);

const isSkipped = ({ text }: Sample): boolean => skipped.some(([form]) => form.test(text));
const inLanguage = (language: string): Sample[] =>
  all.filter((sample) => sample.language === language && !isSkipped(sample));

function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
    HOME: folder,
    XDG_DATA_HOME: path.join(folder, 'share'),
    FRAMEWRIGHT_URL: server.running.apiUrl,
    FRAMEWRIGHT_KEY: server.running.apiKey,
  };
}

/** Runs a program to its end. @returns what it said. @throws Error if it fails */
function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: work, env: environment(), timeout: 100_000 };
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${args.join(' ')}\n${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

test('there is no sample that nobody looks at', () => {
  expect(all.length).toBeGreaterThan(50);
  const known = ['sh', 'ts', 'python', 'json'];
  const others = all.filter((sample) => !known.includes(sample.language) && !isSkipped(sample));
  expect(others).toEqual([]);
});

test.each(skipped)('%s is not run: %s', (form) => {
  expect(all.some(({ text }) => form.test(text))).toBe(true);
});

describe('TypeScript', () => {
  test('the compiler takes all samples', () => {
    for (const { page, text } of inLanguage('ts')) {
      // In one line each, a fault would name the whole sample: lines as they are.
      const refused = [...refusedLines(text.split('\n'))].map(([line, why]) => `${line}: ${why}`);
      expect(refused, `${page}\n${text}`).toEqual([]);
    }
  });

  test('they run to their end', async () => {
    // Tests are run as such by test/clients/testing.test.ts.
    const own = inLanguage('ts').filter(({ text }) => !/^test\(/m.test(text));
    expect(own.length).toBeGreaterThan(7);
    const files = own.map(({ text }, index) => {
      const file = path.join(work, `sample-${index}.mjs`);
      const compilerOptions = {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
      };
      writeFileSync(file, ts.transpileModule(filled(text), { compilerOptions }).outputText);
      return file;
    });
    // One process for all; it names the one that fails.
    const steps = files.map((file) => `await import(${JSON.stringify(file)});`).join('\n');
    writeFileSync(path.join(work, 'all.mjs'), steps);
    const said = await run(process.execPath, [path.join(work, 'all.mjs')]);
    expect(said).toContain('true [] []');
    for (const name of ['hello.png', 'frame.jpg'])
      expect(readFileSync(path.join(work, name)).length, name).toBeGreaterThan(100);
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('Python, with its standard library alone (needs python3)', async () => {
  const samples = inLanguage('python');
  expect(samples.length).toBeGreaterThan(4);
  for (const { text } of samples) await run('python3', ['-c', filled(text)]);
  for (const name of ['hello-from-python.png', 'python-frame.jpg'])
    expect(readFileSync(path.join(work, name)).length, name).toBeGreaterThan(100);
  // The one that only defines a function.
  const webhook = samples.find(({ text }) => text.includes('def is_genuine')) ?? { text: '' };
  const headers = signed('whsec_c2VjcmV0', '{"id":"1"}');
  const check = `${webhook.text}
print(is_genuine("whsec_c2VjcmV0", ${JSON.stringify(headers)}, b'{"id":"1"}'))
print(is_genuine("whsec_b3RoZXI=", ${JSON.stringify(headers)}, b'{"id":"1"}'))`;
  expect((await run('python3', ['-c', check])).trim()).toBe('True\nFalse');
});

const hasGenerator = spawnSync('python3', ['-c', 'import openapi_python_client']).status === 0;

test.skipIf(!hasGenerator)(
  'Python, with a generated client (needs the package openapi-python-client)',
  async () => {
    const sample = (form: RegExp): string => all.find(({ text }) => form.test(text))?.text ?? '';
    const command = filled(sample(/^pipx run openapi-python-client/)).trim();
    writeFileSync(path.join(work, 'config.yml'), sample(/^content_type_overrides:/));
    const args = command.replace('pipx run openapi-python-client ', '').split(' ');
    await run('python3', ['-m', 'openapi_python_client', ...args, '--fail-on-warning']);
    const made = path.join(work, 'framewright-client');
    // A shape that was left out breaks the modules that name it.
    const imports = `import sys, pkgutil, importlib
sys.path.insert(0, ${JSON.stringify(made)})
import framewright_client
for module in pkgutil.walk_packages(framewright_client.__path__, "framewright_client."):
    importlib.import_module(module.name)
`;
    const code = filled(sample(/^from uuid[^]*framewright_client/));
    expect(await run('python3', ['-c', `${imports}${code}`])).toMatch(/^succeeded http/);
    expect(readFileSync(path.join(work, 'generated.png')).subarray(1, 4).toString()).toBe('PNG');
  },
);

/** How each language of the window's quick start is run, and what shows that it can be. */
const runners = {
  cURL: [
    ['bash', '-c'],
    ['curl', '--version'],
  ],
  Node: [
    [process.execPath, '--input-type=module', '-e'],
    [process.execPath, '--version'],
  ],
  Python: [
    ['python3', '-c'],
    ['python3', '--version'],
  ],
  PHP: [
    ['php', '-r'],
    ['php', '-r', 'exit((int) !function_exists("curl_init"));'],
  ],
} as const satisfies Record<SnippetLanguage, unknown>;

describe('the quick start of the window', () => {
  test.each(snippetLanguages)('%s', async (language) => {
    const [[program, ...args], [check, ...checkArgs]] = runners[language];
    if (spawnSync(check, checkArgs).status !== 0) {
      console.log(`Left out: ${language}, which is not installed here.`);
      return;
    }
    const { apiUrl: url, apiKey: key } = server.running;
    const body = { source: { ...firstSource, name: 'It\'s "quoted" \\\\ ünï' } };
    const text = snippet(language, { url, body, key }).replace('<?php\n', '');
    const said = await run(program, [...args, text]);
    expect(said).toMatch(/planned/);
    expect(said).toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
  });
});

/** The headers of a call as the server signs it. */
function signed(secret: string, body: string): Record<string, string> {
  const time = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const code = createHmac('sha256', key).update(`m.${time}.${body}`).digest('base64');
  return { 'webhook-id': 'm', 'webhook-timestamp': time, 'webhook-signature': `v1,${code}` };
}

describe.skipIf(process.platform === 'win32')('shell', () => {
  test('requests and commands', async () => {
    const blocks = inLanguage('sh').filter(({ text }) => !text.startsWith('framewright serve'));
    expect(blocks.length).toBeGreaterThan(15);
    for (const { text } of blocks) {
      const small = filled(text)
        .replace(/ --scale \S+/g, '')
        .replace(/^(framewright render (?!.*--frames).*)$/gm, '$1 --scale 0.1')
        .replace(/^curl/gm, 'curl -sS --fail-with-body');
      const said = await run('bash', ['-euc', small]);
      if (text.startsWith('curl') && !text.includes(' -o ')) {
        const answer = [JSON.parse(said) as unknown].flat();
        const created = text.includes('/batch ') ? 'results.0.render.id' : 'id';
        const isChecked = text.includes('"check": "media"');
        expect(answer[0], text).toHaveProperty(isChecked ? 'estimate.seconds' : created);
        if (isChecked) expect(answer[0], text).toMatchObject({ valid: true, findings: [] });
      }
    }
    const made = ['slideshow.mp4', 'captions.mp4', 'subtitled.mp4', 'card.png', 'sticker.gif'];
    const more = ['overlay.png', 'interview.mp4', 'tune.mp4', 'countdown.mp4', 'compare.mp4'];
    for (const name of [...made, ...more, 'compare.png', 'square.mp4', 'cards/1-Ada.png'])
      expect(existsSync(path.join(work, name)), name).toBe(true);
  });

  test('a server that listens', async () => {
    const [sample, ...others] = inLanguage('sh').filter(({ text }) =>
      text.startsWith('framewright serve'),
    );
    expect(others).toEqual([]);
    // At an address that only this computer reaches.
    const own = (sample?.text ?? '').replace('--host 0.0.0.0', '--host 127.0.0.1');
    const line = `exec ${own} --port 0 --window-port 0`;
    const child = spawn('bash', ['-c', line], { cwd: work, env: environment() });
    let said = '';
    child.stdout.on('data', (part: Buffer) => (said += part.toString()));
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    await expect.poll(() => said).toContain('Press Ctrl+C');
    child.kill('SIGINT');
    await new Promise((resolve) => child.once('close', resolve));
  });
});

describe('JSON', () => {
  const parsed = (): (readonly [Sample, Record<string, unknown>])[] =>
    inLanguage('json').map((sample) => [
      sample,
      JSON.parse(filled(sample.text.replaceAll('"…"', `"${templateId}"`))) as Record<
        string,
        unknown
      >,
    ]);

  test('documents are valid to the word', () => {
    const documents = parsed().filter(([, value]) => 'elements' in value);
    expect(documents.length).toBeGreaterThan(10);
    for (const [{ text }, source] of documents) {
      const told = [...validate(source as Source, {}), ...hintProblems(source as Source, true)];
      expect(
        told.filter(({ severity }) => severity === 'error'),
        text,
      ).toEqual([]);
    }
  });

  test('requests are taken', async () => {
    const requests = parsed().filter(([, value]) => 'template_id' in value);
    expect(requests.length).toBeGreaterThan(1);
    for (const [{ text }, body] of requests) {
      const answer = await server.ask('POST', '/v2/renders', { ...body, dry_run: true });
      expect(answer.body, text).toMatchObject({ valid: true, errors: [], warnings: [] });
    }
  });

  test('n8n: the workflow renders and loads a file, and the node for Creatomate its template', async () => {
    const workflow = parsed().find(([, value]) => 'nodes' in value)?.[1] as unknown as Workflow;
    const file = await runWorkflow(workflow);
    expect(file.subarray(1, 4).toString()).toBe('PNG');
    const parameters = parsed().find(([, value]) => 'resource' in value)?.[1] as Parameters;
    const given = context(parameters, server.running.apiKey);
    const [items = []] = await new Creatomate().execute.call(given);
    expect(items[0]?.json).toMatchObject({ status: 'succeeded', template_id: templateId });
  });

  test('every block is one of these', () => {
    const kinds = ['elements', 'template_id', 'nodes', 'resource'];
    const others = parsed().filter(([, value]) => !kinds.some((kind) => kind in value));
    expect(others.map(([{ text }]) => text)).toEqual([]);
  });
});

interface HttpNode {
  readonly name: string;
  readonly type: string;
  readonly parameters: {
    readonly method?: string;
    readonly url?: string;
    readonly jsonBody?: string;
    readonly headerParameters?: { readonly parameters: { name: string; value: string }[] };
    readonly options?: { readonly response?: { response: { responseFormat: string } } };
  };
}
interface Workflow {
  readonly nodes: readonly HttpNode[];
  readonly connections: Readonly<Record<string, { main: { node: string }[][] }>>;
}

/** Node by node along the connections, each given what the one before it answered: n8n with one item. */
async function runWorkflow({ nodes, connections }: Workflow): Promise<Buffer> {
  let node = nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
  let json: Record<string, unknown> = {};
  let file = Buffer.alloc(0);
  while (node) {
    const next: string | undefined = connections[node.name]?.main[0]?.[0]?.node;
    node = nodes.find(({ name }) => name === next);
    if (!node) break;
    expect(node.type).toBe('n8n-nodes-base.httpRequest');
    const { method = 'GET', url = '', jsonBody, headerParameters, options } = node.parameters;
    const address = url.replace(/^=\{\{ \$json\.(\w+) \}\}$/, (_, name: string) =>
      String(json[name]),
    );
    const answer = await fetch(address, {
      method,
      headers: {
        ...Object.fromEntries(
          (headerParameters?.parameters ?? []).map(({ name, value }) => [name, value]),
        ),
        ...(jsonBody !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(jsonBody !== undefined && { body: jsonBody }),
    });
    expect(answer.ok, `${node.name}: ${answer.status}`).toBe(true);
    if (options?.response?.response.responseFormat === 'file') {
      file = Buffer.from(await answer.arrayBuffer());
    } else json = (await answer.json()) as Record<string, unknown>;
  }
  return file;
}
