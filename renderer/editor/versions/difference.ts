/** Two texts line by line. Pure. */

/** Lines that are in both, only in the first (`out`), or only in the second (`in`). */
export interface Stretch {
  readonly kind: 'same' | 'out' | 'in';
  readonly lines: readonly string[];
}

/** Larger pairs of changed stretches are shown as a whole, because comparing them would take too long. */
const mostCells = 4_000_000;

/** The shortest way from one text to the other, in lines. */
export function difference(before: string, after: string): Stretch[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) {
    tail += 1;
  }
  const found: Stretch[] = [];
  add(found, 'same', a.slice(0, head));
  middle(found, a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  add(found, 'same', a.slice(a.length - tail));
  return found;
}

function middle(found: Stretch[], a: readonly string[], b: readonly string[]): void {
  if (a.length * b.length > mostCells) {
    add(found, 'out', a);
    add(found, 'in', b);
    return;
  }
  // Longest common subsequence, from the end, so that the way is read from the beginning.
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add(found, 'same', [a[i++] ?? '']);
      j += 1;
    } else if (
      j >= b.length ||
      (i < a.length && (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    ) {
      add(found, 'out', [a[i++] ?? '']);
    } else add(found, 'in', [b[j++] ?? '']);
  }
}

function add(found: Stretch[], kind: Stretch['kind'], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = found.at(-1);
  if (last?.kind === kind) found[found.length - 1] = { kind, lines: [...last.lines, ...lines] };
  else found.push({ kind, lines });
}
