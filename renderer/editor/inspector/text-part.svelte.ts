/** The letters that are selected where a text is typed: what styles they have, and other ones for them. Window only. */
import {
  commonStyle,
  plainText,
  styled,
  unstyled,
} from '../../../shared/engine/text/styled-parts.ts';
import type { TagName } from '../../../shared/engine/text/markup.ts';
import type { NumberRule } from '../../../shared/renderscript/rules.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import type { PropertyName } from './groups.ts';
import type { Shown } from './shown-values.ts';
import { command, type Command } from '../../frame/commands/command.ts';
import { say } from '../../ui/say.ts';
import type { CanvasState } from '../canvas/canvas.svelte.ts';
import type { InspectorState } from './inspector-state.svelte.ts';
import type { Slot } from './slot.ts';

/** The sizes that a part can have: share of its element's. */
export const partSizes: NumberRule = { kind: 'number', units: ['%'], bare: null, min: 1 };

/** Styles with a control of their own, and the property that decides where letters have none. */
const wholes = {
  size: null,
  weight: 'font_weight',
  family: 'font_family',
  color: 'fill_color',
  style: 'font_style',
} as const satisfies Readonly<Record<TagName, PropertyName | null>>;

/** From this weight on letters look bold. */
const boldFrom = 600;

/** The selected letters of what the inspector shows. */
export class TextPart {
  readonly #inspector: InspectorState;
  readonly #canvas: CanvasState;

  constructor(inspector: InspectorState, canvas: CanvasState) {
    this.#inspector = inspector;
    this.#canvas = canvas;
  }

  /** The text with its tags that all selected elements share; null where they share none that can be typed in. */
  get text(): string | null {
    const shown = this.#inspector.shown('text');
    return shown.kind === 'same' && typeof shown.value === 'string' ? shown.value : null;
  }

  /** Which letters; null for none. */
  get range(): { readonly from: number; readonly to: number } | null {
    const { letters } = this.#canvas.typing;
    const { text } = this;
    const isShown = this.#inspector.subjects.some(({ path }) => path === letters?.path);
    if (!letters || !isShown || text === null) return null;
    const to = Math.min(letters.to, plainText(text).length);
    return letters.from < to ? { from: letters.from, to } : null;
  }

  /** The letters themselves; '' for none. */
  get letters(): string {
    const { range, text } = this;
    return range && text !== null ? plainText(text).slice(range.from, range.to) : '';
  }

  /** Selects letters of the text that the inspector shows. */
  select(from: number, to: number): void {
    const path = this.#inspector.subjects[0]?.path ?? '';
    this.#canvas.typing.letters = path !== '' && from < to ? { path, from, to } : null;
  }

  /** Follows the letters that are selected in the box of the inspector. For `{@attach}`. */
  watch(box: HTMLTextAreaElement): () => void {
    return this.#canvas.typing.watch(box, (from, to) => this.select(from, to));
  }

