/** Saves a file of the person: the browser's download, which Electron answers with its own dialog. Window only. */

/** @param name Proposed, with its ending. */
export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'application/json' }));
}

/** The same for any content. */
export function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  saveAddress(address, name);
  // Later than the click, or some browsers save nothing.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The same for the file at an address. @param name '' = the one that the server gives it */
export function saveAddress(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}
