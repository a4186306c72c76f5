/**
 * What the window remembers about itself: theme, language, chosen project, columns, views. Kept by the server, so that
 * every browser and the desktop program share it. Window only.
 */
import { call } from './connection/call.ts';
import { preferenceRows } from '../../shared/api/settings.ts';
import { languageOf, type Language } from '../../shared/languages.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Heights of the rows of lists: --row of styles/tokens.css. */
export const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** Seconds that new photos can last, as they are remembered. */
export const photoLengths = ['2', '3', '4', '5', '7', '10'] as const;
export type PhotoSeconds = (typeof photoLengths)[number];

/** Between a change and keeping it, in ms. */
const quiet = 300;

/** Values by name, each with its default. */
export class Preferences {
  /** Nothing may be set before: it would replace everything that is remembered. */
  loaded = $state(false);

  #values = $state.raw<JsonObject>({});
  #timer: ReturnType<typeof setTimeout> | undefined;

  async load(): Promise<void> {
    this.#values = await call(preferenceRows.load);
    this.loaded = true;
    this.#applyLook();
  }

  get theme(): Theme {
    return themes.find((theme) => theme === this.#values['theme']) ?? 'system';
  }

  set theme(theme: Theme) {
    this.#set('theme', theme);
    this.#applyLook();
  }

  /** The chosen language of the window; null follows the system. */
  get language(): Language | null {
    return languageOf(this.#values['language']);
  }

  /**
   * Keeps another language, and loads the page again: every text that stands in it is of the old one.
   *
   * @throws {RequestProblem} when it could not be kept
   */
  async chooseLanguage(language: Language | null): Promise<void> {
    const before = this.#values;
    this.#values = { ...before, language };
    try {
      await this.keep();
    } catch (error) {
      this.#values = before;
      throw error;
    }
    location.reload();
  }

  get density(): Density {
    return densities.find((density) => density === this.#values['density']) ?? 'comfortable';
  }

  set density(density: Density) {
    this.#set('density', density);
    this.#applyLook();
  }

  /** Seconds that a new photo lasts in a film. */
  get photoSeconds(): PhotoSeconds {
    return photoLengths.find((seconds) => seconds === this.#values['photoSeconds']) ?? '4';
  }

  set photoSeconds(seconds: PhotoSeconds) {
    this.#set('photoSeconds', seconds);
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

  /** @param usual when nothing is remembered */
  flag(name: string, usual = false): boolean {
    const value = this.#values[name];
    return typeof value === 'boolean' ? value : usual;
  }

  /** Texts; `usual` when none are remembered. */
  texts(name: string, usual: readonly string[]): readonly string[] {
    const value = this.#values[name];
    if (!Array.isArray(value)) return usual;
    return (value as readonly Json[]).filter((one) => typeof one === 'string');
  }

  /** Numbers by name; what is none is left out. */
  numbers(name: string): Readonly<Record<string, number>> {
    const value = this.#values[name];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, number] =>
          typeof entry[1] === 'number' && Number.isFinite(entry[1]),
      ),
    );
  }

  /** Lists of texts by name; what is none is left out. */
  lists(name: string): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      Object.entries(this.object(name)).flatMap(([key, list]) => {
        if (!Array.isArray(list)) return [];
        return [[key, (list as readonly Json[]).filter((one) => typeof one === 'string')]];
      }),
    );
  }

  /** An object; an empty one when none is remembered. */
  object(name: string): JsonObject {
    const value = this.#values[name];
    return isJsonObject(value) ? value : {};
  }

  /** Keeps what was set at once, for a change whose end is said. @throws {RequestProblem} when it could not be kept. */
  async keep(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await call(preferenceRows.save, { body: this.#values });
  }

  /** Keeps what still waits for a quiet moment: there may be none any more. */
  keepWaiting(): void {
    // Forgetting a width is no reason for a message.
    if (this.#timer !== undefined) this.keep().catch(() => undefined);
  }

  set(name: string, value: Json): void {
    this.#set(name, value);
  }

  #set(name: string, value: Json): void {
    this.#values = { ...this.#values, [name]: value };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keepWaiting(), quiet);
  }

  /** The style sheets read both from the root of the page. */
  #applyLook(): void {
    const { dataset } = document.documentElement;
    if (this.theme === 'system') delete dataset['theme'];
    else dataset['theme'] = this.theme;
    dataset['density'] = this.density;
  }
}
