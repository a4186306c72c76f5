/**
 * An ffmpeg that records its calls and their processes, then runs the real one. Calls with a certain argument can be
 * made to end as if killed. Not on Windows.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';

/** One call. */
export interface FfmpegCall {
  readonly pid: number;
  readonly args: readonly string[];
}

/** Its path and its calls. */
export interface RecordedFfmpeg {
  readonly path: string;
  /** Every call since the start or `forget`. */
  readonly calls: () => FfmpegCall[];
  readonly forget: () => void;
  /** The next calls with this argument write 2,000 bytes, less than a frame, and are killed; null: none. */
  readonly killWith: (word: string | null) => void;
}

/** Writes it into a folder. */
export async function recordFfmpeg(folder: string): Promise<RecordedFfmpeg> {
  const { path: real } = await findFfmpeg(undefined);
  const file = path.join(folder, 'ffmpeg');
  const [log, mode] = [`${file}.calls`, `${file}.kill`];
  const script = `#!/bin/sh
# One write: calls at the same time would mix their lines.
line=$(printf '%s\\t' "$$" "$@")
printf '%s\\n' "$line" >> '${log}'
if [ -f '${mode}' ]; then
  word=$(cat '${mode}')
  for one in "$@"; do
    if [ "$one" = "$word" ]; then
      '${real}' "$@" | head -c 2000
      kill -9 $$
    fi
  done
fi
exec '${real}' "$@"
`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  const forget = (): void => writeFileSync(log, '');
  forget();
  return {
    path: file,
    forget,
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\t').slice(0, -1))
        .map(([pid, ...args]) => ({ pid: Number(pid), args })),
    killWith(word) {
      if (word === null) rmSync(mode, { force: true });
      else writeFileSync(mode, word);
    },
  };
}
