/** Frames of a document in tests: drawn by the real engine in this process, without files in between. */
import path from 'node:path';
import { openStage } from '../../server/engine/stage.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits } from '../../shared/limits.ts';
import type { Source } from '../../shared/renderscript/source.ts';

/** A document whose frames can be drawn. Close it. */
export interface OpenDocument {
  /** Pixels of a moment, straight from the canvas: RGBA, row by row. */
  pixelsAt(seconds: number): Promise<Buffer>;
  /** The engine's warnings as sentences. */
  warnings(): string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens a document; `folder` is for the engine's files. Media come from test/fixtures. */
export async function openDocument(source: Source, folder: string): Promise<OpenDocument> {
  const stage = await openStage(
    {
      source,
      scaling: {},
      moment: 0,
      outputPath: path.join(folder, 'frame.png'),
      snapshotPath: path.join(folder, 'frame.jpg'),
      workFolder: folder,
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [path.join(import.meta.dirname, '..', 'fixtures')],
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  return {
    async pixelsAt(seconds) {
      await stage.draw(stage.layout.frameAt(seconds));
      return Buffer.from(stage.painter.canvas.data());
    },
    warnings: () => stage.warnings().map(({ message }) => message),
    [Symbol.asyncDispose]: () => stage.close(),
  };
}
