/**
 * Voices for the window: who can speak, and a text as a sound. Each by a worker process of its own. What was spoken is
 * kept where previews and renders look (server/engine/assets/voices/voices.ts).
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { KnownVoice, KnownVoices } from '../../../shared/api/voices.ts';
import {
  ownVoice,
  providersOf,
  readProvider,
  readVoiceLine,
  type SpokenText,
  type VoiceLine,
  voiceFor,
  type VoiceTarget,
} from '../../../shared/renderscript/voices.ts';
import type { Log } from '../../system/log.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import type { ForkWorker } from './protocol.ts';
import { explain } from './task-faults.ts';
import { voicesOfEnvironment } from './voices.ts';
import type { TaskInput, TaskOutput } from './tasks.ts';

/** What the service is made with. */
export interface SpeakingOptions {
  readonly fork: ForkWorker;
  /** Who speaks, read for each text, and where sounds are kept. */
  readonly engine: Pick<TaskInput<'speak'>, 'cacheFolder' | 'voices'>;
  /** Only this service writes here. */
  readonly folder: string;
  readonly log: Log;
}

/** What became of a text; never a rejection. */
export type Spoken =
  | { readonly kind: 'spoken'; readonly sound: Buffer }
  | { readonly kind: 'failed'; readonly reason: string };

/** Milliseconds after which the computer's voices are looked for again. */
const freshFor = 60_000;

/** Voices and what they say. */
export class SpeakingService {
  readonly #options: SpeakingOptions;
  readonly #life = new AbortController();
  #listed: { readonly at: number; readonly own: TaskOutput<'list-voices'> } | null = null;

  constructor(options: SpeakingOptions) {
    this.#options = options;
  }

  /** Who can speak now. The computer counts as without a voice where it can't be asked. */
  async list(): Promise<KnownVoices> {
    const { found, package: install } = await this.#own();
    const lines = (this.#options.engine.voices?.lines ?? []).flatMap(
      (line) => readVoiceLine(line) ?? [],
    );
    const isMute = found === null || found.length === 0;
    const set = providersOf(lines).flatMap(({ provider }): KnownVoice[] => {
      const target = voiceFor(readProvider(provider), lines);
      if (!target || (target.kind === 'system' && isMute)) return [];
      const [name, label] = [target.kind === 'system' ? target.voice : null, labelOf(target)];
      const language = found?.find((own) => own.name === name)?.language ?? null;
      return [{ provider, kind: target.kind, isSet: true, name, label, language }];
    });
    const own = (found ?? []).map(({ name, label, language }): KnownVoice => {
      return { provider: ownVoice(name), kind: 'system', isSet: false, name, label, language };
    });
    const started = [...voicesOfEnvironment()];
    return { voices: [...set, ...own], install: isMute ? install : null, started };
  }

  /** Speaks a text, or takes what was spoken before. @param signal Nobody waits any more. */
  speak(spoken: SpokenText, signal: AbortSignal): Promise<Spoken> {
    return this.#speak(spoken, this.#options.engine.voices, signal);
  }

  /** Speaks a text as a line of the setting says that may not be kept yet. @param signal Nobody waits any more. */
  tryLine(line: string, text: string, signal: AbortSignal): Promise<Spoken> {
    const read = readVoiceLine(line);
    if (!read) {
      const reason = `expected a line such as elevenlabs: system, found ${line}`;
      return Promise.resolve({ kind: 'failed', reason });
    }
    const keys = this.#options.engine.voices?.keys ?? {};
    return this.#speak({ provider: providerOf(read, keys), text }, { lines: [line], keys }, signal);
  }

  /** Ends what is being spoken. */
  close(): void {
    this.#life.abort();
  }

  async #speak(
    { provider, text }: SpokenText,
    voices: TaskInput<'speak'>['voices'],
    signal: AbortSignal,
  ): Promise<Spoken> {
    const { fork, log, engine, folder } = this.#options;
    const workFolder = path.join(folder, randomUUID());
    const soundPath = path.join(workFolder, 'sound');
    const { cacheFolder } = engine;
    const input = { provider, text, soundPath, workFolder, cacheFolder, voices };
    return inWorkFolder(workFolder, async () => {
      const answer = await askWorker({ fork, log }, 'speak', input, {
        signal: AbortSignal.any([signal, this.#life.signal]),
      });
      return answer.kind === 'done'
        ? { kind: 'spoken', sound: await readFile(soundPath) }
        : { kind: 'failed', reason: explain('speak', answer, log).replace(/\.$/, '') };
    });
  }

  async #own(): Promise<TaskOutput<'list-voices'>> {
    if (this.#listed && performance.now() - this.#listed.at < freshFor) return this.#listed.own;
    const { fork, log } = this.#options;
    const answer = await askWorker({ fork, log }, 'list-voices', {}, { signal: this.#life.signal });
    if (answer.kind !== 'done') {
      log('warning', 'voices', `can't be listed: ${explain('list-voices', answer, log)}`);
      return { found: null, package: null };
    }
    // Whoever installs one is not made to wait for it.
    if (answer.output.found?.length) this.#listed = { at: performance.now(), own: answer.output };
    return answer.output;
  }
}

/** A provider that a line is for; of any, the service whose key is there. */
function providerOf(
  { from: { name, options } }: VoiceLine,
  { elevenlabs, openai }: NonNullable<TaskInput<'speak'>['voices']>['keys'],
): string {
  const any = elevenlabs === undefined && openai !== undefined ? 'openai' : 'elevenlabs';
  const words = Object.entries(options).map(([option, value]) => `${option}=${value}`);
  return [name === '*' ? any : name, ...words].join(' ');
}

/** What the setting says of a voice, for people. */
function labelOf(target: VoiceTarget): string {
  switch (target.kind) {
    case 'system':
      return target.voice ?? '';
    case 'address':
      return [target.options['voice'], target.url.split('/')[2]].filter(Boolean).join(', ');
    case 'service':
      return '';
  }
}
