/** Moments as the editor writes and reads them. Pure. */

/** Seconds as `00:03.20`; with fewer places as `0:03.2`; whole hours only when there are some. */
export function clock(seconds: number, places: 1 | 2 = 2): string {
  // A frame at 0.1999999 s is the one at 0.20 s.
  const unit = 10 ** places;
  const all = Math.round(Math.max(0, seconds) * unit);
  const fraction = String(all % unit).padStart(places, '0');
  const whole = Math.floor(all / unit);
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const two = (value: number): string => String(value).padStart(2, '0');
  const start = places === 2 ? two(minutes) : String(minutes);
  const short = `${start}:${two(rest)}.${fraction}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}.${fraction}` : short;
}

/** `1:02.5`, `62.5`, `1:00:00` as seconds; null for anything else. */
export function parseClock(text: string): number | null {
  const parts = text.trim().replace(/s$/, '').split(':');
  if (parts.length > 3 || parts.some((part) => !/^\d+(?:[.,]\d+)?$/.test(part.trim()))) return null;
  return parts.reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0);
}
