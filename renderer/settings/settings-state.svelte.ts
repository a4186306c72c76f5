/** The Settings page: what is kept, what is typed, and what the server said about it. Window only. */
import { call } from '../frame/connection/call.ts';
import { settingRows } from '../../shared/api/settings.ts';
import type { FfmpegTest, SettingsRecord } from '../../shared/api.ts';
import type { DesktopSwitches } from '../../shared/desktop.ts';
import type { Language } from '../../shared/languages.ts';
import {
  factsOf,
  mayBeNone,
  type OwnSetting,
  type Setting,
  type SettingValues,
  type ShownSetting,
  shownSettings,
} from '../../shared/settings.ts';
import { say } from '../ui/say.ts';
import type { AppState } from '../frame/app.svelte.ts';

/** What the form holds; texts as typed. */
type Form = Record<ShownSetting, string>;

/** The fields of a form, as what is kept fills them. */
function formOf(kept: SettingsRecord | null): Form {
  return Object.fromEntries(
    shownSettings.map((name) => [name, kept ? fieldText(name, kept[name]) : '']),
  ) as Form; // by the names of the table
}

/** A value as its field shows it. */
export function fieldText(name: ShownSetting, value: SettingsRecord[ShownSetting]): string {
  const { control } = factsOf(name);
  if (value === null) return '';
  return String(typeof value === 'number' && 'unit' in control ? value / control.unit : value);
}

function valueOf(name: ShownSetting, text: string): string | number | null {
  const { control } = factsOf(name);
  if (text === '' && mayBeNone(name)) return null;
  return control.kind === 'number' ? numberOr(text, control.unit) : text;
}

/** A button that tests the typed text. `name`: for screen readers, instead of the label. */
export interface FieldTest {
  readonly label: string;
  readonly name?: string;
  readonly run: () => void;
}

/** Settings that a change of another one changes, too. */
export type Changes = Partial<Pick<SettingValues, ShownSetting>>;

/** What of the window's state they use and change. */
type UsedState = Pick<AppState, 'messages' | 'attempt' | 'preferences' | 'desktop' | 'switches'>;

/** The settings as the cards of the page share them; made when the page is opened. */
export class SettingsState {
  /** The stored settings; null until they are loaded. */
  record = $state.raw<SettingsRecord | null>(null);
  form = $state<Form>(formOf(null));
  /** Why the server refused a setting, in its words. */
  problems = $state<Partial<Record<Setting, string>>>({});
  /** The setting that was kept last. */
  saved = $state<Setting | null>(null);
  /** Why the settings could not be loaded; '' when they were. */
  failed = $state('');
  /** The result of trying ffmpeg; null before. */
  tested = $state.raw<FfmpegTest | 'running' | null>(null);
  /** Whether the port that is typed could be opened, in words; null before it was tried. */
  portTested = $state.raw<{ readonly works: boolean; readonly text: string } | null>(null);

  readonly #app: UsedState;
  /** Settles when the last change was stored or refused. */
  #turn: Promise<void> = Promise.resolve();

  constructor(app: UsedState) {
    this.#app = app;
  }

  /**
   * Loads what is kept. What a person has typed and not sent stays.
   * @param sent the fields of the form that were kept now
   */
  async load(sent: Partial<Form> = {}): Promise<void> {
    try {
      const found = await call(settingRows.all);
      const before = this.record && formOf(this.record);
      const next = formOf(found);
      this.record = found;
      for (const name of shownSettings) {
        const typed = this.form[name];
        const isChanged = before !== null && typed !== before[name];
        if (!isChanged || typed === sent[name]) this.form[name] = next[name];
      }
      this.failed = '';
    } catch (reason) {
      this.failed = textOf(reason);
    }
  }

