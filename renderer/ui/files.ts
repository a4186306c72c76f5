/** Files of the person: dropped on a part of the page, saved, shared. Window only. */
import type { Attachment } from 'svelte/attachments';
import type { MediaKind } from '../../shared/renderscript/source.ts';

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

/** What the browser's dialog for files offers for a kind of media. */
export const mediaAccept = (kind: MediaKind | 'lut'): string =>
  kind === 'lut' ? '.cube' : kind === 'lottie' ? '.lottie,.json' : `${kind}/*`;

/**
 * For `{@attach}`.
 *
 * @param onDrag told whether files are held over it
 * @param onFiles told which files were dropped
 */
export function fileZone(
  onDrag: (isOver: boolean) => void,
  onFiles: (files: readonly File[]) => void,
): Attachment<HTMLElement> {
  const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
    dataTransfer?.types.includes('Files') === true;
  return (element) => {
    const life = new AbortController();
    const { signal } = life;
    element.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onDrag(true);
      },
      { signal },
    );
    element.addEventListener(
      'dragleave',
      ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) onDrag(false);
      },
      { signal },
    );
    element.addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        onDrag(false);
        onFiles([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    return () => life.abort();
  };
}

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
