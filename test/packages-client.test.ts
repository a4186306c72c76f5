/**
 * The client as a package of its own, installed from a running server without a registry, in a project as `npm init -y`
 * makes it: its files, `import` and `require`, the compiler's four ways to resolve it, and the documented tests. Needs
 * dist/.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { list } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { cli } from './helpers/cli.ts';
import { bareEnvironment, runIn } from './helpers/npm.ts';
import { startTestServer, type TestServer } from './helpers/server.ts';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'framewright-client-'));
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('/client.tgz', () => {
  const ask = (options: RequestInit = {}): Promise<Response> =>
    fetch(`${server.running.apiUrl}/client.tgz`, options);

  test('needs no key, and is not sent again to those who have it', async () => {
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/gzip']);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.equals(readFileSync(path.join(root, 'dist/client.tgz')))).toBe(true);
    // Not with `fetch`, which forbids caches to answer as soon as it is given this header.
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
    const again = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.running.apiUrl}/client.tgz`, { headers }, resolve).once('error', reject);
    });
    expect(again.resume().statusCode).toBe(304);
    const head = await ask({ method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect((await ask({ method: 'POST' })).status).toBe(404);
  });

  test('holds the client alone, has no dependencies, and stays below 210 kB', async () => {
    const file = path.join(root, 'dist/client.tgz');
    const names: string[] = [];
    let size = 0;
    await list({
      file,
      onReadEntry: (entry) => {
        names.push(entry.path);
        size += entry.size;
      },
    });
    const form =
      /^package\/(package\.json|LICENSE|README\.md|dist\/client\/[\w-]+\.(mjs|cjs|d\.cts|d\.mts))$/;
    expect(names.filter((name) => !form.test(name))).toEqual([]);
    expect(names).toContain('package/dist/client/index.mjs');
    expect(size).toBeLessThan(210_000);
    const manifest = JSON.parse(
      execFileSync('tar', ['xzOf', file, 'package/package.json'], { encoding: 'utf8' }),
    ) as Record<string, unknown>;
    const { name, version, exports } = packageFile;
    expect(manifest).toMatchObject({ name, version, exports });
    const without = ['dependencies', 'optionalDependencies', 'peerDependencies', 'scripts', 'bin'];
    expect(without.filter((key) => key in manifest)).toEqual([]);
  });

  test('is the same to the byte when it is packed again', () => {
    const copy = path.join(folder, 'copy');
    for (const name of ['dist/client', 'client']) {
      mkdirSync(path.join(copy, name), { recursive: true });
      execFileSync('cp', ['-r', path.join(root, name), path.join(copy, path.dirname(name))]);
    }
    for (const name of ['package.json', 'LICENSE']) {
      copyFileSync(path.join(root, name), path.join(copy, name));
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const script = path.join(copy, 'client/pack.mjs');
    const packed = path.join(copy, 'dist/client.tgz');
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8' })).toContain(packed);
    const sum = (file: string): string =>
      createHash('sha256').update(readFileSync(file)).digest('hex');
    expect(sum(packed)).toBe(sum(path.join(root, 'dist/client.tgz')));
  });
});

describe.skipIf(process.platform === 'win32')('installed in a project of npm init -y', () => {
  const project = path.join(folder, 'project');
  const environment = { ...bareEnvironment(folder), npm_config_registry: 'http://127.0.0.1:9/' };
  const run = (program: string, ...args: string[]): Promise<string> =>
    runIn(project, environment, program, ...args);
  const write = (name: string, text: string): void => writeFileSync(path.join(project, name), text);

  beforeAll(async () => {
    mkdirSync(project);
    await run('npm', 'init', '-y');
    // Without a registry: there is none at this address.
    await run('npm', 'install', `${server.running.apiUrl}/client.tgz`);
    // What such a project has besides, as installed.
    const modules = path.join(project, 'node_modules');
    for (const name of ['vitest', '@playwright', 'playwright', 'playwright-core', 'typescript']) {
      symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name));
    }
    mkdirSync(path.join(modules, '@types'));
    symlinkSync(path.join(root, 'node_modules/@types/node'), path.join(modules, '@types/node'));
    // As `npm install -g` makes it.
    symlinkSync(cli, path.join(environment.PATH, 'framewright'));
  }, 120_000);

  test('is CommonJS, which npm makes, with one package', () => {
    const manifest = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
      type?: string;
      dependencies: Record<string, string>;
    };
    expect(manifest.type ?? 'commonjs').toBe('commonjs');
    expect(Object.keys(manifest.dependencies)).toEqual(['framewright']);
  });

  const use = `
    const client = new Framewright({ url: process.argv[2], key: process.argv[3] });
    client.validate({ source: { elements: [{ type: 'text', text: 'Hi' }] } }).then(
      async ({ valid }) => {
        const wrong = new Framewright({ url: process.argv[2], key: 'wrong' });
        const error = await wrong.templates.list().catch((refusal) => refusal);
        console.log(valid, error instanceof RefusedError, error.name);
      },
    );`;
  test.each([
    ['import', 'one.mjs', "import { Framewright, RefusedError } from 'framewright/client';"],
    ['require', 'one.js', "const { Framewright, RefusedError } = require('framewright/client');"],
  ])('%s', async (_, name, first) => {
    write(name, `${first}${use}`);
    const { apiUrl, apiKey } = server.running;
    expect(await run('node', name, apiUrl, apiKey)).toMatch(/^true true \w+Error\n$/);
  });

  const typed = `
    import { asRenderScript, Framewright, RenderFailedError, type Render, type RenderScript } from 'framewright/client';
    import { startFramewright, type TestServer } from 'framewright/testing';

    export const source: RenderScript = { output_format: 'png', elements: [{ type: 'text', text: 'Hi' }] };
    // @ts-expect-error a wrong word
    export const wrong: RenderScript = { output_format: 'pgn' };
    export async function make(): Promise<Render> {
      await using server: TestServer = await startFramewright({ largestSide: 32 });
      const client: Framewright = server.client;
      // @ts-expect-error a wrong name
      await client.rendr({ source });
      try {
        return await client.render({ source: asRenderScript({}) });
      } catch (error) {
        if (error instanceof RenderFailedError) console.log(error.render.id);
        throw error;
      }
    }`;
  test.each([
    ['node16', 'node16', ['use.ts', 'use.mts', 'use.cts']],
    ['nodenext', 'nodenext', ['use.ts', 'use.mts', 'use.cts']],
    ['esnext', 'bundler', ['use.ts']],
    ['commonjs', 'node10', ['use.ts']],
  ])('types: module %s, moduleResolution %s, %j', async (module, moduleResolution, files) => {
    for (const name of files) write(name, typed);
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', strict: true, noEmit: true },
      ...{ types: ['node'], lib: ['es2022', 'esnext.disposable'], ignoreDeprecations: '6.0' },
      ...{ exactOptionalPropertyTypes: true, skipLibCheck: false, noUncheckedIndexedAccess: true },
    };
    write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    await run('node', 'node_modules/typescript/bin/tsc', '-p', '.');
  });

  test('the documented test for Vitest', async () => {
    copyFileSync(
      path.join(root, 'test/clients/testing-example.test.ts'),
      path.join(project, 'card.test.ts'),
    );
    const said = await run('node', 'node_modules/vitest/vitest.mjs', 'run');
    expect(said).toContain('1 passed');
  });

  test('the documented test for Playwright is loaded', async () => {
    copyFileSync(
      path.join(root, 'test/ui/testing-example.spec.ts'),
      path.join(project, 'window.spec.ts'),
    );
    const said = await run(
      'node',
      'node_modules/@playwright/test/cli.js',
      'test',
      '--list',
      'window',
    );
    expect(said).toContain('what a program stores is there for people');
  });

  test('says what to install where there is no program to start', async () => {
    write(
      'alone.js',
      `require('framewright/testing').startFramewright().catch((error) => console.log(error.message));`,
    );
    // A file of the project at the same place is none of ours.
    mkdirSync(path.join(project, 'dist/server'), { recursive: true });
    write('dist/server/cli.mjs', 'console.log("not mine");');
    const without = { ...environment, PATH: '' };
    const said = await runIn(project, without, process.execPath, 'alone.js');
    expect(said).toContain('npm install -g framewright');
    const given = `require('framewright/testing').startFramewright({ program: ${JSON.stringify(cli)} }).then(
      async (server) => { console.log(typeof server.url); await server.stop(); });`;
    write('given.js', given);
    expect(await runIn(project, without, process.execPath, 'given.js')).toBe('string\n');
  });
});
