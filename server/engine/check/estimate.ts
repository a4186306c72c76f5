/**
 * What a render will take, estimated from a few of its frames: how long they take to draw, and how much each differs
 * from the one before. Runs in a worker process.
 *
 * An estimate by what was drawn, not by earlier renders: it works for a document that nobody has rendered yet. Against
 * the renders of the moving templates and recipes that are shipped, four of five sizes were within 45 %, and times of
 * more than a second within a factor of three.
 */
import type { RenderEstimate } from '../../../shared/findings.ts';
import {
  formats,
  isFilm,
  isSequence,
  isSound,
  isStill,
  otherCodec,
  type OutputFormat,
  type VideoCodec,
} from '../../../shared/renderscript/formats.ts';
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import { outputSize, type Scaling } from '../../../shared/renderscript/output.ts';
import { stillBytes } from '../encode/still.ts';
import { letGo } from '../garbage.ts';
import { frameTimes } from '../plan.ts';
import type { Stage } from '../stage.ts';

/** How many moments are drawn, each with the frame after it. */
const moments = 5;
/** Seconds of a render before its first frame and after its last one. */
const around = 0.4;
/** Seconds in which x264 codes a pixel on this many threads. */
const coding = 9e-9;
/** How much longer other encoders take. */
const slower: Readonly<Partial<Record<OutputFormat, number>>> = {
  ...{ gif: 3, 'webp-animated': 12, 'png-sequence': 4 },
};
/** Steps of crf that double a film's bytes; these figures are for crf 23. */
const crf = { doubles: 4.3, usual: 23 };
/** A film of another codec, measured on samples: its bytes and the time of coding, by those of x264. */
const codecs = {
  h264: { bytes: 1, time: 1 },
  hevc: { bytes: 0.6, time: 3 },
  av1: { bytes: 0.7, time: 2.5 },
} as const satisfies Readonly<Record<VideoCodec, object>>;
/** Seconds in which a second of sound is mixed and coded. */
const soundSeconds = 0.02;

/** See above. @param scaling Of the render; the stage may be smaller. */
export async function estimateOf(
  stage: Stage,
  scaling: Scaling,
  signal: AbortSignal,
): Promise<RenderEstimate> {
  const { timeline } = stage;
  const { output } = timeline;
  const { format } = output;
  if (isSound(format)) {
    const { duration } = timeline;
    return {
      seconds: around + duration * soundSeconds,
      bytes: Math.round(duration * formats[format].soundBytes),
      ...{ width: 0, height: 0, duration, frames: 0 },
    };
  }
  const times = frameTimes(timeline);
  const { width, height } = outputSize({
    ...{ width: timeline.width, height: timeline.height, format, ...scaling },
  });
  const chosen = Array.from({ length: Math.min(moments, times.length) }, (_, index) =>
    Math.floor(((index + 0.5) * times.length) / Math.min(moments, times.length)),
  );
  let [spent, drawn, bytes, changed] = [0, 0, 0, 0];
  for (const index of chosen) {
    let before: Uint8Array | null = null;
    for (const at of [index, Math.min(index + 1, times.length - 1)]) {
      signal.throwIfAborted();
      const began = performance.now();
      await stage.draw(stage.layout.frameAt(times[at] ?? 0));
      // The first frame opens decoders and fonts.
      if (before) {
        spent += performance.now() - began;
        drawn++;
      }
      const whole = { x: 0, y: 0, width: output.width, height: output.height };
      const pixels = stage.painter.read(whole);
      if (before) {
        changed += changeOf(before, pixels);
        letGo(before);
      }
      before = pixels;
    }
    if (before) letGo(before);
    const kind = isStill(format) ? format : isSequence(format) ? 'png' : 'jpg';
    bytes += (await stillBytes(stage.painter.canvas, kind)).length;
  }
  const larger = (width * height) / (output.width * output.height);
  const count = Math.max(1, chosen.length);
  const perFrame = ((spent / Math.max(1, drawn)) * larger) / 1_000;
  const still = (bytes / count) * larger ** 0.85;
  const change = changed / count;
  const frames = times.length;
  const code = width * height * coding * (slower[format] ?? codecOf(output).time);
  return {
    seconds: around + frames * Math.max(perFrame, code),
    bytes: Math.round(bytesOf(stage, { still, change, frames })),
    ...{ width, height, duration: timeline.duration, frames },
  };
}

function bytesOf(
  { timeline: { output, sounds, duration } }: Stage,
  { still, change, frames }: { still: number; change: number; frames: number },
): number {
  // A finished jpg is coded at full quality, one to look at is not.
  if (isStill(output.format)) return still * (formats[output.format].keepsAlpha ? 1 : 2);
  if (isSequence(output.format)) return still * frames;
  const { quality } = formats[output.format];
  if (quality?.property === 'gif_quality') return still * (1 + frames * (0.45 + change));
  const byQuality = 2 ** ((crf.usual - output.crf) / crf.doubles);
  // It codes each frame's changed part by itself.
  if (!isFilm(output.format)) return still * 0.5 * (1 + frames * change) * byQuality;
  const picture = still * 0.6 * (1 + frames / 250 + frames * change);
  return (
    picture * byQuality * codecOf(output).bytes +
    (sounds.length > 0 ? formats[output.format].soundBytes * duration : 0)
  );
}

/** What a film's codec costs. */
function codecOf({ format, videoCodec }: OutputSettings): (typeof codecs)[VideoCodec] {
  return codecs[otherCodec(format, videoCodec) ?? 'h264'];
}

/** The share of what two frames show that differs, 0–1. */
function changeOf(one: Uint8Array, other: Uint8Array): number {
  let sum = 0;
  let count = 0;
  // Every eighth pixel is enough.
  for (let at = 0; at < one.length; at += 32) {
    sum += Math.min(1, Math.abs((one[at + 1] ?? 0) - (other[at + 1] ?? 0)) / 24);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
