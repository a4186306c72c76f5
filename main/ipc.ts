/**
 * Answers `window.desktop`. Main process. Each call checks its sender and the form of its values; the page names
 * renders, and only this file makes paths.
 */
import {
  clipboard,
  dialog,
  ipcMain,
  shell,
  type BrowserWindow,
  type IpcMainInvokeEvent,
} from 'electron';
import { existsSync } from 'node:fs';
import { access, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import {
  commandTable,
  desktopCommands,
  type CommandMenu,
  type DesktopCommand,
} from '../shared/commands.ts';
import { readKeys } from '../shared/keys.ts';
import {
  desktopChannels,
  desktopMessageChannel,
  desktopSwitches,
  type DesktopAnswer,
  type DesktopSwitches,
  type RenderFileName,
} from '../shared/desktop.ts';
import { cleanFileName } from '../shared/file-name.ts';
import { fileEnding, outputFormats } from '../shared/renderscript/formats.ts';
import { refusalKind } from '../server/system/files.ts';
import type { Log } from '../server/system/log.ts';
import { openedArchive, type Messenger, sendTemplate } from './openings.ts';
import { say } from './say.ts';
import type { Work } from './work.ts';

/** IDs are made by the server; nothing that could leave the folder passes. */
const renderFile = z.object({
  id: z.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/),
  format: z.enum(outputFormats),
});
const setAsideName = z.string().max(200);
const suggestedName = z.string().max(500);
const copyNumber = z.int().min(0);
const archiveNumber = z.int().min(0);
const kitNumbers = z
  .string()
  .regex(/^\d+(,\d+)*$/)
  .optional();
const projectId = z.string().max(128);
const dialogTitle = z.string().max(100);
const dialogBeginning = z.string().max(4096);
const flags = z.record(z.string(), z.boolean()).transform(onlyKnown);
const commandMenu: z.ZodType<CommandMenu> = z.object({
  enabled: flags,
  ticked: flags,
  keys: z
    .record(z.string(), z.array(z.string().max(40)).max(8))
    .transform(onlyKnown)
    // Electron refuses a whole menu for one unreadable key.
    .transform((changed) =>
      Object.fromEntries(
        Object.entries(changed).map(([id, keys]) => [id, keys.filter((one) => readKeys(one))]),
      ),
    ),
});
const desktopCommand = z.enum(desktopCommands);
const switchName: z.ZodType<keyof DesktopSwitches> = z.enum(desktopSwitches);

interface DesktopOptions {
  /** The window that is open now. */
  window(): BrowserWindow | null;
  readonly work: Pick<Work, 'fileOf' | 'setAsideFile' | 'copyFolder'>;
  readonly messenger: Messenger;
  readonly onCommands: (menu: CommandMenu) => void;
  /** The page has saved everything. */
  readonly onReadyToClose: () => void;
  /** Runs a command of the desktop itself. */
  readonly run: (command: DesktopCommand) => void;
  readonly switches: {
    read(): DesktopSwitches;
    set(name: keyof DesktopSwitches, on: boolean): void;
    reset(): void;
  };
  /** Address of the page with its token; calls from another origin are refused. */
  readonly windowUrl: string;
  readonly log: Log;
}

/** What answers a call, with what was sent: checked here, value by value. */
type Call = (window: BrowserWindow, ...values: unknown[]) => unknown;
type Calls = Record<keyof typeof desktopChannels, Call>;

/** Answers the calls of shared/desktop.ts, for whichever window is open. */
export function answerDesktopCalls(options: DesktopOptions): void {
  const { origin } = new URL(options.windowUrl);
  const calls: Calls = {
    ...fileCalls(options.work),
    ...dialogCalls,
    ...shellCalls(options),
  };
  for (const [name, call] of Object.entries(calls)) {
    // The keys are those of the table.
    const channel = desktopChannels[name as keyof Calls];
    // Answers if the window's own main frame sent it.
    ipcMain.handle(channel, async (event, ...values: unknown[]): Promise<DesktopAnswer> => {
      try {
        const window = options.window();
        if (!window || !isFromPage(event, window, origin)) {
          throw new Error('Only the window may do this.');
        }
        return { value: await call(window, ...values) };
      } catch (error) {
        options.log('warning', 'window', `${channel} was refused: ${String(error)}`);
        if (error instanceof z.ZodError) return { problem: say('problem.call') };
        return { problem: error instanceof Error ? error.message : String(error) };
      }
    });
  }
}

