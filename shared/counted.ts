/** A number and what it counts, in English, for the sentences of the API. Pure. */

/** `1 second`, `2 seconds`, `1,200 frames`, `0.5 seconds`. `unit` is one of them; its plural has an s. */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
}
