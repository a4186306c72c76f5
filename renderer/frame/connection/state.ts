/** The window's requests about the server's state, its queue and its machines. Window only. */
import {
  queueRows,
  stateRows,
  type MachineRecord,
  type ServerState,
} from '../../../shared/api/state.ts';
import { call } from './call.ts';

/** Addresses, key, renderer, disk. */
export const loadState = (): Promise<ServerState> => call(stateRows.state);

/** Starts the renderer again after it has given up. */
export const startRenderer = (): Promise<ServerState> => call(stateRows.startRenderer);

/** Tests whether anything can be saved again. */
export const testStore = (): Promise<ServerState> => call(stateRows.testStore);

/** Looks for ffmpeg again; waiting films resume if it is found. */
export const findEncoder = (): Promise<ServerState> => call(stateRows.findEncoder);

/** Pauses or resumes the queue. The result arrives as an event, as for the next ones. */
export const pauseQueue = (paused: boolean): Promise<ServerState> =>
  call(paused ? queueRows.pause : queueRows.resume);

/** The queue pauses when a render has ended. `pauseQueue(false)` takes it back. */
export const pauseQueueAfter = (id: string): Promise<ServerState> =>
  call(queueRows.pauseAfter, { params: { id } });

/** The machines of the farm; none without one. */
export const loadMachines = (): Promise<readonly MachineRecord[]> => call(queueRows.machines);

/** Starts renders although the battery is low, until the computer has been plugged in. */
export const overrulePower = (): Promise<ServerState> => call(queueRows.overrulePower);

/** Checks the output folder again. */
export const lookAtOutput = (): Promise<ServerState> => call(queueRows.checkOutput);
