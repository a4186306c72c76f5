/** See passed.mjs. */
export function recordPassed(record: string, reports: readonly string[], soughtFile: string): void;
export function readPassed(record: string): string[];
