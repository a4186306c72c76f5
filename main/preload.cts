/**
 * Puts `window.desktop` into the page. Runs isolated beside it, in the sandbox, before its scripts.
 * CommonJS, because sandboxed preload scripts are not modules. Passes calls on and knows nothing else.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- the way of CommonJS; `require` gives any, hence the `as` */
import type * as electron from 'electron';
import type * as shared from '../shared/desktop.ts';

const { contextBridge, ipcRenderer } = require('electron') as typeof electron;
const { desktopChannels } = require('../shared/desktop.ts') as typeof shared;

/** Sends one call and gives back its value; a problem is thrown with the sentence alone. */
async function call(channel: string, ...values: unknown[]): Promise<unknown> {
  // main/ipc.ts answers every call in this form.
  const answer = (await ipcRenderer.invoke(channel, ...values)) as shared.DesktopAnswer;
  if ('problem' in answer) throw new Error(answer.problem);
  return answer.value;
}

const desktop: shared.Desktop = {
  showInFolder: async (file) => {
    await call(desktopChannels.showInFolder, file);
  },
  openFile: async (file) => {
    await call(desktopChannels.openFile, file);
  },
  saveCopy: async (file, suggestedName) =>
    (await call(desktopChannels.saveCopy, file, suggestedName)) === true,
};

contextBridge.exposeInMainWorld('desktop', desktop);
