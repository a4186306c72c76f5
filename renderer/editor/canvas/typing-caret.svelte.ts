/**
 * The caret of a text that is typed in the picture. A box that is not seen takes keys, clipboard and input methods; the
 * caret and what is selected are drawn where the layout has their letters. Window only.
 */
import type { CaretPlaces } from '../../../shared/engine/text/caret-places.ts';
import {
  endOfLine,
  nearestPlace,
  placeInNextLine,
  rangeAround,
  strokeAt,
  stretchesOf,
  type Caret,
  type CaretStroke,
  type Range,
  type Stretch,
} from './caret.ts';
import type { Point } from './plane.ts';

export class TypingCaret {
  readonly #placesNow: () => CaretPlaces | null;
  /** Where letters come in, and the other end of what is selected. */
  #focus = $state(0);
  #anchor = $state(0);
  /** The caret is behind the letters of the line that was broken there. */
  #upper = $state(false);
  /** Letters that an input method has not settled yet. */
  composed = $state.raw<Range | null>(null);
  /** Counts what moved it: the caret is seen at once after each. */
  moves = $state(0);
  #box: HTMLTextAreaElement | null = null;
  /** Where the caret goes up and down, in the box; null after it went elsewhere. */
  #way: number | null = null;
  /** What the pointer began with, and how many clicks that were. */
  #held: (Range & { readonly clicks: number }) | null = null;
  readonly #drawn = $derived.by(() => this.#placesNow());

  readonly #onMove: () => void;

  /**
   * @param placesNow Those of the text as it is drawn; null where they are not known.
   * @param onMove Told that the caret was put elsewhere.
   */
  constructor(placesNow: () => CaretPlaces | null, onMove: () => void) {
    this.#placesNow = placesNow;
    this.#onMove = onMove;
  }

  /** First letter of what is selected, and the place behind the last. */
  readonly range = $derived<Range>({
    from: Math.min(this.#focus, this.#anchor),
    to: Math.max(this.#focus, this.#anchor),
  });
  /** The caret; null while letters are selected, or its place is not known. */
  readonly stroke = $derived.by((): CaretStroke | null => {
    const { from, to } = this.range;
    return this.#drawn && from === to ? strokeAt(this.#drawn, this.#caret) : null;
  });
  /** Where the box is put that takes the keys: offers of an input method open there. */
  readonly spot = $derived.by((): CaretStroke | null =>
    this.#drawn ? strokeAt(this.#drawn, { at: this.range.from, upper: false }) : null,
  );
  readonly selected = $derived.by((): readonly Stretch[] =>
    this.#drawn && this.range.from < this.range.to ? stretchesOf(this.#drawn, this.range) : [],
  );
  readonly underlined = $derived.by((): readonly Stretch[] =>
    this.#drawn && this.composed ? stretchesOf(this.#drawn, this.composed) : [],
  );

  get #caret(): Caret {
    return { at: this.#focus, upper: this.#upper };
  }

  /**
   * Takes over where the caret of the box is.
   *
   * @param byLetters It went on with letters that were typed. Default false.
   */
  read(box: HTMLTextAreaElement, byLetters = false): void {
    this.#box = box;
    const { selectionStart, selectionEnd, selectionDirection } = box;
    const isBack = selectionDirection === 'backward';
    const [focus, anchor] = isBack
      ? [selectionStart, selectionEnd]
      : [selectionEnd, selectionStart];
    if (focus === this.#focus && anchor === this.#anchor) return;
    if (!byLetters) this.#onMove();
    [this.#focus, this.#anchor] = [focus, anchor];
    this.#upper = false;
    this.#way = null;
    this.moves += 1;
  }

  /** Puts the caret somewhere, in the box, too. */
  #put(focus: number, anchor: number, upper = false): void {
    const box = this.#box;
    if (!box) return;
    this.#onMove();
    const direction = focus < anchor ? 'backward' : 'forward';
    box.setSelectionRange(Math.min(focus, anchor), Math.max(focus, anchor), direction);
    [this.#focus, this.#anchor] = [focus, anchor];
    this.#upper = upper;
    this.moves += 1;
  }

  /** Keys that go by the lines of the picture. @returns whether this was one */
  key(event: KeyboardEvent): boolean {
    const places = this.#drawn;
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (!places || altKey || ctrlKey || event.isComposing) return false;
    const move = (caret: Caret): true => {
      this.#put(caret.at, shiftKey ? this.#anchor : caret.at, caret.upper);
      return true;
    };
    const side = sides[metaKey ? `Meta+${key}` : key];
    if (side) {
      this.#way = null;
      return move(endOfLine(places, this.#caret, side));
    }
    if (metaKey || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false;
    const x = this.#way ?? strokeAt(places, this.#caret)?.x ?? 0;
    const moved = move(placeInNextLine(places, this.#caret, key === 'ArrowUp' ? -1 : 1, x));
    this.#way = x;
    return moved;
  }

  /** The pointer pressed: puts the caret there, or selects with the second and third click. */
  press(point: Point, clicks: number, extends_: boolean): void {
    const places = this.#drawn;
    if (!places) return;
    this.#way = null;
    const { at, upper } = nearestPlace(places, point);
    if (extends_) {
      this.#held = { from: this.#anchor, to: this.#anchor, clicks: 1 };
      this.#put(at, this.#anchor, upper);
      return;
    }
    const { from, to } = rangeAround(places.text, at, clicks);
    this.#held = { from, to, clicks };
    this.#put(to, from, upper);
  }

  /** It moves with the button down: selects up to there, by words after two clicks. */
  drag(point: Point): void {
    const [places, held] = [this.#drawn, this.#held];
    if (!places || !held) return;
    const { at, upper } = nearestPlace(places, point);
    const { from, to } = rangeAround(places.text, at, held.clicks);
    if (from < held.from) this.#put(from, held.to, upper);
    else this.#put(Math.max(to, held.to), held.from, upper);
  }

  release(): void {
    this.#held = null;
  }
}

const sides: Readonly<Record<string, 'start' | 'end' | undefined>> = {
  Home: 'start',
  End: 'end',
  'Meta+ArrowLeft': 'start',
  'Meta+ArrowRight': 'end',
};
