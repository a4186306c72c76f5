/** A text that is to be spoken in the film: typed, heard, added. Window only. */
import type { Preferences } from '../../frame/preferences.svelte.ts';
import { say } from '../../ui/say.ts';
import type { Spot } from '../making/adding.svelte.ts';
import type { TemplateEditor } from '../template-editor.svelte.ts';
import { Hearing, ofDocument } from './hearing.svelte.ts';

/** Name under which the last voice is remembered. */
const remembered = 'voice';

/** What the dialog works on. Call `open()` once, `close()` at the end. */
export class NewVoice {
  text = $state('');
  /** As the document will name it; '' for none. */
  provider = $state('');
  readonly hearing = new Hearing(ofDocument);
  /** True while it is being added. */
  adding = $state(false);

  readonly #editor: TemplateEditor;
  readonly #preferences: Preferences;
  readonly #spot: Spot;

  constructor(editor: TemplateEditor, preferences: Preferences, spot: Spot) {
    this.#editor = editor;
    this.#preferences = preferences;
    this.#spot = spot;
  }

  readonly isReady = $derived(this.text.trim() !== '' && this.provider !== '');

  /** Finds out who can speak. */
  async open(): Promise<void> {
    const { voices } = this.#editor;
    await voices.load();
    if (!voices.find(this.provider))
      this.provider = voices.first(this.#preferences.text(remembered));
  }

  /** Plays it as it is, or stops. */
  async hear(): Promise<void> {
    if (this.isReady) await this.hearing.toggle(this.#spoken);
  }

  /**
   * Adds it with its length, once it was spoken; so what can't be spoken isn't added.
   *
   * @returns whether it was added; if not, `hearing.problem` says why.
   */
  async add(): Promise<boolean> {
    if (!this.isReady || this.adding) return false;
    this.adding = true;
    const { provider, text } = this.#spoken;
    const heard = await this.hearing.speak({ provider, text });
    this.adding = false;
    if (!heard) return false;
    this.#preferences.set(remembered, provider);
    const element = { type: 'audio', provider, source: text };
    this.#editor.adding.addSound(say('piece.voice'), element, heard.seconds, this.#spot);
    return true;
  }

  close(): void {
    this.hearing.stop();
  }

  get #spoken(): { readonly provider: string; readonly text: string } {
    return { provider: this.provider, text: this.text.trim() };
  }
}
