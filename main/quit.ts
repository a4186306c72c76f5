/**
 * Ending the program. Main process.
 *
 * Every request to end comes through `before-quit`, which is held until the page has saved its changes and the server
 * has closed: the running render goes back into the queue, the workers end, the store is flushed and closed. It asks a
 * person while something renders; a system shutdown or a signal does not wait.
 */
import { app, dialog, type BrowserWindow, type MessageBoxOptions, BaseWindow } from 'electron';
import { describeError, type Log } from '../server/system/log.ts';
import { say, sentences } from './say.ts';
import type { SettingsFile } from './settings.ts';
import { showWindow } from './window.ts';
import type { Work } from './work.ts';

/** The API counts as in use for so long after a request, in ms. */
const apiUseTime = 10 * 60_000;
/** Milliseconds that the server gets to close: for a person, and for a system shutdown. */
const closingTime = { person: 5_000, system: 2_000 };

/** What quitting works with. */
export interface QuitOptions {
  readonly settings: SettingsFile;
  readonly log: Log;
  /** The server's work; null before it has started. */
  readonly work: () => Work | null;
  readonly window: () => BrowserWindow | null;
  /** Hides the window, and gives its page a moment to save. */
  readonly leave: () => Promise<void>;
  /** Closes the server and all that belongs to it. */
  readonly close: () => Promise<void>;
  /** How long the program stays has changed: the tray comes and goes. */
  readonly onStaying: () => void;
}

/** `finishing` waits for the running render; `closed` lets everything pass. */
type Phase = 'running' | 'asking' | 'finishing' | 'closing' | 'closed';

/** Ends the program, in order. */
export class Quitting {
  readonly #options: QuitOptions;
  #phase: Phase = 'running';
  /** Keep running, but only this time. */
  #staysThisTime = false;

  constructor(options: QuitOptions) {
    this.#options = options;
  }

  /** True if the program stays without its window. */
  get stays(): boolean {
    return this.#staysThisTime || this.#options.settings.current.keepRunning === true;
  }

  /** True once nothing delays the end any more. */
  get isEnding(): boolean {
    return this.#phase === 'closing' || this.#phase === 'closed';
  }

  /** True while it only waits for the running render. */
  get isFinishing(): boolean {
    return this.#phase === 'finishing';
  }

  /** For `before-quit`. */
  onBeforeQuit(event: { preventDefault(): void }): void {
    if (this.#phase === 'closed') return;
    event.preventDefault();
    if (this.#phase === 'asking' || this.#phase === 'closing') return;
    this.#follow(this.#decide());
  }

  /** For the window's `close`: without a window the program ends, unless it should stay. */
  onWindowClose(event: { preventDefault(): void }): void {
    if (this.#phase === 'closed' || this.stays) return;
    event.preventDefault();
    if (this.#phase === 'asking' || this.#phase === 'closing') return;
    if (this.#mustAskToStay()) this.#follow(this.#askToStay());
    else app.quit();
  }

  /** Ends without a question: the system shuts down, or a signal came. */
  atOnce(): void {
    if (this.#phase === 'closing' || this.#phase === 'closed') return;
    this.#follow(this.#close(closingTime.system));
  }

  #follow(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#options.log('error', 'quit', describeError(error));
      this.#end();
    });
  }

  async #decide(): Promise<void> {
    const work = this.#options.work();
    const { running, waiting } = work?.state ?? { running: 0, waiting: 0 };
    if (!work || running === 0) return this.#close(closingTime.person);

    const wasFinishing = this.#phase === 'finishing';
    this.#phase = 'asking';
    const { response } = await this.#ask({
      message: sentences(
        say('quit.running', { count: running }),
        waiting > 0 ? say('quit.waiting', { count: waiting }) : '',
      ),
      detail: sentences(
        say('quit.goesOn', { count: running + waiting }),
        say('quit.again', { count: running }),
      ),
      buttons: [say('quit.after', { count: running }), say('quit.now'), say('cancel')],
      defaultId: 0,
      cancelId: 2,
    });
    // Meanwhile the system may be shutting down, which does not wait.
    if (!this.#isAsking()) return undefined;
    if (response === 1) return this.#close(closingTime.person);
    if (response === 2) {
      this.#phase = 'running';
      if (wasFinishing) work.release();
      this.#options.onStaying();
      return undefined;
    }
    return this.#finish(work);
  }

  async #finish(work: Work): Promise<void> {
    this.#phase = 'finishing';
    this.#options.onStaying();
    await work.holdUntilIdle();
    // The user may have changed their mind, or not have waited.
    if (this.#isFinishing()) await this.#close(closingTime.person);
  }

  #mustAskToStay(): boolean {
    const { settings, work } = this.#options;
    const usedAt = work()?.apiUsedAt ?? null;
    return (
      settings.current.keepRunning === null && usedAt !== null && Date.now() - usedAt < apiUseTime
    );
  }

  async #askToStay(): Promise<void> {
    const { settings, window, onStaying } = this.#options;
    this.#phase = 'asking';
    const { response, checkboxChecked } = await this.#ask({
      message: say('keep.title'),
      detail: say('keep.text'),
      buttons: [say('keep.yes'), say('quit')],
      checkboxLabel: say('keep.dontAsk'),
      defaultId: 0,
      cancelId: 0,
    });
    if (!this.#isAsking()) return;
    this.#phase = 'running';
    const stays = response === 0;
    if (checkboxChecked) settings.save({ keepRunning: stays });
    if (!stays) {
      app.quit();
      return;
    }
    this.#staysThisTime = true;
    onStaying();
    window()?.close();
  }

  async #close(time: number): Promise<void> {
    this.#phase = 'closing';
    const { leave, close } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), time);
    });
    try {
      // The page first: it saves on the server.
      const end = await Promise.race([leave().then(close), late]);
      // Accepted work is already on the disk; the next start recovers the rest.
      if (end === 'late') this.#options.log('warning', 'quit', `The server took over ${time} ms`);
    } finally {
      clearTimeout(timer);
    }
    this.#end();
  }

  #end(): void {
    this.#phase = 'closed';
    app.quit();
  }

  // Check again after every wait: the phase changes meanwhile, which the compiler can't see.
  #isAsking(): boolean {
    return this.#phase === 'asking';
  }

  #isFinishing(): boolean {
    return this.#phase === 'finishing';
  }

  async #ask(options: MessageBoxOptions): Promise<{ response: number; checkboxChecked: boolean }> {
    const complete: MessageBoxOptions = { type: 'question', noLink: true, ...options };
    const window = this.#options.window();
    if (!window) return dialog.showMessageBox(complete);
    // On a hidden window the question would be hidden, too.
    showWindow(window);
    return dialog.showMessageBox(window, complete);
  }
}

/*
 * Windows only notifies windows when the user signs out or the computer shuts down. Main process. The program may have
 * no window then, only its tray icon, so a hidden window listens as long as it runs.
 */

/** Referenced, or it would be collected with its listeners. */
let listener: BaseWindow | null = null;

/**
 * @param end Called when Windows asks whether the session may end, which leaves more time, and again at the end. We
 * never answer no, which would block the whole computer.
 * @param platform for tests
 */
export function watchSessionEnd(end: () => void, platform: string = process.platform): void {
  if (platform !== 'win32') return;
  listener = new BaseWindow({ show: false, skipTaskbar: true });
  listener.on('query-session-end', end);
  listener.on('session-end', end);
}
