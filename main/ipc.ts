/**
 * What stands behind `window.desktop`. Main process.
 * Each call checks who sent it and the form of its values; the page names renders, and paths are made here only.
 */
import { dialog, ipcMain, shell, type BrowserWindow, type IpcMainInvokeEvent } from 'electron';
import { copyFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { desktopChannels, type DesktopAnswer, type RenderFileName } from '../shared/desktop.ts';
import type { Log } from '../server/log.ts';

/** IDs are made by the server; nothing that could leave the folder passes. */
const renderFile = z.object({
  id: z.string().regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/),
  format: z.enum(['jpg', 'png', 'gif', 'mp4']),
});
const suggestedName = z.string().max(500);

interface DesktopOptions {
  readonly window: BrowserWindow;
  /** Folder of finished files, named `{id}.{format}`. */
  readonly outputFolder: string;
  /** Origin of the page, e.g. `http://127.0.0.1:51234`; calls from anywhere else are refused. */
  readonly origin: string;
  readonly log: Log;
}

/** Answers the calls of shared/desktop.ts for one window. */
export function answerDesktopCalls({ window, outputFolder, origin, log }: DesktopOptions): void {
  const pathOf = (file: RenderFileName): string => {
    const place = path.join(outputFolder, `${file.id}.${file.format}`);
    if (!existsSync(place)) throw new Error('The file is no longer in the output folder.');
    return place;
  };

  /** Answers one call, given that the window's own main frame sent it. */
  const answer = (channel: string, work: (...values: unknown[]) => Promise<unknown>): void => {
    ipcMain.handle(channel, async (event, ...values: unknown[]): Promise<DesktopAnswer> => {
      try {
        if (!isFromPage(event, window, origin)) throw new Error('Only the window may do this.');
        return { value: await work(...values) };
      } catch (error) {
        log('warning', 'window', `${channel} was refused: ${String(error)}`);
        if (error instanceof z.ZodError) return { problem: 'The window asked for this wrongly.' };
        return { problem: error instanceof Error ? error.message : String(error) };
      }
    });
  };

  answer(desktopChannels.showInFolder, (file) => {
    shell.showItemInFolder(pathOf(renderFile.parse(file)));
    return Promise.resolve();
  });

  answer(desktopChannels.openFile, async (file) => {
    const refusal = await shell.openPath(pathOf(renderFile.parse(file)));
    if (refusal !== '') throw new Error(`The system could not open the file: ${refusal}`);
  });

  answer(desktopChannels.saveCopy, async (file, name) => {
    const { id, format } = renderFile.parse(file);
    const source = pathOf({ id, format });
    const { canceled, filePath } = await dialog.showSaveDialog(window, {
      defaultPath: `${asFileName(suggestedName.parse(name)) || id}.${format}`,
      filters: [{ name: format, extensions: [format] }],
    });
    if (canceled || filePath === '') return false;
    await copyFile(source, filePath);
    return true;
  });
}

function isFromPage(event: IpcMainInvokeEvent, window: BrowserWindow, origin: string): boolean {
  const frame = event.senderFrame;
  return event.sender === window.webContents && frame?.parent === null && frame.origin === origin;
}

/** A template's name as a file name: without what file systems don't take. */
function asFileName(name: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must go
  const cleaned = name.replace(/[<>:"/\\|?*\u0000-\u001f]/g, ' ').replace(/\s+/g, ' ');
  return cleaned.trim().replace(/\.+$/, '').slice(0, 120);
}
