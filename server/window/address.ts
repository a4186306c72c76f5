/**
 * The window's address: its port and token, the same at each start, so that an open page finds a restarted server.
 * Stored in `DATA/window.json`, which only this user can read; a data folder without it gets a new address.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Express } from 'express';
import { z } from 'zod';
import { windowPort } from '../../shared/limits.ts';
import { listen, PortError, type Listener, type ListenOptions } from '../api/listener/listen.ts';
import { describeError, type Log } from '../system/log.ts';
import { writeWhole } from '../store/files.ts';

const windowFile = z.object({
  /** Of the window's listener. */
  port: z.int().min(1).max(65_535),
  /** Required in a header of every request for data. */
  token: z.string().regex(/^[\w-]{20,}$/),
});

type KeptAddress = z.infer<typeof windowFile>;

/** What the address of a run comes from. */
export interface AddressSources {
  readonly dataFolder: string;
  /**
   * A port named for this run, 0 = any free one; it is not remembered. Absent: the port of the last start, initially
   * `windowPort` of shared/limits.ts.
   */
  readonly port?: number | undefined;
  readonly held?: ListenOptions['held'];
  readonly log: Log;
}

/** The window's listener and the address of its page. */
export interface WindowAddress {
  readonly listener: Listener;
  /** `http://127.0.0.1:4819/#token=…`. */
  readonly url: string;
}

/**
 * Opens the window's listener. When its port is taken, any free one is used for this run, and the log says so.
 *
 * @param app Made once the token is known.
 * @throws PortError if a named port is taken.
 */
export async function openWindowListener(
  app: (token: string) => Express,
  { dataFolder, port: named, held, log }: AddressSources,
): Promise<WindowAddress> {
  const file = path.join(dataFolder, 'window.json');
  const kept = await read(file);
  const token = kept?.token ?? randomBytes(24).toString('base64url');
  const made = app(token);
  const listener =
    named === undefined
      ? await openOwn(made, { port: kept?.port ?? windowPort, held }, log)
      : await listen(made, { port: named, held });
  // A substitute for a taken port is not remembered; the first port of a new folder is.
  const port = kept?.port ?? (named === undefined ? listener.port : windowPort);
  if (!kept) await keep(file, { port, token }, log);
  return { listener, url: `http://127.0.0.1:${listener.port}/#token=${token}` };
}

async function openOwn(app: Express, own: ListenOptions, log: Log): Promise<Listener> {
  try {
    return await listen(app, own);
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    const other = await listen(app, { ...own, port: 0 });
    log(
      'warning',
      'server',
      `Port ${own.port} of the window is used by another program. The window is on port ${other.port} this time.`,
    );
    return other;
  }
}

/** Null if there is none, or an unusable one: then a new address is made. */
async function read(file: string): Promise<KeptAddress | null> {
  try {
    return windowFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return null;
  }
}

/** A full disk costs only the address of the next start. */
async function keep(file: string, address: KeptAddress, log: Log): Promise<void> {
  try {
    await writeWhole(file, `${JSON.stringify(address, null, 2)}\n`);
  } catch (error) {
    log('warning', 'server', `${file} can't be written: ${describeError(error)}`);
  }
}
