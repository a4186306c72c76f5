/**
 * Every file that a document names: what a render fetches first of all, and what a check of a document looks at. Pure;
 * uses neither network nor disk.
 */
import { mediaAddress } from './voices.ts';
import {
  isJsonObject,
  isMediaKind,
  unnamedElement,
  type Json,
  type MediaKind,
  type Source,
} from './source.ts';

/** What the document wants a file for. */
export type MediaUse = MediaKind | 'font' | 'lut';

/** A file to fetch, listed once however often the document uses it. */
export interface MediaRequest {
  /** The address as in the document. */
  readonly source: string;
  /** Its first use in the document. */
  readonly kind: MediaUse;
  /** All uses of the same address, `kind` included. */
  readonly uses: ReadonlySet<MediaUse>;
  /** Where the document names it first, e.g. `elements[2].source`. */
  readonly path: string;
  /** That place in words: the element's name, or type and position (`Image 3`); `fonts[0]` for fonts. */
  readonly element: string;
  /** True if an image element with this address uses `smart_crop`. */
  readonly smartCrop: boolean;
}

/** Whether a file fits a use: sounds may come from videos, moving pictures from animated ones. */
export function fitsUse(
  use: MediaUse,
  {
    kind,
    hasAudio,
    duration,
  }: { readonly kind: MediaKind | 'lut'; readonly hasAudio: boolean; readonly duration: number },
): boolean {
  if (use === 'audio') return kind === 'audio' || hasAudio;
  if (use === 'video') return kind === 'video' || (kind === 'image' && duration > 0);
  return kind === use;
}

/** Whether reading a file may take ffmpeg. */
export function mayNeedFfmpeg(use: MediaUse): boolean {
  return use === 'video' || use === 'audio';
}

/**
 * Lists the files of images, videos, sounds, tables of colors and custom fonts in document order, at any depth.
 *
 * Empty and missing addresses are left out: the document may be a template whose pictures are filled in later.
 * What is spoken has the address of a voice (voices.ts). Pictures and videos with a `provider` are left out, because
 * their `source` is a prompt, not an address.
 */
export function collectMedia(source: Source): MediaRequest[] {
  const found = new Map<string, MediaRequest & { uses: Set<MediaUse>; smartCrop: boolean }>();
  const add = (
    address: Json | undefined,
    kind: MediaUse,
    path: string,
    element: string,
    smartCrop = false,
  ): void => {
    if (typeof address !== 'string' || address.trim() === '') return;
    const known = found.get(address);
    if (known) {
      known.uses.add(kind);
      known.smartCrop ||= smartCrop;
    } else {
      const uses = new Set([kind]);
      found.set(address, { source: address, kind, uses, path, element, smartCrop });
    }
  };

  const { fonts } = source;
  if (isList(fonts)) {
    fonts.forEach((font, index) => {
      if (isJsonObject(font)) add(font.source, 'font', `fonts[${index}].source`, `fonts[${index}]`);
    });
  }

  // A list of work instead of recursion: documents may be nested deeper than the stack.
  const lists: { elements: readonly Json[]; path: string }[] = [];
  if (isList(source.elements)) lists.push({ elements: source.elements, path: 'elements' });
  for (let next = lists.shift(); next; next = lists.shift()) {
    const inner: typeof lists = [];
    const counts = new Map<string, number>();
    next.elements.forEach((element, index) => {
      if (!isJsonObject(element)) return;
      const path = `${next.path}[${index}]`;
      const kind = typeof element.type === 'string' ? element.type : '';
      const position = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, position);
      const name = elementName(element.name, kind, position);
      const type = element.type;
      if (isMediaKind(type)) {
        const smartCrop = type === 'image' && element.smart_crop === true;
        add(mediaAddress(element), type, `${path}.source`, name, smartCrop);
      }
      if (type !== 'audio') add(element.look_lut, 'lut', `${path}.look_lut`, name);
      if (isList(element.elements))
        inner.push({ elements: element.elements, path: `${path}.elements` });
    });
    lists.unshift(...inner);
  }
  return [...found.values()];
}

/** Array.isArray does not narrow read-only lists. */
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** `Title`, or `Image 3` for the third image of its list when it has no name. */
function elementName(name: Json | undefined, type: string, position: number): string {
  if (typeof name === 'string' && name.trim() !== '') return name;
  return unnamedElement(type, position);
}
