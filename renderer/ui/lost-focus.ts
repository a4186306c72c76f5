/** Restores the focus when the focused thing is gone: a deleted card, a closed page. Window only. */

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
