/**
 * Cells of a spreadsheet as the texts that they show: percentages, currencies, leading zeros, fractions, times. Dates
 * alone have a form of ours, the sortable one, because templates and other programs read it. Pure.
 */
import { format, getFormatDateInfo, getFormatFromId, getFormatInfo } from 'numfmt';
import { attribute, mostStyles, plainText } from './sheet-xml.ts';

/** Gives a cell's value its text. @param style Place of its format among the spreadsheet's. */
export type CellText = (value: unknown, style?: number) => string;

/** Formats that a spreadsheet has without listing them. */
const builtIn = 82;
/** Characters of a format at most, as spreadsheet programs have it. */
const longestFormat = 255;
/** Days between the two beginnings of the calendar, 1904 and 1900. */
const daysTo1904 = 1462;
/** Days from the calendar's beginning to 1970. */
const daysTo1970 = 25_569;

/** @param styles Its `styles.xml`. @param workbook Its `workbook.xml`. */
export function cellTexts(styles: string, workbook: string): CellText {
  const patterns = patternsIn(styles);
  const since1904 = /<(?:\w+:)?workbookPr\s[^<>]*\bdate1904\s*=\s*["'](?:1|true)["']/.test(
    workbook,
  );
  const writers = new Map<string, Writer>();
  return (value, style) => {
    if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
    if (value instanceof Date) {
      return dateText(value.getTime() / 86_400_000 + daysTo1970, 'yyyy-mm-dd hh:mm:ss');
    }
    if (typeof value !== 'number' && typeof value !== 'string') return '';
    const pattern = patterns[style ?? 0] ?? general;
    let write = writers.get(pattern);
    if (!write) writers.set(pattern, (write = writerOf(pattern, since1904)));
    try {
      return write(value);
    } catch {
      // A format that no program would have written.
      return plain(value);
    }
  };
}

type Writer = (value: number | string) => string;

const general = 'General';

/** What a cell without a format shows; whole numbers keep all their digits. */
const plain: Writer = (value) =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : format(general, value);

function writerOf(pattern: string, since1904: boolean): Writer {
  if (pattern === general || pattern === '@' || pattern.length > longestFormat) return plain;
  const { type } = getFormatInfo(pattern);
  // Blanks at its ends only line a column up.
  const written: Writer = (value) => format(pattern, value).trim();
  if (type !== 'date' && type !== 'datetime') {
    const hasText = pattern.includes('@');
    return (value) => (typeof value === 'string' && !hasText ? value : written(value));
  }
  const shift = since1904 ? daysTo1904 : 0;
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  // A weekday or a month alone is no date.
  const isWhole = year || (month && day);
  const time = hours || minutes || seconds ? ` hh:mm${seconds ? ':ss' : ''}` : '';
  const sortable = isWhole ? `yyyy-mm-dd${time}` : pattern;
  return (value) => (typeof value === 'string' ? value : dateText(value + shift, sortable));
}

/** A date; numbers that are none stay as they are. */
function dateText(serial: number, pattern: string): string {
  // The calendar ends with 9999.
  return serial >= 0 && serial < 2_958_466 ? format(pattern, serial).trim() : plain(serial);
}

/** The formats of cells, by their places. */
function patternsIn(styles: string): readonly string[] {
  const own = new Map<number, string>();
  for (const tag of tagsIn(styles, /<(?:\w+:)?numFmt\s[^<]*/g)) {
    own.set(Number(attribute(tag, 'numFmtId')), plainText(attribute(tag, 'formatCode') ?? ''));
  }
  const start = styles.search(/<(?:\w+:)?cellXfs[\s>]/);
  const end = styles.search(/<\/(?:\w+:)?cellXfs[\s>]/);
  const cells = start < 0 ? '' : styles.slice(start, end < 0 ? undefined : end);
  return tagsIn(cells, /<(?:\w+:)?xf[\s/][^<]*/g).map((tag) => {
    const id = Number(attribute(tag, 'numFmtId') ?? 0);
    return own.get(id) ?? (id >= 0 && id < builtIn ? getFormatFromId(id) : general);
  });
}

function tagsIn(text: string, form: RegExp): readonly string[] {
  const tags: string[] = [];
  for (const [tag] of text.matchAll(form)) if (tags.push(tag) === mostStyles) break;
  return tags;
}
