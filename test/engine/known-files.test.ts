/**
 * Files that are known again by their content: examined once, whatever they are called, and never taken for another.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KnownFiles, probe } from '../../server/engine/assets/examine/probe.ts';
import { RenderError, type RenderErrorCode } from '../../shared/engine/errors.ts';
import { examineLimits } from '../../shared/limits.ts';
import { png } from './assets-loading.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'framewright-known-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, bytes: Buffer | string): string => {
  const place = path.join(folder, name);
  writeFileSync(place, bytes);
  return place;
};

test('the same bytes are examined once, under any name; one byte more, and they are examined anew', async () => {
  const first = file('first', png);
  const second = path.join(folder, 'second');
  copyFileSync(first, second);
  const other = file('other', Buffer.concat([readFileSync(first), Buffer.from([0])]));
  const probed = await probe(first, { ffmpeg: null });
  expect(await probe(second, { ffmpeg: null })).toBe(probed);
  expect(await probe(other, { ffmpeg: null })).not.toBe(probed);
});

test('a failure of the file is kept, one of anything else is not; large files are looked at each time', async () => {
  const known = new KnownFiles<number>();
  const fails =
    (code: RenderErrorCode): (() => Promise<number>) =>
    () => {
      looks++;
      return Promise.reject(new RenderError(code, code));
    };
  let looks = 0;
  const bad = file('bad', 'bad');
  for (let turn = 0; turn < 3; turn++)
    await expect(known.find(bad, 'x', fails('media_unreadable'))).rejects.toThrow('media_unread');
  expect(looks).toBe(1);
  await expect(known.find(bad, 'y', fails('media_unreadable'))).rejects.toThrow('media_unread');
  expect(looks).toBe(2);
  const unlucky = file('unlucky', 'unlucky');
  for (let turn = 0; turn < 3; turn++)
    await expect(known.find(unlucky, 'x', fails('cancelled'))).rejects.toThrow('cancelled');
  expect(looks).toBe(5);
  const large = file('large', Buffer.alloc(examineLimits.knownBytes + 1));
  for (let turn = 0; turn < 2; turn++)
    expect(await known.find(large, 'x', () => Promise.resolve(++looks))).toBe(6 + turn);
});

test('a look that ends with the render that asked for it leaves the others their own', async () => {
  const known = new KnownFiles<number>();
  const shared = file('shared', 'shared');
  let cancel: (error: Error) => void = () => undefined;
  let first = Promise.resolve(0);
  await new Promise<void>((looking) => {
    first = known.find(shared, 'x', () => {
      looking();
      return new Promise((_resolve, reject) => (cancel = reject));
    });
  });
  const second = known.find(shared, 'x', () => Promise.resolve(2));
  // Long enough to read four letters and wait; were it not, the test would pass all the same.
  await new Promise((resolve) => setTimeout(resolve, 50));
  cancel(new RenderError('cancelled', 'cancelled'));
  await expect(first).rejects.toThrow('cancelled');
  expect(await second).toBe(2);
});
