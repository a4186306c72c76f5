/**
 * `window.desktop`: what the window can ask of the desktop and a browser could not do, and what the desktop tells the
 * window. Put there by main/preload.cts, absent in a browser; answered by main/ipc.ts. No call of the window names a path.
 */
import type { CommandId, CommandMenu, DesktopCommand } from './commands.ts';
import type { OutputFormat } from './renderscript/formats.ts';

/** The finished file of a render. */
export interface RenderFileName {
  /** The render's ID. */
  readonly id: string;
  readonly format: OutputFormat;
}

/** A file that was opened with the program: its text, or why it can't be read. */
export type OpenedFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: string };

/** Switches of the desktop program itself, which the window's settings show beside those of the server. */
export interface DesktopSwitches {
  /** The program opens when the person signs in. Null: only an installed one can. */
  readonly openAtLogin: boolean | null;
  /** The program stays when its window is closed. False also while nobody was asked. */
  readonly keepRunning: boolean;
}

/** What a click on a notification shows. */
export type DesktopClick =
  | { readonly type: 'command'; readonly command: 'go-queue' }
  | { readonly type: 'show-render'; readonly id: string };

/** What the desktop tells the window. It shows something, or asks for what was done to be kept; nothing of it starts or changes anything. */
export type DesktopMessage =
  /** Chosen in the application menu. */
  | { readonly type: 'command'; readonly command: CommandId }
  /** A link, or a notification that was clicked. */
  | { readonly type: 'show-template'; readonly id: string }
  | { readonly type: 'show-render'; readonly id: string }
  /** Opened with the program: the import dialog is to show them, all at once. */
  | { readonly type: 'import-files'; readonly files: readonly OpenedFile[] }
  /** The system did not show a notification: the window says it instead, and a button shows what a click on it would have. */
  | { readonly type: 'notice'; readonly text: string; readonly click: DesktopClick }
  /** Switched elsewhere: in the menu. */
  | { readonly type: 'switches'; readonly switches: DesktopSwitches }
  /** The program ends: what waits to be kept is kept now, and `readyToClose` says when it is. */
  | { readonly type: 'closing' };

/** The calls of `window.desktop`. Each fails with a sentence for people when the desktop refuses. */
export interface Desktop {
  /** Opens the system's file manager with the file selected. */
  showInFolder(file: RenderFileName): Promise<void>;
  /**
   * The same with a file of damaged records.
   * @param name as a notice of the server has it
   */
  showSetAside(name: string): Promise<void>;
  /** Opens the file with the program that the system has for it. */
  openFile(file: RenderFileName): Promise<void>;
  /**
   * Asks where to, then copies the file there.
   * @param suggestedName proposed in the dialog, without the ending, e.g. `Promo square 2026-11-21`
   * @returns the number that `showCopy` knows the copy by; null when the person closed the dialog
   */
  saveCopy(file: RenderFileName, suggestedName: string): Promise<number | null>;
  /** Opens the system's file manager with a copy selected that `saveCopy` made since the program was started. */
  showCopy(copy: number): Promise<void>;
  /**
   * Asks for a folder.
   * @param title of the dialog, e.g. `Output folder`
   * @returns its path; null when the person closed the dialog
   */
  chooseFolder(title: string): Promise<string | null>;
  /** Asks for one file, e.g. a program; otherwise as `chooseFolder`. */
  chooseFile(title: string): Promise<string | null>;
  /** The text in the clipboard, '' without any; refused while the window is not in front. */
  readClipboard(): Promise<string>;
  /** Says which commands the application menu is to show, with their ticks and the keys that a person gave them. */
  showCommands(menu: CommandMenu): Promise<void>;
  /** Carries out what only the desktop can, as its menu does. */
  run(command: DesktopCommand): Promise<void>;
  readSwitches(): Promise<DesktopSwitches>;
  /** Switches one of them, as the menu does. @returns all of them as they are now */
  setSwitch(name: keyof DesktopSwitches, on: boolean): Promise<DesktopSwitches>;
  /** Everything of the window's is kept; the server may end. Waited for only for a moment. */
  readyToClose(): Promise<void>;
  /**
   * Hears what the desktop has to tell; what came before is told now. The last one who asks hears.
   * @returns what ends it
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
  chooseFolder: 'desktop:choose-folder',
  chooseFile: 'desktop:choose-file',
  readClipboard: 'desktop:read-clipboard',
  showCommands: 'desktop:show-commands',
  run: 'desktop:run',
  readSwitches: 'desktop:read-switches',
  setSwitch: 'desktop:set-switch',
  readyToClose: 'desktop:ready-to-close',
  /** Tells that the page listens from now on. */
  listen: 'desktop:listen',
} as const satisfies Record<keyof Desktop, string>;

/** The one channel from the main process to the page; every message is a DesktopMessage. */
export const desktopMessageChannel = 'desktop:message';

/** Answer of the main process to a call. A thrown error would arrive with Electron's own words before it. */
export type DesktopAnswer = { readonly value: unknown } | { readonly problem: string };
