/** Types of property-figures.mjs for tests. */

/** One picture. */
export interface Cell {
  readonly caption: string;
  readonly elements?: readonly object[];
  readonly sound?: readonly object[];
  readonly file?: object;
  readonly time?: number;
}

export declare const propertyFigures: Readonly<
  Record<string, Readonly<Record<string, readonly Cell[]>>>
>;
export declare const easingFigures: Readonly<Record<string, readonly Cell[]>>;
