/**
 * Values as words: times, sizes, remaining time, dates, in the window's locale unless another one is given.
 * Independent of server and page.
 */
import { localeInUse, say } from './say.ts';

/** Non-breaking space: a figure and its unit stay on one line. */
const nbsp = '\u00a0';

/** Elapsed time as on a clock: `0:52`, `12:04`, `1:03:20`. Takes seconds; parts of a second are cut off. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Steps that a remaining time is rounded to: from `over` seconds on, to whole `step` seconds. */
const remainingSteps = [
  { over: 3600, step: 300 },
  { over: 600, step: 60 },
  { over: 60, step: 10 },
  { over: 0, step: 5 },
];

/** Remaining seconds rounded as coarsely as they are known: 5 min over an hour, 5 s below a minute. */
export function roundRemaining(seconds: number): number {
  const { step } = remainingSteps.find(({ over }) => seconds > over) ?? { step: 5 };
  return Math.round(seconds / step) * step;
}

/** `about 1 h 5 min`, `about 12 min`, `about 4 min 20 s`, `less than 10 s`, `almost done`. */
export function remainingTime(seconds: number): string {
  if (seconds < 5) return say('time.almostDone');
  if (seconds < 10) return say('time.lessThan', { time: amounts({ s: 10 }) });
  const rounded = roundRemaining(seconds);
  return say('time.about', {
    time: amounts({
      h: Math.floor(rounded / 3600),
      min: Math.floor((rounded % 3600) / 60),
      s: rounded % 60,
    }),
  });
}

/** How long a call took: `84 ms`, `1.2 s`, `15 s`. Takes ms. */
export function callLength(duration: number, locale = localeInUse()): string {
  return duration < 1000
    ? say('amount.milliseconds', { amount: duration })
    : filmLength(duration / 1000, locale);
}

/** Length of a film: `0.5 s`, `15 s`, `1 min 30 s`, `1 h 2 min`. */
export function filmLength(seconds: number, locale = localeInUse()): string {
  if (seconds < 60) {
    const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
    return say('amount.seconds', { amount: format.format(seconds) });
  }
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return hours > 0 ? amounts({ h: hours, min: minutes }) : amounts({ min: minutes, s: whole % 60 });
}

/** Parts that are not 0, each with its unit: `{ h: 1, min: 0, s: 20 }` → `1 h 20 s`. */
function amounts(parts: { h?: number; min?: number; s?: number }): string {
  const texts = [
    parts.h ? say('amount.hours', { amount: parts.h }) : '',
    parts.min ? say('amount.minutes', { amount: parts.min }) : '',
    parts.s ? say('amount.seconds', { amount: parts.s }) : '',
  ];
  return texts.filter((text) => text !== '').join(' ');
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Size of a file in decimal units with two or three digits: `512 B`, `8.4 MB`, `212 GB`. */
export function fileSize(bytes: number, locale = localeInUse()): string {
  const { power, unit, digits } = sizeUnit(bytes);
  // Its short name is a whole word in many languages.
  if (power === 0) return say('size.bytes', { amount: Math.round(bytes) });
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  })
    .format(bytes / 1000 ** power)
    .replace(' ', nbsp);
}

/** A part of a size and the whole, both in the unit of the whole: `34 of 120 MB`. */
export function partOfSize(part: number, whole: number, locale = localeInUse()): string {
  const { power, digits } = sizeUnit(whole);
  const done = new Intl.NumberFormat(locale, { maximumFractionDigits: digits });
  const values = { done: done.format(part / 1000 ** power), total: fileSize(whole, locale) };
  return say('progress.part', values);
}

/** The unit that a size is told in, as a power of 1000, and the digits behind its point. */
function sizeUnit(bytes: number): {
  power: number;
  unit: (typeof sizeUnits)[number];
  digits: number;
} {
  const most = sizeUnits.length - 1;
  const below = bytes < 1 ? 0 : Math.min(most, Math.floor(Math.log10(bytes) / 3));
  // 999,950 bytes would read "1,000 kB".
  const power = Math.min(most, Math.round(bytes / 1000 ** below) >= 1000 ? below + 1 : below);
  const digits = bytes / 1000 ** power < 10 && below > 0 ? 1 : 0;
  return { power, unit: sizeUnits[power] ?? 'byte', digits };
}

/** Width and height in pixels: `1080×1920`. */
export function pixelSize(width: number, height: number): string {
  return `${width}×${height}`;
}

/** `43 %`, never 100 before the end: takes 0 to 100. */
export function percent(value: number): string {
  return `${Math.floor(value)}${nbsp}%`;
}

