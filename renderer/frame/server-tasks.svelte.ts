/** Actions on the server: its queue, API, renderer, folders and data. Errors are shown, never thrown. */
import { RequestProblem } from './connection/api.ts';
import { ask, call } from './connection/call.ts';
import { settingRows } from '../../shared/api/settings.ts';
import { apiRows, diagnosticRows, stateRows, queueRows } from '../../shared/api/state.ts';
import { backupRows } from '../../shared/api/data-folder.ts';
import type { BackupRecord, RestoredPart } from '../../shared/api.ts';
import { machineTime } from '../ui/format.ts';
import { saveBlob } from '../ui/files.ts';
import { say } from '../ui/say.ts';
import type { WindowParts } from './window-parts.svelte.ts';

/** The parts of the window that they use and change. */
type UsedParts = Pick<
  WindowParts,
  'attempt' | 'renders' | 'server' | 'messages' | 'desktop' | 'navigation'
>;

/** Between two looks at the connection, ms. */
const lookPause = 50;

/** Tells the server to go on, to stop and to check again. */
export class ServerTasks {
  readonly #app: UsedParts;

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /**
   * Has a backup put back. Where the server starts again for it, this settles when it has gone and come back, and the
   * page is loaded again: nothing that it shows is sure to be there any more.
   */
  async restoreBackup(backup: BackupRecord, what: RestoredPart): Promise<void> {
    const { attempt, server, messages } = this.#app;
    await attempt.call(this.#app, async () => {
      const { restarts } = await call(backupRows.restore, {
        params: { place: backup.place, name: backup.name },
        body: { what },
      });
      if (!restarts) {
        messages.show(say('restore.later'));
        return;
      }
      for (const isOpen of [false, true]) {
        while ((server.connection === 'open') !== isOpen) {
          await new Promise((resolve) => setTimeout(resolve, lookPause));
        }
      }
      location.reload();
    });
  }

  async pauseQueue(paused: boolean): Promise<void> {
    await this.#app.attempt(() => call(paused ? queueRows.pause : queueRows.resume));
  }

  /** Pauses the queue when the running render ends, or takes that back. */
  async pauseAfterThis(): Promise<void> {
    const { active } = this.#app.renders;
    const isTakenBack = this.#app.server.state?.queue.pausesAfter !== undefined;
    await this.#app.attempt(async () => {
      if (isTakenBack) await call(queueRows.resume);
      else if (active) await call(queueRows.pauseAfter, { params: { id: active.id } });
    });
  }

  /** Opens the API where it is off. @param port for this run of the program; null: the port it wanted. */
  async openApi(port: number | null): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.server.state = await call(apiRows.open, { body: { port } });
      const { url, problem } = this.#app.server.state.api;
      const told = problem
        ? say(`api.off.${problem.reason}`, { port: String(problem.port) })
        : say('api.opened', { address: url });
      this.#app.messages.show(told, problem && { tone: 'problem' });
    });
  }

  /** Closes the API until it is opened again; the window goes on. */
  async stopApi(): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.server.state = await call(apiRows.stop);
    });
  }

  /** Checks whether the output folder is there again. */
  async lookAtOutput(): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.server.state = await call(queueRows.checkOutput);
      if (this.#app.server.state.queue.heldBy?.includes('folder') !== true) return;
      this.#app.messages.show(say('banner.folder.still'), { tone: 'problem' });
    });
  }

  /** Changes the output folder: to a chosen one, or a typed one where there is no folder dialog. */
  async chooseOutputFolder(): Promise<void> {
    if (!this.#app.desktop) {
      this.#app.navigation.goToSetting('outputFolder');
      return;
    }
    const { desktop } = this.#app;
    await this.#app.attempt(async () => {
      const from = this.#app.server.state?.outputFolder ?? '';
      const outputFolder = await desktop.chooseFolder(say('settings.outputFolder'), from);
      if (outputFolder === null) return;
      await call(settingRows.change, { body: { outputFolder } });
      this.#app.server.state = await call(queueRows.checkOutput);
    });
  }

  /** Goes on although the battery is low. */
  async overrulePower(): Promise<void> {
    await this.#app.attempt(() => call(queueRows.overrulePower));
  }

  /** Starts the renderer again after it has given up. */
  async startRenderer(): Promise<void> {
    await this.#app.attempt(() => call(stateRows.startRenderer));
  }

  /** Saves the diagnostics: texts that a person can read before passing them on. */
  async saveDiagnostics(): Promise<void> {
    await this.#app.attempt(async () => {
      const day = machineTime(Date.now()).slice(0, 10);
      saveBlob(
        `framewright-diagnostics-${day}.zip`,
        await blobOf(await ask(diagnosticRows.archive)),
      );
    });
  }

  /** Shows a file of damaged records beside the data, or saves it where there is no file manager to show it with. */
  async showSetAside(name: string): Promise<void> {
    await this.#app.attempt(async () => {
      if (this.#app.desktop) await this.#app.desktop.showSetAside(name);
      else saveBlob(name, await blobOf(await ask(stateRows.setAside, { params: { name } })));
    });
  }

  /** Checks whether anything can be saved again. */
  async testStore(): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.server.state = await call(stateRows.testStore);
      const { storeProblem: reason } = this.#app.server.state;
      if (reason === undefined) this.#app.messages.show(say('banner.store.works'));
      else this.#app.messages.show(say('reason.store', { reason }), { tone: 'problem' });
    });
  }

  /** Looks for ffmpeg again. */
  async findEncoder(): Promise<void> {
    await this.#app.attempt(async () => {
      this.#app.server.state = await call(stateRows.findEncoder);
      if (this.#app.server.state.encoder === 'found') return;
      this.#app.messages.show(say('banner.encoder.still'), { tone: 'problem' });
    });
  }
}

/** A file that the server sends. @throws {RequestProblem} for a refusal */
function blobOf(response: Response): Promise<Blob> {
  if (!response.ok) throw new RequestProblem(say('problem.answer'), response.status);
  return response.blob();
}
