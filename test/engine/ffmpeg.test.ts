/** Finding, starting and ending ffmpeg, with every build that this machine has. */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { RenderError } from '../../shared/engine/errors.ts';
import { findFfmpeg, runFfmpeg, startFfmpeg } from '../../server/engine/ffmpeg.ts';
import { can, firstWith, frameTiming, releaseOf } from '../../server/engine/ffmpeg-builds.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'ffmpeg-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, body: string, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, mode);
  return file;
}

async function refusal(work: Promise<unknown>): Promise<RenderError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RenderError);
  return error as RenderError; // Checked in the line above.
}

test.each([
  [58, 18, null],
  [58, 35, { major: 4, minor: 1 }],
  [58, 42, { major: 4, minor: 1 }],
  [58, 134, { major: 4, minor: 4 }],
  [59, 37, { major: 5, minor: 1 }],
  [60, 3, { major: 6, minor: 0 }],
  [61, 19, { major: 7, minor: 1 }],
  [62, 28, { major: 8, minor: 0 }],
  [63, 0, { major: 8, minor: 0 }],
])('libavcodec %d.%d belongs to %o', (major, minor, release) => {
  expect(releaseOf(major, minor)).toEqual(release);
});

test.each([
  [{ major: 4, minor: 1 }, '-vsync'],
  [{ major: 5, minor: 0 }, '-vsync'],
  [{ major: 5, minor: 1 }, '-fps_mode'],
  [{ major: 8, minor: 0 }, '-fps_mode'],
])('ffmpeg %o sets frame times with %s', (release, option) => {
  expect(frameTiming(release, 'passthrough')).toEqual([option, 'passthrough']);
});

test('an ability comes with its first release', () => {
  const ability = 'read files from elsewhere';
  expect(firstWith(ability)).toBe('5');
  expect(firstWith('name frame timing by mode')).toBe('5.1');
  const asked = [4, 5, 6].map((major) => can({ major, minor: 0 }, ability));
  expect(asked).toEqual([false, true, true]);
});

describe('finding', () => {
  test('without a choice, a working one is found', async () => {
    const ffmpeg = await findFfmpeg(undefined);
    expect(ffmpeg.major).toBeGreaterThanOrEqual(4);
  });

  test('the npm build counts as 4.1', async () => {
    const { path: file } = createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as {
      path: string;
    };
    expect(await findFfmpeg(file)).toMatchObject({ path: file, major: 4, minor: 1 });
  });

  test.each([
    ['is not there', () => path.join(folder, 'nothing'), 'there is no such file'],
    ['may not be executed', () => script('plain', '', 0o644), 'it is not executable'],
    ['ends with an error', () => script('broken', 'exit 3'), 'it ended with 3'],
    ['is something else', () => script('other', 'echo hello'), 'does not say its version'],
    [
      'is too old',
      () => script('old', 'echo "libavcodec 57. 64.101 / 57. 64.101" >&2'),
      'older than ffmpeg 4.1',
    ],
    [
      'lacks an encoder',
      () => script('poor', 'echo "libavcodec 59. 37.100" >&2; echo " A....D aac   AAC"'),
      'lacks the encoder libx264',
    ],
  ])('a chosen program that %s is an error that names it', async (_, make, reason) => {
    const file = make();
    const error = await refusal(findFfmpeg(file));
    expect(error.code).toBe('encoder_missing');
    expect(error.message).toContain(file);
    expect(error.message).toContain(reason);
  });
});

describe('running', () => {
  test('gives the report of a run that went well', async () => {
    const ffmpeg = await findFfmpeg(undefined);
    const report = await runFfmpeg(ffmpeg, [
      '-f',
      'lavfi',
      '-i',
      'color=s=32x16:d=0.1',
      '-f',
      'null',
      '-',
    ]);
    expect(report).toContain('32x16');
  });

  test('a run that fails says why', async () => {
    const ffmpeg = await findFfmpeg(undefined);
    const error = await refusal(
      runFfmpeg(ffmpeg, ['-i', 'missing.mp4', '-f', 'null', '-'], { cwd: folder }),
    );
    expect(error.code).toBe('encoder_failed');
    expect(error.message).toMatch(/^Render error: The encoder stopped: .*missing\.mp4/);
  });

  test('keeps the last 20 lines only', async () => {
    const talker = script(
      'talker',
      'i=0; while [ $i -lt 5000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 1',
    );
    const { lastLines, code } = await startFfmpeg({ path: talker, major: 5, minor: 1 }, [])
      .finished;
    expect(code).toBe(1);
    expect(lastLines.split('\n')).toEqual(
      Array.from({ length: 20 }, (_, index) => `line ${4980 + index}`),
    );
  });

  test('aborting ends the process at once', async () => {
    const ffmpeg = await findFfmpeg(undefined);
    const control = new AbortController();
    const child = startFfmpeg(
      ffmpeg,
      ['-f', 'rawvideo', '-s', '8x8', '-i', '-', '-f', 'null', '-'],
      {
        signal: control.signal,
        stdin: true,
      },
    );
    setTimeout(() => control.abort(), 100);
    const error = await refusal(child.finished);
    expect(error.code).toBe('cancelled');
    expect(existsSync(`/proc/${String(child.pid)}`)).toBe(false);
  });

  test('a signal aborted before the start ends it too', async () => {
    const ffmpeg = await findFfmpeg(undefined);
    const work = runFfmpeg(ffmpeg, ['-f', 'lavfi', '-i', 'color', '-f', 'null', '-'], {
      signal: AbortSignal.abort(),
    });
    expect((await refusal(work)).code).toBe('cancelled');
  });

  test('writing to a process that has died is a failure, not a crash', async () => {
    const dead = script('dead', 'echo "out of luck" >&2; exit 7');
    const child = startFfmpeg({ path: dead, major: 5, minor: 1 }, [], { stdin: true });
    for (let index = 0; index < 20; index++) child.stdin?.write(Buffer.alloc(1 << 20));
    const end = await child.finished;
    expect(end).toMatchObject({ code: 7, lastLines: 'out of luck' });
  });

  test('one that can write nothing and hangs, as SVT-AV1 has it do, is ended with what it said', async () => {
    const said = 'Could not write header for output file #0: No space left on device';
    const hung = script('hung', `echo "${said}" >&2; exec sleep 600`);
    const end = await startFfmpeg({ path: hung, major: 5, minor: 1 }, [], { stdin: true }).finished;
    expect(end).toEqual({ code: 1, signal: null, lastLines: said });
  });

  test.runIf(process.platform === 'linux')(
    'has a clean environment and lower priority',
    async () => {
      process.env['SECRET_OF_TEST'] = 'x';
      const nosy = script('nosy', 'sleep 0.2; env >&2; cut -d" " -f19 /proc/$$/stat >&2; exit 1');
      const { lastLines } = await startFfmpeg({ path: nosy, major: 5, minor: 1 }, []).finished;
      expect(lastLines).not.toContain('SECRET_OF_TEST');
      expect(Number(lastLines.split('\n').at(-1))).toBeGreaterThanOrEqual(os.getPriority());
      expect(Number(lastLines.split('\n').at(-1))).toBe(10);
    },
  );
});
