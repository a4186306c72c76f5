/**
 * The program as npm packs it, installed in an empty folder on a computer with nothing but Node, and for everybody with
 * `-g`: what is in the package, and that it draws, encodes, serves and tests. Needs dist/, and packages from npm.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { bareEnvironment, runIn } from './helpers/npm.ts';

const root = path.join(import.meta.dirname, '..');

/** What npm says of a package that it made; only these members are read. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly mode: number;
  }[];
}

/** What may be in it. Of each there is something. */
const contents = [
  /^(package\.json|LICENSE|README\.md|CHANGELOG\.md)$/,
  /^dist\/client\.tgz$/,
  /^dist\/client\/[\w-]+\.(mjs|cjs|d\.cts|d\.mts)$/,
  /^dist\/server\/[\w-]+\.mjs$/,
  /^dist\/server\/pixels\.wasm$/,
  /^dist\/window\/(index\.html|icon\.svg|notices\.txt|changes\.txt)$/,
  /^dist\/window\/assets\/[\w.-]+\.(js|css|woff2)$/,
  /^resources\/fonts\/(fonts\.json|emoji-twitter\.pack|[\w.-]+\.(woff2|ttf|otf|licence\.txt))$/,
  /^resources\/gallery\/([\w-]+\/)?[\w.-]+\.(jpg|json)$/,
  /^resources\/help\/([\w-]+\/)?[\w-]+\.md$/,
  /^resources\/icons\/(window\/)?[\w@-]+\.(png|svg)$/,
  /^resources\/licences\/[\w.-]+\.txt$/,
  /^resources\/samples\/([\w-]+\/)?[\w.-]+\.(json|jpg|png|svg|mp4|mp3|wav|m4a|webp|gif|csv)$/,
  /^skills\/framewright\/SKILL\.md$/,
];

