/**
 * Keyframes of the properties that the inspector shows: at the moment shown, before and after it, and how they are
 * reached. Window only.
 */
import { momentIn } from '../../../shared/engine/compile/clock.ts';
import { animationDefaults } from '../../../shared/renderscript/animation-types.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import {
  canMove,
  isAtMoment,
  keyIndexAt,
  valueAt,
  withKeysAt,
  withoutKeyAt,
  type ContextOf,
  type ElementMoment,
} from '../canvas/keyed.ts';
import { withoutProperties, parsePath } from '../source/json-text.ts';
import { PatchedText, type Patch } from '../source/patch.ts';
import type { LengthContext } from '../canvas/length.ts';
import type { PropertyName } from './groups.ts';
import type { Shown } from './shown-values.ts';
import { say } from '../../ui/say.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import type { Slot } from './slot.ts';

/** What it uses of the inspector. */
interface Inspected extends Pick<Slot, 'end' | 'cancel' | 'colors'> {
  readonly subjects: readonly { readonly path: string }[];
  wordsOf(name: PropertyName): string;
  lengthContext(name: PropertyName, path?: string): LengthContext | null;
  /** See `InspectorState.patch` and `change`. */
  patch(name: PropertyName, patch: Patch, inner: string, words: string): void;
  change(words: string, change: (text: string) => string): void;
}

/** What properties have: none where they can have some, some elsewhere, or one at the moment shown. */
export type KeyedState = 'none' | 'some' | 'here';

/** A property of an element at the moment shown. */
interface Place {
  readonly moment: ElementMoment;
  readonly name: PropertyName;
}

const isHere = ({ moment, name }: Place): boolean => keyIndexAt(moment, name) >= 0;
const isKeyed = ({ moment, name }: Place): boolean => keyframesOf(moment.element[name]) !== null;

/** A keyframe that the way which the moment shown belongs to leads to. */
interface Goal {
  readonly name: PropertyName;
  readonly index: number;
  /** The easing of that way; undefined for the default one. */
  readonly easing: Json | undefined;
}

/** The keyframes of one inspector. */
export class PropertyKeys {
  readonly #editor: TemplateEditor;
  readonly #inspector: Inspected;

  constructor(editor: TemplateEditor, inspector: Inspected) {
    this.#editor = editor;
    this.#inspector = inspector;
  }

  /** The elements at the moment shown. */
  moments(): readonly ElementMoment[] {
    return this.#inspector.subjects.flatMap(({ path }) => this.#editor.canvas.momentOf(path) ?? []);
  }

