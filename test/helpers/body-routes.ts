/**
 * Every route that a client can write to, with large and hostile bodies for it. `writingRoutes` reads the routes from
 * the program's source, so that no new one can be left out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Row } from '../../shared/api/row.ts';
import { manifestOf, templateOf, zipOf } from './shared-archive.ts';
import { rowsNamed } from './window-rows.ts';

const server = path.join(import.meta.dirname, '../../server');

/** The rows that a source of the server serves. */
function servedRows(source: string): readonly Row[] {
  return [...source.matchAll(/\bserveRows\(\s*(\w+)/g)].flatMap(([, name = '']) => rowsNamed(name));
}

/** The writing routes of the API and the window, e.g. `window/feeds PUT /feeds/:id/rows`. */
export function writingRoutes(): string[] {
  const found = ['api', 'window'].flatMap((folder) =>
    sourcesIn(folder).flatMap((name) => {
      const source = readFileSync(path.join(server, folder, name), 'utf8');
      const place = `${folder}/${name.replace(/\.ts$/, '').replaceAll('\\', '/')}`;
      const calls = source.matchAll(/\b\w+\s*\.(post|put|patch)\(\s*['"`](\/[^'"`]*)/g);
      const rows = source.matchAll(/\b(?:route|ofServer)\(\s*'(POST|PUT|PATCH) ([^']*)'/g);
      const written = [...calls, ...rows].map(([, method = '', at = '']) => ({
        method: method.toUpperCase(),
        path: at,
      }));
      const served = servedRows(source).filter(({ method }) => /^(POST|PUT|PATCH)$/.test(method));
      return [...written, ...served].map((one) => `${place} ${one.method} ${one.path}`);
    }),
  );
  return [...new Set(found)].sort();
}

function sourcesIn(folder: string): string[] {
  const files = readdirSync(path.join(server, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((name) => name.endsWith('.ts'));
}

/** What exists while the routes are tested. */
export interface Things {
  readonly template: string;
  readonly feed: string;
  readonly render: string;
  /** IDs of the columns of the feed. */
  readonly columns: readonly string[];
}

/** A request. */
export interface Attack {
  /** Path below the API; `/api/…`: path below the window. */
  readonly target: string;
  /** JSON, or bytes as they are. */
  readonly body: object | Buffer;
}

/** A body that is hard to read and useless to any route. @param size approximate bytes */
export function smallParts(size: number): object {
  return { x: Array.from({ length: size / 4 }, () => [0]) };
}

const picture = { output_format: 'png', width: 10, height: 10, elements: [] };
/** A document with this many bytes of elements. */
const largeDocument = (size: number): object => ({
  ...picture,
  elements: Array.from({ length: Math.min(9_000, size / 100) }, (_, index) => ({
    type: 'text',
    name: `T${index}`,
    text: 'x'.repeat(Math.max(1, size / 9_000 - 60)),
  })),
});
/** A document with this many bytes in unknown parts. */
const oddDocument = (size: number): object => ({
  ...picture,
  note: Array.from({ length: size / 4 }, () => [0]),
});
const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `00000000-0000-4000-8000-${1e11 + index}`);
const rowsOf = (size: number, columns: readonly string[]): object[] => {
  const count = Math.min(10_000, size / 100);
  const value = 'v'.repeat(Math.max(1, size / count / columns.length - 50));
  const values = Object.fromEntries(columns.map((id) => [id, value]));
  return Array.from({ length: count }, (_, index) => ({ id: `r${index}`, values }));
};
const tableOf = (size: number): Buffer => {
  const line = Array.from({ length: 50 }, () => 'v').join(',');
  return Buffer.from(
    `${line.replace(/v/g, () => `c${Math.random()}`)}\n${`${line}\n`.repeat(Math.min(9_999, size / 100))}`,
  );
};

type Attacks = (things: Things, size: number) => readonly Attack[];

/** For routes that only accept small bodies. */
const small =
  (target: (things: Things) => string): Attacks =>
  (things, size) => [
    { target: target(things), body: smallParts(size) },
    { target: target(things), body: smallParts(110_000) },
  ];
/** For routes that read no body. */
const none =
  (target: (things: Things) => string): Attacks =>
  (things) => [{ target: target(things), body: {} }];

/** A shared template whose document has about this many bytes in small parts, and no file that it lists. */
const sharedBomb = (size: number): Buffer =>
  zipOf([manifestOf([]), { ...templateOf({ elements: [], ...smallParts(size) }), deflate: true }]);

/** The attacks on each of `writingRoutes`. */
export const attacksOn: Readonly<Record<string, Attacks>> = {
  'api/renders POST /v2/renders': (_things, size) => [
    { target: '/v2/renders', body: { ...largeDocument(size) } },
  ],
  'api/renders POST /v1/renders': (_things, size) => [
    { target: '/v1/renders', body: { source: oddDocument(size), dry_run: true } },
  ],
  'api/render-list POST /v2/renders/{id}/cancel': none(
    ({ render }) => `/v2/renders/${render}/cancel`,
  ),
  'api/previews POST /v2/previews': (_things, size) => [
    { target: '/v2/previews', body: { source: largeDocument(size) } },
    { target: '/v2/previews', body: { source: oddDocument(size) } },
  ],
  'api/mcp/endpoint POST /mcp': (_things, size) => [
    {
      target: '/mcp',
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: smallParts(size) },
    },
    {
      target: '/mcp',
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'validate', arguments: { source: oddDocument(100_000) } },
      },
    },
  ],
  'api/transcripts POST /v2/transcripts': (_things, size) => [
    { target: '/v2/transcripts', body: { source: 'x'.repeat(size) } },
    { target: '/v2/transcripts', body: { source: 'none.wav', words: 'x'.repeat(size) } },
  ],
  'api/templates POST /v2/templates': (_things, size) => [
    { target: '/v2/templates', body: { name: 'Large', source: largeDocument(size) } },
    { target: '/v2/templates', body: { name: 'Odd', source: oddDocument(size) } },
  ],
  'api/templates PATCH /v2/templates/{id}': ({ template }, size) => [
    { target: `/v2/templates/${template}`, body: { source: largeDocument(size) } },
  ],
  'api/templates POST /v2/templates/{id}/restore': none(
    ({ template }) => `/v2/templates/${template}/restore`,
  ),
  'api/webhooks POST /v2/webhook-secret/rotate': none(() => '/v2/webhook-secret/rotate'),
  'api/webhooks POST /v2/webhook-deliveries/{id}/retry': none(
    () => '/v2/webhook-deliveries/none/retry',
  ),
  'api/webhooks POST /v2/projects/{id}/webhook-secret/rotate': none(
    () => '/v2/projects/none/webhook-secret/rotate',
  ),
  'api/projects POST /v2/projects': small(() => '/v2/projects'),
  'api/projects PATCH /v2/projects/{id}': small(() => '/v2/projects/default'),
  'api/projects POST /v2/projects/{id}/keys': small(() => '/v2/projects/default/keys'),
  'api/fonts POST /v2/fonts': (_things, size) => [
    { target: '/v2/fonts?name=a.ttf', body: Buffer.alloc(size, 'x') },
  ],
  'api/feed-tables POST /v2/feeds': (_things, size) => [
    { target: '/v2/feeds?name=Table', body: tableOf(size) },
  ],
  'api/feed-tables PATCH /v2/feeds/{id}': small(({ feed }) => `/v2/feeds/${feed}`),
  'api/feed-tables POST /v2/feeds/{id}/table': ({ feed }, size) => [
    { target: `/v2/feeds/${feed}/table`, body: tableOf(size) },
  ],
  'api/feed-tables POST /v2/feeds/{id}/rows': ({ feed, columns }, size) => [
    { target: `/v2/feeds/${feed}/rows`, body: smallParts(size) },
    { target: `/v2/feeds/${feed}/rows`, body: { rows: rowsOf(size, columns) } },
  ],
  'api/feed-tables POST /v2/feeds/{id}/render': ({ feed }, size) => [
    { target: `/v2/feeds/${feed}/render`, body: { rows: ids(Math.min(10_000, size / 40)) } },
    { target: `/v2/feeds/${feed}/render`, body: smallParts(size) },
  ],
  'api/backups POST /v2/backups': none(() => '/v2/backups'),
  'api/backups POST /v2/backups/{id}/restore': small(() => '/v2/backups/own-none/restore'),
  'api/settings PATCH /v2/settings': small(() => '/v2/settings'),
  'api/template-shares POST /v2/templates/import': (_things, size) => [
    { target: '/v2/templates/import', body: Buffer.alloc(size, 'x') },
    { target: '/v2/templates/import', body: sharedBomb(size) },
  ],
  'api/media POST /v2/media': (_things, size) => [
    { target: '/v2/media?name=a.png', body: Buffer.alloc(size, 'x') },
  ],
  'api/media POST /v1/assets': (_things, size) => [
    { target: '/v1/assets', body: Buffer.alloc(size, 'x') },
  ],
  'api/render-batch POST /v2/renders/batch': (_things, size) => [
    { target: '/v2/renders/batch', body: { renders: smallParts(size) } },
    { target: '/v2/renders/batch', body: { renders: Array.from({ length: size / 4 }, () => [0]) } },
    {
      target: '/v2/renders/batch',
      body: { renders: Array.from({ length: 100 }, () => ({ source: largeDocument(size / 100) })) },
    },
    {
      target: '/v2/renders/batch',
      body: { renders: [{ source: oddDocument(size), dry_run: true }] },
    },
  ],
  'window/archive POST /templates/:id/share': none(
    ({ template }) => `/api/templates/${template}/share`,
  ),
  'window/archive POST /templates/import': (_things, size) => [
    { target: '/api/templates/import?project=default', body: Buffer.alloc(size, 'PK') },
    { target: '/api/templates/import?project=default', body: sharedBomb(size) },
  ],
  'window/app POST /renderer/start': none(() => '/api/renderer/start'),
  'window/app POST /store/test': none(() => '/api/store/test'),
  'window/app POST /encoder/find': none(() => '/api/encoder/find'),
  'window/archive POST /renders/zip': (_things, size) => [
    {
      target: '/api/renders/zip',
      body: { files: ids(Math.min(10_000, size / 100)).map((id) => ({ id, name: 'n' })) },
    },
    { target: '/api/renders/zip', body: { files: Array.from({ length: size / 4 }, () => [0]) } },
  ],
  'window/drafts PUT /editor/:id': ({ template }, size) => [
    {
      target: `/api/editor/${template}`,
      body: { name: 'A', tags: [], base: 1, source: largeDocument(size) },
    },
  ],
  'window/drafts PUT /editor/:id/draft': ({ template }, size) => [
    {
      target: `/api/editor/${template}/draft`,
      body: { name: 'A', tags: [], base: 1, text: '"\\\n'.repeat(size / 8) },
    },
    { target: `/api/editor/${template}/draft`, body: smallParts(size) },
  ],
  'window/drafts POST /editor/:id/renders': ({ template }, size) => [
    { target: `/api/editor/${template}/renders`, body: { source: largeDocument(size) } },
  ],
  'window/drafts POST /editor/:id/hand-over': ({ template }, size) => [
    {
      target: `/api/editor/${template}/hand-over`,
      body: { form: 'otio', name: 'A', markers: [], source: largeDocument(size) },
    },
    { target: `/api/editor/${template}/hand-over`, body: smallParts(size) },
  ],
  'window/feeds POST /feeds': (_things, size) => [
    { target: '/api/feeds?name=Table', body: tableOf(size) },
  ],
  'window/feeds PUT /feeds/:id/table': ({ feed }, size) => [
    { target: `/api/feeds/${feed}/table`, body: tableOf(size) },
  ],
  'window/feeds PUT /feeds/:id/rows': ({ feed, columns }, size) => [
    { target: `/api/feeds/${feed}/rows`, body: smallParts(size) },
    { target: `/api/feeds/${feed}/rows`, body: { rows: rowsOf(size, columns) } },
  ],
  'window/feeds PATCH /feeds/:id': ({ feed, template }, size) => [
    ...small(() => `/api/feeds/${feed}`)({ feed, template, render: '', columns: [] }, size),
    { target: `/api/feeds/${feed}`, body: { template } },
  ],
  'window/feeds POST /feeds/:id/render': ({ feed }, size) => [
    {
      target: `/api/feeds/${feed}/render`,
      body: { rows: ids(Math.min(10_000, size / 40)) },
    },
    { target: `/api/feeds/${feed}/render`, body: { rows: ['r1', 'r2'] } },
    { target: `/api/feeds/${feed}/render`, body: { rows: [smallParts(size)] } },
  ],
  'window/feeds POST /feeds/:id/check': none(({ feed }) => `/api/feeds/${feed}/check`),
  'window/feeds POST /feeds/look': (_things, size) => [
    { target: '/api/feeds/look?name=a.csv', body: tableOf(size) },
  ],
  'window/feeds PATCH /batches/:id': small(() => '/api/batches/none'),
  'window/library POST /fonts/added': (_things, size) => [
    { target: '/api/fonts/added?name=a.ttf', body: Buffer.alloc(size, 'x') },
  ],
  'window/library POST /media': (_things, size) => [
    { target: '/api/media?name=a.png', body: Buffer.alloc(size, 'x') },
  ],
  'window/preview POST /preview': (_things, size) => [
    {
      target: '/api/preview',
      body: { client: 'a', time: 0, source: largeDocument(size) },
    },
    {
      target: '/api/preview',
      body: { client: 'b', time: 0, source: oddDocument(size), hidden: ids(2_000) },
    },
  ],
  'window/preview POST /preview/models/:name': none(() => '/api/preview/models/none'),
  'window/preview POST /preview/files/:id/transcript': none(
    () => '/api/preview/files/none/transcript',
  ),
  'window/preview POST /preview/files/:id/proxy': none(() => '/api/preview/files/none/proxy'),
  'window/preview POST /preview/sound': (_things, size) => [
    { target: '/api/preview/sound', body: { client: 'a', source: largeDocument(size) } },
    { target: '/api/preview/sound', body: { client: 'b', source: oddDocument(size) } },
  ],
  'window/preview POST /preview/start': none(() => '/api/preview/start'),
  'window/preview POST /preview/wake': none(() => '/api/preview/wake'),
  'window/projects POST /projects': small(() => '/api/projects'),
  'window/projects PATCH /projects/:id': small(() => '/api/projects/default'),
  'window/projects POST /projects/:id/secret': none(() => '/api/projects/default/secret'),
  'window/projects POST /projects/:id/keys': small(() => '/api/projects/default/keys'),
  'window/renders POST /renders/:id/cancel': none(({ render }) => `/api/renders/${render}/cancel`),
  'window/renders POST /renders/:id/again': none(({ render }) => `/api/renders/${render}/again`),
  'window/renders POST /renders/remove': (_things, size) => [
    { target: '/api/renders/remove', body: { ids: ids(Math.min(100_000, size / 40)) } },
    { target: '/api/renders/remove', body: smallParts(size) },
  ],
  'window/diagnostics PATCH /requests': small(() => '/api/requests'),
  'window/renders POST /renders/:id/keep': small(({ render }) => `/api/renders/${render}/keep`),
  'window/renders POST /renders/:id/move': small(({ render }) => `/api/renders/${render}/move`),
  'window/app POST /queue/pause': none(() => '/api/queue/pause'),
  'window/app POST /queue/pause-after/:id': none(
    ({ render }) => `/api/queue/pause-after/${render}`,
  ),
  'window/app POST /queue/resume': none(() => '/api/queue/resume'),
  'window/app POST /output/look': none(() => '/api/output/look'),
  'window/app POST /power/overrule': none(() => '/api/power/overrule'),
  'window/settings PATCH /settings': small(() => '/api/settings'),
  'window/data-folder POST /backups': none(() => '/api/backups'),
  'window/data-folder POST /backups/:place/:name/restore': small(
    () => '/api/backups/data/own-none/restore',
  ),
  'window/settings POST /api-listener': small(() => '/api/api-listener'),
  'window/settings POST /settings/reset': none(() => '/api/settings/reset'),
  'window/settings POST /settings/hardware': none(() => '/api/settings/hardware'),
  'window/settings POST /settings/ffmpeg-test': small(() => '/api/settings/ffmpeg-test'),
  'window/settings POST /settings/port-test': small(() => '/api/settings/port-test'),
  'window/settings PUT /preferences': small(() => '/api/preferences'),
  'window/projects POST /deliveries/:id/retry': none(() => '/api/deliveries/none/retry'),
  'window/projects POST /projects/:id/webhook-test': small(
    () => '/api/projects/default/webhook-test',
  ),
  'window/projects PATCH /webhook-receiver': small(() => '/api/webhook-receiver'),
  'window/speech POST /speech/models': (_things, size) => [
    { target: '/api/speech/models?name=a.bin', body: Buffer.alloc(size, 'x') },
  ],
  'window/voices POST /voices/hear': small(() => '/api/voices/hear'),
  'window/voices POST /voices/try': small(() => '/api/voices/try'),
  'window/templates PATCH /templates/:id/versions/:version': small(
    ({ template }) => `/api/templates/${template}/versions/none`,
  ),
  'window/templates POST /templates': (_things, size) => [
    {
      target: '/api/templates',
      body: { project: 'default', name: 'Large', source: largeDocument(size) },
    },
  ],
  'window/templates POST /templates/:id/duplicate': small(
    ({ template }) => `/api/templates/${template}/duplicate`,
  ),
  'window/templates PATCH /templates/:id': small(({ template }) => `/api/templates/${template}`),
  'window/renders POST /templates/:id/render': none(
    ({ template }) => `/api/templates/${template}/render`,
  ),
  'window/templates POST /deleted-templates/:id/restore': none(
    () => '/api/deleted-templates/none/restore',
  ),
};
