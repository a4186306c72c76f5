/**
 * `framewright render --watch`: again when document, rows or media change, one at a time, until Ctrl-C. Runs the built
 * program.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { gone, startCli, workersOf } from './helpers/cli.ts';
import { readPicture } from './helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

const photo = {
  type: 'image',
  name: 'Photo',
  source: 'media/photo.png',
  width: '100%',
  height: '100%',
};
const card = (fill: string, ...elements: object[]): string =>
  JSON.stringify({ width: 8, height: 8, fill_color: fill, elements });
const colour = (name: string): number[] => [...readPicture(at(name)).data.slice(0, 3)];

test('renders again on change of the document and of its media, and ends with Ctrl-C', async () => {
  await mkdir(at('media'));
  const [red, green, blue] = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ];
  writeFileSync(at('card.json'), card('#ff0000'));
  const cli = startCli(folder, ['render', 'card.json', 'out.png', '--watch']);
  const waiting = (times: number): Promise<void> =>
    expect.poll(() => cli.errors.filter((line) => line.startsWith('Watching')).length).toBe(times);
  await waiting(1);
  expect(colour('out.png')).toEqual(red);

  // As editors save: a file beside it takes its name.
  writeFileSync(at('card.json~'), card('#00ff00'));
  renameSync(at('card.json~'), at('card.json'));
  await waiting(2);
  expect(colour('out.png')).toEqual(green);

  // A fault is said, and mended.
  writeFileSync(at('card.json'), '{ "width": ');
  await waiting(3);
  expect(cli.errors.join('\n')).toContain('card.json is not valid JSON');
  expect(colour('out.png')).toEqual(green);

  // A file that is not there yet, then is, then is another one.
  writeFileSync(at('card.json'), card('#00ff00', photo));
  await waiting(4);
  expect(cli.errors.join('\n')).toContain('Photo.source');
  const picture = async (fill: string): Promise<void> => {
    writeFileSync(at('fill.json'), card(fill));
    const made = startCli(folder, ['render', 'fill.json', `fill.png`]);
    expect(await made.ended).toBe(0);
    await copyFile(at('fill.png'), at('media/photo.png'));
  };
  await picture('#0000ff');
  await waiting(5);
  expect(colour('out.png')).toEqual(blue);
  await picture('#ff0000');
  await waiting(6);
  expect(colour('out.png')).toEqual(red);

  const workers = process.platform === 'linux' ? workersOf(cli.child.pid ?? 0) : [];
  cli.child.kill('SIGINT');
  expect(await cli.ended).toBe(0);
  await gone(workers);
});

test('many saves at once are one render, and Ctrl-C stops one that is under way', async () => {
  const film = (fill: string): string =>
    JSON.stringify({
      ...{ width: 640, height: 640, frame_rate: 60, duration: 30, fill_color: fill },
      elements: [
        {
          type: 'shape',
          width: '50%',
          height: '50%',
          fill_color: '#fff',
          animations: [{ type: 'spin', duration: 30 }],
        },
      ],
    });
  writeFileSync(at('film.json'), film('#ff0000'));
  const cli = startCli(folder, [
    'render',
    'film.json',
    'film.mp4',
    '--watch',
    '--json',
    '--scale',
    '0.1',
  ]);
  const workers = new Set<number>();
  const timer = setInterval(() => {
    if (process.platform !== 'linux') return;
    for (const pid of workersOf(cli.child.pid ?? 0)) workers.add(pid);
  }, 10);
  cli.child.once('close', () => clearInterval(timer));
  await expect.poll(() => cli.lines.length).toBe(1);
  for (let time = 0; time < 5; time++) writeFileSync(at('film.json'), film(`#00ff0${time}`));
  await expect.poll(() => cli.lines.length).toBe(2);
  writeFileSync(at('film.json'), film('#0000ff'));
  await expect.poll(() => cli.lines.length).toBe(3);
  writeFileSync(at('film.json'), film('#00ffff'));
  // By then it renders; if not, it ends all the same.
  await pause(400);
  cli.child.kill('SIGINT');
  expect(await cli.ended).toBe(0);
  expect(
    cli.lines.slice(0, 3).map((line) => (JSON.parse(line) as { status: string }).status),
  ).toEqual(Array(3).fill('succeeded'));
  await gone([...workers]);
});

test('a document that shows its own file is rendered once', async () => {
  writeFileSync(at('first.json'), card('#0000ff'));
  expect(await startCli(folder, ['render', 'first.json', 'self.png']).ended).toBe(0);
  writeFileSync(at('self.json'), card('#00ff00', { ...photo, source: 'self.png', width: '50%' }));
  const cli = startCli(folder, ['render', 'self.json', 'self.png', '--watch']);
  await expect.poll(() => cli.errors.join('\n')).toContain('Watching');
  await pause(1_500);
  cli.child.kill('SIGINT');
  expect(await cli.ended).toBe(0);
  expect(cli.lines.length).toBe(1);
});

test('is refused for what can’t be watched', async () => {
  const cli = startCli(folder, ['render', '-', 'out.png', '--watch']);
  expect(await cli.ended).toBe(1);
  expect(cli.errors).toEqual(['--watch: Expected a source and rows in files.']);
});
