/** Lists of the server that complete what is typed: fonts and files of the media library. Window only. */
import type { Completion } from '@codemirror/autocomplete';
import { call } from '../../frame/connection/call.ts';
import { fontRows } from '../../../shared/api/fonts.ts';
import type { WindowFonts, WindowMedia } from '../../../shared/api.ts';
import type { JsonPath } from '../../../shared/renderscript/completion.ts';
import { isJsonObject, type Source } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import { mediaRows } from '../../../shared/api/media.ts';
import { fileSize } from '../../ui/format.ts';

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

export interface RememberedList<T> {
  /** The list; asks the server if it is not fresh. */
  load(): Promise<T>;
  /** It has changed: the next `load` asks again. */
  forget(): void;
}

/**
 * Remembers a list.
 *
 * @param load Asks the server. When it fails, the last answer is used.
 * @param freshFor Milliseconds for which an answer is valid.
 * @param none Used until there is an answer.
 */
export function remembered<T>(
  load: () => Promise<T>,
  freshFor: number,
  none: T,
): RememberedList<T> {
  let known = none;
  let knownAt = -Infinity;
  return {
    async load() {
      if (performance.now() - knownAt > freshFor) {
        try {
          known = await load();
          knownAt = performance.now();
        } catch {
          // Tried again at the next key press.
        }
      }
      return known;
    },
    forget() {
      knownAt = -Infinity;
    },
  };
}

const files = remembered<readonly WindowMedia[]>(() => call(mediaRows.list), 5000, []);

/** Those that fit an element of this type; all for other types, none when the library can't be read. */
export async function mediaCompletions(type: string): Promise<readonly Completion[]> {
  const known = await files.load();
  const fitting = known.some(({ kind }) => kind === type)
    ? known.filter(({ kind }) => kind === type)
    : known;
  return fitting.map(({ name, source, kind, bytes }) => ({
    label: JSON.stringify(name),
    displayLabel: name,
    detail: say(`media.kind.${kind}`),
    info: `${source} · ${fileSize(bytes)}`,
    apply: JSON.stringify(source),
  }));
}
