/**
 * The address of a Lottie animation with other texts or colours: a file of its own for all that fetches, draws and
 * keeps files. Pure.
 */
import { isJsonObject, type JsonObject } from './source.ts';

/** What an element changes in its animation. */
export interface LottieEdits {
  /** By the name of a text layer. */
  readonly texts: JsonObject;
  /** New colours by old ones. */
  readonly colors: JsonObject;
}

const scheme = 'lottie:';

/** The address for an element's animation: its `source` unless it changes something. */
export function lottieAddress(source: string, { texts, colors }: JsonObject): string {
  const edits = [texts, colors].map((value) => (isJsonObject(value) ? value : {}));
  if (edits.every((value) => Object.keys(value).length === 0)) return source;
  return scheme + JSON.stringify([source, ...edits]);
}

/** Where the file of an address lies, and what is changed in it. */
export function readLottieAddress(address: string): { readonly file: string } & LottieEdits {
  if (address.startsWith(scheme)) {
    try {
      const [file, texts, colors] = JSON.parse(address.slice(scheme.length)) as unknown[];
      if (typeof file === 'string' && isJsonObject(texts) && isJsonObject(colors))
        return { file, texts, colors };
    } catch {
      // A document's own words: no such file will be found.
    }
  }
  return { file: address, texts: {}, colors: {} };
}
