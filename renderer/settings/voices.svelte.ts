/** The voices of the settings as rows: changed, added, removed, heard. Window only. */
import { voiceRows, type KnownVoices } from '../../shared/api/voices.ts';
import { Hearing, ofSetting } from '../editor/voices/hearing.svelte.ts';
import { call } from '../frame/connection/call.ts';
import type { SettingsState } from './settings-state.svelte.ts';
import { lineOf, linesOf, newVoice, voiceRowOf, type VoiceRow } from './voice-lines.ts';

/** Providers that documents name most. */
export const providers = ['elevenlabs', 'openai', '*'] as const;

export class VoicesState {
  rows = $state.raw<readonly VoiceRow[]>([]);
  /** Null until it is loaded. */
  known = $state.raw<KnownVoices | null>(null);
  /** The row that was asked last; null once rows change. */
  heard = $state.raw<{ readonly index: number; readonly hearing: Hearing<string> } | null>(null);
  /** Voices of this computer. */
  readonly own = $derived(
    (this.known?.voices ?? []).filter(({ kind, isSet }) => kind === 'system' && !isSet),
  );
  /** The newest lines that are being kept: what older answers say is not taken over. */
  #sent: readonly string[] | null = null;
  readonly #settings: SettingsState;

  constructor(settings: SettingsState) {
    this.#settings = settings;
  }

  /** Asks who can speak. Never rejects: without an answer a voice is typed. */
  async load(): Promise<void> {
    const none = { voices: [], install: null, started: [] };
    this.known = await call(voiceRows.all).catch(() => none);
  }

  /** Takes over what is kept, unless the rows say the same. What is not complete yet stays. */
  follow(lines: readonly string[]): void {
    if (this.#sent) return;
    const own = linesOf(this.rows);
    if (own.length === lines.length && lines.every((line) => own.includes(line))) return;
    const rows = lines.flatMap((line) => voiceRowOf(line) ?? []);
    this.rows = [...rows, ...this.rows.filter((row) => lineOf(row) === null)];
  }

  /** Adds a voice of this computer for a provider that has none yet, to be changed. */
  add(): Promise<void> {
    const free = providers.find((name) => this.rows.every(({ from }) => from !== name));
    return this.#keep([...this.rows, newVoice(free ?? '*')]);
  }

  /** Changes a row; it is kept as soon as it is complete. */
  change(index: number, change: Partial<VoiceRow>): Promise<void> {
    return this.#keep(this.rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  }

  remove(index: number): Promise<void> {
    return this.#keep(this.rows.filter((_, at) => at !== index));
  }

  /** Has a row say a sentence, anew each time. Never rejects: `heard` says why it is silent. */
  async hear(index: number): Promise<void> {
    const row = this.rows[index];
    const line = row && lineOf(row);
    if (!line) return;
    this.#fallSilent();
    const hearing = new Hearing(ofSetting);
    this.heard = { index, hearing };
    await hearing.toggle(line);
  }

  #fallSilent(): void {
    this.heard?.hearing.stop();
    this.heard = null;
  }

  async #keep(rows: readonly VoiceRow[]): Promise<void> {
    this.#fallSilent();
    this.rows = rows;
    const lines = linesOf(rows);
    const kept = this.#sent ?? this.#settings.record?.voices ?? [];
    if (lines.length === kept.length && lines.every((line, at) => line === kept[at])) return;
    this.#sent = lines;
    await this.#settings.save('voices', lines);
    if (this.#sent === lines) this.#sent = null;
  }
}
