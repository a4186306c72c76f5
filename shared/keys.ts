/**
 * Keys as text: `Ctrl Shift P`, `Alt Up`, `F6`, `Ctrl Plus`. Modifiers come in the order Ctrl, Shift, Alt, then one
 * key: a letter, digit or sign as printed, or one of the names below. `Ctrl` is Cmd on macOS. Pure.
 */

/** Modifiers in their order. */
export const modifiers = ['Ctrl', 'Shift', 'Alt'] as const;
/** One of them. */
export type Modifier = (typeof modifiers)[number];

/** Keys with a name. */
export const namedKeys = [
  ...['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['Space', 'Enter', 'Tab', 'Escape', 'Delete', 'Backspace', 'Insert', 'ContextMenu', 'Plus'],
  ...Array.from({ length: 24 }, (_, index) => `F${index + 1}`),
] as const;

/** Parses a text as modifiers and key; null if it is invalid. */
export function readKeys(
  text: string,
): { readonly held: readonly Modifier[]; readonly key: string } | null {
  const parts = text.split(' ');
  const key = parts.at(-1) ?? '';
  const held = modifiers.filter((modifier) => parts.includes(modifier));
  if ([...held, key].join(' ') !== text) return null;
  const isSign = /^[\x21-\x7e]$/.test(key) && key === key.toUpperCase() && key !== '+';
  return isSign || namedKeys.includes(key) ? { held, key } : null;
}

/**
 * Keys in Electron's notation: `Ctrl Shift P` → `CmdOrCtrl+Shift+P`. Null if its menus can't show them.
 */
export function acceleratorOf(text: string): string | null {
  const keys = readKeys(text);
  if (!keys || keys.key === 'ContextMenu') return null;
  return [...keys.held.map((one) => (one === 'Ctrl' ? 'CmdOrCtrl' : one)), keys.key].join('+');
}
