/** The machines of a farm, as the server last told of them, and what the window says of all. Window only. */
import { call } from '../frame/connection/call.ts';
import { queueRows } from '../../shared/api/state.ts';
import type { MachineRecord } from '../../shared/api.ts';

export class MachinesState {
  /** By name. */
  list = $state.raw<readonly MachineRecord[]>([]);

  /** @throws RequestProblem */
  async load(): Promise<void> {
    this.list = await call(queueRows.machines);
  }
}

/** Counts and versions of all machines. */
export interface FarmStanding {
  readonly working: number;
  readonly silent: number;
  /** Those that live but make no renders, or none of films: their renderer does not start. */
  readonly broken: number;
  /** The versions in use, by program, where living machines differ; empty: they are all alike. */
  readonly versions: readonly string[];
}

/** What the machines are together. */
export function farmStanding(machines: readonly MachineRecord[]): FarmStanding {
  const living = machines.filter(({ silentSince }) => silentSince === undefined);
  const differing = (name: string, of: readonly string[]): readonly string[] => {
    const different = of.filter((one, place) => of.indexOf(one) === place).sort();
    return different.length > 1 ? [`${name} ${different.join(', ')}`] : [];
  };
  return {
    working: living.filter(({ renders }) => renders.length > 0).length,
    silent: machines.length - living.length,
    broken: living.filter(({ rendererFails }) => rendererFails).length,
    versions: [
      ...differing(
        'Framewright',
        living.map(({ version }) => version),
      ),
      ...differing(
        'ffmpeg',
        living.flatMap(({ ffmpeg }) => (ffmpeg === undefined ? [] : shortVersion(ffmpeg))),
      ),
    ],
  };
}

/** A version without what its maker adds: `7.0.2-static https://…` → `7.0.2-static`. */
export function shortVersion(version: string): string {
  return version.split(/\s/, 1)[0] ?? version;
}
