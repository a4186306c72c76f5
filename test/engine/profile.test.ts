/**
 * `npm run bench -- profile` over a real render: every part that a film has is there, and so are its processes and
 * elements.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { engineEnvironment } from '../../server/jobs/worker/fork-worker.ts';

const script = fileURLToPath(new URL('../bench/profile.mjs', import.meta.url));

test('a profile names the parts of a render, which add up to it, its programs and its elements', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-profile-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const source = {
    output_format: 'mp4',
    width: 64,
    height: 64,
    frame_rate: 10,
    duration: 1,
    elements: [
      { type: 'shape', width: 20, height: 20, fill_color: '#f00', x: [{ time: 0, value: 0 }] },
      { type: 'text', text: 'A', font_size: 20, fill_color: '#fff' },
    ],
  };
  const file = path.join(folder, 'source.json');
  await writeFile(file, JSON.stringify(source));

  const { stdout } = await promisify(execFile)(process.execPath, [script, file]);

  const [whole = '', parts = '', programs = '', elements = ''] = stdout.split('\n\n');
  const milliseconds = (text: string): number => Number(/([\d.]+) ms/.exec(text)?.[1]);
  for (const part of [
    'fetch and probe',
    'layout',
    'paint',
    'read back',
    'convert',
    'pipe',
    'other',
  ])
    expect(parts).toContain(`${part} `);
  const sum = parts
    .split('\n')
    .slice(1)
    .reduce((total, row) => total + milliseconds(row), 0);
  // Each row is rounded.
  expect(Math.abs(sum - milliseconds(whole))).toBeLessThan(2);
  expect(programs).toMatch(/worker +[\d.]+ s/);
  expect(programs).toMatch(/encoder +[\d.]+ s/);
  expect(elements).toMatch(/elements\[0\] +[\d.]+ ms/);
  expect(elements).toMatch(/elements\[1\] +[\d.]+ ms/);
});

test('a server that was started with the variable of a profile does not hand it to its workers', () => {
  process.env['FRAMEWRIGHT_PROFILE'] = '/nowhere';
  onTestFinished(() => {
    delete process.env['FRAMEWRIGHT_PROFILE'];
  });
  expect(engineEnvironment()).not.toHaveProperty('FRAMEWRIGHT_PROFILE');
});
