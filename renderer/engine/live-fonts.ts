/** The fonts of a kit in the drawing worker: the files that the server draws with, under the same names. */
import type { LiveFont, LiveKit } from '../../shared/engine/live-kit.ts';
import type { Fonts } from '../../shared/engine/paint/sources.ts';
import type { FontSpec } from '../../shared/engine/text/measurer.ts';
import type { LiveFiles } from './live-files.ts';

/** That of texts which name none, in lower case. */
const defaultFamily = 'aileron';

/** The set of a worker's fonts, which the types of pages don't know. */
const known = (self as unknown as { readonly fonts: FontFaceSet }).fonts;
/** Faces that this worker has, by alias and file. Aliases of the server hold one choice of files each, so none is ever removed. */
const loaded = new Map<string, Promise<unknown>>();

/**
 * Loads what is not there yet. A font that can't be read is left out, as on the server: the next one of the chain is used.
 *
 * @param ids The files that the kit counts.
 * @throws Error when one can't be fetched.
 */
export async function loadFonts(
  kit: LiveKit,
  ids: readonly string[],
  files: LiveFiles,
): Promise<Fonts> {
  await Promise.all(
    kit.faces.map(({ alias, style, weight, file }) => {
      const id = ids[file] ?? '';
      const key = `${alias}\n${id}`;
      let loading = loaded.get(key);
      if (!loading) {
        loading = load(alias, id, { style, weight }, files);
        loaded.set(key, loading);
        loading.catch(() => loaded.delete(key));
      }
      return loading;
    }),
  );
  return fontsOf(kit.fonts);
}

async function load(
  alias: string,
  id: string,
  descriptors: FontFaceDescriptors,
  files: LiveFiles,
): Promise<void> {
  const bytes = await (await files.fetch(id)).arrayBuffer();
  const face = await new FontFace(alias, bytes, descriptors).load().catch(() => null);
  if (face) known.add(face);
}

/** A weight or family that the kit does not tell of is drawn with the nearest that it does: the next kit will. */
function fontsOf(fonts: readonly LiveFont[]): Fonts {
  const chains = new Map<string, string>();
  const chainOf = ({ family, weight, style }: Omit<FontSpec, 'size'>): string => {
    const name = family.trim().toLowerCase();
    const own = fonts.filter((font) => font.family === name);
    const among = own.length > 0 ? own : fonts.filter((font) => font.family === defaultFamily);
    const distance = (font: LiveFont): number =>
      Math.abs(font.weight - weight) + (font.style === style ? 0 : 1000);
    const [nearest] = among.toSorted((a, b) => distance(a) - distance(b));
    return nearest?.css ?? 'normal 400 1px sans-serif';
  };
  return {
    css({ family, weight, style, size }) {
      const key = `${style} ${weight} ${family}`;
      let chain = chains.get(key);
      if (chain === undefined) chains.set(key, (chain = chainOf({ family, weight, style })));
      return chain.replace(' 1px ', ` ${size}px `);
    },
  };
}
