/** The machines of a farm, as the server last told of them; none without a farm. Window only. */
import type { MachineRecord } from '../../shared/api.ts';
import { loadMachines } from '../frame/connection/state.ts';

export class MachinesState {
  /** By name. */
  list = $state.raw<readonly MachineRecord[]>([]);

  /** @throws RequestProblem */
  async load(): Promise<void> {
    this.list = await loadMachines();
  }
}
