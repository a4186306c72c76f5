/** What of a compiled document editing programs are not told: their formats have no words for it. Pure. */
import type { Loss } from '../../handover.ts';
import { isStops } from '../compile/bands.ts';
import type { Color, Length, VisualValues } from '../compile/property-values.ts';
import type { ShapeElement, Sound, Timeline, TimelineElement } from '../compile/timeline.ts';
import type { MediaInfo } from '../media-info.ts';

/** Pixels of the picture, and the files. */
interface Surroundings {
  readonly frame: { readonly width: number; readonly height: number };
  readonly media: ReadonlyMap<string, MediaInfo>;
}

interface LossRow {
  readonly what: string;
  readonly isIn: (element: TimelineElement, around: Surroundings) => boolean;
}

const isShare = (length: Length | null, share: number): boolean =>
  length !== null && length.px === 0 && Math.abs(length.percent - share) < 1e-6;

/** True for one that lies on the whole picture, as programs put it there. */
function fillsPicture(values: VisualValues): boolean {
  const { x, y, width, height, xAnchor, yAnchor } = values;
  const isTurned = [
    ...[values.xSkew, values.ySkew, values.xRotation, values.yRotation, values.zRotation],
    ...[values.xScale - 1, values.yScale - 1],
  ].some((value) => value !== 0);
  // Only shapes have none: theirs is the middle.
  const isCentred = [xAnchor, yAnchor].every((anchor) => anchor === null || isShare(anchor, 0.5));
  const isWhole = isShare(width, 1) && isShare(height, 1);
  return !isTurned && isCentred && isWhole && isShare(x, 0.5) && isShare(y, 0.5);
}

/** True if anything changes how its pixels look. */
function isStyled(values: VisualValues): boolean {
  const { lookExposure, lookContrast, lookSaturation, lookTemperature, lookTint } = values;
  const colours = [lookExposure, lookContrast, lookSaturation, lookTemperature, lookTint];
  return (
    values.opacity !== 1 ||
    values.blendMode !== 'none' ||
    values.strokeColor !== null ||
    values.shadowColor !== null ||
    values.colorFilter !== 'none' ||
    values.colorOverlay !== null ||
    values.keyColor !== null ||
    values.blurRadius !== 0 ||
    values.maskMode !== null ||
    values.warpMatrix !== null ||
    values.repeat ||
    values.borderRadius.px !== 0 ||
    values.borderRadius.percent !== 0 ||
    colours.some((value) => value !== 0)
  );
}

/** True for a picture that the document crops or stretches: programs show it whole. */
function isFitted(element: TimelineElement, { frame, media }: Surroundings): boolean {
  if (element.type !== 'image' && element.type !== 'video') return false;
  if (!fillsPicture(element.values.base)) return false;
  const info = element.source === null ? undefined : media.get(element.source);
  if (!info || info.height === 0 || element.values.base.fit === 'contain') return false;
  const ratio = (info.width / info.height) * (frame.height / frame.width);
  return Math.abs(ratio - 1) > 0.01;
}

const rows: readonly LossRow[] = [
  { what: 'its lettering and place', isIn: ({ type }) => type === 'text' },
  {
    what: 'its shape',
    isIn: (element) => element.type === 'shape' && rectangleColor(element) === null,
  },
  {
    what: 'its place and size',
    isIn: ({ type, values }) => type !== 'text' && type !== 'shape' && !fillsPicture(values.base),
  },
  { what: 'how it fits the picture', isIn: isFitted },
  {
    what: 'its movement',
    isIn: ({ animations, values }) =>
      animations.some(({ transition }) => !transition) || Object.keys(values.curves).length > 0,
  },
  { what: 'its look', isIn: ({ values }) => isStyled(values.base) },
  {
    what: 'its changing speed',
    isIn: (element) => element.type === 'video' && element.clip.speeds !== undefined,
  },
  { what: 'its order (z_index)', isIn: ({ values }) => values.base.zIndex !== null },
];

/** What of an element is not said. Its transition and its file are looked at where it is cut. */
export function elementLosses(
  element: TimelineElement,
  frame: Surroundings['frame'],
  media: Surroundings['media'],
): Loss[] {
  const { path, name } = element;
  return rows
    .filter(({ isIn }) => isIn(element, { frame, media }))
    .map(({ what }) => ({ path, element: name, what }));
}

/** What of a sound is not said. */
export function soundLosses({ path, name, volume, fades, noiseReduction, track }: Sound): Loss[] {
  const found = [
    ...(volume.some(({ value }) => value !== 1) ? ['its volume'] : []),
    ...(fades.length > 0 ? ['its fades'] : []),
    ...(noiseReduction !== undefined ? ['its noise reduction'] : []),
    ...(track !== undefined && track > 0 ? ['which sound of its file is heard'] : []),
  ];
  return found.map((what) => ({ path, element: name, what }));
}

/** What of the document itself is not said: programs put films on black. */
export function documentLosses({ fill }: Timeline): Loss[] {
  const { fillColor } = fill.base;
  const isBlack = isColor(fillColor) && fillColor.every((part, at) => part === (at === 3 ? 1 : 0));
  if (fillColor === null || isBlack) return [];
  return [{ path: 'fill_color', element: '', what: 'its background' }];
}

/** The colour of a shape that fills the picture with one, e.g. `#ff0000`; null for all others. */
export function rectangleColor({ values: { base, curves } }: ShapeElement): string | null {
  const { fillColor, path } = base;
  if (path !== null || !fillsPicture(base) || curves.fillColor || !isColor(fillColor)) return null;
  const [red, green, blue, alpha] = fillColor;
  if (alpha !== 1) return null;
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

const isColor = (fill: VisualValues['fillColor']): fill is Color => fill !== null && !isStops(fill);
