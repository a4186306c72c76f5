/** The render dialog's choices as the public API's request, and back. Pure. */
import { parseJson } from '../../../shared/json.ts';
import {
  isJsonObject,
  outputFormats,
  type Json,
  type JsonObject,
  type OutputFormat,
} from '../../../shared/renderscript/source.ts';

/** What is chosen; texts as typed, '' for nothing. */
export interface RenderOptions {
  modifications: Record<string, Json>;
  /** JSON of further modifications. */
  other: string;
  /** '' = the template's own. */
  format: OutputFormat | '';
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
  scale: '',
  maxWidth: '',
  maxHeight: '',
  webhook: '',
  metadata: '',
};

/** The request, or that the further modifications are no JSON object. */
export function requestBody(
  id: string,
  own: OutputFormat,
  options: RenderOptions,
): { readonly ok: true; readonly body: JsonObject } | { readonly ok: false } {
  const other = options.other.trim() === '' ? {} : readObject(options.other);
  if (other === null) return { ok: false };
  const modifications = { ...options.modifications, ...other };
  const { format } = options;
  return {
    ok: true,
    body: {
      template_id: id,
      ...(Object.keys(modifications).length > 0 && { modifications }),
      ...(format !== '' && format !== own && { output_format: format }),
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
 * @param keys modifications that have a field of their own; the others are told as JSON
 */
export function optionsOf(request: JsonObject, keys: readonly string[]): RenderOptions {
  const { modifications = null } = request;
  const given = Object.entries(isJsonObject(modifications) ? modifications : {}).flatMap(
    ([key, value]): [string, Json][] => (value === undefined ? [] : [[key, value]]),
  );
  const others = given.filter(([key]) => !keys.includes(key));
  const text = (name: string): string => {
    const value = request[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  return {
    modifications: Object.fromEntries(given.filter(([key]) => keys.includes(key))),
    other: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others), null, 2),
    format: outputFormats.find((format) => format === request.output_format) ?? '',
    scale: text('render_scale'),
    maxWidth: text('max_width'),
    maxHeight: text('max_height'),
    webhook: text('webhook_url'),
    metadata: text('metadata'),
  };
}

/** Pixels of the file: those of the document, by the scale, made to fit what it may have at most. */
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

/** Reads JSON that is to be an object; null when it is none. */
export function readObject(text: string): JsonObject | null {
  const result = parseJson(text);
  return result.ok && isJsonObject(result.value) ? result.value : null;
}

/** What is no number goes along as typed: the server says what it should be. */
function amount(name: string, text: string): JsonObject {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return {};
  const value = Number(plain);
  return { [name]: Number.isFinite(value) ? value : plain };
}
