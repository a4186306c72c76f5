/**
 * The fonts of the settings: added ones, those on their way, all others, and those that templates miss. Window only.
 */
import { call } from '../frame/connection/call.ts';
import { fontRows } from '../../shared/api/fonts.ts';
import type { AddedFamily, MissingFamily, WindowFonts } from '../../shared/api.ts';
import { forgetFontFamilies } from '../editor/source/completion-lists.ts';
import { upload } from '../frame/connection/uploads.ts';
import { listedNames } from '../ui/format.ts';
import { say } from '../ui/say.ts';
import { Uploads } from '../ui/uploads.svelte.ts';
import type { WindowParts } from '../frame/window-parts.svelte.ts';

/** The parts of the window that they use and change. */
type UsedParts = Pick<WindowParts, 'attempt' | 'dialogs' | 'messages'>;

/** Files by whose names we know that they are fonts; the server decides by their content. */
export const fontFiles = /\.(ttf|otf|woff2?)$/i;

export class FontsState {
  loading = $state<'loading' | 'ready' | 'error'>('loading');
  added = $state.raw<readonly AddedFamily[]>([]);
  missing = $state.raw<readonly MissingFamily[]>([]);
  all = $state.raw<WindowFonts>({ bundled: [], added: [], installed: [] });
  /** Grows with each change of a font, so that pictures of texts are drawn again. */
  changes = $state(0);
  /** How many places show the list now. */
  #shownAt = 0;

  readonly uploads = new Uploads<AddedFamily>({
    send: (file, signal, onSent) =>
      upload(fontRows.add, [{ query: { name: file.name } }], file, signal, onSent),
    onDone: ({ family }) => {
      const text = say('fonts.added.told', { family });
      if (this.#shownAt > 0) this.#app.messages.speak(text);
      else this.#app.messages.show(text);
      void this.load();
    },
    onFailed: (reason) => {
      if (this.#shownAt === 0) this.#app.messages.showProblem(reason);
    },
  });

  readonly #app: UsedParts;

  constructor(app: UsedParts) {
    this.#app = app;
  }

  /** Keeps the lists current while they are shown. For an effect. */
  show(): () => void {
    this.#shownAt += 1;
    void this.load();
    return () => (this.#shownAt -= 1);
  }

  /** A font was added or removed, here or in another window. */
  changed(): void {
    forgetFontFamilies();
    this.changes += 1;
    if (this.#shownAt > 0) void this.load();
  }

  /** Loads the lists; those that are there stay meanwhile. */
  async load(): Promise<void> {
    try {
      [this.added, this.all, this.missing] = await Promise.all([
        call(fontRows.added),
        call(fontRows.all),
        call(fontRows.missing),
      ]);
      this.loading = 'ready';
    } catch {
      this.loading = 'error';
    }
  }

  /** Permanently removes a family, after asking. Shows errors. */
  async remove({ family }: AddedFamily): Promise<void> {
    await this.#app.attempt(async () => {
      const { templates, brands } = await call(fontRows.uses, { params: { family } });
      const used = [
        ...(templates.length > 0
          ? [say('fonts.remove.used', { count: templates.length, names: listedNames(templates) })]
          : []),
        ...(brands.length > 0
          ? [say('fonts.remove.brand', { count: brands.length, names: listedNames(brands) })]
          : []),
      ];
      const isWanted = await this.#app.dialogs.ask({
        title: say('fonts.remove.title', { family }),
        text: used.length === 0 ? say('fonts.remove.unused') : used.join(' '),
        yes: say('fonts.remove.yes'),
        no: say('ask.no'),
        danger: true,
      });
      if (!isWanted) return;
      await call(fontRows.remove, { params: { family } });
      this.#app.messages.speak(say('fonts.removed', { family }));
      await this.load();
    });
  }
}
