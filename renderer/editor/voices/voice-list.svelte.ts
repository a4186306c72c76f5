/** Who can speak texts: voices of the setting and of the computer, in the order of the offer. Window only. */
import { type KnownVoice, voiceRows } from '../../../shared/api/voices.ts';
import { call } from '../../frame/connection/call.ts';
import { localeInUse, say } from '../../ui/say.ts';

/** Voices under a heading. */
export interface VoiceGroup {
  readonly id: 'set' | 'near' | 'other';
  readonly voices: readonly KnownVoice[];
}

/** Voices of the server. */
export class VoiceList {
  state = $state<'unknown' | 'loading' | 'ready' | 'failed'>('unknown');
  voices = $state.raw<readonly KnownVoice[]>([]);
  /** What gives this computer a voice; null: it has one, or needs no program. */
  install = $state<string | null>(null);

  readonly groups = $derived(voiceGroups(this.voices, localeInUse()));

  /** Asks anew: somebody may have installed one. What is known stays meanwhile. */
  async load(): Promise<void> {
    if (this.state !== 'ready') this.state = 'loading';
    try {
      ({ voices: this.voices, install: this.install } = await call(voiceRows.all));
      this.state = 'ready';
    } catch {
      if (this.state !== 'ready') this.state = 'failed';
    }
  }

  /** The voice that a document names so; undefined where it is another one. */
  find(provider: string): KnownVoice | undefined {
    return this.voices.find((voice) => voice.provider === provider.trim());
  }

  /** The one to begin with: the last one that was used, else the first that is offered. '' for none. */
  first(last: string): string {
    return (this.find(last) ?? this.groups[0]?.voices[0])?.provider ?? '';
  }
}

/** Those of the setting, those of a language by how near they are, and the others by their names. Pure. */
export function voiceGroups(voices: readonly KnownVoice[], locale: string): readonly VoiceGroup[] {
  const wanted = locale.toLowerCase();
  const [base = ''] = wanted.split('-');
  const own = voices.filter(({ isSet }) => !isSet);
  const isNear = ({ language }: KnownVoice): boolean =>
    language?.toLowerCase().split('-')[0] === base;
  const near = own.filter(isNear).sort((a, b) => distance(a, wanted) - distance(b, wanted));
  const other = own
    .filter((voice) => !isNear(voice))
    .sort((a, b) => nameOfVoice(a).localeCompare(nameOfVoice(b), locale));
  const groups: readonly VoiceGroup[] = [
    { id: 'set', voices: voices.filter(({ isSet }) => isSet) },
    { id: 'near', voices: near },
    { id: 'other', voices: other },
  ];
  return groups.filter((group) => group.voices.length > 0);
}

/** Where a language leaves the country open, most people expect the largest one. */
const usualRegions: Readonly<Record<string, string>> = { en: 'en-us', pt: 'pt-br', es: 'es-es' };

function distance({ language }: KnownVoice, wanted: string): number {
  const spoken = language?.toLowerCase() ?? '';
  if (spoken === wanted) return 0;
  if (spoken === usualRegions[wanted]) return 1;
  return spoken.split('-').length + 1;
}

/** What people call a voice. */
export function nameOfVoice({ kind, label, provider, language, name }: KnownVoice): string {
  switch (kind) {
    case 'service':
      return say('voice.service', { name: provider });
    case 'address':
      return label;
    case 'system': {
      // espeak-ng has a voice for each language, with its English name.
      if (name !== null && name === language) return languageName(language) ?? label;
      const spoken = language === null ? null : languageName(language);
      const called = label === '' ? say('voice.usual') : label;
      return spoken === null ? called : say('voice.ofLanguage', { name: called, language: spoken });
    }
  }
}

/** A language in the window's own; null for one that has no name of its own, e.g. a dialect. */
function languageName(language: string): string | null {
  if (language.split('-').length > 2 || /-(?![a-z]{2}$)/i.test(language)) return null;
  try {
    const name = new Intl.DisplayNames([localeInUse()], { type: 'language' }).of(language);
    return name === undefined || name.toLowerCase() === language.toLowerCase() ? null : name;
  } catch {
    return null;
  }
}
