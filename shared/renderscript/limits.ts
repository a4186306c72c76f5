/**
 * Bounds of a document that validation knows. A document beyond them is accepted and its render fails, with the limit
 * named. Limits of requests, files and media belong to the server. Pure data.
 */

/** Every number is a highest value that is still allowed. */
export const documentLimits = {
  /** Compositions inside each other. */
  compositionDepth: 16,
  /** Elements on all levels; from `manyElements` on there is a warning. */
  elements: 10_000,
  manyElements: 1_000,
  /** Characters of a document as JSON, once its modifications are applied. */
  characters: 20_000_000,
  /** Elements and properties that the modifications of one request may look at or write, in all. */
  modificationSteps: 2_000_000,
  /** Characters of one text. */
  textLength: 100_000,
  /** Pixels of the longer side of the output, after scaling. */
  side: 8_192,
  /** Frames per second. What a format allows beyond these is in formats.ts. */
  frameRate: 60,
  /** Frames times pixels of one render. */
  renderPixels: 2e12,
} as const;
