/** Elements that are remembered by their places, after the document has changed around them. Pure. */
import type { OutlineItem } from '../outline/elements.ts';

type Placed = Pick<OutlineItem, 'path' | 'label' | 'type'>;

/**
 * Where elements are now.
 *
 * @param paths Their places before.
 * @param before The outline at that time.
 * @param after The outline now.
 * @returns the places of those that can be told for sure: by their names, or by place and type where a name was changed
 */
export function followed(
  paths: Iterable<string>,
  before: readonly Placed[],
  after: readonly Placed[],
): readonly string[] {
  const isSame = (a: Placed, b: Placed): boolean => a.label === b.label && a.type === b.type;
  return [...paths].flatMap((path) => {
    const element = before.find((item) => item.path === path);
    if (!element) return [];
    const there = after.find((item) => item.path === path);
    if (there && isSame(there, element)) return [path];
    const alike = after.filter((item) => isSame(item, element));
    if (alike.length === 1) return alike.map((item) => item.path);
    const isRenamed =
      alike.length === 0 && there?.type === element.type && after.length === before.length;
    return isRenamed ? [path] : [];
  });
}
