/** Arrow keys among buttons that are laid out as tiles. Window only. */

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
