/**
 * Captions that name a clip which is cut in two: the second part has another name, and so captions of its own. Pure.
 */
import { takeName } from '../../../shared/free-name.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { copyOf, timedElement } from '../canvas/copies.ts';
import { appendItems, applied, parsePath } from '../source/json-text.ts';
import type { Clip, Clips } from '../timeline/clips.ts';

/** What the second parts of clips need. */
interface CaptionsOfParts {
  /** What the second part of a clip has of its own. */
  readonly own: ReadonlyMap<Clip, JsonObject>;
  /** Captions to add, by their list. */
  readonly copies: ReadonlyMap<string, readonly JsonObject[]>;
}

/**
 * What keeps the captions of clips that are cut: captions that are cut along follow the second part with theirs, and
 * others get a copy that does.
 *
 * @param cut The clips. @param names All names of the document; new ones are added.
 */
export function captionsOfParts(
  clips: Clips,
  cut: readonly Clip[],
  names: Set<string>,
): CaptionsOfParts {
  const captions = captionsByName(clips);
  const along = new Set(cut);
  const own = new Map<Clip, JsonObject>();
  const copies = new Map<string, JsonObject[]>();
  for (const clip of cut) {
    const [name, ...others] = namesIn(clip);
    if (name === undefined) continue;
    const followers = [name, ...others].flatMap((one) => captions.get(looseName(one)) ?? []);
    if (followers.length === 0) continue;
    const second = takeName(name, names.add(name));
    own.set(clip, { ...own.get(clip), name: second });
    for (const caption of followers) {
      const { element, path, list, start, offset } = caption;
      if (along.has(caption)) {
        own.set(caption, { ...own.get(caption), transcript_source: second });
        continue;
      }
      const timed = timedElement(element, path, (at) => (at === path ? start : offset));
      const copy = { ...copyOf(timed, names), transcript_source: second };
      copies.set(list, [...(copies.get(list) ?? []), copy]);
    }
  }
  return { own, copies };
}

/** A document with elements at the ends of their lists, in front of the others. */
export function withCopies(
  text: string,
  copies: ReadonlyMap<string, readonly JsonObject[]>,
): string {
  return [...copies].reduce(
    (made, [list, added]) => applied(made, appendItems(made, parsePath(list), added)),
    text,
  );
}

/** Texts that show what is said in an element, by the name or ID that they give, without case. */
function captionsByName({ byPath }: Clips): ReadonlyMap<string, readonly Clip[]> {
  const found = new Map<string, Clip[]>();
  for (const clip of byPath.values()) {
    const { transcript_source: given } = clip.element;
    if (clip.type !== 'text' || typeof given !== 'string') continue;
    const name = looseName(given);
    found.set(name, [...(found.get(name) ?? []), clip]);
  }
  return found;
}

/** By what captions may name a clip that is heard. */
function namesIn({ type, element: { name, id } }: Clip): readonly string[] {
  if (type !== 'video' && type !== 'audio') return [];
  return [name, id].filter((word) => typeof word === 'string').filter((word) => word !== '');
}