/** Finished files, and those of damaged records. */
function fileCalls(
  work: DesktopOptions['work'],
): Pick<Calls, 'showInFolder' | 'showSetAside' | 'openFile' | 'saveCopy' | 'showCopy'> {
  /** Where this run's copies are. The page gets their numbers, so that it can only name what the user chose. */
  const copies: string[] = [];
  const pathOf = ({ id, format }: RenderFileName): string =>
    existing(work.fileOf(id, format), say('problem.fileGone'));
  return {
    showInFolder: (_window, file) => reveal(pathOf(renderFile.parse(file))),
    showSetAside: (_window, name) => {
      const place = work.setAsideFile(setAsideName.parse(name));
      reveal(existing(place, say('problem.asideGone')));
    },
    openFile: async (_window, file) => {
      const refusal = await shell.openPath(pathOf(renderFile.parse(file)));
      if (refusal !== '') throw new Error(say('problem.notOpened', { reason: refusal }));
    },
    saveCopy: async (window, file, name) => {
      const { id, format } = renderFile.parse(file);
      const source = pathOf({ id, format });
      const ending = fileEnding(format);
      const { copyFolder } = work;
      const fileName = `${cleanFileName(suggestedName.parse(name)) || id}.${ending}`;
      // If the folder or its drive is gone, the system chooses where the dialog opens.
      const hasFolder = copyFolder !== null && existsSync(copyFolder);
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        defaultPath: hasFolder ? path.join(copyFolder, fileName) : fileName,
        filters: [{ name: ending, extensions: [ending] }],
      });
      if (canceled || filePath === '') return null;
      await copyFile(source, filePath).catch((error: unknown) => {
        throw new Error(copyProblem(error, path.dirname(filePath)), { cause: error });
      });
      return copies.push(filePath) - 1;
    },
    showCopy: (_window, copy) =>
      reveal(existing(copies[copyNumber.parse(copy)], say('problem.copyGone'))),
  };
}

function reveal(place: string): void {
  shell.showItemInFolder(place);
}

/** The path of a file. @throws Error with `problem` if it is not there */
function existing(place: string | null | undefined, problem: string): string {
  if (typeof place === 'string' && existsSync(place)) return place;
  throw new Error(problem);
}

const dialogCalls: Pick<Calls, 'chooseFolder' | 'chooseFile' | 'readClipboard'> = {
  chooseFolder: (window, title, from) =>
    choose(window, title, from, ['openDirectory', 'createDirectory']),
  chooseFile: (window, title, from) => choose(window, title, from, ['openFile']),
  readClipboard: (window) => {
    // Only while the user works in the window may it read what they copied elsewhere.
    if (!window.isFocused()) throw new Error(say('problem.clipboard'));
    return clipboard.readText();
  },
};

async function choose(
  window: BrowserWindow,
  title: unknown,
  from: unknown,
  properties: ('openDirectory' | 'createDirectory' | 'openFile')[],
): Promise<string | null> {
  const defaultPath = await beginningOf(dialogBeginning.parse(from));
  const options = {
    title: dialogTitle.parse(title),
    properties,
    ...(defaultPath !== null && { defaultPath }),
  };
  const { canceled, filePaths } = await dialog.showOpenDialog(window, options);
  return canceled ? null : (filePaths[0] ?? null);
}

/** What the shell does: menu, switches, its messages, and templates that it was opened with. */
function shellCalls(
  options: DesktopOptions,
): Omit<Calls, keyof ReturnType<typeof fileCalls> | keyof typeof dialogCalls> {
  const { messenger, onCommands, onReadyToClose, run, switches, windowUrl } = options;
  return {
    importTemplate: (_window, archive, project, only) => {
      const place = openedArchive(archiveNumber.parse(archive));
      if (place === undefined) throw new Error(say('import.archiveGone'));
      return sendTemplate(windowUrl, place, projectId.parse(project), kitNumbers.parse(only));
    },
    showCommands: (_window, menu) => onCommands(commandMenu.parse(menu)),
    run: (_window, command) => run(desktopCommand.parse(command)),
    readSwitches: () => switches.read(),
    setSwitch: (_window, name, on) => {
      switches.set(switchName.parse(name), z.boolean().parse(on));
      return switches.read();
    },
    resetSwitches: () => {
      switches.reset();
      return switches.read();
    },
    readyToClose: () => onReadyToClose(),
    listen: ({ webContents }) =>
      messenger.connect((message) => webContents.send(desktopMessageChannel, message)),
  };
}

/** Unknown commands must not prevent the menu. */
function onlyKnown<Value>(values: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).filter(([id]) => Object.hasOwn(commandTable, id)),
  );
}

function isFromPage(event: IpcMainInvokeEvent, window: BrowserWindow, origin: string): boolean {
  const frame = event.senderFrame;
  return event.sender === window.webContents && frame?.parent === null && frame.origin === origin;
}

/** Drives of networks that are gone answer late, or never: a dialog waits for them for this time, in ms. */
const longestLook = 1_000;

/** Where a dialog begins: at a path that is there, else in its folder. Null: neither is, and the system chooses. */
async function beginningOf(from: string): Promise<string | null> {
  if (!path.isAbsolute(from)) return null;
  const isThere = (place: string): Promise<boolean> =>
    Promise.race([
      access(place).then(
        () => true,
        () => false,
      ),
      setTimeout(longestLook, false, { ref: false }),
    ]);
  for (const place of [from, path.dirname(from)]) if (await isThere(place)) return place;
  return null;
}

/** Why a copy could not be written, for people. */
function copyProblem(error: unknown, folder: string): string {
  const kind = refusalKind(error);
  if (kind === 'full') return say('problem.copy.full');
  if (kind === 'denied') return say('problem.copy.refused', { folder });
  return say('problem.copy', {
    reason: error instanceof Error ? error.message : String(error),
  });
}
