/** Types of font-figures.mjs for tests. */

export declare const fontCell: {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
};
