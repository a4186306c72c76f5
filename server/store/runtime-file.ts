/** `runtime.json` in the data folder: says where to find the running program. Exists only while it runs. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describeError, type Log } from '../system/log.ts';
import { writeWhole } from './files.ts';

/** What the file holds, besides the process. */
export interface RuntimeAddresses {
  /** For programs on this computer; null while the API is off. */
  readonly apiUrl: string | null;
  /** What links in answers begin with; null: the address that a request used. */
  readonly publicUrl: string | null;
  /** The key of the first project. Only this user can read the file. */
  readonly apiKey: string;
  /** Includes its token. */
  readonly windowUrl: string;
}

/** The file of a running server. */
export interface RuntimeFile {
  /** Writes the current addresses. Never rejects: on a full disk the server still answers what it can. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** @param addresses Called at each write. */
export function createRuntimeFile(
  dataFolder: string,
  addresses: () => RuntimeAddresses,
  log: Log,
): RuntimeFile {
  const file = path.join(dataFolder, 'runtime.json');
  return {
    async write() {
      const runtime = { ...addresses(), pid: process.pid };
      await writeWhole(file, `${JSON.stringify(runtime, null, 2)}\n`).catch((error: unknown) => {
        log('error', 'server', `${file} can't be written: ${describeError(error)}`);
      });
    },
    close: () => rm(file, { force: true }),
  };
}
