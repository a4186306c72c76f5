/** Passes on together what arrives one by one, so that the window draws once for all of it. Pure. */

/**
 * Passes on the first at once, then those that come within `pause` ms together, in order, and so on.
 *
 * @returns the function to call with each
 */
export function gathered<T>(take: (one: T) => void, pause: number): (one: T) => void {
  let waiting: T[] = [];
  let isPausing = false;
  const hand = (): void => {
    const together = waiting;
    waiting = [];
    isPausing = together.length > 0;
    if (isPausing) setTimeout(hand, pause);
    for (const one of together) take(one);
  };
  return (one) => {
    waiting.push(one);
    if (!isPausing) hand();
  };
}
