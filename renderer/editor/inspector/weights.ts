/** Weights of letters by the names that designers know. Pure. */
import { say } from '../../ui/say.ts';

const names = {
  100: 'inspector.weight.100',
  200: 'inspector.weight.200',
  300: 'inspector.weight.300',
  400: 'inspector.weight.400',
  500: 'inspector.weight.500',
  600: 'inspector.weight.600',
  700: 'inspector.weight.700',
  800: 'inspector.weight.800',
  900: 'inspector.weight.900',
} as const;

/** As documents write them. */
export const weights: readonly string[] = Object.keys(names);

/** `Bold`; a weight in between is its number. */
export function wordsOfWeight(weight: string): string {
  const known = Object.entries(names).find(([name]) => name === weight);
  return known ? say(known[1]) : weight;
}
