/**
 * The workflows of GitHub against the project: their form, what they may do, and that each command, script, path and
 * version that they name is one that there is. What can run here is run. Nothing else depends on them.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import packageFile from '../package.json' with { type: 'json' };

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, '.github', 'workflows');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

const text = z.string();
const step = z.strictObject({
  uses: text.optional(),
  run: text.optional(),
  if: text.optional(),
  with: z.record(text, z.union([text, z.number(), z.boolean()])).optional(),
});
/**
 * Keys of GitHub's language that are used here; a slip in one is a fault, which GitHub would only tell when it runs.
 */
const workflow = z.strictObject({
  name: text,
  on: z.strictObject({
    push: z.strictObject({ branches: z.array(text).optional(), tags: z.array(text).optional() }),
    pull_request: z.null().optional(),
  }),
  permissions: z.strictObject({ contents: z.literal('read') }),
  concurrency: z.strictObject({ group: text, 'cancel-in-progress': z.boolean() }),
  jobs: z.record(
    text,
    z.strictObject({
      name: text,
      strategy: z.strictObject({
        'fail-fast': z.literal(false),
        matrix: z.record(text, z.array(z.union([text, z.number()]))),
      }),
      'runs-on': text,
      'timeout-minutes': z.number().max(120),
      container: z.strictObject({ image: text, options: text }).optional(),
      defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }),
      steps: z.array(step),
    }),
  ),
});

const files = readdirSync(folder).sort();
const workflows = files.map((name): [string, z.infer<typeof workflow>] => [
  name,
  workflow.parse(parse(read(path.join('.github/workflows', name)))),
]);
const jobOf = (name: string): z.infer<typeof workflow>['jobs'][string] => {
  const [job, ...more] = Object.values(workflows.find(([own]) => own === name)![1].jobs);
  expect(more).toEqual([]);
  return job!;
};
const steps = workflows.flatMap(([name, { jobs }]) =>
  Object.values(jobs).flatMap((job) => job.steps.map((one) => ({ name, ...one }))),
);
const commands = steps.flatMap(({ name, run }): [string, string][] =>
  run === undefined ? [] : [[name, run]],
);

test('there are three, and what names one is said in their first line', () => {
  expect(files).toEqual(['check.yml', 'desktop.yml', 'release.yml']);
  for (const [name, { name: own }] of workflows) expect(`${own}.yml`).toBe(name);
  for (const name of files) expect(read(`.github/workflows/${name}`)).toMatch(/^# \S.+\.\n/);
});

test('they may read, and are told no secret', () => {
  for (const name of files)
    expect(read(`.github/workflows/${name}`)).not.toMatch(
      /secrets|GITHUB_TOKEN|pull_request_target/,
    );
});

test('actions are of GitHub itself, each in one major version', () => {
  const used = [...new Set(steps.flatMap(({ uses }) => uses ?? []))];
  for (const one of used) expect(one).toMatch(/^actions\/[a-z-]+@v\d+$/);
  expect(new Set(used.map((one) => one.split('@')[0])).size).toBe(used.length);
  // One of both.
  for (const { uses, run } of steps) expect([uses, run]).toContain(undefined);
  for (const { uses, run } of steps) expect(uses ?? run).toBeDefined();
});

test('what stands in ${{ }} is there', () => {
  for (const [name, { jobs }] of workflows) {
    const known = Object.values(jobs).flatMap((job) => Object.keys(job.strategy.matrix));
    for (const [, inside = ''] of read(`.github/workflows/${name}`).matchAll(/\$\{\{(.*?)\}\}/g)) {
      const [, ofMatrix] = /^ matrix\.(\w+) $/.exec(inside) ?? [];
      if (ofMatrix === undefined) expect(inside).toBe(' github.ref ');
      else expect(known).toContain(ofMatrix);
    }
  }
  // The name of a branch, e.g., is text of strangers.
  for (const [, command] of commands) expect(command).not.toContain('${{');
});

describe.skipIf(process.platform === 'win32')('commands', () => {
  test.each(commands)('%s: %s', (_name, command) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: command, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    for (const [, script = ''] of command.matchAll(/\bnpm run ([\w:-]+)/g))
      expect(Object.keys(packageFile.scripts)).toContain(script);
    for (const [, program = ''] of command.matchAll(/\bnpx ([\w-]+)/g))
      expect(existsSync(path.join(root, 'node_modules/.bin', program)), program).toBe(true);
    for (const [file] of command.matchAll(/(?<!\S)\.ci\/\w+/g))
      accessSync(path.join(root, file), constants.X_OK);
    // What npm knows itself, a script of ours, or a program that the system has or was given.
    const [first = ''] = command.split(' ');
    const programs = ['npm', 'npx', 'node', 'sudo', 'git', 'test', 'xvfb-run'];
    expect([...programs, '.ci/run', '.ci/wayland']).toContain(first);
    for (const [, file = ''] of command.matchAll(/^node (\S+\.mjs)/g))
      expect(existsSync(path.join(root, file)), file).toBe(true);
  });

  test('what is started was installed before', () => {
    const { steps: own } = jobOf('desktop.yml');
    const at = (form: RegExp): number => own.findIndex(({ run }) => form.test(run ?? ''));
    const installed = at(/apt-get install .*\bxvfb\b.*\bweston\b/);
    expect(installed).toBeGreaterThan(0);
    for (const form of [/^xvfb-run /, /^\.ci\/wayland /])
      expect(at(form)).toBeGreaterThan(installed);
    expect(read('.ci/wayland')).toContain('weston --backend=');
    expect(at(/^npx install-electron$/)).toBeGreaterThan(at(/^npm ci$/));
  });

  test('a tag that is not the version makes no installers', () => {
    const [, command] = commands.find(([, one]) => one.includes('GITHUB_REF_NAME'))!;
    const statusOf = (tag: string): number | null =>
      spawnSync('bash', ['-ec', command], {
        cwd: root,
        env: { ...process.env, GITHUB_REF_NAME: tag },
      }).status;
    expect([`v${packageFile.version}`, 'v99.0.0'].map(statusOf)).toEqual([0, 1]);
  });
});

