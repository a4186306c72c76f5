/** What is read of a spreadsheet's XML without a reader of XML: attributes of tags, and their texts. Pure. */

/** Styles of cells that a spreadsheet may have, as its programs count. */
export const mostStyles = 65_490;

/** The value of an attribute in a tag. */
export function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return match?.[1] ?? match?.[2];
}

/** What XML has names for. */
const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** An attribute's text, with the five names and the numbers that XML has for characters. */
export function plainText(text: string): string {
  return text.replace(/&(#x?[\da-f]{1,6}|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
