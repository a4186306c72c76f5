/**
 * Tries once what a build of ffmpeg makes of a slowed-down video that ends with its film ([Note: The end of a slow
 * video]). Runs in the worker, and only for such films.
 *
 * [Note: The end of a slow video] The filter that tells the encoder the frame rate gives out a frame when the next one
 * comes, or the end. ffmpeg 4.1 says the end in the video's own time, as `setpts` changes only the times of frames: at
 * half the speed it comes in the middle of the film, and the last frame is lost. Where the video goes on, the film is
 * cut before its end matters; at more than its own speed the end comes too late, and the film is cut as well.
 */
import { overlayGraph } from './encode/arguments.ts';
import { startFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { frameTiming, type Release } from './ffmpeg-builds.ts';

/** Pixels of a side, and frames of the video; each is shown twice. */
const [side, count] = [16, 3];
const frameRate = 24;
const bytesPerFrame = side * side * 1.5;
/** Milliseconds after which the answer is no. */
const patience = 10_000;

const answers = new WeakMap<Ffmpeg, Promise<boolean>>();

/**
 * True if one process shows every frame of a slow video to its end. Any failure is a no: frame after frame, any build
 * can. Asked once for each program.
 */
export function keepsLastFrame(ffmpeg: Ffmpeg): Promise<boolean> {
  const known = answers.get(ffmpeg);
  if (known) return known;
  const answer = tryIt(ffmpeg).catch(() => false);
  answers.set(ffmpeg, answer);
  return answer;
}

/** Three frames at half the speed, through the graph of a film in one process. Pure. */
export function trialArguments(build: Release): string[] {
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p'];
  const input = [
    ...raw,
    ...['-s', `${side}x${side}`, '-framerate', String(frameRate), '-i', 'pipe:0'],
  ];
  const filters = [`fps=fps=${2 * frameRate}:start_time=0:round=up`];
  const graph = overlayGraph(
    { frameRate, frameCount: 2 * count },
    { input, filters, changes: [], area: null, parts: [] },
  );
  return [
    ...['-loglevel', 'error', '-copyts', '-protocol_whitelist', 'pipe', ...input],
    ...['-filter_complex', graph, '-map', '[film]', ...frameTiming(build, 'passthrough')],
    ...[...raw, 'pipe:1'],
  ];
}

async function tryIt(ffmpeg: Ffmpeg): Promise<boolean> {
  const { stdin, stdout, finished } = startFfmpeg(ffmpeg, trialArguments(ffmpeg), {
    stdin: true,
    stdout: true,
    deadline: patience,
  });
  const chunks: Buffer[] = [];
  stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Each frame is of one grey, by which it is known again.
  stdin?.end(
    Buffer.concat(
      Array.from({ length: count }, (_, index) => Buffer.alloc(bytesPerFrame, grey(index))),
    ),
  );
  const { code } = await finished;
  const bytes = Buffer.concat(chunks);
  const shown = Array.from(
    { length: Math.ceil(bytes.length / bytesPerFrame) },
    (_, index) => bytes[index * bytesPerFrame],
  );
  const right = Array.from({ length: 2 * count }, (_, index) => grey(Math.floor(index / 2)));
  return code === 0 && shown.join() === right.join();
}

const grey = (index: number): number => 50 + index * 50;
