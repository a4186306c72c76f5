/**
 * `framewright render --data`: one worker for all rows, which may be lost and may be stopped. Runs the built program.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesOf } from '../server/commands/render-rows.ts';
import { gone, startCli, workersOf, type RunningCli } from './helpers/cli.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rows = 12;
const box = { type: 'shape', name: 'Box', width: '100%', height: '100%', fill_color: '#00ff00' };
beforeAll(() => {
  const card = { width: 16, height: 16, frame_rate: 10, duration: 1, elements: [box] };
  // Long enough to be met while it is made.
  const film = { ...card, width: 640, height: 640, frame_rate: 60, duration: 60 };
  const turning = { ...box, width: '50%', animations: [{ type: 'spin', duration: 60 }] };
  const colours = Array.from({ length: rows }, (_, index) => `#0000${index + 10}`);
  writeFileSync(path.join(folder, 'card.json'), JSON.stringify(card));
  writeFileSync(path.join(folder, 'film.json'), JSON.stringify({ ...film, elements: [turning] }));
  writeFileSync(path.join(folder, 'rows.csv'), ['Box.fill_color', ...colours].join('\n'));
  writeFileSync(path.join(folder, 'few.csv'), ['Box.fill_color', ...colours.slice(9)].join('\n'));
});

test.each(['__proto__', 'constructor', 'toString'])(
  'a table without a column %s has no value for it',
  (name) => {
    expect(() => filesOf(`{${name}}.png`, [{ a: '1' }], {})).toThrow(
      `Row 1 has no value for {${name}} in the name of the file.`,
    );
  },
);

interface Line {
  readonly file: string;
  readonly status: string;
  readonly error_message?: string;
}
const told = ({ lines }: RunningCli): Line[] => lines.map((line) => JSON.parse(line) as Line);

/** Workers that it has had so far, looked at often. */
function watchWorkers({ child }: RunningCli): Set<number> {
  const seen = new Set<number>();
  const timer = setInterval(() => {
    for (const pid of workersOf(child.pid ?? 0)) seen.add(pid);
  }, 5);
  child.once('close', () => clearInterval(timer));
  return seen;
}

describe.skipIf(process.platform !== 'linux')('rows of a table', () => {
  test('are made by one worker', async () => {
    const cli = startCli(folder, [
      ...['render', 'card.json', 'cards/{n}.png', '--data', 'rows.csv', '--json'],
    ]);
    const workers = watchWorkers(cli);
    expect(await cli.ended).toBe(0);
    expect(told(cli).map(({ status }) => status)).toEqual(Array(rows).fill('succeeded'));
    // A busy computer may have another one started beside it.
    expect(workers.size).toBeGreaterThan(0);
    expect(workers.size).toBeLessThanOrEqual(3);
    await gone([...workers]);
  });

  test('of which one is lost with its worker: the others are made', async () => {
    const cli = startCli(folder, [
      ...['render', 'film.json', 'lost/{n}.mp4', '--data', 'few.csv', '--json', '--scale', '0.1'],
    ]);
    const workers = watchWorkers(cli);
    await expect.poll(() => cli.lines.length).toBeGreaterThan(0);
    for (const pid of workersOf(cli.child.pid ?? 0)) process.kill(pid, 'SIGKILL');
    expect(await cli.ended).toBe(1);
    const lost = told(cli).filter(({ status }) => status === 'failed');
    expect(lost.length).toBe(1);
    expect(lost[0]?.error_message).toContain('The renderer stopped unexpectedly');
    expect(cli.lines.length).toBe(3);
    await gone([...workers]);
  });

  test('end with Ctrl-C: nothing more is begun, and no process stays', async () => {
    const cli = startCli(folder, [
      ...['render', 'film.json', 'stopped/{n}.mp4', '--data', 'rows.csv', '--json'],
    ]);
    const workers = watchWorkers(cli);
    await expect.poll(() => workers.size).toBeGreaterThan(0);
    cli.child.kill('SIGINT');
    await cli.ended;
    // Shells and scripts stop as well.
    expect(cli.child.signalCode).toBe('SIGINT');
    expect(told(cli)).toMatchObject([
      { status: 'failed', row: 1, code: 'cancelled', error_message: 'Render error: Cancelled' },
    ]);
    expect(existsSync(path.join(folder, 'stopped', '02.mp4'))).toBe(false);
    await gone([...workers]);
  });
});
