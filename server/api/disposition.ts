/** `Content-Disposition`: whether browsers show a file or save it, and its name (RFC 6266). */

/** Shown, and saved under a name. */
export function shownAs(name: string): string {
  return `inline; filename*=UTF-8''${encoded(name)}`;
}

/** Saved under a name; with a plain form of it for programs that read no other. */
export function savedAs(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(name)}`;
}

/** Encoded for header fields (RFC 8187), which escape more characters than addresses do. */
function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
