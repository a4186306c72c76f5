/**
 * The inspector: the properties of what is selected, and their changes. What is done with one control until it is left
 * is one step of the history with a name. Window only.
 */
import { SvelteSet } from 'svelte/reactivity';
import {
  defaultOf,
  property,
  type PropertyOwner,
} from '../../../shared/renderscript/properties.ts';
import {
  elementTypes,
  type ElementType,
  type Json,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { readLottieAddress } from '../../../shared/renderscript/lottie-address.ts';
import type { LottieParts } from '../../../shared/engine/media-info.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { pixelsIn, type LengthContext } from '../canvas/length.ts';
import { parsePath, withoutProperties } from '../source/json-text.ts';
import { sped } from '../timeline/tempo.ts';
import { onTracks } from '../timeline/tracks.ts';
import { elementAtMoment, KeyedText, movingNames } from '../canvas/keyed.ts';
import { PatchedText, type Patch } from '../source/patch.ts';
import { elementAt } from '../outline/elements.ts';
import {
  groupsOf,
  usuallyOpen,
  type GroupId,
  type InspectorGroup,
  type PropertyName,
} from './groups.ts';
import {
  byPath,
  insideOf,
  isSet,
  ownersOf,
  pathIn,
  shownOf,
  type Shown,
  type Subject,
} from './shown-values.ts';
import { colorsIn, type KnownColors } from './colors.ts';
import { lengthContextOf } from './length-context.ts';
import { say } from '../../ui/say.ts';
import { differenceOf } from '../../engine/text-change.ts';
import type { Preferences } from '../../frame/preferences.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { PropertyKeys } from './property-keys.svelte.ts';
import { PropertyLists } from './property-lists.ts';
import { SpokenElement } from '../voices/spoken-element.svelte.ts';
import type { VoiceList } from '../voices/voice-list.svelte.ts';

/** What is being done with one control. */
interface Stroke {
  /** Names the control and what it works on. */
  readonly key: string;
  readonly began: number;
  /** The text before it. */
  readonly text: string;
  readonly patched: KeyedText;
  patch: Patch;
  /** What changes along with that, e.g. times of other elements. */
  beside: Patch;
  /** It is a step of the history. */
  hasChanged: boolean;
  /** CodeMirror's text after its last change: any other one is someone else's. */
  lines: unknown;
}

/** What is shown: one element of a type, or something else. */
type HeadType = ElementType | 'document' | 'several' | 'unknown';

/** Names under which it is remembered which groups are open. */
const remembered = 'inspectorOpen';

/** The inspector of one editor. */
export class InspectorState {
  readonly #editor: TemplateEditor;
  readonly #preferences: Preferences;
  #stroke: Stroke | null = null;
  /** Values that were written and not checked yet, by path; they count for this source only. */
  #written = $state.raw<{ readonly source: unknown; readonly values: Patch } | null>(null);

  /** The keyframes of what is selected. */
  readonly keys: PropertyKeys;
  /** Their lists, e.g. of animations. */
  readonly lists: PropertyLists;
  /** What the selected one says. */
  readonly spoken: SpokenElement;

  /** Groups that are open. */
  readonly open = new SvelteSet<GroupId>();

  /** Path of what is selected; '' for the document, also where an undone step has taken the element away. */
  readonly #selected = $derived.by((): string => {
    const { selected, document, canvas } = this.#editor;
    const { source } = document;
    const isGone = source !== null && elementAt(source, selected) === null;
    return isGone && canvas.selection.length < 2 ? '' : selected;
  });
  /** What is selected, or the document. */
  readonly subjects = $derived.by((): readonly Subject[] => {
    const { document, canvas } = this.#editor;
    const { source } = document;
    if (!source) return [];
    if (this.#selected === '') return [{ path: '', owner: 'root', values: source }];
    return canvas.selection.flatMap((path): Subject[] => {
      const values = elementAt(source, path);
      const owner = elementTypes.find((type) => type === values?.type);
      return values && owner ? [{ path, owner, values }] : [];
    });
  });
  /** With the values of the moment shown in place of keyframes. */
  readonly #current = $derived.by((): readonly Subject[] => {
    // What has none is the same at each moment: it must not be shown anew with each frame that plays.
    if (!this.#typed.some(({ values }) => movingNames(values).length > 0)) return this.#typed;
    const { canvas } = this.#editor;
    return this.#typed.map((subject) => {
      const { path } = subject;
      const moment = path === '' ? null : canvas.momentOf(path);
      if (!moment) return subject;
      const values = elementAtMoment({ ...moment, element: subject.values }, (name) =>
        this.lengthContext(name as PropertyName, path),
      );
      return { ...subject, values };
    });
  });
  /** With what was written a moment ago. */
  readonly #typed = $derived.by((): readonly Subject[] => {
    const written = this.#written;
    if (written?.source !== this.#editor.document.source) return this.subjects;
    const paths = Object.keys(written.values);
    return this.subjects.map((subject) => {
      const prefix = subject.path === '' ? '' : `${subject.path}.`;
      const own = paths.filter((path) => isOwn(path, prefix));
      if (own.length === 0) return subject;
      const values = own.map((path) => [path.slice(prefix.length), written.values[path]] as const);
      return { ...subject, values: withValues(subject.values, values) };
    });
  });
  readonly owners = $derived<ReadonlySet<PropertyOwner>>(ownersOf(this.subjects));
  /** The same list while the kinds of what is selected stay the same. */
  readonly groups = $derived.by((): readonly InspectorGroup[] =>
    this.owners.size === 0
      ? []
      : groupsOf(this.owners, (name) =>
          [...this.owners].every((owner) => property(owner, name) !== undefined),
        ),
  );
  /** The sentence of an error, by the place of the value. */
  readonly errors = $derived.by((): ReadonlyMap<string, string> =>
    byPath(
      this.#editor.document.checked.flatMap(({ severity, path, text }) =>
        severity === 'error' ? [[path, text] as const] : [],
      ),
    ),
  );

  /** Keys of the fields of the template, by their places. */
  readonly #fieldKeys = $derived.by((): ReadonlyMap<string, string> => {
    const { list, marked } = this.#editor.fields;
    return byPath(
      marked ? list.flatMap(({ path, key }) => (key === null ? [] : [[path, key] as const])) : [],
    );
  });
  /** What is shown is the last valid state. */
  readonly isBroken = $derived.by(() => !this.#editor.document.readable);
  /** What is selected, in words. */
  readonly head = $derived.by((): { readonly title: string; readonly type: HeadType } => {
    const { canvas, outline } = this.#editor;
    const selected = this.#selected;
    if (selected === '') return { title: say('inspector.document'), type: 'document' };
    const count = canvas.selection.length;
    if (count > 1) return { title: say('inspector.several', { count }), type: 'several' };
    const item = outline.find(({ path }) => path === selected);
    return { title: item?.label ?? '', type: item?.type ?? 'unknown' };
  });

  constructor(editor: TemplateEditor, preferences: Preferences) {
    this.#editor = editor;
    this.#preferences = preferences;
    this.keys = new PropertyKeys(editor, this);
    this.lists = new PropertyLists(this);
    this.spoken = new SpokenElement(editor, this);
    for (const id of preferences.texts(remembered, usuallyOpen)) this.open.add(id as GroupId);
  }

  /** Opens or closes a group, also for the next time. */
  toggle(id: GroupId): void {
    if (!this.open.delete(id)) this.open.add(id);
    this.#preferences.set(remembered, [...this.open]);
  }

  /** What is shown of a property. */
  shown(name: PropertyName): Shown {
    const shown = shownOf(this.#current, name);
    return shown.kind === 'default' ? { ...shown, value: this.#inPixels(shown.value) } : shown;
  }

  isSet(name: PropertyName): boolean {
    return isSet(this.#current, name);
  }

  /** What each of them means without the property; undefined where they mean different things. */
  standardOf(name: PropertyName): Json | undefined {
    const [standard, ...others] = [...this.owners].map((owner) => defaultOf(owner, name));
    return others.every((other) => other === standard) ? this.#inPixels(standard) : undefined;
  }

  /** The language's defaults count of the document's sides (`3 vmin`), which people don't: they get pixels. */
  #inPixels(standard: Json | undefined): Json | undefined {
    const { document } = this.#editor.canvas;
    const unit = parseAmount(standard)?.unit ?? '';
    const isOfView = ['vw', 'vh', 'vmin', 'vmax'].includes(unit) && document.width > 0;
    const pixels = isOfView ? pixelsIn(standard, { whole: 0, document }) : null;
    return pixels === null ? standard : `${Math.round(pixels)} px`;
  }

  /** How long a side is that the language chooses, in pixels; null where that is not known, or for other properties. */
  measured(name: PropertyName): Json | null {
    if (name !== 'width' && name !== 'height') return null;
    const path = this.subjects[0]?.path ?? '';
    const size =
      path === '' ? this.#editor.canvas.document : this.#editor.preview.facts?.outlines[path];
    return size && size[name] > 0 ? `${Math.round(size[name])} px` : null;
  }

  /** Its key in `modifications`, where it is a field of the template; undefined where it is none. */
  fieldKey(name: PropertyName): string | undefined {
    return this.#fieldKeys.get(this.placeOf(name));
  }

  /** A line counts for what is chosen otherwise, or has something set. */
  isShown({ names, when }: InspectorGroup['rows'][number]): boolean {
    if (!when || names.some((name) => this.isSet(name))) return true;
    // `as`: a test says that conditions name properties of the table.
    const asked = this.shown(when.name as PropertyName);
    return (
      asked.kind === 'mixed' ||
      ((asked.kind === 'same' || asked.kind === 'default') && when.is.includes(asked.value ?? ''))
    );
  }

  /** The property's place in the first of them. */
  placeOf(name: string): string {
    const path = this.subjects[0]?.path ?? '';
    return path === '' ? name : `${path}.${name}`;
  }

  /** What is wrong with a property, of any of them. */
  errorOf(name: PropertyName): string | undefined {
    for (const { path } of this.subjects) {
      const error = this.errors.get(path === '' ? name : `${path}.${name}`);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  /**
   * What the lengths of a property count of; null where that is not known now.
   *
   * @param path Of the element. Default: the first of them.
   */
  lengthContext(
    name: PropertyName,
    path: string = this.subjects[0]?.path ?? '',
  ): LengthContext | null {
    const { preview, canvas } = this.#editor;
    return lengthContextOf(path, name, preview.facts?.outlines ?? {}, canvas.document);
  }

  /** Gives a property of each one the same value; part of the step of its control. */
  write(name: PropertyName, value: Json): void {
    this.writeEach(name, () => value);
  }

  /**
   * Gives a property of each one a value of its own; part of the step of its control.
   *
   * @param valueOf Of the value before; undefined leaves one alone.
   * @param before The value when the step began, or that of now.
   * @param inner Path of the value inside the property, e.g. `[0].duration`; '' for the property itself.
   */
  writeEach(
    name: PropertyName,
    valueOf: (before: Json | undefined) => Json | undefined,
    before: 'step' | 'now' = 'step',
    inner = '',
  ): void {
    const path = parsePath(inner);
    const patch: Record<string, Json> = {};
    for (const subject of before === 'now' ? this.#current : this.begun(name, inner)) {
      const value = valueOf(insideOf(subject.values[name], path));
      if (value !== undefined) patch[`${pathIn(subject, name)}${inner}`] = value;
    }
    this.patch(name, patch, inner, undefined, inner === '' ? this.#beside(name, patch) : {});
  }

  /**
   * The times that change along with a property. On another track, what has none of its own would follow another
   * element, so it gets the one that it had; at another speed, a clip becomes shorter or longer, and its track with it.
   *
   * @param given New values by their places; undefined: none any more.
   */
  #beside(name: PropertyName, given: Readonly<Record<string, Json | undefined>>): Patch {
    const change = name === 'track' ? onTracks : name === 'speed' ? sped : null;
    const { document, preview, canvas } = this.#editor;
    // At keyframes it is not the whole clip that changes.
    const isKeyed = name === 'speed' && (canvas.autoKeys || this.hasKeys(name));
    if (!change || isKeyed) return {};
    const isGoing = this.#goesOn(this.#keyOf(name, ''));
    // `as`: the text before the step could be read.
    const source = isGoing ? (JSON.parse(this.#stroke?.text ?? '{}') as Source) : document.source;
    if (!source) return {};
    const byPath = Object.entries(given).map(
      ([place, value]) => [place.slice(0, -`.${name}`.length), value] as const,
    );
    const { values } = change({ source, lengths: preview.lengths }, Object.fromEntries(byPath));
    const others = Object.entries(values).flatMap(([place, value]) =>
      place in given || value === undefined ? [] : [[place, value] as const],
    );
    return Object.fromEntries(others);
  }

  /** What the elements were when the control's step began, or are now if none goes on. */
  begun(name: PropertyName, inner: string): readonly Subject[] {
    return this.#goesOn(this.#keyOf(name, inner)) ? this.#before : this.#current;
  }

  #before: readonly Subject[] = [];

  /** A property has keyframes, of any of them. */
  hasKeys(name: PropertyName): boolean {
    return this.subjects.some(({ values }) => movingNames(values).includes(name));
  }

  #keyOf(name: PropertyName, inner: string): string {
    const { canvas, preview } = this.#editor;
    const moment = canvas.autoKeys || this.hasKeys(name) ? String(preview.time) : '';
    return [name, inner, moment, ...this.subjects.map(({ path }) => path)].join('\n');
  }

  #goesOn(key: string): boolean {
    return this.#stroke?.key === key && this.#stroke.lines === this.#editor.document.code.lines;
  }

  /**
   * Sets values by their paths; part of the step of a control.
   *
   * @param name The property whose control it is: the step is named after it.
   * @param inner Tells the controls of one property apart.
   * @param words Name of the step, if it is not that of the property.
   * @param beside What changes along with them now, in place of what did before in this step.
   */
  patch(name: PropertyName, patch: Patch, inner = '', words?: string, beside: Patch = {}): void {
    const { document, canvas } = this.#editor;
    if (!document.readable) return;
    const key = this.#keyOf(name, inner);
    const goesOn = this.#goesOn(key);
    if (!goesOn) {
      // Which keyframe it is depends on those that the last step made.
      if (canvas.autoKeys || this.hasKeys(name)) document.settle();
      const { text } = document;
      this.#before = this.#current;
      this.#stroke = {
        key,
        began: Date.now(),
        text,
        patched: new KeyedText(
          text,
          this.keys.moments(),
          canvas.autoKeys ? 'keys' : 'set',
          document.currentTree,
        ),
        patch: {},
        beside: {},
        hasChanged: false,
        lines: document.code.lines,
      };
    }
    const stroke = this.#stroke;
    if (!stroke) return;
    stroke.patch = { ...stroke.patch, ...patch };
    const past = Object.keys(stroke.beside);
    stroke.beside = beside;
    const made = document.follow(stroke.text, stroke.patched.with({ ...stroke.patch, ...beside }));
    const changes = differenceOf(document.text, made);
    if (changes.length === 0) return;
    document.code.stroke(changes, {
      began: stroke.began,
      goesOn: stroke.hasChanged,
      name: words ?? this.#nameOf(name),
    });
    stroke.lines = document.code.lines;
    stroke.hasChanged = true;
    const written = this.#written;
    const known = written?.source === document.source ? Object.entries(written.values) : [];
    // What is written as a whole replaces what was written inside of it.
    const isReplaced = (path: string): boolean =>
      past.includes(path) ||
      Object.keys(patch).some((now) => path.startsWith(`${now}.`) || path.startsWith(`${now}[`));
    const kept = known.filter(([path]) => !isReplaced(path) && !Object.hasOwn(patch, path));
    this.#written = {
      source: document.source,
      values: { ...Object.fromEntries(kept), ...patch, ...beside },
    };
  }

  /**
   * Sets values inside a property of each one, by their paths there, e.g. `[0].color`; part of the step of its control.
   */
  patchEach(name: PropertyName, values: Patch): void {
    const entries = this.subjects.flatMap((subject) =>
      Object.entries(values).map(
        ([path, value]) => [`${pathIn(subject, name)}${path}`, value] as const,
      ),
    );
    this.patch(name, Object.fromEntries(entries));
  }

  /** Gives another property of each one a value, as part of the step of a control. */
  writeBeside(control: PropertyName, name: PropertyName, value: Json): void {
    const entries = this.subjects.map((subject) => [pathIn(subject, name), value] as const);
    this.patch(control, Object.fromEntries(entries));
  }

  /** What can be changed in the Lottie animation that is selected; null where that is not known. */
  readonly parts = $derived.by((): LottieParts | null => {
    const [subject, ...others] = this.subjects;
    if (!subject || others.length > 0) return null;
    const files = this.#editor.preview.live?.files ?? [];
    // With what was typed a moment ago, the animation has another address.
    const found = [...files].find(
      ([address, { parts }]) => parts && readLottieAddress(address).file === subject.values.source,
    );
    return found?.[1].parts ?? null;
  });

  /** Who can speak. */
  get voices(): VoiceList {
    return this.#editor.voices;
  }

  /** The document; an empty one before it is there. */
  get source(): Source {
    return this.#editor.document.source ?? {};
  }

  /** The colours of the brand, then those that the document has, the most used first. */
  colors(): KnownColors {
    const { colors: brand } = this.#editor.brand;
    return { brand, own: colorsIn(this.source).filter((color) => !brand.includes(color)) };
  }

  /** The families of the brand. */
  get brandFonts(): readonly string[] {
    const { titleFont, textFont } = this.#editor.brand;
    return [titleFont, textFont].filter(
      (family, index, all) => family !== '' && all.indexOf(family) === index,
    );
  }

  /** The control was left: what it does next is another step. */
  end(): void {
    this.#stroke = null;
  }

  /** The control's step leads nowhere: the text is as before it. */
  cancel(): void {
    const stroke = this.#stroke;
    this.#stroke = null;
    const { document } = this.#editor;
    if (stroke && stroke.lines === document.code.lines && document.text !== stroke.text)
      document.undo();
  }

  /**
   * Takes properties away, so that each is what it is without; one step.
   *
   * @param inner Path of what is taken away inside of them; '' for all of each.
   */
  reset(names: readonly PropertyName[], inner = ''): void {
    const [first] = names;
    if (first === undefined) return;
    const rest = parsePath(inner);
    this.end();
    const beside = inner === '' ? names.map((name) => this.#besideReset(name)) : [];
    this.change(say('inspector.stepReset', { name: this.wordsOf(first) }), (text) => {
      const without = names.reduce(
        (made, name) =>
          withoutProperties(
            made,
            this.subjects.map(({ path }) => [...parsePath(path), name, ...rest]),
          ),
        text,
      );
      return new PatchedText(without).with(Object.assign({}, ...beside) as Patch);
    });
  }

  #besideReset(name: PropertyName): Patch {
    const places = this.subjects.map((subject) => [pathIn(subject, name), undefined] as const);
    return this.#beside(name, Object.fromEntries(places));
  }

  /** Changes the text otherwise; one step with a name. */
  change(name: string, change: (text: string) => string): void {
    this.end();
    const { document } = this.#editor;
    document.settle();
    if (!document.readable) return;
    document.namedStep(differenceOf(document.text, change(document.text)), name);
  }

  #nameOf(name: PropertyName): string {
    return say('inspector.step', { name: this.wordsOf(name) });
  }

  /** What people call a property: the source of what speaks is its text. */
  wordsOf(name: PropertyName): string {
    if (name === 'source' && this.spoken.path !== '') return say('voice.text');
    return say(`inspector.name.${name}`);
  }
}

/** It lies in the subject itself, not in an element inside of it. */
function isOwn(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && !/^elements\[/.test(path.slice(prefix.length));
}

/** An object with other values at paths inside of it. */
function withValues(
  before: Subject['values'],
  entries: readonly (readonly [path: string, value: Json | undefined])[],
): Subject['values'] {
  // Texts are joined and read again: these are the few values of one element.
  const text = JSON.stringify({ ...before, elements: undefined });
  // One after the other: a later one may lie inside of an earlier one.
  const patched = entries.reduce(
    (made, [path, value]) =>
      value === undefined ? made : new PatchedText(made).with({ [path]: value }),
    text,
  );
  // `as`: made from an object a line above.
  const values = JSON.parse(patched) as Subject['values'];
  return before.elements === undefined ? values : { ...values, elements: before.elements };
}
