/** The help as a site: its pages, their links and pictures, the search, and how it looks in a browser. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sections, topics } from '../../server/api/docs/pages.ts';
import { searchIn } from '../../server/api/docs/search.ts';
import {
  fontFolder,
  galleryFolder,
  sampleFolder,
  defaultDataFolder,
  desktopDataFolder,
  shownDataFolder,
} from '../../server/system/paths.ts';
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import { easingNames } from '../../shared/renderscript/easing.ts';
import { hintProblems } from '../../shared/renderscript/hints.ts';
import { properties } from '../../shared/renderscript/properties.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { fontCell } from '../gallery/font-figures.mjs';
import { easingFigures, propertyFigures } from '../gallery/property-figures.mjs';
import { send, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
const pages = new Map<string, string>();
beforeAll(async () => {
  server = await startTestServer();
  for (const { slug } of topics) {
    const address = slug === '' ? '/docs' : `/docs/${slug}`;
    pages.set(address, (await send(`${server.running.apiUrl}${address}`)).text);
  }
});
afterAll(() => server.stop());

const textOf = (name: string): string => topics.find(({ slug }) => slug === name)?.text('') ?? '';
const serverFolder = path.join(import.meta.dirname, '..', '..', 'server');
const slugOfFont = (family: string): string => family.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const slugOf = (group: string): string => group.toLowerCase().replace(/[^a-z]+/g, '-');

describe('the language', () => {
  test('every property has its place, with pictures if it is drawn', () => {
    for (const { group, name, drawn } of properties) {
      const page = pages.get(`/docs/renderscript/${slugOf(group)}`) ?? '';
      const [, section = ''] = page.split(`<h3 id="${name}">`);
      const own = section.split(/<h[23] /)[0] ?? '';
      expect(own, `${group}.${name}`).toContain('Keyframes:');
      const sheet = `/docs/gallery/properties/${slugOf(group)}.${name}.jpg`;
      if (drawn) expect(own, `${group}.${name}`).toContain(sheet);
    }
  });

  test('every animation has its eight moments, every easing its curve', () => {
    const page = pages.get('/docs/renderscript/animations') ?? '';
    for (const name of animationTypes.keys()) {
      expect(page).toContain(`<h3 id="${name}"><code>${name}</code></h3>`);
      expect(page.split(`src="/docs/gallery/${name}.jpg"`), name).toHaveLength(9);
    }
    const easings = pages.get('/docs/renderscript/easings') ?? '';
    for (const name of easingNames)
      expect(easings).toContain(`<figcaption><code>${name}</code></figcaption>`);
  });

  test('the table of pictures is that of the language, and its documents are valid', () => {
    const drawn = properties
      .filter((row) => row.drawn)
      .map(({ group, name }) => `${group}.${name}`);
    const shown = Object.entries(propertyFigures).flatMap(([group, rows]) =>
      Object.keys(rows).map((name) => `${group}.${name}`),
    );
    expect(shown.sort()).toEqual(drawn.sort());
    const cells = [propertyFigures, { easings: easingFigures }]
      .flatMap((table) => Object.values(table))
      .flatMap((rows) => Object.values(rows))
      .flat();
    expect(cells.length).toBeGreaterThan(350);
    for (const { caption, elements, sound, file } of cells) {
      const source = file ?? { elements: elements ?? sound ?? [] };
      expect(validate(source as Source, {}), caption).toEqual([]);
      const told = hintProblems(source as Source, true).filter(
        ({ severity }) => severity === 'error',
      );
      expect(told, caption).toEqual([]);
    }
  });

  test('a sheet for each picture, none without, and all of them are small', () => {
    const wanted = [...pages.values()].flatMap((page) =>
      [...page.matchAll(/src="\/docs\/gallery\/([^"]+)"/g)].map(([, name = '']) => name),
    );
    const there = readdirSync(galleryFolder(), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll(path.sep, '/'))
      .filter((name) => name.endsWith('.jpg'));
    expect(there.sort()).toEqual([...new Set(wanted)].sort());
    const sizes = there.map((name) => statSync(path.join(galleryFolder(), name)).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60_000);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
  });
});

test('every shipped font has its place on the page, with pictures, and all of them are small', () => {
  const page = pages.get('/docs/fonts') ?? '';
  const list = readFileSync(path.join(fontFolder(), 'fonts.json'), 'utf8');
  const { families } = JSON.parse(list) as { families: readonly { family: string }[] };
  const sheets = families.map(({ family }) => `${slugOfFont(family)}.jpg`);
  expect(sheets.length).toBeGreaterThan(40);
  families.forEach(({ family }, index) => {
    const [, own = ''] = page.split(`>${family}</h3>`);
    const section = own.split('<h3 ')[0] ?? '';
    expect(section, family).toMatch(/Weights \d+.*\. [A-Za-z]/);
    expect(section, family).toContain(`src="/docs/gallery/fonts/${sheets[index] ?? ''}"`);
    // A cell of another form would cut the words.
    expect(section, family).toContain(`aspect-ratio:${fontCell.width}/${fontCell.height};`);
  });
  const sizes = sheets.map((name) => statSync(path.join(galleryFolder(), 'fonts', name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(600_000);
});

describe('the installation', () => {
  test('the data page names this system’s own folders', () => {
    const { platform } = process;
    const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
    const whole = (shown: string): string =>
      path.normalize(
        shown
          .replace(/^~/, os.homedir())
          .replace(/%(\w+)%/, (_, name: string) => process.env[name] ?? ''),
      );
    vi.stubEnv('XDG_DATA_HOME', '');
    vi.stubEnv('XDG_CONFIG_HOME', '');
    vi.stubEnv('FRAMEWRIGHT_DATA', '');
    expect(whole(shownDataFolder(system, 'server'))).toBe(defaultDataFolder());
    expect(whole(shownDataFolder(system, 'desktop'))).toBe(desktopDataFolder());
    vi.unstubAllEnvs();
    for (const one of ['linux', 'darwin', 'win32'] as const)
      expect(pages.get('/docs/data')).toContain(`<code>${shownDataFolder(one, 'server')}</code>`);
  });

  test('the data page knows everything that the program puts into its folder', () => {
    const names = [...textOf('data').matchAll(/^\| (`[a-z].*?) \|/gm)];
    const namedInData = names.flatMap(([, cell = '']) => cell.slice(1, -1).split('`, `'));
    const starts = /path\.join\((?:options\.)?(?:dataFolder|home), '([\w.-]+)'/g;
    const sources = readdirSync(serverFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(path.join(serverFolder, name), 'utf8'));
    const used = sources.flatMap((text) => [...text.matchAll(starts)].map(([, name]) => name));
    expect(used.length).toBeGreaterThan(12);
    expect(used.filter((name) => !namedInData.includes(name ?? ''))).toEqual([]);
    // What is there after a start, however it was named.
    const there = readdirSync(server.dataFolder);
    expect(there.filter((name) => !namedInData.includes(name))).toEqual([]);
  });

  const nginx = ['/usr/sbin/nginx', process.env['NGINX_PATH'] ?? ''].find(
    (file) => file !== '' && existsSync(file),
  );
  test.skipIf(nginx === undefined)('nginx takes the settings', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'docs-nginx-'));
    try {
      const [pem, key] = ['films.pem', 'films.key'].map((name) => path.join(folder, name));
      const asked = `req -x509 -newkey rsa:2048 -nodes -subj /CN=films -keyout ${key} -out ${pem}`;
      execFileSync('openssl', asked.split(' '), { stdio: 'ignore' });
      const [, nginxSample = ''] = /```nginx\n(.*?)```/s.exec(textOf('proxy')) ?? [];
      const settings = nginxSample.replace(/\S+\.pem/, `${pem}`).replace(/\S+\.key/, `${key}`);
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
        .concat(`access_log ${folder}/access.log;`)
        .join('\n');
      const below =
        'server { listen 127.0.0.1:8099; location /framewright/ { proxy_pass http://127.0.0.1:4820/; } }';
      writeFileSync(
        path.join(folder, 'nginx.conf'),
        `pid ${folder}/pid; error_log stderr;\nevents {}\nhttp {\n${places}\n${settings}\n${below}\n}\n`,
      );
      const { status, stderr } = spawnSync(
        nginx ?? '',
        ['-t', '-p', folder, '-c', `${folder}/nginx.conf`],
        { encoding: 'utf8' },
      );
      expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test.each(readdirSync(path.join(sampleFolder(), 'recipes')))('the recipe %s is shown', (file) => {
  const source: unknown = JSON.parse(
    readFileSync(path.join(sampleFolder(), 'recipes', file), 'utf8'),
  );
  expect(isJsonObject(source) ? validate(source, {}) : 'no object').toEqual([]);
  const sheet = `/docs/gallery/recipes/${path.basename(file, '.json')}.jpg`;
  expect(pages.get('/docs/recipes')).toContain(sheet);
});

describe('pages', () => {
  test('no two have the same address, and no two headings of a page the same place', () => {
    expect(pages.size).toBe(topics.length);
    for (const [address, page] of pages) {
      const places = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(places.length, address).toBe(new Set(places).size);
    }
  });

  test('every link leads to a page, and to a place on it', async () => {
    const loaded = new Map(pages);
    for (const [address, page] of pages) {
      for (const [, link = ''] of page.matchAll(/href="([^"]+)"/g)) {
        // Opens the program.
        if (/^framewright:\/\/sample\/[\w-]+$/.test(link)) continue;
        const [to = '', place] = link.split('#');
        const target = to === '' ? address : to;
        if (!loaded.has(target)) {
          const answer = await send(`${server.running.apiUrl}${target}`);
          expect(answer.status, `${address} → ${link}`).toBe(200);
          loaded.set(target, answer.text);
        }
        if (place !== undefined)
          expect(loaded.get(target), `${address} → ${link}`).toContain(` id="${place}"`);
      }
    }
  });

  test('nothing comes from elsewhere', async () => {
    const answer = await send(`${server.running.apiUrl}/docs`);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
    for (const page of pages.values())
      for (const [, source = ''] of page.matchAll(/ src="([^"]+)"/g))
        expect(source).toMatch(/^\/docs\//);
  });

  test('the list has every page once, in sections', () => {
    const [, list = ''] = (pages.get('/docs') ?? '').split('id="page-topics"');
    for (const { name } of sections) expect(list).toContain(`<b>${name}</b>`);
    for (const { title } of topics) expect(list).toContain(`>${title}</a>`);
  });
});

test.each([
  '/docs/gallery/nothing.jpg',
  '/docs/gallery/..%2Fpackage.json',
  '/docs/gallery/properties/..%2f..%2fcaptions.json.jpg',
  '/docs/gallery/captions.json',
  '/docs/gallery/constructor.jpg',
  '/docs/gallery/fade',
])('%s is not there', async (address) => {
  expect((await fetch(`${server.running.apiUrl}${address}`)).status).toBe(404);
});

test.each(['fade', 'properties/text.font_size', 'easings/back', 'recipes/slideshow'])(
  'the sheet %s is a jpg',
  async (name) => {
    const answer = await fetch(`${server.running.apiUrl}/docs/gallery/${name}.jpg`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  },
);

describe('the search', () => {
  const search = searchIn(topics, 'http://127.0.0.1:4820');

  test.each([
    ['font_size', '/docs/renderscript/text#font_size'],
    ['font size', '/docs/renderscript/text#font_size'],
    ['FONT SI', '/docs/renderscript/text#font_size'],
    ['blend', '/docs/renderscript/effects#blend_mode'],
    ['text-slide', '/docs/renderscript/animations#text-slide'],
    ['slideshow', '/docs/recipes#a-slideshow-with-music'],
    ['countdown', '/docs/recipes#a-countdown'],
    ['python', '/docs/python'],
    ['idempotency key', '/docs/renders#sending-a-request-again'],
    ['cancel', '/docs/renders#cancel-a-render'],
    ['webhook signature', '/docs/webhooks'],
    ['rate limit', '/docs/limits'],
    ['doctor', '/docs/command-line#framewright-doctor'],
    ['docker', '/docs/n8n#n8n-in-docker'],
    ['install', '/docs/install'],
    ['back up', '/docs/back-up'],
    ['backup', '/docs/backups#make-a-backup'],
    ['restore', '/docs/back-up'],
    ['uninstall', '/docs/uninstall'],
    ['nginx', '/docs/proxy#nginx'],
    ['gatekeeper', '/docs/install#desktop'],
    ['playfair', '/docs/fonts#playfair-display'],
  ])('%s leads to %s', (question, address) => {
    expect(
      search(question)
        .slice(0, 3)
        .map((finding) => finding.address),
    ).toContain(address);
  });

  test('finds nothing for nothing, and takes any question', () => {
    for (const question of ['', '   ', '?', 'xyzzyx', '<script>', 'a'.repeat(10_000), '\u0000'])
      expect(search(question).length, question).toBeLessThan(13);
    expect(search('xyzzyx')).toEqual([]);
  });

  test('is a page without the script, and a list for it; nothing that is asked becomes a tag', async () => {
    const { apiUrl } = server.running;
    const page = await send(`${apiUrl}/docs/search?q=font_size`);
    expect(page.text).toContain('value="font_size"');
    expect(page.text).toContain('href="/docs/renderscript/text#font_size"');
    const list = await send(`${apiUrl}/docs/search?part=list&q=font_size`);
    expect(list.text).toMatch(/^<li><a href=/);
    const hostile = await send(`${apiUrl}/docs/search?q=${encodeURIComponent('"><script>')}`);
    expect(hostile.text).not.toContain('"><script>');
    expect((await send(`${apiUrl}/docs/search?q=a&q=b`)).status).toBe(200);
    const script = await send(`${apiUrl}/docs/search.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
  });
});
