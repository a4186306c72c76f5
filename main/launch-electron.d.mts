/** Types of launch-electron.mjs, for the tests that use it. */
export function findElectron(): string | null;
