/**
 * A document as sound alone: exactly its film's sound, in a file of its own. No frame is laid out or painted. Runs in
 * the worker.
 */
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { SoundFormat } from '../../shared/renderscript/formats.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import { encoderLimits } from './cage.ts';
import { replaceSoundArguments } from './encode/arguments.ts';
import { checkResult } from './encode/check.ts';
import { requireEncoders, soundFormats } from './encode/film-formats.ts';
import { written } from './encode/publish.ts';
import { settleSound, type Mix } from './encode/sound-check.ts';
import { tagsOf } from './encode/tags.ts';
import { wavHeader, soundRate } from './encode/wav.ts';
import { startFfmpeg, stoppedError } from './ffmpeg.ts';
import type { RenderContext, RenderJob, RenderResult } from './render-job.ts';
import { mixStage } from './sound.ts';
import type { Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** Which share of the work is mixing; coding takes as long. */
const mixing = 0.5;

/** Mixes and codes the sound of a document; silence where it has none. @throws RenderError */
export async function renderSound(
  { outputPath, workFolder, madeFrom }: RenderJob,
  stage: Stage,
  format: SoundFormat,
  { signal, onProgress }: RenderContext,
): Promise<RenderResult> {
  const { timeline, ffmpeg } = stage;
  const { output } = timeline;
  if (!ffmpeg) throw new Error('a sound was started without an encoder');
  requireEncoders(ffmpeg, { format }, true);
  const coding = soundFormats[format];
  const tags = tagsOf(madeFrom);
  const { frameCount: frames, frameRate } = output;
  const seconds = frames / frameRate;
  const tell = (share: number): void =>
    onProgress({ phase: 'rendering', frame: Math.min(frames, Math.floor(share * frames)), frames });
  tell(0);

  const heard = await mixStage(stage, ffmpeg, workFolder, signal, (share) => tell(share * mixing));
  const mix = heard ?? (await silence(workFolder, seconds));
  /** Runs ffmpeg to its end. @param onSeconds Called with how many seconds are coded. */
  const run = async (
    args: readonly string[],
    onSeconds: (seconds: number) => void = () => undefined,
  ): Promise<void> => {
    const options = { signal, cwd: workFolder, limits: encoderLimits, stdout: true };
    const process = startFfmpeg(ffmpeg, ['-progress', 'pipe:1', ...args], options);
    readTimes(process.stdout, onSeconds);
    const end = await process.finished;
    if (end.code !== 0) throw stoppedError(end);
  };
  const facts = await written(outputPath, signal, async (part) => {
    await timed('code sound', () =>
      run(replaceSoundArguments(null, mix.path, part, coding, tags), (coded) =>
        tell(mixing + (coded / seconds) * (1 - mixing)),
      ),
    );
    onProgress({ phase: 'finishing', frame: frames, frames });
    const settling = {
      ffmpeg,
      workFolder,
      coding,
      tags,
      isAlone: true,
      signal,
      run: (args: readonly string[]) => run(args),
    };
    await timed('code sound', () => settleSound(part, mix, settling));
    return timed('finish and check', () => checkResult(part, { ...output, format }));
  });
  const warnings = [...stage.warnings(), ...mix.warnings];
  return { facts, snapshot: false, warnings: heard ? warnings : [...warnings, silent(format)] };
}

function silent(format: SoundFormat): Problem {
  const message = `Nothing is heard in the document, so the ${format} is silent; give it an audio or video element with sound`;
  return { path: '', element: '', property: '', severity: 'warning', code: 'no_sound', message };
}

/** A mix of nothing; the disk keeps no zeros. */
async function silence(workFolder: string, seconds: number): Promise<Mix> {
  const length = Math.round(seconds * soundRate);
  const filePath = path.join(workFolder, 'sound.wav');
  await using file = await open(filePath, 'w');
  const header = wavHeader(length);
  await file.write(header);
  await file.truncate(header.length + length * 8);
  return { path: filePath, loudest: 0, loudness: null, warnings: [] };
}

/** Reads what ffmpeg's `-progress` says: how many seconds are done. */
function readTimes(stdout: Readable | null, tell: (seconds: number) => void): void {
  stdout?.setEncoding('utf8').on('data', (text: string) => {
    const [, hours, minutes, seconds] = /^out_time=(\d+):(\d+):(\d+\.?\d*)/m.exec(text) ?? [];
    if (hours !== undefined) tell(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  });
}
