/**
 * The page's address: its fragment holds the token and, beside it, which template is open, so that a reload comes back to it.
 * Window only.
 */

/** ID of the template that the address names; null for none. */
export function templateInAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('template');
}

/** Writes it there without a new entry in the browser's history. The token stays. */
export function putTemplateInAddress(id: string | null): void {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (id === null) parts.delete('template');
  else parts.set('template', id);
  history.replaceState(null, '', `#${parts.toString()}`);
}
