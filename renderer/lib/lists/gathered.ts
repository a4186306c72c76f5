/** Things that come one by one, handed on together: one drawing of the window for all that came beside each other. Pure. */

/**
 * Hands on the first at once, and those that come within `pause` ms of it together, in order, and so on.
 *
 * @returns What takes them.
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
