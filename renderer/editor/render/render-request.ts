/** The render dialog's choices as the public API's request, and back. Pure. */
import { parseJson } from '../../../shared/json.ts';
import {
  formatNamed,
  formatOf,
  formats,
  isStill,
  type OutputFormat,
} from '../../../shared/renderscript/formats.ts';
import { documentLimits } from '../../../shared/renderscript/limits.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';

/** What is chosen; texts as typed, '' for nothing. */
export interface RenderOptions {
  modifications: Record<string, Json>;
  /** JSON of further modifications. */
  other: string;
  /** '' = the template's own. */
  format: OutputFormat | '';
  /** Frames per second. */
  frameRate: string;
  /** One of the format's values; '' = the template's own. */
  quality: string;
  scale: string;
  maxWidth: string;
  maxHeight: string;
  webhook: string;
  metadata: string;
}

export const noOptions: RenderOptions = {
  modifications: {},
  other: '',
  format: '',
  frameRate: '',
  quality: '',
  scale: '',
  maxWidth: '',
  maxHeight: '',
  webhook: '',
  metadata: '',
};

/** What to render. */
export interface RequestSubject {
  readonly id: string;
  /** The source to render. */
  readonly source: Source;
  /** It has unsaved changes: the request carries the source. */
  readonly isDraft: boolean;
}

/** The format of the file. */
export const chosenFormat = (source: Source, { format }: RenderOptions): OutputFormat =>
  format === '' ? formatOf(source) : format;

/** The frame rate that a document names; null where it leaves that open. */
export const ownFrameRate = ({ frame_rate: rate }: Source): number | null =>
  parseAmount(rate)?.value ?? null;

/**
 * The frame rate that is sent although none was chosen: a GIF can't have more than 15 frames per second. Null: the
 * document's own is fine.
 */
export function neededFrameRate(source: Source, options: RenderOptions): number | null {
  const { frameRate: most } = formats[chosenFormat(source, options)].most;
  if (most === documentLimits.frameRate) return null;
  const own = ownFrameRate(source);
  return own !== null && own <= most ? null : most;
}

/** The request, or the problem that the further modifications are no JSON object. */
export function requestBody(
  { id, source, isDraft }: RequestSubject,
  options: RenderOptions,
): { readonly ok: true; readonly body: JsonObject } | { readonly ok: false } {
  const other = options.other.trim() === '' ? {} : readObject(options.other);
  if (other === null) return { ok: false };
  const format = chosenFormat(source, options);
  const { quality } = formats[format];
  const isChosen = quality?.values.includes(options.quality) === true;
  const modifications = {
    ...options.modifications,
    ...(quality && isChosen && { [quality.property]: plain(options.quality) }),
    ...other,
  };
  const needed = neededFrameRate(source, options);
  return {
    ok: true,
    body: {
      ...(isDraft ? { source } : { template_id: id }),
      ...(Object.keys(modifications).length > 0 && { modifications }),
      ...(format !== formatOf(source) && { output_format: format }),
      ...(needed !== null && { frame_rate: needed }),
      ...(!isStill(format) && amount('frame_rate', options.frameRate)),
      ...amount('render_scale', options.scale),
      ...amount('max_width', options.maxWidth),
      ...amount('max_height', options.maxHeight),
      ...(options.webhook !== '' && { webhook_url: options.webhook }),
      ...(options.metadata !== '' && { metadata: options.metadata }),
    },
  };
}

/**
 * The choices that a request came from.
 * @param keys modifications that have a field of their own; the others are given as JSON
 */
export function optionsOf(request: JsonObject, keys: readonly string[]): RenderOptions {
  const { modifications = null } = request;
  const given = Object.entries(isJsonObject(modifications) ? modifications : {}).flatMap(
    ([key, value]): [string, Json][] => (value === undefined ? [] : [[key, value]]),
  );
  const quality = given.find(([key, value]) =>
    Object.values(formats).some(
      ({ quality: one }) =>
        one?.property === key && one.values.some((known) => known === textOf(value)),
    ),
  );
  const others = given.filter(([key]) => !keys.includes(key) && key !== quality?.[0]);
  const text = (name: string): string => textOf(request[name]);
  return {
    modifications: Object.fromEntries(given.filter(([key]) => keys.includes(key))),
    other: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
    format: formatNamed(request.output_format) ?? '',
    frameRate: text('frame_rate'),
    quality: quality === undefined ? '' : textOf(quality[1]),
    scale: text('render_scale'),
    maxWidth: text('max_width'),
    maxHeight: text('max_height'),
    webhook: text('webhook_url'),
    metadata: text('metadata'),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Pixels of the file: those of the document, scaled, and reduced to the limits. */
export function outputSize(
  width: number,
  height: number,
  { scale, maxWidth, maxHeight }: RenderOptions,
): { readonly width: number; readonly height: number } {
  const given = (text: string): number => Number(text.trim().replace(',', '.')) || Infinity;
  const chosen = given(scale);
  const factor = Math.min(
    Number.isFinite(chosen) ? chosen : 1,
    given(maxWidth) / width,
    given(maxHeight) / height,
  );
  return { width: Math.round(width * factor), height: Math.round(height * factor) };
}

/** Reads a JSON object; null for anything else. */
export function readObject(text: string): JsonObject | null {
  const result = parseJson(text);
  return result.ok && isJsonObject(result.value) ? result.value : null;
}

/** What is no number is sent as typed: the server says what it should be. */
function amount(name: string, text: string): JsonObject {
  const given = text.trim().replace(',', '.');
  return given === '' ? {} : { [name]: plain(given) };
}

function plain(text: string): string | number {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
