/** The field in the cell of a table that is edited, with the keys that end it. Window only. */

/** What happens when the field ends. */
interface FieldEnds {
  /** The text is kept; the current cell then moves by that much. */
  readonly keep: (down: number, aside: number) => void;
  /** The cell has its old value again. */
  readonly drop: () => void;
}

/**
 * Makes the field; it is put into a cell by who draws the cells.
 * @param ends told by keys, and when the focus goes elsewhere
 */
export function newCellField(ends: FieldEnds): HTMLTextAreaElement {
  const field = document.createElement('textarea');
  field.rows = 1;
  field.spellcheck = false;
  field.addEventListener('blur', () => ends.keep(0, 0));
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    // An input method takes Enter and Escape for itself.
    if (event.isComposing) return;
    if (event.key === 'Escape') ends.drop();
    else if (event.key === 'Enter' && !event.altKey && !event.ctrlKey) {
      ends.keep(event.shiftKey ? -1 : 1, 0);
    } else if (event.key === 'Tab') ends.keep(0, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  });
  return field;
}
