/** Who recognises speech, as one choice over the settings that say it: those of the others are null. Window only. */
import type { SettingsRecord } from '../../shared/api.ts';
import type { Changes, SettingsState } from './settings-state.svelte.ts';

/** This computer with a model, a program of the person, or a service. */
export const recognisers = ['here', 'program', 'service'] as const;
export type Recogniser = (typeof recognisers)[number];

/** As the server decides: an address comes before a program, and a program before the models. */
export function recogniserOf({
  speechAddress,
  transcriber,
}: Pick<SettingsRecord, 'speechAddress' | 'transcriber'>): Recogniser {
  if (speechAddress !== null) return 'service';
  return transcriber === null ? 'here' : 'program';
}

/**
 * What a change to another recogniser takes away. The key goes, so that it reaches no other address; so does the name
 * of the model, which is another one's at a service.
 */
export function changesTo(next: Recogniser, now: Recogniser): Changes {
  if (next === now) return {};
  const program = { transcriber: null, transcriberModel: null };
  const service = { speechAddress: null, speechKey: null };
  const model = next === 'service' || now === 'service' ? { speechModel: null } : {};
  if (next === 'program') return { ...service, ...model };
  if (next === 'service') return { ...program, ...model };
  return { ...program, ...service, ...model };
}

/** The choice. A program or a service takes over once it is named: until then the one before recognises. */
export class RecogniserChoice {
  readonly #settings: SettingsState;
  readonly #mayForget: () => Promise<boolean>;
  /** Chosen, and not named yet. */
  #next = $state<Recogniser | null>(null);

  /** @param mayForget Asks whether the key of the service may go. */
  constructor(settings: SettingsState, mayForget: () => Promise<boolean>) {
    this.#settings = settings;
    this.#mayForget = mayForget;
  }

  readonly #kept = $derived.by(() =>
    this.#settings.record ? recogniserOf(this.#settings.record) : 'here',
  );

  /** The one whose fields are shown. */
  readonly shown = $derived.by(() => this.#next ?? this.#kept);

  /** What is kept with the first field of the one that is shown. */
  readonly changes = $derived.by(() => changesTo(this.shown, this.#kept));

  async choose(next: Recogniser): Promise<void> {
    const hasKey = (this.#settings.record?.speechKey ?? null) !== null;
    if (next !== 'here') {
      this.#next = next === this.#kept ? null : next;
      return;
    }
    if (this.#kept === 'service' && hasKey && !(await this.#mayForget())) return;
    this.#next = null;
    if (this.#kept === 'here') return;
    await this.#settings.save('transcriber', null, changesTo(next, this.#kept));
  }

  /** The key of a service that is left goes: asked before that. @returns whether to go on */
  mayLeave(): Promise<boolean> {
    const isLeft = this.#kept === 'service' && this.shown !== 'service';
    const hasKey = (this.#settings.record?.speechKey ?? null) !== null;
    return isLeft && hasKey ? this.#mayForget() : Promise.resolve(true);
  }
}