test('the checks run with the oldest version of Node and with those of test/nodes.mjs', () => {
  const { node } = jobOf('check.yml').strategy.matrix;
  const [, oldest] = /^>=(\d+)/.exec(packageFile.engines.node)!;
  const [, others = ''] = /: \[('\d+'(?:, '\d+')*)\];/.exec(read('test/nodes.mjs'))!;
  expect(node?.map(String)).toEqual([oldest, ...others.replaceAll("'", '').split(', ')]);
});

test('the desktop program runs on every system that there are installers for, under X and Wayland', () => {
  const systems = ['desktop.yml', 'release.yml'].map(
    (name) => jobOf(name).strategy.matrix['system'],
  );
  expect(systems[0]).toEqual(systems[1]);
  expect(systems[0]?.map((one) => String(one).split('-')[0])).toEqual([
    'ubuntu',
    'windows',
    'macos',
  ]);
  const tried = commands.filter(([, one]) => one.includes('npm run test:desktop'));
  expect(tried.map(([, one]) => one.split(' npm ')[0])).toEqual([
    'npm run test:desktop',
    'xvfb-run --auto-servernum',
    '.ci/wayland',
  ]);
});

test('what is kept of a version is each kind of installer that electron-builder.yml names', () => {
  const target = z.union([text, z.object({ target: text })]);
  const targets = z.union([text, z.array(target)]);
  const ofSystem = z.object({ target: targets });
  const builder = z
    .object({
      directories: z.object({ output: text }),
      linux: ofSystem,
      win: ofSystem,
      mac: ofSystem,
    })
    .parse(parse(read('electron-builder.yml')));
  const endings = new Map(
    Object.entries({ AppImage: 'AppImage', deb: 'deb', nsis: 'exe', dmg: 'dmg' }),
  );
  const named = [builder.linux, builder.win, builder.mac].flatMap((system) =>
    [system.target].flat().map((one) => (typeof one === 'string' ? one : one.target)),
  );
  const { with: given } = jobOf('release.yml').steps.find(({ uses }) => uses?.includes('upload'))!;
  expect(String(given?.['path']).trim().split('\n')).toEqual(
    named.map((one) => `${builder.directories.output}/*.${endings.get(one)}`),
  );
  expect(given?.['if-no-files-found']).toBe('error');
});