  /**
   * Keeps one setting; what the server refuses stays in the form with its reason.
   * @param also others that change with it, or not at all
   */
  async save(setting: ShownSetting, value: unknown, also: Changes = {}): Promise<void> {
    this.portTested = null;
    const sent = { [setting]: this.form[setting] };
    await this.#keep(setting, async () => {
      await call(settingRows.change, { body: { ...also, [setting]: value } });
      await this.load(sent);
    });
  }

  /** The same with what is typed. */
  saveText(setting: ShownSetting, text: string, also: Changes = {}): Promise<void> {
    return this.save(setting, valueOf(setting, text), also);
  }

  /**
   * Puts all settings of the server back to how they were at first.
   * @throws {RequestProblem} and all stay, when one can't
   */
  async reset(): Promise<void> {
    await call(settingRows.reset);
    const found = await call(settingRows.all);
    this.record = found;
    // What was typed and not kept goes, too.
    Object.assign(this.form, formOf(found));
    this.problems = {};
    this.saved = null;
    this.tested = null;
    this.portTested = null;
  }

  /** Says that something of the window's own was kept, once it is. What is refused holds until the window is closed. */
  async saveOwn(setting: OwnSetting): Promise<void> {
    await this.#keep(setting, () => this.#app.preferences.keep());
  }

  /** Keeps the language of the window, whose page is then loaded again; null follows the system. */
  async chooseLanguage(language: Language | null): Promise<void> {
    await this.#keep('language', () => this.#app.preferences.chooseLanguage(language));
  }

  /** Loads the desktop program's switches, where there is one. */
  async loadSwitches(): Promise<void> {
    const { desktop } = this.#app;
    if (!desktop) return;
    await this.#app.attempt(async () => {
      this.#app.switches = await desktop.readSwitches();
    });
  }

  /** Switches something of the desktop program; what it refuses stays as it was, with its reason. */
  async saveSwitch(name: keyof DesktopSwitches, on: boolean): Promise<void> {
    await this.#keep(name, async () => {
      this.#app.switches = (await this.#app.desktop?.setSwitch(name, on)) ?? null;
    });
  }

  /** One after the other, so that the last answer is about what was typed last. */
  #keep(setting: Setting, work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(() => this.#keepNow(setting, work));
    return this.#turn;
  }

  /** Never rejects. */
  async #keepNow(setting: Setting, work: () => Promise<void>): Promise<void> {
    this.saved = null;
    try {
      await work();
      this.problems = Object.fromEntries(
        Object.entries(this.problems).filter(([name]) => name !== setting),
      );
      this.saved = setting;
      this.#app.messages.speak(say('settings.saved'));
    } catch (reason) {
      this.problems = { ...this.problems, [setting]: textOf(reason) };
    }
  }

  /**
   * Asks for a folder or file as the system does.
   * @param from The current one.
   * @returns its path; null when none was chosen
   */
  async choose(kind: 'folder' | 'file', title: string, from: string): Promise<string | null> {
    const { desktop } = this.#app;
    let chosen: string | null = null;
    await this.#app.attempt(async () => {
      if (!desktop) return;
      chosen = await (kind === 'folder'
        ? desktop.chooseFolder(title, from)
        : desktop.chooseFile(title, from));
    });
    return chosen;
  }

  /** Set by the command line or the environment, so it can't be changed here. */
  isFixed(setting: string): boolean {
    return this.record?.fixed.some((one) => one === setting) === true;
  }

  /** Tests whether the typed port could be opened. */
  async testPort(): Promise<void> {
    const port = this.form.port.trim();
    this.portTested = null;
    try {
      const { found } = await call(settingRows.testPort, { body: { port: numberOr(port) } });
      const text = say(`settings.port.${found}`, { port });
      this.portTested = { works: found === 'free' || found === 'own', text };
    } catch (reason) {
      this.portTested = { works: false, text: textOf(reason) };
    }
  }

  async test(): Promise<void> {
    this.tested = 'running';
    const done = await this.#app.attempt(async () => {
      this.tested = await call(settingRows.testFfmpeg, {
        body: { path: this.form.ffmpegPath.trim() },
      });
    });
    if (!done) this.tested = null;
  }
}

/** A typed number times its unit. Anything else stays text, which the server refuses: JSON would turn NaN into null. */
function numberOr(text: string, unit = 1): number | string {
  const value = Number(text) * unit;
  return text !== '' && Number.isFinite(value) ? value : text;
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** Scrolls to a setting's field and selects its text if a link led to it. For an effect. */
export function showWanted(
  app: Pick<AppState, 'navigation'>,
  setting: string,
  box: HTMLElement | undefined,
): void {
  if (app.navigation.wantedSetting !== setting || !box) return;
  app.navigation.wantedSetting = null;
  const field =
    box.querySelector<HTMLInputElement>('input:checked') ??
    box.querySelector<HTMLInputElement>('input:not([hidden])');
  (field ?? box).scrollIntoView({ block: 'center' });
  // A field whose value comes from the program's start can't have the focus; its button can, and explains.
  const goal = field?.disabled === false ? field : box.querySelector('button');
  goal?.focus({ preventScroll: true });
  field?.select();
}