  /** What the letters have in common: a value as written, null without one, undefined where they differ. */
  #valueOf(name: TagName): string | null | undefined {
    const { range, text } = this;
    return range && text !== null ? commonStyle(text, range.from, range.to)[name] : null;
  }

  /** What letters without a style have. */
  #wholeOf(name: TagName): Json | undefined {
    const property = wholes[name];
    if (property === null) return '100%';
    const shown = this.#inspector.shown(property);
    return shown.kind === 'same' || shown.kind === 'default' ? shown.value : undefined;
  }

  /** True if all letters are bold, or italic. */
  is(name: 'weight' | 'style'): boolean {
    const own = this.#valueOf(name);
    if (own === undefined) return false;
    const value = own ?? this.#wholeOf(name);
    if (name === 'style') return value === 'italic';
    return value === 'bold' || Number(value) >= boldFrom;
  }

  /** Makes the letters bold or italic, or no longer; one step. */
  toggle(name: 'weight' | 'style'): void {
    this.#canvas.typing.settle();
    const on = name === 'weight' ? '700' : 'italic';
    const off = name === 'weight' ? '400' : 'normal';
    const wanted = this.is(name) ? off : on;
    // What the element is already needs no tag.
    const whole = this.#wholeOf(name);
    const isWhole =
      name === 'style'
        ? whole === wanted
        : (whole === 'bold' || Number(whole) >= boldFrom) === (wanted === on);
    this.#change((text, from, to) => styled(text, from, to, { [name]: isWhole ? null : wanted }));
  }

  /** Takes all styles of the letters away; one step. */
  clear(): void {
    this.#change(unstyled);
  }

  /** They have a style of their own. */
  get isStyled(): boolean {
    return (['color', 'size', 'weight', 'style', 'family'] as const).some(
      (name) => this.#valueOf(name) !== null,
    );
  }

  #change(change: (text: string, from: number, to: number) => string): void {
    const inspector = this.#inspector;
    inspector.end();
    this.#write('part', (text, { from, to }) => change(text, from, to));
    inspector.end();
  }

  #write(
    inner: string,
    textOf: (
      now: string,
      range: { readonly from: number; readonly to: number },
      before: string,
    ) => string | undefined,
  ): void {
    this.#canvas.typing.settle();
    const { range } = this;
    if (!range) return;
    const inspector = this.#inspector;
    // Those at the beginning and now stand in the same order.
    const key = `${inner} ${range.from} ${range.to}`;
    const before = inspector.begun('text', key);
    const patch: Record<string, Json> = {};
    inspector.subjects.forEach(({ path, values }, index) => {
      const begun = before[index]?.values.text;
      if (typeof values.text !== 'string') return;
      const now = this.text ?? values.text;
      const made = textOf(now, range, typeof begun === 'string' ? begun : now);
      if (made !== undefined) patch[`${path}.text`] = made;
    });
    inspector.patch('text', patch, key, say('inspector.part.step'));
  }

  /** A style as a control reads and writes it. */
  slot(name: Exclude<TagName, 'style'>): Slot {
    const write = (value: Json | null): void =>
      this.#write(name, (text, { from, to }) => styled(text, from, to, tagOf(name, value)));
    const shown = (): Shown => {
      const value = this.#valueOf(name);
      if (value === undefined) return { kind: 'mixed' };
      return value === null
        ? { kind: 'default', value: plainWhole(this.#wholeOf(name)) }
        : { kind: 'same', value };
    };
    return {
      name: wholes[name] ?? 'font_size',
      words: say(`inspector.part.${name}`),
      get shown() {
        return shown();
      },
      standard: plainWhole(this.#wholeOf(name)),
      takesNull: false,
      measured: null,
      lengthContext: null,
      write,
      writeEach: (valueOf, before = 'step') =>
        this.#write(name, (text, { from, to }, begun) => {
          const own = commonStyle(before === 'step' ? begun : text, from, to)[name];
          const value = valueOf(own ?? undefined);
          return value === undefined ? undefined : styled(text, from, to, tagOf(name, value));
        }),
      reset: () => {
        this.#inspector.end();
        write(null);
        this.#inspector.end();
      },
      end: () => this.#inspector.end(),
      cancel: () => this.#inspector.cancel(),
      colors: () => this.#inspector.colors(),
    };
  }
}

const tagOf = (
  name: TagName,
  value: Json | null,
): Readonly<Partial<Record<TagName, string | null>>> => ({
  [name]: value === null ? null : typeof value === 'string' ? value : JSON.stringify(value),
});

/** A gradient is no colour that letters without one could show. */
const plainWhole = (value: Json | undefined): Json | undefined =>
  typeof value === 'object' && value !== null ? undefined : value;

/** The commands for the selected letters; none while there are no such letters. */
export function letterCommands(part: TextPart): readonly Command[] {
  if (!part.range) return [];
  return [
    command('bold-letters', 'bold', () => part.toggle('weight'), { ticked: part.is('weight') }),
    command('italic-letters', 'italic', () => part.toggle('style'), { ticked: part.is('style') }),
    command('plain-letters', 'unstyled', () => part.clear(), { enabled: part.isStyled }),
  ];
}
