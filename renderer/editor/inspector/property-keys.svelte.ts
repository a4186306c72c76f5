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
  withKeysAt,
  withoutKeyAt,
  type ElementMoment,
} from '../canvas/keyed.ts';
import { withoutProperties, parsePath } from '../source/json-text.ts';
import type { Patch } from '../source/patch.ts';
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
  lengthContext(name: PropertyName): LengthContext | null;
  /** See `InspectorState.patch` and `change`. */
  patch(name: PropertyName, patch: Patch, inner: string, words: string): void;
  change(words: string, change: (text: string) => string): void;
}

/** What properties have: none where they can have some, some elsewhere, or one at the moment shown. */
export type KeyedState = 'none' | 'some' | 'here';

/** A keyframe at the moment shown. */
interface Here {
  readonly name: PropertyName;
  readonly index: number;
  /** The easing of the way to it; undefined for the default one. */
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
    const [subject, ...others] = this.#inspector.subjects;
    if (!subject || others.length > 0 || subject.path === '') return null;
    return this.#editor.preview.frameCount < 2 ? null : this.#editor.canvas.momentOf(subject.path);
  }

  /** What properties have; null where they can have no keyframes. */
  state(names: readonly PropertyName[]): KeyedState | null {
    const moment = this.#moment();
    const movable = moment ? names.filter((name) => canMove(moment.element, name)) : [];
    if (!moment || movable.length === 0) return null;
    if (movable.some((name) => keyIndexAt(moment, name) >= 0)) return 'here';
    return movable.some((name) => keyframesOf(moment.element[name])) ? 'some' : 'none';
  }

  /** Gives properties a keyframe at the moment shown, or takes those away that are there; one step. */
  toggle(names: readonly PropertyName[]): void {
    const moment = this.#moment();
    const movable = moment ? names.filter((name) => canMove(moment.element, name)) : [];
    const [first] = movable;
    if (!moment || first === undefined) return;
    const there = movable.filter((name) => keyIndexAt(moment, name) >= 0);
    const words = there.length > 0 ? 'inspector.key.remove' : 'inspector.key.add';
    this.#inspector.change(say(words, { name: this.#inspector.wordsOf(first) }), (text) =>
      there.length > 0
        ? there.reduce((made, name) => withoutKeyAt(made, moment, name), text)
        : withKeysAt(
            text,
            [moment],
            () => movable,
            () => (name) => this.#inspector.lengthContext(name as PropertyName),
          ),
    );
  }

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

  /** Those at the moment shown that another one leads to. */
  #here(names: readonly PropertyName[]): readonly Here[] {
    const moment = this.#moment();
    if (!moment) return [];
    return names.flatMap((name): Here[] => {
      const index = keyIndexAt(moment, name);
      const found = index > 0 ? keyframesOf(moment.element[name])?.[index] : undefined;
      return found ? [{ name, index, easing: found.easing }] : [];
    });
  }

  /** Names of the properties with a keyframe at the moment shown, of all that the element has. */
  namesHere(): readonly PropertyName[] {
    const moment = this.#moment();
    if (!moment) return [];
    const keyed = Object.keys(moment.element).filter((name) => keyframesOf(moment.element[name]));
    // `as`: the table of the inspector names every property; a test says so.
    return this.#here(keyed as PropertyName[]).map(({ name }) => name);
  }

  /** The easing of the way to the keyframes at the moment shown; null where nothing leads to one. */
  easingSlot(names: readonly PropertyName[]): Slot | null {
    const here = this.#here(names);
    const [first, ...others] = here;
    const path = this.#inspector.subjects[0]?.path ?? '';
    if (!first) return null;
    const inspector = this.#inspector;
    const write = (value: Json): void =>
      inspector.patch(
        first.name,
        Object.fromEntries(
          this.#here(names).map(({ name, index }) => [`${path}.${name}[${index}].easing`, value]),
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
      words: say('inspector.key.easing'),
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
            here.map(({ name, index }) => [...parsePath(path), name, index, 'easing']),
          ),
        ),
      end: () => inspector.end(),
      cancel: () => inspector.cancel(),
      colors: () => inspector.colors(),
    };
  }
}
