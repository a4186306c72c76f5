/**
 * Whether renders can use files: each is put into a document of its own, whose picture is rendered as any other. So
 * what is fine here is fine there, and what is wrong is said in the same words. Runs in a worker process.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { RenderError } from '../../shared/engine/errors.ts';
import type { MediaRequest } from '../../shared/renderscript/media-requests.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import type { RenderJob } from './render-job.ts';
import { render } from './render.ts';

/** A file, and what a document wants it for. */
export type TriedFile = Pick<MediaRequest, 'source' | 'kind' | 'element' | 'smartCrop'>;

/** Which files, and what the renders of their documents may touch. */
export interface TryJob extends Omit<
  RenderJob,
  'source' | 'scaling' | 'moment' | 'outputPath' | 'snapshotPath'
> {
  readonly files: readonly TriedFile[];
  /** How many at a time. */
  readonly atOnce: number;
}

/** What was found about one of the files, by its place in the list. */
export interface TriedResult {
  readonly index: number;
  /** Null: renders can use it. */
  readonly fault: { readonly code: string; readonly message: string } | null;
}

/** For which no file is to blame. */
const notOfFiles: ReadonlySet<string> = new Set(['cancelled', 'encoder_missing']);
/** Pixels of a side of the pictures, which nobody sees. */
const side = 16;

/** Tries all of them. @param onResult told of each as soon as it is known @throws RenderError for no fault of a file */
export async function tryFiles(
  job: TryJob,
  onResult: (result: TriedResult) => void,
  signal: AbortSignal,
): Promise<void> {
  // All loops take from one list, so that none waits behind a large file.
  const waiting = job.files.entries();
  const work = async (): Promise<void> => {
    for (const [index, file] of waiting)
      onResult({ index, fault: await tryOne(job, index, signal, file) });
  };
  await Promise.all(Array.from({ length: job.atOnce }, work));
}

async function tryOne(
  job: TryJob,
  index: number,
  signal: AbortSignal,
  file: TriedFile,
): Promise<TriedResult['fault']> {
  const workFolder = path.join(job.workFolder, String(index));
  try {
    await render(
      {
        ...job,
        source: documentWith(file),
        scaling: {},
        workFolder,
        outputPath: path.join(workFolder, 'picture.png'),
        snapshotPath: '',
      },
      { signal, onProgress: () => undefined },
    );
    return null;
  } catch (error) {
    if (!(error instanceof RenderError) || notOfFiles.has(error.code)) throw error;
    return { code: error.code, message: error.message };
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

function documentWith({ source, kind, element, smartCrop }: TriedFile): Source {
  const picture = { output_format: 'png', width: side, height: side };
  if (kind === 'font') return { ...picture, fonts: [{ family: element, source }], elements: [] };
  if (kind === 'lut')
    return { ...picture, elements: [{ type: 'shape', name: element, look_lut: source }] };
  return { ...picture, elements: [{ type: kind, name: element, source, smart_crop: smartCrop }] };
}
