/** The machines of a farm, as the server last told of them; none without a farm. Window only. */
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
