/** Path of the ffmpeg that npm brings; undefined where it has none for this system. */
export function packagedFfmpeg(): string | undefined;
/** The environment that has tests use it. */
export function quickFfmpeg(): Record<string, string>;
