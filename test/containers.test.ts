/**
 * Dockerfile and compose.yaml against the program: nothing here runs Docker, but each command, option, path, package
 * and address that they name is one that there is.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageFile from '../package.json' with { type: 'json' };
import { commandRows } from '../server/commands/command-rows.ts';
import { readOptions } from '../server/commands/option-rows.ts';
import { send, startTestServer, type TestServer } from './helpers/server.ts';

const root = path.join(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const text = z.string();
const compose = z
  .object({
    services: z.record(
      text,
      z.object({
        image: text,
        build: text.optional(),
        command: z.array(text).optional(),
        environment: z.record(text, text),
        depends_on: z.record(text, z.object({ condition: text })).optional(),
        volumes: z.array(text),
        deploy: z.object({ replicas: z.number() }).optional(),
        ports: z.array(text).optional(),
        healthcheck: z.object({ test: z.array(text) }).optional(),
      }),
    ),
    volumes: z.record(text, z.null()),
  })
  .parse(parse(read('compose.yaml'), { merge: true }));
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);

/** Checks a command of the program as the program does. @returns its options. */
function optionsOf([command = '', ...args]: readonly string[]): Record<string, unknown> {
  expect(Object.keys(commandRows)).toContain(command);
  return readOptions(commandRows[command as keyof typeof commandRows], args).values;
}

describe('compose.yaml', () => {
  test('has a database, an API and two workers with the same storage', () => {
    expect(services.map(([name]) => name)).toEqual(['database', 'api', 'worker']);
    const [storage, own] = ['storage:/storage', ['data:/data', 'shared:/shared']];
    expect(compose.services['api']?.volumes).toEqual([...own, storage]);
    // Nothing of the API's reaches the workers by a volume.
    expect(compose.services['worker']?.volumes).toEqual([storage]);
    expect(compose.services['worker']?.deploy?.replicas).toBe(2);
    const [api, worker] = ours.map(([, { command }]) => optionsOf(command ?? []));
    for (const name of ['database', 'storage']) expect(api?.[name]).toBe(worker?.[name]);
    expect([api?.['shared'], worker?.['shared']]).toEqual(['/shared', undefined]);
  });

  test.each(ours)('%s is started with options that there are', (_name, { command, volumes }) => {
    const { database, storage, data, shared } = optionsOf(command ?? []);
    const address = new URL(String(database));
    expect(compose.services).toHaveProperty(address.hostname);
    const { environment } = compose.services[address.hostname]!;
    expect([address.username, address.pathname]).toEqual([
      environment['POSTGRES_USER'],
      `/${environment['POSTGRES_DB']}`,
    ]);
    for (const folder of [storage, data, shared])
      if (folder !== undefined) expect(volumes.map((one) => one.split(':')[1])).toContain(folder);
  });

  test('the password is the same, comes from outside, and has no default', () => {
    const given = ours.map(([, { environment }]) => environment['PGPASSWORD']);
    const taken = compose.services['database']?.environment['POSTGRES_PASSWORD'];
    for (const one of given) expect(one).toBe(taken);
    expect(taken).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
    expect(read('compose.yaml')).not.toMatch(/:[^@/\s]+@database/);
  });

  test('what is waited for and mounted is there', () => {
    for (const [, { depends_on: needed = {}, volumes }] of services) {
      for (const [name, { condition }] of Object.entries(needed)) {
        expect(condition).toBe('service_healthy');
        expect(compose.services[name]?.healthcheck).toBeDefined();
      }
      for (const volume of volumes) expect(compose.volumes).toHaveProperty(volume.split(':')[0]!);
    }
  });

  test('the API is for this computer alone until somebody decides otherwise', () => {
    const { host, port, 'allow-host': names } = optionsOf(compose.services['api']?.command ?? []);
    expect([host, port, names]).toEqual(['0.0.0.0', '4820', ['api']]);
    expect(compose.services['api']?.ports).toEqual([`127.0.0.1:${String(port)}:${String(port)}`]);
  });

  describe('its check of health', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startTestServer({ host: '0.0.0.0' });
    });
    afterAll(() => server.stop());

    test('asks an address that answers', async () => {
      const script = compose.services['api']?.healthcheck?.test.at(-1) ?? '';
      const [, address = ''] = /fetch\('([^']+)'\)/.exec(script) ?? [];
      const { port } = new URL(server.running.apiUrl);
      const answer = await send(address.replace(':4820', `:${port}`));
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok', problems: [] }]);
    });
  });
});

describe('Dockerfile', () => {
  const lines = read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n */g, '')
    .split('\n')
    .filter((line) => line !== '');
  const stages = lines.flatMap((line) => /^FROM \S+ AS (\S+)$/.exec(line)?.[1] ?? []);
  const ignored = read('.dockerignore').split('\n');

  test('Node is one that the program runs on', () => {
    const versions = lines.flatMap((line) => /^FROM node:(\d+)-/.exec(line)?.[1] ?? []);
    expect(versions.length).toBe(3);
    const least = Number(/\d+/.exec(packageFile.engines.node)?.[0]);
    for (const version of versions) expect(Number(version)).toBeGreaterThanOrEqual(least);
  });

  test('what is copied is there, and sent to Docker', () => {
    const copied = lines.flatMap(
      (line) => /^COPY (?!--from)(.+)$/.exec(line)?.[1]?.split(' ').slice(0, -1) ?? [],
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const name of copied) {
      expect(existsSync(path.join(root, name)), name).toBe(true);
      expect(ignored).not.toContain(name);
    }
    const from = lines.flatMap((line) => /^COPY --from=(\S+)/.exec(line)?.[1] ?? []);
    for (const stage of from) expect(stages).toContain(stage);
  });

  test('its scripts are scripts of the package, and what it installs are the optional peers', () => {
    const scripts = lines.flatMap((line) =>
      [...line.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!),
    );
    expect(scripts).toEqual(['build']);
    for (const script of scripts) expect(packageFile.scripts).toHaveProperty([script]);
    const [, installed = ''] =
      /npm install ((?:--\S+ )*.*)$/.exec(
        lines.find((line) => line.includes('npm install')) ?? '',
      ) ?? [];
    const names = installed.split(' ').filter((word) => word !== '' && !word.startsWith('--'));
    expect(names.sort()).toEqual(Object.keys(packageFile.peerDependencies).sort());
  });

  test('what starts is the program, with options that there are', () => {
    expect(
      lines.some((line) =>
        line.includes(`/framewright/${packageFile.bin.framewright} /usr/local/bin/framewright`),
      ),
    ).toBe(true);
    expect(lines).toContain('ENTRYPOINT ["framewright"]');
    const command = JSON.parse(lines.find((line) => line.startsWith('CMD '))!.slice(4)) as string[];
    expect(optionsOf(command)).toEqual({ host: '0.0.0.0', data: '/data' });
    expect(lines).toContain('USER node');
  });
});
