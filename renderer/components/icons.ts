/**
 * The window's icons: one outline set on a 20 × 20 grid, drawn with a 1.6 px line. `solid` ones are filled instead.
 */
interface Drawing {
  readonly path: string;
  readonly solid?: boolean;
}

export const icons = {
  // Pages
  queue: { path: 'M3 5h8M3 10h8M3 15h8M14.5 7.5v7.2M12.2 12.6l2.3 2.3 2.3-2.3' },
  templates: {
    path: 'M3.5 3.5h5.4v7.4H3.5zM11.1 3.5h5.4v3.9h-5.4zM11.1 9.6h5.4v6.9h-5.4zM3.5 13.1h5.4v3.4H3.5z',
  },
  // States of a render
  clock: { path: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4.2l2.8 1.7' },
  pause: { path: 'M7 4.5v11M13 4.5v11' },
  fetch: { path: 'M10 3.5v9.2M6.2 9.2l3.8 3.8 3.8-3.8M4 16.5h12' },
  speech: { path: 'M3.5 4.5h13v8.6H9.4L6 16.2v-3.1H3.5zM6.5 7.6h7M6.5 10h4.6' },
  play: {
    path: 'M6.2 4.1v11.8a.7.7 0 0 0 1.06.6l9.5-5.9a.7.7 0 0 0 0-1.2l-9.5-5.9a.7.7 0 0 0-1.06.6z',
    solid: true,
  },
  tick: { path: 'M4.2 10.6l3.9 3.9 7.9-8.6' },
  alert: { path: 'M10 3.2l7.4 13.1H2.6zM10 8.2v3.9M10 14.2v.1' },
  slashed: { path: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM5.2 5.2l9.6 9.6' },
  // Kinds of file
  film: { path: 'M3 4.5h14v11H3zM3 8h3M3 12h3M14 8h3M14 12h3M6.3 4.5v11M13.7 4.5v11' },
  picture: { path: 'M3 4h14v12H3zM3 13.2l4-3.9 3.4 3.2 2.1-1.9 4.5 4M12.6 7.4v.1' },
  // Actions
  copy: { path: 'M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4' },
  close: { path: 'M5 5l10 10M15 5L5 15' },
  again: { path: 'M16 10a6 6 0 1 1-1.8-4.3M16.2 3.2v3.6h-3.6' },
  open: { path: 'M11.5 3.5h5v5M16.2 3.8L9.5 10.5M14 11.5v5H3.5V6H9' },
  folder: { path: 'M2.8 5.2h5l1.7 2h7.7v8.6H2.8z' },
  download: { path: 'M10 3.2v9M6.4 8.8l3.6 3.6 3.6-3.6M3.5 13.5v3h13v-3' },
  search: { path: 'M8.8 3.5a5.3 5.3 0 1 0 0 10.6 5.3 5.3 0 0 0 0-10.6zM12.8 12.8l3.9 3.9' },
  terminal: { path: 'M3 4h14v12H3zM6 7.8l2.4 2.2L6 12.2M10.4 12.6h3.6' },
  eye: {
    path: 'M2.5 10s2.8-5 7.5-5 7.5 5 7.5 5-2.8 5-7.5 5-7.5-5-7.5-5zM10 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z',
  },
  plus: { path: 'M10 4v12M4 10h12' },
} as const satisfies Record<string, Drawing>;

/** Name of an icon. */
export type IconName = keyof typeof icons;

/** How an icon is drawn. */
export function drawingOf(name: IconName): Drawing {
  return icons[name];
}
