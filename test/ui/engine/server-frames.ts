/** Frames as the server's engine draws them, as png: what a page's frames are measured against. */
import { openStage, type Stage } from '../../../server/engine/stage.ts';
import { fontFolder } from '../../../server/system/paths.ts';
import { engineLimits } from '../../../shared/limits.ts';
import type { Source } from '../../../shared/renderscript/source.ts';

/** A document that is open at the server's. */
export interface ServerFrames {
  /** Some moments of it, seconds. */
  readonly moments: readonly number[];
  /** The frame nearest to a moment. */
  png(moment: number): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a document as previews do.
 *
 * @param side Longest side, pixels.
 * @throws RenderError
 */
export async function openServerFrames(
  source: Source,
  { folder, mediaFolders, side }: { folder: string; mediaFolders: string[]; side: number },
): Promise<ServerFrames> {
  const stage: Stage = await openStage(
    {
      ...{ source, moment: 0, mediaFolders, fontFolder: fontFolder(), limits: engineLimits },
      ...{ outputPath: 'frame.png', snapshotPath: '', workFolder: folder, cacheFolder: folder },
      ...{ allowPrivateAddresses: false, ownPorts: [] },
      scaling: { maxWidth: side, maxHeight: side },
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  const { output, duration } = stage.timeline;
  return {
    moments: duration > 0 ? [0.1, 0.5, 0.9].map((share) => duration * share) : [0],
    async png(moment) {
      const frame = Math.min(output.frameCount - 1, Math.round(moment * output.frameRate));
      await stage.draw(stage.layout.frameAt(frame / output.frameRate));
      return stage.painter.canvas.encode('png');
    },
    close: () => stage.close(),
  };
}
