/**
 * The limits of documents that validation checks. A document beyond them is accepted, and its render fails with a
 * message that names the limit. Limits of requests, files and media belong to the server. Pure data.
 */

/** The highest allowed values. */
export const documentLimits = {
  /** Nested compositions. */
  compositionDepth: 16,
  /** Elements on all levels; above `manyElements` there is a warning. */
  elements: 10_000,
  manyElements: 1_000,
  /** Characters of a document as JSON, after its modifications. */
  characters: 20_000_000,
  /** Elements and properties that the modifications of one request may read or write in total. */
  modificationSteps: 2_000_000,
  /** Characters of one text. */
  textLength: 100_000,
  /** Pixels of the longer side of the output, after scaling. */
  side: 8_192,
  /** Frames per second. A format may have a lower limit, see formats.ts. */
  frameRate: 60,
  /** Frames times pixels per frame of one render. */
  renderPixels: 2e12,
} as const;
