/**
 * What platforms lay their own buttons and captions over, as margins of the picture. Pure.
 *
 * Platforms change these without notice; each row names its source and date. They are advice: nothing is cut.
 */

/** Shares of the picture's height (top, bottom) and width (left, right). */
export interface Margins {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** One guide: rectangles, the outer one first. */
export interface SafeArea {
  readonly name: string;
  /** Width by height of the pictures that it is meant for. */
  readonly ratio: number;
  readonly margins: readonly Margins[];
}

const even = (share: number): Margins => ({ top: share, right: share, bottom: share, left: share });
const tall = 9 / 16;

export const safeAreas = {
  /** Action and title safe of SMPTE ST 2046-1 and EBU R 95: 93 % and 90 % of the picture. */
  broadcast: { name: 'SMPTE / EBU', ratio: 16 / 9, margins: [even(0.035), even(0.05)] },
  /**
   * Pixels of 1080 × 1920 for a caption of two lines, 150, 150, 440, 60; TikTok gives files by length of the caption.
   * 2026.
   */
  tiktok: {
    name: 'TikTok',
    ratio: tall,
    margins: [{ top: 150 / 1920, right: 150 / 1080, bottom: 440 / 1920, left: 60 / 1080 }],
  },
  /** Meta Business Help, for reels: 14 % above, 35 % below, 6 % on each side. March 2026. */
  reels: {
    name: 'Instagram Reels',
    ratio: tall,
    margins: [{ top: 0.14, right: 0.06, bottom: 0.35, left: 0.06 }],
  },
  /** Meta Business Help, for stories: 14 % above, 20 % below. March 2026. */
  stories: {
    name: 'Instagram Stories',
    ratio: tall,
    margins: [{ top: 0.14, right: 0, bottom: 0.2, left: 0 }],
  },
  /** Google Ads Help, safe zones of vertical videos: 288, 192, 672 and 48 pixels of 1080 × 1920. 2026. */
  shorts: {
    name: 'YouTube Shorts',
    ratio: tall,
    margins: [{ top: 288 / 1920, right: 192 / 1080, bottom: 672 / 1920, left: 48 / 1080 }],
  },
} as const satisfies Readonly<Record<string, SafeArea>>;

export type SafeAreaName = keyof typeof safeAreas;

export const safeAreaNames = Object.keys(safeAreas) as readonly SafeAreaName[];

/** Whether a guide is meant for pictures of this shape; others may still show it. */
export function fitsShape(name: SafeAreaName, ratio: number): boolean {
  return safeAreas[name].ratio < 1 === ratio < 1;
}
