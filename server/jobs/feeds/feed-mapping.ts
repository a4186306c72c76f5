/** Maps a feed's columns to a template by their names, so that most tables need no manual mapping. */
import { isJsonObject, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { FeedColumn } from '../../store/feeds.ts';

/**
 * Gives a column a target if its name is an element's (`Title`), or an element's with a property (`Title.fill_color`).
 * Ignores case, blanks and underscores. Existing targets stay.
 */
export function mapColumns(columns: readonly FeedColumn[], source: JsonObject): FeedColumn[] {
  const names = new Map(elementNames(source).map((name) => [plain(name), name]));
  return columns.map((column) => {
    if (column.target !== undefined) return column;
    const whole = names.get(plain(column.name));
    if (whole !== undefined) return { ...column, target: whole };
    const dot = column.name.lastIndexOf('.');
    const element = dot < 0 ? undefined : names.get(plain(column.name.slice(0, dot)));
    if (element === undefined) return column;
    return { ...column, target: `${element}${column.name.slice(dot)}` };
  });
}

function elementNames(parent: JsonObject): string[] {
  const { elements } = parent;
  if (!Array.isArray(elements)) return [];
  // Array.isArray widens read-only lists to any[].
  return (elements as readonly unknown[]).flatMap((element) => {
    if (!isJsonObject(element)) return [];
    const own = typeof element.name === 'string' && element.name !== '' ? [element.name] : [];
    return [...own, ...elementNames(element)];
  });
}

function plain(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
