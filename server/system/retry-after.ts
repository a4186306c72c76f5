/** The header `Retry-After`: seconds or a date. */

/** Milliseconds to wait from `now` (wall time), at least one second; null if the header is not usable. */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.max(1_000, Number(text) * 1_000);
  // Only the form of HTTP dates: Date.parse would also accept "-5".
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const date = Date.parse(text);
  return Number.isNaN(date) || date <= now ? null : Math.max(1_000, date - now);
}
