/** Checks whether a program is an ffmpeg that can make our files: its version and encoders. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FfmpegTest } from '../../shared/api.ts';
import { errorCode } from '../system/files.ts';

const run = promisify(execFile);
const neededEncoders = ['libx264', 'aac'];
/** Milliseconds for one answer of the program. */
const patience = 10_000;

/** Asks the program at a path; never a rejection. */
export async function testFfmpeg(path: string): Promise<FfmpegTest> {
  try {
    const { stdout } = await run(path, ['-hide_banner', '-version'], { timeout: patience });
    const version = /^ffmpeg version (\S+)/m.exec(stdout)?.[1];
    if (version === undefined) return { works: false, reason: 'This program is not ffmpeg.' };
    const { stdout: encoders } = await run(path, ['-hide_banner', '-encoders'], {
      timeout: patience,
      maxBuffer: 1 << 22,
    });
    const missing = neededEncoders.filter((name) => !new RegExp(`\\b${name}\\b`).test(encoders));
    if (missing.length === 0) return { works: true, version };
    return { works: false, reason: `This ffmpeg has no encoder ${missing.join(' and ')}.` };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { works: false, reason: 'There is no such file.' };
    if (code === 'EACCES') return { works: false, reason: 'This file can’t be run.' };
    return { works: false, reason: 'This program did not answer as ffmpeg does.' };
  }
}
