/** What the user can do with the API while the program runs: move, open, stop and test it. See api-listener.ts. */
import type { PortTest } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import { isLoopback } from '../../../shared/listen-address.ts';
import type { ApiListener } from './api-listener.ts';
import { PortError } from './listen.ts';
import type { Log } from '../../system/log.ts';

/** The part of the services that routes use for it. */
export interface ApiControl {
  /** Where the public API listens, and whether it does. */
  readonly api: Pick<ApiListener, 'state' | 'problem' | 'port' | 'host'>;
  /** Checks whether the API could use a port, without taking it. */
  readonly testPort: (port: number) => Promise<PortTest['found']>;
  /** Moves the API to another port. @throws ApiError `invalid_parameter` when it is taken. */
  readonly usePort: (port: number | null) => Promise<void>;
  /** Moves the API to another address. @throws ApiError `host_refused` when this computer does not have it. */
  readonly useHost: (host: string | null) => Promise<void>;
  /**
   * Opens the API when it is off, or on another port for this run. `api` then says whether it worked.
   * @param port null = the wanted one.
   */
  readonly openApi: (port: number | null) => Promise<void>;
  /** Closes the API until someone opens it; the window goes on. */
  readonly stopApi: () => Promise<void>;
}

/**
 * @param start Port and address of the start.
 * @param onMoved Awaited whenever the API moves or stops listening.
 */
export function createApiControl(
  api: ApiListener,
  start: { readonly port: number; readonly host: string },
  log: Log,
  onMoved: () => Promise<void>,
): ApiControl {
  return {
    api,
    testPort: (port) => api.test(port),
    async usePort(port) {
      const wanted = port ?? start.port;
      try {
        await api.move(wanted);
      } catch (error) {
        if (!(error instanceof PortError)) throw error;
        const code = error.reason === 'taken' ? 'port_taken' : 'port_refused';
        throw new ApiError(code, { port: wanted });
      }
      await onMoved();
    },
    async useHost(host) {
      const wanted = host ?? start.host;
      try {
        await api.move(api.port, wanted);
      } catch (error) {
        if (!(error instanceof PortError)) throw error;
        throw new ApiError('host_refused', { host: wanted, port: api.port });
      }
      warnOfOthers(api, log);
      await onMoved();
    },
    async openApi(port) {
      await api.open(port ?? api.port).catch((error: unknown) => {
        if (!(error instanceof PortError)) throw error;
      });
      await onMoved();
    },
    async stopApi() {
      await api.stop();
      await onMoved();
    },
  };
}

/** Warns when other computers can reach the API. */
export function warnOfOthers({ state, host }: Pick<ApiListener, 'state' | 'host'>, log: Log): void {
  if (state !== 'on' || isLoopback(host)) return;
  log(
    'warning',
    'server',
    `The API listens at ${host}: other computers can reach it. The API key is all that guards it, and nothing is encrypted on the way; finished files need no key. Documents from there can't have media fetched from this computer and its network, unless a setting allows it.`,
  );
}
