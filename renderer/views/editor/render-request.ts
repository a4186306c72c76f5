/** The render dialog's choices as the public API's request. Pure but for what is remembered in this browser. */
import { parseJson } from '../../../shared/json.ts';
import {
  isJsonObject,
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

function readObject(text: string): JsonObject | null {
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

const keyOf = (id: string): string => `framewright.render.${id}`;

/** The options of the last render of a template; none when nothing usable is remembered. */
export function rememberedOptions(id: string): Partial<RenderOptions> {
  const text = localStorage.getItem(keyOf(id));
  const value = text === null ? null : readObject(text);
  if (!value) return {};
  const texts = ['other', 'scale', 'maxWidth', 'maxHeight', 'webhook', 'metadata'] as const;
  const { modifications } = value;
  return {
    ...Object.fromEntries(
      texts.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]]] : [])),
    ),
    ...(isJsonObject(modifications) && {
      modifications: { ...modifications } as Record<string, Json>,
    }),
  };
}

/** Kept for the next time the dialog opens. A browser that refuses forgets. */
export function rememberOptions(id: string, options: RenderOptions): void {
  try {
    localStorage.setItem(keyOf(id), JSON.stringify({ ...options, format: '' }));
  } catch {
    // Full or switched off: the dialog then begins with nothing.
  }
}
