/** The machines of a farm on the Queue page: real servers and workers on a real PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runAt, startPostgres, type OwnPostgres } from '../helpers/own-postgres.ts';
import { findPostgres } from '../postgres-programs.mjs';
import { lookAt } from './look.ts';
import { expect, openWindow, Program, test } from './program.ts';

let postgres: OwnPostgres | null = null;
test.beforeAll(async () => {
  if (findPostgres() !== null) postgres = await startPostgres();
});
test.afterAll(() => postgres?.remove());

const program = path.resolve(import.meta.dirname, '../../dist/server/cli.mjs');

/** A film of which every frame is another. */
const film = {
  output_format: 'mp4',
  width: 640,
  height: 640,
  frame_rate: 30,
  duration: 600,
  elements: [
    {
      ...{ type: 'shape', width: '50%', height: '50%', fill_color: '#2447d8' },
      animations: [{ type: 'spin', time: 0, duration: 600, easing: 'linear', rotation: '360°' }],
    },
  ],
};

test('each machine says what it does, its versions and its faults; without a farm there are none', async ({
  page,
  own,
}) => {
  test.skip(!postgres, 'PostgreSQL is not installed');
  test.setTimeout(120_000);
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-machines-'));
  const url = postgres?.url ?? '';
  const farm = ['--database', url, '--shared', path.join(folder, 'shared')];
  const server = new Program();
  let worker: ChildProcess | undefined;
  try {
    await openWindow(page, own);
    await expect(page.getByTestId('page-queue')).toHaveAttribute('data-state', 'empty');
    await expect(page.getByTestId('machines')).toHaveCount(0);

    await server.start(0, false, [...farm, '--no-worker']);
    await server.remember({ machinesShown: false });
    await openWindow(page, server);
    await expect(page.getByTestId('machines')).toHaveCount(0);

    const started = spawn(
      process.execPath,
      [program, 'worker', ...farm, '--data', path.join(folder, 'worker')],
      { stdio: 'ignore' },
    );
    worker = started;
    const head = page.getByTestId('machines').getByRole('button', { name: 'Machines' });
    await expect(head).toContainText('1 machine');
    await head.click();
    const machines = page.getByTestId('machine');
    await expect(machines).toContainText('Idle');
    await expect(machines).toContainText(/Framewright \d+\.\d+\.\d+ · ffmpeg \d/);

    const { id } = await server.createRender({ source: film });
    await expect(machines.getByRole('progressbar')).toBeVisible();
    await expect(head).toContainText('1 working');
    await expect(page.getByRole('contentinfo')).toContainText('Rendering');
    await machines.getByRole('button').click();
    await expect(page).toHaveURL(new RegExp(id));
    await page.getByRole('button', { name: 'Close details' }).click();

    // Others, as their rows say: one of another version, one whose renderer does not start.
    const seen = { slots: 2, renders: [], startedAt: Date.now() - 7_200_000, failed: 0 };
    const other = { ...seen, name: 'studio-b', version: '0.0.9', ffmpeg: '5.1.6-0+deb12u1' };
    const broken = {
      ...{ ...seen, name: 'garage', version: '0.1.0', ffmpeg: null, rendererFails: true },
      ...{ failed: 3, lastFailure: 'Render error: The renderer stopped unexpectedly' },
    };
    for (const facts of [other, broken]) {
      await runAt(
        url,
        `INSERT INTO framewright.machines (id, facts, seen_at)
         VALUES (gen_random_uuid(), '${JSON.stringify(facts)}', now() + interval '10 minutes')`,
      );
    }
    await expect(head).toContainText('different versions');
    await expect(page.getByTestId('machines')).toContainText('Framewright 0.0.9, 0.1.0');
    await expect(machines.filter({ hasText: 'garage' })).toContainText('3 attempts failed here.');
    await lookAt(page, 'queue-machines');

    started.kill('SIGKILL');
    await expect(head).toContainText('1 silent');
    const silent = page.locator('[data-testid=machine][data-state=silent]');
    await expect(silent).toContainText(/Not heard of since \d/);
  } finally {
    worker?.kill('SIGKILL');
    await server.remove();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  }
});
