/** The name of what a machine's films follow from: those of machines with the same name are the same. */
import { createHash } from 'node:crypto';
import type { WorkerBuild } from '../../jobs/worker/piece-protocol.ts';

/** See above. */
export interface Build {
  /** Twelve hexadecimal digits. */
  readonly name: string;
  readonly programs: WorkerBuild;
}

/** @param version The program's. */
export function buildOf(version: string, programs: WorkerBuild): Build {
  const { ffmpeg, x264, drawing, fonts } = programs;
  const text = JSON.stringify([version, ffmpeg, x264, drawing, fonts]);
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 12), programs };
}
