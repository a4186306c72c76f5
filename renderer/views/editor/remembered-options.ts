/** The choices of the last render of a template, remembered in this browser. */
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import { readObject, type RenderOptions } from './render-request.ts';

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
