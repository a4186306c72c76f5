/**
 * Replaces files that can't be loaded, and elements hidden while editing. The replacements are RenderScript, so that
 * boxes, animations and order stay the same. Pure.
 */
import { isSpoken, mediaAddress } from '../renderscript/voices.ts';
import {
  isJsonObject,
  isMediaKind,
  type Json,
  type JsonObject,
  type Source,
} from '../renderscript/source.ts';

/** What a document can't or must not show. */
export interface Absent {
  /** Addresses. */
  readonly missing: ReadonlySet<string>;
  /** Paths of elements, e.g. `elements[2]`. */
  readonly hidden: readonly string[];
}

/**
 * The document with a hatched box for every missing picture or video, without missing sounds and fonts, and with hidden
 * elements invisible.
 */
export function withStandIns(source: Source, { missing, hidden }: Absent): Source {
  if (missing.size === 0 && hidden.length === 0) return source;
  const unseen = new Set(hidden);
  const fonts = asList(source.fonts)?.filter(
    (font) => !(isJsonObject(font) && typeof font.source === 'string' && missing.has(font.source)),
  );
  return {
    ...changeElements(source, 'elements', missing, unseen),
    ...(fonts && { fonts }),
  };
}

function changeElements(
  parent: JsonObject,
  path: string,
  missing: ReadonlySet<string>,
  unseen: ReadonlySet<string>,
): JsonObject {
  const list = asList(parent.elements);
  if (!list) return parent;
  const elements = list.map((element, index): Json => {
    if (!isJsonObject(element)) return element;
    const own = `${path}[${index}]`;
    const inner = changeElements(element, `${own}.elements`, missing, unseen);
    const isMissing =
      isMediaKind(inner.type) && !isSpoken(inner) && missing.has(mediaAddress(inner) ?? '');
    const shown = isMissing ? standIn(inner) : inner;
    return unseen.has(own) ? { ...shown, visible: false } : shown;
  });
  return { ...parent, elements };
}

/** Array.isArray does not narrow read-only lists. */
function asList(value: Json | undefined): readonly Json[] | null {
  return Array.isArray(value) ? (value as readonly Json[]) : null;
}

/** Properties that a composition would read differently, or not at all. */
const mediaOnly = [
  ...['source', 'provider', 'fit', 'smart_crop', 'loop', 'speed', 'volume', 'muted'],
  ...['texts', 'colors'],
];

/** Distance of the hatching's lines, in percent of the box. */
const gap = 8;

function standIn(element: JsonObject): JsonObject {
  if (element.type === 'audio') return { ...element, source: null };
  const kept = Object.fromEntries(
    Object.entries(element).filter(([name]) => !mediaOnly.includes(name)),
  );
  const label =
    typeof element.name === 'string' && element.name !== '' ? element.name : element.type;
  const lines = Array.from(
    { length: Math.ceil(200 / gap) },
    (_, index) => `M ${(index + 1) * gap}% 0% L ${(index + 1) * gap - 100}% 100%`,
  ).join(' ');
  const box = { type: 'shape', x: '50%', y: '50%', width: '100%', height: '100%' };
  return {
    ...kept,
    type: 'composition',
    clip: true,
    fill_color: '#e6e4de',
    ...(kept.duration === undefined && { duration: null }),
    elements: [
      {
        ...box,
        path: lines,
        fill_color: null,
        stroke_color: '#c4c0b6',
        stroke_width: '0.4 vmin',
      },
      {
        ...box,
        fill_color: null,
        stroke_color: '#8d897f',
        stroke_width: '0.6 vmin',
      },
      {
        type: 'text',
        text: label ?? '',
        x: '50%',
        y: '50%',
        width: '86%',
        height: '60%',
        x_alignment: '50%',
        y_alignment: '50%',
        font_family: 'Inter',
        font_weight: '600',
        font_size_maximum: '5 vmin',
        fill_color: '#3d3a34',
        background_color: '#e6e4de',
        background_x_padding: '40%',
        background_y_padding: '20%',
      },
    ],
  };
}
