/** The window's requests about the server's state, its queue and its machines. Window only. */
import {
  apiRows,
  diagnosticRows,
  queueRows,
  stateRows,
  type MachineRecord,
  type ServerState,
} from '../../../shared/api/state.ts';
import { say } from '../../ui/say.ts';
import { RequestProblem } from './api.ts';
import { ask, call } from './call.ts';

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

/** Opens the API where it is off. @param port for this run of the program; null: the port it wanted. */
export const openApi = (port: number | null): Promise<ServerState> =>
  call(apiRows.open, { body: { port } });

/** Closes the API until it is opened again. */
export const stopApi = (): Promise<ServerState> => call(apiRows.stop);

/** What helps to find out why something does not work, as an archive. */
export const loadDiagnostics = async (): Promise<Blob> => blobOf(await ask(diagnosticRows.archive));

/** A file of damaged records. @param name As a notice has it. */
export const loadSetAside = async (name: string): Promise<Blob> =>
  blobOf(await ask(stateRows.setAside, { params: { name } }));

function blobOf(response: Response): Promise<Blob> {
  if (!response.ok) throw new RequestProblem(say('problem.answer'), response.status);
  return response.blob();
}
