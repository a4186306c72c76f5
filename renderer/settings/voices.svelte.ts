/** The voices of the settings as rows: changed, added, removed, heard. Window only. */
import { voiceRows, type KnownVoices } from '../../shared/api/voices.ts';
import { answerOf } from '../frame/connection/api.ts';
import { ask, call } from '../frame/connection/call.ts';
import { say } from '../ui/say.ts';
import type { SettingsState } from './settings-state.svelte.ts';
import { lineOf, linesOf, newVoice, voiceRowOf, type VoiceRow } from './voice-lines.ts';

/** Providers that documents name most. */
export const providers = ['elevenlabs', 'openai', '*'] as const;

/** A voice that is being asked, plays, or could not be heard. */
export interface Hearing {
  /** Its place in the list. */
  readonly index: number;
  readonly phase: 'asking' | 'failed';
  /** Why it failed. */
  readonly problem: string;
}

/** Plays a sound to its end. */
async function playSound(sound: Blob): Promise<void> {
  const address = URL.createObjectURL(sound);
  const audio = new Audio(address);
  audio.addEventListener('ended', () => URL.revokeObjectURL(address));
  await audio.play();
}

/** See above. */
export class VoicesState {
  rows = $state.raw<readonly VoiceRow[]>([]);
  /** Null until it is loaded. */
  known = $state.raw<KnownVoices | null>(null);
  hearing = $state.raw<Hearing | null>(null);
  /** Voices of this computer. */
  readonly own = $derived(
    (this.known?.voices ?? []).filter(({ kind, isSet }) => kind === 'system' && !isSet),
  );
  /** The newest lines that are being kept: what older answers say is not taken over. */
  #sent: readonly string[] | null = null;
  readonly #settings: SettingsState;
  readonly #play: (sound: Blob) => Promise<void>;

  constructor(settings: SettingsState, play = playSound) {
    this.#settings = settings;
    this.#play = play;
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

  /** Has a row say a sentence, and plays it. Never rejects: `hearing` says why it is silent. */
  async hear(index: number): Promise<void> {
    const row = this.rows[index];
    const line = row && lineOf(row);
    if (!line) return;
    const now: Hearing = { index, phase: 'asking', problem: '' };
    this.hearing = now;
    try {
      const body = { line, text: say('voices.sentence') };
      const answer = await ask(voiceRows.try, { body });
      if (!answer.ok) await answerOf(answer); // throws
      const sound = await answer.blob();
      // Another one was asked meanwhile.
      if (this.hearing !== now) return;
      await this.#play(sound);
      this.hearing = null;
    } catch (reason) {
      if (this.hearing !== now) return;
      const problem = reason instanceof Error ? reason.message : String(reason);
      this.hearing = { index, phase: 'failed', problem };
    }
  }

  async #keep(rows: readonly VoiceRow[]): Promise<void> {
    this.hearing = null;
    this.rows = rows;
    const lines = linesOf(rows);
    const kept = this.#sent ?? this.#settings.record?.voices ?? [];
    if (lines.length === kept.length && lines.every((line, at) => line === kept[at])) return;
    this.#sent = lines;
    await this.#settings.save('voices', lines);
    if (this.#sent === lines) this.#sent = null;
  }
}
