/**
 * Any test over HTTP on several servers: with `API_FARM=1` its server is two on one database, which requests reach in
 * turn as through a load balancer, and three workers, of which the first server is one, all in the test's process.
 * `API_DATABASE=postgres://…` names the database server; alone, without `API_FARM`, one server is tried on it. Without
 * it `test/farm-setup.ts` starts the installed one.
 */
import { randomUUID } from 'node:crypto';
import { createServer, connect, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import { systemClock } from '../../server/system/clock.ts';
import { openWorker, type OpenWorker } from '../../server/cluster/open-worker.ts';
import type { ServerOptions } from '../../server/options.ts';
import { startServer, type RunningServer } from '../../server/start.ts';
import { atDatabase, runAt } from './own-postgres.ts';

/** True if tests run on several servers. */
export const isFarm = process.env['API_FARM'] !== undefined;
/** How many workers there are beside the first server. */
const workerCount = 2;

/** A database that was made for a test. */
export interface ApiDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** Makes a database on the server that is named; null: tests use files. */
export async function apiDatabase(): Promise<ApiDatabase | null> {
  const base = process.env['API_DATABASE'];
  if (base === undefined) {
    if (isFarm)
      throw new Error('API_FARM needs PostgreSQL: install it, or name one with API_DATABASE');
    return null;
  }
  const name = `framewright_api_${randomUUID().replaceAll('-', '')}`;
  await runAt(base, `CREATE DATABASE ${name}`);
  return {
    url: atDatabase(base, name),
    remove: async () => {
      await runAt(base, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** A farm, as the first of its servers with the address of all. */
export interface Farm extends RunningServer {
  /** The addresses that the servers themselves have, and name in answers. */
  readonly ownUrls?: readonly string[];
}

/** Starts a farm for the options of one server. Its data folder is also the one that all share. */
export async function startFarm(options: ServerOptions, database: string): Promise<Farm> {
  const shared = options.dataFolder;
  const opened: { close(): Promise<unknown> }[] = [];
  const closeAll = async (): Promise<void> => {
    for (const part of opened.splice(0).reverse()) await part.close();
  };
  try {
    // Their own address is not the one that requests name.
    const allowedHosts = [...(options.allowedHosts ?? []), '127.0.0.1', 'localhost'];
    const common = { ...options, database, shared, allowedHosts };
    const first = await startServer(common);
    opened.push(first);
    const dataFolder = path.join(path.dirname(shared), 'second');
    const second = await startServer({ ...common, port: 0, dataFolder, works: false });
    opened.push(second);
    for (let number = 0; number < workerCount; number++) {
      opened.push(await startWorker(options, database, number));
    }
    const balancer = await openBalancer([first, second]);
    opened.push(balancer);
    return {
      ...first,
      get apiUrl() {
        return balancer.url;
      },
      get ownUrls() {
        return [first.apiUrl, second.apiUrl];
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function startWorker(
  options: ServerOptions,
  database: string,
  number: number,
): Promise<OpenWorker> {
  const { dataFolder: shared, outputFolder: output, storage, mediaFolders = [] } = options;
  return openWorker({
    ...{ database, shared, output, storage, mediaFolders },
    data: path.join(path.dirname(shared), `worker-${number}`),
    concurrency: options.concurrency ?? 1,
    perProject: options.perProject,
    largestSide: options.largestSide,
    ffmpegPath: options.ffmpegPath,
    fork: options.forkWorker,
    workers: options.workers,
    freeBytes: options.freeBytes,
    clock: options.clock ?? systemClock,
    log: options.log,
  });
}

/** Opens a port whose connections go to the servers in turn. */
async function openBalancer(
  servers: readonly RunningServer[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  let count = 0;
  const sockets = new Set<{ destroy(): void }>();
  const listener: Server = createServer((socket) => {
    const { port } = servers[count++ % servers.length]?.services.listener.api ?? { port: 0 };
    const other = connect(port, '127.0.0.1');
    for (const [one, peer] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => peer.destroy());
      one.on('close', () => {
        sockets.delete(one);
        peer.destroy();
      });
      one.pipe(peer);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
