/** A part of the page that takes files dropped on it, before the window does. */
import type { Attachment } from 'svelte/attachments';

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
