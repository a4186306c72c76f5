/** Rendering in tests: the real engine in this process, in a scratch folder. */
import path from 'node:path';
import type { RenderJob, RenderResult } from '../../server/engine/render-job.ts';
import { render } from '../../server/engine/render.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { engineLimits } from '../../shared/limits.ts';
import type { Source } from '../../shared/renderscript/source.ts';

/** The job that renders `source` into `folder`/`name`; media come from `folder` and test/fixtures. */
export function jobInto(
  folder: string,
  name: string,
  source: Source,
  changes: Partial<RenderJob> = {},
): RenderJob {
  return {
    source,
    scaling: {},
    outputPath: path.join(folder, name),
    snapshotPath: path.join(folder, `${name}-snapshot.jpg`),
    workFolder: folder,
    cacheFolder: path.join(folder, 'cache'),
    mediaFolders: [folder, path.join(import.meta.dirname, '..', 'fixtures')],
    fontFolder: fontFolder(),
    allowPrivateAddresses: true,
    ownPorts: [],
    limits: engineLimits,
    ...changes,
  };
}

/** Renders such a job. */
export function renderInto(...job: Parameters<typeof jobInto>): Promise<RenderResult> {
  const signal = new AbortController().signal;
  return render(jobInto(...job), { signal, onProgress: () => undefined });
}
