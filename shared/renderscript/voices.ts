/**
 * Voices: sounds that are spoken from a text. An audio element with a `provider` has its text as `source`; the setting
 * `voices` says who speaks for which provider. Pure.
 */
import { lottieAddress } from './lottie-address.ts';
import type { JsonObject } from './source.ts';

/** A provider as a document writes it: `elevenlabs model_id=eleven_turbo_v2 voice_id=abc stability=0.75`. */
export interface Provider {
  /** In small letters, e.g. `elevenlabs`. */
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
}

/** What is spoken, and how it was asked for. */
export interface SpokenText {
  readonly provider: string;
  readonly text: string;
}

/** A line of the setting: who speaks for a provider. */
export interface VoiceLine {
  /** Its options must be among those that a document asks for; the name `*` is any. */
  readonly from: Provider;
  readonly to: VoiceTarget;
}

/** Who speaks: a voice of the computer, an address as OpenAI's, or the named service itself. */
export type VoiceTarget =
  | { readonly kind: 'system'; readonly voice: string | null }
  | {
      readonly kind: 'address';
      readonly url: string;
      readonly options: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'service' };

const scheme = 'voice:';

/**
 * The address by which a file of an element is known: its `source`, and one of its own for a text that is spoken
 * and a Lottie animation that is changed; null if it names none.
 */
export function mediaAddress(element: JsonObject): string | null {
  const { type, source } = element;
  if (typeof source !== 'string' || source.trim() === '') return null;
  if (type === 'lottie') return lottieAddress(source, element);
  if (!hasProvider(element)) return source;
  // What makes pictures from words is not asked.
  return type === 'audio' ? voiceAddress({ provider: element.provider, text: source }) : null;
}

/** Whether the `source` of an element is words of which a provider makes the file, and no address. */
export function hasProvider(
  element: JsonObject,
): element is JsonObject & { readonly provider: string } {
  const { provider } = element;
  return typeof provider === 'string' && provider.trim() !== '';
}

/** Whether the `source` of an element is a text that is spoken. */
export const isSpoken = (element: JsonObject): boolean =>
  element.type === 'audio' && hasProvider(element);

/** The address of a spoken text. */
export function voiceAddress({ provider, text }: SpokenText): string {
  return scheme + JSON.stringify([provider.trim(), text.trim()]);
}

/** The text of such an address; null if it is another one. */
export function spokenText(address: string): SpokenText | null {
  if (!address.startsWith(scheme)) return null;
  try {
    const [provider, text]: unknown[] = JSON.parse(address.slice(scheme.length)) as unknown[];
    return typeof provider === 'string' && typeof text === 'string' ? { provider, text } : null;
  } catch {
    return null;
  }
}

/** Reads a provider: a name, then options. Words without `=` are left out. */
export function readProvider(text: string): Provider {
  const [name = '', ...words] = text.trim().split(/\s+/);
  return { name: name.toLowerCase(), options: optionsIn(words) };
}

function optionsIn(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.flatMap((word): [string, string][] => {
      const at = word.indexOf('=');
      return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
    }),
  );
}

/** Reads a line such as `elevenlabs: system` or `openai voice=alloy: http://127.0.0.1:8880/v1 model=kokoro`. */
export function readVoiceLine(line: string): VoiceLine | null {
  const [, from, to] = /^([\w*-]+(?:\s+[\w-]+=\S+)*):\s+(\S.*)$/.exec(line.trim()) ?? [];
  if (from === undefined || to === undefined) return null;
  const target = readTarget(to);
  return target && { from: readProvider(from), to: target };
}

function readTarget(text: string): VoiceTarget | null {
  const [first = '', ...rest] = text.split(/\s+/);
  if (first === 'system')
    return { kind: 'system', voice: rest.length === 0 ? null : rest.join(' ') };
  if (first === 'service') return rest.length === 0 ? { kind: 'service' } : null;
  const isAddress = /^https?:\/\//.test(first) && rest.every((word) => word.indexOf('=') > 0);
  return isAddress ? { kind: 'address', url: first, options: optionsIn(rest) } : null;
}

/** The provider that is a voice of the computer by itself, without a line of the setting: `system voice=en-gb`. */
export const ownProvider = 'system';

/** As a document names a voice of the computer. @param voice As the system calls it; null: its usual one. */
export function ownVoice(voice: string | null): string {
  return voice === null ? ownProvider : `${ownProvider} voice=${encodeURIComponent(voice)}`;
}

/**
 * Who speaks for a provider: of the lines that fit, the one that says most; null if none does. For `system` that is the
 * computer, unless a line names it.
 */
export function voiceFor(provider: Provider, lines: readonly VoiceLine[]): VoiceTarget | null {
  const isOwn = provider.name === ownProvider;
  let [best, most] = [isOwn ? ownTarget(provider) : null, -1];
  for (const { from, to } of lines) {
    const options = Object.entries(from.options);
    const fits =
      ((from.name === '*' && !isOwn) || from.name === provider.name) &&
      options.every(([name, value]) => provider.options[name] === value);
    const says = options.length + (from.name === '*' ? 0 : 1);
    if (fits && says > most) [best, most] = [to, says];
  }
  return best;
}

/** A document may only name what can be a voice, and no file. */
const voiceForm = /^[\p{L}\p{N}][\p{L}\p{N} ._()+,'’-]*$/u;

function ownTarget({ options: { voice = '' } }: Provider): VoiceTarget {
  const plain = /%(?![\da-f]{2})/i.test(voice) ? voice : decodeVoice(voice);
  return { kind: 'system', voice: voiceForm.test(plain) ? plain : null };
}

function decodeVoice(voice: string): string {
  try {
    return decodeURIComponent(voice);
  } catch {
    return voice;
  }
}

/** A voice to choose, as documents name it. */
export interface NamedVoice {
  readonly provider: string;
  readonly kind: VoiceTarget['kind'];
}

/** What documents can write to have the voices of the setting speak. A line for any service names none. */
export function providersOf(lines: readonly VoiceLine[]): readonly NamedVoice[] {
  return lines.flatMap(({ from, to }) => {
    if (from.name === '*' && to.kind === 'service') return [];
    const options = Object.entries(from.options).map(([name, value]) => `${name}=${value}`);
    // Any name does where a line speaks for all.
    const name = from.name === '*' ? 'voice' : from.name;
    return [{ provider: [name, ...options].join(' '), kind: to.kind }];
  });
}
