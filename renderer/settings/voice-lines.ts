/** Lines of the setting `voices` as rows of a form, and back. Pure. */
import { readVoiceLine } from '../../shared/renderscript/voices.ts';

/** Who can speak. */
export const voiceKinds = ['system', 'address', 'service'] as const;

/** A line, taken apart; what is empty is left out. */
export interface VoiceRow {
  /** The provider with its options, as written before the colon: `elevenlabs`, `openai voice=alloy`, `*`. */
  readonly from: string;
  readonly kind: (typeof voiceKinds)[number];
  /** Of this computer, as its program calls it. */
  readonly system: string;
  readonly address: string;
  /** As the address is asked for it. */
  readonly voice: string;
  readonly model: string;
  /** Other options of an address, as written. */
  readonly rest: string;
}

/** A row of which nothing but the provider is known. */
export const newVoice = (from: string): VoiceRow => ({
  ...{ from, kind: 'system', system: '', address: '', voice: '', model: '', rest: '' },
});

/** The row of a line; null if the server would not take the line. */
export function voiceRowOf(line: string): VoiceRow | null {
  const read = readVoiceLine(line);
  if (!read) return null;
  const [from = ''] = line.trim().split(/:\s/);
  const row = { ...newVoice(from), kind: read.to.kind };
  switch (read.to.kind) {
    case 'system':
      return { ...row, system: read.to.voice ?? '' };
    case 'service':
      return row;
    case 'address': {
      const { voice = '', model = '', ...others } = read.to.options;
      const rest = Object.entries(others).map(([name, value]) => `${name}=${value}`);
      return { ...row, address: read.to.url, voice, model, rest: rest.join(' ') };
    }
  }
}

/** The line of a row; null while something is missing or can't be. */
export function lineOf({ from, kind, ...row }: VoiceRow): string | null {
  const option = (name: 'voice' | 'model'): string =>
    row[name].trim() === '' ? '' : `${name}=${row[name].trim()}`;
  const parts = {
    system: ['system', row.system],
    address: [row.address, option('voice'), option('model'), row.rest],
    service: ['service'],
  }[kind];
  const words = parts.map((part) => part.trim()).filter((part) => part !== '');
  const line = `${from.trim()}: ${words.join(' ')}`;
  return readVoiceLine(line) ? line : null;
}

/** The lines of rows, each once, without those that are not complete. */
export const linesOf = (rows: readonly VoiceRow[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => lineOf(row) ?? [])),
];

/** The settings with the keys that rows need. */
export function keysFor(
  rows: readonly VoiceRow[],
): ReadonlySet<'elevenlabsKey' | 'openaiKey' | 'voiceKey'> {
  const asked = rows.map(({ from, kind }) => [from.split(/\s/)[0]?.toLowerCase(), kind] as const);
  const isAsked = (name: string): boolean =>
    asked.some(([from, kind]) => kind === 'service' && (from === name || from === '*'));
  const keys = new Set<'elevenlabsKey' | 'openaiKey' | 'voiceKey'>();
  if (isAsked('elevenlabs')) keys.add('elevenlabsKey');
  if (isAsked('openai')) keys.add('openaiKey');
  if (asked.some(([, kind]) => kind === 'address')) keys.add('voiceKey');
  return keys;
}
