/**
 * Puts `window.desktop` into the page. Runs isolated beside it, in the sandbox, before its scripts.
 * CommonJS, because sandboxed preload scripts are not modules. Passes calls and messages on and knows nothing else.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- the way of CommonJS; `require` gives any, hence the `as` */
import type * as electron from 'electron';
import type { ImportedTemplates } from '../shared/api.ts';
import type * as shared from '../shared/desktop.ts';

const { contextBridge, ipcRenderer } = require('electron') as typeof electron;
const { desktopChannels, desktopMessageChannel } = require('../shared/desktop.ts') as typeof shared;

/** Sends one call and gives back its value; a problem is thrown with the sentence alone. */
async function call(channel: string, ...values: unknown[]): Promise<unknown> {
  // main/ipc.ts answers every call in this form.
  const answer = (await ipcRenderer.invoke(channel, ...values)) as shared.DesktopAnswer;
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.value;
}

async function path(channel: string, title: string, from: string): Promise<string | null> {
  const chosen = await call(channel, title, from);
  return typeof chosen === 'string' ? chosen : null;
}

const desktop: shared.Desktop = {
  showInFolder: async (file) => {
    await call(desktopChannels.showInFolder, file);
  },
  showSetAside: async (name) => {
    await call(desktopChannels.showSetAside, name);
  },
  openFile: async (file) => {
    await call(desktopChannels.openFile, file);
  },
  saveCopy: async (file, suggestedName) => {
    const copy = await call(desktopChannels.saveCopy, file, suggestedName);
    return typeof copy === 'number' ? copy : null;
  },
  showCopy: async (copy) => {
    await call(desktopChannels.showCopy, copy);
  },
  // Answered with it by main/ipc.ts.
  importTemplate: async (archive, project, only) =>
    (await call(desktopChannels.importTemplate, archive, project, only)) as ImportedTemplates,
  chooseFolder: (title, from) => path(desktopChannels.chooseFolder, title, from),
  chooseFile: (title, from) => path(desktopChannels.chooseFile, title, from),
  readClipboard: async () => String(await call(desktopChannels.readClipboard)),
  showCommands: async (menu) => {
    await call(desktopChannels.showCommands, menu);
  },
  run: async (command) => {
    await call(desktopChannels.run, command);
  },
  // All three are answered with a DesktopSwitches by main/ipc.ts.
  readSwitches: async () => (await call(desktopChannels.readSwitches)) as shared.DesktopSwitches,
  setSwitch: async (name, on) =>
    (await call(desktopChannels.setSwitch, name, on)) as shared.DesktopSwitches,
  resetSwitches: async () => (await call(desktopChannels.resetSwitches)) as shared.DesktopSwitches,
  readyToClose: async () => {
    await call(desktopChannels.readyToClose);
  },
  listen: (hear) => {
    ipcRenderer.removeAllListeners(desktopMessageChannel);
    // The event stays here: it would give the page a way to send anything.
    ipcRenderer.on(desktopMessageChannel, (_event, message: shared.DesktopMessage) => {
      hear(message);
    });
    void call(desktopChannels.listen);
    return () => {
      // It would hand itself to the page.
      ipcRenderer.removeAllListeners(desktopMessageChannel);
    };
  },
};

contextBridge.exposeInMainWorld('desktop', desktop);
