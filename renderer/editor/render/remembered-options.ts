/** The choices of the last render of each template, as they are remembered. Pure; RenderForm keeps them. */
import { formatNamed, formatOf } from '../../../shared/renderscript/formats.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { ownFile, type RenderOptions } from './render-request.ts';

/** How many templates' choices are remembered, and letters per template: a picture in a field is not kept. */
const most = { templates: 50, letters: 20_000 };

/**
 * The options of the last render of a template; none when nothing usable is remembered. A file in another format than
 * the template's was wanted once: the next one is the template's again.
 */
export function rememberedOptions(
  kept: JsonObject,
  { id, source }: { readonly id: string; readonly source: Source },
): Partial<RenderOptions> {
  const value = kept[id];
  if (!isJsonObject(value)) return {};
  const texts = [
    ...(['other', 'frameRate', 'quality', 'scale', 'maxWidth', 'maxHeight'] as const),
    ...(['codec', 'loudness', 'webhook', 'metadata'] as const),
  ];
  const { modifications } = value;
  const format = formatNamed(value['format']);
  return {
    ...Object.fromEntries(
      texts.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]]] : [])),
    ),
    format: '',
    ...(format !== undefined && format !== formatOf(source) && ownFile),
    ...(isJsonObject(modifications) && {
      modifications: { ...modifications } as Record<string, Json>,
    }),
  };
}

/** The remembered choices with these added; the oldest go first. */
export function withOptions(kept: JsonObject, id: string, options: RenderOptions): JsonObject {
  const others = Object.entries(kept).filter(([one]) => one !== id);
  const isLong = JSON.stringify(options).length > most.letters;
  const entries = isLong ? others : [...others, [id, { ...options }] as const];
  return Object.fromEntries(entries.slice(-most.templates));
}

/** Some choice differs from the usual ones. */
export function isChosen(options: RenderOptions, usual: RenderOptions): boolean {
  const { modifications, ...texts } = options;
  return (
    Object.keys(modifications).length > 0 ||
    Object.entries(texts).some(([name, text]) => text.trim() !== usual[name as keyof typeof texts])
  );
}
