/** Passing a finished file on: to the system's share sheet, or as a picture to the clipboard. Window only. */

/** Whether the system takes a file of this kind to share. */
export function canShare(name: string, type: string): boolean {
  // Browsers without it, and the desktop's, lack the function.
  const { canShare: asks } = navigator as Partial<Navigator>;
  return asks?.call(navigator, { files: [new File([], name, { type })] }) ?? false;
}

/** Hands a file to the system's share sheet. @throws what the system says, unless the user changed their mind */
export async function shareFile(address: string, name: string, type: string): Promise<void> {
  const file = new File([await fileAt(address)], name, { type });
  try {
    await navigator.share({ files: [file], title: name });
  } catch (reason) {
    if (!(reason instanceof DOMException && reason.name === 'AbortError')) throw reason;
  }
}

/** Copies a picture to the clipboard, as a png: browsers take no other. @throws what the browser says */
export async function copyPicture(address: string): Promise<void> {
  const png = fileAt(address).then(async (blob) => {
    if (blob.type === 'image/png') return blob;
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return canvas.convertToBlob({ type: 'image/png' });
  });
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}

async function fileAt(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return answer.blob();
}
