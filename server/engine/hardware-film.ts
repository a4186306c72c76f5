/**
 * A film by the encoder of hardware that its job asks for: whether that works is known or tried first, and at its first
 * fault the film is made by software, as if nothing else had been asked for. Runs in the worker.
 */
import path from 'node:path';
import { RenderError } from '../../shared/engine/errors.ts';
import { encoderName, hardwareCodecs } from '../../shared/hardware.ts';
import { hasCodecs } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import type { Hardware } from './encode/hardware.ts';
import { noteFault, reasonOf, tryHardware, type Wanted } from './encode/hardware-trial.ts';
import type { RenderContext, RenderJob, RenderResult } from './render-job.ts';
import type { Stage } from './stage.ts';

/** Has a film made. @param make By such an encoder; null: by software. @throws what `make` does by software */
export async function byHardware(
  job: RenderJob,
  stage: Stage,
  { signal }: RenderContext,
  make: (hardware: Hardware | null) => Promise<RenderResult>,
): Promise<RenderResult> {
  const { ffmpeg } = stage;
  const wanted = wantedBy(job, stage);
  if (!wanted || !ffmpeg) return make(null);
  const encoder = encoderName(wanted.codec, wanted.family);
  const workFolder = path.resolve(job.workFolder);
  const place = { cacheFolder: job.cacheFolder, workFolder, signal };
  const { hardware, reason } = await tryHardware(ffmpeg, wanted, place);
  const bySoftware = async (why: string): Promise<RenderResult> => {
    const made = await make(null);
    const told = { encoder, reason: why };
    return { ...made, hardwareFault: told, warnings: [...made.warnings, warningOf(encoder, why)] };
  };
  if (!hardware) return bySoftware(reason);
  try {
    return { ...(await make(hardware)), encoder };
  } catch (error) {
    if (signal.aborted || !isFault(error)) throw error;
    const why = reasonOf(error, encoder);
    const made = await bySoftware(why);
    // Where software fails, too, it is not the encoder's fault.
    await noteFault(ffmpeg, wanted, place, why);
    return made;
  }
}

/** Films of several workers, and all but an mp4 of some codecs, are made by software. */
function wantedBy({ encodeWith, isDivided }: RenderJob, { timeline }: Stage): Wanted | null {
  const { format, videoCodec, width, height } = timeline.output;
  const codec = hardwareCodecs.find((one) => one === videoCodec);
  if (encodeWith === undefined || isDivided === true || !hasCodecs(format) || !codec) return null;
  return { family: encodeWith, codec, width, height };
}

/** True for an encoder that stopped, or whose file is not right; not for one of a file that is read. */
function isFault(error: unknown): boolean {
  if (!(error instanceof RenderError) || error.path !== undefined) return false;
  return error.code === 'encoder_failed' || error.code === 'encoder_killed';
}

function warningOf(encoder: string, reason: string): Problem {
  return {
    ...{ path: '', element: '', property: '', severity: 'warning', code: 'hardware_failed' },
    message: `The film was made by software, because ${encoder} failed (${reason})`,
  };
}
