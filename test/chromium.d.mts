/** The Chromium that `CHROMIUM_PATH` names, or that lies at one of the usual places; undefined without one. */
export function findChromium(): string | undefined;
