/**
 * Handlers of a parser's or a stream's events. What they throw has no caller to arrive at: it would end the server.
 * Wherever the API reads what somebody sent, they are guarded (a lint rule asks for it).
 */

/**
 * A handler of which `fail` gets what it throws.
 * @param fail Ends the work that the event belongs to; must not throw.
 */
export function guarded<Arguments extends readonly unknown[]>(
  fail: (error: Error) => void,
  handler: (...given: Arguments) => void,
): (...given: Arguments) => void {
  return (...given) => {
    try {
      handler(...given);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
