/** See temporary-files.mjs. */
export function keepTemporaryFilesTogether(): void;
