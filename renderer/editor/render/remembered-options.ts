/** The choices of the last render of each template, as they are remembered. Pure; RenderForm keeps them. */
import { formatNamed } from '../../../shared/renderscript/formats.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { RenderOptions } from './render-request.ts';

/** How many templates' choices are remembered, and letters per template: a picture in a field is not kept. */
const most = { templates: 50, letters: 20_000 };

/** The options of the last render of a template; none when nothing usable is remembered. */
export function rememberedOptions(kept: JsonObject, id: string): Partial<RenderOptions> {
  const value = kept[id];
  if (!isJsonObject(value)) return {};
  const texts = [
    ...(['other', 'frameRate', 'quality', 'scale', 'maxWidth', 'maxHeight'] as const),
    ...(['webhook', 'metadata'] as const),
  ];
  const { modifications } = value;
  return {
    ...Object.fromEntries(
      texts.flatMap((name) => (typeof value[name] === 'string' ? [[name, value[name]]] : [])),
    ),
    format: formatNamed(value['format']) ?? '',
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

/** Some choice differs from the template's own values. */
export function isChosen({ modifications, ...texts }: RenderOptions): boolean {
  return (
    Object.keys(modifications).length > 0 || Object.values(texts).some((text) => text.trim() !== '')
  );
}
