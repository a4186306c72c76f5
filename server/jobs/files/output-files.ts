/** Where finished files are. Their names come from render IDs alone. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoredRender } from '../../store/renders.ts';

/** The part of a render that names its files. */
type Named = Pick<StoredRender, 'id' | 'outputFormat'>;

/** The output folder. */
export interface OutputFiles {
  readonly folder: string;
  /** Puts finished files into another folder from now on; older ones are still found in `earlier`. */
  use(folder: string, earlier: readonly string[]): void;
  /** `ID.mp4` */
  outputPath(render: Named): string;
  /** `snapshots/ID.jpg`: a folder of its own, because a jpg render is `ID.jpg`. */
  snapshotPath(render: Named): string;
  /** Makes the folders when they are gone. */
  prepare(): Promise<void>;
  /** Removes a render's files. */
  remove(render: Named): Promise<void>;
}

export function createOutputFiles(first: string): OutputFiles {
  let folder = first;
  let earlierFolders: readonly string[] = [];
  /** Where a file is, or will be. */
  const place = (name: string): string => {
    const places = [folder, ...earlierFolders].map((one) => path.join(one, name));
    const found = places.length > 1 ? places.find((one) => existsSync(one)) : undefined;
    return found ?? path.join(folder, name);
  };
  const outputPath = ({ id, outputFormat }: Named): string => place(`${id}.${outputFormat}`);
  const snapshotPath = ({ id }: Named): string => place(path.join('snapshots', `${id}.jpg`));
  return {
    get folder() {
      return folder;
    },
    use(chosen, earlier) {
      folder = chosen;
      earlierFolders = earlier.filter((one) => one !== chosen);
    },
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
