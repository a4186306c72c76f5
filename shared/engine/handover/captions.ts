/** The captions of a film, as its frames show them: the pages of all texts that follow speech. Pure. */
import type { Cue } from '../compile/subtitle-file.ts';
import type { CaptionPage, Timeline, TimelineElement } from '../compile/timeline.ts';

/** The pages of a film in their order, on its clock; those of a looped composition as its first pass has them. */
export function cuesOf({ root, duration }: Pick<Timeline, 'root' | 'duration'>): Cue[] {
  const shown = pagesIn(root.children, 0, duration);
  return shown
    .toSorted((a, b) => a.from - b.from)
    .map(({ page, from, to, offset }) => {
      const last = page.words.length - 1;
      const line = page.words.map((word, index) => ({
        ...word,
        start: index === 0 ? from - offset : Math.max(from - offset, word.start),
        // A page stays a little after its last word.
        end: index === last ? to - offset : Math.min(to - offset, word.end),
      }));
      return { line, offset, speaker: null };
    });
}

/** A page on the clock of the film, in seconds. */
interface ShownPage {
  readonly page: CaptionPage;
  readonly from: number;
  readonly to: number;
  /** When its text begins. */
  readonly offset: number;
}

function pagesIn(
  elements: readonly TimelineElement[],
  origin: number,
  end: number,
): readonly ShownPage[] {
  return elements.flatMap((element): readonly ShownPage[] => {
    const offset = origin + element.start;
    const until = Math.min(end, offset + element.duration);
    if (element.type === 'composition') return pagesIn(element.children, offset, until);
    if (element.type !== 'text' || !element.captions) return [];
    return element.captions.pages.flatMap((page) => {
      const from = Math.max(0, offset, offset + page.start);
      const to = Math.min(until, offset + page.end);
      return to > from && page.words.length > 0 ? [{ page, from, to, offset }] : [];
    });
  });
}