/** A place in an order: `1st`, `2nd`, `11th` in English, `11.` in German. */
export function ordinal(position: number): string {
  const rule = new Intl.PluralRules(localeInUse(), { type: 'ordinal' }).select(position);
  const words = { one: 'ordinal.one', two: 'ordinal.two', few: 'ordinal.few' } as const;
  const known = rule === 'one' || rule === 'two' || rule === 'few' ? words[rule] : 'ordinal.other';
  return say(known, { number: position });
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How long ago, under 7 days: `just now`, `2 min ago`, `3 h ago`, `4 days ago`; the date after that. Both in ms since
 * 1970.
 */
export function relativeTime(moment: number, now: number, locale = localeInUse()): string {
  const age = now - moment;
  // A clock set back, or a record from the future, must not show "in 3 hours".
  if (age < minute) return say('time.justNow');
  if (age < hour) return say('time.minutesAgo', { count: Math.floor(age / minute) });
  if (age < day) return say('time.hoursAgo', { count: Math.floor(age / hour) });
  if (age < 7 * day) return say('time.daysAgo', { count: daysSince(moment, now) });
  const sameYear = new Date(moment).getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(moment);
}

/** The whole moment, for tooltips and details: `21 Nov 2026, 14:02:11` in the region's way. Takes ms since 1970. */
export function exactTime(moment: number, locale = localeInUse()): string {
  return exactFormat(locale).format(moment);
}

/**
 * The time of a moment of today, `14:05` in the region's way; of another day the whole moment. Both in ms since 1970.
 */
export function timeOrMoment(moment: number, now: number, locale = localeInUse()): string {
  if (daysBetween(moment, now) !== 0) return exactTime(moment, locale);
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
}

/** The day alone: `21 Nov 2026`. Takes ms since 1970. */
export function exactDay(moment: number, locale = localeInUse()): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(moment);
}

/** Making a format costs a hundred times as much as using it, and every row of a list has a moment. */
const exactFormats = new Map<string, Intl.DateTimeFormat>();

function exactFormat(locale: string): Intl.DateTimeFormat {
  const known = exactFormats.get(locale);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  exactFormats.set(locale, made);
  return made;
}

/** The moment for programs: `2026-11-21T13:02:11.000Z`. Takes ms since 1970. */
export function machineTime(moment: number): string {
  return new Date(moment).toISOString();
}

/** A long text without its middle, so that its end stays visible. @param most letters, at least 5 */
export function cutMiddle(text: string, most = 60): string {
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (letters.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${letters.slice(0, most - 1 - tail).join('')}…${letters.slice(-tail).join('')}`;
}

/** Today and yesterday by name, with the time: `today 14:02:11`; an exact time before that. Both in ms since 1970. */
export function dayTime(moment: number, now: number, locale = localeInUse()): string {
  const days = daysBetween(moment, now);
  if (days > 1 || days < 0) return exactTime(moment, locale);
  const name = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
  return say('time.onDay', { day: name, time: timeOfDay(moment, locale) });
}

/** The time alone while it is today, else an exact time. Both in ms since 1970. */
export function nearTime(moment: number, now: number, locale = localeInUse()): string {
  return daysBetween(moment, now) === 0 ? timeOfDay(moment, locale) : exactTime(moment, locale);
}

function timeOfDay(moment: number, locale = localeInUse()): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(moment);
}

/** Days until an end, begun ones whole; 0 when it is over. Both in ms since 1970. */
export function daysUntil(end: number, now: number): number {
  return Math.max(0, Math.ceil((end - now) / day));
}

/** Whole days since a moment. Both in ms since 1970. */
export function daysSince(moment: number, now: number): number {
  return Math.floor((now - moment) / day);
}

/** How many midnights lie between; negative when the moment is on a later day. */
function daysBetween(moment: number, now: number): number {
  const dayOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((dayOf(now) - dayOf(moment)) / day);
}

/** First part of an ID, enough to tell two apart: `7f3a9c1e`. */
export function shortId(id: string): string {
  return id.split('-')[0]?.slice(0, 8) ?? id;
}

/** A remaining time as it is shown, and since when. */
export interface ShownRemaining {
  readonly seconds: number;
  /** ms, of a clock that only goes forward. */
  readonly at: number;
}

/** How long a remaining time stays before it may jump up, in ms. */
const restBeforeJump = 3000;
/** What counts as a jump, as a factor. */
const jump = 1.2;

/**
 * The remaining time to show after a new estimate: falls at once, but jumps up by more than 20 % only when what is
 * shown has stood for 3 s. A slightly late estimate is better than a flickering one.
 */
export function steadyRemaining(
  shown: ShownRemaining | undefined,
  estimate: number,
  now: number,
): ShownRemaining {
  const seconds = Math.max(0, estimate);
  if (!shown) return { seconds, at: now };
  if (seconds > shown.seconds * jump && now - shown.at < restBeforeJump) return shown;
  return seconds === shown.seconds ? shown : { seconds, at: now };
}

/** “One”, “Two”, “Three” and 5 more: as many as a question can hold. */
export function listedNames(names: readonly string[]): string {
  const most = 3;
  const rest = names.length - most;
  const shown = names.slice(0, most).map((name) => `“${name}”`);
  if (rest > 0) shown.push(say('names.more', { count: rest }));
  return new Intl.ListFormat(localeInUse(), { style: 'short' }).format(shown);
}
