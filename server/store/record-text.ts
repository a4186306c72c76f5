/**
 * Records as JSON text for PostgreSQL, whose `jsonb` refuses two things that JavaScript's texts may contain: the
 * character U+0000 and halves of surrogate pairs. They are written as U+001A with four digits, and U+001A itself
 * likewise.
 */

const mark = '\u001a';
/** What JSON text has for any of them; perhaps also for a backslash before such letters, which costs a second look. */
const suspicious = /\\u(?:0000|001a|d[89a-f])/;
const refused =
  // eslint-disable-next-line no-control-regex -- these characters are the point
  /[\u0000\u001a]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// eslint-disable-next-line no-control-regex -- as above
const marked = /\u001a([\da-f]{4})/g;

/** The text of a record. */
export function recordText(record: object): string {
  const text = JSON.stringify(record);
  return suspicious.test(text) ? JSON.stringify(mapTexts(record, mask)) : text;
}

/** The record of a text. @throws if it is no JSON. */
export function textRecord(text: string): unknown {
  const record: unknown = JSON.parse(text);
  return text.includes('\\u001a') ? mapTexts(record, unmask) : record;
}

const mask = (text: string): string =>
  text.replace(refused, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, '0'));
const unmask = (text: string): string =>
  text.replace(marked, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));

/** The same value with all texts changed, names included. Records are shallow: users' documents are texts in them. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((part) => mapTexts(part, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [change(name), mapTexts(part, change)]),
  );
}
