/**
 * `window.desktop`: calls for what a browser can't do, and the desktop's messages to the window. main/preload.cts sets
 * it, main/ipc.ts answers it; absent in a browser. No call names a path to read or write; dialogs are told where to
 * begin.
 */
import type { ImportedTemplates } from './api/templates.ts';
import type { CommandId, CommandMenu, DesktopCommand } from './commands.ts';
import type { OutputFormat } from './renderscript/formats.ts';

/** The finished file of a render. */
export interface RenderFileName {
  /** The render's ID. */
  readonly id: string;
  readonly format: OutputFormat;
}

/**
 * A template with its files, or a kit, opened with the program. It may be large: the desktop sends it to the server
 * itself.
 */
export interface OpenedArchive {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Its number for `importTemplate`, in this run. */
  readonly archive: number;
  /** What is in a kit, with pictures as data addresses or ''; empty for a file of one template. */
  readonly kit: readonly { readonly name: string; readonly picture: string }[];
}

/** A file opened with the program: its text, an archive, or why it can't be read. */
export type OpenedFile =
  | OpenedArchive
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: string };

/** The desktop program's own switches, which the window's settings show beside the server's. */
export interface DesktopSwitches {
  /** The program opens when the user signs in. Null: only an installed one can. */
  readonly openAtLogin: boolean | null;
  /** The program stays when its window is closed. Also false until the user has been asked. */
  readonly keepRunning: boolean;
  /** A notification when a render ends that took long. */
  readonly notifyFinished: boolean;
  /** One when a batch ends. */
  readonly notifyBatches: boolean;
  /** One when something fails. */
  readonly notifyFailures: boolean;
  /** Notifications make a sound. */
  readonly notifySound: boolean;
}

/** Names of the switches. */
export const desktopSwitches = [
  'openAtLogin',
  'keepRunning',
  'notifyFinished',
  'notifyBatches',
  'notifyFailures',
  'notifySound',
] as const satisfies readonly (keyof DesktopSwitches)[];

/** What a click on a notification shows. */
export type DesktopClick =
  | { readonly type: 'command'; readonly command: 'go-queue' }
  | { readonly type: 'show-render'; readonly id: string };

/**
 * What the desktop tells the window. It shows something, or asks the window to save; it never starts or changes
 * anything.
 */
export type DesktopMessage =
  /** Chosen in the application menu. */
  | { readonly type: 'command'; readonly command: CommandId }
  /** From a link, or a clicked notification. */
  | { readonly type: 'show-template'; readonly id: string }
  /** Asks whether a template begins with this sample; the ID is its folder's name. */
  | { readonly type: 'offer-sample'; readonly id: string }
  | { readonly type: 'show-render'; readonly id: string }
  /** Opened with the program: show them in the import dialog, all at once. */
  | { readonly type: 'import-files'; readonly files: readonly OpenedFile[] }
  /**
   * The system did not show a notification: the window shows it instead, with a button for what a click would have
   * shown.
   */
  | { readonly type: 'notice'; readonly text: string; readonly click: DesktopClick }
  /** Switched elsewhere: in the menu. */
  | { readonly type: 'switches'; readonly switches: DesktopSwitches }
  /** The program is closing: save pending changes now, then call `readyToClose`. */
  | { readonly type: 'closing' };

/** The calls of `window.desktop`. Each rejects with a sentence for people if the desktop refuses. */
export interface Desktop {
  /** Opens the system's file manager with the file selected. */
  showInFolder(file: RenderFileName): Promise<void>;
  /**
   * The same for a file of damaged records.
   * @param name from a notice of the server
   */
  showSetAside(name: string): Promise<void>;
  /** Opens the file with the system's program for it. */
  openFile(file: RenderFileName): Promise<void>;
  /**
   * Asks where to, then copies the file there.
   * @param suggestedName proposed in the dialog, without the ending, e.g. `Promo square 2026-11-21`
   * @returns the copy's number for `showCopy`; null if the user closed the dialog
   */
  saveCopy(file: RenderFileName, suggestedName: string): Promise<number | null>;
  /** Opens the system's file manager with a copy selected that `saveCopy` made in this run. */
  showCopy(copy: number): Promise<void>;
  /**
   * Creates the templates of an opened archive.
   * @param archive its number
   * @param only numbers of a kit's templates, from 1, with commas between them; default: all
   * @param project the ID of the project to put it into
   */
  importTemplate(archive: number, project: string, only?: string): Promise<ImportedTemplates>;
  /**
   * Asks for a folder.
   * @param title of the dialog, e.g. `Output folder`
   * @param from the current folder or file, where the dialog begins; '' or one that is not there: the system's choice
   * @returns its path; null if the user closed the dialog
   */
  chooseFolder(title: string, from: string): Promise<string | null>;
  /** Asks for one file, e.g. a program; otherwise as `chooseFolder`. */
  chooseFile(title: string, from: string): Promise<string | null>;
  /** The text in the clipboard, '' if none; refused while the window is not in front. */
  readClipboard(): Promise<string>;
  /** Sets the commands of the application menu, with their ticks and the user's keys. */
  showCommands(menu: CommandMenu): Promise<void>;
  /** Runs a command that only the desktop can, as its menu does. */
  run(command: DesktopCommand): Promise<void>;
  readSwitches(): Promise<DesktopSwitches>;
  /** Switches one of them, as the menu does. @returns all of them as they are now */
  setSwitch(name: keyof DesktopSwitches, on: boolean): Promise<DesktopSwitches>;
  /** Sets all switches as they were at first. @returns all of them as they are now */
  resetSwitches(): Promise<DesktopSwitches>;
  /** The window has saved everything; the server may end. The desktop only waits a moment for it. */
  readyToClose(): Promise<void>;
  /**
   * Receives the desktop's messages, including earlier ones. Only the last listener is called.
   * @returns the function that stops it
   */
  listen(hear: (message: DesktopMessage) => void): () => void;
}

/** Names of the calls between preload and main process. */
export const desktopChannels = {
  showInFolder: 'desktop:show-in-folder',
  showSetAside: 'desktop:show-set-aside',
  openFile: 'desktop:open-file',
  saveCopy: 'desktop:save-copy',
  showCopy: 'desktop:show-copy',
  importTemplate: 'desktop:import-template',
  chooseFolder: 'desktop:choose-folder',
  chooseFile: 'desktop:choose-file',
  readClipboard: 'desktop:read-clipboard',
  showCommands: 'desktop:show-commands',
  run: 'desktop:run',
  readSwitches: 'desktop:read-switches',
  setSwitch: 'desktop:set-switch',
  resetSwitches: 'desktop:reset-switches',
  readyToClose: 'desktop:ready-to-close',
  /** The page listens from now on. */
  listen: 'desktop:listen',
} as const satisfies Record<keyof Desktop, string>;

/** The one channel from the main process to the page; every message is a DesktopMessage. */
export const desktopMessageChannel = 'desktop:message';

/** Answer of the main process to a call. Electron would put its own words before a thrown error. */
export type DesktopAnswer = { readonly value: unknown } | { readonly problem: string };