  /** The one element at the moment shown; null for several, or for what does not move. */
  #moment(): ElementMoment | null {
    const [moment, ...others] = this.#movable();
    return moment && others.length === 0 ? moment : null;
  }

  /** All elements at the moment shown, if time goes on in this document; none if one of them has no place in it. */
  #movable(): readonly ElementMoment[] {
    if (this.#editor.preview.frameCount < 2) return [];
    const moments = this.moments();
    return moments.length === this.#inspector.subjects.length ? moments : [];
  }

  /** Their properties of these names that can move. */
  #places(names: readonly PropertyName[]): readonly Place[] {
    return this.#movable().flatMap((moment) =>
      names.flatMap((name) => (canMove(moment.element, name) ? [{ moment, name }] : [])),
    );
  }

  /** What properties have; null where they can have no keyframes. */
  state(names: readonly PropertyName[]): KeyedState | null {
    const places = this.#places(names);
    if (places.length === 0) return null;
    if (places.some(isHere)) return 'here';
    return places.some(isKeyed) ? 'some' : 'none';
  }

  /** Gives properties a keyframe at the moment shown, or takes those away that are there; one step. */
  toggle(names: readonly PropertyName[]): void {
    const places = this.#places(names);
    const [first] = places;
    if (!first) return;
    const there = places.filter(isHere);
    const words = there.length > 0 ? 'inspector.key.remove' : 'inspector.key.add';
    this.#inspector.change(say(words, { name: this.#inspector.wordsOf(first.name) }), (text) =>
      there.length > 0
        ? there.reduce((made, { moment, name }) => withoutKeyAt(made, moment, name), text)
        : withKeysAt(text, this.#movable(), () => names, this.#contextOf),
    );
  }

  /** Takes all keyframes of properties away: what they have at the moment shown, they have all the time. One step. */
  removeAll(names: readonly PropertyName[]): void {
    const keyed = this.#places(names).filter(isKeyed);
    const [first] = keyed;
    if (!first) return;
    const words = say('inspector.key.stepRemoveAll', { name: this.#inspector.wordsOf(first.name) });
    this.#inspector.change(words, (text) =>
      new PatchedText(text).with(
        Object.fromEntries(
          keyed.map(({ moment, name }) => [
            `${moment.path}.${name}`,
            valueAt(moment, name, this.#contextOf(moment.path)) ?? null,
          ]),
        ),
      ),
    );
  }

  readonly #contextOf =
    (path: string): ContextOf =>
    (name) =>
      // `as`: the table of the inspector names every property; a test says so.
      this.#inspector.lengthContext(name as PropertyName, path);

  /**
   * The nearest keyframe before (-1) or after (1) the moment shown, in seconds of the element's clock; null for none.
   */
  next(names: readonly PropertyName[], way: 1 | -1): number | null {
    const moment = this.#moment();
    if (!moment) return null;
    const times = names
      .flatMap((name) => keyframesOf(moment.element[name]) ?? [])
      .flatMap(({ time }) => momentIn(time, moment.duration) ?? [])
      .filter((at) => (at - moment.at) * way > 0 && !isAtMoment(moment, at));
    return times.length === 0 ? null : Math[way > 0 ? 'min' : 'max'](...times);
  }

  /** The playhead to the nearest keyframe of some properties. */
  go(names: readonly PropertyName[], way: 1 | -1): void {
    const at = this.next(names, way);
    const moment = this.#moment();
    if (at !== null && moment) this.#editor.timeline.goToKeys(moment.path, at);
  }

  /** Those at the moment shown that another one leads to; between two, the later one. */
  #goals(names: readonly PropertyName[]): readonly Goal[] {
    const moment = this.#moment();
    if (!moment) return [];
    const isBetween = this.state(names) === 'some';
    return names.flatMap((name): Goal[] => {
      const keys = keyframesOf(moment.element[name]) ?? [];
      const index = isBetween
        ? keys.findIndex(({ time }) => (momentIn(time, moment.duration) ?? 0) > moment.at)
        : keyIndexAt(moment, name);
      const found = index > 0 ? keys[index] : undefined;
      return found ? [{ name, index, easing: found.easing }] : [];
    });
  }

  /** Names of the properties with a keyframe at the moment shown, of all that the element has. */
  namesHere(): readonly PropertyName[] {
    const moment = this.#moment();
    if (!moment) return [];
    const keyed = Object.keys(moment.element).filter((name) => keyframesOf(moment.element[name]));
    // `as`: the table of the inspector names every property; a test says so.
    return (keyed as PropertyName[]).filter((name) => keyIndexAt(moment, name) > 0);
  }

  /** The easing of the way to the keyframes at the moment shown, or that it is on; null where nothing leads to one. */
  easingSlot(names: readonly PropertyName[]): Slot | null {
    const goals = this.#goals(names);
    const [first, ...others] = goals;
    const path = this.#inspector.subjects[0]?.path ?? '';
    if (!first) return null;
    const inspector = this.#inspector;
    const write = (value: Json): void =>
      inspector.patch(
        first.name,
        Object.fromEntries(
          this.#goals(names).map(({ name, index }) => [`${path}.${name}[${index}].easing`, value]),
        ),
        'easing',
        say('inspector.key.stepEasing'),
      );
    const { easing } = first;
    const isMixed = others.some((one) => one.easing !== easing);
    const shown: Shown = isMixed
      ? { kind: 'mixed' }
      : easing === undefined
        ? { kind: 'default', value: animationDefaults.easing }
        : { kind: 'same', value: easing };
    return {
      name: 'easing',
      words: say(
        this.state(names) === 'here' ? 'inspector.key.easing' : 'inspector.key.nextEasing',
      ),
      shown,
      standard: animationDefaults.easing,
      takesNull: false,
      measured: null,
      lengthContext: null,
      write,
      writeEach: (valueOf) => {
        const value = valueOf(easing);
        if (value !== undefined) write(value);
      },
      reset: () =>
        inspector.change(say('inspector.key.stepEasing'), (text) =>
          withoutProperties(
            text,
            goals.map(({ name, index }) => [...parsePath(path), name, index, 'easing']),
          ),
        ),
      end: () => inspector.end(),
      cancel: () => inspector.cancel(),
      colors: () => inspector.colors(),
    };
  }
}
