/** Files that the cells of a feed name: how each is shown, and what is wrong with it. Pure. */
import type { NamedMedia } from '../../shared/api/feeds.ts';
import type { MediaFacts, WindowMedia } from '../../shared/api/media.ts';
import { fitsUse } from '../../shared/renderscript/media-requests.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import { say } from '../ui/say.ts';

type Kind = MediaFacts['kind'];

/** A file in a cell. */
export interface CellFile {
  /** Shown in the place of what stands in the cell: addresses of the library say nothing. */
  readonly name: string;
  /** The kind that the column wants. */
  readonly kind: Kind;
  /** Its file of the library; null: none. */
  readonly media: WindowMedia | null;
  /** What is wrong, with its cure; '' if nothing is known to be. */
  readonly problem: string;
}

/** What a cell names. @param named what is known of it; undefined: nothing yet */
export function cellFile(value: string, kind: Kind, named: NamedMedia | undefined): CellFile {
  const media = named?.media ?? null;
  const name = /^\s*media:/i.test(value) && media ? media.name : value;
  return { name, kind, media, problem: named ? problemWith(name, kind, named) : '' };
}

function problemWith(name: string, kind: Kind, { state, media }: NamedMedia): string {
  const words: Readonly<Record<NamedMedia['state'], string>> = {
    file: '',
    elsewhere: '',
    missing: say('feedFile.missing', { name }),
    outside: say('feedFile.outside', { name }),
    'not a file': say('feedFile.notFile', { name }),
  };
  if (!media || fitsUse(kind, media)) return words[state];
  return say(`feedFile.wants.${kind}`, { name });
}

/** What is written into a cell for a file of the library: its name, unless that leads to another one. */
export function nameFor(media: WindowMedia, library: readonly WindowMedia[]): string {
  // The newest comes first, and wins.
  const found = library.find(({ name }) => looseName(name) === looseName(media.name));
  return found?.id === media.id &&
    /[^\s]/.test(media.name) &&
    !/^[a-z][a-z0-9+.-]+:/i.test(media.name)
    ? media.name
    : media.source;
}

/** Values by what they belong to, which never change. */
export const mapOf = <Value>(
  entries: Iterable<readonly [string, Value]>,
): ReadonlyMap<string, Value> => new Map(entries);
