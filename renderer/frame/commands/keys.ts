/**
 * Converts pressed keys to the text of shared/keys.ts and that text to its readable form in the window's language;
 * tells which keys a command can't have.
 */
import { placesMeet, type Place } from '../../../shared/commands.ts';
import { modifiers, readKeys, type Modifier } from '../../../shared/keys.ts';
import { say } from '../../ui/say.ts';

/** What is needed of a KeyboardEvent. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** The browser's names that differ in shared/keys.ts. */
const names: Readonly<Record<string, string>> = {
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ' ': 'Space',
  '+': 'Plus',
  Esc: 'Escape',
  Del: 'Delete',
};

/**
 * The keys that an event may mean, the likeliest first; none for a lone modifier or a key that no command can have. A
 * sign that needs Shift counts with and without it: on some keyboards `/` is Shift 7.
 */
export function keysOf(event: KeyPress, isMac: boolean): readonly string[] {
  // On a Mac, Control belongs to the system and to text editing.
  if (isMac && event.ctrlKey) return [];
  const held = heldKeys(event, isMac);
  const printed = printedKey(event);
  const atPlace = keyAtPlace(event.code);
  const isSign = printed === 'Plus' || /^[^A-Z0-9]$/.test(printed);
  const found = event.shiftKey && isSign ? [] : [[...held, printed]];
  if (event.shiftKey && isSign) {
    if (atPlace !== null) found.push([...held, atPlace]);
    found.push([...held.filter((one) => one !== 'Shift'), printed]);
  }
  return found.map((keys) => keys.join(' ')).filter((keys) => readKeys(keys) !== null);
}

/** The modifiers that are held, in their order; `Ctrl` is Cmd on a Mac. */
export function heldKeys(event: KeyPress, isMac: boolean): readonly Modifier[] {
  const isHeld = {
    Ctrl: isMac ? event.metaKey : event.ctrlKey,
    Shift: event.shiftKey,
    Alt: event.altKey,
  };
  return modifiers.filter((modifier) => isHeld[modifier]);
}

function printedKey({ key, code, altKey }: KeyPress): string {
  if (key.length !== 1 || key === ' ' || key === '+') return names[key] ?? key;
  const isLatin = /^[\x21-\x7e]$/.test(key);
  // With Alt a Mac types other characters, and other alphabets have other letters: then the key's position counts.
  const place = isLatin && !(altKey && /[^a-zA-Z0-9]/.test(key)) ? null : keyAtPlace(code);
  return (place ?? key).toUpperCase();
}

/** Letter or digit at that position of a US keyboard. */
function keyAtPlace(code: string): string | null {
  return /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1] ?? null;
}

/** Signs that stand on keys everywhere. */
const signs: Readonly<Record<string, string>> = {
  Up: '↑',
  Down: '↓',
  Left: '←',
  Right: '→',
  Plus: '+',
  '-': '−',
};
const macSigns: Readonly<Record<string, string>> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };
/** Keys whose caption depends on the language of the keyboard. */
const captions: Readonly<Record<string, () => string>> = {
  Ctrl: () => say('key.ctrl'),
  Shift: () => say('key.shift'),
  Space: () => say('key.space'),
  Enter: () => say('key.enter'),
  Home: () => say('key.home'),
  End: () => say('key.end'),
  PageUp: () => say('key.pageUp'),
  PageDown: () => say('key.pageDown'),
  Escape: () => say('key.escape'),
  Delete: () => say('key.delete'),
  Insert: () => say('key.insert'),
  ContextMenu: () => say('key.menu'),
};

/** Keys as people read them on their keyboard: `Alt Up` → `Alt ↑`, on a Mac `⌥ ↑`; `Ctrl K` in German → `Strg K`. */
export function shownKeys(text: string, isMac: boolean): string {
  return text
    .split(' ')
    .map(
      (part) => (isMac ? macSigns[part] : undefined) ?? signs[part] ?? captions[part]?.() ?? part,
    )
    .join(' ');
}

/** Keys for `aria-keyshortcuts`: `Ctrl K` → `Control+K`. */
export function readerKeys(text: string, isMac: boolean): string {
  const main = isMac ? 'Meta' : 'Control';
  return text
    .split(' ')
    .map((part) => (part === 'Ctrl' ? main : part))
    .join('+');
}

/** Why keys can't be given to a command: the end of a message's name. */
export type Refusal = 'fixed' | 'single' | 'typing' | 'system';

/** Keys reserved by browsers and desktops, in text form; `Ctrl` is Cmd on macOS. */
const systemKeys: readonly string[] = [
  ...['Ctrl W', 'Ctrl T', 'Ctrl R', 'Ctrl L', 'Ctrl Tab', 'Ctrl Escape', 'Ctrl PageUp'],
  ...['Ctrl PageDown', 'Ctrl F4', 'Ctrl F5', 'Ctrl Shift T', 'Ctrl Shift N', 'Ctrl Shift W'],
  ...['Ctrl Shift R', 'Ctrl Shift I', 'Ctrl Shift Tab', 'Ctrl Shift Escape', 'Ctrl Alt Delete'],
  ...['Alt F4', 'Alt Tab', 'Shift Alt Tab', 'Alt Space', 'Alt Escape', 'F5', 'F11', 'F12'],
];
const macSystemKeys: readonly string[] = [
  ...['Ctrl H', 'Ctrl M', 'Ctrl Space', 'Ctrl Q', 'Ctrl Alt Escape'],
  ...['Ctrl Shift 3', 'Ctrl Shift 4', 'Ctrl Shift 5'],
];

/** Keys that do the same in every field, list and dialog. */
const fixedNames = ['Tab', 'Escape', 'Enter', 'ContextMenu'];
/** Keys that move the cursor or change the text. */
const movingNames = ['Up', 'Down', 'Left', 'Right', 'Home', 'End', 'PageUp', 'PageDown'];
const erasingNames = ['Delete', 'Backspace', 'Insert'];
const editingKeys = ['Ctrl C', 'Ctrl X', 'Ctrl V', 'Ctrl A', 'Ctrl Shift V'];

/**
 * Why a command that applies in these places can't have these keys; null if it can. Not used for default keys, which
 * were chosen with care.
 */
export function refusalOf(text: string, where: readonly Place[], isMac: boolean): Refusal | null {
  const keys = readKeys(text);
  if (!keys) return 'system';
  const { held, key } = keys;
  if (systemKeys.includes(text) || (isMac && macSystemKeys.includes(text))) return 'system';
  const isAlone = !held.includes('Ctrl') && !held.includes('Alt');
  if (isAlone && fixedNames.includes(key)) return 'fixed';
  if (text === 'Shift F10') return 'fixed';
  // Nothing is typed or selected in the preview, so arrows and Space are free there.
  const isPreview = where.every((place) => place === 'preview');
  if (isAlone && (movingNames.includes(key) || key === 'Space') && !isPreview) return 'fixed';
  if (isAlone && (key.length === 1 || key === 'Plus')) return 'single';
  // In the outline only names are typed, whose field keeps its keys.
  const hasFields = placesMeet(
    where.filter((place) => place !== 'outline'),
    ['editor'],
  );
  if (hasFields && isTyping(held, key, text)) return 'typing';
  return null;
}

function isTyping(held: readonly Modifier[], key: string, text: string): boolean {
  const isAlone = !held.includes('Ctrl') && !held.includes('Alt');
  if (isAlone && erasingNames.includes(key)) return true;
  const isWord = held.includes('Ctrl') && [...movingNames, ...erasingNames].includes(key);
  return isWord || editingKeys.includes(text);
}
