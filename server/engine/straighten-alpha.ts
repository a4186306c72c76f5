/**
 * Pixels whose colours are multiplied by how much they cover, as drawing libraries keep them, to those that files have.
 * Pure.
 */

/** Undoes the canvas's premultiplication, in place. @returns True when any pixel is not opaque. */
export function straightenAlpha(rgba: Uint8Array | Uint8ClampedArray): boolean {
  let transparent = false;
  for (let index = 3; index < rgba.length; index += 4) {
    const alpha = rgba[index] ?? 0;
    if (alpha === 255) continue;
    transparent = true;
    if (alpha === 0) continue;
    for (let channel = index - 3; channel < index; channel++) {
      rgba[channel] = Math.min(255, Math.round(((rgba[channel] ?? 0) * 255) / alpha));
    }
  }
  return transparent;
}
