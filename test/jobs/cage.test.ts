/**
 * What the system keeps a decoder from, through running renders; each case makes ffmpeg do what it must not. Needs
 * dist/.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerState } from '../../shared/api.ts';
import { decodeLimits } from '../../shared/limits.ts';
import { cageInWords, findCage } from '../../server/engine/cage.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { hardMemoryLimit } from '../../server/jobs/worker/vitals.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-test-'));
const [written, bad, every, program] = ['written', 'bad', 'every', 'ffmpeg'].map((name) =>
  path.join(folder, name),
);
const cage = await findCage();
let real = '';
let server: TestServer;
beforeAll(async () => {
  real = (await findFfmpeg(undefined)).path;
  const size = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=5:d=1'];
  runFfmpegSync(...size, '-pix_fmt', 'yuv420p', path.join(folder, 'clip.mp4'));
  // While there is such a file, it is run by a decoder before it decodes.
  writeFileSync(
    program!,
    `#!/bin/sh
if [ -f '${every}' ]; then . '${every}'; fi
case "$*" in *pipe:1*) if [ -f '${bad}' ]; then . '${bad}'; fi;; esac
exec '${real}' "$@"
`,
  );
  chmodSync(program!, 0o755);
  server = await startTestServer({
    forkWorker: () => forkWorker(),
    mediaFolders: [folder],
    ffmpegPath: program!,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Films whose video is decoded by a process of its own, or by the one that encodes them. */
const kinds = [
  ['its own process', { opacity: '90%' }],
  ['the process that encodes', {}],
] as const;

/** A render whose decoder does this first, and then one whose decoder does not. */
async function endOf(script: string, look: object = {}): Promise<unknown[]> {
  const clip = { type: 'video', name: 'Clip', source: 'clip.mp4', ...look };
  const film = { output_format: 'mp4', width: 64, height: 64, frame_rate: 5, duration: 1 };
  const ends: unknown[] = [];
  for (const text of [script, '']) {
    writeFileSync(bad!, text);
    const { body } = await server.ask('POST', '/v2/renders', { ...film, elements: [clip] });
    const { status, error_message: message } = await server.ended(body.id);
    ends.push([status, message]);
  }
  return ends;
}

describe.skipIf(!cage.most).each(kinds)('a decoder with limits of the system, %s,', (_, look) => {
  test('that takes too much memory fails its render with the name of the element, and no other', async () => {
    // More than a process that also encodes may have; one buffer may not be that large.
    const part = Math.ceil(decodeLimits.processMemory * 0.8);
    const take = `'${process.execPath}' -e 'global.a = [1, 2, 3].map(() => Buffer.alloc(${part}))' 2> /dev/null`;
    const script = `${take} || { echo 'Cannot allocate memory' >&2; exit 1; }`;
    expect(await endOf(script, look)).toEqual([
      [
        'failed',
        'Source error: Clip.source: The file takes more memory to decode than a decoder may have',
      ],
      ['succeeded', undefined],
    ]);
  }, 60_000);

  test('that writes without end fails its render with the name of the element, and no other', async () => {
    const write = `head -c ${decodeLimits.processWrites + 10_000_000} /dev/zero > '${written}'`;
    expect(await endOf(`${write} || exit 1`, look)).toEqual([
      ['failed', 'Source error: Clip.source: The file uses a format we cannot read (h264)'],
      ['succeeded', undefined],
    ]);
    expect(statSync(written!).size).toBe(decodeLimits.processWrites);
  }, 60_000);
});

test.skipIf(!cage.most)(
  'F6: every program that a worker starts has its bound, encoders too',
  async () => {
    const told = path.join(folder, 'told');
    writeFileSync(told, '');
    // The one that encodes has no more than its worker.
    const script = `for one in $PPID self; do
  while read -r max data size soft rest; do
    if [ "$max $data" = 'Max data' ]; then echo "$soft" >> '${told}'; fi
  done < /proc/$one/limits
done`;
    writeFileSync(every!, script);
    await endOf('', { opacity: '90%' });
    writeFileSync(every!, '');
    const sizes = readFileSync(told, 'utf8').trim().split('\n').map(Number);
    const most = hardMemoryLimit();
    expect(new Set(sizes)).toEqual(new Set([most, Math.min(most, decodeLimits.processMemory)]));
  },
  60_000,
);

test.skipIf(cage.network.length === 0)(
  'a decoder sees no network but its own',
  async () => {
    await endOf(`cat /proc/self/net/dev > '${written}'`);
    expect(existsSync(written!)).toBe(true);
    const names = [...readFileSync(written!, 'utf8').matchAll(/^ *([^\s|:]+):/gm)].map(
      ([, name]) => name,
    );
    // Those that the system puts into every one, all of them down.
    expect(
      names.filter((name) => !/^(?:lo|sit0|tunl0|gre0|gretap0|erspan0|ip6.*|ip_vti0)$/.test(name!)),
    ).toEqual([]);
  },
  60_000,
);

test('the window is told what the system gives, as it is', async () => {
  const { ffmpeg } = (await server.askWindow('GET', '/api/state')).body as ServerState;
  expect(ffmpeg).toMatchObject({
    path: program,
    cage: cageInWords(cage),
    endsWithWorker: cage.lifeline.length > 0,
  });
  expect(cageInWords()).toBe('none');
});
