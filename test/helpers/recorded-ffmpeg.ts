/**
 * An ffmpeg that notes how it is called and by which process, then is the real one. Calls whose arguments have a word can be
 * made to end as if somebody had killed them. Not on Windows.
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';

/** One start of it. */
export interface FfmpegCall {
  readonly pid: number;
  readonly args: readonly string[];
}

/** Where it is, and what it was called with. */
export interface RecordedFfmpeg {
  readonly path: string;
  /** Every call since the start or `forget`. */
  readonly calls: () => FfmpegCall[];
  readonly forget: () => void;
  /** The next calls with this argument give 2,000 bytes of their output, less than a frame, and are killed; null: none is. */
  readonly killWith: (word: string | null) => void;
}

/** Writes it into a folder. */
export async function recordFfmpeg(folder: string): Promise<RecordedFfmpeg> {
  const { path: real } = await findFfmpeg(undefined);
  const file = path.join(folder, 'ffmpeg');
  const [log, mode] = [`${file}.calls`, `${file}.kill`];
  const script = `#!/bin/sh
{ printf '%s\\t' "$$" "$@"; printf '\\n'; } >> '${log}'
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
