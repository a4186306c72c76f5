/** A handle that changes a number while it is dragged sideways. */

/** What the handle does. */
export interface DragDesk {
  /** So many steps from where the drag began. */
  readonly step: (count: number, event: PointerEvent) => void;
  readonly end: () => void;
  /** Esc: it leads nowhere. */
  readonly cancel: () => void;
}

/** Pixels of a step, and of a way that is meant. */
const reach = { step: 2, meant: 3 };

/** Makes an element such a handle, for `{@attach}`. */
export function draggable(desk: () => DragDesk | null): (handle: HTMLElement) => () => void {
  return (handle) => {
    const stop = new AbortController();
    const { signal } = stop;
    let from: number | null = null;
    let begun = false;

    const end = (): void => {
      if (begun) desk()?.end();
      from = null;
      begun = false;
    };
    handle.addEventListener(
      'pointerdown',
      (event) => {
        if (event.button !== 0 || !desk()) return;
        handle.setPointerCapture(event.pointerId);
        from = event.clientX;
      },
      { signal },
    );
    handle.addEventListener(
      'pointermove',
      (event) => {
        if (from === null) return;
        const way = event.clientX - from;
        if (!begun && Math.abs(way) < reach.meant) return;
        begun = true;
        desk()?.step(Math.trunc(way / reach.step), event);
      },
      { signal },
    );
    handle.addEventListener('lostpointercapture', end, { signal });
    // The click after a drag would put the cursor into the field of a label.
    handle.addEventListener(
      'click',
      (event) => {
        if (handle.dataset['dragged'] === 'true') event.preventDefault();
        delete handle.dataset['dragged'];
      },
      { signal },
    );
    handle.addEventListener(
      'pointerup',
      () => {
        if (begun) handle.dataset['dragged'] = 'true';
      },
      { signal },
    );
    handle.ownerDocument.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || from === null) return;
        event.preventDefault();
        event.stopPropagation();
        if (begun) desk()?.cancel();
        from = null;
        begun = false;
      },
      { signal, capture: true },
    );
    return () => stop.abort();
  };
}
