/**
 * The text that a selected element speaks, and its voice, as the inspector changes them. What is typed is written once
 * it is left: a voice must not be asked for at each letter. Window only.
 */
import { hasProvider, type SpokenText } from '../../../shared/renderscript/voices.ts';
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { elementAt } from '../outline/elements.ts';
import type { Shown, Subject } from '../inspector/shown-values.ts';
import type { Patch } from '../source/patch.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { Hearing, ofDocument } from './hearing.svelte.ts';

/** What it needs of the inspector. */
interface Inspected {
  readonly subjects: readonly Subject[];
  readonly source: Source;
  shown(name: 'source' | 'provider'): Shown;
  patch(name: 'source' | 'provider', patch: Patch, inner: string): void;
  end(): void;
}

/** What is typed and not written yet. */
interface Draft {
  /** Of the element. */
  readonly path: string;
  /** The text that it had. */
  readonly before: string;
  readonly text: string;
}

/** The one element that is selected, if it speaks. */
export class SpokenElement {
  readonly hearing: Hearing<SpokenText>;
  readonly #editor: TemplateEditor;
  readonly #inspector: Inspected;
  #draft = $state.raw<Draft | null>(null);

  constructor(editor: TemplateEditor, inspector: Inspected) {
    this.#editor = editor;
    this.#inspector = inspector;
    this.hearing = new Hearing(ofDocument, () => editor.preview.renew());
  }

  /** Its path; '' where several are selected, or it does not speak. */
  readonly path = $derived.by((): string => {
    const [subject, ...others] = this.#inspector.subjects;
    if (!subject || others.length > 0 || subject.owner !== 'audio') return '';
    return hasProvider(subject.values) ? subject.path : '';
  });

  get provider(): string {
    return this.#written('provider');
  }

  /** As it is typed. */
  get text(): string {
    const draft = this.#draft;
    return draft !== null && draft.path === this.path ? draft.text : this.#written('source');
  }

  /** @param text All of it. */
  type(text: string): void {
    const before = this.#draft?.path === this.path ? this.#draft.before : this.#written('source');
    this.#draft = { path: this.path, before, text };
  }

  /** Writes what was typed as one step, and has a service speak it, so that the preview is not silent. */
  commit(): void {
    const draft = this.#draft;
    this.#draft = null;
    if (draft === null || draft.text.trim() === draft.before.trim()) return;
    const { path, before, text } = draft;
    // Somebody else may have changed it, or taken it away.
    if (elementAt(this.#inspector.source, path)?.source !== before) return;
    this.#write('source', path, text.trim());
  }

  /** Another voice says it. */
  choose(provider: string): void {
    this.commit();
    if (this.path !== '') this.#write('provider', this.path, provider);
  }

  /** Plays it, or stops. */
  async hear(): Promise<void> {
    this.commit();
    const { provider, text } = this;
    if (text.trim() !== '') await this.hearing.toggle({ provider, text: text.trim() });
  }

  /** Another element is selected, or none. */
  leave(): void {
    this.commit();
    this.hearing.stop();
  }

  #write(name: 'source' | 'provider', path: string, value: string): void {
    const inspector = this.#inspector;
    inspector.end();
    inspector.patch(name, { [`${path}.${name}`]: value }, path);
    inspector.end();
    const values: JsonObject = { ...elementAt(inspector.source, path), [name]: value };
    const { provider, source } = values;
    if (typeof provider !== 'string' || typeof source !== 'string' || source.trim() === '') return;
    // The preview has the computer itself speak.
    if (this.#editor.voices.find(provider)?.kind === 'system') return;
    void this.hearing.speak({ provider, text: source.trim() });
  }

  #written(name: 'source' | 'provider'): string {
    if (this.path === '') return '';
    const shown = this.#inspector.shown(name);
    return shown.kind === 'same' && typeof shown.value === 'string' ? shown.value : '';
  }
}
