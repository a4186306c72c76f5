/** Encoders of graphics cards and processors: their families, and what a computer said of each. Shared by all. */
import type { VideoCodec } from './renderscript/formats.ts';

/** In the order in which they are offered. */
export const hardwareFamilies = ['nvenc', 'qsv', 'amf', 'videotoolbox', 'vaapi'] as const;
export type HardwareFamily = (typeof hardwareFamilies)[number];

/** What codes films: x264 and x265, or such a family. */
export const encodeChoices = ['software', ...hardwareFamilies] as const;
export type EncodeChoice = (typeof encodeChoices)[number];

/** The family that a choice names; undefined: software, or none. */
export function familyNamed(choice: string | undefined): HardwareFamily | undefined {
  return hardwareFamilies.find((family) => family === choice);
}

/** What their makers call them, in every language. */
export const hardwareNames: Readonly<Record<HardwareFamily, string>> = {
  nvenc: 'NVIDIA NVENC',
  qsv: 'Intel Quick Sync Video',
  amf: 'AMD AMF',
  videotoolbox: 'Apple VideoToolbox',
  vaapi: 'VAAPI',
};

/** Codecs that they take over; AV1 stays software. */
export const hardwareCodecs = ['h264', 'hevc'] as const satisfies readonly VideoCodec[];
export type HardwareCodec = (typeof hardwareCodecs)[number];

/** ffmpeg's name of an encoder: `h264_nvenc`. */
export function encoderName(codec: HardwareCodec, family: HardwareFamily): string {
  return `${codec}_${family}`;
}

/** Whether an encoder, as a receipt names it, is one of them. */
export function isHardware(encoder: string): boolean {
  return hardwareFamilies.some((family) => encoder.endsWith(`_${family}`));
}
