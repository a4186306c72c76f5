/**
 * What the window remembers about itself: theme, chosen project, columns, views. Kept by the server, because the window's
 * address, and with it the browser's own memory, is new at every start. Window only.
 */
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { loadPreferences, savePreferences } from '../lib/api.ts';

/** Themes that can be chosen. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Between a change and keeping it, in ms. */
const quiet = 300;

/** Values by name, each with its default. */
export class Preferences {
  #values = $state.raw<JsonObject>({});
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Loads what was remembered. */
  async load(): Promise<void> {
    this.#values = await loadPreferences();
    this.#applyTheme();
  }

  get theme(): Theme {
    return themes.find((theme) => theme === this.#values['theme']) ?? 'system';
  }

  set theme(theme: Theme) {
    this.#set('theme', theme);
    this.#applyTheme();
  }

  /** A text, or '' when none is remembered. */
  text(name: string): string {
    const value = this.#values[name];
    return typeof value === 'string' ? value : '';
  }

  /** A number of a range; `usual` when none is remembered. */
  number(name: string, usual: number): number {
    const value = this.#values[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : usual;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Texts; `usual` when none are remembered. */
  texts(name: string, usual: readonly string[]): readonly string[] {
    const value = this.#values[name];
    if (!Array.isArray(value)) return usual;
    return (value as readonly Json[]).filter((one) => typeof one === 'string');
  }

  set(name: string, value: Json): void {
    this.#set(name, value);
  }

  #set(name: string, value: Json): void {
    this.#values = { ...this.#values, [name]: value };
    clearTimeout(this.#timer);
    // Forgetting a width is no reason for a message.
    this.#timer = setTimeout(
      () => void savePreferences(this.#values).catch(() => undefined),
      quiet,
    );
  }

  #applyTheme(): void {
    const { dataset } = document.documentElement;
    if (this.theme === 'system') delete dataset['theme'];
    else dataset['theme'] = this.theme;
  }
}