describe.skipIf(process.platform === 'win32')('the package for npm', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-npm-'));
  const project = path.join(folder, 'an empty project');
  const environment = bareEnvironment(folder);
  let packed: Packed;
  let file = '';

  beforeAll(async () => {
    mkdirSync(project);
    // Not built again, which would take the program away from other tests: repeatable-build.test.ts packs as people do.
    const answer = await runIn(
      root,
      { ...environment, npm_config_ignore_scripts: 'true' },
      'npm',
      ...[...['pack', '--json', '--pack-destination', folder]],
    );
    [packed] = JSON.parse(answer) as [Packed];
    file = path.join(folder, packed.filename);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  test('holds what runs, and nothing else', () => {
    const names = packed.files.map((one) => one.path);
    expect(names.filter((name) => !contents.some((form) => form.test(name)))).toEqual([]);
    expect(contents.filter((form) => !names.some((name) => form.test(name)))).toEqual([]);
    // The command is one.
    const { mode = 0 } = packed.files.find((one) => one.path === packageFile.bin.framewright) ?? {};
    expect(mode & 0o111).not.toBe(0);
  });

  test('is no larger than CONTRIBUTING.md says', () => {
    const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
    const [, small = 0, large = 0] =
      /at most (\d+) MB packed and (\d+) MB\s+unpacked/.exec(text) ?? [];
    expect(packed.size).toBeLessThan(Number(small) * 1e6);
    expect(packed.unpackedSize).toBeLessThan(Number(large) * 1e6);
    // A bound that lies far above says nothing.
    expect(packed.size).toBeGreaterThan(Number(small) * 0.8e6);
  });

  test('names every package that its files name', () => {
    const { dependencies, optionalDependencies, peerDependencies } = packageFile;
    const given = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    const named = new Set<string>();
    for (const { path: name } of packed.files) {
      if (!/^dist\/(client|server)\/.*\.[cm]js$/.test(name)) continue;
      const text = readFileSync(path.join(root, name), 'utf8');
      for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
        const [found] = /^(?:@[\w.-]+\/)?[\w-][\w.-]*/.exec(fileName) ?? [];
        if (found !== undefined && !isBuiltin(fileName)) named.add(found);
      }
    }
    expect([...named].filter((name) => !(name in given))).toEqual([]);
    // And asks for none that only the desktop program or the build uses.
    expect(Object.keys(dependencies).filter((name) => !named.has(name))).toEqual([]);
  });

  describe('installed in a folder', () => {
    const run = (program: string, ...args: string[]): Promise<string> =>
      runIn(project, environment, program, ...args);
    /** The darkest and the lightest sample of the red of a picture's pixels. */
    const lightOf = async (name: string): Promise<[number, number]> => {
      const picture = await loadImage(path.join(project, name));
      const canvas = createCanvas(picture.width, picture.height);
      const context = canvas.getContext('2d');
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      const reds = data.filter((_, at) => at % 4 === 0);
      return [
        reds.reduce((one, other) => Math.min(one, other)),
        reds.reduce((one, other) => Math.max(one, other)),
      ];
    };
    const card = {
      output_format: 'png',
      width: 320,
      height: 180,
      fill_color: '#000000',
      elements: [
        {
          ...{ type: 'text', text: 'Packed', font_family: 'Montserrat', fill_color: '#ffffff' },
          ...{ width: '90%', height: '60%', x_alignment: '50%', y_alignment: '50%' },
        },
      ],
    };

    beforeAll(async () => {
      await run('npm', 'init', '-y');
      await run('npm', 'install', file);
      writeFileSync(path.join(project, 'card.json'), JSON.stringify(card));
    }, 600_000);

    test('brings no Electron, and nobody’s optional peers', () => {
      const lock = readFileSync(path.join(project, 'package-lock.json'), 'utf8');
      const { packages } = JSON.parse(lock) as { packages: Record<string, { optional?: boolean }> };
      const names = Object.keys(packages).map((place) => place.replace(/^.*node_modules\//, ''));
      const unwanted =
        /^(electron.*|conf|pg|pg-boss|prom-client|zod|svelte|vite|@aws-sdk\/.*|@fontsource.*)$/;
      expect(names.filter((name) => unwanted.test(name))).toEqual([]);
      expect(names).toEqual(
        expect.arrayContaining(['framewright', 'express', '@ffmpeg-installer/ffmpeg']),
      );
    });

    test('draws a picture with letters, from a font of its own', async () => {
      const said = await run('npx', 'framewright', 'render', 'card.json', 'card.png');
      expect(said).not.toMatch(/font/i);
      const [dark, light] = await lightOf('card.png');
      expect(dark).toBeLessThan(10);
      expect(light).toBeGreaterThan(245);
    });

    test('encodes a film with the ffmpeg that comes along', async () => {
      const film = { ...card, output_format: 'mp4', duration: 0.5, frame_rate: 10 };
      writeFileSync(path.join(project, 'film.json'), JSON.stringify(film));
      await run('npx', 'framewright', 'render', 'film.json', 'film.mp4');
      const bytes = readFileSync(path.join(project, 'film.mp4'));
      expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
    });

    test('doctor finds fonts, drawing library and ffmpeg', async () => {
      // It ends with 1 where something is wrong with this computer, such as a full disk.
      const said = await run('npx', 'framewright', 'doctor').catch(String);
      expect(said).toMatch(/ffmpeg .*from the package/);
      expect(said).not.toMatch(/npm run build/i);
    });

    test.each([
      ['import', 'trial.mjs', "import { startFramewright } from 'framewright/testing';\n"],
      ['require', 'trial.cjs', "const { startFramewright } = require('framewright/testing');\n"],
    ])('framewright/testing starts the server and its window: %s', async (_, name, first) => {
      const program = `${first}
        (async () => {
          const framewright = await startFramewright();
          try {
            const source = ${JSON.stringify(card)};
            const render = await framewright.client.render({ source });
            const window = await (await fetch(framewright.windowUrl)).text();
            const script = /src="([^"]+\\.js)"/.exec(window)[1];
            const asked = await fetch(new URL(script, framewright.windowUrl));
            const help = await fetch(framewright.url + '/docs/gallery/fade.jpg');
            const client = await fetch(framewright.url + '/client.tgz');
            console.log(render.status, render.width, asked.status, help.status, client.status);
          } finally {
            await framewright.stop();
          }
        })();`;
      writeFileSync(path.join(project, name), program);
      expect(await run('node', name)).toBe('succeeded 64 200 200 200\n');
    });
  });

  test('installed for everybody with -g, the command renders and serves anywhere', async () => {
    const prefix = path.join(folder, 'everybody');
    await runIn(folder, environment, 'npm', 'install', '--global', '--prefix', prefix, file);
    const place = path.join(folder, 'elsewhere');
    mkdirSync(place);
    const command = path.join(prefix, 'bin', 'framewright');
    expect(await runIn(place, environment, command, '--version')).toContain(packageFile.version);
    writeFileSync(path.join(place, 'one.json'), '{"output_format":"png","width":64,"height":64}');
    await runIn(place, environment, command, 'render', 'one.json', 'one.png');
    expect(readFileSync(path.join(place, 'one.png')).subarray(1, 4).toString()).toBe('PNG');

    const data = path.join(place, 'data');
    const options = ['--port', '0', '--window-port', '0', '--data', data, '--api-key', 'key'];
    const server = spawn(command, ['serve', ...options], {
      cwd: place,
      env: environment,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => server.once('exit', resolve));
    try {
      const runtime = path.join(data, 'runtime.json');
      await expect.poll(() => existsSync(runtime)).toBe(true);
      const { apiUrl } = JSON.parse(readFileSync(runtime, 'utf8')) as { apiUrl: string };
      const headers = { authorization: 'Bearer key' };
      const templates = await (await fetch(`${apiUrl}/v2/templates`, { headers })).json();
      expect((templates as unknown[]).length).toBeGreaterThan(3);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  }, 600_000);
});
