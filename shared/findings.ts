/**
 * What a check before rendering finds, as plain data: API, command line, agents and window show the same.
 */
import type { PatchStep } from './renderscript/json-patch.ts';

/** How grave findings are, from the gravest: the render fails; it is not what was meant; it may not be. */
export const findingLevels = ['error', 'warning', 'hint'] as const;

/** One thing that can go wrong. */
export interface Finding {
  /** Where in the document, e.g. `elements[2].font_size`; empty for the document itself. */
  readonly path: string;
  /** The element's name as people know it; empty for the document. */
  readonly element: string;
  readonly level: (typeof findingLevels)[number];
  /** Stable, for programs. */
  readonly code: string;
  /** What was expected and what was found. */
  readonly message: string;
  /** What to do. */
  readonly cure: string;
  /** Seconds of the film where it shows; absent: all the time, or nothing that is seen. */
  readonly time?: number;
  /** The cure as a JSON Patch, where one is clear. */
  readonly patch?: readonly PatchStep[];
}

/** What the render will take: an estimate, not a promise. */
export interface RenderEstimate {
  /** Of rendering, on a computer that is as busy as this one now. */
  readonly seconds: number;
  /** Of the file. */
  readonly bytes: number;
  /** Of the file, in pixels; 0 for sounds. */
  readonly width: number;
  readonly height: number;
  /** Seconds of the film; 0 for pictures. */
  readonly duration: number;
  /** 0 for sounds. */
  readonly frames: number;
}

/** The outcome of a check. */
export interface CheckReport {
  /** The gravest first; of one kind, one for each element. */
  readonly findings: readonly Finding[];
  /** How many more there are than listed. */
  readonly more: number;
  /** Null: the document has errors, so nothing can be said. */
  readonly estimate: RenderEstimate | null;
}

/** `Title: The text is 40 pixels wider than its box`; without an element, the message alone. */
export function findingSentence({ element, message }: Finding): string {
  return element === '' ? message : `${element}: ${message}`;
}

/** How many findings there are of a level. */
export function countOf(findings: readonly Finding[], level: Finding['level']): number {
  return findings.filter((finding) => finding.level === level).length;
}
