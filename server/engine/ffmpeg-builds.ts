/**
 * What builds of ffmpeg (4.1 to 8) can do: the one place that compares releases. Where a release doesn't tell,
 * overlay-plan.ts tries it. Runs in every process of the engine; starts nothing.
 */

/** A release of ffmpeg. */
export interface Release {
  readonly major: number;
  readonly minor: number;
}

/** Releases by the libavcodec version they shipped with, newest first (ffmpeg's doc/APIchanges). */
const releases = [
  { codec: [62, 11], release: [8, 0] },
  { codec: [61, 19], release: [7, 1] },
  { codec: [61, 3], release: [7, 0] },
  { codec: [60, 31], release: [6, 1] },
  { codec: [60, 3], release: [6, 0] },
  { codec: [59, 37], release: [5, 1] },
  { codec: [59, 18], release: [5, 0] },
  { codec: [58, 134], release: [4, 4] },
  { codec: [58, 91], release: [4, 3] },
  { codec: [58, 54], release: [4, 2] },
  { codec: [58, 35], release: [4, 1] },
] as const;

/** What not every build can do, and the first release that can. */
const since = {
  /** `-fps_mode`; before, the option is called `-vsync`. */
  'name frame timing by mode': [5, 1],
  /** `-crf` and `-svtav1-params`; before, other options. */
  'code AV1 with SVT as we ask for it': [5, 1],
  /** Older decoders have known faults that nobody fixes. */
  'read files from elsewhere': [5, 0],
  /** The exact scaler uses the processor's wide registers for planes of red, green and blue. */
  'scale planes of colours faster': [5, 0],
  /** Differences between frames of a gif may clear pixels. */
  'clear pixels of a gif': [5, 0],
} as const satisfies Record<string, readonly [major: number, minor: number]>;

/** Something that not every build can do. */
export type Ability = keyof typeof since;

/** True if a build can do something. */
export function can({ major, minor }: Release, ability: Ability): boolean {
  const [firstMajor, firstMinor] = since[ability];
  return major > firstMajor || (major === firstMajor && minor >= firstMinor);
}

/** The first release that can do something, in words, e.g. `5` or `5.1`. */
export function firstWith(ability: Ability): string {
  const [major, minor]: readonly [number, number] = since[ability];
  return minor === 0 ? String(major) : `${major}.${minor}`;
}

/** The release of a libavcodec version; null if older than 4.1. A git build counts as the release before it. */
export function releaseOf(codecMajor: number, codecMinor: number): Release | null {
  const row = releases.find(
    ({ codec: [major, minor] }) =>
      codecMajor > major || (codecMajor === major && codecMinor >= minor),
  );
  return row ? { major: row.release[0], minor: row.release[1] } : null;
}

/** The output option for frame timing: `cfr`, `vfr` or `passthrough`. */
export function frameTiming(build: Release, mode: 'cfr' | 'vfr' | 'passthrough'): string[] {
  return [can(build, 'name frame timing by mode') ? '-fps_mode' : '-vsync', mode];
}
