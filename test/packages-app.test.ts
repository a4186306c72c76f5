/**
 * The program as it is packed: electron-builder's settings by its own schema, the packed files by electron-builder
 * itself (without Electron's binary and without installers), and the server with its worker started from them under
 * Node.
 */
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { windowIcon, desktopName } from '../main/paths.ts';

vi.mock('electron', () => import('./desktop/electron-stand-in.ts'));

const root = path.join(import.meta.dirname, '..');
const ofBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const ofPacker = createRequire(ofBuilder.resolve('app-builder-lib'));

/** What is used of electron-builder's own parts, which have no types of their own here. */
const { load } = ofBuilder('js-yaml') as { load: (text: string) => Record<string, unknown> };
const { validateConfiguration } = ofPacker('./util/config/config.js') as {
  validateConfiguration: (config: object, log: { isEnabled: boolean }) => Promise<void>;
};
const asar = ofPacker('@electron/asar') as {
  getRawHeader(file: string): { header: Folder };
  extractAll(file: string, folder: string): void;
};

interface Folder {
  readonly files: Readonly<Record<string, Partial<Folder> & { readonly unpacked?: boolean }>>;
}

const settings = load(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8'));

interface Hook {
  readonly default: (context: object) => Promise<void>;
  readonly requireBothProcessors: (root: string, ffmpeg: string) => void;
}
/** What electron-builder runs before it packs. */
const loadHook = async (): Promise<Hook> =>
  (await import(pathToFileURL(path.join(root, 'main/before-pack.mjs')).href)) as Hook;

describe('electron-builder.yml', () => {
  test('follows the schema', async () => {
    await validateConfiguration(structuredClone(settings), { isEnabled: false });
    // And the schema is looked at: a wrong word is found.
    const wrong = { ...structuredClone(settings), asarUnpak: [] };
    await expect(validateConfiguration(wrong, { isEnabled: false })).rejects.toThrow('asarUnpak');
  });

  test('shuts the packed program: fuses', () => {
    expect(settings['electronFuses']).toEqual({
      runAsNode: false,
      enableCookieEncryption: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  // Flipping a fuse breaks the signature that Electron comes with, and Apple Silicon starts no program with a broken
  // one.
  test('signs the program of macOS whose fuses it changes, with what an unsigned hardened one needs', () => {
    expect(settings['mac']).toMatchObject({ identity: '-', hardenedRuntime: true });
    const given = readdirSync(path.join(root, 'resources/icons'));
    expect(given.filter((name) => name.endsWith('.plist'))).toEqual([]);
    // Electron-builder's own, and the microphone; the same for the programs inside.
    const own = 'main/entitlements.plist';
    expect(settings['mac']).toMatchObject({ entitlements: own, entitlementsInherit: own });
    const places = createRequire(ofPacker.resolve('.')).resolve(
      '../templates/entitlements.mac.plist',
    );
    const allowedIn = (file: string): string[] =>
      [...readFileSync(file, 'utf8').matchAll(/<key>([\w.-]+)<\/key>\s*<true\/>/g)].map(
        ([, name = '']) => name,
      );
    const theirs = allowedIn(places);
    for (const name of ['allow-jit', 'disable-library-validation'])
      expect(theirs).toContain(`com.apple.security.cs.${name}`);
    const microphone = 'com.apple.security.device.audio-input';
    expect(allowedIn(path.join(root, own)).sort()).toEqual([...theirs, microphone].sort());
  });

  test.skipIf(process.platform === 'darwin').each([
    ['no certificate: ad hoc', {}, { identity: '-' }],
    ['a certificate in a file', { CSC_LINK: 'file.p12' }, {}],
    ['a certificate by name', { CSC_NAME: 'Someone' }, {}],
    ['empty ones count as none', { CSC_LINK: '', CSC_NAME: '' }, { identity: '-' }],
  ])('signs with %s', async (_case, env, expected) => {
    vi.stubEnv('CSC_LINK', undefined);
    vi.stubEnv('CSC_NAME', undefined);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const mac = { identity: '-' };
    const packager = { projectDir: root, platformSpecificBuildOptions: mac };
    const { default: beforePack } = await loadHook();
    // On another system it goes no further.
    const context = { electronPlatformName: 'darwin', targets: [], appOutDir: '', packager };
    await expect(beforePack(context)).rejects.toThrow('Pack on macOS itself');
    expect(mac).toEqual(expected);
    vi.unstubAllEnvs();
  });

  test('makes the installers of all systems, with files and links', () => {
    expect(settings).toMatchObject({
      linux: {
        target: ['AppImage', 'deb'],
        executableName: 'framewright',
        syncDesktopName: true,
        fileAssociations: [{ ext: 'renderscript' }, { ext: 'framewright' }],
      },
      extraMetadata: { desktopName },
      // The older one needs libfuse2, and its entry starts the program with --no-sandbox.
      toolsets: { appimage: '1.0.3' },
      win: { target: 'nsis', fileAssociations: [{ ext: 'renderscript' }, { ext: 'framewright' }] },
      mac: {
        target: [{ target: 'dmg', arch: ['universal'] }],
        fileAssociations: [{ ext: 'renderscript' }, { ext: 'framewright' }],
      },
      protocols: [{ schemes: ['framewright'] }],
    });
  });
});

describe('what Linux knows the program by', () => {
  const { linux } = settings as { linux: { icon: string; executableName: string } };

  /** electron-builder's own helper of its Linux installers, with as much of a packager as it asks. */
  const helper = (): {
    computeDesktopEntry(options: object): Promise<string>;
    getDesktopFileName(): string;
  } => {
    const { LinuxTargetHelper } = ofPacker('./targets/LinuxTargetHelper.js') as {
      LinuxTargetHelper: new (packager: object) => ReturnType<typeof helper>;
    };
    return new LinuxTargetHelper({
      appInfo: { productName: 'Framewright', sanitizedProductName: 'Framewright' },
      config: settings,
      executableName: linux.executableName,
      fileAssociations: [],
      info: { metadata: settings['extraMetadata'] },
      platformSpecificBuildOptions: linux,
    });
  };

  test('its entry is called as the program calls itself, and names its windows and its icon', async () => {
    // Without an ending, which Electron takes away where there is one.
    expect(helper().getDesktopFileName()).toBe(desktopName);
    const lines = (await helper().computeDesktopEntry(linux)).split('\n');
    expect(lines).toContain(`StartupWMClass=${desktopName}`);
    expect(lines).toContain('Icon=framewright');
  });

  test('its icons have the sizes that themes look for, each drawn in its own', async () => {
    const { convertIcon, getPngSize } = ofPacker('./util/iconConverter.js') as {
      convertIcon: (order: object) => Promise<{ icons: { file: string; size: number }[] }>;
      getPngSize: (file: string) => Promise<{ width: number; height: number }>;
    };
    const { icons } = await convertIcon({
      sources: [linux.icon],
      fallbackSources: [],
      roots: [path.join(root, 'resources/icons'), root],
      format: 'set',
      outDir: path.join(root, 'none is made'),
    });
    // The folders of the theme hicolor for these; it has none for 1024.
    expect(icons.map(({ size }) => size)).toEqual([16, 24, 32, 48, 64, 128, 256, 512]);
    for (const { file, size } of icons) {
      expect(await getPngSize(file)).toEqual({ width: size, height: size });
    }
    // And a window that no entry names has one of them.
    expect(icons.map(({ file }) => file)).toContain(windowIcon());
  });
});

describe.skipIf(process.platform === 'win32')('the ffmpeg that is packed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright ffmpeg '));
  const place = path.join(folder, 'node_modules/ffmpeg-static');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What packing says with an ffmpeg that answers so. */
  const packWith = async (answer: string | null, platform = process.platform): Promise<void> => {
    rmSync(place, { recursive: true, force: true });
    if (answer !== null) {
      mkdirSync(place, { recursive: true });
      const file = path.join(place, 'ffmpeg');
      writeFileSync(file, `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 });
    }
    const { default: beforePack } = await loadHook();
    await beforePack({
      electronPlatformName: platform,
      targets: [],
      appOutDir: 'unpacked',
      packager: { projectDir: folder },
    });
  };

  test('is of version 5 or newer', async () => {
    await expect(packWith(null)).rejects.toThrow('npm rebuild ffmpeg-static');
    await expect(packWith('libavcodec     58. 35.102 / 58. 35.102')).rejects.toThrow('too old');
    await expect(packWith('libavcodec     58.134.100 / 58.134.100')).rejects.toThrow('too old');
    await expect(packWith('nonsense')).rejects.toThrow('did not answer');
    await expect(packWith('libavcodec     59. 18.100', 'win32')).rejects.toThrow('on Windows');
    await packWith('libavcodec     59. 18.100 / 59. 18.100');
    await packWith('libavcodec     62. 11.100 / 62. 11.100');
  });

  test('is for both processors of Macs, as is the drawing library', async () => {
    const { requireBothProcessors } = await loadHook();
    const file = path.join(folder, 'mac-ffmpeg');
    /** The head of a program for processors: universal for several, thin for one. */
    const writeProgram = (...numbers: number[]): void => {
      const head = Buffer.alloc(8 + 20 * numbers.length);
      head.writeUInt32BE(numbers.length > 1 ? 0xcafebabe : 0xcffaedfe, 0);
      head.writeUInt32BE(numbers.length, 4);
      numbers.forEach((number, at) => head.writeUInt32BE(number, 8 + 20 * at));
      writeFileSync(file, head);
    };
    const check = (): void => requireBothProcessors(folder, file);
    const [intel, apple, other] = [0x01000007, 0x0100000c, 0x01000012];
    writeProgram(intel, apple);
    expect(check).toThrow('canvas-darwin-x64');
    for (const name of ['x64', 'arm64']) {
      mkdirSync(path.join(folder, 'node_modules/@napi-rs', `canvas-darwin-${name}`), {
        recursive: true,
      });
      if (name === 'x64') expect(check).toThrow('canvas-darwin-arm64');
    }
    check();
    for (const [numbers, missing] of [
      [[apple], 'x64'],
      [[intel], 'x64'],
      [[intel, other], 'arm64'],
      [[other, apple], 'x64'],
    ] as const) {
      writeProgram(...numbers);
      expect(check).toThrow(`ffmpeg for ${missing}`);
    }
    writeFileSync(file, '');
    expect(check).toThrow('ffmpeg for x64');
  });

  test.each([
    ['an installer', [{ name: 'dmg' }], 'mac-universal-arm64-temp', true],
    ['a folder', [], 'mac-arm64', false],
    ['a folder for both', [], 'mac-universal-x64-temp', true],
  ])('is asked for both processors of Macs by %s: %j', async (_case, targets, appOutDir, both) => {
    const root = mkdtempSync(path.join(tmpdir(), 'framewright mac '));
    const file = path.join(root, 'node_modules/ffmpeg-static/ffmpeg');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "#!/bin/sh\necho 'libavcodec     62. 11.100'\n", { mode: 0o755 });
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    try {
      const { default: beforePack } = await loadHook();
      const packager = { projectDir: root, platformSpecificBuildOptions: {} };
      const packed = beforePack({ electronPlatformName: 'darwin', targets, appOutDir, packager });
      if (both) await expect(packed).rejects.toThrow('canvas-darwin-x64');
      else await packed;
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
      rmSync(root, { recursive: true });
    }
  });

  test('is looked at before anything is packed', () => {
    const hasCurrent = existsSync(path.join(root, 'node_modules/ffmpeg-static/ffmpeg'));
    const pack = (): unknown =>
      execFileSync(
        process.execPath,
        [path.join(import.meta.dirname, 'helpers/pack.mjs'), path.join(folder, 'out'), '--current'],
        { stdio: 'pipe' },
      );
    if (hasCurrent) pack();
    else expect(pack).toThrow('npm rebuild ffmpeg-static');
  }, 120_000);
});

describe.skipIf(process.platform !== 'linux')('the packed program', () => {
  // Blanks, accents, signs outside of the basic plane, and some length.
  const name = `framewright packed é🎬 ${'x'.repeat(150)} `;
  const folder = mkdtempSync(path.join(tmpdir(), name));
  const resources = path.join(folder, 'linux-unpacked', 'resources');
  // Named as the archive is, so that what must be taken from beside it is.
  const program = path.join(folder, 'app.asar');
  const beside = path.join(folder, 'app.asar.unpacked');
  /** Every packed file with slashes; true for those outside of the archive. */
  const files = new Map<string, boolean>();
  let server: ChildProcess | null = null;

  beforeAll(() => {
    execFileSync(process.execPath, [path.join(import.meta.dirname, 'helpers/pack.mjs'), folder]);
    const archive = path.join(resources, 'app.asar');
    const collect = ({ files: entries }: Folder, place: string): void => {
      for (const [name, entry] of Object.entries(entries)) {
        if (entry.files) collect({ files: entry.files }, `${place}${name}/`);
        else files.set(`${place}${name}`, entry.unpacked === true);
      }
    };
    collect(asar.getRawHeader(archive).header, '');
    // Node can't read an archive; what lies beside it comes along.
    asar.extractAll(archive, program);
    cpSync(path.join(resources, 'app.asar.unpacked'), beside, { recursive: true });
    // Nobody but JavaScript in Electron can open what lies in an archive: neither the system (programs), nor ffmpeg
    // (media), nor the drawing library (fonts). These are emptied, so that what needs one there fails.
    for (const [name, isUnpacked] of files) {
      if (!isUnpacked || /\.(node|js|json|mjs|wasm)$/.test(name)) continue;
      writeFileSync(path.join(program, name), '');
      chmodSync(path.join(program, name), 0o444);
    }
  }, 120_000);

  afterAll(() => {
    server?.kill('SIGKILL');
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('holds what it starts with', () => {
    const packed = JSON.parse(readFileSync(path.join(program, 'package.json'), 'utf8')) as {
      main: string;
      desktopName: string;
    };
    expect(files.has(packed.main)).toBe(true);
    // The shell names the entry that electron-builder makes, or the window has no icon in the dock.
    expect(packed.desktopName).toBe(desktopName);
    const start = readFileSync(path.join(program, packed.main), 'utf8');
    expect(start).toMatch(new RegExp(`["'\`]${packed.desktopName}["'\`]`));
    const names = [
      'dist/main/preload.cjs',
      'dist/server/worker.mjs',
      'dist/window/index.html',
      'dist/client.tgz',
      path.relative(root, windowIcon()),
    ];
    expect(names.filter((name) => !files.has(name))).toEqual([]);
  });

  test('F125: native parts, and what other programs open, lie outside of the archive', () => {
    const outside = [
      /^node_modules\/@napi-rs\/canvas-.*\.node$/,
      /^node_modules\/@ffmpeg-installer\/.*\/ffmpeg(\.exe)?$/,
      /^node_modules\/@fugood\/node-whisper-.*\.node$/,
      /^resources\/fonts\/.*\.woff2$/,
      /^resources\/samples\/media\/.*\.mp4$/,
      /^dist\/server\/pixels\.wasm$/,
      /^dist\/server\/examine-thread\.mjs$/,
      /^dist\/server\/trial-thread\.mjs$/,
      /^node_modules\/@resvg\/resvg-wasm\/index_bg\.wasm$/,
    ];
    const names = [...files];
    for (const pattern of outside) {
      const matching = names.filter(([name]) => pattern.test(name));
      expect([pattern, matching.length > 0]).toEqual([pattern, true]);
      expect(matching.filter(([, isUnpacked]) => !isUnpacked)).toEqual([]);
    }
    // Nothing native is overlooked.
    expect(names.filter(([name, out]) => /\.(node|so|dylib|dll)$/.test(name) && !out)).toEqual([]);
    const [encoder] = names.find(([name]) => outside[1]?.test(name)) ?? [''];
    const { mode } = statSync(path.join(resources, 'app.asar.unpacked', encoder));
    expect(mode & 0o111).not.toBe(0);
  });

  test('finds every package that it names inside of itself', () => {
    const missing: string[] = [];
    const find = (from: string, name: string): void => {
      try {
        const { resolve } = createRequire(path.join(program, from));
        if (!resolve(name).startsWith(program + path.sep)) missing.push(`${from}: ${name} outside`);
      } catch {
        missing.push(`${from}: ${name}`);
      }
    };
    const ours = [...files.keys()].filter((name) => /^dist\/(main|server)\/.*\.[cm]js$/.test(name));
    // What people add themselves, e.g. for --database.
    const { peerDependenciesMeta: peers } = JSON.parse(
      readFileSync(path.join(root, 'package.json'), 'utf8'),
    ) as { peerDependenciesMeta: Record<string, { optional: boolean }> };
    const optionalPeers = new Set(Object.keys(peers).filter((name) => peers[name]?.optional));
    let found = 0;
    for (const file of ours) {
      const text = readFileSync(path.join(program, file), 'utf8');
      // Not by a pattern: the help's samples are texts with imports in them.
      for (const { fileName: name } of ts.preProcessFile(text, true, true).importedFiles) {
        const isForeign = /^(?:@[\w.-]+\/)?[\w-][\w.-]*(?:\/|$)/.test(name);
        if (!isForeign || isBuiltin(name) || name === 'electron') continue;
        if (optionalPeers.has(name)) continue;
        found++;
        find(file, name);
      }
    }
    expect(found).toBeGreaterThan(10);
    // And what those name in turn.
    for (const file of files.keys()) {
      if (!/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file)) continue;
      const { dependencies = {} } = JSON.parse(readFileSync(path.join(program, file), 'utf8')) as {
        dependencies?: Record<string, string>;
      };
      for (const name of Object.keys(dependencies)) {
        if (isBuiltin(name)) continue;
        const folders = createRequire(path.join(program, file)).resolve.paths(name) ?? [];
        const isThere = folders.some(
          (folder) => folder.startsWith(program) && existsSync(path.join(folder, name)),
        );
        if (!isThere) missing.push(`${file}: ${name}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('is no larger than main/README.md says', () => {
    const listed = readFileSync(path.join(root, 'main/README.md'), 'utf8');
    const limits = new Map<string, number>();
    for (const [, part = '', megabytes] of listed.matchAll(/^\| `([^`]+)` \| (\d+) MB \|/gm)) {
      limits.set(part, Number(megabytes) * 1e6);
    }
    const sizes = new Map<string, number>();
    for (const [name, isUnpacked] of files) {
      const part = isUnpacked ? name.split('/').slice(0, 2).join('/') : 'app.asar';
      // Downloaded where it is packed for people: here the one of 2018 stands for it.
      if (part === 'node_modules/@ffmpeg-installer') continue;
      const { size } = statSync(path.join(isUnpacked ? beside : program, name));
      sizes.set(part, (sizes.get(part) ?? 0) + size);
    }
    expect([...sizes.keys()].sort()).toEqual([...limits.keys()].sort());
    const tooLarge = [...sizes].filter(([part, size]) => size > (limits.get(part) ?? 0));
    expect(tooLarge).toEqual([]);
  });

  test('names every package that is in it, with its licence', () => {
    const notices = readFileSync(path.join(program, 'dist/window/notices.txt'), 'utf8');
    const packed = [...files.keys()].flatMap((name) => {
      const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(name)?.[1];
      return found === undefined ? [] : [found];
    });
    expect(packed.length).toBeGreaterThan(50);
    expect(packed.filter((name) => !notices.includes(`\n${name} `))).toEqual([]);
  });

  test('holds nothing that was only needed for building', () => {
    const useless = /\.(map|ts|cts|svelte)$|^(test|main|server|renderer|shared)\//;
    const own = [...files.keys()].filter((name) => !name.startsWith('node_modules/'));
    expect(own.filter((name) => useless.test(name))).toEqual([]);
    const tools = ['electron', 'electron-builder', 'vite', 'typescript', 'vitest', 'svelte'];
    expect(tools.filter((name) => files.has(`node_modules/${name}/package.json`))).toEqual([]);
  });

  test('F126 F127: starts server and worker from a folder that it cannot write, and renders a sample with its own encoder', async () => {
    const data = path.join(folder, 'data');
    mkdirSync(data);
    // Root may write anywhere, so that the program is run as somebody else then.
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(folder, 0o755);
    if (isRoot) chownSync(data, 65_534, 65_534);
    else execFileSync('chmod', ['-R', 'a-w', program, beside]);
    const args = ['serve', '--port', '0', '--data', data, '--api-key', 'key'];
    // No ffmpeg of the system: the packed one.
    const env = { PATH: path.dirname(process.execPath), HOME: folder };
    server = fork(path.join(program, 'dist/server/cli.mjs'), args, {
      env,
      execArgv: [],
      cwd: folder,
      silent: true,
      ...user,
    });
    const wait = { timeout: 20_000, interval: 50 };
    const runtimeFile = path.join(data, 'runtime.json');
    await vi.waitFor(() => expect(existsSync(runtimeFile)).toBe(true), wait);
    const { apiUrl } = JSON.parse(readFileSync(runtimeFile, 'utf8')) as { apiUrl: string };
    const headers = { authorization: 'Bearer key', 'content-type': 'application/json' };
    const ask = async (place: string, body?: object): Promise<unknown> => {
      const post = { method: 'POST', body: JSON.stringify(body) };
      const answer = await fetch(`${apiUrl}/v2/${place}`, { headers, ...(body && post) });
      return answer.json();
    };
    const templates = (await ask('templates')) as { id: string; name: string }[];
    const sample = templates.find(({ name }) => name === 'Gif sticker');
    // As a film: the drawing library, a font, a picture, and the encoder all take part.
    const modifications = { output_format: 'mp4', duration: 0.4 };
    const body = { template_id: sample?.id, render_scale: 0.5, modifications };
    const { id } = (await ask('renders', body)) as { id: string };
    const record = await vi.waitFor(async () => {
      const found = (await ask(`renders/${id}`)) as Record<string, unknown>;
      if (found['status'] !== 'succeeded' && found['status'] !== 'failed') throw new Error('busy');
      return found;
    }, wait);
    expect(record).toMatchObject({ status: 'succeeded', width: 180, height: 180 });
    const file = path.join(data, 'output', `Gif sticker ${id.slice(0, 13)}.mp4`);
    expect(statSync(file).size).toBeGreaterThan(1000);

    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
    server = null;
  }, 60_000);
});
