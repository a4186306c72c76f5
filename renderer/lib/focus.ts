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

/** True inside of a dialog or a menu, which has its own keys. */
export function isInside(target: EventTarget | null, what: 'dialog' | 'menu'): boolean {
  const roles = what === 'menu' ? '[role="menu"]' : '[role="dialog"], [role="alertdialog"]';
  return target instanceof Element && target.closest(roles) !== null;
}
