/** `framewright doctor` as a person meets it. Runs the built program. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hardwareFfmpeg } from './helpers/hardware-ffmpeg.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-doctor-'));
const cli = path.join(import.meta.dirname, '..', 'dist', 'server', 'cli.mjs');
afterAll(() => rmSync(folder, { recursive: true }));

function doctor(...args: string[]): { status: number | null; lines: string } {
  const { status, stdout } = spawnSync(process.execPath, [cli, 'doctor', ...args], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.replace(/ {2,}/g, '  ') };
}

test('says what was found, and changes nothing', () => {
  const { status, lines } = doctor('--data', path.join(folder, 'data'), '--port', '0');
  expect(lines).toMatch(/^ok {2}Framewright {2}\d+\.\d+\.\d+, Node \d+/);
  expect(lines).toMatch(/^(ok|note) {2}ffmpeg {2}\d+\.\d+, .*ffmpeg/m);
  expect(lines).toMatch(/^ok {2}Fonts {2}\d+ families in /m);
  expect(lines).toMatch(/^ok {2}Drawing /m);
  expect(lines).toMatch(/^ok {2}Data folder .* \(made at the first start\)$/m);
  expect(lines).toMatch(/^(ok|WRONG) {2}Disk {2}[\d.]+ GB free$/m);
  expect(status).toBe(lines.includes('WRONG') ? 1 : 0);
  expect(readdirSync(folder)).toEqual([]);
});

test('F11: an encoder that is missing, none, or lacks a codec is said with what to do', () => {
  const none = doctor('--ffmpeg', path.join(folder, 'none'));
  expect(none.status).toBe(1);
  expect(none.lines).toMatch(/^WRONG {2}ffmpeg {2}.*there is no such file/m);
  expect(none.lines).toContain('→ Install ffmpeg 5 or newer.');
  const stub = path.join(folder, 'stub');
  const say = (codec: string): void =>
    writeFileSync(stub, `#!/bin/sh\necho 'libavcodec ${codec}.100'\n`, { mode: 0o755 });
  say('57. 10');
  expect(doctor('--ffmpeg', stub).lines).toContain('is older than ffmpeg 4.1');
  say('61. 19');
  expect(doctor('--ffmpeg', stub).lines).toContain('lacks the encoder libx264 and aac');
  // It can be started for each question, and says what it was told.
  const films = ['libx264', 'aac', 'libvpx-vp9', 'prores_ks', 'pcm_s24le', 'pcm_s16le'];
  const encoders = [...films, 'gif', 'png', 'libwebp_anim'];
  const lines = encoders.map((name) => `echo ' V..... ${name} x'`).join('\n');
  writeFileSync(stub, `#!/bin/sh\necho 'libavcodec 61. 19.100'\n${lines}\n`, { mode: 0o755 });
  expect(doctor('--ffmpeg', stub).lines).toMatch(
    /^note {2}Formats {2}this ffmpeg lacks encoders \(webm: libopus; mp3: libmp3lame; mp4 of hevc: libx265; mp4 of av1: libsvtav1\)\n.*full build of ffmpeg/m,
  );
  rmSync(stub);
});

test('encoders of hardware are tried, and what fails is said in ffmpeg’s words', async () => {
  const { path: program, mode } = await hardwareFfmpeg(folder, ['nvenc']);
  const passed = doctor('--ffmpeg', program).lines;
  expect(passed).toMatch(/^ok {2}Hardware {2}codes with h264_nvenc, hevc_nvenc\n.*encode_with$/m);
  mode('closed');
  const failed = doctor('--ffmpeg', program).lines;
  expect(failed).toContain('no encoder of hardware works here (h264_nvenc: Cannot load libcuda');
}, 60_000);

test('a port that is taken is said', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(doctor('--port', String(port)).lines).toContain(`note  API port  ${port} is taken`);
  server.close();
});
