/**
 * `window.desktop`: what the window can ask of the desktop and a browser could not do. Put there by main/preload.cts,
 * absent in a browser; answered by main/ipc.ts. Every call names a render, never a path.
 */

/** The finished file of a render. */
export interface RenderFileName {
  /** The render's ID. */
  readonly id: string;
  readonly format: 'jpg' | 'png' | 'gif' | 'mp4';
}

/** The calls of `window.desktop`. Each fails with a sentence for people when the desktop refuses. */
export interface Desktop {
  /** Opens the system's file manager with the file selected. */
  showInFolder(file: RenderFileName): Promise<void>;
  /** Opens the file with the program that the system has for it. */
  openFile(file: RenderFileName): Promise<void>;
  /**
   * Asks where to, then copies the file there.
   * @param suggestedName proposed in the dialog, without the ending, e.g. `Promo square 2026-11-21`
   * @returns false when the person closed the dialog
   */
  saveCopy(file: RenderFileName, suggestedName: string): Promise<boolean>;
}

/** Names of the messages between preload and main process. */
export const desktopChannels = {
  showInFolder: 'desktop:show-in-folder',
  openFile: 'desktop:open-file',
  saveCopy: 'desktop:save-copy',
} as const satisfies Record<keyof Desktop, string>;

/** Answer of the main process to a call. A thrown error would arrive with Electron's own words before it. */
export type DesktopAnswer = { readonly value: unknown } | { readonly problem: string };
