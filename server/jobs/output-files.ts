/** Where finished files lie. Their names are made from render ids alone. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoredRender } from '../store/renders.ts';

/** The part of a render that names its files. */
type Named = Pick<StoredRender, 'id' | 'outputFormat'>;

/** The output folder. */
export interface OutputFiles {
  readonly folder: string;
  /** `ID.mp4` */
  outputPath(render: Named): string;
  /** `snapshots/ID.jpg`: a folder of its own, because a jpg render is `ID.jpg`. */
  snapshotPath(render: Named): string;
  /** Makes the folders when they are gone. */
  prepare(): Promise<void>;
  /** Removes what there is of a render. */
  remove(render: Named): Promise<void>;
}

export function createOutputFiles(folder: string): OutputFiles {
  const outputPath = ({ id, outputFormat }: Named): string =>
    path.join(folder, `${id}.${outputFormat}`);
  const snapshotPath = ({ id }: Named): string => path.join(folder, 'snapshots', `${id}.jpg`);
  return {
    folder,
    outputPath,
    snapshotPath,
    async prepare() {
      await mkdir(path.join(folder, 'snapshots'), { recursive: true });
    },
    async remove(render) {
      await rm(outputPath(render), { force: true });
      await rm(`${outputPath(render)}.part`, { force: true });
      await rm(snapshotPath(render), { force: true });
    },
  };
}
