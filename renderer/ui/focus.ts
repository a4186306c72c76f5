/** Where the focus is, and moving it between the parts of the window. */

/** What in a pane takes the focus: its current row or card, else its first control. */
const first =
  '[data-row][tabindex="0"], article[tabindex="0"], a[href], button:not([tabindex="-1"]), input, [tabindex="0"]';

/** Moves the focus to the next non-empty part of the window. */
export function focusNextPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  const now = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(now + step + panes.length) % panes.length];
  (next?.querySelector<HTMLElement>(first) ?? next)?.focus();
}

/** Selects the text of a dialog's first field, a moment after the dialog has put the focus on its first button. */
export function selectField(form: HTMLFormElement): () => void {
  const timer = setTimeout(() => form.querySelector('input')?.select(), 30);
  return () => clearTimeout(timer);
}

/** True for text fields. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.tagName === 'TEXTAREA' ||
      (target instanceof HTMLInputElement &&
        !/^(?:checkbox|radio|range|button)$/.test(target.type)))
  );
}

/** True where letters mean something by themselves: in text fields, lists, dialogs and menus. */
export const takesLetters = (target: EventTarget | null): boolean =>
  isTyping(target) ||
  (target instanceof Element &&
    target.closest('select, [role="listbox"], [role="tree"]') !== null) ||
  isInside(target, 'dialog') ||
  isInside(target, 'menu');

/** True inside of a dialog or a menu, which has its own keys. */
export function isInside(target: EventTarget | null, what: 'dialog' | 'menu'): boolean {
  const roles = what === 'menu' ? '[role="menu"]' : '[role="dialog"], [role="alertdialog"]';
  return target instanceof Element && target.closest(roles) !== null;
}

/** What can have the focus. */
const stops = 'a[href], button, input, select, textarea, summary, [contenteditable], [tabindex]';

/**
 * Keeps Tab inside a dialog, for `{@attach}`. The dialogs of bits-ui do so themselves, but let it go while a tooltip is
 * open, e.g. that of a button which says why it can't be pressed.
 */
export function keepTab(dialog: HTMLElement): () => void {
  const keep = (event: KeyboardEvent): void => {
    if (event.key !== 'Tab' || event.defaultPrevented) return;
    const inside = [...dialog.querySelectorAll<HTMLElement>(stops)].filter(
      (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility(),
    );
    const end = event.shiftKey ? inside[0] : inside.at(-1);
    if (document.activeElement !== end) return;
    event.preventDefault();
    (event.shiftKey ? inside.at(-1) : inside[0])?.focus();
  };
  dialog.addEventListener('keydown', keep);
  return () => dialog.removeEventListener('keydown', keep);
}

/** Milliseconds in which dialogs and menus restore the focus themselves. */
const settled = 60;

/**
 * Runs what moves the focus, if nothing has it a moment from now.
 * @returns the function that cancels it
 */
export function whenLost(move: () => void): () => void {
  const timer = setTimeout(() => {
    const now = document.activeElement;
    // The frame of the page has it only until something in the page takes it.
    if (now === null || now === document.body || now.id === 'page') move();
  }, settled);
  return () => clearTimeout(timer);
}

/**
 * Moves the focus among the buttons of an element by the arrow keys; other keys are left alone. Beyond the first or
 * last button it stays there.
 *
 * @param columns How many tiles a row has.
 */
export function moveAmongTiles(
  event: KeyboardEvent & { currentTarget: HTMLElement },
  columns: number,
): void {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
}
