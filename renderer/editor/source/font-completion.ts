/**
 * Font families as completions of a text's `font_family`: those that ship, those that were added, those of
 * this computer, those the document brings.
 */
import type { Completion } from '@codemirror/autocomplete';
import { call } from '../../frame/connection/call.ts';
import { fontRows } from '../../../shared/api/fonts.ts';
import type { WindowFonts } from '../../../shared/api.ts';
import type { JsonPath } from '../../../shared/renderscript/completion.ts';
import { isJsonObject, type Source } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import { remembered } from './remembered-list.ts';

const families = remembered<WindowFonts>(() => call(fontRows.all), 60_000, {
  bundled: [],
  added: [],
  installed: [],
});

/** A font was added or removed: the list is loaded again when it is next needed. */
export const forgetFontFamilies = (): void => families.forget();

/** The path leads to a family: of an element, or of one of its keyframes. */
export function isFontFamily(path: JsonPath): boolean {
  const [last, index, name] = path.toReversed();
  return (
    last === 'font_family' ||
    (last === 'value' && typeof index === 'number' && name === 'font_family')
  );
}

/** A family, and where it comes from. */
export interface FontFamily {
  readonly name: string;
  /** `own`: the document brings it. `added`: to this program. `installed`: on other computers the result may differ. */
  readonly origin: 'own' | 'added' | 'bundled' | 'installed';
}

/** All families; without those of the program and the computer when they can't be loaded. */
export async function fontFamilies({ fonts }: Source): Promise<readonly FontFamily[]> {
  const known = await families.load();
  const own = (Array.isArray(fonts) ? (fonts as readonly unknown[]) : []).flatMap((font) =>
    isJsonObject(font) && typeof font.family === 'string' ? [font.family] : [],
  );
  // A font of the document takes precedence over others of the same name.
  const taken = new Set(own.map((name) => name.toLowerCase()));
  const others = (names: readonly string[], origin: FontFamily['origin']): FontFamily[] =>
    names
      .filter((name) => !taken.has(name.toLowerCase()))
      .map((name): FontFamily => ({ name, origin }));
  return [
    ...[...new Set(own)].map((name): FontFamily => ({ name, origin: 'own' })),
    ...others(known.added, 'added'),
    ...others(known.bundled, 'bundled'),
    ...others(known.installed, 'installed'),
  ];
}

/** The families as completions. */
export async function fontCompletions(source: Source): Promise<readonly Completion[]> {
  const found = await fontFamilies(source);
  return found.map(({ name, origin }) => ({
    ...offer(name, say(`editor.font.${origin}`)),
    // Below the fonts that look the same everywhere.
    ...(origin === 'installed' && { info: say('editor.font.differs'), boost: -1 }),
  }));
}

function offer(name: string, detail: string): Completion {
  return { label: JSON.stringify(name), detail };
}
