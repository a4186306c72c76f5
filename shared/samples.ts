/** The samples that a template can start from, by family. Pure. */

/** Every family, in the order in which they are shown; its words are `samples.family.NAME`. */
export const sampleFamilies = [
  'reels',
  'product',
  'news',
  'youtube',
  'titles',
  'places',
  'podcast',
  'data',
] as const;

export type SampleFamily = (typeof sampleFamilies)[number];

/** One of each family, then the second of each, and so on: so that few of them show what there is. */
export function mixedByFamily<One extends { readonly family: SampleFamily }>(
  samples: readonly One[],
): readonly One[] {
  const families = sampleFamilies.map((family) => samples.filter((one) => one.family === family));
  const longest = Math.max(0, ...families.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    families.flatMap((members) => members[index] ?? []),
  ).flat();
}
